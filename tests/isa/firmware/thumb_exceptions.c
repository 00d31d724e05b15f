/*
 * Exceptions, priorities, masks and faults, told by semihosting: the same image runs on our cores
 * and on QEMU, and the texts are compared. Nothing printed depends on time.
 */
#include <stdint.h>

#ifdef __ARM_ARCH_6M__
#define MAINLINE 0
#else
#define MAINLINE 1
#endif

#define REG(address) (*(volatile uint32_t *)(address))
#define ICSR         REG(0xe000ed04)
#define VTOR         REG(0xe000ed08)
#define AIRCR        REG(0xe000ed0c)
#define CCR          REG(0xe000ed14)
#define SHPR(n)      REG(0xe000ed18 + 4 * ((n)-1))
#define SHCSR        REG(0xe000ed24)
#define CFSR         REG(0xe000ed28)
#define HFSR         REG(0xe000ed2c)
#define MMFAR        REG(0xe000ed34)
#define BFAR         REG(0xe000ed38)
#define ISER         REG(0xe000e100)
#define ICER         REG(0xe000e180)
#define ISPR         REG(0xe000e200)
#define ICPR         REG(0xe000e280)
#define IABR         REG(0xe000e300)
#define IPR(n)       REG(0xe000e400 + 4 * (n))
#define SYST_CSR     REG(0xe000e010)
#define SYST_RVR     REG(0xe000e014)
#define SYST_CVR     REG(0xe000e018)

static uint32_t semihost(uint32_t operation, const void *block)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void print(const char *text)
{
    semihost(0x04, text);
}

static void say(const char *what, uint32_t value)
{
    char line[11];
    print(what);
    for (int i = 0; i < 8; i++)
        line[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    line[8] = '\n';
    line[9] = 0;
    print(line);
}

#define SPECIAL(name)                                     \
    ({                                                    \
        uint32_t value_;                                  \
        __asm__ volatile("mrs %0, " name : "=r"(value_)); \
        value_;                                           \
    })
#define SET_SPECIAL(name, value) __asm__ volatile("msr " name ", %0\n isb" ::"r"(value) : "memory")

/* Faults: the handler tells the frame and goes on behind the instruction. */
static volatile uint32_t skip; /* bytes to go on behind; 0: at `resume` */
static volatile uint32_t resume, mark;
static uint32_t hide_hfsr; /* bits in which QEMU leaves the manual */

__attribute__((used)) static void tell_fault(uint32_t *frame, uint32_t exc_return)
{
    say("  fault, ipsr ", SPECIAL("ipsr"));
    say("  exc_return ", exc_return);
    say("  pc less mark ", frame[6] - mark);
    say("  xpsr ", frame[7] & 0x0700fdff);
#if MAINLINE
    say("  cfsr ", CFSR);
    say("  hfsr ", HFSR & ~hide_hfsr);
    if (CFSR & 0x8000)
        say("  bfar ", BFAR);
    say("  shcsr ", SHCSR);
    CFSR = CFSR;
    HFSR = HFSR;
#endif
    if (skip)
        frame[6] += skip;
    else
        frame[6] = resume & ~1u;
    frame[7] = (frame[7] | 1u << 24) & ~0x0600fc00u;
}

__attribute__((naked)) static void on_fault(void)
{
    __asm__ volatile("movs r0, #4\n mov r1, lr\n tst r0, r1\n beq 1f\n mrs r0, psp\n b 2f\n"
                     "1: mrs r0, msp\n 2: push {r1, lr}\n bl tell_fault\n pop {r0, r1}\n bx r1\n");
}

__attribute__((used)) static void tell_svc(uint32_t *frame, uint32_t exc_return)
{
    if ((((uint16_t *)frame[6])[-1] & 0xff) == 99) { /* back to privilege */
        SET_SPECIAL("control", 0);
        return;
    }
    say("  svc r0 ", frame[0]);
    say("  number ", ((uint16_t *)frame[6])[-1] & 0xff);
    say("  exc_return ", exc_return);
    say("  frame xpsr ", frame[7]);
    say("  icsr ", ICSR & (MAINLINE ? 0xfff : 0x1ff)); /* bit 11 is reserved in ARMv6-M */
    frame[0] += 1;
}

__attribute__((naked)) static void on_svc(void)
{
    __asm__ volatile("movs r0, #4\n mov r1, lr\n tst r0, r1\n beq 1f\n mrs r0, psp\n b 2f\n"
                     "1: mrs r0, msp\n 2: push {r1, lr}\n bl tell_svc\n pop {r0, r1}\n bx r1\n");
}

static void on_pendsv(void)
{
    say("  pendsv, ipsr ", SPECIAL("ipsr"));
}

static volatile uint32_t ticks;

static void on_systick(void)
{
    if (++ticks == 3) {
        SYST_CSR = 0;
        say("  systick, ipsr ", SPECIAL("ipsr"));
    }
}

static void on_nmi(void)
{
    say("  nmi, ipsr ", SPECIAL("ipsr"));
}

static volatile uint32_t pend_within; /* interrupts that the first handler requests */

static void on_irq(void)
{
    uint32_t number = SPECIAL("ipsr");
    say("  irq begins ", number);
#if MAINLINE
    say("  active ", IABR);
#endif
    say("  pending ", ISPR);
    say("  vectpending ", ICSR >> 12 & 0x1ff);
    if (pend_within) {
        uint32_t bits = pend_within;
        pend_within = 0;
        ISPR = bits;
        __asm__ volatile("dsb\n isb");
    }
    say("  irq ends ", number);
}

static void on_reset(void);

#define TOP ((void *)STACK_TOP)
__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    void (*handlers[31])(void);
} vectors = {TOP, {on_reset, on_nmi, on_fault, on_fault, on_fault, on_fault,  0,          0,
                   0,        0,      on_svc,   0,        0,        on_pendsv, on_systick, on_irq,
                   on_irq,   on_irq, on_irq,   on_irq,   on_irq,   on_irq,    on_irq,     on_irq,
                   on_irq,   on_irq, on_irq,   on_irq,   on_irq,   on_irq,    on_irq}};

#define BARRIER() __asm__ volatile("dsb\n isb" ::: "memory")

/* Executes code that fails; the label `mark_here` is where. */
#define FAIL(bytes, code)                                                                    \
    do {                                                                                     \
        skip = (bytes);                                                                      \
        uint32_t at_;                                                                        \
        __asm__ volatile(".balign 4\n adr %0, 9f\n b 8f\n .balign 4\n 9:\n" code "\n b 7f\n" \
                         " .balign 4\n 8: str %0, [%1]\n b 9b\n .balign 4\n 7:\n"            \
                         : "=&l"(at_)                                                        \
                         : "l"(&mark)                                                        \
                         : "r0", "r1", "r2", "r3", "memory", "cc");                          \
    } while (0)

static void supervisor_calls(void)
{
    print("supervisor calls\n");
    register uint32_t r0 __asm__("r0") = 41;
    __asm__ volatile("svc 7" : "+r"(r0)::"memory");
    say("  after ", r0);
#if MAINLINE
    register uint32_t a __asm__("r0") = 5;
    __asm__ volatile("cmp %0, %0\n ittte eq\n svceq 9\n addeq %0, %0, #16\n addeq %0, %0, #32\n"
                     " addne %0, %0, #64\n"
                     : "+r"(a)::"memory", "cc");
    say("  after a block ", a);
#endif
}

static void priorities(void)
{
    print("priorities\n");
    IPR(0) = 0x40c08040; /* irq 0: 40, 1: 80, 2: c0, 3: 40 */
    IPR(1) = 0x00000000;
    ISER = 0x1f;
    say("  iser ", ISER);
    say("  ipr ", IPR(0));
    print(" one after the other\n");
    __asm__ volatile("cpsid i");
    ISPR = 0x0f;
    BARRIER();
    say("  masked, pending ", ISPR & 0x1f);
    __asm__ volatile("cpsie i\n isb");
    print(" a more urgent one within\n");
    pend_within = 0x1; /* irq 0 within irq 2 */
    ISPR = 0x4;
    BARRIER();
    print(" a less urgent one within\n");
    pend_within = 0x4;
    ISPR = 0x1;
    BARRIER();
    print(" an equal one within\n");
    pend_within = 0x8;
    ISPR = 0x1;
    BARRIER();
    print(" itself within\n");
    pend_within = 0x2;
    ISPR = 0x2;
    BARRIER();
    ICER = 0x2;
    ISPR = 0x2;
    BARRIER();
    say("  not enabled, pending ", ISPR);
    ICPR = 0x2;
    say("  cleared ", ISPR);
    SHPR(3) = 0xc0800000; /* systick c0, pendsv 80 */
    say("  shpr3 ", SHPR(3));
    SHPR(2) = 0xc0000000;
    say("  shpr2 ", SHPR(2));
    ICSR = 1u << 28;
    BARRIER();
    ICSR = 1u << 31;
    BARRIER();
#if MAINLINE
    print(" by basepri\n");
    SET_SPECIAL("basepri", 0x80);
    say("  basepri ", SPECIAL("basepri"));
    ISPR = 0x5;
    BARRIER();
    say("  held, pending ", ISPR);
    SET_SPECIAL("basepri_max", 0xc0);
    say("  basepri ", SPECIAL("basepri"));
    SET_SPECIAL("basepri_max", 0x40);
    say("  basepri ", SPECIAL("basepri"));
    SET_SPECIAL("basepri", 0);
    print(" by faultmask\n");
    __asm__ volatile("cpsid f");
    ISPR = 0x1;
    BARRIER();
    say("  held, pending ", ISPR);
    say("  faultmask ", SPECIAL("faultmask"));
    __asm__ volatile("cpsie f\n isb");
    print(" by groups\n");
    AIRCR = 0x05fa0600; /* one bit of group priority */
    say("  aircr ", AIRCR & 0x700);
    pend_within = 0x1; /* 40 within 80: another subgroup only where the top bit differs */
    ISER = 0x2;
    ISPR = 0x2;
    BARRIER();
    pend_within = 0x2; /* 80 within c0: same group */
    ISPR = 0x4;
    BARRIER();
    AIRCR = 0x05fa0000;
    REG(0xe000ef00) = 3; /* software trigger */
    BARRIER();
#endif
}

static void stacks(void)
{
    static uint64_t own[64];
    print("stacks\n");
    SET_SPECIAL("psp", (uint32_t)&own[64] - 4);
    say("  control ", SPECIAL("control"));
    uint32_t main_stack = SPECIAL("msp"), difference;
    SET_SPECIAL("control", 2);
    register uint32_t r0 __asm__("r0") = 1;
    __asm__ volatile("svc 3" : "+r"(r0)::"memory");
    say("  psp moved by ", (uint32_t)&own[64] - 4 - SPECIAL("psp"));
    difference = main_stack - SPECIAL("msp");
    say("  control ", SPECIAL("control"));
    SET_SPECIAL("control", 0);
    say("  msp moved by ", difference);
    say("  control ", SPECIAL("control"));
}

#if MAINLINE
/* Semihosting is a privilege too, so nothing is printed before the way back. */
static void unprivileged(void)
{
    print("unprivileged\n");
    SET_SPECIAL("control", 1);
    uint32_t control = SPECIAL("control");
    __asm__ volatile("cpsid i");
    uint32_t primask = SPECIAL("primask"), psp = SPECIAL("psp"), ipsr = SPECIAL("ipsr");
    SET_SPECIAL("control", 0);
    uint32_t still = SPECIAL("control");
    SET_SPECIAL("basepri", 0x40);
    FAIL(4, "ldr r0, =0xe000ed00\n nop\n ldr.w r1, [r0]\n");
    FAIL(4, "ldr r0, =0xe000e100\n nop\n str.w r1, [r0]\n");
    uint32_t basepri = SPECIAL("basepri");
    __asm__ volatile("svc 99" ::: "r0", "r1", "r2", "r3", "ip", "memory");
    say("  control ", control);
    say("  primask ", primask);
    say("  psp, ipsr ", psp | ipsr);
    say("  control ", still);
    say("  basepri ", basepri);
    say("  control ", SPECIAL("control"));
}
#endif

static void sleep(void)
{
    print("sleep\n");
    ISER = 0x1;
    __asm__ volatile("cpsid i");
    ISPR = 0x1;
    __asm__ volatile("wfi"); /* pending: goes on at once, though masked */
    say("  awake, pending ", ISPR & 1);
    __asm__ volatile("cpsie i\n isb");
    __asm__ volatile("sev\n wfe\n");
    print("  awake by an event\n");
    ticks = 0;
    SYST_RVR = 20000;
    SYST_CVR = 0;
    SYST_CSR = 7;
    while (ticks < 3)
        __asm__ volatile("wfi");
    say("  ticks ", ticks);
    say("  systick ", SYST_CSR & ~4u); /* whether there is another clock is the chip's */
}

static void faults(void)
{
    print("undefined\n");
    FAIL(2, "udf #1\n nop");
#if MAINLINE
    print("enabled faults\n");
    SHCSR = 7 << 16;
    say("  shcsr ", SHCSR);
    FAIL(2, "udf #1\n nop");
    print("division by zero\n");
    CCR |= 1u << 4;
    FAIL(4, "movs r0, #0\n movs r1, #5\n sdiv r2, r1, r0\n");
    CCR &= ~(1u << 4);
    print("unaligned access trapped\n");
    CCR |= 1u << 3;
    FAIL(4, "movs r0, #1\n lsls r0, r0, #29\n ldr.w r1, [r0, #2]\n");
    CCR &= ~(1u << 3);
    print("unaligned load multiple\n");
    FAIL(4, "ldr r0, =0x20000002\n nop\n ldmia.w r0, {r1, r2}\n");
    print("unaligned load exclusive\n");
    FAIL(4, "ldr r0, =0x20000002\n nop\n ldrex r1, [r0]\n");
    print("no such memory\n");
    FAIL(4, "ldr r0, =0x90000000\n nop\n ldr.w r1, [r0, #4]\n");
    FAIL(4, "ldr r0, =0x90000000\n nop\n str.w r1, [r0, #8]\n");
    print("coprocessor\n");
    FAIL(4, "mrc p7, 0, r1, c0, c0, 0\n");
    print("no Thumb state\n");
    skip = 0;
    __asm__ volatile("adr r0, 1f\n str r0, [%0]\n str r1, [%1]\n movs r1, #0\n str r1, [%1]\n"
                     " movs r2, #16\n bx r2\n .balign 4\n 1: nop\n" ::"l"(&resume),
                     "l"(&mark)
                     : "r0", "r1", "r2", "memory");
    print("executing a device\n");
    __asm__ volatile("adr r0, 1f\n str r0, [%0]\n movs r1, #0\n str r1, [%1]\n"
                     " ldr r2, =0x40000001\n bx r2\n .ltorg\n .balign 4\n 1: nop\n" ::"l"(&resume),
                     "l"(&mark)
                     : "r0", "r1", "r2", "memory");
#if __ARM_ARCH == 7
    print("what the core lacks\n");
    FAIL(4, ".inst.w 0xfa81f012\n"); /* qadd8 */
    FAIL(4, ".inst.w 0xe8d0ffaf\n"); /* lda */
#endif
    SHCSR = 0;
    print("escalated\n");
    FAIL(4, "ldr r0, =0x90000000\n nop\n ldr.w r1, [r0, #4]\n");
#else
    print("unaligned access\n");
    FAIL(2, "movs r0, #1\n lsls r0, r0, #29\n adds r0, #2\n ldr r1, [r0]\n nop");
    FAIL(2, "movs r0, #1\n lsls r0, r0, #29\n adds r0, #1\n strh r0, [r0]\n nop");
    print("what the core lacks\n");
    FAIL(4, ".hword 0xfb91, 0xf2f0\n"); /* sdiv */
    FAIL(4, ".hword 0xf04f, 0x0001\n"); /* mov.w */
    /* QEMU's M0 executes CBZ and IT and has no unprivileged state; test_thumb_core.c has them. */
    print("no Thumb state\n");
    skip = 0;
    __asm__ volatile(
        "adr r0, 1f\n str r0, [%0]\n movs r1, #0\n str r1, [%1]\n movs r2, #16\n bx r2\n"
        " .balign 4\n 1: nop\n" ::"l"(&resume),
        "l"(&mark)
        : "r0", "r1", "r2", "memory");
#endif
    print("breakpoint without a debugger\n");
    hide_hfsr = 3u << 30; /* DEBUGEVT by the manual, FORCED by QEMU */
    FAIL(2, "bkpt #3\n nop");
    hide_hfsr = 0;
}

static void on_reset(void)
{
    VTOR = (uint32_t)&vectors;
    say("vtor ", VTOR);
    say("ccr ", CCR);
    say("icsr ", ICSR & 0x1ff);
    say("flags ", SPECIAL("psr") & 0x07ffffff);
    supervisor_calls();
    priorities();
    stacks();
    sleep();
    faults();
#if MAINLINE
    unprivileged();
#endif
    print("end\n");
    semihost(0x18, (const void *)0x20026);
    for (;;)
        ;
}
