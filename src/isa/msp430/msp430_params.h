/*
 * Figures on which the sources differ or are silent, each under a name with the reason. "Guide" is
 * TI's family guide (SLAU049F for the 1xx, SLAU445I for CPUXv2, whose CPU chapter is taken to be
 * that of the 5xx); "TI's counter" is the cycle counter in TI's own debugging software, the only
 * source for the 2xx (CPUX) here.
 */
#ifndef UJ_ISA_MSP430_PARAMS_H
#define UJ_ISA_MSP430_PARAMS_H

enum {
    /* 1xx, @Rn to PC: the guide says 2, TI's counter 3. */
    MSP430_INDIRECT_TO_PC_CYCLES = 2,
    /* 1xx, PUSH @Rn+: the guide says 5, TI's counter 4. */
    MSP430_PUSH_INCREMENT_CYCLES = 5,
    /* 1xx, PUSH #N: the guide says 4, the sheets of chips with erratum CPU4 say 5 (core option
       cpu4). */
    MSP430_PUSH_IMMEDIATE_CYCLES = 4,
    MSP430_PUSH_IMMEDIATE_CPU4_CYCLES = 5,
    /* CPUX, #N to PC: TI's counter says 3, with a disabled line that says 4. */
    MSP430X_IMMEDIATE_TO_PC_CYCLES = 3,
    /* CPUX, MOVA from memory to PC (RETA): TI's counter does not single PC out. */
    MSP430X_MOVA_INDIRECT_TO_PC_CYCLES = 3,
    MSP430X_MOVA_INDEXED_TO_PC_CYCLES = 4,
    /* CPUX, PUSHX.A #N: TI's counter says 6, CPUXv2's guide 5. */
    MSP430X_PUSHX_A_IMMEDIATE_CYCLES = 6,
    /* CPUX, reset: no figure; both other guides say 4. */
    MSP430X_RESET_CYCLES = 4,
    /* CPUX behind an extension word, to PC: TI's counter, in a part of it that looks untested. Its
     * figures to registers and memory differ in two places from CPUXv2's, which are taken instead:
     * .A @Rn to memory 8, .A #N to a register 4. */
    MSP430X_EXTENDED_REGISTER_TO_PC_CYCLES = 3,
    MSP430X_EXTENDED_INDIRECT_TO_PC_CYCLES = 3,
    MSP430X_EXTENDED_INDIRECT_A_TO_PC_CYCLES = 4,
    MSP430X_EXTENDED_INCREMENT_TO_PC_CYCLES = 4,
    MSP430X_EXTENDED_INCREMENT_A_TO_PC_CYCLES = 5,
    MSP430X_EXTENDED_IMMEDIATE_TO_PC_CYCLES = 3,
    MSP430X_EXTENDED_IMMEDIATE_A_TO_PC_CYCLES = 4,
    MSP430X_EXTENDED_INDEXED_TO_PC_CYCLES = 4,
    MSP430X_EXTENDED_INDEXED_A_TO_PC_CYCLES = 5,
    /* CPUXv2, CMPA ADDA SUBA #imm20 to a register: the guide says 3; 2 was measured on an FR5739.
     */
    MSP430XV2_ADDRESS_IMMEDIATE_CYCLES = 3,
    /* CPUXv2, CALLA x(Rn): the guide prints 5, though EDE has 7. */
    MSP430XV2_CALLA_INDEXED_CYCLES = 5,
    /* CPUXv2, PUSHX.A x(Rn): the guide says 7, mspdebug 8. */
    MSP430XV2_PUSHX_A_INDEXED_CYCLES = 7,
    /* Each repetition of an instruction of one operand or two costs one cycle more (guide); whether
     * that holds for PUSHX is not said. */
    MSP430X_REPEAT_EACH_CYCLES = 1,
};

#endif
