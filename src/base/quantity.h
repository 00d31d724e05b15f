/*
 * Quantities with units, as device files and options write them: "1.8 mA", "7.3728 MHz", "8 KiB",
 * "0.295 mA/MHz", "20 %".
 *
 * Laws: the text is read whole, a leftover refuses it; the result is in the unit asked for without
 * prefix (A, V, Hz, B, ...); a text without a unit is refused unless the unit asked for is "" (a
 * plain number, where "20 %" gives 0.2).
 */
#ifndef UJ_BASE_QUANTITY_H
#define UJ_BASE_QUANTITY_H

#include <stdbool.h>

/* Reads `text` as a quantity of `unit` ("A", "V", "s", "Hz", "ohm", "B", "dB", "A/Hz", "A/V", "").
 */
bool quantity_parse(double *out, const char *text, const char *unit);

/* Writes `value` with the SI prefix that suits it ("1.25 mA") into `out`, and returns `out`. */
const char *quantity_format(char *out, unsigned size, double value, const char *unit);

#endif
