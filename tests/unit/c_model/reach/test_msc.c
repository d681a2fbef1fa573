/* The memory subregion cache: what is a hit, and which way is replaced (R16.4, R16.9, R16.19), and
 * the cache under a sweep (R16.12, R16.18 to R16.20), cycle by cycle. */
#include "c_model/reach/msc.h"
#include "tests/unit/c_model/bench_state.h"

enum { SETS = 4, WAYS = 2, PASID = 1, SUBREGIONS = 8 };

static const lw_watch nobody = {0};

typedef struct cache {
    lw_config cfg;
    lw_msc msc;
    lw_sweep operands; /* of the invalidation, which are there in every cycle of it */
} cache;

static void begin(cache *c) {
    lw_params hw = bench_nha;
    hw.subregions = 1;
    hw.msc_entries = SETS * WAYS;
    hw.msc_ways = WAYS;
    c->cfg = lw_config_of(&hw);
    lw_msc_init(&c->msc, &c->cfg, &nobody);
}

/* The n-th frame of this set, whose heads' PTEs lie in a node of its own. */
static lw_msc_key frame_in(uint64_t set, uint64_t n) {
    const uint64_t frame = n * SETS + set;
    return (lw_msc_key){.pasid = PASID, .vsn = frame * SUBREGIONS, .node = 100 + frame};
}

/* The end of a cycle; of one in which this set of the TLB is swept. */
static void end_cycle(cache *c) {
    c->operands.valid = false;
    lw_msc_sweep(&c->msc, &c->operands);
}

static void end_cycle_of_sweep(cache *c, uint32_t set) {
    c->operands.valid = true;
    c->operands.set = set;
    lw_msc_sweep(&c->msc, &c->operands);
}

/* The two cycles of a fill: the way is found, and written. */
static void fill(cache *c, const lw_msc_key *key, uint8_t map) {
    lw_msc_fill(&c->msc, key);
    end_cycle(c);
    lw_msc_settle(&c->msc, key, map);
    end_cycle(c);
}

static void cycles_of_sweep(cache *c) {
    while (!lw_msc_at_rest(&c->msc)) {
        end_cycle(c);
    }
}

/* A hit, and the touch in the cycle after it. */
static void assert_holds(cache *c, const lw_msc_key *key, bool wanted, uint8_t map) {
    uint8_t found = 0;
    assert_int_equal(lw_msc_lookup(&c->msc, key, &found), wanted);
    end_cycle(c);
    lw_msc_settle(&c->msc, key, 0);
    end_cycle(c);
    if (wanted) {
        assert_int_equal(found, map);
    }
}

/* R16.4, R16.9, R16.19: each of two ways is found with its own MAP, NODE and recency; a fill of
 * what is there goes into its own way, another into that which has not been touched longest. */
static void test_ways(void **state) {
    (void)state;
    for (uint64_t set = 0; set < SETS; set++) {
        for (uint64_t touched = 0; touched < WAYS; touched++) {
            static cache c;
            const lw_msc_key keys[WAYS] = {frame_in(set, 0), frame_in(set, 1)};
            const lw_msc_key more = frame_in(set, 2);
            lw_msc_key moved = keys[1], stranger = keys[1];
            moved.node++;
            stranger.pasid++;
            begin(&c);
            fill(&c, &keys[0], 0x11);
            fill(&c, &keys[1], 0x22);
            assert_holds(&c, &keys[0], true, 0x11);
            assert_holds(&c, &keys[1], true, 0x22);
            assert_holds(&c, &moved, false, 0);
            assert_holds(&c, &stranger, false, 0);
            fill(&c, &keys[1], 0x33);
            assert_holds(&c, &keys[0], true, 0x11);
            assert_holds(&c, &keys[1], true, 0x33);
            assert_holds(&c, &keys[touched], true, touched == 0 ? 0x11 : 0x33);
            fill(&c, &more, 0x44);
            assert_holds(&c, &more, true, 0x44);
            assert_holds(&c, &keys[touched], true, touched == 0 ? 0x11 : 0x33);
            assert_holds(&c, &keys[1 - touched], false, 0);
        }
    }
}

/* R16.12: the pages of an entry are those of its frame. */
static void test_pages(void **state) {
    (void)state;
    static const struct {
        uint8_t type;
        int32_t first, last; /* from the frame's first page on */
        bool goes;
    } cases[] = {{LW_INV_PAGE, -1, 0, false},     {LW_INV_PAGE, 0, 0, true},
                 {LW_INV_PAGE, 511, 0, true},     {LW_INV_PAGE, 512, 1000, false},
                 {LW_INV_RANGE, -9, -1, false},   {LW_INV_RANGE, -9, 0, true},
                 {LW_INV_RANGE, 9, 9, true},      {LW_INV_RANGE, 511, 600, true},
                 {LW_INV_RANGE, 512, 600, false}, {LW_INV_RANGE, 9, 8, false},
                 {LW_INV_PASID, 600, 0, true},    {LW_INV_ALL, 600, 0, true}};
    for (uint64_t set = 0; set < SETS; set++) {
        for (uint32_t i = 0; i < 2 * (uint32_t)(sizeof cases / sizeof cases[0]); i++) {
            static cache c;
            const lw_msc_key key = frame_in(set, 6);
            const uint64_t page = (UINT64_C(6) * SETS + set) * 512;
            const bool other = i % 2 != 0; /* PASID's page table is not meant */
            begin(&c);
            fill(&c, &key, 0x11);
            c.operands = (lw_sweep){.type = cases[i / 2].type,
                                    .pasid = other ? PASID + 1 : PASID,
                                    .first = page + (uint64_t)cases[i / 2].first,
                                    .last = page + (uint64_t)cases[i / 2].last};
            end_cycle_of_sweep(&c, (uint32_t)set);
            cycles_of_sweep(&c);
            const bool goes = cases[i / 2].goes && (!other || cases[i / 2].type == LW_INV_ALL);
            assert_holds(&c, &key, !goes, 0x11);
        }
    }
}

/* R16.12: the way that is written in the very cycle in which its set is swept stays; its neighbour,
 * which the invalidation meets as well, goes, and so would it a cycle earlier. */
static void test_written_way_stays(void **state) {
    (void)state;
    static cache c;
    const lw_msc_key old = frame_in(2, 0), fresh = frame_in(2, 1);
    begin(&c);
    fill(&c, &old, 0x11);
    fill(&c, &fresh, 0x22);
    c.operands = (lw_sweep){.type = LW_INV_PASID, .pasid = PASID};
    assert_true(lw_msc_at_rest(&c.msc));
    lw_msc_fill(&c.msc, &fresh);
    end_cycle_of_sweep(&c, 2); /* so SWEEP is 1 in the next cycle (R16.18) */
    lw_msc_settle(&c.msc, &fresh, 0x33);
    end_cycle(&c);
    cycles_of_sweep(&c);
    assert_holds(&c, &old, false, 0);
    assert_holds(&c, &fresh, true, 0x33);
    end_cycle_of_sweep(&c, 2);
    cycles_of_sweep(&c);
    assert_holds(&c, &fresh, false, 0);
}

/* R16.12, R16.18: in a sweep of all the TLB's sets, of which there may be more than the MSC has, a
 * set loses its ways in its own turn, the second cycle after the TLB's, and in no other. SWEPT_SET
 * stays where the MSC has no such set. */
static void test_each_set_in_its_turn(void **state) {
    (void)state;
    static cache c;
    begin(&c);
    for (uint64_t set = 0; set < SETS; set++) {
        const lw_msc_key key = frame_in(set, 0);
        fill(&c, &key, 0x44);
    }
    c.operands.type = LW_INV_ALL;
    for (uint32_t t = 0; t < 2 * SETS + 3; t++) {
        if (t < 2 * SETS) {
            end_cycle_of_sweep(&c, t);
        } else {
            c.operands.set = 0; /* of nothing, so SWEEP_SET stays too */
            end_cycle(&c);
        }
        for (uint32_t set = 0; set < SETS; set++) {
            const bool gone = t >= set + 2;
            assert_int_equal(c.msc.key[(size_t)set * WAYS] >> 63, gone ? 0 : 1);
        }
        assert_int_equal(c.msc.swept_set, t == 0 ? 0 : t < SETS ? t - 1 : SETS - 1);
        assert_int_equal(c.msc.sweep_set, t < 2 * SETS ? t : 2 * SETS - 1);
        assert_int_equal(lw_msc_at_rest(&c.msc), t >= 2 * SETS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_written_way_stays),
        cmocka_unit_test(test_each_set_in_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
