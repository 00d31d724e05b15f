#include "sim/periph.h"

void periph_irq(struct periph *p, unsigned output, bool level)
{
    if (p->irq[output] >= 0 && p->machine->irq.set)
        p->machine->irq.set(p->machine->irq.owner, p->irq[output], level);
}

void periph_irq_taken(struct machine *m, int number)
{
    for (struct periph *p = m->periphs; p; p = p->next) {
        if (!p->class->irqs || !p->class->irq_taken)
            continue;
        for (unsigned i = 0; i < PERIPH_IRQS_MAX && p->class->irqs[i]; i++)
            if (p->irq[i] == number)
                p->class->irq_taken(p, i);
    }
}
