/* A growing set of 4 KiB virtual page numbers (VA[63:12]); open addressing. Internal. */
#ifndef LW_SIM_WORKLOADS_PAGE_SET_H
#define LW_SIM_WORKLOADS_PAGE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_page_set {
    uint64_t *slots; /* vpn + 1; 0: free. A power of two of them */
    size_t slot_count;
    size_t count;
} lw_page_set; /* all zero: empty */

/* False where memory is short. */
bool lw_page_set_add(lw_page_set *set, uint64_t vpn);
void lw_page_set_free(lw_page_set *set);

#endif
