/*
 * Hardware multiplier of 16 bits: the result is there with the write of the second operand. An
 * operand written as a byte is that byte, without its sign.
 */
#include "periph/msp430_sfr.h"

enum { MPY, MPYS, MAC, MACS, OP2, RESLO, RESHI, SUMEXT, WORDS };

struct msp430_mpy {
    struct periph periph;
    uint16_t value[WORDS];
    unsigned mode; /* of the first operand: MPY to MACS */
};

static void multiply(struct msp430_mpy *m)
{
    bool is_signed = m->mode == MPYS || m->mode == MACS, adds = m->mode >= MAC;
    uint16_t a = m->value[MPY], b = m->value[OP2];
    uint32_t product = is_signed ? (uint32_t)((int32_t)(int16_t)a * (int16_t)b) : (uint32_t)a * b;
    uint32_t before = (uint32_t)m->value[RESHI] << 16 | m->value[RESLO];
    uint32_t result = adds ? before + product : product;
    m->value[RESLO] = (uint16_t)result;
    m->value[RESHI] = (uint16_t)(result >> 16);
    if (is_signed)
        m->value[SUMEXT] = result >> 31 ? 0xffff : 0;
    else
        m->value[SUMEXT] = adds && result < product; /* the carry */
}

static uint32_t mpy_read(struct periph *p, uint32_t offset, unsigned bytes)
{
    const struct msp430_mpy *m = (const struct msp430_mpy *)p;
    unsigned word = offset / 2;
    (void)bytes;
    return (uint32_t)m->value[word <= MACS ? MPY : word] >> (offset & 1 ? 8 : 0);
}

static void mpy_write(struct periph *p, uint32_t offset, uint32_t value, unsigned bytes)
{
    struct msp430_mpy *m = (struct msp430_mpy *)p;
    unsigned word = offset / 2;
    if (bytes == 1 && offset & 1)
        value <<= 8;
    if (word == SUMEXT)
        return;
    if (word <= MACS) {
        m->mode = word;
        m->value[MPY] = (uint16_t)value;
        return;
    }
    m->value[word] = (uint16_t)value;
    if (word == OP2)
        multiply(m);
}

const struct periph_class msp430_mpy_class = {
    .name = "msp430_mpy",
    .bytes = sizeof(struct msp430_mpy),
    .window = 2 * WORDS,
    .read = mpy_read,
    .write = mpy_write,
};
