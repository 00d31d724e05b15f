#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "measure/harness_link.h"

/* The answer to `I`, and the largest piece of a literal message in one frame. */
enum { IDENTITY_BYTES = 8, LITERAL_PIECE_BYTES = 64 };
/* Until the harness must have said that it is ready, and for a request without an operation. */
static const double boot_seconds = 4;

struct run {
    struct uj_ctx *ctx;
    const struct measure_job *job;
    struct measure_result *out;
    struct machine *machine;
    struct harness_link link;
    struct window_set windows;
    bool windows_open;
    size_t buffer_bytes; /* of the harness */
    uint64_t operation_limit_ps;
};

uint64_t measure_cycle_limit(size_t message_bytes)
{
    return 2000000000ULL + 2000000ULL * message_bytes;
}

static uint32_t address_of(const struct measure_job *job, const char *name)
{
    const struct image_symbol *symbol = name ? image_symbol_named(job->image, name) : NULL;
    return symbol ? symbol->address : UINT32_MAX;
}

/* Has the stack grown into the variables? Crashes and hangs are often that. */
static bool stack_met_data(const struct run *r, uint32_t *end)
{
    const struct image_symbol *last = image_symbol_named(r->job->image, "_end");
    if (!last)
        return false;
    *end = image_data_address(r->job->image, last->address);
    uint32_t low = r->machine->core->sp_low;
    return r->windows.counts.calls + (r->windows.open ? 1u : 0u) > 0 && low < *end;
}

/* What a device noted before: text to be put behind an error, empty where there is nothing. */
static char *noted(const struct run *r)
{
    const struct core_fault *note = &r->machine->note;
    if (!note->reason)
        return uj_strdup("");
    char *place = image_place(r->job->image, note->pc);
    char *text = uj_format("; before that: %s (0x%x) at %s", note->reason, note->address, place);
    free(place);
    return text;
}

/* Sets the result's error: what happened, where in the source, and whether the stack explains it.
 */
static void fail(struct run *r, char *what)
{
    const struct core *c = r->machine->core;
    char *place = image_place(r->job->image, c->fault.reason ? c->fault.pc : c->class->pc(c));
    char *note = noted(r);
    uint32_t end;
    if (stack_met_data(r, &end))
        r->out->error = uj_format("the stack met the data: down to 0x%x, data up to 0x%x; %s at %s",
                                  r->machine->core->sp_low, end, what, place);
    else
        r->out->error = uj_format("%s at %s%s", what, place, note);
    free(note);
    free(place);
    free(what);
}

/* One request; false: the run has failed and says so. */
static bool ask(struct run *r, char command, const void *payload, size_t bytes,
                const uint8_t **answer, size_t *answer_bytes, uint64_t limit_ps)
{
    enum link_status status =
        link_request(&r->link, command, payload, bytes, answer, answer_bytes, limit_ps);
    if (status == LINK_OK)
        return true;
    fail(r, link_explain(&r->link, status));
    return false;
}

static uint32_t get32(const uint8_t *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static void put32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t boot_limit_ps(void)
{
    return (uint64_t)(boot_seconds * (double)PS_PER_SECOND);
}

static bool identify(struct run *r)
{
    const uint8_t *answer;
    size_t bytes;
    if (!ask(r, 'I', NULL, 0, &answer, &bytes, boot_limit_ps()))
        return false;
    if (bytes != IDENTITY_BYTES) {
        fail(r, uj_strdup("the harness identifies itself in another form"));
        return false;
    }
    r->buffer_bytes = (size_t)(answer[2] | answer[3] << 8) | (size_t)answer[4] << 16;
    return true;
}

/* What the timer reads around an operation of no cycles. */
static bool measure_overhead(struct run *r)
{
    const uint8_t *answer;
    size_t bytes;
    if (!ask(r, 'N', NULL, 0, &answer, &bytes, boot_limit_ps()))
        return false;
    if (bytes != 4) {
        fail(r, uj_strdup("the harness did not time an empty operation"));
        return false;
    }
    r->out->timer_overhead_cycles = (int64_t)get32(answer);
    return true;
}

static bool send_literal(struct run *r)
{
    const struct message *m = r->job->message;
    for (size_t at = 0; at < m->bytes; at += LITERAL_PIECE_BYTES) {
        size_t piece = m->bytes - at < LITERAL_PIECE_BYTES ? m->bytes - at : LITERAL_PIECE_BYTES;
        uint8_t payload[2 + LITERAL_PIECE_BYTES] = {(uint8_t)at, (uint8_t)(at >> 8)};
        memcpy(payload + 2, m->content + at, piece);
        const uint8_t *answer;
        size_t bytes;
        if (!ask(r, 'M', payload, 2 + piece, &answer, &bytes, boot_limit_ps()))
            return false;
    }
    return true;
}

static bool send_inputs(struct run *r)
{
    const struct measure_job *job = r->job;
    const uint8_t *answer;
    size_t bytes;
    r->out->streamed = job->message->bytes > r->buffer_bytes;
    if (r->out->streamed && (job->message->source == MESSAGE_LITERAL || !job->init)) {
        fail(r, uj_format("the message is longer than the device's buffer of %zu bytes",
                          r->buffer_bytes));
        return false;
    }
    if (job->key_bytes && !ask(r, 'C', job->key, job->key_bytes, &answer, &bytes, boot_limit_ps()))
        return false;
    return job->message->source != MESSAGE_LITERAL || send_literal(r);
}

static void open_windows(struct run *r)
{
    const struct measure_job *job = r->job;
    uint32_t functions[3] = {address_of(job, job->function)};
    unsigned count = 1;
    if (r->out->streamed) {
        functions[0] = address_of(job, job->init);
        functions[1] = address_of(job, job->update);
        functions[2] = address_of(job, job->final);
        count = 3;
    }
    window_set_open(&r->windows, r->machine, functions, count, job->log);
}

/* The output lies in the device's memory, and must be what the harness sent. */
static bool read_output(struct run *r, const uint8_t *sent)
{
    const struct measure_job *job = r->job;
    const struct image_symbol *symbol = image_symbol_named(job->image, "uj_output");
    r->out->output = uj_malloc(job->output_bytes);
    if (!symbol || !mem_peek(&r->machine->data, image_data_address(job->image, symbol->address),
                             r->out->output, job->output_bytes)) {
        fail(r, uj_strdup("the image has no readable uj_output"));
        return false;
    }
    if (memcmp(r->out->output, sent, job->output_bytes) != 0) {
        fail(r, uj_strdup("the output in memory is not the one that was sent"));
        return false;
    }
    return true;
}

static bool operate(struct run *r)
{
    const struct measure_job *job = r->job;
    uint8_t payload[13] = {(uint8_t)job->message->source};
    put32(payload + 1, job->message->value);
    put32(payload + 5, (uint32_t)job->message->bytes);
    payload[9] = (uint8_t)job->output_bytes;
    payload[10] = (uint8_t)(job->output_bytes >> 8);
    size_t piece = r->out->streamed ? r->buffer_bytes : 0;
    payload[11] = (uint8_t)piece;
    payload[12] = (uint8_t)(piece >> 8);

    const uint8_t *answer;
    size_t bytes;
    open_windows(r);
    r->windows_open = true;
    bool ok = ask(r, 'R', payload, sizeof payload, &answer, &bytes, r->operation_limit_ps);
    window_set_close(&r->windows);
    r->windows_open = false;
    if (!ok)
        return false;
    if (bytes != 4 + job->output_bytes || r->windows.counts.calls == 0) {
        fail(r, uj_strdup("the operation was not called"));
        return false;
    }
    r->out->counts = r->windows.counts;
    r->out->timer_cycles = (int64_t)get32(answer) - r->out->timer_overhead_cycles;
    return read_output(r, answer + 4);
}

static void judge(struct run *r)
{
    const struct measure_job *job = r->job;
    struct measure_result *out = r->out;
    uint32_t end;
    if (stack_met_data(r, &end)) {
        fail(r, uj_strdup("the operation returned"));
        return;
    }
    if (job->expected && memcmp(out->output, job->expected, job->output_bytes) != 0) {
        char *got = uj_malloc(2 * job->output_bytes + 1);
        char *wanted = uj_malloc(2 * job->output_bytes + 1);
        hex_encode(got, out->output, job->output_bytes);
        hex_encode(wanted, job->expected, job->output_bytes);
        char *place = image_place(job->image, address_of(job, job->function));
        char *note = noted(r);
        out->error = uj_format("wrong output of %s: %.16s.. where %.16s.. is right%s", place, got,
                               wanted, note);
        free(note);
        free(place);
        free(wanted);
        free(got);
        return;
    }
    int64_t true_cycles = (int64_t)(out->counts.cycles + out->counts.isr_cycles);
    int64_t off = out->timer_cycles - true_cycles;
    /* The 32 bits of the harness's timer wrap on the longest runs; so does the difference. */
    off = (int32_t)(uint32_t)off;
    out->timer_cycles = true_cycles + off;
    int64_t once = job->cached ? MEASURE_TIMER_TOLERANCE_CACHED : MEASURE_TIMER_TOLERANCE;
    int64_t tolerance = once * (int64_t)out->counts.calls;
    if (off > tolerance || off < -tolerance) {
        out->error = uj_format("the chip's timer counted %lld cycles, the model %lld",
                               (long long)out->timer_cycles, (long long)true_cycles);
        return;
    }
    out->verified = job->expected != NULL;
}

static void run_all(struct run *r)
{
    struct sim_serial *serial =
        r->job->board->serial ? machine_serial(r->machine, r->job->board->serial) : NULL;
    if (!serial) {
        r->out->error = uj_strdup("the board has no serial port for the harness");
        return;
    }
    enum link_status status = link_boot(&r->link, r->machine, serial, boot_limit_ps());
    if (status != LINK_OK)
        fail(r, link_explain(&r->link, status));
    else if (identify(r) && measure_overhead(r) && send_inputs(r)) {
        uint64_t limit =
            r->job->cycle_limit ? r->job->cycle_limit : measure_cycle_limit(r->job->message->bytes);
        r->operation_limit_ps =
            (uint64_t)((double)limit / clock_hz(r->machine->cpu_clock) * (double)PS_PER_SECOND);
        if (operate(r))
            judge(r);
        r->out->clock_hz = clock_hz(r->machine->cpu_clock);
    }
    link_close(&r->link);
}

enum uj_err measure_run(struct uj_ctx *ctx, struct measure_result *out,
                        const struct measure_job *job)
{
    *out = (struct measure_result){0};
    const struct image_symbol *symbol;
    enum uj_err err = image_need_symbol(ctx, &symbol, job->image, job->function);
    if (err)
        return err;
    struct run r = {.ctx = ctx, .job = job, .out = out};
    if ((err = board_machine(ctx, &r.machine, job->board)))
        return err;
    err = image_into_machine(ctx, job->image, r.machine);
    if (!err) {
        machine_reset(r.machine);
        run_all(&r);
    }
    machine_free(r.machine);
    if (err)
        measure_result_free(out);
    return err;
}

void measure_result_free(struct measure_result *r)
{
    free(r->error);
    free(r->output);
    *r = (struct measure_result){0};
}
