/* Hostile image files: ELF with symbols and debug information, Intel HEX; every question about what
 * was taken. */
#include <stdint.h>
#include <stdlib.h>

#include <elf.h>

#include "base/str.h"
#include "image/image.h"
#include "image/image_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libdw itself forgets some of its memory over damaged tables of lines; nothing of ours is excused.
 */
const char *__lsan_default_suppressions(void)
{
    return "leak:libdw.so\n";
}

static void ask(const struct image *image)
{
    free(image_place(image, image->entry));
    for (size_t i = 0; i < image->symbol_count && i < 8; i++) {
        const struct image_symbol *s = &image->symbols[i];
        free(image_place(image, s->address));
        if (!image_symbol_named(image, s->name))
            abort();
        const struct image_symbol *at = image_symbol_at(image, s->address);
        if (at && (at->address > s->address || at->end <= s->address))
            abort();
    }
    for (size_t i = 1; i < image->segment_count; i++)
        if ((uint64_t)image->segments[i - 1].address + image->segments[i - 1].bytes >
            image->segments[i].address)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uj_ctx ctx = {0};
    struct image *image;
    if (image_read(&ctx, &image, "fuzz", data, size, EM_NONE, "anything") != UJ_OK) {
        if (image || !ctx.message[0])
            abort();
        return 0;
    }
    ask(image);
    struct str hex;
    str_init(&hex);
    image_hex(&hex, image);
    /* What was written is read again; of AVR there may be nothing for the flash. */
    struct image *again;
    if (image_read(&ctx, &again, "again", hex.text, hex.length, image->machine, "the same") ==
        UJ_OK)
        ask(again);
    else if (image->machine != EM_AVR)
        abort();
    if (again && image->machine != EM_AVR && again->segment_count > image->segment_count)
        abort();
    image_free(again);
    str_free(&hex);
    image_free(image);
    return 0;
}
