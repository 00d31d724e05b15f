#include "base/progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/utf8.h"

enum { BAR = 20, USUAL_COLUMNS = 80, REDRAW_MS = 50 };

struct progress {
    pthread_mutex_t lock;
    FILE *stream;
    bool is_terminal, drawn;
    char *what, *detail;
    size_t done, total;
    int64_t started_ms, drawn_ms;
};

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static size_t columns_of(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return USUAL_COLUMNS;
}

static void wipe(struct progress *p)
{
    if (p->drawn)
        (void)fputs("\r\033[K", p->stream);
    p->drawn = false;
}

/* Cuts the text to `columns` characters. */
static void cut(struct str *text, size_t columns)
{
    size_t end = 0;
    for (size_t i = 0; i < columns && text->text[end]; i++)
        end += utf8_sequence(text->text + end);
    text->text[end] = '\0';
    text->length = end;
}

static void draw(struct progress *p)
{
    struct str line;
    str_init(&line);
    size_t filled = p->total ? p->done * BAR / p->total : BAR;
    str_addf(&line, "[%.*s%.*s] %zu/%zu %s", (int)filled, "####################",
             (int)(BAR - filled), "....................", p->done, p->total, p->what);
    int64_t left_s = 0;
    if (p->done > 0)
        left_s =
            (now_ms() - p->started_ms) * (int64_t)(p->total - p->done) / (int64_t)p->done / 1000;
    if (left_s > 0)
        str_addf(&line, ", %lld s left", (long long)left_s);
    if (p->detail) {
        str_add(&line, "  ");
        utf8_add_plain(&line, p->detail);
    }
    cut(&line, columns_of(p->stream) - 1); /* the last column would wrap */
    (void)fprintf(p->stream, "\r\033[K%s", line.text);
    (void)fflush(p->stream);
    str_free(&line);
    p->drawn = true;
    p->drawn_ms = now_ms();
}

struct progress *progress_start_on(FILE *stream, int is_terminal, const char *what, size_t total)
{
    struct progress *p = uj_calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    p->stream = stream;
    p->is_terminal = is_terminal;
    p->what = uj_strdup(what);
    p->total = total;
    p->started_ms = now_ms();
    if (p->is_terminal)
        draw(p);
    return p;
}

struct progress *progress_start(const char *what, size_t total)
{
    const char *terminal = getenv("TERM");
    bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
    return progress_start_on(stderr, isatty(STDERR_FILENO) && !dumb, what, total);
}

void progress_step(struct progress *p, const char *detail)
{
    pthread_mutex_lock(&p->lock);
    if (p->done < p->total)
        p->done++;
    free(p->detail);
    p->detail = detail ? uj_strdup(detail) : NULL;
    bool due = p->done == p->total || now_ms() - p->drawn_ms >= REDRAW_MS;
    if (p->is_terminal && due)
        draw(p);
    pthread_mutex_unlock(&p->lock);
}

void progress_note(struct progress *p, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&line, format, args);
    va_end(args);
    if (length < 0)
        return;
    pthread_mutex_lock(&p->lock);
    wipe(p);
    (void)fprintf(p->stream, "%s\n", line);
    if (p->is_terminal)
        draw(p);
    pthread_mutex_unlock(&p->lock);
    free(line);
}

void progress_end(struct progress *p)
{
    if (!p)
        return;
    wipe(p);
    (void)fflush(p->stream);
    pthread_mutex_destroy(&p->lock);
    free(p->what);
    free(p->detail);
    free(p);
}
