#include "sim/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void core_fault(struct core *c, const char *reason, uint32_t pc, uint32_t address,
                const char *format, ...)
{
    if (c->fault.reason)
        return;
    c->fault =
        (struct core_fault){.reason = reason, .pc = pc, .address = address, .cycle = c->cycle};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->fault.detail, sizeof c->fault.detail, format, args);
    va_end(args);
    core_attention(c);
}

const struct core_class *core_class_named(const char *name)
{
    for (const struct core_class *const *class = core_classes; *class; class ++)
        if (strcmp((*class)->name, name) == 0)
            return *class;
    return NULL;
}
