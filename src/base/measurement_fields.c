#include "base/measurement_fields.h"

#include <string.h>

#define AT(member) offsetof(struct measurement, member)
#define PLAIN      NULL, 0, 0, NULL

/* clang-format off */
const struct measurement_field measurement_fields[] = {
    {"board", FIELD_TEXT, FIELD_KEY, AT(board), "board",
     "product that it ran on", PLAIN},
    {"core", FIELD_TEXT, FIELD_KEY, AT(core), "core",
     "instruction set and timing", PLAIN},
    {"algorithm", FIELD_TEXT, FIELD_KEY, AT(algorithm), "algorithm",
     "what was computed", PLAIN},
    {"implementation", FIELD_TEXT, FIELD_KEY, AT(implementation), "implementation",
     "the source of it: a name, or a folder of the user's", PLAIN},
    {"operation", FIELD_TEXT, FIELD_KEY, AT(operation), "operation",
     "what was timed", PLAIN},
    {"message_bytes", FIELD_INTEGER, FIELD_KEY, AT(message_bytes), "bytes",
     "length of the input", PLAIN},
    {"seed", FIELD_INTEGER, FIELD_KEY, AT(seed), "seed",
     "that the input was generated from; null: a literal input", PLAIN},
    {"input", FIELD_TEXT, 0, AT(input), "input",
     "hexadecimal", PLAIN},
    {"output", FIELD_TEXT, 0, AT(output), "output",
     "hexadecimal, as read back from the device", PLAIN},
    {"verified", FIELD_VERIFIED, 0, AT(verified), "verified",
     "true: the output is right; false: wrong or none; null: nothing to compare with", PLAIN},
    {"cycles", FIELD_INTEGER, FIELD_FIGURE, AT(cycles), "cycles",
     "of the operation from entry to return, interrupts left out", PLAIN},
    {"cycles_per_byte", FIELD_REAL, FIELD_FIGURE, AT(cycles_per_byte), "cycles/B",
     "cycles / message_bytes; null for an empty message", PLAIN},
    {"timer_cycles", FIELD_INTEGER, FIELD_FIGURE, AT(timer_cycles), "timer",
     "by the chip's own timer, less its overhead", PLAIN},
    {"isr_cycles", FIELD_INTEGER, FIELD_FIGURE, AT(isr_cycles), "interrupts",
     "cycles of interrupts within the operation", PLAIN},
    {"time_ns", FIELD_INTEGER, FIELD_FIGURE, AT(time_ns), "time",
     "of the operation, interrupts left out", "s", 1e-9, 0, NULL},
    {"energy_nj", FIELD_REAL, FIELD_FIGURE, AT(energy_nj), "energy",
     "of the operation; null with energy_reason", "J", 1e-9, 0, NULL},
    {"energy_method", FIELD_TEXT, FIELD_FIGURE, AT(energy_method), "by",
     "how energy_nj was got: state, trace or measured", PLAIN},
    {"rom_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(rom_bytes), "ROM",
     "code, constants and initial values of the implementation alone", PLAIN},
    {"ram_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(ram_bytes), "RAM",
     "data_bytes + bss_bytes + stack_bytes", PLAIN},
    {"data_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(data_bytes), "data",
     "initialised variables of the implementation", PLAIN},
    {"bss_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(bss_bytes), "bss",
     "other static variables of the implementation", PLAIN},
    {"stack_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(stack_bytes), "stack",
     "lowest stack pointer below the caller's", PLAIN},
    {"su_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(su_bytes), "su",
     "the compiler's stack figures, summed over all functions", PLAIN},
    {"image_rom_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(image_rom_bytes), "image ROM",
     "of the whole firmware image", PLAIN},
    {"image_data_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(image_data_bytes), "image data",
     "of the whole firmware image", PLAIN},
    {"image_bss_bytes", FIELD_INTEGER, FIELD_FIGURE, AT(image_bss_bytes), "image bss",
     "of the whole firmware image", PLAIN},
    {"e_rank", FIELD_REAL, FIELD_FIGURE, AT(e_rank), "E-RANK",
     "(10^6 / cycles_per_byte) / ((rom_bytes + 2 ram_bytes) x energy in microjoule); more is better", NULL, 0, 3, NULL},
    {"compiler", FIELD_TEXT, FIELD_KEY, AT(compiler), "compiler",
     "name and version", PLAIN},
    {"flags", FIELD_TEXT, FIELD_KEY, AT(flags), "flags",
     "of the compiler", PLAIN},
    {"image_sha256", FIELD_TEXT, FIELD_KEY, AT(image_sha256), "image",
     "of the linked ELF file", PLAIN},
    {"error", FIELD_TEXT, 0, AT(error), "error",
     "what failed and where; null if nothing did", PLAIN},
    {"energy_spread_nj", FIELD_REAL, FIELD_FIGURE, AT(energy_spread_nj), "+-",
     "half width of the uncertainty of energy_nj", "J", 1e-9, 2, "energy_nj"},
    {"energy_reason", FIELD_TEXT, FIELD_FIGURE, AT(energy_reason), "no energy because",
     "why energy_nj is null", PLAIN},
    {"unverified", FIELD_UNVERIFIED, 0, AT(verified), "unverified",
     "true: measured without anything to compare with, on the user's word", PLAIN},
    {"output_bytes", FIELD_INTEGER, FIELD_KEY, AT(output_bytes), "output bytes",
     "length of the output that was asked for", PLAIN},
    {"options", FIELD_TEXT, FIELD_KEY, AT(options), "options",
     "all else that was asked for and can change the result", PLAIN},
    {"device_sha256", FIELD_TEXT, FIELD_KEY, AT(device_sha256), "device",
     "of the device files", PLAIN},
    {"version", FIELD_TEXT, FIELD_KEY, AT(version), "ujoule",
     "of ujoule", PLAIN},
    {"period_ns", FIELD_INTEGER, FIELD_FIGURE, AT(period_ns), "period",
     "in which the operation runs once and the chip sleeps for the rest; null if none was asked for", "s", 1e-9, 0, NULL},
    {"cpu_share", FIELD_REAL, FIELD_FIGURE, AT(cpu_share), "CPU share",
     "time_ns / period_ns", NULL, 0, 4, NULL},
    {"power_cpu_mw", FIELD_REAL, FIELD_FIGURE, AT(power_cpu_mw), "CPU power",
     "average over the period of what the active state takes", "W", 1e-3, 0, NULL},
    {"power_lpm_mw", FIELD_REAL, FIELD_FIGURE, AT(power_lpm_mw), "LPM power",
     "average over the period of what the chip's sleep_state takes", "W", 1e-3, 0, NULL},
    {"power_mw", FIELD_REAL, FIELD_FIGURE, AT(power_mw), "power",
     "power_cpu_mw + power_lpm_mw; null with energy_reason", "W", 1e-3, 0, NULL},
};
/* clang-format on */

const size_t measurement_field_count = sizeof measurement_fields / sizeof measurement_fields[0];

const struct measurement_field *measurement_field_named(const char *name)
{
    for (size_t i = 0; i < measurement_field_count; i++) {
        if (strcmp(measurement_fields[i].name, name) == 0)
            return &measurement_fields[i];
    }
    return NULL;
}
