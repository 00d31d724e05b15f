/*
 * A measurement: what one run gave for one operation, with its provenance. measure/ and energy/
 * fill it, store/ keeps it, report/ prints it; the JSON field names are the members' names.
 *
 * Laws: no figure without a verified output: where `error` is set or `verified` is MEASURED_NO,
 * every figure is absent; an absent integer is -1, an absent real is NaN, an absent text NULL.
 * Strings belong to the measurement (measurement_free()). Every member has a row in
 * base/measurement_fields.c, and a new member needs nothing else to be stored and printed.
 */
#ifndef UJ_BASE_MEASUREMENT_H
#define UJ_BASE_MEASUREMENT_H

#include <stdint.h>

enum measured_verified {
    MEASURED_NO,         /* the output was wrong, or there was none */
    MEASURED_YES,        /* the output on the device equals the known answer or the reference's */
    MEASURED_UNVERIFIED, /* nothing to compare with, on the user's own word (--unverified) */
};

struct measurement {
    char *board, *core, *algorithm, *implementation;
    char *operation; /* "hash" */
    int64_t message_bytes;
    int64_t seed;         /* of the input; -1: a literal message */
    char *input, *output; /* hexadecimal; output as read back from the device */
    int64_t output_bytes; /* asked for */
    enum measured_verified verified;
    int64_t cycles;         /* of the operation, interrupts left out */
    double cycles_per_byte; /* NaN for an empty message */
    int64_t timer_cycles;   /* the chip's own timer, as the harness read it, less its overhead */
    int64_t isr_cycles;     /* interrupts within the operation */
    int64_t time_ns;        /* of the operation, interrupts left out */
    double energy_nj;
    double energy_spread_nj; /* half width of the uncertainty */
    char *energy_method;     /* "state", "trace", "measured" */
    char *energy_reason;     /* without energy: why there is none */
    int64_t rom_bytes,
        ram_bytes; /* of the implementation alone: text + rodata + data; data + bss + stack */
    int64_t data_bytes, bss_bytes;
    int64_t stack_bytes; /* lowest stack pointer below the caller's */
    int64_t su_bytes;    /* the compiler's own stack figures, summed over every function */
    int64_t image_rom_bytes, image_data_bytes, image_bss_bytes;
    /* Over the same firmware without the implementation; absent where it was not asked for. */
    int64_t image_rom_increase_bytes, image_data_increase_bytes, image_bss_increase_bytes;
    double image_rom_increase_percent; /* of the baseline's */
    double e_rank;                     /* (10^6 / CPB) / ((ROM + 2 RAM) x E in uJ) */
    /* Of one operation each period, the chip asleep for the rest; absent where none was asked for.
     */
    int64_t period_ns;
    double cpu_share;                  /* time_ns / period_ns */
    double power_cpu_mw, power_lpm_mw; /* averages over the period of what each state takes */
    double power_mw;                   /* their sum */
    char *compiler, *flags;
    char *options;       /* all else that was asked for and can change the result, or NULL */
    char *image_sha256;  /* of the linked ELF file */
    char *device_sha256; /* of the board's and the chip's file */
    char *version;       /* of ujoule */
    char *error;         /* NULL, or what failed and where */
};

/* Everything absent. */
void measurement_init(struct measurement *m);
void measurement_free(struct measurement *m);
/* Makes `out`, which is overwritten, a measurement of its own with the same content. */
void measurement_copy(struct measurement *out, const struct measurement *m);
/* Makes every figure absent: a failed check is a result of its own kind, never a number. */
void measurement_void(struct measurement *m);
/* Fills cycles_per_byte and e_rank from the rest, absent where an input is. */
void measurement_derive(struct measurement *m);

#endif
