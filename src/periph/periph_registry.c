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
    X(rp2_xosc)      \
    X(rp2_xip)       \
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
