#include "sim/memory/dram_queue.h"

#include <stdlib.h>

bool lw_dram_queue_init(lw_dram_queue *q, uint32_t room) {
    const lw_dram_list empty = {LW_DRAM_NONE, LW_DRAM_NONE};
    *q = (lw_dram_queue){.entries = calloc(room, sizeof *q->entries), .room = room, .all = empty};
    for (uint32_t b = 0; b < LW_DRAM_BANKS_MAX; b++) {
        q->banks[b] = empty;
    }
    for (uint32_t i = 0; q->entries != NULL && i < room; i++) {
        q->entries[i].after = i + 1;
    }
    return q->entries != NULL;
}

void lw_dram_queue_free(lw_dram_queue *q) {
    free(q->entries);
}

void lw_dram_queue_add(lw_dram_queue *q, const lw_dram_entry *entry) {
    const uint32_t place = q->free;
    lw_dram_entry *e = &q->entries[place];
    lw_dram_list *bank = &q->banks[entry->bank];
    q->free = e->after;
    q->count++;
    *e = *entry;
    e->before = q->all.last;
    e->bank_before = bank->last;
    e->after = e->bank_after = LW_DRAM_NONE;
    *(e->before == LW_DRAM_NONE ? &q->all.first : &q->entries[e->before].after) = place;
    *(e->bank_before == LW_DRAM_NONE ? &bank->first : &q->entries[e->bank_before].bank_after) =
        place;
    q->all.last = bank->last = place;
    q->waiting |= UINT64_C(1) << entry->bank;
}

void lw_dram_queue_remove(lw_dram_queue *q, uint32_t place) {
    lw_dram_entry *e = &q->entries[place];
    lw_dram_list *bank = &q->banks[e->bank];
    *(e->before == LW_DRAM_NONE ? &q->all.first : &q->entries[e->before].after) = e->after;
    *(e->after == LW_DRAM_NONE ? &q->all.last : &q->entries[e->after].before) = e->before;
    *(e->bank_before == LW_DRAM_NONE ? &bank->first : &q->entries[e->bank_before].bank_after) =
        e->bank_after;
    *(e->bank_after == LW_DRAM_NONE ? &bank->last : &q->entries[e->bank_after].bank_before) =
        e->bank_before;
    if (bank->first == LW_DRAM_NONE) {
        q->waiting &= ~(UINT64_C(1) << e->bank);
    }
    e->after = q->free;
    q->free = place;
    q->count--;
}

uint32_t lw_dram_queue_row(const lw_dram_queue *q, uint32_t bank, uint64_t row) {
    uint32_t place = q->banks[bank].first;
    while (place != LW_DRAM_NONE && q->entries[place].row != row) {
        place = q->entries[place].bank_after;
    }
    return place;
}

uint32_t lw_dram_queue_line(const lw_dram_queue *q, uint32_t bank, uint64_t line) {
    uint32_t place = q->banks[bank].first;
    while (place != LW_DRAM_NONE && q->entries[place].request.line != line) {
        place = q->entries[place].bank_after;
    }
    return place;
}
