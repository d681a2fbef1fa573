/* The controller of one DRAM channel: which command is given in which clock.
 *
 * One command a clock, the first of these that keeps every time:
 * - a rank whose refresh is due gets nothing but PRE_ALL and REF until it has had it;
 * - a read that has waited `starvation` clocks is served alone: nothing else but refreshes gets a
 *   command until it has been read;
 * - else requests of one direction, first those whose row is open, the oldest first, then ACT or
 * PRE for the oldest of a bank that none of them has open (FR-FCFS);
 * - else a row that nobody has used for `close_idle` clocks is closed, if nobody waits for its
 *   bank.
 * The direction is that of the reads. It turns to writes when write_high of them wait and back when
 * write_low do; and while no read waits, writes are served as they come.
 *
 * A read of a line that waits to be written is answered from there, in the time that a read of an
 * open row takes at least, so that answers leave in the order of their commands; a write of such a
 * line becomes one with it. A read keeps its place in the queue until its user has taken it.
 *
 * Commands are worked out when somebody asks, up to a clock before which all requests are known. */
#ifndef LW_SIM_MEMORY_DRAM_CHANNEL_H
#define LW_SIM_MEMORY_DRAM_CHANNEL_H

#include "sim/memory/banks.h"
#include "sim/memory/dram_device.h"
#include "sim/memory/dram_queue.h"

/* A command, as a trace shows it. */
typedef struct lw_dram_command {
    uint64_t clock;
    uint32_t channel, rank, bank; /* bank of the rank; 0 of PRE_ALL and REF */
    lw_dram_command_kind kind;
    uint64_t row;
    uint32_t column; /* of RD and WR, in lines */
} lw_dram_command;

typedef void lw_dram_watch_fn(void *ctx, const lw_dram_command *command);

typedef struct lw_dram_watcher {
    lw_dram_watch_fn *command; /* NULL: nobody looks on */
    void *ctx;
} lw_dram_watcher;

/* A read on its way back: the clock in which its data is whole. */
typedef struct lw_dram_answer {
    uint64_t clock, asked;
    uint32_t id;
} lw_dram_answer;

/* A user's answers in the order of their clocks. */
typedef struct lw_dram_answers {
    lw_dram_answer *ring; /* of read_queue places */
    uint32_t head, count;
} lw_dram_answers;

/* What one bank can do next for its requests of a direction. */
typedef struct lw_dram_chance {
    uint64_t from;  /* the bank's own first clock for it */
    uint64_t order; /* of two in one clock the lower first (dram_channel.c) */
    uint32_t entry;
    lw_dram_command_kind kind;
} lw_dram_chance;

typedef struct lw_dram_choice {
    uint64_t clock; /* UINT64_MAX: nothing can ever be done */
    uint64_t order;
    uint32_t bank, entry;
    lw_dram_command_kind kind;
    bool write; /* the queue of `entry` */
} lw_dram_choice;

typedef struct lw_dram_channel {
    const lw_dram_timing *t;
    const lw_dram_watcher *watcher;
    uint32_t number;
    lw_dram_device device;
    lw_dram_queue queues[2]; /* reads, writes */
    lw_dram_answers answers[LW_MEMORY_USERS];
    uint32_t reads;    /* that keep a place: waiting or not taken */
    bool writes_first; /* until write_low of them wait */
    uint64_t clock;    /* the first in which no command has been decided */
    uint64_t requests;
    lw_dram_choice next;
    bool chosen; /* `next` is up to date */
    lw_dram_chance chances[2][LW_DRAM_BANKS_MAX];
    uint64_t stale[2]; /* a bit for each bank whose chance is out of date */
    /* what it has done, in clocks */
    lw_bank_counts banks[LW_DRAM_BANKS_MAX];
    uint64_t refreshes, bus_clocks, forwarded;
    uint64_t writes[LW_MEMORY_USERS];
} lw_dram_channel;

/* `timing` and `watcher` outlive it. False where the host has no memory; to be freed all the same.
 */
bool lw_dram_channel_init(lw_dram_channel *c, const lw_dram_timing *timing,
                          const lw_dram_watcher *watcher, uint32_t number);
void lw_dram_channel_free(lw_dram_channel *c);

/* All commands of clocks below `limit`. */
void lw_dram_channel_advance(lw_dram_channel *c, uint64_t limit);
/* The clock of its next command, if nothing is asked before it. */
uint64_t lw_dram_channel_next(lw_dram_channel *c);

/* Has it room for the request? `bank` is its bank. */
bool lw_dram_channel_has_room(const lw_dram_channel *c, const lw_memory_request *request,
                              uint32_t bank);
/* Takes a request that it has room for, with its place, `asked` and `arrival`; it has advanced to
 * that clock. */
void lw_dram_channel_ask(lw_dram_channel *c, lw_dram_entry *entry);

#endif
