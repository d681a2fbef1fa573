/* What the pipeline registers keep: in a cycle in which nothing is loaded their fields stay, each
 * as its rule says (R14.1, R14.2), in random streams, in every cycle. */
#include "tests/unit/c_model/stream_bench.h"

enum { ENTRIES_MAX = 8, FIELDS_MAX = 24, TYPE_PASID = 2 };

/* In a cycle in which `gate` is 0, at its beginning or at its end, the fields from `first` to
 * `last` stay. */
typedef struct kept {
    lw_field gate, first, last;
    bool before;
} kept;

static const kept rows[] = {
    /* R4.8; a mark writes MISS_STALE (R4.10) */
    {LW_F_MISS_MISS_VALID, LW_F_MISS_MISS_ID, LW_F_MISS_MISS_ACCESS, false},
    /* R4.7, R4.19 */
    {LW_F_SEARCH_SEARCH_OP, LW_F_SEARCH_SEARCH_PASID, LW_F_SEARCH_SEARCH_LINKS, false},
    {LW_F_SEARCH_SEARCH_OP, LW_F_SEARCH_LINE_SEARCH_KIND, LW_F_SEARCH_LINE_SEARCH_CONTIG, false},
    {LW_F_SEARCH_SEARCH_OP, LW_F_UPDATE_UPDATE_PASID, LW_F_UPDATE_UPDATE_LINKS, true},
    {LW_F_SEARCH_SEARCH_OP, LW_F_UPDATE_LINE_UPDATE_KIND, LW_F_UPDATE_LINE_UPDATE_CONTIG, true},
    /* R5.3, R5.18, R5.27 */
    {LW_F_ASK_ASK_VALID, LW_F_ASK_ASK_WALKER, LW_F_ASK_ASK_FIRST, false},
    {LW_F_READ_READ_VALID, LW_F_READ_READ_WALKER, LW_F_READ_READ_FIRST, false},
    /* R3.20, R3.29, R3.30 */
    {LW_F_FILL_FILL_VALID, LW_F_FILL_FILL_CLASS, LW_F_FILL_FILL_SIZE, false},
    {LW_F_FILL_FILL_VALID, LW_F_PLACE_PLACE_WRITE, LW_F_PLACE_PLACE_DROP, true},
    /* R3.26, R3.27 */
    {LW_F_TLB_RANGE_RANGE_FOUND, LW_F_TLB_RANGE_RANGE_WAY, LW_F_TLB_RANGE_RANGE_SIZE, false},
    {LW_F_TLB_FOUND_FOUND, LW_F_TLB_FOUND_FOUND_CLASS, LW_F_TLB_FOUND_FOUND_SIZE, false},
    /* R10.15, R10.9 */
    {LW_F_ANSWER_ANSWER_VALID, LW_F_ANSWER_ANSWER_ID, LW_F_ANSWER_ANSWER_EPOCH, false},
    {LW_F_BUFFER_CONTROL_READING, LW_F_BUFFER_CONTROL_READING_SLOT,
     LW_F_BUFFER_CONTROL_READING_EPOCH, false},
    {LW_F_BUFFER_CONTROL_READY, LW_F_BUFFER_CONTROL_READY_SLOT, LW_F_BUFFER_CONTROL_READY_SLOT,
     false},
    /* R6.9, R6.12; what only a hit loads: R6.10 */
    {LW_F_PWC_FILL_PWC_FILL_VALID, LW_F_PWC_FILL_PWC_FILL_LEVEL, LW_F_PWC_FILL_PWC_FILL_CONTIG,
     false},
    {LW_F_PWC_FILL_PWC_FILL_VALID, LW_F_PWC_PLACE_PWC_PLACE_LEVEL, LW_F_PWC_PLACE_PWC_PLACE_ENTRY,
     true},
    {LW_F_PWC_RESULT_RESULT_VALID, LW_F_PWC_RESULT_RESULT_WALKER, LW_F_PWC_RESULT_RESULT_CONTIG,
     false},
    {LW_F_PWC_RESULT_RESULT_HIT, LW_F_PWC_RESULT_RESULT_ENTRY, LW_F_PWC_RESULT_RESULT_CONTIG,
     false},
    /* R14.1 */
    {LW_F_WALK_MEMORY_REQ_VALID, LW_F_WALK_MEMORY_REQ_TAG, LW_F_WALK_MEMORY_REQ_LINE, false},
    {LW_F_WALK_MEMORY_LINE_VALID, LW_F_WALK_MEMORY_LINE_TAG, LW_F_WALK_MEMORY_LINE_ERROR, false},
    {LW_F_WALK_MEMORY_LINE_VALID, LW_F_LINE_LINE_DATA, LW_F_LINE_LINE_DATA, false},
    {LW_F_RESPONSE_OUT_VALID, LW_F_RESPONSE_OUT_ID, LW_F_RESPONSE_OUT_EPOCH, false},
    /* R3.10, R16.18, R16.19 */
    {LW_F_MSC_SWEEP_SWEEP, LW_F_MSC_SWEEP_SWEEP_SET, LW_F_MSC_SWEEP_SWEEP_SET, false},
    {LW_F_MSC_SWEEP_SWEEP, LW_F_MSC_SWEEP_SWEPT_SET, LW_F_MSC_SWEEP_SWEPT_SET, true},
    {LW_F_MSC_PLACE_TOUCH, LW_F_MSC_PLACE_WRITE, LW_F_MSC_PLACE_WAY, false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct content {
    uint64_t of[ROWS][FIELDS_MAX][ENTRIES_MAX];
    bool gate[ROWS];
} content;

static uint32_t entries_of(const bench *b, lw_field f) {
    return lw_structure_entries(&b->hw, lw_field_structure(f));
}

static void look(const bench *b, content *c) {
    for (uint32_t r = 0; r < ROWS; r++) {
        const kept *k = &rows[r];
        const uint32_t entries = entries_of(b, k->first);
        c->gate[r] = entries_of(b, k->gate) != 0 && bench_peek(b, k->gate, 0) != 0;
        for (lw_field f = k->first; f <= k->last; f++) {
            for (uint32_t i = 0; i < entries; i++) {
                c->of[r][f - k->first][i] = bench_peek(b, f, i);
            }
        }
    }
}

static void check(const bench *b, const content *before, const content *after,
                  uint64_t seen[ROWS]) {
    for (uint32_t r = 0; r < ROWS; r++) {
        const kept *k = &rows[r];
        if (k->before ? before->gate[r] : after->gate[r]) {
            seen[r]++;
            continue;
        }
        for (lw_field f = k->first; f <= k->last; f++) {
            for (uint32_t i = 0; i < entries_of(b, f); i++) {
                if (before->of[r][f - k->first][i] != after->of[r][f - k->first][i]) {
                    fail_msg("cycle %llu: %s.%s[%u] is not kept", (unsigned long long)b->cycle,
                             lw_structure_name(lw_field_structure(f)), lw_field_name(f), i);
                }
            }
        }
    }
}

static void stay(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_kept(void **state) {
    (void)state;
    enum { SEEDS = 6, CYCLES = 3000, EACH = 20 };
    static content at[2];
    uint64_t seen[ROWS] = {0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.walkers = 1 + seed;
        hw.pwc_org = seed % 2;
        hw.tlb_entries = 4 * hw.tlb_ways;
        hw.second_lookup = seed / 2 % 2;
        if (seed % 3 != 0) {
            add_subregions(&hw, seed);
            hw.head_first = 0;
            hw.coalesce = 1;
        }
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, stay, NULL); /* some registers the twin keeps only then */
        bench_pool(&b, 60, 2, 2);
        b.latency = 3;
        b.jitter = 20;
        b.errors = 1;
        b.request_gap = 80;
        b.not_ready = b.response_not_ready = 30;
        bench_enable(&b, seed % MODES, true, false);
        look(&b, &at[0]);
        for (uint32_t c = 1; c < CYCLES; c++) {
            b.in.inv_valid = c % 100 == 0;
            b.in.inv_type = TYPE_PASID;
            bench_random_cycle(&b, true);
            look(&b, &at[c % 2]);
            check(&b, &at[1 - c % 2], &at[c % 2], seen);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    for (uint32_t r = 0; r < ROWS; r++) {
        assert_true(seen[r] > EACH);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
