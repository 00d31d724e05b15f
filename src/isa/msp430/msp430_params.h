/*
 * Figures on which the sources differ or are silent, each under a name with its note. "Guide" is
 * TI's family guide (SLAU049F for the 1xx, SLAU445I for CPUXv2, whose CPU chapter is taken to be
 * that of the 5xx); "TI's counter" is the cycle counter in TI's own debugging software, the only
 * source for the 2xx (CPUX) here.
 *
 *   DOUBT(name, cycles, note) gives the constant name_CYCLES.
 */
#ifndef UJ_ISA_MSP430_PARAMS_H
#define UJ_ISA_MSP430_PARAMS_H

#define MSP430_DOUBTS(DOUBT)                                                                     \
    DOUBT(MSP430_INDIRECT_TO_PC, 2, "1xx, @Rn to PC: the guide says 2, TI's counter 3")          \
    DOUBT(MSP430_PUSH_INCREMENT, 5, "1xx, PUSH @Rn+: the guide says 5, TI's counter 4")          \
    DOUBT(MSP430_PUSH_IMMEDIATE, 4,                                                              \
          "1xx, PUSH #N: the guide says 4, the sheets of chips with erratum CPU4 say 5")         \
    DOUBT(MSP430_PUSH_IMMEDIATE_CPU4, 5, "1xx, PUSH #N with the core option cpu4")               \
    DOUBT(MSP430X_IMMEDIATE_TO_PC, 3,                                                            \
          "CPUX, #N to PC: TI's counter says 3, and has a disabled line that says 4")            \
    DOUBT(MSP430X_MOVA_INDIRECT_TO_PC, 3,                                                        \
          "CPUX, MOVA @Rn, @Rn+ (RETA) to PC: TI's counter does not single PC out")              \
    DOUBT(MSP430X_MOVA_INDEXED_TO_PC, 4,                                                         \
          "CPUX, MOVA x(Rn), EDE, &EDE to PC: TI's counter does not single PC out")              \
    DOUBT(MSP430X_PUSHX_A_IMMEDIATE, 6,                                                          \
          "CPUX, PUSHX.A #N: TI's counter says 6; the guide, for CPUXv2, 5")                     \
    DOUBT(MSP430X_RESET, 4, "CPUX, reset: no figure; 4 on both others")                          \
    DOUBT(MSP430X_EXTENDED_REGISTER_TO_PC, 3,                                                    \
          "CPUX, extended, Rn to PC: TI's counter, in a part that looks untested (so are those " \
          "below; to registers and memory CPUXv2's figures are taken, where TI's counter has "   \
          "8 for .A @Rn to memory and 4 for .A #N to a register)")                               \
    DOUBT(MSP430X_EXTENDED_INDIRECT_TO_PC, 3, "CPUX, extended, .B .W @Rn to PC")                 \
    DOUBT(MSP430X_EXTENDED_INDIRECT_A_TO_PC, 4, "CPUX, extended, .A @Rn to PC")                  \
    DOUBT(MSP430X_EXTENDED_INCREMENT_TO_PC, 4, "CPUX, extended, .B .W @Rn+ to PC")               \
    DOUBT(MSP430X_EXTENDED_INCREMENT_A_TO_PC, 5, "CPUX, extended, .A @Rn+ to PC")                \
    DOUBT(MSP430X_EXTENDED_IMMEDIATE_TO_PC, 3, "CPUX, extended, .B .W #N to PC")                 \
    DOUBT(MSP430X_EXTENDED_IMMEDIATE_A_TO_PC, 4, "CPUX, extended, .A #N to PC")                  \
    DOUBT(MSP430X_EXTENDED_INDEXED_TO_PC, 4, "CPUX, extended, .B .W x(Rn), EDE, &EDE to PC")     \
    DOUBT(MSP430X_EXTENDED_INDEXED_A_TO_PC, 5, "CPUX, extended, .A x(Rn), EDE, &EDE to PC")      \
    DOUBT(MSP430XV2_ADDRESS_IMMEDIATE, 3,                                                        \
          "CPUXv2, CMPA ADDA SUBA #imm20 to a register: the guide says 3; 2 was measured on an " \
          "FR5739")                                                                              \
    DOUBT(MSP430XV2_CALLA_INDEXED, 5, "CPUXv2, CALLA x(Rn): the guide prints 5, and 7 for EDE")  \
    DOUBT(MSP430XV2_PUSHX_A_INDEXED, 7, "CPUXv2, PUSHX.A x(Rn): the guide says 7, mspdebug 8")   \
    DOUBT(MSP430X_REPEAT_EACH, 1,                                                                \
          "CPUX, CPUXv2, each repetition more: the guide's n + 1; not said for PUSHX")

enum {
#define DOUBT(name, cycles, note) name##_CYCLES = (cycles),
    MSP430_DOUBTS(DOUBT)
#undef DOUBT
};

#endif
