/*
 * SHA-256 block of RP2350 (data sheet, 12.13): words are committed to the hash when 4 bytes have
 * come, narrow writes filling a shift register from its low end; after the 16th word the block is
 * busy for 57 cycles. A write meanwhile is lost, sets ERR_WDATA_NOT_RDY and is noted as a mistake
 * of the program. SUM0-7 keep the last finished digest while the block is busy.
 *
 * The net "dreq.NUMBER" (option `dreq`) is high while the block wants data: once ready it asks for
 * one block, 64 bytes in transfers of DMA_SIZE; transfers narrower than that leave the block
 * waiting, as the chip's request logic does.
 */
#include <string.h>

#include "periph/rp2_block.h"

enum { CSR, WDATA = 4, SUM0 = 8, SUM7 = 0x24 };
enum {
    CSR_START = 1 << 0,
    CSR_WDATA_RDY = 1 << 1,
    CSR_SUM_VLD = 1 << 2,
    CSR_ERROR = 1 << 4,
    CSR_DMA_SIZE = 3 << 8,
    CSR_BSWAP = 1 << 12,
};
enum { BUSY_CYCLES = 57, BLOCK_WORDS = 16 };

struct rp2_sha256 {
    struct rp2_block block;
    struct sim_net *dreq;
    struct sim_event done;
    uint32_t csr; /* what is stored: error, size, swap */
    uint32_t sum[8], next[8], words[BLOCK_WORDS];
    unsigned count; /* words committed of the block */
    uint32_t shift;
    unsigned shifted;  /* bytes in the shift register */
    unsigned requests; /* transfers asked for and not yet made */
    bool busy;
    uint64_t busy_until; /* tick of the system clock */
};

static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* FIPS 180-4, 6.2.2. */
static void compress(uint32_t state[8], const uint32_t block[BLOCK_WORDS])
{
    uint32_t w[64], v[8];
    memcpy(w, block, BLOCK_WORDS * sizeof w[0]);
    memcpy(v, state, sizeof v);
    for (unsigned t = BLOCK_WORDS; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + w[t - 7] +
               (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 16];
    }
    for (unsigned t = 0; t < 64; t++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += v[i];
}

static void request(struct rp2_sha256 *s)
{
    if (s->dreq)
        net_drive(s->block.periph.machine, s->dreq, !s->block.held && !s->busy && s->requests > 0);
}

static unsigned block_transfers(const struct rp2_sha256 *s)
{
    unsigned size = (s->csr & CSR_DMA_SIZE) >> 8;
    return size < 2 ? 64u >> size : 16;
}

static void finish(struct rp2_sha256 *s)
{
    s->busy = false;
    memcpy(s->sum, s->next, sizeof s->sum);
    s->count = 0;
    s->requests = block_transfers(s);
    request(s);
}

static void done(void *owner, uint64_t when_ps)
{
    struct rp2_sha256 *s = owner;
    struct machine *m = s->block.periph.machine;
    uint64_t before = m->acting_ps;
    m->acting_ps = when_ps;
    finish(s);
    m->acting_ps = before;
}

static void sha256_restart(struct periph *p)
{
    struct rp2_sha256 *s = (struct rp2_sha256 *)p;
    event_cancel(&p->machine->events, &s->done);
    memcpy(s->sum, initial, sizeof s->sum);
    s->busy = false;
    s->count = s->shifted = 0;
    s->shift = 0;
    s->requests = block_transfers(s);
    request(s);
}

static enum uj_err sha256_create(struct uj_ctx *ctx, struct periph *p)
{
    static const char *const keys[] = {RP2_BLOCK_KEYS, "dreq"};
    struct rp2_sha256 *s = (struct rp2_sha256 *)p;
    int64_t dreq = -1;
    enum uj_err err = yaml_only(ctx, p->options, keys, sizeof keys / sizeof keys[0]);
    if (err || (err = yaml_get_integer(ctx, &dreq, p->options, "dreq", 0, 62)))
        return err;
    if (dreq >= 0)
        s->dreq = rp2_net(p->machine, "dreq", (unsigned)dreq);
    s->done = (struct sim_event){.fire = done, .owner = s};
    return rp2_block_create(ctx, p);
}

static void sha256_reset(struct periph *p)
{
    struct rp2_sha256 *s = (struct rp2_sha256 *)p;
    s->csr = 2u << 8 | CSR_BSWAP;
    sha256_restart(p);
}

static uint32_t get(struct periph *p, uint32_t at)
{
    const struct rp2_sha256 *s = (const struct rp2_sha256 *)p;
    if (at == CSR) {
        /* The bus takes the flags in the last cycle of the read. */
        bool busy = s->busy && rp2_tick(p->machine) + p->region.wait_read < s->busy_until;
        bool valid = !busy && s->count % BLOCK_WORDS == 0 && s->shifted == 0;
        return s->csr | (busy ? 0 : CSR_WDATA_RDY) | (valid ? CSR_SUM_VLD : 0);
    }
    return at >= SUM0 && at <= SUM7 ? s->sum[(at - SUM0) / 4] : 0;
}

static void write_csr(struct rp2_sha256 *s, uint32_t value)
{
    uint32_t kept = s->csr & CSR_ERROR & ~value;
    bool resized = (s->csr ^ value) & CSR_DMA_SIZE;
    s->csr = kept | (value & (CSR_DMA_SIZE | CSR_BSWAP));
    if (value & CSR_START) {
        sha256_restart(&s->block.periph);
    } else if (resized && s->count == 0 && s->shifted == 0 && !s->busy) {
        s->requests = block_transfers(s);
        request(s);
    }
}

static void commit(struct rp2_sha256 *s, uint32_t word)
{
    struct periph *p = &s->block.periph;
    s->words[s->count++] = s->csr & CSR_BSWAP ? __builtin_bswap32(word) : word;
    if (s->count < BLOCK_WORDS)
        return;
    memcpy(s->next, s->sum, sizeof s->next);
    compress(s->next, s->words);
    s->busy = true;
    /* The write itself still takes its time on the bus. */
    unsigned write = rp2_by_core(p->machine) ? p->region.wait_write + 1 : RP2_WRITE_CYCLES;
    s->busy_until = rp2_tick(p->machine) + write + BUSY_CYCLES;
    machine_at(p->machine, &s->done, clock_time(p->machine->cpu_clock, s->busy_until));
}

static void write_data(struct rp2_sha256 *s, uint32_t value, unsigned bytes)
{
    struct periph *p = &s->block.periph;
    if (s->busy) {
        s->csr |= CSR_ERROR;
        machine_note(p->machine, p->machine->core->class->pc(p->machine->core),
                     "SHA-256 block written while it was not ready", p->base + WDATA,
                     "the data is lost: wait for WDATA_RDY after each 16 words");
        return;
    }
    if (s->requests > 0)
        s->requests--;
    if (bytes == 4) {
        s->shifted = 0;
        commit(s, value);
    } else {
        s->shift |= (value & ((1u << 8 * bytes) - 1)) << 8 * s->shifted;
        s->shifted += bytes;
        if (s->shifted >= 4) {
            uint32_t word = s->shift;
            s->shifted = 0;
            s->shift = 0;
            commit(s, word);
        }
    }
    request(s);
}

static void set(struct periph *p, uint32_t at, uint32_t value)
{
    if (at == CSR)
        write_csr((struct rp2_sha256 *)p, value);
}

/* An alias acts on what can be written: START and the error flag read as they do not stand. */
static uint32_t get_written(struct periph *p, uint32_t at)
{
    return at == CSR ? ((struct rp2_sha256 *)p)->csr & ~(uint32_t)CSR_ERROR : 0;
}

static uint32_t sha256_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    return rp2_block_read(p, offset, bytes, get);
}

static void data_set(struct periph *p, uint32_t at, uint32_t value)
{
    (void)p, (void)at, (void)value;
}

static void sha256_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    bool data = (offset & 0xFFC) == WDATA;
    rp2_block_write(p, offset, value, bytes, get_written, data ? data_set : set);
    if (data && !((struct rp2_block *)p)->held)
        write_data((struct rp2_sha256 *)p, value, bytes);
}

static void sha256_clock_changed(struct periph *p, uint64_t now_ps)
{
    struct rp2_sha256 *s = (struct rp2_sha256 *)p;
    (void)now_ps;
    if (s->busy)
        machine_at(p->machine, &s->done, clock_time(p->machine->cpu_clock, s->busy_until));
}

const struct periph_class rp2_sha256_class = {
    .name = "rp2_sha256",
    .bytes = sizeof(struct rp2_sha256),
    .window = RP2_WINDOW,
    .create = sha256_create,
    .reset = sha256_reset,
    .read = sha256_read,
    .write = sha256_write,
    .clock_changed = sha256_clock_changed,
};
