#include "sim/memory/dram_channel.h"

#include <stdlib.h>

/* Which of two commands of one clock is given: by what it is for, then by age. */
enum { FOR_REFRESH, FOR_STARVED, FOR_OPEN_ROW, FOR_ROW, FOR_IDLE_ROW };

static uint64_t order_of(uint64_t purpose, uint64_t age) {
    return purpose << 60 | age;
}

enum { READS, WRITES };

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t bit(uint32_t bank) {
    return UINT64_C(1) << bank;
}

static uint32_t lowest(uint64_t bits) {
    return (uint32_t)__builtin_ctzll(bits);
}

bool lw_dram_channel_init(lw_dram_channel *c, const lw_dram_timing *timing,
                          const lw_dram_watcher *watcher, uint32_t number) {
    *c = (lw_dram_channel){.t = timing, .watcher = watcher, .number = number};
    lw_dram_device_init(&c->device, timing);
    bool good = lw_dram_queue_init(&c->queues[READS], timing->read_queue);
    good = lw_dram_queue_init(&c->queues[WRITES], timing->write_queue) && good;
    for (uint32_t u = 0; u < LW_MEMORY_USERS; u++) {
        c->answers[u].ring = calloc(timing->read_queue, sizeof *c->answers[u].ring);
        good = c->answers[u].ring != NULL && good;
    }
    return good;
}

void lw_dram_channel_free(lw_dram_channel *c) {
    for (uint32_t u = 0; u < LW_MEMORY_USERS; u++) {
        free(c->answers[u].ring);
    }
    lw_dram_queue_free(&c->queues[READS]);
    lw_dram_queue_free(&c->queues[WRITES]);
}

/* ---------------------------------------------------------------- which command is next */

static bool better(const lw_dram_choice *a, const lw_dram_choice *b) {
    return a->clock != b->clock ? a->clock < b->clock : a->order < b->order;
}

static bool is_column(lw_dram_command_kind kind) {
    return kind == LW_DRAM_RD || kind == LW_DRAM_WR;
}

/* What the bank can do for this request. */
static lw_dram_chance chance_for(const lw_dram_channel *c, uint32_t direction, uint32_t entry) {
    const lw_dram_entry *e = &c->queues[direction].entries[entry];
    const lw_dram_bank *b = &c->device.banks[e->bank];
    const lw_dram_command_kind kind = !b->open             ? LW_DRAM_ACT
                                      : b->row != e->row   ? LW_DRAM_PRE
                                      : direction == READS ? LW_DRAM_RD
                                                           : LW_DRAM_WR;
    return (lw_dram_chance){lw_dram_bank_from(b, kind),
                            order_of(is_column(kind) ? FOR_OPEN_ROW : FOR_ROW, e->number), entry,
                            kind};
}

/* A row that one of the direction waits for is not closed for another. */
static void look_again(lw_dram_channel *c, uint32_t direction, uint32_t bank) {
    const lw_dram_queue *q = &c->queues[direction];
    const lw_dram_bank *b = &c->device.banks[bank];
    const uint32_t hit = b->open ? lw_dram_queue_row(q, bank, b->row) : LW_DRAM_NONE;
    c->chances[direction][bank] =
        chance_for(c, direction, hit == LW_DRAM_NONE ? q->banks[bank].first : hit);
    c->stale[direction] &= ~bit(bank);
}

/* The first clock for a command of each kind to a bank group, as far as the group, its rank, the
 * bus and the clocks that are decided say. */
typedef struct group_gates {
    uint64_t from[LW_DRAM_PRE + 1];
    uint64_t before; /* its rank's refresh */
} group_gates;

static void look_at_group(const lw_dram_channel *c, uint32_t group, group_gates *g) {
    const lw_dram_device *d = &c->device;
    g->from[LW_DRAM_ACT] = later(c->clock, lw_dram_act_from(d, group));
    g->from[LW_DRAM_RD] = later(c->clock, lw_dram_column_from(d, group, false));
    g->from[LW_DRAM_WR] = later(c->clock, lw_dram_column_from(d, group, true));
    g->from[LW_DRAM_PRE] = c->clock;
    g->before = d->ranks[lw_dram_rank_of(d, group)].refresh_due;
}

static lw_dram_choice choice_of(const lw_dram_channel *c, uint32_t direction, uint32_t bank,
                                const group_gates *gates) {
    const lw_dram_chance *chance = &c->chances[direction][bank];
    const uint64_t clock = later(chance->from, gates->from[chance->kind]);
    return (lw_dram_choice){.clock = clock < gates->before ? clock : UINT64_MAX,
                            .order = chance->order,
                            .bank = bank,
                            .entry = chance->entry,
                            .kind = chance->kind,
                            .write = direction == WRITES};
}

/* The best of a direction's requests. */
static lw_dram_choice best_of(lw_dram_channel *c, uint32_t direction) {
    const lw_dram_chance *chances = c->chances[direction];
    const uint64_t waiting = c->queues[direction].waiting;
    const uint32_t groups = c->t->ranks * c->t->bank_groups;
    const uint32_t shift = c->device.group_shift;
    group_gates gates[LW_DRAM_GROUPS_MAX];
    uint64_t best_clock = UINT64_MAX;
    uint64_t best_order = 0;
    uint32_t best = LW_DRAM_NONE;
    for (uint32_t g = 0; g < groups; g++) {
        look_at_group(c, g, &gates[g]);
    }
    for (uint64_t stale = waiting & c->stale[direction]; stale != 0; stale &= stale - 1) {
        look_again(c, direction, lowest(stale));
    }
    for (uint64_t banks = waiting; banks != 0; banks &= banks - 1) {
        const uint32_t bank = lowest(banks);
        const group_gates *g = &gates[bank >> shift];
        const lw_dram_chance *chance = &chances[bank];
        const uint64_t clock = later(chance->from, g->from[chance->kind]);
        /* without branches, which nobody could predict */
        const bool first =
            (clock < best_clock) | ((clock == best_clock) & (chance->order < best_order));
        const bool takes = first & (clock < g->before);
        best_clock = takes ? clock : best_clock;
        best_order = takes ? chance->order : best_order;
        best = takes ? bank : best;
    }
    return best == LW_DRAM_NONE ? (lw_dram_choice){.clock = UINT64_MAX}
                                : choice_of(c, direction, best, &gates[best >> shift]);
}

/* A row that has been idle for long enough, if that comes before the best. */
static void consider_idle_rows(const lw_dram_channel *c, lw_dram_choice *best) {
    const lw_dram_device *d = &c->device;
    uint64_t banks = d->open & ~(c->queues[READS].waiting | c->queues[WRITES].waiting);
    for (banks = c->t->close_idle == 0 ? 0 : banks; banks != 0; banks &= banks - 1) {
        const uint32_t bank = lowest(banks);
        const lw_dram_bank *b = &d->banks[bank];
        const uint64_t idle = b->used + c->t->close_idle;
        const lw_dram_choice choice = {.clock = later(c->clock, later(idle, b->pre_from)),
                                       .order = order_of(FOR_IDLE_ROW, bank),
                                       .bank = bank,
                                       .entry = LW_DRAM_NONE,
                                       .kind = LW_DRAM_PRE};
        if (choice.clock < d->ranks[bank >> d->rank_shift].refresh_due && better(&choice, best)) {
            *best = choice;
        }
    }
}

/* From the clock on in which the oldest read has waited too long, it alone counts. */
static void consider_starvation(const lw_dram_channel *c, lw_dram_choice *best) {
    const lw_dram_queue *q = &c->queues[READS];
    const lw_dram_device *d = &c->device;
    const uint32_t oldest = q->all.first;
    if (oldest == LW_DRAM_NONE) {
        return;
    }
    const lw_dram_entry *e = &q->entries[oldest];
    const uint64_t starved = e->arrival + c->t->starvation;
    if (best->clock < starved) {
        return;
    }
    const uint32_t group = e->bank >> d->group_shift;
    const lw_dram_chance chance = chance_for(c, READS, oldest);
    const uint64_t others = chance.kind == LW_DRAM_PRE   ? 0
                            : chance.kind == LW_DRAM_ACT ? lw_dram_act_from(d, group)
                                                         : lw_dram_column_from(d, group, false);
    *best = (lw_dram_choice){
        .clock = later(later(starved, c->clock), later(chance.from, others)),
        .order = order_of(FOR_STARVED, 0),
        .bank = e->bank,
        .entry = oldest,
        .kind = chance.kind,
    };
    if (best->clock >= d->ranks[e->bank >> d->rank_shift].refresh_due) {
        best->clock = UINT64_MAX;
    }
}

static void consider_refreshes(const lw_dram_channel *c, lw_dram_choice *best) {
    const lw_dram_device *d = &c->device;
    for (uint32_t r = 0; r < c->t->ranks; r++) {
        if (best->clock < d->ranks[r].refresh_due) {
            continue;
        }
        lw_dram_choice choice = {
            .order = order_of(FOR_REFRESH, r), .bank = r << d->rank_shift, .entry = LW_DRAM_NONE};
        choice.clock = later(c->clock, lw_dram_refresh_from(d, r, &choice.kind));
        if (d->ranks[r].refresh_due != UINT64_MAX && better(&choice, best)) {
            *best = choice;
        }
    }
}

static uint32_t direction_of(const lw_dram_channel *c) {
    const bool write =
        c->queues[WRITES].count != 0 && (c->writes_first || c->queues[READS].count == 0);
    return write ? WRITES : READS;
}

static void choose(lw_dram_channel *c) {
    c->next = best_of(c, direction_of(c));
    consider_idle_rows(c, &c->next);
    consider_starvation(c, &c->next);
    consider_refreshes(c, &c->next);
    c->chosen = true;
}

/* A request has come. In most cases it is another chance beside the choice made; a read that is
 * alone may starve before it. */
static void choose_again(lw_dram_channel *c, uint32_t before, uint32_t direction, uint32_t bank) {
    const bool plain = c->next.order >= order_of(FOR_OPEN_ROW, 0) && c->next.bank != bank;
    const bool alone = direction == READS && c->queues[READS].count == 1;
    if (!c->chosen || !plain || alone || before != direction_of(c)) {
        c->chosen = false;
    } else if (direction == before) {
        group_gates gates;
        look_at_group(c, bank >> c->device.group_shift, &gates);
        look_again(c, direction, bank);
        const lw_dram_choice other = choice_of(c, direction, bank, &gates);
        c->next = better(&other, &c->next) ? other : c->next;
    }
}

/* ---------------------------------------------------------------- what a command does */

static void show(const lw_dram_channel *c, const lw_dram_choice *next, uint64_t row,
                 uint32_t column) {
    const bool whole_rank = next->kind == LW_DRAM_PRE_ALL || next->kind == LW_DRAM_REF;
    const lw_dram_command command = {.clock = next->clock,
                                     .channel = c->number,
                                     .rank = next->bank >> c->device.rank_shift,
                                     .bank = whole_rank ? 0 : next->bank & (c->t->banks - 1),
                                     .kind = next->kind,
                                     .row = whole_rank ? 0 : row,
                                     .column = column};
    c->watcher->command(c->watcher->ctx, &command);
}

static void answer(lw_dram_channel *c, const lw_dram_entry *e, uint64_t clock) {
    lw_dram_answers *a = &c->answers[e->request.user];
    const uint32_t at = a->head + a->count++;
    const uint32_t room = c->t->read_queue;
    a->ring[at < room ? at : at - room] = (lw_dram_answer){clock, e->asked, e->request.id};
}

/* A request had its line moved: what it found, and where it goes. */
static void finish(lw_dram_channel *c, uint32_t direction, uint32_t entry, uint64_t clock) {
    lw_dram_queue *q = &c->queues[direction];
    const lw_dram_entry *e = &q->entries[entry];
    lw_bank_counts *counts = &c->banks[e->bank];
    uint64_t *found = e->closed   ? &counts->row_conflicts
                      : e->opened ? &counts->row_misses
                                  : &counts->row_hits;
    (*found)++;
    counts->worked += lw_dram_burst(c->t);
    c->bus_clocks += lw_dram_burst(c->t);
    if (direction == READS) {
        answer(c, e, clock + c->t->cl + lw_dram_burst(c->t));
    }
    lw_dram_queue_remove(q, entry);
    c->writes_first = c->writes_first && c->queues[WRITES].count > c->t->write_low;
}

/* The first command for a request ends its wait for the bank. */
static void note_command(lw_dram_channel *c, lw_dram_entry *e, const lw_dram_choice *next) {
    lw_bank_counts *counts = &c->banks[e->bank];
    if (!e->opened && !e->closed) {
        counts->waited += next->clock - e->arrival;
    }
    e->opened = e->opened || next->kind == LW_DRAM_ACT;
    e->closed = e->closed || next->kind == LW_DRAM_PRE;
    counts->worked += next->kind == LW_DRAM_ACT   ? c->t->rcd
                      : next->kind == LW_DRAM_PRE ? c->t->rp
                                                  : 0;
}

static void command(lw_dram_channel *c) {
    const lw_dram_choice next = c->next;
    const uint32_t direction = next.write ? WRITES : READS;
    const uint32_t rank = next.bank >> c->device.rank_shift;
    lw_dram_entry *e =
        next.entry == LW_DRAM_NONE ? NULL : &c->queues[direction].entries[next.entry];
    const uint64_t row =
        e != NULL && next.kind == LW_DRAM_ACT ? e->row : c->device.banks[next.bank].row;
    if (c->watcher->command != NULL) {
        show(c, &next, row, e != NULL && is_column(next.kind) ? e->column : 0);
    }
    lw_dram_device_command(&c->device, next.kind, next.bank, row, next.clock);
    const uint64_t all = (bit(c->t->banks - 1) << 1) - 1;
    const uint64_t touched = next.kind == LW_DRAM_PRE_ALL || next.kind == LW_DRAM_REF
                                 ? all << (rank << c->device.rank_shift)
                                 : bit(next.bank);
    c->stale[READS] |= touched;
    c->stale[WRITES] |= touched;
    c->refreshes += next.kind == LW_DRAM_REF;
    if (e != NULL) {
        note_command(c, e, &next);
    }
    if (e != NULL && is_column(next.kind)) {
        finish(c, direction, next.entry, next.clock);
    }
    c->clock = next.clock + 1;
    c->chosen = false;
}

uint64_t lw_dram_channel_next(lw_dram_channel *c) {
    if (!c->chosen) {
        choose(c);
    }
    return c->next.clock;
}

void lw_dram_channel_advance(lw_dram_channel *c, uint64_t limit) {
    if (limit <= c->clock) {
        return;
    }
    while (lw_dram_channel_next(c) < limit) {
        command(c);
    }
    c->clock = limit;
}

/* ---------------------------------------------------------------- requests */

bool lw_dram_channel_has_room(const lw_dram_channel *c, const lw_memory_request *request,
                              uint32_t bank) {
    if (request->write) {
        return c->queues[WRITES].count < c->t->write_queue ||
               lw_dram_queue_line(&c->queues[WRITES], bank, request->line) != LW_DRAM_NONE;
    }
    const uint32_t kept = request->user == LW_MEMORY_WALKS ? 0 : c->t->walk_places;
    return c->reads + kept < c->t->read_queue;
}

void lw_dram_channel_ask(lw_dram_channel *c, lw_dram_entry *entry) {
    const bool write = entry->request.write;
    const uint32_t direction = write ? WRITES : READS;
    const bool waits_to_be_written =
        lw_dram_queue_line(&c->queues[WRITES], entry->bank, entry->request.line) != LW_DRAM_NONE;
    c->writes[entry->request.user] += write;
    c->reads += !write;
    if (waits_to_be_written) {
        c->forwarded += !write;
        if (!write) {
            answer(c, entry, entry->arrival + c->t->cl + lw_dram_burst(c->t));
        }
        return;
    }
    const uint32_t before = direction_of(c);
    entry->number = c->requests++;
    lw_dram_queue_add(&c->queues[direction], entry);
    c->stale[direction] |= bit(entry->bank);
    c->writes_first = c->writes_first || c->queues[WRITES].count >= c->t->write_high;
    choose_again(c, before, direction, entry->bank);
}
