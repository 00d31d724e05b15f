/* UF2, the form that the boot ROMs of RP2040 and RP2350 take as a file on a USB drive. */
#include "image/image_uf2.h"

#include "image/image_internal.h"

enum { BLOCK_BYTES = 512, HEAD_WORDS = 8, TAIL_OFFSET = 508, PAGE = UF2_PAYLOAD_BYTES };

static const uint32_t magic_first = 0x0A324655, magic_second = 0x9E5D5157, magic_last = 0x0AB16F30;
static const uint32_t flag_family_present = 0x2000;

static void put_word(uint8_t *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (8 * i));
}

/* The pages that hold bytes of the image, in order of their addresses. */
struct pages {
    const struct image *image;
    size_t segment; /* the first that may reach into the next page */
    uint64_t next;  /* no page below this */
};

static bool next_page(struct pages *p, uint32_t *address)
{
    while (p->segment < p->image->segment_count) {
        const struct image_segment *s = &p->image->segments[p->segment];
        uint64_t first = s->address - s->address % PAGE;
        if (first < p->next)
            first = p->next;
        if (first < (uint64_t)s->address + s->bytes) {
            *address = (uint32_t)first;
            p->next = first + PAGE;
            return true;
        }
        p->segment++;
    }
    return false;
}

/* What the image has of a page; the rest stays as it is. `segment`: the first that reaches in. */
static void fill_page(uint8_t *page, const struct image *image, size_t segment, uint32_t address)
{
    for (; segment < image->segment_count; segment++) {
        const struct image_segment *s = &image->segments[segment];
        uint64_t end = (uint64_t)s->address + s->bytes, page_end = (uint64_t)address + PAGE;
        if (s->address >= page_end)
            return;
        uint64_t from = s->address > address ? s->address : address;
        for (uint64_t at = from; at < end && at < page_end; at++)
            page[at - address] = s->data[at - s->address];
    }
}

enum uj_err image_uf2_bytes(struct uj_ctx *ctx, struct str *out, const struct image *image,
                            uint32_t family)
{
    (void)ctx;
    uint32_t address, blocks = 0, number = 0;
    struct pages counted = {.image = image}, pages = {.image = image};
    while (next_page(&counted, &address))
        blocks++;
    while (next_page(&pages, &address)) {
        uint8_t block[BLOCK_BYTES] = {0};
        const uint32_t head[HEAD_WORDS] = {
            magic_first, magic_second, flag_family_present, address, PAGE, number++, blocks, family,
        };
        for (unsigned i = 0; i < HEAD_WORDS; i++)
            put_word(block + (size_t)4 * i, head[i]);
        fill_page(block + sizeof head, image, pages.segment, address);
        put_word(block + TAIL_OFFSET, magic_last);
        str_add_bytes(out, (const char *)block, sizeof block);
    }
    return UJ_OK;
}
