#include "sim/memory/dram_device.h"

#include <string.h>

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

void lw_dram_device_init(lw_dram_device *d, const lw_dram_timing *timing) {
    memset(d, 0, sizeof *d);
    d->t = timing;
    while (timing->banks >> d->rank_shift > 1) {
        d->rank_shift++;
    }
    d->group_shift = d->rank_shift;
    while (timing->bank_groups >> (d->rank_shift - d->group_shift) > 1) {
        d->group_shift--;
    }
    /* The ranks take turns, so that not all of a channel rests at once. */
    for (uint32_t r = 0; r < timing->ranks; r++) {
        d->ranks[r].refresh_due =
            timing->refi == 0 ? UINT64_MAX : (uint64_t)timing->refi * (r + 1) / timing->ranks;
    }
}

uint64_t lw_dram_act_from(const lw_dram_device *d, uint32_t group) {
    const lw_dram_rank *r = &d->ranks[lw_dram_rank_of(d, group)];
    return later(d->groups[group].act_from, r->window[r->oldest]);
}

uint64_t lw_dram_column_from(const lw_dram_device *d, uint32_t group, bool write) {
    const uint64_t group_from = d->groups[group].column_from[write];
    if (d->bus_free == 0) { /* never used */
        return group_from;
    }
    const bool turns = d->bus_rank != lw_dram_rank_of(d, group) || d->bus_write != write;
    const uint64_t data_from = d->bus_free + (turns ? d->t->rtrs : 0);
    const uint64_t latency = write ? d->t->cwl : d->t->cl;
    return later(group_from, data_from > latency ? data_from - latency : 0);
}

uint64_t lw_dram_refresh_from(const lw_dram_device *d, uint32_t rank, lw_dram_command_kind *kind) {
    const uint32_t first = rank << d->rank_shift;
    uint64_t pre = 0;
    uint64_t refresh = 0;
    bool open = false;
    for (uint32_t b = first; b < first + d->t->banks; b++) {
        const lw_dram_bank *bank = &d->banks[b];
        open = open || bank->open;
        pre = later(pre, bank->pre_from); /* long past, of one that is closed */
        refresh = later(refresh, bank->act_from);
    }
    *kind = open ? LW_DRAM_PRE_ALL : LW_DRAM_REF;
    return later(d->ranks[rank].refresh_due, open ? pre : refresh);
}

/* Of the bank's rank. */
static uint32_t first_group(const lw_dram_device *d, uint32_t bank) {
    return bank >> d->rank_shift << (d->rank_shift - d->group_shift);
}

static void activate(lw_dram_device *d, uint32_t bank, uint64_t row, uint64_t clock) {
    const lw_dram_timing *t = d->t;
    lw_dram_bank *b = &d->banks[bank];
    lw_dram_rank *r = &d->ranks[bank >> d->rank_shift];
    b->open = true;
    b->row = row;
    b->act_from = clock + t->rc;
    b->column_from = clock + t->rcd;
    b->pre_from = clock + t->ras;
    d->open |= UINT64_C(1) << bank;
    const uint32_t first = first_group(d, bank);
    for (uint32_t g = first; g < first + t->bank_groups; g++) {
        const uint32_t rrd = g == bank >> d->group_shift ? t->rrd_l : t->rrd_s;
        d->groups[g].act_from = later(d->groups[g].act_from, clock + rrd);
    }
    r->window[r->oldest] = clock + t->faw;
    r->oldest = (r->oldest + 1) % 4;
}

static void close_bank(lw_dram_device *d, uint32_t bank, uint64_t clock) {
    lw_dram_bank *b = &d->banks[bank];
    b->open = false;
    b->act_from = later(b->act_from, clock + d->t->rp);
    d->open &= ~(UINT64_C(1) << bank);
}

static void move_line(lw_dram_device *d, uint32_t bank, bool write, uint64_t clock) {
    const lw_dram_timing *t = d->t;
    lw_dram_bank *b = &d->banks[bank];
    const uint64_t data_end = clock + (write ? t->cwl : t->cl) + lw_dram_burst(t);
    b->pre_from = later(b->pre_from, write ? data_end + t->wr : clock + t->rtp);
    b->used = clock;
    const uint32_t first = first_group(d, bank);
    for (uint32_t g = first; g < first + t->bank_groups; g++) {
        const bool own = g == bank >> d->group_shift;
        uint64_t *from = d->groups[g].column_from;
        const uint64_t next = clock + (own ? t->ccd_l : t->ccd_s);
        const uint64_t read = write ? data_end + (own ? t->wtr_l : t->wtr_s) : 0;
        from[true] = later(from[true], next);
        from[false] = later(from[false], later(next, read));
    }
    d->bus_free = data_end;
    d->bus_rank = bank >> d->rank_shift;
    d->bus_write = write;
}

static void refresh(lw_dram_device *d, uint32_t rank, uint64_t clock) {
    const uint32_t first = rank << d->rank_shift;
    for (uint32_t b = first; b < first + d->t->banks; b++) {
        d->banks[b].act_from = clock + d->t->rfc;
    }
    d->ranks[rank].refresh_due += d->t->refi;
}

void lw_dram_device_command(lw_dram_device *d, lw_dram_command_kind kind, uint32_t bank,
                            uint64_t row, uint64_t clock) {
    const uint32_t rank = bank >> d->rank_shift;
    switch (kind) {
    case LW_DRAM_ACT:
        activate(d, bank, row, clock);
        break;
    case LW_DRAM_RD:
    case LW_DRAM_WR:
        move_line(d, bank, kind == LW_DRAM_WR, clock);
        break;
    case LW_DRAM_PRE:
        close_bank(d, bank, clock);
        break;
    case LW_DRAM_PRE_ALL: /* REF, which follows, waits for all of them in any case */
        for (uint32_t b = rank << d->rank_shift; b < (rank + 1) << d->rank_shift; b++) {
            close_bank(d, b, clock);
        }
        break;
    case LW_DRAM_REF:
        refresh(d, rank, clock);
        break;
    }
}
