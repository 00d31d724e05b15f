#include "base/measurement_fields.h"

#include <string.h>

#define AT(member) offsetof(struct measurement, member)
#define PLAIN      NULL, 0, 0, NULL

/* clang-format off */
const struct measurement_field measurement_fields[] = {
    {"board", FIELD_TEXT, AT(board), FIELD_KEY, "board",
     "product that it ran on", PLAIN},
    {"core", FIELD_TEXT, AT(core), FIELD_KEY, "core",
     "instruction set and timing", PLAIN},
    {"algorithm", FIELD_TEXT, AT(algorithm), FIELD_KEY, "algorithm",
     "what was computed", PLAIN},
    {"implementation", FIELD_TEXT, AT(implementation), FIELD_KEY, "implementation",
     "the source of it: a name, or a folder of the user's", PLAIN},
    {"operation", FIELD_TEXT, AT(operation), FIELD_KEY, "operation",
     "what was timed", PLAIN},
    {"message_bytes", FIELD_INTEGER, AT(message_bytes), FIELD_KEY, "bytes",
     "length of the input", PLAIN},
    {"seed", FIELD_INTEGER, AT(seed), FIELD_KEY, "seed",
     "that the input was generated from; null: a literal input", PLAIN},
    {"input", FIELD_TEXT, AT(input), 0, "input",
     "hexadecimal", PLAIN},
    {"output", FIELD_TEXT, AT(output), 0, "output",
     "hexadecimal, as read back from the device", PLAIN},
    {"verified", FIELD_VERIFIED, AT(verified), 0, "verified",
     "true: the output is right; false: wrong or none; null: nothing to compare with", PLAIN},
    {"cycles", FIELD_INTEGER, AT(cycles), FIELD_FIGURE, "cycles",
     "of the operation from entry to return, interrupts left out", PLAIN},
    {"cycles_per_byte", FIELD_REAL, AT(cycles_per_byte), FIELD_FIGURE, "cycles/B",
     "cycles / message_bytes; null for an empty message", PLAIN},
    {"timer_cycles", FIELD_INTEGER, AT(timer_cycles), FIELD_FIGURE, "timer",
     "by the chip's own timer, less its overhead", PLAIN},
    {"isr_cycles", FIELD_INTEGER, AT(isr_cycles), FIELD_FIGURE, "interrupts",
     "cycles of interrupts within the operation", PLAIN},
    {"time_ns", FIELD_INTEGER, AT(time_ns), FIELD_FIGURE, "time",
     "of the operation, interrupts left out", "s", 1e-9, 0, NULL},
    {"energy_nj", FIELD_REAL, AT(energy_nj), FIELD_FIGURE, "energy",
     "of the operation; null with energy_reason", "J", 1e-9, 0, NULL},
    {"energy_method", FIELD_TEXT, AT(energy_method), FIELD_FIGURE, "by",
     "how energy_nj was got: state, trace or measured", PLAIN},
    {"rom_bytes", FIELD_INTEGER, AT(rom_bytes), FIELD_FIGURE, "ROM",
     "code, constants and initial values of the implementation alone", PLAIN},
    {"ram_bytes", FIELD_INTEGER, AT(ram_bytes), FIELD_FIGURE, "RAM",
     "data_bytes + bss_bytes + stack_bytes", PLAIN},
    {"data_bytes", FIELD_INTEGER, AT(data_bytes), FIELD_FIGURE, "data",
     "initialised variables of the implementation", PLAIN},
    {"bss_bytes", FIELD_INTEGER, AT(bss_bytes), FIELD_FIGURE, "bss",
     "other static variables of the implementation", PLAIN},
    {"stack_bytes", FIELD_INTEGER, AT(stack_bytes), FIELD_FIGURE, "stack",
     "lowest stack pointer below the caller's", PLAIN},
    {"su_bytes", FIELD_INTEGER, AT(su_bytes), FIELD_FIGURE, "su",
     "the compiler's stack figures, summed over all functions", PLAIN},
    {"image_rom_bytes", FIELD_INTEGER, AT(image_rom_bytes), FIELD_FIGURE, "image ROM",
     "of the whole firmware image", PLAIN},
    {"image_data_bytes", FIELD_INTEGER, AT(image_data_bytes), FIELD_FIGURE, "image data",
     "of the whole firmware image", PLAIN},
    {"image_bss_bytes", FIELD_INTEGER, AT(image_bss_bytes), FIELD_FIGURE, "image bss",
     "of the whole firmware image", PLAIN},
    {"e_rank", FIELD_REAL, AT(e_rank), FIELD_FIGURE, "E-RANK",
     "(10^6 / cycles_per_byte) / ((rom_bytes + 2 ram_bytes) x energy in microjoule); more is better", NULL, 0, 3, NULL},
    {"compiler", FIELD_TEXT, AT(compiler), FIELD_KEY, "compiler",
     "name and version", PLAIN},
    {"flags", FIELD_TEXT, AT(flags), FIELD_KEY, "flags",
     "of the compiler", PLAIN},
    {"image_sha256", FIELD_TEXT, AT(image_sha256), FIELD_KEY, "image",
     "of the linked ELF file", PLAIN},
    {"error", FIELD_TEXT, AT(error), 0, "error",
     "what failed and where; null if nothing did", PLAIN},
    {"energy_spread_nj", FIELD_REAL, AT(energy_spread_nj), FIELD_FIGURE, "+-",
     "half width of the uncertainty of energy_nj", "J", 1e-9, 2, "energy_nj"},
    {"energy_reason", FIELD_TEXT, AT(energy_reason), FIELD_FIGURE, "no energy because",
     "why energy_nj is null", PLAIN},
    {"unverified", FIELD_UNVERIFIED, AT(verified), 0, "unverified",
     "true: measured without anything to compare with, on the user's word", PLAIN},
    {"output_bytes", FIELD_INTEGER, AT(output_bytes), FIELD_KEY, "output bytes",
     "length of the output that was asked for", PLAIN},
    {"options", FIELD_TEXT, AT(options), FIELD_KEY, "options",
     "all else that was asked for and can change the result", PLAIN},
    {"device_sha256", FIELD_TEXT, AT(device_sha256), FIELD_KEY, "device",
     "of the device files", PLAIN},
    {"version", FIELD_TEXT, AT(version), FIELD_KEY, "ujoule",
     "of ujoule", PLAIN},
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
