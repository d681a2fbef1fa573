/* When a walker looks in vain (R5.20, R5.21): each look of random streams, by the operations that
 * stand in search and update at the beginning of its cycle, by the scan that the CAM takes, and by
 * what was near as the entry was read (R5.19), with all that is read of it (R5.18). */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODES = 3, WALKERS = 8, MEM = 6, CAM = 4, NONE = 0, SCAN = 1, ADVANCE = 2, COMMIT = 3 };
enum { MARK = 1, TYPE_PASID };

/* Why a look is in vain, the first that applies; READ_NEAR alone shows that update was in search.
 */
enum { BY_SCAN, BY_OLDER, BY_SEARCH, BY_UPDATE, BY_NEAR, STARTS, REASONS };
static const char *const reason_names[REASONS] = {"scan",   "older", "search",
                                                  "update", "near",  "starts"};

/* What an entry is near that is read: of one that is near both the level counts. */
enum { NOT_NEAR, NEAR_LEVEL, NEAR_CLAIM, NEARS };

typedef struct seen {
    uint64_t reason[REASONS];
    uint64_t close[COMMIT + 1]; /* by operation */
    uint64_t not_taken;         /* scans beside a look */
    uint64_t near[NEARS];       /* entries read, by what is near */
} seen;

typedef struct operation {
    uint64_t op, pasid, vpn, level, claim, claim_level;
} operation;

static operation in_search(const bench *b) {
    return (operation){bench_peek(b, LW_F_SEARCH_SEARCH_OP, 0),
                       bench_peek(b, LW_F_SEARCH_SEARCH_PASID, 0),
                       bench_peek(b, LW_F_SEARCH_SEARCH_VPN, 0),
                       bench_peek(b, LW_F_SEARCH_SEARCH_LEVEL, 0),
                       bench_peek(b, LW_F_SEARCH_SEARCH_CLAIM, 0),
                       bench_peek(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0)};
}

static operation in_update(const bench *b) {
    return (operation){bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0),
                       bench_peek(b, LW_F_UPDATE_UPDATE_PASID, 0),
                       bench_peek(b, LW_F_UPDATE_UPDATE_VPN, 0),
                       bench_peek(b, LW_F_UPDATE_UPDATE_LEVEL, 0),
                       bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM, 0),
                       bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM_LEVEL, 0)};
}

/* R5.21, of a unit whose accesses all have REACH line, with MODE other than 0. */
static bool is_close(const operation *o, uint64_t pasid, uint64_t vpn, seen *s) {
    const bool by_claim = o->op == COMMIT || (o->op == ADVANCE && o->level == 1);
    const uint64_t level = !by_claim ? o->level : o->claim != 0 ? o->claim_level : 0;
    if (o->op == NONE || level == 0 || o->pasid != pasid ||
        (o->vpn ^ vpn) >> (9 * (level - 1) + 3) != 0) {
        return false;
    }
    s->close[o->op]++;
    return true;
}

/* The walkers of AHEAD that have looked in vain. */
static bool has_older(const bench *b, uint32_t walker) {
    const uint64_t ahead = bench_peek(b, LW_F_ORDER_AHEAD, walker);
    for (uint32_t i = 0; i < WALKERS; i++) {
        if ((ahead >> i & 1) != 0 && bench_peek(b, LW_F_PWST_TRIED, i) != 0) {
            return true;
        }
    }
    return false;
}

/* R4.4, R11.7: whether the CAM takes a scan: not of a walker that is STALE or is marked. */
static bool takes_scan(const bench *b, seen *s) {
    const uint32_t tag = (uint32_t)bench_peek(b, LW_F_WALK_MEMORY_LINE_TAG, 0) % WALKERS;
    const bool scan = bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0 &&
                      bench_peek(b, LW_F_PWST_STATE, tag) == MEM;
    const bool marked =
        bench_peek(b, LW_F_INVALIDATION_STATE, 0) == MARK &&
        bench_peek(b, LW_F_INVALIDATION_PASID, 0) == bench_peek(b, LW_F_PWST_PASID, tag);
    const bool taken = scan && !marked && bench_peek(b, LW_F_PWST_STALE, tag) == 0;
    s->not_taken += scan && !taken;
    return taken;
}

static uint32_t expected(const bench *b, uint32_t mode, uint32_t walker, seen *s) {
    const uint64_t pasid = bench_peek(b, LW_F_READ_READ_PASID, 0);
    const uint64_t vpn = bench_peek(b, LW_F_READ_READ_VPN, 0);
    const operation search = in_search(b), update = in_update(b);
    const bool by_search = mode != 0 && is_close(&search, pasid, vpn, s);
    const bool by_update = mode != 0 && is_close(&update, pasid, vpn, s);
    if (takes_scan(b, s)) {
        return BY_SCAN;
    }
    return has_older(b, walker)                         ? BY_OLDER
           : by_search                                  ? BY_SEARCH
           : by_update                                  ? BY_UPDATE
           : bench_peek(b, LW_F_READ_READ_NEAR, 0) != 0 ? BY_NEAR
                                                        : STARTS;
}

/* R5.19 */
static uint32_t near_as_read(const bench *b, uint32_t mode, uint32_t slot) {
    if (mode == 0) {
        return NOT_NEAR;
    }
    return bench_peek(b, LW_F_BUFFER_NEAR_LEVEL, slot) != 0   ? NEAR_LEVEL
           : bench_peek(b, LW_F_BUFFER_NEAR_CLAIM, slot) != 0 ? NEAR_CLAIM
                                                              : NOT_NEAR;
}

/* R5.18: what is read of an entry, and where it then stands. */
static const struct {
    lw_field entry, read;
} read_fields[] = {
    {LW_F_BUFFER_ID, LW_F_READ_READ_ID},         {LW_F_BUFFER_SRC, LW_F_READ_READ_SRC},
    {LW_F_BUFFER_PASID, LW_F_READ_READ_PASID},   {LW_F_BUFFER_VPN, LW_F_READ_READ_VPN},
    {LW_F_BUFFER_ACCESS, LW_F_READ_READ_ACCESS}, {LW_F_BUFFER_DONE, LW_F_READ_READ_DONE},
    {LW_F_BUFFER_STALE, LW_F_READ_READ_STALE},   {LW_F_BUFFER_CL, LW_F_READ_READ_CL},
    {LW_F_BUFFER_PL, LW_F_READ_READ_PL}};
enum { READ_FIELDS = sizeof read_fields / sizeof read_fields[0] };

static void watched_cycle(bench *b, uint32_t mode, seen *s) {
    const bool reads = bench_peek(b, LW_F_ASK_ASK_VALID, 0) != 0 &&
                       bench_peek(b, LW_F_INVALIDATION_STATE, 0) != MARK;
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_ASK_ASK_SLOT, 0);
    const uint64_t reader = bench_peek(b, LW_F_ASK_ASK_WALKER, 0);
    const uint32_t near = near_as_read(b, mode, slot);
    uint64_t of_entry[READ_FIELDS];
    for (uint32_t f = 0; f < READ_FIELDS; f++) {
        of_entry[f] = bench_peek(b, read_fields[f].entry, slot);
    }
    const bool looks = bench_peek(b, LW_F_READ_READ_VALID, 0) != 0 &&
                       bench_peek(b, LW_F_READ_READ_DONE, 0) == 0 &&
                       bench_peek(b, LW_F_READ_READ_CL, 0) == 0; /* else R5.7 */
    const uint32_t walker = (uint32_t)bench_peek(b, LW_F_READ_READ_WALKER, 0);
    const uint32_t why = looks ? expected(b, mode, walker, s) : 0;
    bench_random_cycle(b, true);
    assert_int_equal(bench_peek(b, LW_F_READ_READ_VALID, 0), reads);
    if (reads) {
        s->near[near]++;
        assert_int_equal(bench_peek(b, LW_F_READ_READ_NEAR, 0), near != NOT_NEAR);
        assert_int_equal(bench_peek(b, LW_F_READ_READ_SLOT, 0), slot);
        assert_int_equal(bench_peek(b, LW_F_READ_READ_WALKER, 0), reader);
        for (uint32_t f = 0; f < READ_FIELDS; f++) {
            assert_int_equal(bench_peek(b, read_fields[f].read, 0), of_entry[f]);
        }
    }
    if (looks) {
        s->reason[why]++;
        assert_int_equal(bench_peek(b, LW_F_PWST_STARTED, walker), why == STARTS);
        assert_int_equal(bench_peek(b, LW_F_PWST_TRIED, walker), why != STARTS);
        assert_int_equal(bench_peek(b, LW_F_PWST_STATE, walker) == CAM, why != STARTS);
    }
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 24, CYCLES = 5000 };
    seen s = {.reason = {0}};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 32;
        hw.walkers = WALKERS;
        hw.tlb_entries = hw.tlb_ways; /* so that most requests miss */
        hw.pwc_org = seed / MODES % 2;
        hw.pwc_entries = hw.pwc_ways = 8;
        bench b;
        bench_init(&b, &hw, seed);
        bench_keep_near(&b);
        bench_pool(&b, 60, 2, 5);
        bench_pool_runs(&b, 12, 2);
        b.latency = 3;
        b.jitter = 6;
        bench_enable(&b, seed % MODES, seed % 4 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = seed % 2 != 0 && c % 40 == 39;
            b.in.inv_type = TYPE_PASID;
            b.in.inv_pasid = c / 40 % 2;
            watched_cycle(&b, seed % MODES, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    for (uint32_t r = 0; r < REASONS; r++) {
        if (s.reason[r] < 20) {
            fail_msg("%s: %u looks", reason_names[r], (unsigned)s.reason[r]);
        }
    }
    assert_true(s.not_taken > 20);
    assert_true(s.near[NOT_NEAR] > 20 && s.near[NEAR_LEVEL] > 20 && s.near[NEAR_CLAIM] > 20);
    for (uint32_t op = SCAN; op <= COMMIT; op++) {
        if (s.close[op] < 20) {
            fail_msg("operation %u: close to %u looks", op, (unsigned)s.close[op]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
