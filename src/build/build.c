#include "build/build.h"

#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "base/file.h"
#include "base/str.h"
#include "build/cache.h"
#include "build/plan.h"
#include "build/steps.h"
#include "image/image.h"

void build_result_free(struct build_result *r)
{
    free(r->elf_path);
    free(r->cc);
    free(r->compiler);
    free(r->flags);
    free(r->function);
    free(r->init);
    free(r->update);
    free(r->final);
    free(r->log);
    *r = (struct build_result){0};
}

/* What is known without building. */
static void describe(struct build_result *out, const struct build_plan *p)
{
    const struct implementation *i = p->request->implementation;
    out->cc = uj_strdup(p->compiler.path);
    out->compiler = uj_strdup(p->compiler.version);
    out->flags = uj_strdup(p->flags);
    out->function = uj_strdup(i->prefix);
    if (i->form != IMPLEMENTATION_CONTRACT)
        return;
    out->init = uj_format("%s_init", i->prefix);
    out->update = uj_format("%s_update", i->prefix);
    out->final = uj_format("%s_final", i->prefix);
}

/* Against the chip's own sizes: a linker may know of none, or of a larger sibling's. */
static enum uj_err check_fit(struct uj_ctx *ctx, const struct board *b, const char *elf_path)
{
    struct image *image;
    enum uj_err err =
        image_load(ctx, &image, elf_path, b->core_class->elf_machine, b->core_class->isa);
    if (err)
        return err;
    uint64_t flash_end = (uint64_t)b->flash_base + b->flash_bytes, last = 0;
    for (size_t i = 0; i < image->segment_count && b->flash_bytes; i++) {
        const struct image_segment *s = &image->segments[i];
        uint64_t end = (uint64_t)s->address + s->bytes;
        bool in_ram = image->machine != EM_AVR && s->address - b->ram_base < b->ram_bytes;
        if (!in_ram && (image->machine != EM_AVR || s->address < 0x800000) && end > last)
            last = end;
    }
    int64_t ram = image->data_bytes + image->bss_bytes;
    if (last > flash_end)
        err =
            uj_fail(ctx, UJ_ERR_RESULT, "does not fit the flash: %llu bytes over the %u there are",
                    (unsigned long long)(last - flash_end), b->flash_bytes);
    else if (b->ram_bytes && ram > (int64_t)b->ram_bytes)
        err = uj_fail(ctx, UJ_ERR_RESULT, "does not fit the RAM: %lld bytes over the %u there are",
                      (long long)(ram - b->ram_bytes), b->ram_bytes);
    image_free(image);
    return err;
}

static enum uj_err build(struct uj_ctx *ctx, struct build_result *out, const struct build_plan *p)
{
    struct build_steps steps = {0};
    char *folder = NULL;
    enum uj_err err = cache_work_folder(ctx, &folder, p);
    if (!err)
        err = steps_run(ctx, &steps, p, folder, &out->commands);
    if (!err)
        err = check_fit(ctx, p->request->board, steps.elf_path);
    if (!err)
        err = steps_measure(ctx, out, &steps);
    out->output_bytes = steps.output_bytes;
    if (!err)
        err = cache_publish(ctx, out, p, steps.elf_path);
    if (steps.log)
        out->log = uj_strdup(steps.log);
    steps_free(&steps);
    if (folder)
        folder_remove(folder);
    free(folder);
    return err;
}

enum uj_err build_image(struct uj_ctx *ctx, struct build_result *out,
                        const struct build_request *in)
{
    struct build_plan plan;
    struct cache_lock lock = {-1, NULL};
    *out = (struct build_result){0};
    enum uj_err err = plan_make(ctx, &plan, in, &out->commands);
    if (!err) {
        describe(out, &plan);
        if (!cache_find(out, &plan)) {
            err = cache_lock(ctx, &lock, &plan);
            if (!err && !cache_find(out, &plan))
                err = build(ctx, out, &plan);
            cache_unlock(&lock);
        }
    }
    plan_free(&plan);
    return err;
}
