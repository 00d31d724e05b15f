#include "measure/harness_link.h"

#include <stdlib.h>
#include <string.h>

static const char ready_line[] = "ujoule harness 1 ready\n";

enum { FRAME_TO_DEVICE = 0x75, FRAME_TO_HOST = 0x6a, FRAME_HEAD = 4, FRAME_TAIL = 1 };

static void receive(void *owner, uint8_t byte, uint64_t now_ps)
{
    (void)now_ps;
    struct harness_link *l = owner;
    str_add_bytes(&l->received, &byte, 1);
    /* The caller looks at every byte: it knows when an answer is whole. */
    machine_stop(l->machine);
}

static void came_back(void *owner, struct machine *m)
{
    struct harness_link *l = owner;
    l->restarted = true;
    machine_stop(m);
}

/* Runs until the next byte was received. */
static enum link_status run_to_byte(struct harness_link *l, uint64_t until_ps)
{
    size_t before = l->received.length;
    while (l->received.length == before) {
        switch (machine_run(l->machine, until_ps)) {
        case MACHINE_TIME: return LINK_OUT_OF_TIME;
        case MACHINE_IDLE: return LINK_ASLEEP;
        case MACHINE_FAULT: return LINK_FAULT;
        case MACHINE_EXIT: return LINK_ENDED;
        case MACHINE_STOPPED: break;
        }
        if (l->restarted)
            return LINK_RESTARTED;
    }
    return LINK_OK;
}

enum link_status link_boot(struct harness_link *l, struct machine *m, struct sim_serial *serial,
                           uint64_t time_limit_ps)
{
    *l = (struct harness_link){.machine = m, .serial = serial};
    str_init(&l->received);
    serial->sent = receive;
    serial->owner = l;
    uint32_t start = m->core->class->pc(m->core);
    uint64_t until = machine_now(m) + time_limit_ps;
    while (!str_ends(l->received.text, ready_line)) {
        enum link_status status = run_to_byte(l, until);
        if (status != LINK_OK)
            return status;
    }
    /* Nothing but a crash leads back to where execution began. */
    l->restart = (struct machine_watch){.address = start, .hit = came_back, .owner = l};
    machine_add_watch(m, &l->restart);
    return LINK_OK;
}

void link_close(struct harness_link *l)
{
    machine_remove_watch(l->machine, &l->restart);
    if (l->serial) {
        l->serial->sent = NULL;
        l->serial->owner = NULL;
    }
    str_free(&l->received);
}

static uint8_t sum_of(const uint8_t *bytes, size_t count)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum;
}

static void send(struct harness_link *l, char command, const void *payload, size_t bytes)
{
    uint8_t *frame = uj_malloc(FRAME_HEAD + bytes + FRAME_TAIL);
    frame[0] = FRAME_TO_DEVICE;
    frame[1] = (uint8_t)command;
    frame[2] = (uint8_t)bytes;
    frame[3] = (uint8_t)(bytes >> 8);
    if (bytes)
        memcpy(frame + FRAME_HEAD, payload, bytes);
    frame[FRAME_HEAD + bytes] = (uint8_t)-sum_of(frame + 1, FRAME_HEAD - 1 + bytes);
    serial_feed(l->serial, frame, FRAME_HEAD + bytes + FRAME_TAIL);
    free(frame);
}

enum link_status link_request(struct harness_link *l, char command, const void *payload,
                              size_t payload_bytes, const uint8_t **answer, size_t *answer_bytes,
                              uint64_t time_limit_ps)
{
    str_clear(&l->received);
    send(l, command, payload, payload_bytes);
    uint64_t now = machine_now(l->machine);
    uint64_t until = time_limit_ps < SIM_NEVER - now ? now + time_limit_ps : SIM_NEVER;
    size_t whole = FRAME_HEAD;
    while (l->received.length < whole) {
        enum link_status status = run_to_byte(l, until);
        if (status != LINK_OK)
            return status;
        const uint8_t *got = (const uint8_t *)l->received.text;
        if (got[0] != FRAME_TO_HOST)
            return LINK_GARBLED;
        if (l->received.length == FRAME_HEAD)
            whole = FRAME_HEAD + (size_t)(got[2] | got[3] << 8) + FRAME_TAIL;
    }
    const uint8_t *got = (const uint8_t *)l->received.text;
    if (sum_of(got + 1, whole - 1) != 0)
        return LINK_GARBLED;
    *answer = got + FRAME_HEAD;
    *answer_bytes = whole - FRAME_HEAD - FRAME_TAIL;
    if (got[1] == 'E' && *answer_bytes == 1) {
        l->refusal = got[FRAME_HEAD];
        return LINK_REFUSED;
    }
    return got[1] == (uint8_t)command ? LINK_OK : LINK_GARBLED;
}

char *link_explain(const struct harness_link *l, enum link_status status)
{
    static const char *const refusals[] = {"no reason",          "a damaged frame",
                                           "an unknown command", "longer than its buffer",
                                           "a bad argument",     "the operation returned an error"};
    const struct core *c = l->machine->core;
    switch (status) {
    case LINK_OK: break;
    case LINK_REFUSED:
        return uj_format("the harness refused: %s", refusals[l->refusal < 6 ? l->refusal : 0]);
    case LINK_GARBLED: return uj_strdup("the harness answered with something that is no answer");
    case LINK_OUT_OF_TIME: return uj_strdup("hang: the cycle limit was reached");
    case LINK_FAULT:
        return uj_format("crash: %s%s%s", c->fault.reason, c->fault.detail[0] ? ": " : "",
                         c->fault.detail);
    case LINK_ASLEEP: return uj_strdup("hang: asleep, and nothing would wake it");
    case LINK_RESTARTED: return uj_strdup("crash: execution came back to the reset vector");
    case LINK_ENDED: return uj_format("the program ended by itself with %d", c->exit_code);
    }
    return uj_strdup("nothing happened");
}
