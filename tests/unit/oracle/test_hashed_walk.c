/* The oracle's walk of a hashed page table over an image made by hand: where each structure lies
 * and what its bits mean (R20.1 to R20.11, FS-HPT's Figure 11), the order of the walk and its
 * accesses (R20.12, R20.13), the fault of each structure (R20.14), and where flipped bits lead and
 * do not lead (R20.26). */
#include "tests/unit/oracle/region_image.h"

#include "common/rng.h"

static void assert_fault(lw_hashed_walk_answer a, uint32_t kind, uint32_t level) {
    assert_int_equal(a.answer.kind, kind);
    assert_int_equal(a.answer.level, level);
    assert_true(a.answer.pfn == 0 && a.answer.size == 0 && !a.answer.w && !a.answer.x);
}

/* R20.1 to R20.3, R20.6 to R20.9, Figure 11: the page is found at each step, also past the last
 * slot, by two accesses. */
static void found_by_its_step(void **state) {
    (void)state;
    image m;
    static const uint32_t strides[] = {1, 3, 7};
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t step = 0; step < 8; step++) {
            lw_hashed_walk_query q = query(0);
            q.stride = strides[i];
            (void)place(&m, step, q.stride);
            const lw_hashed_walk_answer a = ask(&m, &q);
            assert_int_equal(a.answer.kind, LW_ORACLE_OK);
            assert_int_equal(a.answer.pfn, PFN);
            assert_true(a.answer.w && a.answer.x && a.answer.size == 0);
            assert_int_equal(a.step, step);
            assert_int_equal(a.place, LW_HASHED_TABLE);
            assert_int_equal(a.accesses, 2);
        }
    }
}

/* R20.6: with the multiplier 1 the hash is the highest bits of the number, the PASID folded in. */
static void another_multiplier(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    q.multiplier = 1;
    memset(&m, 0, sizeof m);
    m.words[STEPS][8] = GROUP_WORD; /* 0x3f8000 ^ 5 << 18 is 0x2b8000 */
    m.words[STEPS][9] = STEP(0);
    *tag_line(&m, 3) |= PFN << 12 | P | US; /* 0x3f80007 ^ 5 << 18 is 0x3ec0007 */
    assert_int_equal(ask(&m, &q).answer.pfn, PFN);
    q.multiplier = 3;
    assert_int_equal(ask(&m, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
}

/* R20.13: one access where the page is at home, three where it is not. */
static void home_first(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    q.home_first = true;
    for (uint32_t step = 0; step < 8; step++) {
        (void)place(&m, step, 1);
        const lw_hashed_walk_answer a = ask(&m, &q);
        assert_int_equal(a.answer.pfn, PFN);
        assert_int_equal(a.accesses, step == 0 ? 1 : 3);
    }
    /* the step says home, where the tag is another's: it is not read twice */
    (void)place(&m, 0, 1);
    m.words[TABLE + HOME][LINE + 7] = 0;
    assert_int_equal(ask(&m, &q).accesses, 3); /* home, bucket, the root of the victim buffer */
}

/* Low bits of the tables' frames are replaced, not added to (R20.1). */
static void low_frame_bits_do_not_count(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    (void)place(&m, 5, 1);
    q.table_frame = TABLE + 5;
    assert_int_equal(ask(&m, &q).answer.pfn, PFN);
    /* R20.8 likewise: of 128 buckets, in two frames, that of the group is 21 */
    memcpy(&m.words[STEPS][UINT64_C(21) * 8], &m.words[STEPS][BUCKET * 8],
           8 * sizeof m.words[0][0]);
    *step_word(&m, 2, 0) = 0;
    q.step_log = 7;
    q.step_frame = STEPS + 1;
    assert_int_equal(ask(&m, &q).answer.pfn, PFN);
}

/* The upper half: VPN bits above the levels are no part of the tag. PASID 2047, the last page: home
 * 2 of eight, bucket 30 of 64. */
static void the_last_page(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    static const uint64_t tag[] = {0x3f, 0x3f, 0x3f, 0x3f, 0x07, 0x00, 0x3f, 0x3f};
    memset(&m, 0, sizeof m);
    q.page.page_number = UINT64_MAX >> 12;
    q.pasid = 2047;
    m.words[STEPS][240] = UINT64_C(0x800007ff007fffff);
    m.words[STEPS][241] = UINT64_C(8) << 60;
    for (uint32_t j = 0; j < 8; j++) {
        m.words[TABLE + 2][504 + j] = tag[j] << 57;
    }
    m.words[TABLE + 2][511] |= UINT64_C(0x77) << 12 | P | US;
    const lw_hashed_walk_answer a = ask(&m, &q);
    assert_int_equal(a.answer.kind, LW_ORACLE_OK);
    assert_int_equal(a.answer.pfn, 0x77);
    assert_true(!a.answer.w && a.answer.x);
}

/* R20.9: the first entry of the group says it, a duplicate behind it is not looked at; and R20.12:
 * whatever else is wrong leads to the victim buffer. */
static void everything_else_is_in_the_victim_buffer(void **state) {
    (void)state;
    image m;
    for (uint32_t i = 0; i < 6; i++) {
        uint64_t *pte = place(&m, 3, 1);
        add_victim(&m, UINT64_C(0x55) << 12 | P | RW | US);
        switch (i) {
        case 0: /* no entry of the group */
            *step_word(&m, 2, 0) = 0;
            break;
        case 1: /* the region is not present */
            *step_word(&m, 2, 1) = STEP(3) & ~STEP(0);
            break;
        case 2: /* a duplicate before it says another step */
            *step_word(&m, 1, 0) = GROUP_WORD;
            *step_word(&m, 1, 1) = STEP(4);
            break;
        case 3: /* the step is wrong */
            *step_word(&m, 2, 1) = STEP(2);
            break;
        case 4: /* the tag is another PASID's */
            pte[6 - INDEX % 8] ^= UINT64_C(1) << 57;
            break;
        default: /* the slot is empty */
            memset(m.words[TABLE], 0, 8 * sizeof m.words[0]);
        }
        const lw_hashed_walk_answer a = walk(&m);
        assert_int_equal(a.answer.kind, LW_ORACLE_OK);
        assert_int_equal(a.answer.pfn, 0x55);
        assert_int_equal(a.place, LW_HASHED_VICTIM_BUFFER);
        assert_int_equal(a.accesses, i < 2 ? 5 : 6);
        m.words[LEAF][INDEX] = 0;
        assert_fault(walk(&m), LW_ORACLE_NOT_PRESENT, 1);
        m.words[ROOT][PAGE >> 27] = 0;
        assert_fault(walk(&m), LW_ORACLE_NOT_PRESENT, 4);
    }
    /* a duplicate behind it */
    (void)place(&m, 3, 1);
    *step_word(&m, 3, 0) = GROUP_WORD;
    *step_word(&m, 3, 1) = STEP(4);
    assert_int_equal(walk(&m).answer.pfn, PFN);
}

/* Bit 47 of the tag: an empty table has no page 0 of PASID 0 (R20.2). */
static void an_empty_slot_has_no_tag(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    memset(&m, 0, sizeof m);
    q.pasid = 0;
    q.page.page_number = 0;
    m.words[STEPS][0] = UINT64_C(1) << 63;
    m.words[STEPS][1] = 8;
    m.words[TABLE][0] = PFN << 12 | P | US;
    assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 4);
    m.words[TABLE][7] = UINT64_C(32) << 57;
    assert_int_equal(ask(&m, &q).answer.pfn, PFN);
}

/* R20.14 */
static void faults_of_each_structure(void **state) {
    (void)state;
    image m;
    lw_hashed_walk_query q = query(0);
    (void)place(&m, 1, 1);
    q.page.has_root = false;
    assert_fault(ask(&m, &q), LW_ORACLE_UNKNOWN_PASID, 0);
    assert_int_equal(ask(&m, &q).accesses, 0);
    q = query(0);
    q.page.page_number |= UINT64_C(1) << 40;
    assert_fault(ask(&m, &q), LW_ORACLE_NONCANONICAL, 0);
    q = query(0);
    q.has_victim_buffer = false;
    assert_int_equal(ask(&m, &q).answer.pfn, PFN);
    *step_word(&m, 2, 1) = 0;
    assert_fault(ask(&m, &q), LW_ORACLE_NOT_PRESENT, 6);
    assert_int_equal(ask(&m, &q).place, LW_HASHED_NOWHERE);
}

/* The verdict on a PTE in a slot and in the victim buffer: R1.6, with R20.4 and R20.5. */
static const struct verdict_row {
    uint64_t pte; /* but for the tag */
    uint32_t access, kind, size;
} verdict_rows[] = {
    {PFN << 12 | RW | US, 0, LW_ORACLE_NOT_PRESENT, 0},
    {UINT64_C(1) << 40 | P | US, 0, LW_ORACLE_RESERVED, 0},
    {PFN << 12 | P | US | SIZE(3), 0, LW_ORACLE_RESERVED, 0},
    {PFN << 12 | US | SIZE(3), 0, LW_ORACLE_NOT_PRESENT, 0},
    {PFN << 12 | P | RW, 0, LW_ORACLE_PERMISSION, 0},
    {PFN << 12 | P | US, 1, LW_ORACLE_PERMISSION, 0},
    {PFN << 12 | P | US | NX, 2, LW_ORACLE_PERMISSION, 0},
    {PFN << 12 | P | US, 0, LW_ORACLE_OK, 0},
    {UINT64_C(0xabcd3) << 12 | P | US | SIZE(1), 0, LW_ORACLE_OK, 3},
    {UINT64_C(0xabcd2) << 12 | P | US | SIZE(1), 0, LW_ORACLE_MISALIGNED, 0},
    {UINT64_C(0xabcc3) << 12 | P | RW | SIZE(1), 0, LW_ORACLE_PERMISSION, 0},
    {UINT64_C(0xabcc2) << 12 | P | RW | SIZE(1), 0, LW_ORACLE_MISALIGNED, 0},
    {UINT64_C(0xabd23) << 12 | P | US | RW | SIZE(2), 1, LW_ORACLE_OK, 1},
    {UINT64_C(0xabc23) << 12 | P | US | RW | SIZE(2), 1, LW_ORACLE_MISALIGNED, 0},
    {UINT64_C(0xabd22) << 12 | P | US | RW | SIZE(2), 1, LW_ORACLE_MISALIGNED, 0},
    {PFN << 12 | P | US | 1 << 7, 0, LW_ORACLE_OK, 0},  /* bit 7 is PAT at level 1 */
    {PFN << 12 | P | US | 1 << 11, 0, LW_ORACLE_OK, 0}, /* remote: for software only */
};

static void verdicts(void **state) {
    (void)state;
    image m;
    for (size_t i = 0; i < 2 * sizeof verdict_rows / sizeof verdict_rows[0]; i++) {
        const struct verdict_row *row = &verdict_rows[i / 2];
        const lw_hashed_walk_query q = query(row->access);
        uint64_t *pte = place(&m, 6, 1);
        *pte = (*pte & UINT64_C(63) << 57) | row->pte;
        if (i % 2 != 0) {
            add_victim(&m, row->pte);
            *step_word(&m, 2, 0) = 0;
        }
        const lw_hashed_walk_answer a = ask(&m, &q);
        assert_int_equal(a.answer.kind, row->kind);
        if (row->kind == LW_ORACLE_OK) {
            assert_int_equal(a.answer.pfn, row->pte >> 12 & 0xfffffff);
            assert_int_equal(a.answer.size, row->size);
            assert_int_equal(a.answer.w, (row->pte & RW) != 0);
        } else {
            assert_fault(a, row->kind, 1);
        }
    }
}

/* R20.10: a large page of the victim buffer is one of R1.7; a level without a permission takes it.
 */
static void the_victim_buffer_is_a_radix_table(void **state) {
    (void)state;
    image m;
    memset(&m, 0, sizeof m);
    add_victim(&m, PFN << 12 | P | RW | US);
    m.words[ROOT + 1][PAGE >> 18 & 511] ^= RW;
    lw_hashed_walk_answer a = walk(&m);
    assert_true(a.answer.kind == LW_ORACLE_OK && !a.answer.w);
    m.words[ROOT + 2][PAGE >> 9 & 511] = UINT64_C(0x400) << 12 | P | RW | US | 1 << 7;
    a = walk(&m);
    assert_int_equal(a.answer.pfn, 0x400 + INDEX);
    assert_int_equal(a.answer.size, 1);
    assert_int_equal(a.accesses, 4);
}

/* Foreign entries stand in all slots, each with frames of its own. Whatever bits of tags and of
 * step entries are flipped, up to eight at once, PAGE is its own frame or not there. A tag has one
 * word whose bits must all be another's to be mistaken, so the PASIDs here differ from it by a bit.
 */
static void flipped_bits_give_no_foreign_frame(void **state) {
    (void)state;
    static image m;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    uint32_t found = 0;
    for (uint32_t run = 0; run < 200000; run++) {
        const uint32_t step = (uint32_t)lw_rng_below(&rng, 8);
        (void)place(&m, step, 1);
        for (uint32_t slot = 0; slot < 8; slot++) {
            uint64_t *line = &m.words[TABLE + slot][LINE];
            if (slot != (HOME + step) % 8) {
                (void)tag_line(&m, slot);
                line[lw_rng_below(&rng, 8)] ^= UINT64_C(1) << (57 + lw_rng_below(&rng, 6));
                line[INDEX % 8] |= (UINT64_C(0xf00) + slot) << 12 | P | RW | US;
            }
        }
        const uint32_t flips = 1 + (uint32_t)lw_rng_below(&rng, 8);
        for (uint32_t i = 0; i < flips; i++) {
            uint64_t *words = &m.words[STEPS][BUCKET * 8];
            words[lw_rng_below(&rng, 8)] ^= UINT64_C(1) << lw_rng_below(&rng, 64);
        }
        uint64_t *own = &m.words[TABLE + (HOME + step) % 8][LINE];
        own[lw_rng_below(&rng, 8)] ^= UINT64_C(1) << (57 + lw_rng_below(&rng, 6));
        if (lw_rng_percent(&rng, 50)) {
            (void)tag_line(&m, (HOME + step) % 8);
        }
        const lw_hashed_walk_answer a = walk(&m);
        assert_true(a.answer.kind == LW_ORACLE_NOT_PRESENT || a.answer.pfn == PFN);
        found += a.answer.kind == LW_ORACLE_OK;
    }
    assert_in_range(found, 1, 199999);
}

/* R20.26: a bit of a foreign tag flips, and it is PAGE's. PAGE's step does not lead there; a wrong
 * one does, and the home, which is read without one, is taken for PAGE's slot. */
static void a_foreign_tag_becomes_its_own(void **state) {
    (void)state;
    static image m;
    enum { FOREIGN = 0xf00 };
    for (uint32_t foreign = 0; foreign < 8; foreign++) {
        for (uint32_t step = 0; step < 8; step++) {
            const uint64_t slot = (HOME + foreign) % 8;
            lw_hashed_walk_query q = query(0);
            if (foreign == step) {
                continue;
            }
            (void)place(&m, step, 1);
            *tag_line(&m, (uint32_t)slot) |= (uint64_t)FOREIGN << 12 | P | RW | US;
            assert_int_equal(ask(&m, &q).answer.pfn, PFN);
            q.home_first = true;
            assert_int_equal(ask(&m, &q).answer.pfn, slot == HOME ? FOREIGN : PFN);
            q.home_first = false;
            *step_word(&m, 2, 1) = STEP(foreign);
            assert_int_equal(ask(&m, &q).answer.pfn, FOREIGN);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_its_step),
        cmocka_unit_test(another_multiplier),
        cmocka_unit_test(home_first),
        cmocka_unit_test(low_frame_bits_do_not_count),
        cmocka_unit_test(the_last_page),
        cmocka_unit_test(everything_else_is_in_the_victim_buffer),
        cmocka_unit_test(an_empty_slot_has_no_tag),
        cmocka_unit_test(faults_of_each_structure),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(the_victim_buffer_is_a_radix_table),
        cmocka_unit_test(flipped_bits_give_no_foreign_frame),
        cmocka_unit_test(a_foreign_tag_becomes_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
