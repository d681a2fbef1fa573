#include "app/reports/memory_report.h"

#include "app/reports/figures.h"
#include "app/reports/json_object.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t reads_of(const lw_bank_counts *c) {
    return c->row_hits + c->row_misses + c->row_conflicts;
}

static uint32_t number_of_banks(const lw_banks *b) {
    return b->channels * b->banks;
}

static lw_bank_counts sum_of(const lw_banks *b) {
    lw_bank_counts sum = {.waited = 0};
    for (uint32_t i = 0; i < number_of_banks(b); i++) {
        const lw_bank_counts *c = &b->bank[i];
        sum.row_hits += c->row_hits;
        sum.row_misses += c->row_misses;
        sum.row_conflicts += c->row_conflicts;
        sum.waited += c->waited;
        sum.worked += c->worked;
    }
    return sum;
}

static double per(uint64_t sum, uint64_t count) {
    return count == 0 ? 0.0 : (double)sum / (double)count;
}

/* Of all channels' data buses. */
static double bus_percent(const lw_banks *b) {
    return 100.0 * per(b->dram.bus_cycles, b->channels * b->dram.cycles);
}

static void print_dram(const lw_banks *b) {
    const lw_memory_use *walks = &b->dram.users[LW_MEMORY_WALKS];
    const lw_memory_use *data = &b->dram.users[LW_MEMORY_DATA];
    (void)printf("  DRAM                 data buses used %.1f%%, %" PRIu64 " refreshes; page walks "
                 "%" PRIu64 " reads of %.1f cycles; data %" PRIu64 " reads of %.1f cycles, "
                 "%" PRIu64 " writes\n",
                 bus_percent(b), b->dram.refreshes, walks->reads,
                 per(walks->read_cycles, walks->reads), data->reads,
                 per(data->read_cycles, data->reads), data->writes);
}

void lw_memory_print(const lw_banks *b) {
    const lw_bank_counts sum = sum_of(b);
    const uint64_t reads = reads_of(&sum);
    uint32_t busiest = 0;
    if (number_of_banks(b) == 0 || reads == 0) {
        return;
    }
    for (uint32_t i = 1; i < number_of_banks(b); i++) {
        busiest = reads_of(&b->bank[i]) > reads_of(&b->bank[busiest]) ? i : busiest;
    }
    if (b->ranks != 0) {
        print_dram(b);
    }
    if (b->has_pte_cache) {
        (void)printf("  page-table lines     hit rate %.3f in front of the DRAM\n",
                     lw_rate(b->pte_hits, b->pte_misses));
    }
    (void)printf("  memory banks         %" PRIu32 ": row open %.1f%%, closed %.1f%%, another open "
                 "%.1f%%; a read%s waits %.1f cycles for its %s; bank %" PRIu32 " has %.1f%% of "
                 "%s\n",
                 number_of_banks(b), 100.0 * (double)sum.row_hits / (double)reads,
                 100.0 * (double)sum.row_misses / (double)reads,
                 100.0 * (double)sum.row_conflicts / (double)reads,
                 b->ranks != 0 ? " or write" : "", (double)sum.waited / (double)reads,
                 b->ranks != 0 ? "first command" : "bank", busiest,
                 100.0 * (double)reads_of(&b->bank[busiest]) / (double)reads,
                 b->ranks != 0 ? "them" : "the reads");
}

static json_t *counts(const lw_bank_counts *c) {
    const lw_json_row rows[] = {{"reads", reads_of(c)},        {"row_hits", c->row_hits},
                                {"row_misses", c->row_misses}, {"row_conflicts", c->row_conflicts},
                                {"wait_cycles", c->waited},    {"work_cycles", c->worked}};
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

static json_t *pte_cache(const lw_banks *b) {
    const lw_json_row rows[] = {{"hits", b->pte_hits}, {"misses", b->pte_misses}};
    return b->has_pte_cache ? lw_json_numbers(rows, sizeof rows / sizeof rows[0]) : json_null();
}

/* What a DRAM has beside its banks. */
static json_t *dram(const lw_banks *b) {
    static const char *const users[LW_MEMORY_USERS] = {"walks", "data"};
    json_t *o = json_object();
    for (uint32_t u = 0; u < LW_MEMORY_USERS; u++) {
        const lw_memory_use *use = &b->dram.users[u];
        json_t *user = json_object();
        (void)json_object_set_new(user, "reads", json_integer((json_int_t)use->reads));
        (void)json_object_set_new(user, "read_cycles_mean",
                                  json_real(per(use->read_cycles, use->reads)));
        (void)json_object_set_new(user, "writes", json_integer((json_int_t)use->writes));
        (void)json_object_set_new(o, users[u], user);
    }
    (void)json_object_set_new(o, "forwarded", json_integer((json_int_t)b->dram.forwarded));
    (void)json_object_set_new(o, "refreshes", json_integer((json_int_t)b->dram.refreshes));
    (void)json_object_set_new(o, "bus_percent", json_real(bus_percent(b)));
    return o;
}

json_t *lw_memory_json(const lw_banks *b) {
    if (number_of_banks(b) == 0) {
        return json_null();
    }
    const lw_bank_counts sum = sum_of(b);
    json_t *o = counts(&sum);
    json_t *list = json_array();
    for (uint32_t i = 0; i < number_of_banks(b); i++) {
        json_t *bank = counts(&b->bank[i]);
        (void)json_object_set_new(bank, "channel", json_integer(i / b->banks));
        (void)json_object_set_new(bank, "bank", json_integer(i % b->banks));
        (void)json_array_append_new(list, bank);
    }
    (void)json_object_set_new(o, "banks", list);
    (void)json_object_set_new(o, "dram", b->ranks == 0 ? json_null() : dram(b));
    (void)json_object_set_new(o, "pte_cache", pte_cache(b));
    return o;
}
