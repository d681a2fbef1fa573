#include "c_model/walk/page_walk_cache_by_level.h"

#define KEY_VALID (UINT64_C(1) << 63)

enum { NO_RANK = 255 };

void lw_pwc_by_level_init(lw_pwc_by_level *c, const lw_config *cfg, const lw_watch *watch) {
    *c = (lw_pwc_by_level){.cfg = cfg, .watch = watch};
    for (uint32_t t = 0; t < LW_PWC_TABLES; t++) {
        for (uint32_t i = 0; i < LW_PWC_TABLE_MAX; i++) {
            c->table[t].rank[i] = (uint8_t)(i < cfg->hw.pwc_entries ? i : NO_RANK);
        }
    }
}

/* {VALID, PASID, TAG} of a walker's key at level k. */
static uint64_t key_word(uint64_t key, uint32_t level) {
    return KEY_VALID | lw_key(lw_key_pasid(key), lw_key_vpn(key) >> lw_index_shift(level));
}

static uint64_t *bucket(const lw_pwc_table *t, uint64_t word) {
    const uint64_t hash = word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - LW_PWC_BUCKET_BITS);
    return (uint64_t *)&t->bucket[hash];
}

static int32_t find(const lw_pwc_table *t, uint64_t word) {
    for (uint64_t m = *bucket(t, word); m != 0; m &= m - 1) {
        const int32_t i = __builtin_ctzll(m);
        if (t->key[i] == word) {
            return i;
        }
    }
    return LW_NONE;
}

/* R6.2 */
lw_pwc_found lw_pwc_by_level_compare(const lw_pwc_by_level *c, const lw_pwc_query *query) {
    for (uint32_t k = 2; k <= query->level && k <= c->cfg->hw.levels; k++) {
        const lw_pwc_table *t = &c->table[k - 2];
        const int32_t i = find(t, key_word(query->key, k));
        if (i != LW_NONE && lw_grants(t->payload[i] >> LW_PWC_AT_PERM & 3, query->access)) {
            return (lw_pwc_found){.entry = (int32_t)((k - 2) * c->cfg->hw.pwc_entries) + i,
                                  .level = k - 1,
                                  .perm = t->payload[i] >> LW_PWC_AT_PERM & 3,
                                  .contig = lw_pwc_contig(t->payload[i]),
                                  .node = t->payload[i] & c->cfg->pfn_mask};
        }
    }
    return (lw_pwc_found){.entry = LW_NONE};
}

/* Of all entries but one (or LW_NONE). */
static uint32_t highest_rank(const lw_pwc_table *t, uint32_t entries, int32_t but) {
    for (uint32_t rank = entries; rank-- > 0;) {
        const uint8_t *at = memchr(t->rank, (int)rank, entries);
        if (at != NULL && at - t->rank != but) { /* the first or second, except after a flip */
            return (uint32_t)(at - t->rank);
        }
    }
    return 0;
}

uint32_t lw_pwc_by_level_victim(const lw_pwc_by_level *c, const lw_pwc_query *query,
                                int32_t written) {
    const uint32_t entries = c->cfg->hw.pwc_entries, number = (query->level - 2) % LW_PWC_TABLES;
    const lw_pwc_table *t = &c->table[number];
    const int32_t same = find(t, key_word(query->key, query->level));
    if (same != LW_NONE) {
        return number * entries + (uint32_t)same;
    }
    const uint64_t used = entries < 64 ? t->valid | UINT64_MAX << entries : t->valid;
    if (used != UINT64_MAX) {
        return number * entries + (uint32_t)__builtin_ctzll(~used);
    }
    const bool here = written != LW_NONE && (uint32_t)written / entries == number;
    return number * entries +
           highest_rank(t, entries, here ? written - (int32_t)(number * entries) : LW_NONE);
}

void lw_pwc_by_level_write(lw_pwc_by_level *c, uint32_t entry, const lw_pwc_query *query,
                           const lw_pwc_node *node) {
    lw_pwc_table *t = &c->table[entry / c->cfg->hw.pwc_entries];
    const uint32_t i = entry % c->cfg->hw.pwc_entries;
    if ((t->key[i] & KEY_VALID) != 0) {
        *bucket(t, t->key[i]) &= ~(UINT64_C(1) << i);
    }
    t->key[i] = key_word(query->key, query->level);
    t->payload[i] = lw_pwc_payload(node);
    t->valid |= UINT64_C(1) << i;
    *bucket(t, t->key[i]) |= UINT64_C(1) << i;
    lw_touch(c->watch, LW_S_PWC, entry);
}

/* R6.4: as R3.4. The loop's fixed length lets the compiler do it in a few vector steps. */
void lw_pwc_by_level_touch(lw_pwc_by_level *c, uint32_t entry) {
    const uint32_t entries = c->cfg->hw.pwc_entries, first = entry - entry % entries;
    uint8_t *rank = c->table[entry / entries].rank;
    const uint8_t own = rank[entry % entries];
    if (own == 0) {
        return;
    }
    for (uint32_t i = 0; i < LW_PWC_TABLE_MAX; i++) {
        rank[i] = (uint8_t)(rank[i] + (rank[i] < own));
    }
    rank[entry % entries] = 0;
    lw_touch_all(c->watch, LW_S_PWC_RANK, first, entries);
}

/* R6.6 */
void lw_pwc_by_level_mark(lw_pwc_by_level *c, const lw_mark *mark) {
    for (uint32_t n = 0; n < LW_PWC_TABLES; n++) {
        lw_pwc_table *t = &c->table[n];
        for (uint64_t m = t->valid; m != 0; m &= m - 1) {
            const uint32_t i = (uint32_t)__builtin_ctzll(m);
            if (lw_mark_meets(mark, lw_key_pasid(t->key[i] & ~KEY_VALID))) {
                *bucket(t, t->key[i]) &= ~(UINT64_C(1) << i);
                t->key[i] &= ~KEY_VALID;
                t->valid &= ~(UINT64_C(1) << i);
                lw_touch(c->watch, LW_S_PWC, n * c->cfg->hw.pwc_entries + i);
            }
        }
    }
}

void lw_pwc_by_level_derive(lw_pwc_by_level *c) {
    for (uint32_t n = 0; n < LW_PWC_TABLES; n++) {
        lw_pwc_table *t = &c->table[n];
        t->valid = 0;
        memset(t->bucket, 0, sizeof t->bucket);
        for (uint32_t i = 0; i < c->cfg->hw.pwc_entries; i++) {
            if ((t->key[i] & KEY_VALID) != 0) {
                t->valid |= UINT64_C(1) << i;
                *bucket(t, t->key[i]) |= UINT64_C(1) << i;
            }
        }
    }
}
