/* What the files of the look into the tables share (contents.h). */
#ifndef LW_TESTS_CONTRACT_CONTENTS_PARTS_H
#define LW_TESTS_CONTRACT_CONTENTS_PARTS_H

#include "tests/contract/contents.h"
#include "tests/contract/fact.h"

enum { LW_DONE_KEPT = 256, LW_TEXT = 256 };

/* What was in an entry when it was judged last, in a window from `from` on. While both stay, it
 * stays explained. */
typedef struct lw_seen {
    bool judged;
    uint64_t key, payload, from;
    uint64_t completed; /* invalidations that `from` knows of */
} lw_seen;

typedef struct lw_completed {
    lw_invalidation inv;
    uint64_t transfer;
} lw_completed;

struct lw_contents {
    lw_world *w;
    lw_unit unit;
    uint64_t next;                               /* the cycle of the next look */
    lw_completed done[LW_DONE_KEPT];             /* a ring of the latest, */
    uint64_t completed;                          /* and how many there were */
    lw_seen *tlb, *pwc, *msc, *buffer, *walkers; /* an element each entry */
};

static inline uint64_t lw_peek(const lw_contents *c, lw_field field, uint32_t index) {
    return c->unit.peek(c->unit.own, field, index);
}

static inline uint32_t lw_peek32(const lw_contents *c, lw_field field, uint32_t index) {
    return (uint32_t)lw_peek(c, field, index);
}

/* Where windows begin: the transfer of the latest invalidation that has marked this PASID, or any
 * (R11.2: in the cycle after the transfer). */
uint64_t lw_since_mark(const lw_contents *c, uint32_t pasid);
uint64_t lw_since_any_mark(const lw_contents *c);
/* The transfer of the latest completed invalidation that covers one of the pages; `seen` and
 * whether it still holds what is in the entry. */
uint64_t lw_since_pages(const lw_contents *c, lw_seen *seen, bool same, uint32_t pasid,
                        uint64_t first, uint64_t last);

/* Whether that has to be judged, which it then counts as. */
static inline bool lw_unseen(lw_seen *seen, uint64_t key, uint64_t payload, uint64_t from) {
    if (seen->judged && seen->key == key && seen->payload == payload && seen->from == from) {
        return false;
    }
    *seen = (lw_seen){true, key, payload, from, seen->completed};
    return true;
}

/* What the register of an index says, which the fact should explain and does not: barks, with what
 * would have been legal. */
void lw_contents_bark_fact(lw_contents *c, const char *name, uint32_t index, const char *text,
                           const lw_fact *fact);

/* Why a window begins in this cycle; for a sentence's end. */
const char *lw_since_text(uint64_t from);

/* The looks; each ends at its first bark. */
void lw_contents_tlb(lw_contents *c);
void lw_contents_pwc_by_level(lw_contents *c);
void lw_contents_pwc_by_address(lw_contents *c);
void lw_contents_steps(lw_contents *c);
void lw_contents_msc(lw_contents *c);
void lw_contents_buffer(lw_contents *c);
void lw_contents_walkers(lw_contents *c);
void lw_contents_holders(lw_contents *c);
void lw_contents_ranks(lw_contents *c);

#endif
