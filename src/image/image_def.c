#include <string.h>

#include "image/image.h"
#include "image/image_internal.h"
#include "sim/machine.h"

/* The image definition of RP2350 (data sheet, 5.9): a block of words between two markers; its first
 * item says what the image is, its last how many words came before, and a link closes it. */
enum {
    ITEM_IMAGE_TYPE = 0x42,
    ITEM_LAST = 0xFF,
    SEARCHED = 4096, /* bytes of an image in flash; all of one in RAM */
    TYPE_EXECUTABLE = 1,
    CPU_ARM = 0,
    CPU_RISCV = 1,
    CHIP_RP2350 = 1,
    WORDS = 5,
};
#define BLOCK_BEGIN 0xffffded3u
#define BLOCK_END   0xab123579u

static const char *cpu_name(uint32_t cpu)
{
    return cpu == CPU_ARM ? "Arm" : cpu == CPU_RISCV ? "RISC-V" : "an unknown core";
}

static enum uj_err check_block(struct uj_ctx *ctx, const struct image *image, const uint32_t *words,
                               size_t count, uint32_t address, uint32_t wanted)
{
    uint32_t flags = count > 1 ? words[1] >> 16 : 0, cpu = flags >> 8 & 7;
    if (count < WORDS || (words[1] & 0xFF) != ITEM_IMAGE_TYPE || (words[1] >> 8 & 0xFF) != 1)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: the IMAGE_DEF at 0x%x does not begin with an image type; the boot ROM "
                       "would not start it",
                       image->path, address);
    if ((flags & 15) != TYPE_EXECUTABLE || (flags >> 12 & 7) != CHIP_RP2350)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: the IMAGE_DEF at 0x%x (0x%08x) is of no executable for RP2350",
                       image->path, address, words[1]);
    if (cpu != wanted)
        return uj_fail(ctx, UJ_ERR_INPUT,
                       "%s: the IMAGE_DEF at 0x%x is for %s, the board runs %s; build it for this "
                       "board",
                       image->path, address, cpu_name(cpu), cpu_name(wanted));
    for (size_t i = 1; i < count; i++) {
        uint32_t size = words[i] >> 8 & 0xFF;
        if ((words[i] & 0xFF) != ITEM_LAST) {
            i += size ? size - 1 : 0;
            continue;
        }
        if ((words[i] >> 8 & 0xFFFF) != i - 1 || i + 2 >= count || words[i + 2] != BLOCK_END)
            break;
        return UJ_OK;
    }
    return uj_fail(ctx, UJ_ERR_INPUT,
                   "%s: the IMAGE_DEF at 0x%x does not end as it must (last item, link, 0x%08x)",
                   image->path, address, BLOCK_END);
}

enum uj_err image_check_def(struct uj_ctx *ctx, const struct image *image, struct machine *m)
{
    if (!m->image_def)
        return UJ_OK;
    uint32_t wanted = strcmp(m->image_def, "riscv") == 0 ? CPU_RISCV : CPU_ARM;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *s = &image->segments[i];
        const struct mem_region *region = mem_region_at(&m->data, s->address);
        size_t bytes = s->bytes;
        if (region && region->read_only) {
            uint32_t skipped = s->address - region->base;
            bytes = skipped >= SEARCHED          ? 0
                    : SEARCHED - skipped < bytes ? SEARCHED - skipped
                                                 : bytes;
        }
        for (size_t at = -s->address & 3u; at + 4 <= bytes; at += 4) {
            uint32_t words[64];
            memcpy(words, s->data + at, 4);
            if (words[0] != BLOCK_BEGIN)
                continue;
            size_t count = (s->bytes - at) / 4;
            count = count < 64 ? count : 64;
            memcpy(words, s->data + at, 4 * count);
            return check_block(ctx, image, words, count, s->address + (uint32_t)at, wanted);
        }
    }
    return UJ_OK;
}
