/*
 * KT128 of RFC 9861, section 3.
 *
 * The tree is absorbed as the message comes: the first chunk goes straight into the final node; any
 * further one into a leaf, whose chaining value joins the final node when the chunk is over. Two
 * sponges are all that it takes, for a message of any length.
 */
#include "k12_ref.h"

enum { RATE_BYTES = 168, ROUNDS = 12, CHUNK_BYTES = 8192, CHAINING_BYTES = 32 };
enum { DOMAIN_SINGLE = 0x07, DOMAIN_FINAL = 0x06, DOMAIN_LEAF = 0x0b };

/*
 * Section 3.3: the number without leading zeros, most significant byte first, then the count of its
 * bytes. Returns how many bytes that makes.
 */
static size_t length_encode(unsigned char code[sizeof(unsigned long) + 1], unsigned long x)
{
    unsigned char bytes = 0;

    for (unsigned long rest = x; rest > 0; rest >>= 8)
        bytes++;
    code[bytes] = bytes;
    for (unsigned char i = bytes; i > 0; x >>= 8)
        code[--i] = (unsigned char)x;
    return (size_t)bytes + 1;
}

static void end_leaf(struct k12_ref *c)
{
    unsigned char chaining_value[CHAINING_BYTES];

    turboshake128_ref_sponge_pad(&c->leaf, DOMAIN_LEAF);
    turboshake128_ref_sponge_squeeze(&c->leaf, chaining_value, CHAINING_BYTES);
    turboshake128_ref_sponge_absorb(&c->final_node, chaining_value, CHAINING_BYTES);
}

static void begin_leaf(struct k12_ref *c)
{
    static const unsigned char after_first_chunk[8] = {3};

    if (c->leaves == 0)
        turboshake128_ref_sponge_absorb(&c->final_node, after_first_chunk, 8);
    else
        end_leaf(c);
    turboshake128_ref_sponge_init(&c->leaf, RATE_BYTES, ROUNDS);
    c->leaves++;
    c->chunk_bytes = 0;
}

void k12_ref_init(struct k12_ref *c)
{
    turboshake128_ref_sponge_init(&c->final_node, RATE_BYTES, ROUNDS);
    c->leaves = 0;
    c->chunk_bytes = 0;
}

/* A full chunk waits for the byte after it: only then does another chunk exist. */
void k12_ref_update(struct k12_ref *c, const unsigned char *in, size_t in_bytes)
{
    while (in_bytes > 0) {
        size_t piece;

        if (c->chunk_bytes == CHUNK_BYTES)
            begin_leaf(c);
        piece = CHUNK_BYTES - (size_t)c->chunk_bytes;
        if (piece > in_bytes)
            piece = in_bytes;
        turboshake128_ref_sponge_absorb(c->leaves == 0 ? &c->final_node : &c->leaf, in, piece);
        c->chunk_bytes = (unsigned short)(c->chunk_bytes + piece);
        in += piece;
        in_bytes -= piece;
    }
}

void k12_ref_final_custom(struct k12_ref *c, unsigned char *out, const unsigned char *custom,
                          size_t custom_bytes, size_t out_bytes)
{
    static const unsigned char end_of_leaves[2] = {0xff, 0xff};
    unsigned char code[sizeof(unsigned long) + 1];

    k12_ref_update(c, custom, custom_bytes);
    k12_ref_update(c, code, length_encode(code, custom_bytes));

    if (c->leaves == 0) {
        turboshake128_ref_sponge_pad(&c->final_node, DOMAIN_SINGLE);
    } else {
        end_leaf(c);
        turboshake128_ref_sponge_absorb(&c->final_node, code, length_encode(code, c->leaves));
        turboshake128_ref_sponge_absorb(&c->final_node, end_of_leaves, 2);
        turboshake128_ref_sponge_pad(&c->final_node, DOMAIN_FINAL);
    }
    turboshake128_ref_sponge_squeeze(&c->final_node, out, out_bytes);
}

void k12_ref_final(struct k12_ref *c, unsigned char *out, size_t out_bytes)
{
    k12_ref_final_custom(c, out, NULL, 0, out_bytes);
}

void k12_ref_custom(unsigned char *out, const unsigned char *in, size_t in_bytes,
                    const unsigned char *custom, size_t custom_bytes, size_t out_bytes)
{
    struct k12_ref c;

    k12_ref_init(&c);
    k12_ref_update(&c, in, in_bytes);
    k12_ref_final_custom(&c, out, custom, custom_bytes, out_bytes);
}

void k12_ref(unsigned char *out, const unsigned char *in, size_t in_bytes, size_t out_bytes)
{
    k12_ref_custom(out, in, in_bytes, NULL, 0, out_bytes);
}
