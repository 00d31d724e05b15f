/* uj_nothing(), see uj_board.h: in assembly, so that no flag gives it a prologue. */
#include "uj_board.h"

__asm__(".section .text.uj_nothing, \"ax\", @progbits\n"
        ".global uj_nothing\n"
        ".type uj_nothing, @function\n"
        "uj_nothing:\n\t"
        "ret\n"
        ".size uj_nothing, . - uj_nothing\n"
        ".text\n");
