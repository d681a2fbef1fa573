/* The oracle's walk of a hashed page table of other shapes: contiguity bits (R20.27, R20.28), slots
 * of a line (R20.31), five levels (R20.32), tables behind the end of memory (R20.14); and what may
 * have been (R20.22). The numbers are worked out from the document, not by any code here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/hashed_walk.h"

#include <string.h>

/* Slots are the frames 8..15, the step table is 16, the victim buffer's nodes are 17 to 20. */
#define FRAMES 24
#define TABLE UINT64_C(8)
#define STEPS UINT64_C(16)
#define ROOT UINT64_C(17)

#define ALL 7 /* P, RW, US */
#define PFN UINT64_C(0xabc00)
#define SLICES (UINT64_C(63) << 57)
/* With MULTIPLIER 1 and PASID 1, K of a number below 2^18 is that number and 2^18: of up to 2^8
 * slots or buckets its home is the first. */
#define PASID UINT64_C(1)

typedef struct image {
    uint64_t words[FRAMES][512];
    uint64_t old_pa, old_value, old_until; /* one that a word had */
    uint64_t failing_line;
} image;

static uint64_t read64(void *ctx, uint64_t pa) {
    image *m = ctx;
    assert_true(pa % 8 == 0 && pa >> 12 < FRAMES);
    return m->words[pa >> 12][pa / 8 % 512];
}

static bool old64(void *ctx, uint64_t pa, size_t n, lw_flat_old *old) {
    const image *m = ctx;
    *old = (lw_flat_old){m->old_value, m->old_until};
    return n == 0 && pa == m->old_pa && pa != 0;
}

static bool line_may_fail(void *ctx, uint64_t line) {
    return ((image *)ctx)->failing_line == line;
}

static void clear(image *m) {
    memset(m, 0, sizeof *m);
    m->failing_line = UINT64_MAX;
}

static lw_hashed_walk_query query(uint64_t page) {
    return (lw_hashed_walk_query){.page = {.levels = 4,
                                           .pa_width = 40,
                                           .has_root = true,
                                           .root = ROOT,
                                           .page_number = page,
                                           .subregions = true},
                                  .contiguity = true,
                                  .has_victim_buffer = true,
                                  .pasid = PASID,
                                  .table_frame = TABLE,
                                  .step_frame = STEPS,
                                  .slot_pages = 512,
                                  .table_log = 3,
                                  .step_log = 6,
                                  .stride = 1,
                                  .multiplier = 1};
}

static lw_hashed_walk_answer ask(image *m, const lw_hashed_walk_query *q) {
    const lw_flat_image flat = {.read64 = read64, .ctx = m};
    return lw_hashed_walk(&flat, q);
}

static bool may(image *m, const lw_hashed_walk_query *q, lw_oracle_answer answer) {
    const lw_flat_image flat = {read64, old64, line_may_fail, m};
    return lw_hashed_walk_may(&flat, q, &answer);
}

static lw_oracle_answer fault(uint32_t kind, uint32_t level) {
    return (lw_oracle_answer){.kind = kind, .level = level};
}

static lw_oracle_answer page(uint64_t pfn) {
    return (lw_oracle_answer){.kind = LW_ORACLE_OK, .pfn = pfn, .w = true, .x = true};
}

static void assert_page(lw_hashed_walk_answer a, uint64_t pfn, uint32_t reads) {
    assert_true(a.answer.kind == LW_ORACLE_OK && a.answer.size == 0);
    assert_int_equal(a.answer.pfn, pfn);
    assert_int_equal(a.accesses, reads);
}

static void assert_fault(lw_hashed_walk_answer a, uint32_t kind, uint32_t level, uint32_t reads) {
    assert_true(a.answer.kind == kind && a.answer.level == level);
    assert_int_equal(a.accesses, reads);
}

/* The line of a word gets the tag of the region; the word becomes this PTE. */
static void put(image *m, uint64_t frame, uint64_t word, uint64_t region, uint64_t pte) {
    const uint64_t tag = UINT64_C(1) << 47 | PASID << 36 | region;
    uint64_t *line = &m->words[frame][word & ~UINT64_C(7)];
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = (line[j] & ~SLICES) | (tag >> 6 * j & 63) << 57;
    }
    m->words[frame][word] = (m->words[frame][word] & SLICES) | pte;
}

/* An entry of 32 bytes of the bucket. */
static uint64_t *entry(image *m, uint64_t bucket, uint32_t way) {
    return &m->words[STEPS][8 * bucket + UINT64_C(4) * way];
}

static uint64_t group_word(uint64_t group) {
    return UINT64_C(1) << 63 | PASID << 32 | group;
}

/* ---------------------------------------------------------------- contiguity */

#define GROUP UINT64_C(0x155)

/* Region i of the group lies at step 3; every bit is set but those of the page itself. */
static void all_but(image *m, uint32_t way, uint32_t region, uint32_t subregion) {
    uint64_t *e = entry(m, 0, way);
    clear(m);
    e[0] = group_word(GROUP) | (UINT64_C(0xffff) ^ UINT64_C(1) << region) << 43;
    e[1] = UINT64_C(0xb) << 4 * region;
    e[2] = e[3] = UINT64_MAX;
    e[2 + region / 8] ^= UINT64_C(1) << (region % 8 * 8 + subregion);
}

/* R20.27: each bit is that of one region, or of one subregion of it, and no other's. */
static void each_bit_has_its_place(void **state) {
    (void)state;
    static image m;
    for (uint32_t region = 0; region < 16; region++) {
        for (uint32_t subregion = 0; subregion < 8; subregion++) {
            const uint32_t way = subregion & 1;
            const uint64_t number = GROUP << 4 | region;
            const uint64_t head = UINT64_C(64) * subregion, index = head + 43;
            lw_hashed_walk_query q = query(number << 9 | index);
            /* none: its own PTE */
            all_but(&m, way, region, subregion);
            put(&m, TABLE + 3, index, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN, 2);
            /* its subregion's: the head stands for 64 pages */
            entry(&m, 0, way)[2 + region / 8] ^= UINT64_C(1) << (region % 8 * 8 + subregion);
            memset(m.words[TABLE + 3], 0, sizeof m.words[0]);
            put(&m, TABLE + 3, head, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN + 43, 2);
            /* its region's goes before: the first page stands for all */
            entry(&m, 0, way)[0] |= UINT64_C(1) << (43 + region);
            memset(m.words[TABLE + 3], 0, sizeof m.words[0]);
            put(&m, TABLE + 3, 0, number, PFN << 12 | ALL);
            assert_page(ask(&m, &q), PFN + index, 2);
            /* not looked at without SUBREGION_ENABLE */
            q.page.subregions = false;
            assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
            put(&m, TABLE + 3, index, number, (PFN + 7) << 12 | ALL);
            assert_page(ask(&m, &q), PFN + 7, 2);
        }
    }
}

/* Entries of 16 bytes have no such bits: the first word is the group's, or it is not (R20.8). */
static void without_them_a_first_word_is_whole(void **state) {
    (void)state;
    static image m;
    lw_hashed_walk_query q = query(GROUP << 13 | 5);
    q.contiguity = false;
    clear(&m);
    m.words[STEPS][6] = group_word(GROUP);
    m.words[STEPS][7] = 8;
    put(&m, TABLE, 5, GROUP << 4, PFN << 12 | ALL);
    assert_page(ask(&m, &q), PFN, 2);
    m.words[STEPS][6] |= UINT64_C(1) << 43;
    assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
}

/* R20.5: only a page of 4 KiB can stand for others. */
static void a_head_is_of_4_kib(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    const lw_hashed_walk_query q = query(region << 9 | 16);
    all_but(&m, 0, 2, 0);
    put(&m, TABLE + 3, 16, region, PFN << 12 | ALL | 1 << 9);
    assert_int_equal(ask(&m, &q).answer.size, 3);
    entry(&m, 0, 0)[2] |= UINT64_C(1) << 16;
    put(&m, TABLE + 3, 0, region, PFN << 12 | ALL | 1 << 9);
    assert_fault(ask(&m, &q), LW_ORACLE_RESERVED, 1, 2);
}

/* R20.28: a home that is read first, and a victim buffer, have a page's own PTE. */
static void own_ptes(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    q.home_first = true;
    for (int reaches = 0; reaches < 2; reaches++) {
        all_but(&m, 0, 2, 0);
        entry(&m, 0, 0)[1] = UINT64_C(8) << 8; /* at home */
        entry(&m, 0, 0)[2] |= (uint64_t)reaches << 16;
        put(&m, TABLE, 0, region, PFN << 12 | ALL);
        /* its own line has lost its tag: only the head's is another one, to be read */
        if (reaches != 0) {
            assert_page(ask(&m, &q), PFN + 9, 3);
        } else {
            assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4, 3);
        }
        put(&m, TABLE, 9, region, (PFN + 100) << 12 | ALL);
        assert_page(ask(&m, &q), PFN + 100, 1);
    }
    q.home_first = false;
    entry(&m, 0, 0)[0] = 0;
    memset(m.words[TABLE], 0, sizeof m.words[0]);
    m.words[ROOT][0] = (ROOT + 1) << 12 | ALL;
    m.words[ROOT + 1][region >> 9] = (ROOT + 2) << 12 | ALL;
    m.words[ROOT + 2][region & 511] = (ROOT + 3) << 12 | ALL | UINT64_C(0x1ff) << 52;
    m.words[ROOT + 3][9] = (PFN + 200) << 12 | ALL;
    assert_page(ask(&m, &q), PFN + 200, 5);
    assert_true(may(&m, &q, page(PFN + 200)));
    m.words[ROOT + 3][0] = PFN << 12 | ALL;
    assert_false(may(&m, &q, page(PFN + 9)));
}

/* ---------------------------------------------------------------- other shapes */

/* R20.31: a slot is a line; of 128 in two frames number 65 is the second line of the second. */
static void slots_of_a_line(void **state) {
    (void)state;
    static image m;
    for (uint64_t i = 0; i < 8; i++) {
        const uint64_t line = UINT64_C(0x1a2b3);
        lw_hashed_walk_query q = query(line << 3 | i);
        q.page.subregions = q.contiguity = false;
        q.slot_pages = 8;
        q.table_log = 7;
        q.table_frame = TABLE + 1; /* the low bits are replaced */
        q.stride = 13;
        clear(&m);
        /* K of the line is 0x5a2b3, of its group 0x41a2b: home 0, bucket 0 */
        m.words[STEPS][2] = group_word(line >> 4);
        m.words[STEPS][3] = UINT64_C(0xd) << 4 * (line & 15);
        put(&m, TABLE + 1, 8 + i, line, (PFN + i) << 12 | ALL);
        const lw_hashed_walk_answer a = ask(&m, &q);
        assert_page(a, PFN + i, 2);
        assert_int_equal(a.step, 5);
        q.stride = 11;
        assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4, 3);
    }
}

/* R20.6, R20.32: of five levels the region has 36 bits, of which 35:27 are folded in at 2^9. */
static void five_levels(void **state) {
    (void)state;
    static image m;
    static const struct {
        uint64_t region;
        uint32_t multiplier;
        uint64_t home, bucket;
    } rows[] = {
        /* K is 0x40207, times 0x8001 modulo 2^27 is 0x1078207; of the group 0x840000 */
        {UINT64_C(1) << 27 | 7, 0x8001, 1, 4},
        /* the upper half: K is 0x60007, times 0x81 is 0x3060387; of the group 0x42000, 0x2142000 */
        {UINT64_C(1) << 35 | 7, 0x81, 3, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t region = rows[i].region;
        const uint64_t sign = region >> 35 != 0 ? UINT64_C(0x7f) << 45 : 0;
        lw_hashed_walk_query q = query(sign | region << 9 | 100);
        clear(&m);
        q.page.levels = 5;
        q.multiplier = rows[i].multiplier;
        entry(&m, rows[i].bucket, 1)[0] = group_word(region >> 4);
        entry(&m, rows[i].bucket, 1)[1] = UINT64_C(8) << 28;
        put(&m, TABLE + rows[i].home, 100, region, PFN << 12 | ALL);
        assert_page(ask(&m, &q), PFN, 2);
    }
}

/* R20.14: where there is no memory a read fails, and the walk ends. */
static void behind_the_end_of_memory(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    clear(&m);
    entry(&m, 0, 0)[0] = group_word(GROUP);
    entry(&m, 0, 0)[1] = UINT64_C(9) << 8;
    put(&m, TABLE + 1, 9, region, PFN << 12 | ALL);
    put(&m, TABLE, 9, region, (PFN + 1) << 12 | ALL);
    /* the line read is (TABLE + 1) x 64 + 1, or of the home TABLE x 64 + 1 */
    q.end_line = (TABLE + 1) << 6 | 1;
    q.step_frame = 0;
    memcpy(m.words[0], m.words[STEPS], sizeof m.words[0]);
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 1, 2);
    q.end_line++;
    assert_page(ask(&m, &q), PFN, 2);
    q.home_first = true;
    assert_page(ask(&m, &q), PFN + 1, 1);
    q.end_line = TABLE << 6 | 1;
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 1, 1);
    q.home_first = false;
    q.step_frame = STEPS;
    q.end_line = STEPS << 6;
    assert_fault(ask(&m, &q), LW_ORACLE_MEMORY_ERROR, 6, 1);
    /* without a step table a walk finds its home at most: neither a later slot nor a victim */
    assert_true(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 6)));
    assert_true(may(&m, &q, page(PFN + 1)));
    assert_false(may(&m, &q, page(PFN)));
    assert_false(may(&m, &q, fault(LW_ORACLE_NOT_PRESENT, 4)));
    q.end_line++;
    assert_page(ask(&m, &q), PFN, 2);
}

/* ---------------------------------------------------------------- what may have been */

/* A word that changed at time 10 counts for whoever can have read it before: a translation from
 * `since` on, a fault from `asked` on. */
static void old_values_have_times(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    lw_hashed_walk_query q = query(region << 9 | 9);
    const uint64_t pte = PFN << 12 | ALL;
    clear(&m);
    entry(&m, 0, 0)[0] = group_word(GROUP);
    entry(&m, 0, 0)[1] = UINT64_C(8) << 8;
    put(&m, TABLE, 9, region, pte);
    const uint64_t now = m.words[TABLE][9];
    m.old_pa = TABLE << 12 | 9 << 3;
    m.old_until = 10;
    for (uint64_t since = 9; since <= 11; since++) {
        for (uint64_t asked = since; asked <= 11; asked++) {
            q.page.since = since;
            q.page.asked = asked;
            m.old_value = now + (UINT64_C(1) << 12);
            assert_int_equal(may(&m, &q, page(PFN + 1)), since <= 10);
            m.old_value = now & ~UINT64_C(1);
            assert_int_equal(may(&m, &q, fault(LW_ORACLE_NOT_PRESENT, 1)), asked <= 10);
            assert_true(may(&m, &q, page(PFN)));
            assert_false(may(&m, &q, page(PFN + 2)));
        }
    }
    /* the tag has left another word of the line at 10, and the region is nowhere */
    m.old_pa = TABLE << 12 | 15 << 3;
    m.old_value = m.words[TABLE][15];
    m.words[TABLE][15] = 0;
    for (uint64_t since = 9; since <= 11; since++) {
        q.page.since = q.page.asked = since;
        assert_int_equal(may(&m, &q, page(PFN)), since <= 10);
    }
}

/* A page is found by its own PTE or by its head's, in any slot of the chain; by a head only where
 * there are contiguity bits. The same lines may fail. */
static void heads_may_have_told(void **state) {
    (void)state;
    static image m;
    const uint64_t region = GROUP << 4 | 2;
    static const uint64_t heads[] = {0, 128, 171};
    lw_hashed_walk_query q = query(region << 9 | 171);
    for (int reaches = 0; reaches < 3; reaches++) {
        q.contiguity = reaches != 1;
        q.page.subregions = reaches != 2;
        for (uint32_t step = 0; step < 8; step++) {
            for (uint32_t i = 0; i < 3; i++) {
                const bool told = reaches == 0 || heads[i] == 171;
                clear(&m);
                put(&m, TABLE + step, heads[i], region, PFN << 12 | ALL);
                assert_int_equal(may(&m, &q, page(PFN + 171 - heads[i])), told);
                m.failing_line = (TABLE + step) << 6 | heads[i] >> 3;
                assert_int_equal(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 1)), told);
                m.failing_line++;
                assert_false(may(&m, &q, fault(LW_ORACLE_MEMORY_ERROR, 1)));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_has_its_place),
        cmocka_unit_test(without_them_a_first_word_is_whole),
        cmocka_unit_test(a_head_is_of_4_kib),
        cmocka_unit_test(own_ptes),
        cmocka_unit_test(slots_of_a_line),
        cmocka_unit_test(five_levels),
        cmocka_unit_test(behind_the_end_of_memory),
        cmocka_unit_test(old_values_have_times),
        cmocka_unit_test(heads_may_have_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
