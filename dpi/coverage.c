#include "dpi/coverage.h"

#include "c_model/base/signals.h"
#include "c_model/host/invalidation.h"
#include "c_model/walk/page_walkers.h"

#include <stdio.h>
#include <stdlib.h>

enum { AXIS_MAX = 12 };

/* Names end with NULL; the number of a row or column is its place here. */
typedef struct group {
    const char *name;
    const char *rows[AXIS_MAX + 1], *columns[AXIS_MAX + 1];
} group;

enum { FULL, LOOKUP, WALKER, ANSWER, KNOWN, CAM, CHECK, GROUPS };

enum { HIT_QUEUE, HIT_AND_WALK, WALK_QUEUE, HIT_PLACES, MISS_QUEUE, BUFFER, WALKERS, CHECK_QUEUE };
enum { NO_STALL, REQUEST, RESPONSE, MEMORY, INVALIDATION };
enum { LOWEST_ASKED = 2, AGAIN_ROW = 4 };
enum { SCAN, SCAN_ERROR, CLAIM_OF_SCAN, CLAIM_OF_ADVANCE, CLAIM_OF_COMMIT };
enum { MSC_HIT, MSC_MISS, MERGED, DROPPED, JOINED };

static const group groups[GROUPS] = {
    [FULL] = {"full x stall",
              {"hit queue", "hit queue with walk answers", "walk queue", "hit places", "miss queue",
               "buffer", "walkers", "check queue", NULL},
              {"none", "request", "response", "memory", "invalidation", NULL}},
    [LOOKUP] = {"lookup x fill, sweep",
                {"none", "hit", "miss", NULL},
                {"neither", "fill", "sweep", "fill and sweep", NULL}},
    [WALKER] = {"walker x invalidation",
                {"IDLE", "READ", "PWC_REQ", "PWC_WAIT", "CAM", "REQ", "MEM", "RESP", NULL},
                {"IDLE", "MARK", "SWEEP", "SETTLE", "WALKS", "QUEUES", "COMPLETE", NULL}},
    [ANSWER] = {"answer x level or links",
                {"OK", "NONCANONICAL", "UNKNOWN_PASID", "NOT_PRESENT", "RESERVED", "MISALIGNED",
                 "PERMISSION", "MEMORY_ERROR", NULL},
                {"0", "1", "2", "3", "4", "5", "6", "7", NULL}},
    [KNOWN] = {"level x level from the PWC",
               {"2", "3", "4", "5", "again", NULL},
               {"miss", "1", "2", "3", "4", NULL}},
    [CAM] = {"CAM operation x reach",
             {"scan", "scan with error", "claim of scan", "claim of advance", "claim of commit",
              NULL},
             {"line", "subregion", "frame", NULL}},
    [CHECK] = {"contiguity check x invalidation",
               {"MSC hit", "MSC miss", "merged", "dropped", "joined", NULL},
               {"none", "under way", NULL}},
};

struct lw_coverage {
    lw_params params;
    uint64_t counts[GROUPS][AXIS_MAX][AXIS_MAX];
    uint64_t before[LW_COUNTERS]; /* the counters as the last cycle began */
    bool invalidating;            /* then */
};

lw_coverage *lw_coverage_new(const lw_params *params) {
    lw_coverage *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->params = *params;
    }
    return c;
}

void lw_coverage_free(lw_coverage *c) {
    free(c);
}

static uint32_t peek(const lw_iommu *u, lw_field field, uint32_t index) {
    return (uint32_t)lw_iommu_peek(u, field, index);
}

static void full(lw_coverage *c, const lw_iommu *u, const lw_inputs *in, const lw_outputs *out,
                 bool walkers_busy) {
    const lw_params *p = &c->params;
    const bool hits_full = peek(u, LW_F_RESPONSE_HIT_COUNT, 0) == p->hit_queue;
    const uint32_t answers = peek(u, LW_F_RESPONSE_WALK_COUNT, 0);
    const uint32_t tail = peek(u, LW_F_BUFFER_RING_TAIL, 0);
    const bool is_full[] = {
        [HIT_QUEUE] = hits_full,
        [HIT_AND_WALK] = hits_full && answers != 0,
        [WALK_QUEUE] = answers == p->walk_queue,
        [HIT_PLACES] = peek(u, LW_F_ADMISSION_HIT_USED, 0) == p->hit_queue,
        [MISS_QUEUE] = peek(u, LW_F_MISS_MISS_COUNT, 0) == p->miss_queue,
        [BUFFER] = peek(u, LW_F_BUFFER_VALID, tail) != 0, /* R4.11: its turn, and it is taken */
        [WALKERS] = walkers_busy,
        [CHECK_QUEUE] =
            p->subregions != 0 && peek(u, LW_F_CHECK_RING_QUEUE_COUNT, 0) == p->check_queue,
    };
    const bool stalls[] = {
        [REQUEST] = in->req_valid && !out->req_ready,
        [RESPONSE] = out->rsp_valid && !in->rsp_ready,
        [MEMORY] = out->mem_req_valid && !in->mem_req_ready,
        [INVALIDATION] = !out->inv_ready,
    };
    const bool none = !(stalls[REQUEST] || stalls[RESPONSE] || stalls[MEMORY]) && out->inv_ready;
    for (uint32_t row = HIT_QUEUE; row <= CHECK_QUEUE; row++) {
        c->counts[FULL][row][NO_STALL] += is_full[row] && none;
        for (uint32_t stall = REQUEST; stall <= INVALIDATION; stall++) {
            c->counts[FULL][row][stall] += is_full[row] && stalls[stall];
        }
    }
}

/* A hit or miss that is decided, a fill that is placed, a set that is swept, in one cycle. */
static void lookup(lw_coverage *c, const lw_iommu *u, uint32_t invalidation) {
    const uint32_t last = lw_tlb_stages(&c->params) - 1;
    const bool decides = peek(u, LW_F_TLB_PIPE_PIPE_VALID, last) != 0;
    const uint32_t row = !decides ? 0 : peek(u, LW_F_TLB_FOUND_FOUND, 0) != 0 ? 1 : 2;
    const uint32_t column =
        peek(u, LW_F_PLACE_PLACE_VALID, 0) + (invalidation == LW_INV_SWEEP ? UINT32_C(2) : 0);
    c->counts[LOOKUP][row][column]++;
}

/* Whether no walker is IDLE. */
static bool walkers(lw_coverage *c, const lw_iommu *u, uint32_t invalidation) {
    bool busy = true;
    for (uint32_t w = 0; w < c->params.walkers; w++) {
        const uint32_t state = peek(u, LW_F_PWST_STATE, w);
        c->counts[WALKER][state % AXIS_MAX][invalidation % AXIS_MAX]++;
        busy = busy && state != LW_IDLE;
    }
    return busy;
}

/* The level at which a walk asks the page walk cache, beside what that then says. */
static void known(lw_coverage *c, const lw_iommu *u) {
    const uint32_t w = peek(u, LW_F_PWC_RESULT_RESULT_WALKER, 0);
    if (peek(u, LW_F_PWC_RESULT_RESULT_VALID, 0) == 0 || w >= c->params.walkers) {
        return;
    }
    const bool first = peek(u, LW_F_PWST_OWN_LINE, w) != 0; /* R5.24 */
    const uint32_t row = first ? peek(u, LW_F_PWST_LEVEL, w) - LOWEST_ASKED : AGAIN_ROW;
    const bool hit = peek(u, LW_F_PWC_RESULT_RESULT_HIT, 0) != 0;
    c->counts[KNOWN][row % AXIS_MAX][hit ? peek(u, LW_F_PWC_RESULT_RESULT_LEVEL, 0) : 0]++;
}

static void cam(lw_coverage *c, const lw_iommu *u) {
    static const uint32_t claims[] = {
        [LW_OP_SCAN] = CLAIM_OF_SCAN,
        [LW_OP_ADVANCE] = CLAIM_OF_ADVANCE,
        [LW_OP_COMMIT] = CLAIM_OF_COMMIT,
    };
    const uint32_t op = peek(u, LW_F_UPDATE_UPDATE_OP, 0);
    if (op == LW_OP_NONE) {
        return;
    }
    if (op == LW_OP_SCAN) {
        const uint32_t row = peek(u, LW_F_UPDATE_UPDATE_ERROR, 0) != 0 ? SCAN_ERROR : SCAN;
        c->counts[CAM][row][peek(u, LW_F_UPDATE_UPDATE_REACH, 0)]++;
    }
    if (peek(u, LW_F_UPDATE_UPDATE_CLAIM, 0) != 0) {
        c->counts[CAM][claims[op]][peek(u, LW_F_UPDATE_UPDATE_CLAIM_REACH, 0)]++;
    }
}

/* What the last cycle counted, and whether an invalidation was then under way. */
static void check(lw_coverage *c, const lw_iommu *u, bool invalidating) {
    enum { LOOKUPS = LW_C_MSC_LOOKUPS, HITS = LW_C_MSC_HITS };
    uint64_t events[LW_COUNTERS];
    for (uint32_t n = LW_C_MSC_LOOKUPS; n < LW_C_EVENTS; n++) {
        const uint64_t total = lw_iommu_counter(u, n);
        events[n] = total - (total < c->before[n] ? 0 : c->before[n]); /* a reset clears it */
        c->before[n] = total;
    }
    const uint32_t column = c->invalidating;
    c->counts[CHECK][MSC_HIT][column] += events[HITS];
    c->counts[CHECK][MSC_MISS][column] += events[LOOKUPS] - events[HITS];
    c->counts[CHECK][MERGED][column] += events[LW_C_CHECKS_MERGED];
    c->counts[CHECK][DROPPED][column] += events[LW_C_CHECKS_DROPPED];
    c->counts[CHECK][JOINED][column] += events[LW_C_JOINED];
    c->invalidating = invalidating;
}

void lw_coverage_cycle(lw_coverage *c, const lw_iommu *unit, const lw_inputs *in,
                       const lw_outputs *out) {
    const uint32_t invalidation = peek(unit, LW_F_INVALIDATION_STATE, 0);
    const bool busy = walkers(c, unit, invalidation);
    full(c, unit, in, out, busy);
    lookup(c, unit, invalidation);
    if (out->rsp_valid && in->rsp_ready) {
        c->counts[ANSWER][out->rsp_kind % AXIS_MAX][out->rsp_level % AXIS_MAX]++;
    }
    known(c, unit);
    cam(c, unit);
    if (c->params.subregions != 0) {
        check(c, unit, invalidation != LW_INV_IDLE);
    }
}

static size_t length(const char *const *names) {
    size_t n = 0;
    while (names[n] != NULL) {
        n++;
    }
    return n;
}

bool lw_coverage_point_at(const lw_coverage *c, size_t i, lw_coverage_point *point) {
    for (size_t g = 0; g < GROUPS; g++) {
        const size_t columns = length(groups[g].columns);
        const size_t points = length(groups[g].rows) * columns;
        if (i < points) {
            (void)snprintf(point->name, sizeof point->name, "%s: %s x %s", groups[g].name,
                           groups[g].rows[i / columns], groups[g].columns[i % columns]);
            point->count = c->counts[g][i / columns][i % columns];
            return true;
        }
        i -= points;
    }
    return false;
}
