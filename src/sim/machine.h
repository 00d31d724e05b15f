/*
 * A machine: one board that runs. It owns the core, the memory, the clocks, the event queue, the
 * peripherals, the nets between them, and the states over time.
 *
 * Laws
 * - No global state: machines in different threads do not know of each other.
 * - Time never goes back. machine_now() is exact inside a device handler.
 * - Between two events the core runs free; a sleeping core jumps to the next event.
 * - Same image, same board, same inputs: same run, to the cycle.
 */
#ifndef UJ_SIM_MACHINE_H
#define UJ_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/yaml.h"
#include "sim/clock.h"
#include "sim/core.h"
#include "sim/event.h"
#include "sim/mem.h"
#include "sim/state.h"

struct periph;
struct machine;

/* The chip's interrupt controller: a peripheral registers itself as such in create(). */
struct irq_controller {
    void *owner;
    void (*set)(void *owner, int number, bool level);
};

/* A wire. The last to drive it wins, but for those of sim/wire.h; listeners hear of changes only.
 */
struct net_listener {
    void (*changed)(void *owner, bool level, uint64_t now_ps);
    void *owner;
    struct net_listener *next;
};
struct sim_net {
    char *name; /* "porta.0" or a name of the board's */
    bool level;
    bool is_driven, driven; /* by net_drive(), and the level */
    struct wire *wires;     /* sim/wire.h */
    struct sim_net
        *joined; /* the net that stands for this one, where the board wired them together */
    struct net_listener *listeners;
    struct sim_net *next;
};

/* A serial port: what a UART sends, and what it is to receive. */
struct sim_serial {
    const char *name;
    void (*sent)(void *owner, uint8_t byte, uint64_t now_ps); /* set by who listens; may be NULL */
    void *owner;
    void (*to_receive)(void *uart); /* set by the UART: bytes were queued */
    void *uart;
    uint8_t *queue; /* bytes that wait to be received */
    size_t queue_count, queue_capacity;
    struct sim_serial *next;
};

/* A watch point on the program counter. */
struct machine_watch {
    uint32_t address;
    void (*hit)(void *owner, struct machine *m);
    void *owner;
    struct machine_watch *next;
};

enum machine_stop {
    MACHINE_TIME,    /* the time asked for has come */
    MACHINE_STOPPED, /* machine_stop() was called */
    MACHINE_IDLE,    /* asleep, and nothing will ever happen */
    MACHINE_FAULT,   /* core->fault */
    MACHINE_EXIT,    /* the program ended: core->exit_code */
};

struct machine {
    struct core *core;
    struct mem_space data, code; /* code is unused on a von Neumann machine */
    struct sim_clock *cpu_clock;
    struct sim_clock *clocks; /* array, named in the YAML */
    size_t clock_count;
    struct event_queue events;
    uint64_t now_ps; /* while no instruction is being executed */
    struct irq_controller irq;
    struct periph *periphs;
    struct sim_net *nets;
    struct sim_serial *serials;
    struct machine_watch *watches;
    struct state_track cpu_state;
    struct state_track *states; /* list of all tracks, cpu_state among them */
    struct mem_region *regions; /* plain memory, array */
    size_t region_count;
    bool traced;           /* run with core->trace */
    const char *image_def; /* whose IMAGE_DEF the boot ROM takes: "arm", "riscv"; NULL: no matter */
    bool priced;           /* code lies where fetches wait: run with core->fetch_wait */
    bool in_core;
    uint64_t acting_ps;      /* another master of the bus acts at this time; 0: none does */
    uint64_t until_ps;       /* of the machine_run() that is going on */
    bool is_stopping;        /* machine_stop() was called */
    const char *reset_cause; /* machine_request_reset() was called */
    /* Hears of such a reset before it is made; `pc` is where the core was. May be NULL. */
    void (*was_reset)(void *reset_owner, const char *cause, uint32_t pc);
    void *reset_owner;
    struct sim_spi *spis; /* sim/spi.h */
    struct sim_i2c *i2cs; /* sim/i2c.h */
    struct clock_user cpu_clock_user;
    struct core_fault note; /* the first mistake of the program that did not end the run */
    void *board;            /* sim/board.h keeps its own here */
};

/* Runs until `until_ps`, or until something else ends it. */
enum machine_stop machine_run(struct machine *m, uint64_t until_ps);
/* Ends machine_run() after the instruction that is being executed. For watches and listeners. */
void machine_stop(struct machine *m);
/* A device saw a mistake that the chip bears with (data lost, a transfer given up): the first is
 * kept in `note`, with the instruction that is to blame; detail may be NULL. */
void machine_note(struct machine *m, uint32_t pc, const char *reason, uint32_t address,
                  const char *detail);
/* Back to the state after power-on; memory keeps what was loaded into it. */
void machine_reset(struct machine *m);
/* For a device: the chip resets itself behind the instruction under way, and goes on. `cause` is a
 * constant. While the blocks are reset, reset_cause says why. */
void machine_request_reset(struct machine *m, const char *cause);
/* For a device: holds the core for so many of its cycles behind the instruction under way. */
void machine_stall(struct machine *m, uint64_t cycles);

/* The time now, exact within device handlers. */
uint64_t machine_now(struct machine *m);
/* Fires what is due; device regions call it before each access. */
void machine_sync(struct machine *m);
/* Events were scheduled or clocks changed: the core must not run past the next of them. */
void machine_retime(struct machine *m);
/* Schedules and retimes. */
void machine_at(struct machine *m, struct sim_event *e, uint64_t when_ps);

/* The chip's controller says whether an enabled interrupt is requested. Wakes a sleeping core. */
void machine_irq_request(struct machine *m, bool pending);

/* Finds or makes the net of that name. */
struct sim_net *machine_net(struct machine *m, const char *name);
void net_drive(struct machine *m, struct sim_net *net, bool level);
bool net_level(const struct sim_net *net);
void net_listen(struct sim_net *net, struct net_listener *listener);
/* The two names mean one wire from now on. */
void net_join(struct sim_net *a, struct sim_net *b);

/* A UART registers its port in create(); others find it by the UART's name, NULL: there is none. */
struct sim_serial *machine_add_serial(struct machine *m, const char *name);
struct sim_serial *machine_serial(struct machine *m, const char *name);
/* The UART has sent a byte, its last stop bit included, at when_ps. */
void serial_sent(struct sim_serial *s, uint8_t byte, uint64_t when_ps);
/* Bytes to be received, at the UART's own speed, behind those that wait already. */
void serial_feed(struct sim_serial *s, const void *bytes, size_t count);
/* The UART takes the next byte; false: none waits. */
bool serial_take(struct sim_serial *s, uint8_t *byte);

void machine_add_watch(struct machine *m, struct machine_watch *w);
void machine_remove_watch(struct machine *m, struct machine_watch *w);

void machine_add_state(struct machine *m, struct state_track *t);
struct sim_clock *machine_clock(struct machine *m, const char *name);
struct periph *machine_periph(struct machine *m, const char *name);

#endif
