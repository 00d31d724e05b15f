#include "cli/bench_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/str.h"
#include "base/unknown.h"
#include "cli/bench_period.h"

static const char *const default_boards[] = {"cw-xmega"};
static const int64_t default_sizes[] = {16, 64, 1024};

static enum uj_err plan_boards(struct uj_ctx *ctx, struct bench_matrix *m)
{
    const struct bench_request *r = &m->request;
    char *devices;
    enum uj_err err = uj_folder(ctx, &devices, "devices");
    if (err)
        return err;
    size_t count =
        r->board_count ? r->board_count : sizeof default_boards / sizeof default_boards[0];
    m->boards = uj_calloc(count, sizeof *m->boards);
    for (size_t i = 0; !err && i < count; i++) {
        const char *name = r->board_count ? r->boards[i] : default_boards[i];
        err = board_load(ctx, &m->boards[i].board, devices, name);
        if (err)
            break;
        m->board_count = i + 1;
        const struct yaml_node *toolchain = yaml_get(m->boards[i].board->mcu_map, "toolchain");
        if (r->from && (!toolchain || !yaml_get(toolchain, "code"))) {
            err = uj_fail(ctx, UJ_ERR_USAGE, "--from %s: images for %s lie in one place only",
                          r->from, name);
            break;
        }
        err = energy_model_load(ctx, &m->boards[i].energy, m->boards[i].board, r->currents);
        if (!err && r->period_s > 0)
            err = bench_period_check(ctx, m->boards[i].board);
    }
    free(devices);
    return err;
}

static void add_image(struct bench_matrix *m, const struct bench_board *board,
                      const struct implementation *implementation,
                      const struct algorithm *algorithm)
{
    m->images = uj_realloc(m->images, (m->image_count + 1) * sizeof *m->images);
    m->images[m->image_count++] = (struct bench_image){
        .board = board, .implementation = implementation, .algorithm = algorithm};
}

static bool wanted(const char *name, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0;
}

/* Has the board's chip every block that the implementation drives? */
static bool board_has(const struct board *board, const struct implementation *i)
{
    const struct yaml_node *blocks = yaml_get(board->mcu_map, "blocks");
    for (size_t k = 0; k < i->needs_count; k++) {
        bool found = false;
        for (size_t b = 0; blocks && b < blocks->count; b++) {
            const struct yaml_node *class = yaml_get(&blocks->items[b], "class");
            found = found || (class && class->text && strcmp(class->text, i->needs[k]) == 0);
        }
        if (!found)
            return false;
    }
    return true;
}

/* The user's own folder: what it computes must be said, or its absence accepted. */
static enum uj_err plan_user(struct uj_ctx *ctx, struct bench_matrix *m)
{
    struct bench_request *r = &m->request;
    const struct algorithm *algorithm = NULL;
    enum uj_err err = UJ_OK;
    if (r->implementation_count != 1)
        return uj_fail(ctx, UJ_ERR_USAGE, "-i: a folder of your own stands alone; give one");
    if (!r->as && !r->kat && !r->unverified)
        return uj_fail(
            ctx, UJ_ERR_USAGE,
            "-i %s: say what it must compute with --as ALGORITHM or --kat FILE, or accept "
            "unchecked figures with --unverified",
            r->implementations[0]);
    if (r->as)
        err = catalog_algorithm(ctx, &algorithm, m->catalog, r->as);
    if (!err && r->kat)
        err = kat_file_load(ctx, &m->kat, r->kat);
    if (!err)
        err = catalog_user_folder(ctx, &m->user, m->catalog, r->implementations[0], algorithm);
    for (size_t b = 0; !err && b < m->board_count; b++)
        add_image(m, &m->boards[b], m->user, algorithm);
    return err;
}

static enum uj_err check_names(struct uj_ctx *ctx, const struct bench_matrix *m)
{
    const struct bench_request *r = &m->request;
    for (size_t i = 0; i < r->algorithm_count; i++) {
        const struct algorithm *algorithm;
        enum uj_err err = catalog_algorithm(ctx, &algorithm, m->catalog, r->algorithms[i]);
        if (err)
            return err;
    }
    for (size_t i = 0; i < r->implementation_count; i++) {
        bool found = false;
        const char **names = uj_calloc(m->catalog->implementation_count, sizeof *names);
        for (size_t k = 0; k < m->catalog->implementation_count; k++) {
            names[k] = m->catalog->implementations[k].name;
            found = found || strcmp(names[k], r->implementations[i]) == 0;
        }
        enum uj_err err = UJ_OK;
        if (!found)
            err = uj_fail_unknown(ctx, UJ_ERR_USAGE, "implementation", r->implementations[i], names,
                                  m->catalog->implementation_count);
        free(names);
        if (err)
            return err;
    }
    return UJ_OK;
}

static enum uj_err plan_catalog(struct uj_ctx *ctx, struct bench_matrix *m)
{
    const struct bench_request *r = &m->request;
    enum uj_err err = check_names(ctx, m);
    for (size_t b = 0; !err && b < m->board_count; b++) {
        for (size_t k = 0; !err && k < m->catalog->implementation_count; k++) {
            const struct implementation *i = &m->catalog->implementations[k];
            const struct algorithm *algorithm;
            if (!wanted(i->algorithm, r->algorithms, r->algorithm_count) ||
                !wanted(i->name, r->implementations, r->implementation_count) ||
                !board_has(m->boards[b].board, i))
                continue;
            err = catalog_algorithm(ctx, &algorithm, m->catalog, i->algorithm);
            add_image(m, &m->boards[b], i, algorithm);
        }
    }
    if (!err && m->image_count == 0)
        err = uj_fail(
            ctx, UJ_ERR_USAGE,
            "no implementation fits -a, -i and -d together; see: ujoule list implementations");
    return err;
}

static enum uj_err plan_cases(struct uj_ctx *ctx, struct bench_matrix *m)
{
    const struct bench_request *r = &m->request;
    const int64_t *sizes = r->size_count ? r->sizes : default_sizes;
    size_t size_count =
        r->size_count ? r->size_count : sizeof default_sizes / sizeof default_sizes[0];
    unsigned runs = r->runs ? r->runs : 1;
    m->cases = uj_calloc(m->image_count * size_count * runs, sizeof *m->cases);
    for (size_t i = 0; i < m->image_count; i++) {
        for (size_t s = 0; s < size_count; s++) {
            for (unsigned run = 0; run < runs; run++) {
                struct bench_case *c = &m->cases[m->case_count++];
                measurement_init(&c->result);
                c->image = &m->images[i];
                c->message_bytes = (size_t)sizes[s];
                c->seed = r->seed + run;
                if (!m->kat.count)
                    continue;
                c->kat = kat_file_of_length(&m->kat, c->message_bytes);
                if (!c->kat)
                    return uj_fail(ctx, UJ_ERR_USAGE,
                                   "%s: has no answer to a message of %zu bytes; "
                                   "choose another -n",
                                   r->kat, c->message_bytes);
            }
        }
    }
    return UJ_OK;
}

enum uj_err bench_matrix_plan(struct uj_ctx *ctx, struct bench_matrix **out,
                              const struct bench_request *request)
{
    struct bench_matrix *m = uj_calloc(1, sizeof *m);
    m->request = *request;
    char *primitives = NULL;
    enum uj_err err = uj_folder(ctx, &primitives, "primitives");
    if (!err)
        err = catalog_load(ctx, &m->catalog, primitives);
    free(primitives);
    if (!err)
        err = plan_boards(ctx, m);
    bool own = request->implementation_count > 0 && catalog_is_folder(request->implementations[0]);
    if (!err && !own && (request->as || request->kat))
        err =
            uj_fail(ctx, UJ_ERR_USAGE, "--as and --kat go with a folder of your own, -i ./FOLDER");
    if (!err)
        err = own ? plan_user(ctx, m) : plan_catalog(ctx, m);
    if (!err)
        err = plan_cases(ctx, m);
    for (size_t i = 0; i < m->image_count; i++)
        (void)pthread_mutex_init(&m->images[i].lock, NULL);
    if (err)
        bench_matrix_free(m);
    else
        *out = m;
    return err;
}

size_t bench_matrix_count(const struct bench_matrix *m)
{
    return m->case_count;
}

const struct measurement *bench_matrix_result(const struct bench_matrix *m, size_t k)
{
    return &m->cases[k].result;
}

void bench_matrix_free(struct bench_matrix *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->case_count; i++)
        measurement_free(&m->cases[i].result);
    for (size_t i = 0; i < m->image_count; i++) {
        build_result_free(&m->images[i].build);
        image_free(m->images[i].image);
        (void)pthread_mutex_destroy(&m->images[i].lock);
    }
    for (size_t i = 0; i < m->board_count; i++) {
        energy_model_free(m->boards[i].energy);
        board_free(m->boards[i].board);
    }
    kat_file_free(&m->kat);
    if (m->user)
        implementation_free(m->user);
    catalog_free(m->catalog);
    free(m->cases);
    free(m->images);
    free(m->boards);
    free(m);
}
