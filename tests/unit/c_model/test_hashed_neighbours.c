/* Walks of hashed tables and those that wait beside them: what the CAM takes of each scan (R21.12),
 * who waits for which access (R21.13), who is answered (R21.11), and marks (R21.15). */
#include "tests/unit/c_model/hashed_bench.h"

enum { PASID = 3, OTHER = 4, TREE = 15, LATENCY = 20, LEVELS = 4 };
enum { OFF, LEAF, FULL };
enum { RADIX, VICTIM, LOOKUP, HOME, CACHED, STEPS, KNOWN };
enum { MEM = 6, SCAN = 1, MARK = 1 };

/* A page at the beginning of its line; FURTHER is in another region of its 16 MiB. */
#define PAGE UINT64_C(0x123456788)
#define FURTHER (PAGE ^ 512)

static void begin_with(hashed *h, uint32_t walkers, uint32_t mode, bool home_first) {
    lw_params hw = hashed_hw;
    hw.walkers = walkers;
    hashed_init(h, &hw, 1);
    h->judged = true;
    h->b.latency = LATENCY;
    h->of[PASID] = (hashed_table){
        .table_log = 6, .step_log = 8, .table_frame = 64, .step_frame = 32, .victim = TREE};
    h->of[OTHER] = h->of[PASID];
    h->of[OTHER].victim = 0;
    bench_map(&h->b, TREE, PAGE, 0x777);
    hashed_tell(h, PASID);
    hashed_tell(h, OTHER);
    hashed_enable(h, mode, true, home_first);
}

static void begin(hashed *h, uint32_t mode, bool home_first) {
    begin_with(h, hashed_hw.walkers, mode, home_first);
}

/* Eight pages of each size beside each other, and one that is RESERVED. */
static void map_line(hashed *h, uint32_t step) {
    static const uint64_t hints[] = {0, 1, 2, 1, 0, 2, 3, 1};
    hashed_put_region(h, PASID, PAGE, step);
    for (uint64_t i = 0; i < 8; i++) {
        const uint64_t vpn = PAGE + i, frame = UINT64_C(0x4200000) + (vpn & 511);
        hashed_put_pte(h, PASID, vpn, step, frame << 12 | hints[i] << 9 | P_ | RW_ | US_);
    }
}

static uint64_t peek(const hashed *h, lw_field f, uint32_t i) {
    return bench_peek(&h->b, f, i);
}

/* The walker that is in a state with a WHERE, or WALKERS. */
static uint32_t walker_in(const hashed *h, uint32_t state, uint32_t where) {
    uint32_t i = 0;
    while (i < h->b.hw.walkers &&
           (peek(h, LW_F_PWST_STATE, i) != state || peek(h, LW_F_PWST_WHERE, i) != where)) {
        i++;
    }
    return i;
}

static uint32_t await(hashed *h, uint32_t state, uint32_t where) {
    for (uint32_t n = 0; walker_in(h, state, where) == h->b.hw.walkers; n++) {
        assert_true(n < 500);
        hashed_step(h);
    }
    return walker_in(h, state, where);
}

/* The slot of the entry that is inserted last. */
static uint32_t last_slot(const hashed *h) {
    const uint64_t tail = peek(h, LW_F_BUFFER_RING_TAIL, 0);
    return (uint32_t)(tail + h->b.hw.buffer_entries - 1) % h->b.hw.buffer_entries;
}

/* Offers a page and steps until it is an entry (decided in 2, inserted in 3). */
static uint32_t insert(hashed *h, uint64_t vpn) {
    hashed_offer(h, PASID, vpn);
    for (uint32_t n = 1; n < 4; n++) {
        hashed_step(h);
    }
    assert_int_equal(peek(h, LW_F_BUFFER_VALID, last_slot(h)), 1);
    assert_int_equal(peek(h, LW_F_BUFFER_VPN, last_slot(h)), vpn);
    return last_slot(h);
}

/* ---------------------------------------------------------------- answers beside */

/* R21.11, R9.10: each takes its own PTE from the line, with the SIZE of that PTE, and what is
 * RESERVED for one is not for the others. */
static void test_a_line_of_sizes(void **state) {
    (void)state;
    static const uint8_t sizes[] = {0, 3, 1, 3, 0, 1, 0, 3};
    for (uint32_t mode = LEAF; mode <= FULL; mode++) {
        hashed h;
        begin(&h, mode, false);
        map_line(&h, 2);
        hashed_ask(&h, PASID, PAGE ^ 256, 0); /* the step is cached */
        h.reads = 0;
        for (uint64_t i = 0; i < 8; i++) {
            hashed_offer(&h, PASID, PAGE + i);
        }
        for (uint32_t n = 0; peek(&h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN; n++) {
            assert_true(n < 100);
            hashed_step(&h);
        }
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_SIZE, i), sizes[i]);
            assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_KIND, i), i == 6 ? LW_RESERVED : 0);
        }
        hashed_step(&h);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(peek(&h, LW_F_UPDATE_LINE_UPDATE_SIZE, i), sizes[i]);
        }
        hashed_step(&h);
        for (uint32_t i = 0; i < 8; i++) { /* STORE_TAIL was 0: nobody has learnt before */
            assert_int_equal(peek(&h, LW_F_STORED_PTE_STORED_SIZE, i), sizes[i]);
        }
        hashed_drain(&h);
        assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 6);
        assert_int_equal(h.reads, 2); /* the one that is RESERVED walks for itself (R9.5) */
        assert_true(h.line[0] == h.line[1]);
        bench_done(&h.b);
    }
}

/* The level-1 PTEs of the victim buffer have sizes too, and radix tables none. */
static void test_lines_of_the_victim_buffer(void **state) {
    (void)state;
    hashed h;
    begin(&h, LEAF, false);
    for (uint64_t i = 0; i < 8; i++) {
        *bench_pte(&h.b, TREE, PAGE + i, 1) =
            (UINT64_C(0x4200000) + ((PAGE + i) & 511)) << 12 | (i % 3) << 9 | P_ | RW_ | US_;
    }
    hashed_offer(&h, PASID, PAGE);
    const uint32_t w = await(&h, MEM, VICTIM);
    while (peek(&h, LW_F_PWST_LEVEL, w) != 1 || peek(&h, LW_F_PWST_STATE, w) != MEM) {
        hashed_step(&h);
    }
    for (uint64_t i = 1; i < 8; i++) {
        hashed_offer(&h, PASID, PAGE + i);
    }
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 7);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 1);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(peek(&h, LW_F_STORED_PTE_STORED_SIZE, i), i % 3 == 0 ? 0 : 5 - i % 3 * 2);
    }
    /* the same tree as a radix table */
    h.judged = false;
    bench_write(&h.b, LW_CTL_ROOT + TREE, UINT64_C(1) << 63 | bench_root(&h.b, TREE));
    hashed_offer(&h, TREE, PAGE + 1);
    for (uint64_t i = 0; i < 8; i++) {
        hashed_offer(&h, TREE, PAGE + i);
        assert_true(h.b.last.kind == LW_OK);
    }
    for (uint32_t n = 0; h.b.answered < h.b.sent; n++) {
        const uint64_t answered = h.b.answered;
        hashed_step(&h);
        assert_true(n < 1000);
        if (h.b.answered != answered) {
            assert_int_equal(h.b.last.size, 0);
        }
    }
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- the table of operations */

typedef struct operation {
    uint8_t level, error, claim_level; /* claim_level 0: no claim */
} operation;

/* Asks, and compares what the CAM takes of its scans. */
static void assert_operations(hashed *h, uint32_t pasid, uint64_t vpn, const operation *want,
                              uint32_t count) {
    uint32_t scans = 0;
    hashed_offer(h, pasid, vpn);
    while (h->b.answered < h->b.sent) {
        hashed_step(h);
        if (peek(h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN) {
            continue;
        }
        assert_true(scans < count);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_LEVEL, 0), want[scans].level);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_ERROR, 0), want[scans].error);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM, 0), want[scans].claim_level != 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0), want[scans].claim_level);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_REACH, 0), 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_PERM, 0),
                         want[scans].claim_level != 0 ? 3 : 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_PERM, 0), 3);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_VPN, 0), vpn);
        scans++;
    }
    assert_int_equal(scans, count);
    hashed_drain(h);
}

#define OPERATIONS(h, pasid, vpn, ...)                                                             \
    do {                                                                                           \
        const operation want[] = {__VA_ARGS__};                                                    \
        assert_operations(h, pasid, vpn, want, sizeof want / sizeof want[0]);                      \
    } while (0)

static void test_operations(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    map_line(&h, 2);
    OPERATIONS(&h, PASID, PAGE, {2, 1, 1}, {1, 0, 0});
    OPERATIONS(&h, PASID, PAGE ^ 64, {1, 0, 0}); /* CACHED; not present */
    OPERATIONS(&h, PASID, FURTHER, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0});
    bench_map(&h.b, TREE, FURTHER, 0x123);
    OPERATIONS(&h, PASID, FURTHER, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0});
    hashed_put_step(&h, PASID, FURTHER, 7, true);
    OPERATIONS(&h, PASID, FURTHER + 1, {2, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 1, 0}, {0, 1, 0},
               {0, 1, 0}, {0, 1, 1}, {1, 0, 0});
    OPERATIONS(&h, PASID, FURTHER + 2, {1, 1, 2}, {2, 1, 1}, {1, 1, 0}, {0, 1, 0}, {0, 1, 0},
               {0, 1, 1}, {1, 0, 0});
    hashed_put_step(&h, OTHER, PAGE, 7, true);
    OPERATIONS(&h, OTHER, PAGE, {2, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 1, 0});
    OPERATIONS(&h, OTHER, FURTHER, {2, 1, 0});
    h.judged = false;
    h.bad = true;
    h.bad_line = hashed_bucket(&h, PASID, PAGE ^ 8192);
    OPERATIONS(&h, PASID, PAGE ^ 8192, {2, 1, 0});
    h.bad_line = hashed_slot_line(&h, PASID, PAGE ^ 128, 2);
    OPERATIONS(&h, PASID, PAGE ^ 128, {2, 1, 1}, {1, 1, 0});
    h.bad = false;
    *bench_pte(&h.b, TREE, PAGE ^ UINT64_C(1) << 20, 2) =
        UINT64_C(0x40200000) | P_ | RW_ | US_ | PS_;
    OPERATIONS(&h, PASID, PAGE ^ UINT64_C(1) << 20, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0});
    hashed_enable(&h, FULL, true, true);
    OPERATIONS(&h, PASID, PAGE ^ UINT64_C(1) << 21, {1, 1, 2}, {2, 1, 0}, {0, 1, 0}, {0, 1, 0});
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- who waits */

/* A step read holds up the 16 MiB of a level-2 access, where level 2 takes part, and answers
 * nobody; those find their line in the step cache then. */
static void test_step_reads_claim(void **state) {
    (void)state;
    for (uint32_t mode = OFF; mode <= FULL; mode++) {
        const uint32_t waits = mode == FULL ? 2 : 0;
        hashed h;
        begin_with(&h, 1, mode, false);
        map_line(&h, 2);
        hashed_map(&h, PASID, FURTHER, 3, 0x4200123);
        hashed_map(&h, PASID, FURTHER + 1, 3, 0x4200124);
        hashed_offer(&h, PASID, PAGE);
        const uint32_t before = insert(&h, FURTHER); /* before the walk's lookup has ended */
        (void)await(&h, MEM, STEPS);
        hashed_step(&h);
        hashed_step(&h);
        if (mode == FULL) {
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), waits); /* R7.7 */
        }
        const uint32_t after = insert(&h, FURTHER + 1); /* R4.3 */
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, after), waits);
        const uint32_t outside = insert(&h, PAGE ^ 4096);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, outside), 0);
        if (mode == FULL) {
            while (peek(&h, LW_F_UPDATE_UPDATE_OP, 0) != SCAN) {
                hashed_step(&h);
            }
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), waits);
            hashed_step(&h);
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, after), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_PL, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_DONE, before), 0);
        }
        hashed_drain(&h);
        if (mode == FULL) { /* of its group, and of the one outside */
            assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2);
            assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 1);
            assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1); /* FURTHER + 1 */
        }
        bench_done(&h.b);
    }
}

/* Upper levels of the victim buffer hold nobody up and teach nobody; level 1 does both. */
static void test_victim_holds_nobody(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    bench_map(&h.b, TREE, PAGE + 1, 0x778);
    bench_map(&h.b, TREE, PAGE + 2, 0x779);
    hashed_offer(&h, PASID, PAGE);
    const uint32_t w = await(&h, MEM, VICTIM);
    assert_int_equal(peek(&h, LW_F_PWST_LEVEL, w), LEVELS);
    const uint32_t upper = insert(&h, PAGE + 1);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, upper), 0);
    while (peek(&h, LW_F_PWST_LEVEL, w) != 1 || peek(&h, LW_F_PWST_STATE, w) != MEM) {
        hashed_step(&h);
        for (uint32_t i = 0; i < hashed_hw.buffer_entries; i++) {
            assert_int_equal(peek(&h, LW_F_BUFFER_PL, i), 0);
        }
    }
    const uint32_t lowest = insert(&h, PAGE + 2);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, lowest), 1);
    const uint32_t free = insert(&h, FURTHER);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, free), 0);
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 3);
    bench_done(&h.b);
}

/* R21.13, R4.3: of none of its upper levels is there an access on which a new entry waits. */
static void test_upper_levels_are_not_in_flight(void **state) {
    (void)state;
    for (uint32_t level = LEVELS; level >= 2; level--) {
        hashed h;
        begin(&h, FULL, false);
        hashed_offer(&h, PASID, PAGE);
        const uint32_t w = await(&h, MEM, VICTIM);
        while (peek(&h, LW_F_PWST_LEVEL, w) != level || peek(&h, LW_F_PWST_STATE, w) != MEM) {
            hashed_step(&h);
        }
        const uint32_t beside = insert(&h, PAGE + 1);
        assert_int_equal(peek(&h, LW_F_PWST_STATE, w), MEM);
        assert_int_equal(peek(&h, LW_F_PWST_LEVEL, w), level);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, beside), 0);
        hashed_drain(&h);
        bench_done(&h.b);
    }
}

/* R5.21, R21.12: a scan that releases no level is close at its claim, and without one to nobody:
 * who looks beside it then starts. */
static void test_upper_levels_are_close_at_their_claim(void **state) {
    (void)state;
    uint32_t looks = 0;
    for (uint32_t at = 0; at < 4 * (LATENCY + 3); at++) {
        hashed h;
        begin(&h, FULL, false);
        hashed_offer(&h, PASID, PAGE);
        (void)await(&h, MEM, VICTIM);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        hashed_offer(&h, PASID, PAGE + 1);
        for (uint32_t n = 0; n < 10; n++) {
            const bool beside = peek(&h, LW_F_READ_READ_VALID, 0) != 0 &&
                                peek(&h, LW_F_READ_READ_NEAR, 0) == 0 &&
                                peek(&h, LW_F_READ_READ_CL, 0) == 0 &&
                                peek(&h, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0 &&
                                peek(&h, LW_F_SEARCH_SEARCH_OP, 0) == SCAN &&
                                peek(&h, LW_F_SEARCH_SEARCH_LEVEL, 0) == 0;
            const uint32_t walker = (uint32_t)peek(&h, LW_F_READ_READ_WALKER, 0);
            const bool claims = peek(&h, LW_F_SEARCH_SEARCH_CLAIM, 0) != 0;
            hashed_step(&h);
            if (beside) {
                assert_int_equal(peek(&h, LW_F_PWST_STARTED, walker), claims ? 0 : 1);
                looks++;
            }
        }
        hashed_drain(&h);
        bench_done(&h.b);
    }
    assert_true(looks >= 2);
}

/* R21.12: the scan that leads a victim walk to level 1 claims its line, for entries that are there
 * already. */
static void test_victim_claims_its_line(void **state) {
    (void)state;
    hashed h;
    begin_with(&h, 1, FULL, false);
    bench_map(&h.b, TREE, PAGE + 1, 0x778);
    hashed_offer(&h, PASID, PAGE);
    (void)await(&h, MEM, VICTIM);
    const uint32_t slot = insert(&h, PAGE + 1); /* and there is no other walker */
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), 0);
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_READS), LEVELS);
    bench_done(&h.b);
}

/* R21.13, R5.24: during its first lookup a walk has its own line, and the line of its slot when it
 * knows its step. */
static void test_own_lines(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    map_line(&h, 2);
    hashed_offer(&h, PASID, PAGE);
    hashed_step(&h);
    hashed_offer(&h, PASID, PAGE + 1);
    (void)await(&h, 2, LOOKUP);
    hashed_offer(&h, PASID, PAGE + 2);
    for (uint32_t n = 1; n < 4; n++) {
        hashed_step(&h);
    }
    for (uint32_t slot = 1; slot < 3; slot++) {
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), 1);
    }
    (void)await(&h, 2, KNOWN);
    hashed_step(&h);
    hashed_step(&h);
    const uint32_t own = insert(&h, PAGE + 3);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, own), 1);
    const uint32_t further = insert(&h, PAGE ^ 64);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, further), 0);
    hashed_drain(&h);
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- marks */

static bool any_cached(const hashed *h, uint32_t pasid) {
    for (uint32_t i = 0; i < h->b.hw.pwc_entries; i++) {
        if (peek(h, LW_F_STEP_CACHE_VALID, i) != 0 && peek(h, LW_F_STEP_CACHE_PASID, i) == pasid) {
            return true;
        }
    }
    return false;
}

/* R21.15, R21.14: whenever a mark comes, what was read before it is not kept; a walk that it meets
 * is STALE and answers all the same; other PASIDs keep what they have. */
static void test_marks(void **state) {
    (void)state;
    uint32_t stale = 0, kept = 0;
    for (uint32_t at = 0; at < 100; at++) {
        hashed h;
        begin(&h, FULL, false);
        map_line(&h, 2);
        hashed_map(&h, OTHER, PAGE ^ 8192, 1, 0x55);
        hashed_ask(&h, OTHER, PAGE ^ 8192, 0);
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        h.b.in.inv_valid = true;
        h.b.in.inv_type = 2;
        h.b.in.inv_pasid = PASID;
        hashed_step(&h);
        assert_int_equal(peek(&h, LW_F_INVALIDATION_STATE, 0), MARK);
        const bool started = peek(&h, LW_F_PWST_STARTED, 0) != 0 || h.b.answered == h.b.sent;
        hashed_step(&h);
        assert_false(any_cached(&h, PASID));
        stale += (uint32_t)peek(&h, LW_F_PWST_STALE, 0);
        hashed_drain(&h);
        assert_int_equal(h.b.last.kind, LW_OK);
        kept += any_cached(&h, PASID);
        assert_true(any_cached(&h, OTHER));
        if (started) {
            assert_false(any_cached(&h, PASID));
        }
        assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2); /* R21.17: STALE ones too */
        bench_done(&h.b);
    }
    assert_true(stale > 30 && kept > 3);
}

/* R21.14, R21.15: whenever a mark comes that meets another PASID, be it in the cycle of the scan or
 * in that of the fill, what the bucket says is kept. */
static void test_marks_of_others(void **state) {
    (void)state;
    uint32_t scans = 0, fills = 0;
    for (uint32_t at = 0; at < 60; at++) {
        hashed h;
        begin(&h, FULL, false);
        map_line(&h, 2);
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        h.b.in.inv_valid = true;
        h.b.in.inv_type = 2;
        h.b.in.inv_pasid = OTHER;
        hashed_step(&h);
        assert_int_equal(peek(&h, LW_F_INVALIDATION_STATE, 0), MARK);
        fills += peek(&h, LW_F_PWC_FILL_PWC_FILL_VALID, 0) != 0;
        hashed_step(&h);
        scans += peek(&h, LW_F_PWC_FILL_PWC_FILL_VALID, 0) != 0;
        hashed_drain(&h);
        assert_true(any_cached(&h, PASID));
        assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 1);
        bench_done(&h.b);
    }
    assert_true(scans == 1 && fills == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_of_sizes),
        cmocka_unit_test(test_lines_of_the_victim_buffer),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_step_reads_claim),
        cmocka_unit_test(test_victim_holds_nobody),
        cmocka_unit_test(test_upper_levels_are_not_in_flight),
        cmocka_unit_test(test_upper_levels_are_close_at_their_claim),
        cmocka_unit_test(test_victim_claims_its_line),
        cmocka_unit_test(test_own_lines),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_marks_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
