#include "energy/energy_figure.h"

enum uj_err energy_figure_read(struct uj_ctx *ctx, const struct yaml_node **value,
                               const struct yaml_node *node)
{
    static const char *const keys[] = {"value", "source", "assumption", "note"};
    const char *word = "";
    enum uj_err err = yaml_only(ctx, node, keys, sizeof keys / sizeof keys[0]);
    if (!err)
        err = yaml_need(ctx, value, node, "value");
    if (err)
        return err;
    if (!yaml_get(node, "source") == !yaml_get(node, "assumption"))
        return yaml_fail(ctx, node, "needs either \"source\" or \"assumption\"");
    if ((err = yaml_get_text(ctx, &word, node, "source")) ||
        (err = yaml_get_text(ctx, &word, node, "assumption")))
        return err;
    if (*word == '\0')
        return yaml_fail(ctx, node, "has an empty source or assumption");
    return UJ_OK;
}

enum uj_err energy_bounded(struct uj_ctx *ctx, double *out, const struct yaml_node *value,
                           const struct energy_bounds *bounds)
{
    double number;
    enum uj_err err = yaml_quantity(ctx, &number, value, bounds->unit);
    if (err)
        return err;
    if (!(number >= bounds->low && number <= bounds->high) ||
        (bounds->above && number <= bounds->low))
        return yaml_fail(ctx, value, "must be %s %g and at most %g",
                         bounds->above ? "above" : "at least", bounds->low, bounds->high);
    *out = number;
    return UJ_OK;
}
