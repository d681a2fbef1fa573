/* Walks of a hashed table whose slots are lines (R20.31), in an image written word by word: which
 * lines are read, and what is answered. Where things lie was summed up by hand from R20.6 and
 * R20.7, so that nothing here is shared with the unit or with what builds other tests' tables. */
#include "tests/unit/c_model/hashed_bench.h"

enum { PASID = 3, TREE = 15, LATENCY = 10, LEVELS = 4 };
enum { OFF, LEAF, FULL };
enum { CACHED = 4 };

/* 128 slots in the frames 64 and 65, and 256 buckets in the frames 32 to 35. */
enum { TABLE_LOG = 7, STEP_LOG = 8, TABLE = 64 * 64, BUCKETS = 32 * 64, STRIDE = 5 };

/* Region 0x2468acf1, at place 1 of group 0x2468acf. K of the region is 0x464a4f1 and its product
 * 0x3f51ffd, of whose 27 bits the highest seven are 63; K of the group is 0x24a8acf and its product
 * 0x1f55cc3, of which the highest eight are 62. */
#define PAGE UINT64_C(0x123456789)
#define FIRST_OF_LINE (PAGE & ~UINT64_C(7))
enum { PLACE = 1, PAGE_HOME = TABLE + 63, PAGE_BUCKET = BUCKETS + 62 };
/* Region 0x2468acff, at place 15 of the same group: K 0x464a4ff, product 0x12d6533. */
#define UPPER (PAGE ^ 0x70)
enum { UPPER_PLACE = 15, UPPER_HOME = TABLE + 18 };
/* Region 0x2468ace1, at place 1 of the group beside it: K 0x464a4e1, product 0x4d9632d; of the
 * group K 0x24a8ace, product 0x503a0f6. */
#define FURTHER (PAGE ^ 128)
enum { FURTHER_HOME = TABLE + 77, FURTHER_BUCKET = BUCKETS + 160 };

static void begin_in(hashed *h, uint32_t mode, bool home_first) {
    lw_params hw = hashed_hw;
    hw.slot_pages = 8;
    hashed_init(h, &hw, 1);
    h->b.latency = LATENCY;
    h->stride = STRIDE;
    h->of[PASID] = (hashed_table){.table_log = TABLE_LOG,
                                  .step_log = STEP_LOG,
                                  .table_frame = TABLE / 64,
                                  .step_frame = BUCKETS / 64,
                                  .victim = TREE};
    bench_map(&h->b, TREE, PAGE, 0x777);
    bench_map(&h->b, TREE, UPPER, 0x778);
    bench_map(&h->b, TREE, FURTHER, 0x779);
    hashed_tell(h, PASID);
    hashed_enable(h, mode, true, home_first);
}

static void begin(hashed *h, bool home_first) {
    begin_in(h, OFF, home_first);
}

/* R20.2, R20.3, R20.31: eight pages with the frames from this one on. */
static void put_line(hashed *h, uint64_t line, uint64_t vpn, uint64_t pfn) {
    const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)PASID << 36 | vpn >> 3;
    for (uint64_t j = 0; j < 8; j++) {
        hashed_at(h, line)[j] = (tag >> (6 * j) & 63) << 57 | (pfn + j) << 12 | P_ | RW_ | US_;
    }
}

/* R20.8: an entry of a bucket, with the numbers of R20.32. */
static void put_entry(hashed *h, uint64_t bucket, uint64_t entry, uint64_t vpn, uint64_t steps) {
    uint64_t *at = &hashed_at(h, bucket)[2 * entry];
    at[0] = UINT64_C(1) << 63 | (uint64_t)PASID << 32 | vpn >> 7;
    at[1] = steps;
}

static uint64_t present(uint32_t place, uint64_t step) {
    return (8 | step) << (4 * place);
}

static uint64_t peek(const hashed *h, lw_field f) {
    return bench_peek(&h->b, f, 0);
}

/* Asks for a page that has this frame, after so many reads, the last of this line. */
static void ask(hashed *h, uint64_t vpn, uint64_t pfn, uint32_t reads, uint64_t last) {
    hashed_ask(h, PASID, vpn, 0);
    assert_int_equal(h->b.last.kind, LW_OK);
    assert_int_equal(h->b.last.pfn, pfn);
    assert_int_equal(h->reads, reads);
    assert_int_equal(h->line[reads - 1], last);
}

/* A page of the victim buffer, its four levels read after so many other lines. */
static void ask_victim(hashed *h, uint64_t vpn, uint64_t pfn, uint32_t before) {
    hashed_ask(h, PASID, vpn, 0);
    assert_int_equal(h->b.last.kind, LW_OK);
    assert_int_equal(h->b.last.pfn, pfn);
    assert_int_equal(h->reads, before + LEVELS);
}

/* R20.12, R20.31: a miss reads bucket and slot; the other pages of the slot and the other regions
 * of the group are then one read, and a group beside it is a miss. */
static void test_miss_and_hit(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    put_entry(&h, PAGE_BUCKET, 2, PAGE, present(PLACE, 0) | present(UPPER_PLACE, 0));
    put_entry(&h, FURTHER_BUCKET, 0, FURTHER, present(PLACE, 0));
    put_line(&h, PAGE_HOME, PAGE, 0x100);
    put_line(&h, UPPER_HOME, UPPER, 0x200);
    put_line(&h, FURTHER_HOME, FURTHER, 0x300);
    ask(&h, PAGE, 0x101, 2, PAGE_HOME);
    assert_int_equal(h.line[0], PAGE_BUCKET);
    for (uint64_t j = 0; j < 8; j++) { /* each page has its own PTE */
        if (FIRST_OF_LINE + j != PAGE) {
            ask(&h, FIRST_OF_LINE + j, 0x100 + j, 1, PAGE_HOME);
        }
    }
    ask(&h, UPPER, 0x201, 1, UPPER_HOME);
    ask(&h, FURTHER, 0x301, 2, FURTHER_HOME);
    assert_int_equal(h.line[0], FURTHER_BUCKET);
    assert_int_equal(hashed_count(&h, LW_C_PWC_LOOKUPS), 10);
    assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 8);
    assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2);
    assert_int_equal(hashed_count(&h, LW_C_TABLE_READS), 10);
    bench_done(&h.b);
}

/* R20.7, R21.6: steps of five lines, from the last line of a frame into the next, and round the end
 * of the table. */
static void test_steps(void **state) {
    (void)state;
    static const struct {
        uint64_t vpn, bucket, line;
        uint32_t place, step;
    } cases[] = {{PAGE, PAGE_BUCKET, TABLE + 68, PLACE, 1},
                 {PAGE, PAGE_BUCKET, TABLE + 98, PLACE, 7},
                 {UPPER, PAGE_BUCKET, TABLE + 33, UPPER_PLACE, 3},
                 {FURTHER, FURTHER_BUCKET, TABLE + 112, PLACE, 7},
                 /* region 0x2468acf0: product 0x7036430, slot 112; 112 + 4 x 5 - 128 is 4 */
                 {PAGE ^ 8, PAGE_BUCKET, TABLE + 4, 0, 4}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t home_first = 0; home_first < 2; home_first++) {
            hashed h;
            begin(&h, home_first != 0);
            put_entry(&h, cases[i].bucket, 0, cases[i].vpn, present(cases[i].place, cases[i].step));
            put_line(&h, cases[i].line, cases[i].vpn, 0x100);
            ask(&h, cases[i].vpn, 0x101, 2 + home_first, cases[i].line); /* R20.13 */
            assert_int_equal(h.line[home_first], cases[i].bucket);
            ask(&h, cases[i].vpn ^ 1, 0x100, 1, cases[i].line);
            bench_done(&h.b);
        }
    }
}

/* R20.13: at home one read; a home that is another region's is no retry. */
static void test_home_first(void **state) {
    (void)state;
    hashed h;
    begin(&h, true);
    put_entry(&h, PAGE_BUCKET, 0, PAGE, present(PLACE, 0) | present(UPPER_PLACE, 2));
    put_line(&h, PAGE_HOME, PAGE, 0x100);
    put_line(&h, UPPER_HOME, FURTHER, 0x300);
    put_line(&h, TABLE + 28, UPPER, 0x200);
    ask(&h, PAGE, 0x101, 1, PAGE_HOME);
    ask(&h, UPPER, 0x201, 3, TABLE + 28);
    assert_int_equal(h.line[0], UPPER_HOME);
    assert_int_equal(h.line[1], PAGE_BUCKET);
    assert_int_equal(hashed_count(&h, LW_C_TAG_MISSES), 1);
    assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 0);
    bench_done(&h.b);
}

/* R20.26: a line with another tag, be it by one bit or that of a region of 512 pages, is read twice
 * in vain, and the page is the victim buffer's. */
static void test_wrong_tags(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    put_entry(&h, PAGE_BUCKET, 0, PAGE, present(PLACE, 0));
    uint64_t *line = hashed_at(&h, PAGE_HOME);
    for (uint32_t bit = 0; bit < 48; bit++) {
        put_line(&h, PAGE_HOME, PAGE, 0x100);
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        ask_victim(&h, PAGE, 0x777, 4);
        hashed_invalidate(&h, PASID);
    }
    put_line(&h, PAGE_HOME, PAGE >> 6, 0x100); /* whose number is VPN[44:9] of the page */
    ask_victim(&h, PAGE, 0x777, 4);
    put_line(&h, PAGE_HOME, PAGE, 0x100);
    hashed_invalidate(&h, PASID);
    ask(&h, PAGE, 0x101, 2, PAGE_HOME);
    bench_done(&h.b);
}

/* R20.9, R20.32: a bucket without the group, with that of regions of 512 pages, or with the group
 * and not the region. */
static void test_absent(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    put_line(&h, PAGE_HOME, PAGE, 0x100);
    ask_victim(&h, PAGE, 0x777, 1);
    assert_int_equal(h.line[0], PAGE_BUCKET);
    assert_int_equal(bench_peek(&h.b, LW_F_STEP_CACHE_VALID, PAGE >> 7 & 7), 0);
    hashed_invalidate(&h, PASID);
    put_entry(&h, PAGE_BUCKET, 0, PAGE >> 6, UINT64_MAX);
    ask_victim(&h, PAGE, 0x777, 1);
    hashed_invalidate(&h, PASID);
    put_entry(&h, PAGE_BUCKET, 0, PAGE, ~present(PLACE, 7));
    ask_victim(&h, PAGE, 0x777, 1);
    /* R21.14: the group is kept at its index (R21.3), though the region is not there */
    assert_int_equal(bench_peek(&h.b, LW_F_STEP_CACHE_VALID, PAGE >> 7 & 7), 1);
    bench_done(&h.b);
}

/* R21.6, R21.8: NODE is the frame in which the slot lies, and BUCKET its line there. */
static void test_registers(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    put_entry(&h, PAGE_BUCKET, 0, PAGE, present(PLACE, 1));
    put_line(&h, TABLE + 68, PAGE, 0x100);
    ask(&h, PAGE, 0x101, 2, TABLE + 68);
    hashed_offer(&h, PASID, PAGE ^ 1);
    for (uint32_t n = 0; peek(&h, LW_F_PWC_RESULT_RESULT_VALID) == 0; n++) {
        assert_true(n < 50);
        hashed_step(&h);
    }
    assert_int_equal(peek(&h, LW_F_PWC_RESULT_RESULT_WHERE), CACHED);
    assert_int_equal(peek(&h, LW_F_PWC_RESULT_RESULT_NODE), 65);
    assert_int_equal(peek(&h, LW_F_PWC_RESULT_RESULT_BUCKET), 4);
    hashed_drain(&h);
    bench_done(&h.b);
}

/* R21.12: the pages of a slot are answered by one read of it; a read of a bucket holds up those of
 * its 16 MiB, also of a group that is not in it (chapter 21, Why). */
static void test_beside(void **state) {
    (void)state;
    hashed h;
    begin_in(&h, FULL, false);
    put_entry(&h, PAGE_BUCKET, 0, PAGE, present(PLACE, 0) | present(UPPER_PLACE, 0));
    put_entry(&h, FURTHER_BUCKET, 0, FURTHER, present(PLACE, 0));
    put_line(&h, PAGE_HOME, PAGE, 0x100);
    put_line(&h, UPPER_HOME, UPPER, 0x200);
    put_line(&h, FURTHER_HOME, FURTHER, 0x300);
    h.judged = true;
    h.reads = 0;
    for (uint64_t j = 0; j < 8; j++) {
        hashed_offer(&h, PASID, FIRST_OF_LINE + j);
    }
    hashed_offer(&h, PASID, UPPER);
    hashed_offer(&h, PASID, FURTHER);
    hashed_drain(&h);
    assert_int_equal(h.b.answered, 10);
    assert_int_equal(h.reads, 5);
    assert_int_equal(h.line[0], PAGE_BUCKET);
    assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2);
    assert_int_equal(hashed_count(&h, LW_C_TABLE_READS), 3);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 7);
    bench_done(&h.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_miss_and_hit), cmocka_unit_test(test_steps),
        cmocka_unit_test(test_home_first),   cmocka_unit_test(test_wrong_tags),
        cmocka_unit_test(test_absent),       cmocka_unit_test(test_registers),
        cmocka_unit_test(test_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
