/* Every peripheral class there is, one line each. */
#include <string.h>

#include "sim/periph.h"

#define CLASSES(X)   \
    X(registers)     \
    X(mega_clkpr)    \
    X(mega_intc)     \
    X(mega_port)     \
    X(mega_timer16)  \
    X(mega_timer8)   \
    X(mega_usart)    \
    X(msp430_bcs)    \
    X(msp430_dma)    \
    X(msp430_flash)  \
    X(msp430_intc)   \
    X(msp430_mpy)    \
    X(msp430_mpy32)  \
    X(msp430_pmm)    \
    X(msp430_port)   \
    X(msp430_timer)  \
    X(msp430_ucs)    \
    X(msp430_usart)  \
    X(msp430_usci)   \
    X(msp430_wdt)    \
    X(part_adxl345)  \
    X(part_ds2411)   \
    X(part_m25p)     \
    X(part_pull)     \
    X(rp2_bus)       \
    X(rp2_clocks)    \
    X(rp2_dma)       \
    X(rp2_pll)       \
    X(rp2_registers) \
    X(rp2_resets)    \
    X(rp2_sha256)    \
    X(rp2_sio)       \
    X(rp2_ticks)     \
    X(rp2_timer)     \
    X(rp2_uart)      \
    X(rp2_watchdog)  \
    X(rp2_xip)       \
    X(rp2_xosc)      \
    X(xmega_ccp)     \
    X(xmega_clk)     \
    X(xmega_pmic)    \
    X(xmega_port)    \
    X(xmega_tc)      \
    X(xmega_usart)

#define DECLARE(name) extern const struct periph_class name##_class;
#define LIST(name)    &name##_class,

CLASSES(DECLARE)

const struct periph_class *const periph_classes[] = {CLASSES(LIST) NULL};

const struct periph_class *periph_class_named(const char *name)
{
    for (const struct periph_class *const *class = periph_classes; *class; class ++)
        if (strcmp((*class)->name, name) == 0)
            return *class;
    return NULL;
}
