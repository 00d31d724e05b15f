/*
 * Timing classes of the Thumb instructions: cycles on zero-wait memory before anything that depends
 * on the neighbours. THUMB_CLASS(name, M0+, M3, M33, what)
 *
 * A dash in the generated page is NA: the core has no instruction of the class. What depends on
 * neighbours, operands or the bus is a small function in thumb_timing.c, with parameters from
 * thumb_params.h.
 */
#define NA 0
THUMB_CLASS(ALU, 1, 1, 1, "data processing, bit fields, extension, reversal")
THUMB_CLASS(MOV, 1, 1, 1, "moves, also of a constant or of a shifted register")
THUMB_CLASS(SHIFTED, NA, 1, 1, "data processing with a second operand that may be shifted")
THUMB_CLASS(DSP, NA, NA, 1, "parallel, saturating and packing arithmetic")
THUMB_CLASS(SAT, NA, 1, 1, "saturation")
THUMB_CLASS(EXTADD, NA, NA, 1, "extend and add")
THUMB_CLASS(MUL, 1, 1, 1, "multiply to 32 bits")
THUMB_CLASS(MAC, NA, 2, 1, "multiply and accumulate in 32 bits, and DSP multiplies")
THUMB_CLASS(MULL, NA, 3, 1, "multiply to 64 bits; M3: at least, see early termination")
THUMB_CLASS(MACL, NA, 4, 1, "multiply and accumulate in 64 bits; M3: at least")
THUMB_CLASS(DIV, NA, 2, 2, "divide; at least, see early termination")
THUMB_CLASS(LOAD, 2, 1, 1, "load with an offset")
THUMB_CLASS(LOADX, NA, 1, 1, "load, pre- or post-indexed")
THUMB_CLASS(LOADPC, NA, 5, 4, "load of the program counter")
THUMB_CLASS(LOAD2, NA, 3, 2, "load of two registers")
THUMB_CLASS(STORE, 2, 1, 1, "store with a constant offset")
THUMB_CLASS(STORER, 2, 1, 1, "store with a register offset")
THUMB_CLASS(STOREX, NA, 1, 1, "store, pre- or post-indexed")
THUMB_CLASS(STORE2, NA, 3, 2, "store of two registers")
THUMB_CLASS(EXCL, NA, 2, 2, "exclusive, acquiring and releasing accesses")
THUMB_CLASS(LDM, 1, 1, 0, "load of n registers: this and n")
THUMB_CLASS(STM, 1, 1, 0, "store of n registers: this and n")
THUMB_CLASS(LDMPC, 3, 4, 3, "load of n registers with the program counter: this and n")
THUMB_CLASS(B, 2, 2, 2, "branch, always taken")
THUMB_CLASS(BCC, 1, 1, 1, "conditional branch, not taken; taken as B")
THUMB_CLASS(BL, 3, 3, 2, "branch with link")
THUMB_CLASS(BX, 2, 3, 2, "branch to a register")
THUMB_CLASS(BLX, 2, 3, 2, "branch with link to a register")
THUMB_CLASS(MOVPC, 2, 3, 2, "data processing with the program counter as result")
THUMB_CLASS(TB, NA, 6, 5, "table branch")
THUMB_CLASS(IT, NA, 1, 1, "if-then, where it is not folded")
THUMB_CLASS(NOP, 1, 1, 1, "no operation")
THUMB_CLASS(HINT, 1, 1, 1, "hints, preloads, change of the interrupt mask")
THUMB_CLASS(SYS, 3, 2, 2, "special registers")
THUMB_CLASS(BARRIER, 3, 1, 1, "barriers")
THUMB_CLASS(TRAP, 1, 1, 1, "supervisor call, breakpoint, undefined; before the exception's own")
#undef NA
