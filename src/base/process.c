#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

enum { OUTPUT, ERRORS, STREAMS };

/* One that runs. */
struct running {
    struct process *process;
    pid_t pid;
    int fd[STREAMS];     /* -1: ended */
    int64_t deadline_ms; /* 0: none */
};

static int64_t now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

char *process_find(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 && file_exists(name) ? uj_strdup(name) : NULL;
    const char *path = getenv("PATH");
    if (!path)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*name) {
        size_t length = strcspn(path, ":");
        char *folder = length ? uj_strndup(path, length) : uj_strdup(".");
        char *candidate = path_join(folder, name);
        free(folder);
        if (access(candidate, X_OK) == 0 && file_exists(candidate))
            return candidate;
        free(candidate);
        if (!path[length])
            break;
        path += length + 1;
    }
    return NULL;
}

bool process_good(const struct process *p)
{
    return p->end == PROCESS_EXITED && p->code == 0;
}

void process_free(struct process *p)
{
    str_free(&p->output);
    str_free(&p->errors);
}

static void close_pipe(int fd[2])
{
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            (void)close(fd[i]);
}

/* posix_spawn with the pipes' ends in place. Its own process group, so that all of it can be ended;
 * default signals, since the caller may have blocked or ignored some. */
static int spawn(struct process *p, pid_t *pid, int output, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGKILL);
    (void)sigdelset(&all, SIGSTOP);
    (void)sigemptyset(&none);

    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    if (!error && p->folder)
        error = posix_spawn_file_actions_addchdir_np(&actions, p->folder);
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (!error)
        error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error)
        error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error)
        error = posix_spawnp(pid, p->argv[0], &actions, &attributes, p->argv,
                             p->environment ? p->environment : environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static enum uj_err start(struct uj_ctx *ctx, struct running *r, struct process *p)
{
    int output[2] = {-1, -1}, errors[2] = {-1, -1};
    int error = 0;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        error = errno;
    if (!error)
        error = spawn(p, &r->pid, output[1], errors[1]);
    if (error) {
        close_pipe(output);
        close_pipe(errors);
        return uj_fail(ctx, UJ_ERR_TOOL, "%s: cannot be started: %s", p->argv[0], strerror(error));
    }
    (void)close(output[1]);
    (void)close(errors[1]);
    r->process = p;
    r->fd[OUTPUT] = output[0];
    r->fd[ERRORS] = errors[0];
    r->deadline_ms = p->timeout_s ? now_ms() + (int64_t)p->timeout_s * 1000 : 0;
    return UJ_OK;
}

/* Takes what is there; closes the stream at its end. */
static void drain(struct running *r, int stream)
{
    struct str *to = stream == OUTPUT ? &r->process->output : &r->process->errors;
    char bytes[8192];
    ssize_t got = read(r->fd[stream], bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        (void)close(r->fd[stream]);
        r->fd[stream] = -1;
        return;
    }
    size_t room = PROCESS_OUTPUT_MAX - to->length;
    str_add_bytes(to, bytes, (size_t)got < room ? (size_t)got : room);
}

static bool streams_ended(const struct running *r)
{
    return r->fd[OUTPUT] < 0 && r->fd[ERRORS] < 0;
}

/* Takes its end, if it has come to one or its time is over. */
static bool finish(struct running *r)
{
    int status = 0;
    bool late = r->deadline_ms && now_ms() >= r->deadline_ms;
    if (late)
        (void)kill(-r->pid, SIGKILL);
    else if (!streams_ended(r))
        return false;
    pid_t got;
    while ((got = waitpid(r->pid, &status, late ? 0 : WNOHANG)) < 0 && errno == EINTR)
        ;
    if (got == 0)
        return false;
    for (int i = 0; i < STREAMS; i++)
        if (r->fd[i] >= 0)
            (void)close(r->fd[i]);
    if (late) {
        r->process->end = PROCESS_TIMEOUT;
    } else if (WIFSIGNALED(status)) {
        r->process->end = PROCESS_SIGNAL;
        r->process->code = WTERMSIG(status);
    } else {
        r->process->end = PROCESS_EXITED;
        r->process->code = WEXITSTATUS(status);
    }
    return true;
}

/* Waits until something is there to read or the first deadline has come, and takes it. */
static void wait_some(struct running *list, size_t count, struct pollfd *polled)
{
    int64_t first = INT64_MAX, now = now_ms();
    for (size_t i = 0; i < count; i++) {
        for (int s = 0; s < STREAMS; s++)
            polled[i * STREAMS + (size_t)s] =
                (struct pollfd){.fd = list[i].fd[s], .events = POLLIN};
        if (list[i].deadline_ms && list[i].deadline_ms < first)
            first = list[i].deadline_ms;
        /* It has closed its output but may live on: no descriptor tells of its end. */
        if (streams_ended(&list[i]) && now + 1 < first)
            first = now + 1;
    }
    int timeout = -1;
    if (first != INT64_MAX) {
        int64_t left = first - now;
        timeout = left < 0 ? 0 : left > 60000 ? 60000 : (int)left + 1;
    }
    if (poll(polled, count * STREAMS, timeout) <= 0)
        return;
    for (size_t i = 0; i < count * STREAMS; i++)
        if (polled[i].fd >= 0 && polled[i].revents)
            drain(&list[i / STREAMS], (int)(i % STREAMS));
}

enum uj_err process_run_all(struct uj_ctx *ctx, struct process *list, size_t count, unsigned jobs,
                            unsigned *started)
{
    enum uj_err err = UJ_OK;
    size_t most = jobs ? jobs : 1, running = 0, next = 0;
    if (most > count)
        most = count;
    struct running *slots = uj_calloc(most, sizeof *slots);
    struct pollfd *polled = uj_calloc(most * STREAMS, sizeof *polled);
    bool failed = false;

    for (size_t i = 0; i < count; i++) {
        list[i].end = PROCESS_NOT_RUN;
        list[i].code = 0;
        str_init(&list[i].output);
        str_init(&list[i].errors);
    }
    while (running || (next < count && !failed)) {
        while (running < most && next < count && !failed) {
            err = start(ctx, &slots[running], &list[next]);
            if (err) {
                failed = true;
                break;
            }
            running++;
            next++;
            ++*started;
        }
        if (running)
            wait_some(slots, running, polled);
        for (size_t i = 0; i < running;) {
            struct running *r = &slots[i];
            if (!finish(r)) {
                i++;
                continue;
            }
            failed |= !process_good(r->process);
            *r = slots[--running];
        }
    }
    free(polled);
    free(slots);
    return err;
}

enum uj_err process_run(struct uj_ctx *ctx, struct process *p)
{
    unsigned started = 0;
    return process_run_all(ctx, p, 1, 1, &started);
}
