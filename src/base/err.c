#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

enum uj_err uj_fail(struct uj_ctx *ctx, enum uj_err code, const char *format, ...)
{
    if (ctx->code != UJ_OK)
        return ctx->code;
    ctx->code = code;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(ctx->message, sizeof ctx->message, format, args);
    va_end(args);
    for (char *c = ctx->message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return code;
}

void uj_clear(struct uj_ctx *ctx)
{
    ctx->code = UJ_OK;
    ctx->message[0] = '\0';
}

int uj_exit_code(enum uj_err code)
{
    static const int exits[] = {
        [UJ_OK] = 0,     [UJ_ERR_USAGE] = 2,  [UJ_ERR_INPUT] = 2,  [UJ_ERR_TOOL] = 1,
        [UJ_ERR_IO] = 1, [UJ_ERR_MEMORY] = 1, [UJ_ERR_RESULT] = 1,
    };
    return exits[code];
}
