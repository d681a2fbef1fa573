/* The buffer (chapter 4): what lines have told an entry, since the latest mark that meets its PASID
 * (R11.2); and who holds those that are picked (R5.2). */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct entry {
    uint32_t index, pasid, pl, perm, size, contig;
    bool done;
    uint64_t vpn, pa;
} entry;

/* R9.11, of an answer from a line with this STORED_REACH. */
static uint32_t contig_of_reach(uint32_t reach) {
    enum { LINE, SUBREGION, FRAME };
    return reach == FRAME ? 0x100u : reach == SUBREGION ? 0xffu : 0u;
}

/* R9.10 */
static entry read_entry(const lw_contents *c, uint32_t index, bool done, uint32_t pl) {
    const uint32_t line = lw_peek32(c, LW_F_BUFFER_LINE, index);
    const uint32_t pte = 8 * line + lw_peek32(c, LW_F_BUFFER_POSITION, index);
    const uint32_t level = lw_peek32(c, LW_F_STORE_STORED_LEVEL, line);
    return (entry){.index = index,
                   .pasid = lw_peek32(c, LW_F_BUFFER_PASID, index),
                   .pl = pl,
                   .perm = lw_peek32(c, LW_F_STORE_STORED_PERM, line) &
                           lw_peek32(c, LW_F_STORED_PTE_STORED_PTE_PERM, pte),
                   .size = level == 1 ? lw_peek32(c, LW_F_STORED_PTE_STORED_SIZE, pte) /* R21.11 */
                                      : level - 1,
                   .contig = done ? contig_of_reach(lw_peek32(c, LW_F_STORE_STORED_REACH, line))
                                  : lw_peek32(c, LW_F_STORED_PTE_STORED_CONTIG, pte),
                   .done = done,
                   .vpn = lw_peek(c, LW_F_BUFFER_VPN, index),
                   .pa = lw_peek(c, LW_F_STORED_PTE_STORED_FRAME, pte)};
}

/* R9.11 */
static uint32_t reach_bit(uint32_t contig) {
    return (contig >> 8 & 1) != 0 ? LW_REACH_FRAME_BIT
           : contig != 0          ? LW_REACH_SUBREGION_BIT
                                  : LW_REACH_LINE_BIT;
}

static void judge(lw_contents *c, const entry *e) {
    const uint64_t from = lw_since_mark(c, e->pasid);
    const uint64_t payload = (uint64_t)e->done << 63 | (uint64_t)e->pl << 60 |
                             (uint64_t)e->size << 58 | (uint64_t)e->perm << 56 |
                             (uint64_t)e->contig << 42 | e->pa;
    if (!lw_unseen(&c->buffer[e->index], (uint64_t)e->pasid << 48 | e->vpn, payload, from)) {
        return;
    }
    c->w->tally.n[e->done ? LW_T_BUFFER_DONE : LW_T_BUFFER_LEVEL]++;
    const lw_fact fact = {.pasid = e->pasid,
                          .vpn = e->vpn,
                          .from = from,
                          .level = e->done ? e->size + 1 : e->pl,
                          .leaf = e->done,
                          .frame = e->pa,
                          .perm = e->perm,
                          .contig = e->contig,
                          .reaches = reach_bit(e->contig)};
    if (!lw_fact_holds(c->w, &fact)) {
        char text[LW_TEXT];
        (void)snprintf(text, LW_TEXT,
                       "PASID=%u VPN=0x%" PRIx64 " DONE=%u PL=%u PA=0x%" PRIx64
                       " PERM=%u SIZE=%u CONTIG=0x%x",
                       e->pasid, e->vpn, e->done, e->pl, e->pa, e->perm, e->size, e->contig);
        lw_contents_bark_fact(c, "BUFFER", e->index, text, &fact);
    }
}

void lw_contents_buffer(lw_contents *c) {
    for (uint32_t i = 0; i < c->w->hw.buffer_entries && !c->w->failed; i++) {
        if (lw_peek(c, LW_F_BUFFER_VALID, i) == 0) {
            continue;
        }
        const bool done = lw_peek(c, LW_F_BUFFER_DONE, i) != 0;
        const bool stale = lw_peek(c, LW_F_BUFFER_STALE, i) != 0;
        const uint32_t pl = lw_peek32(c, LW_F_BUFFER_PL, i);
        if (done ? !stale : pl != 0) {
            const entry e = read_entry(c, i, done, pl);
            judge(c, &e);
        }
    }
}

/* ---------------------------------------------------------------- holders */

enum { SLOTS = 512 };

/* The slot of a walker that has not started. One that was picked for (R5.2) does not know it before
 * it has looked (R5.4): until then it stands beside the walker in the ask or the read register. */
static uint32_t slot_of(const lw_contents *c, uint32_t walker) {
    if (lw_peek(c, LW_F_ASK_ASK_VALID, 0) != 0 && lw_peek(c, LW_F_ASK_ASK_WALKER, 0) == walker) {
        return lw_peek32(c, LW_F_ASK_ASK_SLOT, 0);
    }
    if (lw_peek(c, LW_F_READ_READ_VALID, 0) != 0 &&
        lw_peek(c, LW_F_READ_READ_WALKER, 0) == walker) {
        return lw_peek32(c, LW_F_READ_READ_SLOT, 0);
    }
    return lw_peek32(c, LW_F_PWST_SLOT, walker);
}

static void count_holders(const lw_contents *c, uint8_t holders[SLOTS]) {
    for (uint32_t i = 0; i < c->w->hw.walkers; i++) {
        if (lw_peek(c, LW_F_PWST_STATE, i) != 0 && lw_peek(c, LW_F_PWST_STARTED, i) == 0) {
            holders[slot_of(c, i)]++;
        }
    }
}

void lw_contents_holders(lw_contents *c) {
    uint8_t holders[SLOTS] = {0};
    count_holders(c, holders);
    for (uint32_t i = 0; i < c->w->hw.buffer_entries; i++) {
        const bool picked =
            lw_peek(c, LW_F_BUFFER_VALID, i) != 0 && lw_peek(c, LW_F_BUFFER_PICKED, i) != 0;
        c->w->tally.n[LW_T_BUFFER_PICKED] += picked;
        if (holders[i] != picked) {
            lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                    "BUFFER[%u] %s, and %u walkers that have not started hold it", i,
                    picked ? "is PICKED" : "is not valid and PICKED", holders[i]);
        }
    }
}
