#include "c_model/walk/page_walk_cache_by_address.h"

#include "c_model/base/ranks.h"

#define KEY_VALID (UINT64_C(1) << 63)

void lw_pwc_by_address_init(lw_pwc_by_address *c, const lw_config *cfg, const lw_watch *watch) {
    *c = (lw_pwc_by_address){.cfg = cfg, .watch = watch};
    c->sets = cfg->hw.pwc_entries / cfg->hw.pwc_ways;
    c->set_bits = (uint32_t)__builtin_ctz(c->sets);
    for (uint32_t s = 0; s < c->sets; s++) {
        c->ranks[s] = LW_RANKS_RESET;
    }
}

/* {VALID, A[PA_WIDTH-1:3]} of the PTE that the walker is about to read (R1.1). */
static uint64_t key_word(const lw_pwc_query *query) {
    return KEY_VALID | query->node << 9 | lw_index(query->key, query->level);
}

static uint32_t set_of(const lw_pwc_by_address *c, uint64_t word) {
    return (uint32_t)word & (c->sets - 1);
}

/* The first entry of the set that is equal to `word` in the bits of `mask`, or LW_NONE. */
static int32_t find(const lw_pwc_by_address *c, uint64_t word, uint64_t mask) {
    const uint32_t ways = c->cfg->hw.pwc_ways, first = set_of(c, word) * ways;
    for (uint32_t e = first; e < first + ways; e++) {
        if (((c->key[e] ^ word) & mask) == 0) {
            return (int32_t)e;
        }
    }
    return LW_NONE;
}

/* R6.17; the bits above TAG are zero in every key. */
static uint64_t partial(const lw_pwc_by_address *c) {
    enum { PARTIAL_TAG = 12 };
    return KEY_VALID | ((UINT64_C(1) << (c->set_bits + PARTIAL_TAG)) - 1);
}

lw_pwc_found lw_pwc_by_address_compare(const lw_pwc_by_address *c, const lw_pwc_query *query) {
    const int32_t e = find(c, key_word(query), UINT64_MAX);
    if (e == LW_NONE) {
        return (lw_pwc_found){.entry = LW_NONE};
    }
    const uint32_t perm = query->perm & (uint32_t)(c->payload[e] >> LW_PWC_AT_PERM & 3);
    if (!lw_grants(perm, query->access)) {
        return (lw_pwc_found){.entry = LW_NONE};
    }
    return (lw_pwc_found){.entry = e,
                          .level = query->level - 1,
                          .perm = perm,
                          .contig = lw_pwc_contig(c->payload[e]),
                          .node = c->payload[e] & c->cfg->pfn_mask};
}

uint32_t lw_pwc_by_address_victim(const lw_pwc_by_address *c, const lw_pwc_query *query,
                                  int32_t written) {
    const uint64_t word = key_word(query);
    const int32_t same = find(c, word, partial(c));
    if (same != LW_NONE) {
        return (uint32_t)same;
    }
    const uint32_t ways = c->cfg->hw.pwc_ways, set = set_of(c, word);
    for (uint32_t e = set * ways; e < (set + 1) * ways; e++) {
        if ((c->key[e] & KEY_VALID) == 0) {
            return e;
        }
    }
    const bool here = written != LW_NONE && (uint32_t)written / ways == set;
    const uint64_t ranks = c->ranks[set]; /* touched, the one that is written is not the highest */
    return set * ways +
           lw_rank_highest(here ? lw_rank_touch(ranks, (uint32_t)written % ways) : ranks, ways);
}

void lw_pwc_by_address_write(lw_pwc_by_address *c, uint32_t entry, const lw_pwc_query *query,
                             const lw_pwc_node *node) {
    c->key[entry] = key_word(query);
    c->payload[entry] = lw_pwc_payload(node);
    lw_touch(c->watch, LW_S_PWC, entry);
}

/* R6.4 */
void lw_pwc_by_address_touch(lw_pwc_by_address *c, uint32_t entry) {
    const uint32_t ways = c->cfg->hw.pwc_ways, set = entry / ways;
    c->ranks[set] = lw_rank_touch(c->ranks[set], entry % ways);
    lw_touch_all(c->watch, LW_S_PWC_RANK, set * ways, ways);
}

/* R6.6: addresses do not say whose they are. */
void lw_pwc_by_address_mark(lw_pwc_by_address *c) {
    for (uint32_t e = 0; e < c->cfg->hw.pwc_entries; e++) {
        if ((c->key[e] & KEY_VALID) != 0) {
            c->key[e] &= ~KEY_VALID;
            lw_touch(c->watch, LW_S_PWC, e);
        }
    }
}
