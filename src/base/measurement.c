#include "base/measurement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/measurement_fields.h"
#include "base/str.h"

static void make_absent(struct measurement *m, const struct measurement_field *f)
{
    void *member = field_member(m, f);
    switch (f->kind) {
    case FIELD_TEXT:
        free(*(char **)member);
        *(char **)member = NULL;
        break;
    case FIELD_INTEGER: *(int64_t *)member = -1; break;
    case FIELD_REAL: *(double *)member = NAN; break;
    case FIELD_VERIFIED:
    case FIELD_UNVERIFIED: *(enum measured_verified *)member = MEASURED_NO; break;
    }
}

void measurement_void(struct measurement *m)
{
    for (size_t i = 0; i < measurement_field_count; i++) {
        if (measurement_fields[i].flags & FIELD_FIGURE)
            make_absent(m, &measurement_fields[i]);
    }
}

void measurement_init(struct measurement *m)
{
    memset(m, 0, sizeof *m);
    measurement_free(m);
}

void measurement_free(struct measurement *m)
{
    for (size_t i = 0; i < measurement_field_count; i++)
        make_absent(m, &measurement_fields[i]);
}

void measurement_copy(struct measurement *out, const struct measurement *m)
{
    *out = *m;
    for (size_t i = 0; i < measurement_field_count; i++) {
        const struct measurement_field *f = &measurement_fields[i];
        if (f->kind != FIELD_TEXT)
            continue;
        const char *text = *(char *const *)field_value(m, f);
        *(char **)field_member(out, f) = text == NULL ? NULL : uj_strdup(text);
    }
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
    if (m->cycles > 0 && bytes > 0 && m->energy_nj > 0)
        m->e_rank = 1e6 / m->cycles_per_byte / (bytes * m->energy_nj * 1e-3);
}
