/* Disassembly from the table; see thumb_text.c for the operands. */
#include "isa/thumb/thumb.h"
#include <stdio.h>
unsigned thumb_disassemble(const struct core_class *class, char *out, size_t size,
                           const uint8_t *code, size_t code_bytes, uint32_t address)
{
    (void)class;
    (void)out;
    (void)size;
    (void)code;
    (void)code_bytes;
    (void)address;
    return 0;
}
