#include "cli/bench_baseline.h"

#include "image/image.h"

enum uj_err bench_baseline_build(struct uj_ctx *ctx, struct bench_baseline *out,
                                 const struct build_request *image, int64_t output_bytes)
{
    struct build_request request = *image;
    request.baseline = true;
    request.output_bytes = output_bytes;
    struct build_result build;
    struct image *built;
    enum uj_err err = build_image(ctx, &build, &request);
    if (!err)
        err = image_load(ctx, &built, build.elf_path, image->board->core_class->elf_machine,
                         image->board->core_class->isa);
    if (!err) {
        out->rom_bytes = built->rom_bytes;
        out->data_bytes = built->data_bytes;
        out->bss_bytes = built->bss_bytes;
        image_free(built);
    }
    build_result_free(&build);
    return err;
}

void bench_baseline_compare(struct measurement *m, const struct bench_baseline *baseline)
{
    m->image_rom_increase_bytes = m->image_rom_bytes - baseline->rom_bytes;
    m->image_rom_increase_percent =
        100.0 * (double)m->image_rom_increase_bytes / (double)baseline->rom_bytes;
    m->image_data_increase_bytes = m->image_data_bytes - baseline->data_bytes;
    m->image_bss_increase_bytes = m->image_bss_bytes - baseline->bss_bytes;
}
