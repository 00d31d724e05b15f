/*
 * The operation under measurement, behind one form for all kinds. The build passes
 *
 *   UJ_KIND_HASH, UJ_KIND_XOF, UJ_KIND_MAC or UJ_KIND_SUPERCOP
 *   UJ_PREFIX          name of the implementation's functions (not for SUPERCOP: crypto_hash)
 *   UJ_HEADER          its header, in quotes: -DUJ_HEADER='"sha256_ref.h"'
 *   UJ_BASELINE        instead of these two: no implementation, uj_nothing() in its place
 *   UJ_MESSAGE_BYTES   size of the message buffer
 *   UJ_OUTPUT_BYTES    output length of a hash or MAC, the longest of an XOF
 *   UJ_KEY_BYTES       size of the key buffer, only for MAC; 32 where absent
 *   UJ_BAUD, UJ_CPU_HZ of the board
 */
#ifndef UJ_TIMED_H
#define UJ_TIMED_H

#include <stddef.h>
#include <stdint.h>

enum uj_error {
    UJ_ERROR_NONE = 0,
    UJ_ERROR_CHECKSUM = 1,
    UJ_ERROR_COMMAND = 2,
    UJ_ERROR_LENGTH = 3,
    UJ_ERROR_ARGUMENT = 4,
    UJ_ERROR_OPERATION = 5
};

enum uj_source { UJ_SOURCE_BUFFER, UJ_SOURCE_SEED, UJ_SOURCE_COUNT };

struct uj_request {
    uint8_t source;
    uint32_t value;
    uint32_t in_bytes;
    uint16_t out_bytes;
    uint16_t piece;
};

#ifndef UJ_KEY_BYTES
#ifdef UJ_KIND_MAC
#define UJ_KEY_BYTES 32
#else
#define UJ_KEY_BYTES 0
#endif
#endif

#if defined(UJ_KIND_XOF)
#define UJ_KIND_NUMBER 1
#elif defined(UJ_KIND_MAC)
#define UJ_KIND_NUMBER 2
#else
#define UJ_KIND_NUMBER 0
#endif

extern unsigned char uj_message[UJ_MESSAGE_BYTES];
extern unsigned char uj_output[UJ_OUTPUT_BYTES];
extern uint16_t uj_output_bytes;
extern uint32_t uj_timer_ticks;
#if UJ_KEY_BYTES > 0
extern unsigned char uj_key[UJ_KEY_BYTES];
extern uint16_t uj_key_bytes;
#endif

/* Does what is asked: output in uj_output, timer in uj_timer_ticks. */
enum uj_error uj_run(const struct uj_request *request);
/* The timed path around nothing: what uj_run() reads beyond the operation's own cycles. */
uint32_t uj_overhead(void);

#endif
