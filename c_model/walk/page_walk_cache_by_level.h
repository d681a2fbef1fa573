/* The page walk cache by level (chapter 6; NHA, FS-HPT): one fully associative table with true LRU
 * for each level 2..LEVELS. Entry (k-2) x PWC_ENTRIES + i is entry i of table k. */
#ifndef LW_C_MODEL_WALK_PAGE_WALK_CACHE_BY_LEVEL_H
#define LW_C_MODEL_WALK_PAGE_WALK_CACHE_BY_LEVEL_H

#include "c_model/base/signals.h"

enum { LW_PWC_TABLES = LW_LEVELS_MAX - 1, LW_PWC_TABLE_MAX = 64, LW_PWC_BUCKET_BITS = 6 };

/* What a walker asks with, and what a compare answers. */
typedef struct lw_pwc_query {
    uint64_t key, node;
    uint32_t level, perm, access;
} lw_pwc_query;

typedef struct lw_pwc_found {
    int32_t entry; /* LW_NONE: no hit, and the rest is zero */
    uint32_t level, perm, contig;
    uint64_t node;
} lw_pwc_found;

/* What a fill keeps of a node's PTE; PERM is that of the organisation (R6.5). */
typedef struct lw_pwc_node {
    uint64_t frame;
    uint32_t perm, contig;
} lw_pwc_node;

/* The payload word of both organisations: the NODE in 39:0, then PERM and CONTIG. */
enum { LW_PWC_AT_PERM = 40, LW_PWC_AT_CONTIG = 42 };

static inline uint64_t lw_pwc_payload(const lw_pwc_node *n) {
    return n->frame | (uint64_t)n->perm << LW_PWC_AT_PERM | (uint64_t)n->contig << LW_PWC_AT_CONTIG;
}

static inline uint32_t lw_pwc_contig(uint64_t payload) {
    return (uint32_t)(payload >> LW_PWC_AT_CONTIG) & (LW_CONTIG_AC | LW_CONTIG_C);
}

/* The key word is {VALID, PASID, TAG}; the payload {CONTIG, PERM, NODE}; `bucket` (derived) holds
 * the valid entries whose key has a hash; ranks past PWC_ENTRIES are 255, which no touch moves. */
typedef struct lw_pwc_table {
    uint64_t key[LW_PWC_TABLE_MAX], payload[LW_PWC_TABLE_MAX];
    uint64_t valid; /* derived */
    uint64_t bucket[1 << LW_PWC_BUCKET_BITS];
    uint8_t rank[LW_PWC_TABLE_MAX];
} lw_pwc_table;

typedef struct lw_pwc_by_level {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_pwc_table table[LW_PWC_TABLES]; /* [k-2] */
} lw_pwc_by_level;

void lw_pwc_by_level_init(lw_pwc_by_level *c, const lw_config *cfg, const lw_watch *watch);
lw_pwc_found lw_pwc_by_level_compare(const lw_pwc_by_level *c, const lw_pwc_query *query);
/* R6.5: the place of a fill after the node at this level, when the entry `written` (or LW_NONE) is
 * written in this cycle; then, without its touch, that it is written. */
uint32_t lw_pwc_by_level_victim(const lw_pwc_by_level *c, const lw_pwc_query *query,
                                int32_t written);
void lw_pwc_by_level_write(lw_pwc_by_level *c, uint32_t entry, const lw_pwc_query *query,
                           const lw_pwc_node *node);
void lw_pwc_by_level_touch(lw_pwc_by_level *c, uint32_t entry);
void lw_pwc_by_level_mark(lw_pwc_by_level *c, const lw_mark *mark);
void lw_pwc_by_level_derive(lw_pwc_by_level *c);

#endif
