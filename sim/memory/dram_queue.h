/* The requests of one direction that wait in a DRAM channel: in the order of their coming, and the
 * same of each bank. Its room is fixed when it is made. */
#ifndef LW_SIM_MEMORY_DRAM_QUEUE_H
#define LW_SIM_MEMORY_DRAM_QUEUE_H

#include "sim/memory/dram_timing.h"
#include "sim/memory/memory.h"

#define LW_DRAM_NONE UINT32_MAX

typedef struct lw_dram_entry {
    lw_memory_request request;
    uint64_t row;
    uint64_t number;         /* counts the channel's requests */
    uint64_t asked, arrival; /* in cycles of the unit; in clocks of the memory */
    uint32_t bank, column;
    bool opened, closed;              /* a row was opened, another closed for it */
    uint32_t before, after;           /* in the order of coming; LW_DRAM_NONE at the ends */
    uint32_t bank_before, bank_after; /* the same of its bank */
} lw_dram_entry;

typedef struct lw_dram_list {
    uint32_t first, last;
} lw_dram_list;

typedef struct lw_dram_queue {
    lw_dram_entry *entries;
    uint32_t room, count;
    uint32_t free; /* the first free place; each names the next in `after` */
    lw_dram_list all;
    lw_dram_list banks[LW_DRAM_BANKS_MAX];
    uint64_t waiting; /* a bit for each bank that has a request */
} lw_dram_queue;

bool lw_dram_queue_init(lw_dram_queue *q, uint32_t room);
void lw_dram_queue_free(lw_dram_queue *q);
/* Only while count < room; the links of the entry are the queue's. */
void lw_dram_queue_add(lw_dram_queue *q, const lw_dram_entry *entry);
void lw_dram_queue_remove(lw_dram_queue *q, uint32_t place);
/* The bank's oldest request of this row, and the one of this line; LW_DRAM_NONE: none. */
uint32_t lw_dram_queue_row(const lw_dram_queue *q, uint32_t bank, uint64_t row);
uint32_t lw_dram_queue_line(const lw_dram_queue *q, uint32_t bank, uint64_t line);

#endif
