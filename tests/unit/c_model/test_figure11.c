/* FS-HPT's Figure 11 (chapter 22): its tables word by word as the chapter has them, and of four
 * walks the lines, the cycles, WHERE and the answers. */
#include "tests/unit/c_model/hashed_walk.h"

enum {
    OWNER = 1,
    TABLE = 0x400,
    STEP_TABLE = 0x3F0,
    BUCKET = 0x14,
    FRAME_LINES = 64,
    NEVER = 0, /* no cycle that the chapter gives */
};

static uint64_t *line_of(hashed *h, uint64_t frame, uint64_t line) {
    return hashed_at(h, frame * FRAME_LINES + line);
}

/* Six bits of the tag in each PTE of each line of a slot, and the PTE of one page. */
static void put_slot(hashed *h, uint64_t frame, const uint64_t tag[8]) {
    for (uint32_t i = 0; i < 8 * FRAME_LINES; i++) {
        line_of(h, frame, 0)[i] = tag[i % 8] << 57;
    }
}

static void put_page(hashed *h, uint64_t frame, uint32_t page, uint64_t pfn) {
    line_of(h, frame, 0)[page] |= pfn << 12 | P_ | RW_ | US_;
}

static void begin_figure(hashed *h) {
    static const uint64_t first[8] = {0x10, 0x00, 0x20, 0x3E, 0x03, 0x00, 0x01, 0x20};
    static const uint64_t last[8] = {0x1D, 0x00, 0x20, 0x3E, 0x03, 0x00, 0x01, 0x20};
    lw_params hw = hashed_hw;
    hw.walkers = 1;
    hashed_init(h, &hw, 1);
    h->b.latency = LATENCY;
    h->of[OWNER] = (hashed_table){
        .table_log = 4, .step_log = 6, .table_frame = TABLE, .step_frame = STEP_TABLE, .victim = 2};
    bench_map(&h->b, h->of[OWNER].victim, 0x7F4002200000 >> 12, 0x777);
    hashed_tell(h, OWNER);
    hashed_enable(h, 0, true, false);
    line_of(h, STEP_TABLE, BUCKET)[0] = 0x80000001003FA001;
    line_of(h, STEP_TABLE, BUCKET)[1] = 0x0090000000000008;
    put_slot(h, TABLE + 7, first);
    put_slot(h, TABLE + 12, last);
    put_page(h, TABLE + 7, 5, 0x111);
    put_page(h, TABLE + 12, 11, 0x222);
    put_page(h, TABLE + 12, 12, 0x223);
}

/* The homes, tags and bucket of the chapter are those of the rules (R20.2, R20.6 to R20.8). */
static void test_places(void **state) {
    (void)state;
    hashed h;
    begin_figure(&h);
    const uint64_t first = 0x7F4002000000 >> 12, last = first + UINT64_C(13) * 512;
    assert_int_equal(hashed_region(&h, first), 0x3FA0010);
    assert_int_equal(hashed_region(&h, last), 0x3FA001D);
    assert_int_equal(hashed_group_number(&h, first), 0x3FA001);
    assert_int_equal(hashed_region_place(&h, last), 13);
    assert_int_equal(hashed_place(&h, OWNER, first, 0), 7);
    assert_int_equal(hashed_place(&h, OWNER, last, 0), 7);
    assert_int_equal(hashed_place(&h, OWNER, last, 1), 12);
    assert_true(hashed_tag(&h, OWNER, first) == 0x801003FA0010);
    assert_true(hashed_tag(&h, OWNER, last) == 0x801003FA001D);
    assert_true(hashed_bucket(&h, OWNER, last) == STEP_TABLE * FRAME_LINES + BUCKET);
    bench_done(&h.b);
}

/* The values of WHERE that the walker has, from its look on. */
static uint32_t follow(hashed *h, uint64_t vpn, uint32_t *where, uint32_t room) {
    uint32_t count = 0;
    h->reads = 0;
    hashed_offer(h, OWNER, vpn);
    while (h->b.answered < h->b.sent) {
        const uint64_t now = bench_peek(&h->b, LW_F_PWST_WHERE, 0);
        const bool walks = bench_peek(&h->b, LW_F_PWST_STATE, 0) >= PWC_REQ;
        if (walks && (count == 0 || where[count - 1] != now)) {
            assert_true(count < room);
            where[count++] = (uint32_t)now;
        }
        hashed_step(h);
    }
    hashed_drain(h);
    return count;
}

static void test_walks(void **state) {
    (void)state;
    static const struct {
        uint64_t va;
        uint32_t reads;
        struct {
            uint64_t frame, line, at;
        } read[2]; /* those in the tables */
        uint32_t ways, where[3];
        uint64_t pfn, answered_at;
    } rows[] = {
        {0x7F4003A0B000,
         2,
         {{0x3F0, 20, 15}, {0x40C, 1, 34}},
         3,
         {LOOKUP, STEPS, KNOWN},
         0x222,
         47},
        {0x7F4002005000, 1, {{0x407, 0, 14}}, 2, {LOOKUP, CACHED}, 0x111, 27},
        {0x7F4003A0C000, 1, {{0x40C, 1, 14}}, 2, {LOOKUP, CACHED}, 0x223, 27},
        {0x7F4002200000, 1 + 4, {{0x3F0, 20, 15}}, 3, {LOOKUP, STEPS, VICTIM}, 0x777, NEVER},
    };
    hashed h;
    begin_figure(&h);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t where[8];
        assert_int_equal(follow(&h, rows[i].va >> 12, where, 8), rows[i].ways);
        for (uint32_t n = 0; n < rows[i].ways; n++) {
            assert_int_equal(where[n], rows[i].where[n]);
        }
        assert_int_equal(h.reads, rows[i].reads);
        for (uint32_t n = 0; n < 2 && rows[i].read[n].frame != 0; n++) {
            assert_read(&h, n, rows[i].read[n].frame * FRAME_LINES + rows[i].read[n].line,
                        rows[i].read[n].at);
        }
        assert_answer(&h, LW_OK, 0, rows[i].pfn, 0);
        if (rows[i].answered_at != NEVER) {
            assert_int_equal(h.answered_at, rows[i].answered_at);
        }
    }
    bench_done(&h.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
