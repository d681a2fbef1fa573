/* Events times energies: counts by hand for each kind of system, and whole runs, in which what is
 * worked out of counters is held against what the twin's registers have shown cycle by cycle. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/energy/energy.h"

#include <math.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---------------------------------------------------------------- by hand */

/* No two energies are alike, and the sum of a few of them tells which. */
static const lw_energy_table table = {
    "by_hand",
    {{1, 2},
     {10, 20},
     {100, 200},
     {1e3, 2e3},
     {1e4, 2e4},
     {1e5, 2e5},
     {1e6, 2e6},
     {1e7, 2e7},
     {0.5, 0}},
};

/* What a run has counted: of every counter that matters another number. */
typedef struct counted {
    lw_system system;
    uint64_t counters[LW_COUNTERS];
    lw_front_statistics front;
    lw_banks banks;
} counted;

static counted one;

static void begin(void) {
    one = (counted){.counters = {[LW_C_REQUESTS] = 90,
                                 [LW_C_TLB_HITS] = 50,
                                 [LW_C_TLB_MISSES] = 40,
                                 [LW_C_WALKS] = 30,
                                 [LW_C_PAGE_TABLE_ACCESSES] = 37,
                                 [LW_C_PWC_LOOKUPS] = 33},
                    .front = {.has_l1 = true, .l1_hits = 300, .l1_misses = 100, .l1_fills = 95}};
    one.system.pwc_enable = 1;
}

/* `translations` of the unit's responses are no faults. */
static lw_energy energy_of(uint64_t translations) {
    const lw_energy_run run = {&one.system, one.counters, translations, &one.front, &one.banks};
    lw_energy energy;
    lw_energy_of(&run, &table, &energy);
    return energy;
}

/* The events of each structure, reads and writes, and the sum of energies, once more by hand. */
static void expect(const lw_energy *energy,
                   const uint64_t events[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]) {
    double sum = 0.0;
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        const uint64_t *seen = energy->events[part];
        const double nj = (double)events[part][0] * table.nj[part][0] +
                          (double)events[part][1] * table.nj[part][1];
        if (seen[0] != events[part][0] || seen[1] != events[part][1] ||
            fabs(energy->nj[part] - nj) > 1e-6) {
            fail_msg("%s: %llu reads, %llu writes, %f nJ",
                     lw_energy_part_name((lw_energy_part)part), (unsigned long long)seen[0],
                     (unsigned long long)seen[1], energy->nj[part]);
        }
        sum += nj;
    }
    assert_true(fabs(energy->sum - sum) < 1e-6);
}

/* 45 fills: 95 translations less 50 hits. 7 lines of nodes: 37 less the last of each of 30 walks.
 */
static void a_baseline(void **state) {
    (void)state;
    begin();
    const lw_energy energy = energy_of(95);
    expect(&energy,
           (const uint64_t[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]){[LW_ENERGY_L1_TLB] = {400, 95},
                                                                 [LW_ENERGY_TLB] = {90, 45},
                                                                 [LW_ENERGY_PWC] = {33, 7},
                                                                 [LW_ENERGY_MEMORY] = {37, 0}});
    assert_true(energy.nj[LW_ENERGY_L1_TLB] == 590.0 && energy.nj[LW_ENERGY_TLB] == 18000.0 &&
                energy.nj[LW_ENERGY_PWC] == 470000.0 && energy.nj[LW_ENERGY_MEMORY] == 18.5);
    assert_true(energy.sum == 488608.5);
    one.system.pwc_enable = 0;
    one.counters[LW_C_PWC_LOOKUPS] = 0;
    assert_true(energy_of(95).sum == 18608.5);
}

/* An L2 TLB counts where there is one, though the GPU's way to the unit counts misses without. */
static void an_l2_tlb(void **state) {
    (void)state;
    begin();
    one.front.l2_misses = 100;
    assert_true(energy_of(95).nj[LW_ENERGY_L2_TLB] == 0.0);
    one.front.has_l2 = true;
    one.front.l2_hits = 20;
    one.front.l2_fills = 70;
    assert_true(energy_of(95).nj[LW_ENERGY_L2_TLB] == 120 * 10.0 + 70 * 20.0);
}

/* Of 90 lookups 25 find a subregion first; of 45 answers that fill, 12 fill a subregion, and 3 more
 * come from the check. 5 of 37 lines are heads, so 2 are nodes. */
static void subregions(void **state) {
    (void)state;
    begin();
    one.system.hw.subregions = 1;
    one.system.hw.tlb_partition = 8;
    one.counters[LW_C_SUBREGION_HITS] = 25;
    one.counters[LW_C_SUBREGION_FILLS] = 15;
    one.counters[LW_C_JOINED] = 3;
    one.counters[LW_C_HEAD_READS] = 5;
    one.counters[LW_C_MSC_LOOKUPS] = 11;
    one.counters[LW_C_MSC_HITS] = 7;
    uint64_t events[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES] = {[LW_ENERGY_L1_TLB] = {400, 95},
                                                            [LW_ENERGY_TLB] = {65, 33},
                                                            [LW_ENERGY_SUBREGION_TLB] = {90, 15},
                                                            [LW_ENERGY_PWC] = {33, 2},
                                                            [LW_ENERGY_MSC] = {11, 4},
                                                            [LW_ENERGY_MEMORY] = {37, 0}};
    lw_energy energy = energy_of(95);
    expect(&energy, (const uint64_t(*)[LW_ENERGY_ACCESSES])events);
    one.system.hw.par_lookup = 1; /* both at once: nothing is spared */
    events[LW_ENERGY_TLB][LW_ENERGY_READ] = 90;
    energy = energy_of(95);
    expect(&energy, (const uint64_t(*)[LW_ENERGY_ACCESSES])events);
    one.system.hw.tlb_partition = 0; /* no way is open to them */
    assert_true(energy_of(95).nj[LW_ENERGY_SUBREGION_TLB] == 0.0);
    one.system.hw.tlb_partition = 8;
    one.system.hw.subregions = 0; /* there are none */
    assert_true(energy_of(95).nj[LW_ENERGY_SUBREGION_TLB] == 0.0);
}

/* 20 second lookups are lookups as others; 8 second hits fill nothing, and of none of them a
 * regular lookup is known to be spared. */
static void second_lookups(void **state) {
    (void)state;
    begin();
    one.counters[LW_C_SECOND_LOOKUPS] = 20;
    one.counters[LW_C_SECOND_HITS] = 8;
    one.system.hw.subregions = 1;
    one.system.hw.tlb_partition = 8;
    one.counters[LW_C_SUBREGION_HITS] = 25;
    const lw_energy energy = energy_of(95);
    expect(&energy, (const uint64_t[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]){
                        [LW_ENERGY_L1_TLB] = {400, 95},
                        [LW_ENERGY_TLB] = {90 + 20 - 25, 95 - 50 - 8},
                        [LW_ENERGY_SUBREGION_TLB] = {90 + 20, 0},
                        [LW_ENERGY_PWC] = {33, 7},
                        [LW_ENERGY_MEMORY] = {37, 0}});
}

/* 37 lines and 30 starts are searched for; 40 requests come in, 8 are answered by others' lines and
 * 4 levels are told. */
static void the_cam(void **state) {
    (void)state;
    begin();
    one.counters[LW_C_COALESCED_ANSWERS] = 8;
    one.counters[LW_C_COALESCED_LEVELS] = 4;
    one.system.mode = 2;
    assert_true(energy_of(95).nj[LW_ENERGY_CAM] == 0.0); /* no hardware */
    one.system.hw.coalesce = 1;
    assert_true(energy_of(95).nj[LW_ENERGY_CAM] == 67e6 + 52 * 2e6);
    one.system.mode = 0; /* off */
    assert_true(energy_of(95).nj[LW_ENERGY_CAM] == 0.0);
}

/* Of 37 lines 5 are of the step table, and fill the step cache; those of the victim buffer do not.
 * Each walk asks the step cache, which is not read where it is off. */
static void a_step_cache(void **state) {
    (void)state;
    begin();
    one.system.hw.pwc_org = LW_PWC_OF_STEPS;
    one.counters[LW_C_STEP_READS] = 5;
    assert_true(energy_of(95).nj[LW_ENERGY_PWC] == 33e4 + 5 * 2e4);
    one.system.pwc_enable = 0;
    assert_true(energy_of(95).nj[LW_ENERGY_PWC] == 0.0);
}

/* A DRAM has counted its own reads; with a cache in front of it each fills a line of that. Of 24
 * that miss there 3 have joined another's line. */
static void a_dram(void **state) {
    (void)state;
    begin();
    one.banks.ranks = 1;
    one.banks.dram.users[LW_MEMORY_WALKS].reads = 21;
    one.banks.dram.users[LW_MEMORY_DATA].reads = 1000;
    one.banks.pte_hits = 9; /* left by nobody */
    lw_energy energy = energy_of(95);
    assert_true(energy.nj[LW_ENERGY_MEMORY] == 10.5 && energy.nj[LW_ENERGY_PTE_CACHE] == 0.0);
    one.banks.has_pte_cache = true;
    one.banks.pte_hits = 16;
    one.banks.pte_misses = 24;
    energy = energy_of(95);
    assert_true(energy.nj[LW_ENERGY_MEMORY] == 10.5);
    assert_true(energy.nj[LW_ENERGY_PTE_CACHE] == 40e7 + 21 * 2e7);
}

/* Behind the GPU's L2 data cache memory has read what the cache has not had; a DRAM there counts
 * its own reads. */
static void behind_the_data_cache(void **state) {
    (void)state;
    begin();
    one.front.has_data = one.front.data.has_walks = true;
    one.front.data.walk_hits = 20;
    one.front.data.walk_misses = 17;
    one.front.data.walk_reads = 15;
    one.front.data.memory_reads = 1000;
    assert_int_equal(energy_of(95).events[LW_ENERGY_MEMORY][LW_ENERGY_READ], 15);
    one.banks.ranks = 1;
    one.banks.dram.users[LW_MEMORY_WALKS].reads = 14;
    assert_int_equal(energy_of(95).events[LW_ENERGY_MEMORY][LW_ENERGY_READ], 14);
}

/* Walks have begun and no line has come, hits are decided and not answered: nothing is below 0. */
static void ended_in_flight(void **state) {
    (void)state;
    begin();
    one.counters[LW_C_PAGE_TABLE_ACCESSES] = 29;
    const lw_energy energy = energy_of(49);
    assert_int_equal(energy.events[LW_ENERGY_PWC][LW_ENERGY_WRITE], 0);
    assert_int_equal(energy.events[LW_ENERGY_TLB][LW_ENERGY_WRITE], 0);
}

/* ---------------------------------------------------------------- by the registers */

/* What the registers show in the cycles of a run. */
typedef struct shown {
    uint64_t pages, ranges, nodes, maps; /* that are written, or found to be held already */
    uint64_t scans, advances, commits;   /* operations of the CAM */
} shown;

/* A system without the register has none of it. */
static uint64_t peek(const environment_run *r, lw_field field) {
    return lw_structure_entries(&r->system.hw, lw_field_structure(field)) == 0
               ? 0
               : lw_iommu_peek(r->twin, field, 0);
}

static void look(environment_run *r, void *ctx) {
    shown *s = ctx;
    const bool is_range = r->system.hw.subregions != 0 && peek(r, LW_F_PLACE_PLACE_CLASS) != 0;
    const uint64_t operation = peek(r, LW_F_SEARCH_SEARCH_OP);
    *(is_range ? &s->ranges : &s->pages) += peek(r, LW_F_PLACE_PLACE_VALID);
    s->nodes += peek(r, LW_F_PWC_PLACE_PWC_PLACE_VALID);
    s->maps += peek(r, LW_F_MSC_PLACE_TOUCH) & peek(r, LW_F_MSC_PLACE_WRITE);
    s->scans += operation == 1;
    s->advances += operation == 2;
    s->commits += operation == 3;
}

static void expect_events(const lw_energy *energy, lw_energy_part part, lw_energy_access access,
                          uint64_t seen) {
    if (energy->events[part][access] != seen) {
        fail_msg("%s of %s: %llu, the registers have shown %llu", lw_energy_access_name(access),
                 lw_energy_part_name(part), (unsigned long long)energy->events[part][access],
                 (unsigned long long)seen);
    }
}

/* No invalidation and no fault: what is worked out of counters is exact. */
static void check_run(const char *system, const char *workload) {
    const lw_run run = {.workload = workload, .seed = 1, .max_iters = 1, .max_requests = 3000};
    environment_run r;
    shown s = {.pages = 0};
    uint64_t counters[LW_COUNTERS];
    uint64_t kinds[LW_KINDS];
    uint64_t unasked[LW_KINDS];
    lw_front_statistics front;
    static lw_banks banks;
    environment_open(&r, system, &run, "mapping", "memhog:0");
    bool good = environment_go(&r, 10000000, look, &s);
    for (uint32_t n = 0; good && n < 1000; n++) { /* a check may go on after the last answer */
        good = environment_cycle(&r, look, &s);
    }
    if (!good) {
        fail_msg("%s", r.err.text);
    }
    environment_counters(&r, counters);
    lw_environment_faults(r.env, kinds, unasked);
    lw_environment_statistics(r.env, &front);
    lw_environment_banks(r.env, &banks);
    const lw_energy_run figures = {&r.system, counters, kinds[LW_OK], &front, &banks};
    lw_energy e;
    lw_energy_of(&figures, &table, &e);
    assert_true(s.pages + s.ranges > 100 && s.nodes > 10);
    expect_events(&e, LW_ENERGY_TLB, LW_ENERGY_WRITE, s.pages);
    expect_events(&e, LW_ENERGY_SUBREGION_TLB, LW_ENERGY_WRITE, s.ranges);
    expect_events(&e, LW_ENERGY_PWC, LW_ENERGY_WRITE, s.nodes);
    expect_events(&e, LW_ENERGY_MSC, LW_ENERGY_WRITE, s.maps);
    expect_events(&e, LW_ENERGY_CAM, LW_ENERGY_READ,
                  r.system.hw.coalesce != 0 ? s.scans + s.commits : 0);
    /* What is left out: no more than one search for each line of a node, by level. */
    assert_true(r.system.hw.coalesce == 0 || r.system.hw.pwc_org != 0 || s.advances <= s.nodes);
    environment_close(&r);
}

static void runs(void **state) {
    (void)state;
    static const char *const systems[] = {"baseline",  "nha",  "nha_leaf",  "power",   "colt",
                                          "full_colt", "mesc", "mesc_colt", "nha_mesc"};
    for (size_t i = 0; i < COUNT(systems); i++) {
        check_run(systems[i], "atax");
        check_run(systems[i], "nw");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_baseline),      cmocka_unit_test(an_l2_tlb),
        cmocka_unit_test(subregions),      cmocka_unit_test(second_lookups),
        cmocka_unit_test(the_cam),         cmocka_unit_test(a_step_cache),
        cmocka_unit_test(a_dram),          cmocka_unit_test(behind_the_data_cache),
        cmocka_unit_test(ended_in_flight), cmocka_unit_test(runs),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
