/* Ways in which a region of a hashed table can be spoilt: what no driver should have written, into
 * its PTEs, tags and steps, past the driver, which goes on to believe what it wrote before. */
#ifndef LW_SIM_OS_SPOILT_REGIONS_H
#define LW_SIM_OS_SPOILT_REGIONS_H

#include "sim/os/address_space.h"
#include "sim/os/planted_entries.h"
#include "sim/tables/hashed_table.h"

enum { LW_LINE_PAGES = 8 }; /* PTEs of a line */

/* Where: the tables of a process. */
typedef struct lw_spoilt_table {
    lw_address_spaces *s;
    lw_hashed_table *table;
    uint32_t process;
} lw_spoilt_table;

typedef struct lw_spoilt_kind lw_spoilt_kind;

/* Spoils a region of the table, whose pages are mapped from vpn on; *fits: it is one that can be
 * spoilt so, else it is left as it is. */
typedef bool lw_spoil_fn(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, bool *fits,
                         lw_error *err);

struct lw_spoilt_kind {
    const char *name;
    lw_spoil_fn *spoil;
    uint64_t first; /* page of the region that is mapped, and so many lines of PTEs from there */
    uint64_t lines;
    uint64_t absent; /* lines behind them that belong to the range and are not mapped */
    const lw_bad_entry *entry;
    const lw_bad_contiguity *contiguity;
    uint64_t tag_flipped; /* bits of a line's tag */
    uint32_t size;        /* in bits 10:9 of a PTE (R20.4); 0: none */
    /* Where the home is read first, the step table decides nothing of a region that lies there. */
    bool off_home;
    bool taken;          /* a wrong step leads home, to another's slot, else to an empty one */
    bool first_is_wrong; /* of two entries of a group */
};

/* A bad PTE or size; a wrong tag in the second of three lines; a step to another slot; a region
 * that is present and was never mapped; two entries of a group; contiguity bits, and heads. */
lw_spoil_fn lw_spoil_pte, lw_spoil_tag, lw_spoil_step, lw_spoil_absent, lw_spoil_bucket,
    lw_spoil_contiguity;
/* Spoils the entry at this level of the victim buffer that leads to the page behind vpn. */
bool lw_spoil_victim(lw_spoilt_table *t, const lw_spoilt_kind *k, uint64_t vpn, uint32_t level,
                     lw_error *err);

uint32_t lw_spoilt_region_pages(const lw_spoilt_table *t);
/* The tag of the region that holds vpn, the slot at a step of its chain, and its own step. */
uint64_t lw_spoilt_tag(const lw_spoilt_table *t, uint64_t vpn);
const lw_hpt_slot *lw_spoilt_slot(const lw_spoilt_table *t, uint64_t tag, uint32_t step);
uint64_t lw_spoilt_step(const lw_spoilt_table *t, uint64_t vpn);

#endif
