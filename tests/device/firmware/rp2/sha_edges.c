/* Narrow writes, byte order, the error flag, the flags of the control register. */
#include "sha.h"

int main(void)
{
    set_up();
    note(REG(CSR)); /* after reset */
    begin(2);
    /* "abc", padded: as bytes, halves and words */
    static const uint8_t message[64] = {'a', 'b', 'c', 0x80, [63] = 24};
    for (unsigned i = 0; i < 64; i++)
        REG8(WDATA) = message[i];
    digest();
    begin(2);
    for (unsigned i = 0; i < 64; i += 2)
        REG16(WDATA) = (uint16_t)(message[i] | message[i + 1] << 8);
    digest();
    REG(CSR) = 2u << 8 | 1; /* no swap: the program gives words as the standard has them */
    REG(WDATA) = 0x61626380;
    note(REG(CSR)); /* a block has begun: no valid sum */
    for (unsigned i = 1; i < 15; i++)
        REG(WDATA) = 0;
    REG(WDATA) = 24;
    note(REG(CSR)); /* busy */
    REG(WDATA) = 1; /* lost */
    note(REG(CSR) & 0x10);
    digest();
    REG(CSR + SET) = 0x10; /* a one clears */
    note(REG(CSR));
    for (;;)
        ;
}
