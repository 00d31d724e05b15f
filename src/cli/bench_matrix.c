#include "cli/bench_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/str.h"
#include "cli/bench_period.h"
#include "cli/bench_plan.h"
#include "measure/measure.h"
#include "primitive_table.h"

/* What the threads share while a matrix runs. */
struct crew {
    struct bench_matrix *matrix;
    struct store *store;
    struct progress *progress;
    pthread_mutex_t lock;  /* of the two members below */
    size_t next;           /* case that nobody has taken yet */
    struct uj_ctx failure; /* that ends the run */
};

static void replace(char **text, const char *value)
{
    free(*text);
    *text = value ? uj_strdup(value) : NULL;
}

/* The image of a case, built and read by the first who comes; its failure is the image's own. */
static struct bench_image *ready_image(const struct bench_matrix *m, struct bench_image *i)
{
    (void)pthread_mutex_lock(&i->lock);
    if (!i->tried) {
        i->tried = true;
        const struct board *board = i->board->board;
        struct build_request request = {
            .board = board,
            .catalog = m->catalog,
            .implementation = i->implementation,
            .cc = m->request.cc,
            .flags = m->request.flags,
            .output_bytes = m->request.output_bytes,
            .from = m->request.from,
        };
        enum uj_err err = build_image(&i->failure, &i->build, &request);
        if (!err)
            err = image_load(&i->failure, &i->image, i->build.elf_path,
                             board->core_class->elf_machine, board->core_class->isa);
        if (!err && m->request.baseline)
            (void)!bench_baseline_build(&i->failure, &i->baseline, &request, i->build.output_bytes);
    }
    (void)pthread_mutex_unlock(&i->lock);
    return i;
}

static const char *operation_of(const struct bench_image *i)
{
    return strcmp(i->implementation->kind, "mac") == 0 ? "mac" : "hash";
}

/* All else that can change a result, or NULL. */
static char *options_of(const struct bench_request *r)
{
    struct str s;
    str_init(&s);
    if (r->currents)
        str_addf(&s, "currents=%s ", r->currents);
    if (r->baseline)
        str_add(&s, "baseline ");
    if (r->from)
        str_addf(&s, "from=%s ", r->from);
    if (r->period_s > 0)
        str_addf(&s, "period=%.12gs ", r->period_s);
    char *text = s.length ? uj_strndup(s.text, s.length - 1) : NULL;
    str_free(&s);
    return text;
}

/* Everything that says what is measured, figures absent. */
static void describe(struct measurement *out, const struct bench_matrix *m,
                     const struct bench_case *c, size_t output_bytes, const struct message *message)
{
    const struct bench_image *i = c->image;
    measurement_init(out);
    out->board = uj_strdup(i->board->board->name);
    out->core = uj_strdup(i->board->board->core_class->name);
    out->algorithm = uj_strdup(i->implementation->algorithm);
    out->implementation = uj_strdup(i->implementation->name);
    out->operation = uj_strdup(operation_of(i));
    out->message_bytes = (int64_t)c->message_bytes;
    out->seed = message->source == MESSAGE_SEEDED ? (int64_t)c->seed : -1;
    out->input = uj_malloc(2 * message->bytes + 1);
    hex_encode(out->input, message->content, message->bytes);
    out->output_bytes = (int64_t)output_bytes;
    replace(&out->compiler, i->build.compiler);
    replace(&out->flags, i->build.flags ? i->build.flags : m->request.flags);
    out->options = options_of(&m->request);
    replace(&out->image_sha256, i->build.image_sha256[0] ? i->build.image_sha256 : NULL);
    out->device_sha256 = uj_strdup(i->board->board->hash);
    out->version = uj_strdup(UJ_VERSION);
}

static enum primitive_kind kind_of(const char *kind)
{
    static const char *const kinds[] = {
        [PRIMITIVE_HASH] = "hash", [PRIMITIVE_XOF] = "xof", [PRIMITIVE_MAC] = "mac"};
    unsigned k = 0;
    while (k < PRIMITIVE_MAC && strcmp(kinds[k], kind) != 0)
        k++;
    return (enum primitive_kind)k;
}

/* What the device must compute: the known answer, or what the reference makes of it on the host. */
static uint8_t *expected_output(const struct bench_case *c, const struct message *message,
                                size_t output_bytes)
{
    if (c->kat) {
        if (c->kat->digest_bytes != output_bytes)
            return NULL;
        uint8_t *copy = uj_malloc(output_bytes);
        memcpy(copy, c->kat->digest, output_bytes);
        return copy;
    }
    if (!c->image->algorithm)
        return NULL;
    const struct primitive *reference =
        primitive_find(kind_of(c->image->algorithm->kind), c->image->algorithm->name, "ref");
    if (!reference)
        return NULL;
    uint8_t *expected = uj_malloc(output_bytes);
    reference->once(expected, output_bytes, message->content, message->bytes, NULL, 0);
    return expected;
}

static void take_sizes(struct measurement *out, const struct bench_image *i,
                       const struct measure_result *r, bool baseline)
{
    out->rom_bytes = i->build.sizes.rom_bytes;
    out->data_bytes = i->build.sizes.data_bytes;
    out->bss_bytes = i->build.sizes.bss_bytes;
    out->stack_bytes = (int64_t)r->counts.stack_bytes;
    out->ram_bytes = out->data_bytes + out->bss_bytes + out->stack_bytes;
    out->su_bytes = i->build.su_bytes;
    out->image_rom_bytes = i->image->rom_bytes;
    out->image_data_bytes = i->image->data_bytes;
    out->image_bss_bytes = i->image->bss_bytes;
    if (baseline)
        bench_baseline_compare(out, &i->baseline);
}

static void take_figures(struct measurement *out, const struct bench_image *i,
                         const struct measure_result *r, bool baseline)
{
    out->verified = r->verified ? MEASURED_YES : MEASURED_UNVERIFIED;
    out->cycles = (int64_t)r->counts.cycles;
    out->isr_cycles = (int64_t)r->counts.isr_cycles;
    out->timer_cycles = r->timer_cycles;
    out->time_ns = llround((double)r->counts.cycles / r->clock_hz * 1e9);
    take_sizes(out, i, r, baseline);
    struct energy_result energy;
    energy_of_states(i->board->energy, &energy, "cpu", r->counts.states, r->counts.state_count);
    out->energy_nj = energy.nj;
    out->energy_spread_nj = energy.spread_nj;
    replace(&out->energy_method, isnan(energy.nj) ? NULL : energy.method);
    replace(&out->energy_reason, isnan(energy.nj) ? energy.reason : NULL);
    measurement_derive(out);
}

static enum uj_err measure_case(struct uj_ctx *ctx, const struct bench_matrix *m,
                                struct bench_case *c, const struct message *message,
                                size_t output_bytes)
{
    const struct bench_image *i = c->image;
    uint8_t *expected = expected_output(c, message, output_bytes);
    if (!expected && !m->request.unverified) {
        measurement_void(&c->result);
        c->result.error = uj_strdup("there is nothing to check its output with");
        return UJ_OK;
    }
    struct activity_log log = {0};
    struct measure_job job = {
        .board = i->board->board,
        .image = i->image,
        .function = i->build.function,
        .init = i->build.init,
        .update = i->build.update,
        .final = i->build.final,
        .message = message,
        .output_bytes = output_bytes,
        .expected = expected,
        .cached = m->request.from && strcmp(m->request.from, "flash") == 0,
        .cycle_limit = m->request.cycle_limit,
        .log = m->request.observe ? &log : NULL,
    };
    struct measure_result r;
    enum uj_err err = measure_run(ctx, &r, &job);
    if (!err) {
        if (r.output) {
            c->result.output = uj_malloc(2 * output_bytes + 1);
            hex_encode(c->result.output, r.output, output_bytes);
        }
        if (r.error)
            replace(&c->result.error, r.error);
        else
            take_figures(&c->result, i, &r, m->request.baseline);
        if (!r.error && m->request.period_s > 0)
            bench_period_price(&c->result, i->board->board, i->board->energy, r.clock_hz,
                               m->request.period_s);
        if (m->request.observe && !r.error)
            m->request.observe(m->request.observer, (size_t)(c - m->cases), &c->result, r.clock_hz,
                               &log, i->board->board, i->board->energy);
        measure_result_free(&r);
    }
    activity_free(&log);
    free(expected);
    return err;
}

/* Does the failure of one image leave the others something to do? */
static bool ends_everything(enum uj_err code)
{
    return code == UJ_ERR_USAGE || code == UJ_ERR_TOOL || code == UJ_ERR_IO ||
           code == UJ_ERR_MEMORY;
}

static enum uj_err do_case(struct uj_ctx *ctx, struct crew *crew, struct bench_case *c)
{
    const struct bench_matrix *m = crew->matrix;
    const struct bench_image *i = ready_image(m, c->image);
    if (ends_everything(i->failure.code))
        return uj_fail(ctx, i->failure.code, "%s", i->failure.message);
    size_t output_bytes = i->failure.code ? 0 : (size_t)i->build.output_bytes;

    struct message message;
    if (c->kat)
        message_literal(&message, c->kat->message, c->kat->message_bytes);
    else
        message_seeded(&message, c->seed, c->message_bytes);
    describe(&c->result, m, c, output_bytes, &message);

    enum uj_err err = UJ_OK;
    bool found = false;
    if (i->failure.code) {
        replace(&c->result.error, i->failure.message);
    } else {
        struct measurement stored;
        if (crew->store && !m->request.again && !m->request.observe)
            err = store_find(ctx, &stored, &found, crew->store, &c->result);
        if (found) {
            measurement_free(&c->result);
            c->result = stored;
        } else if (!err) {
            err = measure_case(ctx, m, c, &message, output_bytes);
        }
    }
    message_free(&message);
    if (!err && !found && crew->store)
        err = store_put(ctx, crew->store, &c->result);
    return err;
}

static void *work(void *argument)
{
    struct crew *crew = argument;
    for (;;) {
        (void)pthread_mutex_lock(&crew->lock);
        size_t k = crew->failure.code ? crew->matrix->case_count : crew->next++;
        (void)pthread_mutex_unlock(&crew->lock);
        if (k >= crew->matrix->case_count)
            return NULL;
        struct uj_ctx ctx = {0};
        struct bench_case *c = &crew->matrix->cases[k];
        if (do_case(&ctx, crew, c)) {
            (void)pthread_mutex_lock(&crew->lock);
            (void)uj_fail(&crew->failure, ctx.code, "%s", ctx.message);
            (void)pthread_mutex_unlock(&crew->lock);
        }
        char detail[96];
        (void)snprintf(detail, sizeof detail, "%s %s %s %zu", c->image->board->board->name,
                       c->image->implementation->algorithm, c->image->implementation->name,
                       c->message_bytes);
        progress_step(crew->progress, detail);
    }
}

enum uj_err bench_matrix_run(struct uj_ctx *ctx, struct bench_matrix *m, struct store *store)
{
    enum { JOBS_MAX = 64 };
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = m->request.jobs ? m->request.jobs : (unsigned)(processors > 0 ? processors : 1);
    if (jobs > JOBS_MAX)
        jobs = JOBS_MAX;
    struct crew crew = {.matrix = m, .store = store};
    (void)pthread_mutex_init(&crew.lock, NULL);
    crew.progress = progress_start("measurements", m->case_count);
    pthread_t threads[JOBS_MAX];
    unsigned started = 0;
    while (started + 1 < jobs && pthread_create(&threads[started], NULL, work, &crew) == 0)
        started++;
    (void)work(&crew);
    for (unsigned t = 0; t < started; t++)
        (void)pthread_join(threads[t], NULL);
    progress_end(crew.progress);
    (void)pthread_mutex_destroy(&crew.lock);
    return crew.failure.code ? uj_fail(ctx, crew.failure.code, "%s", crew.failure.message) : UJ_OK;
}
