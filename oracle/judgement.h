/* The state of the oracle, shared by the file that follows what happens (oracle.c) and the one that
 * judges an answer over it (judgement.c); nobody else looks inside. */
#ifndef LW_ORACLE_JUDGEMENT_H
#define LW_ORACLE_JUDGEMENT_H

#include "oracle/change_log.h"
#include "oracle/oracle.h"
#include "oracle/windows.h"

/* What fits the host's own caches: beyond them a look is dearer than the walk that it saves, whose
 * entries the unit has just read. */
#define LW_CACHE_BITS 10

/* A request, in flight or answered. */
typedef struct lw_asked {
    uint64_t page_number;
    uint32_t pasid;
    uint8_t access;
    bool in_flight;
    uint64_t asked; /* when it entered the unit */
} lw_asked;

/* The invalidation under way; `open`: there is one. */
typedef struct lw_oracle_invalidation {
    bool open;
    uint32_t pasid;
    uint64_t first, last, time;
} lw_oracle_invalidation;

typedef struct lw_cached_answer {
    uint64_t generation; /* right while equal to the oracle's; 0: never */
    uint64_t page_number;
    uint32_t pasid;
    uint32_t access;
    lw_oracle_answer answer;
} lw_cached_answer;

struct lw_oracle {
    lw_oracle_config config;
    lw_flat_image image;
    lw_change_log *log;
    lw_windows *windows;
    lw_root *roots; /* by PASID */
    /* by PASID; `table_log` is not 0: it has a hashed table, whose query this is but for the page
     */
    lw_hashed_walk_query *hashed;
    lw_asked *requests; /* by id */
    lw_cached_answer *cache;
    uint64_t generation; /* counts the changes of the image */
    uint32_t in_flight;
    uint64_t checked;
    /* Grows with each request, change and transfer: what comes first has the smaller time. */
    uint64_t time;
    lw_oracle_invalidation invalidation;
    uint64_t last_transfer; /* of the invalidation completed last */
    bool log_incomplete;    /* an old value, or an invalidation, found no memory */
};

/* The last page that there is, as a VPN. */
static inline uint64_t lw_last_page(const lw_oracle_config *c) {
    return (UINT64_C(1) << (9 * c->levels)) - 1;
}

/* Whether the PASID has a hashed table too. */
bool lw_is_hashed(const lw_oracle *o, uint32_t pasid);
/* From when on what a request has read may be. */
uint64_t lw_since_of(const lw_oracle *o, const lw_asked *r);
/* Whether it is right now, or may be with what was (oracle.h). */
bool lw_answer_is_right(lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer);
/* Whether each page that links join to this one is its neighbour in frames too. */
bool lw_links_are_right(lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer);

#endif
