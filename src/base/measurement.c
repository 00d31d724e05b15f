#include "base/measurement.h"

#include <math.h>
#include <stdlib.h>

/* The figures of a measurement, as tables so that no function forgets one. */
static void void_integers(struct measurement *m)
{
    int64_t *const integers[] = {
        &m->cycles,          &m->timer_cycles, &m->isr_cycles,      &m->time_ns,
        &m->rom_bytes,       &m->ram_bytes,    &m->data_bytes,      &m->bss_bytes,
        &m->stack_bytes,     &m->su_bytes,     &m->image_rom_bytes, &m->image_data_bytes,
        &m->image_bss_bytes,
    };
    for (unsigned i = 0; i < sizeof integers / sizeof integers[0]; i++)
        *integers[i] = -1;
}

void measurement_void(struct measurement *m)
{
    void_integers(m);
    m->cycles_per_byte = NAN;
    m->energy_nj = NAN;
    m->energy_spread_nj = NAN;
    m->e_rank = NAN;
    free(m->energy_method);
    m->energy_method = NULL;
}

void measurement_init(struct measurement *m)
{
    *m = (struct measurement){.seed = -1, .message_bytes = -1};
    measurement_void(m);
}

void measurement_free(struct measurement *m)
{
    char *const texts[] = {
        m->board,        m->core,    m->algorithm, m->implementation, m->operation,
        m->input,        m->output,  m->compiler,  m->energy_method,  m->flags,
        m->image_sha256, m->version, m->error,     m->device_sha256,
    };
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    *m = (struct measurement){0};
}

void measurement_derive(struct measurement *m)
{
    m->cycles_per_byte = NAN;
    m->e_rank = NAN;
    if (m->cycles < 0 || m->message_bytes <= 0)
        return;
    m->cycles_per_byte = (double)m->cycles / (double)m->message_bytes;
    if (m->rom_bytes < 0 || m->ram_bytes < 0 || isnan(m->energy_nj))
        return;
    double bytes = (double)m->rom_bytes + 2.0 * (double)m->ram_bytes;
    m->e_rank = 1e6 / m->cycles_per_byte / (bytes * m->energy_nj * 1e-3);
}
