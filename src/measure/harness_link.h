/*
 * The host's side of the harness protocol (firmware/README.md) over the serial port of a machine.
 *
 * Laws: one request, one answer; the machine runs only inside these calls; a request that is not
 * answered within its time, a fault, a reset or a sleep without end is told by the status, never
 * waited for.
 */
#ifndef UJ_MEASURE_HARNESS_LINK_H
#define UJ_MEASURE_HARNESS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "measure/message.h"
#include "sim/machine.h"

enum link_status {
    LINK_OK,
    LINK_REFUSED, /* the harness answered E; `refusal` is its code */
    LINK_GARBLED, /* an answer that is no frame of the protocol */
    LINK_OUT_OF_TIME,
    LINK_FAULT,     /* core->fault */
    LINK_ASLEEP,    /* asleep, and nothing would wake it */
    LINK_RESTARTED, /* execution came back to the reset vector */
    LINK_ENDED,     /* the program asked to end */
};

struct harness_link {
    struct machine *machine;
    struct sim_serial *serial;
    struct str received;          /* bytes since the last request */
    struct machine_watch restart; /* on the address where execution begins */
    bool restarted;
    uint8_t refusal;
};

/* Boots the image that lies in the machine's memory and waits for the harness's first line. */
enum link_status link_boot(struct harness_link *l, struct machine *m, struct sim_serial *serial,
                           uint64_t time_limit_ps);
void link_close(struct harness_link *l);

/* Sends a request and waits for the answer's payload, which belongs to the link until the next. */
enum link_status link_request(struct harness_link *l, char command, const void *payload,
                              size_t payload_bytes, const uint8_t **answer, size_t *answer_bytes,
                              uint64_t time_limit_ps);

/* What happened, in words; `place` from the image may be NULL. The caller frees. */
char *link_explain(const struct harness_link *l, enum link_status status);

#endif
