/* What the oracle lets pass in time: windows of pages and PASIDs, faults and the requests that they
 * answer, roots that come and go. */
#include "tests/unit/oracle/oracle_image.h"

#include "oracle/change_log.h"
#include "oracle/windows.h"

static void complete(lw_oracle *o, uint32_t pasid, uint64_t first, uint64_t last) {
    lw_oracle_invalidation_starts(o, pasid, first, last);
    lw_oracle_invalidation_done(o);
}

/* A page's window begins with the last invalidation that matches the page, whatever has changed. */
static void a_window_is_a_page_s_own(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_oracle_answer first = lw_oracle_answer_now(o, 1, PAGE, READ);
    lw_oracle_answer gone = {.kind = LW_ORACLE_NOT_PRESENT, .level = 2};
    change(o, entry_of(&m, 2), &m, 0);
    complete(o, 1, PAGE + 1, PAGE + 1);
    assert_true(accepts(o, first));
    complete(o, 2, 0, UINT64_MAX);
    assert_true(accepts(o, first));
    complete(o, 1, PAGE, PAGE + 1);
    assert_false(accepts(o, first));
    assert_true(accepts(o, gone));
    /* what is never invalidated may be seen late or never */
    change(o, entry_of(&m, 2), &m, (UINT64_C(4) << 12) | NODE);
    change(o, entry_of(&m, 1), &m, (0x11 << 12) | NODE);
    for (uint32_t i = 0; i < 10; i++) {
        complete(o, 1, PAGE + 1, PAGE + 1);
    }
    assert_true(accepts(o, first));
    lw_oracle_free(o);
}

/* One table, two PASIDs: what one of them has invalidated the other may still know. */
static void each_pasid_has_its_own_window(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    assert_true(lw_oracle_set_root(o, 2, true, 1, &err));
    const lw_oracle_answer old = lw_oracle_answer_now(o, 1, PAGE, READ);
    change(o, entry_of(&m, 1), &m, (0x11 << 12) | NODE);
    complete(o, 1, PAGE, PAGE);
    assert_false(accepts(o, old));
    assert_true(lw_oracle_request(o, 5, 2, PAGE, READ, &err));
    assert_true(answer_id(o, 5, old, &err));
    complete(o, 2, PAGE, PAGE);
    assert_true(lw_oracle_request(o, 5, 2, PAGE, READ, &err));
    assert_false(answer_id(o, 5, old, &err));
    lw_oracle_free(o);
}

/* A fault is nothing that anybody keeps: what refuses has stood in memory since the request. */
static void a_fault_is_not_older_than_its_request(void **state) {
    (void)state;
    const lw_oracle_answer faults[] = {{.kind = LW_ORACLE_NOT_PRESENT, .level = 1},
                                       {.kind = LW_ORACLE_PERMISSION, .level = 1}};
    static const uint64_t entries[] = {0, (UINT64_C(0xabcde) << 12) | 3}; /* no user */
    for (size_t i = 0; i < 2; i++) {
        image m;
        lw_error err = {0};
        good_tables(&m);
        lw_oracle *o = new_oracle(&m, 4);
        const lw_oracle_answer good = lw_oracle_answer_now(o, 1, PAGE, READ);
        const uint64_t before = *entry_of(&m, 1);
        *entry_of(&m, 1) = entries[i];
        assert_true(lw_oracle_request(o, 1, 1, PAGE, READ, &err));
        change(o, entry_of(&m, 1), &m, before);
        assert_true(answer_id(o, 1, faults[i], &err)); /* it stood there when it was accepted */
        assert_false(accepts(o, faults[i]));
        assert_true(accepts(o, good));
        lw_oracle_free(o);
    }
}

/* The way to what refuses may be older, within the window. */
static void the_way_to_a_fault_may_be_old(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    const lw_oracle_answer fault = {.kind = LW_ORACLE_NOT_PRESENT, .level = 1};
    change(o, entry_of(&m, 2), &m, 0);
    change(o, entry_of(&m, 1), &m, 0);
    assert_true(accepts(o, fault)); /* through the old node */
    complete(o, 1, 0, UINT64_MAX);
    assert_false(accepts(o, fault));
    assert_true(lw_oracle_request(o, 1, 1, PAGE, READ, &err));
    lw_oracle_free(o);
}

/* UNKNOWN_PASID is a fault too, and the answers of an old root go with its invalidation. */
static void roots_have_times(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    const lw_oracle_answer unknown = {.kind = LW_ORACLE_UNKNOWN_PASID};
    const lw_oracle_answer good = lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_true(accepts(o, good));
    assert_true(lw_oracle_set_root(o, 1, false, 0, &err));
    assert_true(accepts(o, good));
    assert_true(lw_oracle_request(o, 1, 1, PAGE, READ, &err));
    assert_true(lw_oracle_request(o, 2, 1, PAGE, READ, &err));
    complete(o, 1, 0, UINT64_MAX);
    assert_false(accepts(o, good));
    assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
    assert_true(answer_id(o, 1, unknown, &err)); /* accepted while there was none */
    assert_true(answer_id(o, 2, good, &err));
    assert_false(accepts(o, unknown));
    /* the frame of a cleared root was never one: nobody walks from there */
    assert_true(lw_oracle_set_root(o, 1, false, 3, &err));
    assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
    assert_false(accepts(o, (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = 4}));
    lw_oracle_free(o);
}

/* Bits that are cleared and told of are known to nobody, whichever page was told. */
static void lost_contiguity_is_forgotten(void **state) {
    (void)state;
    const uint64_t c_bits = UINT64_C(0xff) << 52;
    for (int told = 0; told < 2; told++) {
        image m;
        lw_error err = {0};
        good_tables(&m);
        lw_oracle_config config = {.levels = 4,
                                   .pa_width = 48,
                                   .ids = 8,
                                   .pasids = 4,
                                   .read64 = read64,
                                   .ctx = &m,
                                   .subregions = true};
        lw_oracle *o = lw_oracle_new(&config, &err);
        assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
        const uint64_t head = PAGE & ~UINT64_C(63);
        uint64_t *head_entry = entry_of(&m, 1) - (PAGE - head);
        *entry_of(&m, 2) |= c_bits;
        *head_entry = (UINT64_C(0x50000) << 12) | NODE;
        lw_oracle_answer by_head = lw_oracle_answer_now(o, 1, PAGE, READ);
        assert_int_equal(by_head.pfn, 0x50000 + PAGE - head);
        change(o, entry_of(&m, 2), &m, *entry_of(&m, 2) & ~c_bits);
        complete(o, 1, head, head);
        assert_true(accepts(o, by_head));
        if (told != 0) {
            lw_oracle_contiguity_gone(o, (uint64_t)((char *)entry_of(&m, 2) - (char *)m.words));
        }
        assert_int_equal(accepts(o, by_head), told == 0);
        change(o, head_entry, &m, (UINT64_C(0x60000) << 12) | NODE);
        by_head.pfn += 0x10000;
        assert_int_equal(accepts(o, by_head), told == 0);
        lw_oracle_free(o);
    }
}

static void windows(void **state) {
    (void)state;
    lw_windows *w = lw_windows_new(4, 0xfff);
    assert_int_equal(lw_windows_since(w, 1, 7), 0);
    assert_true(lw_windows_complete(w, 1, 5, 9, 10));
    assert_true(lw_windows_complete(w, 1, 7, 7, 20));
    assert_true(lw_windows_complete(w, 1, 9, 5, 25)); /* empty */
    assert_int_equal(lw_windows_since(w, 1, 6), 10);
    assert_int_equal(lw_windows_since(w, 1, 7), 20);
    assert_int_equal(lw_windows_since(w, 2, 7), 0);
    assert_true(lw_windows_complete(w, LW_WINDOWS_EVERY_PASID, 6, 6, 30));
    assert_int_equal(lw_windows_since(w, 3, 6), 30);
    assert_true(lw_windows_complete(w, 1, 0, 0xfff, 40));
    assert_int_equal(lw_windows_since(w, 1, 7), 40);
    assert_int_equal(lw_windows_floor(w), 0);
    assert_true(lw_windows_complete(w, 1, 0, 5, 45));
    assert_int_equal(lw_windows_since(w, 1, 5), 45);
    assert_true(lw_windows_complete(w, LW_WINDOWS_EVERY_PASID, 0, UINT64_MAX, 50));
    assert_int_equal(lw_windows_floor(w), 50);
    assert_int_equal(lw_windows_since(w, 1, 5), 50);
    for (uint32_t pasid = 0; pasid < 4; pasid++) { /* the floor is that of the last of them */
        assert_int_equal(lw_windows_floor(w), 50);
        assert_true(lw_windows_complete(w, pasid, 0, 0xfff, 60 + pasid));
    }
    assert_int_equal(lw_windows_floor(w), 60);
    assert_int_equal(lw_windows_since(w, 3, 5), 63);
    assert_int_equal(lw_windows_since(w, 9, 5), 0); /* a PASID beyond has no root to change */
    lw_windows_free(w);
}

static void old_values_have_ends(void **state) {
    (void)state;
    lw_change_log *l = lw_change_log_new();
    lw_flat_old old = {0, 0};
    lw_root root = {false, 0};
    uint64_t until = 0;
    assert_int_equal(lw_change_log_newest(l), 0);
    assert_true(lw_change_log_entry(l, 64, 7, 10));
    assert_true(lw_change_log_entry(l, 64, 8, 11));
    assert_true(lw_change_log_entry(l, 64, 7, 12)); /* again: the later end counts */
    assert_true(lw_change_log_root(l, 1, (lw_root){true, 5}, 13));
    assert_int_equal(lw_change_log_newest(l), 13);
    lw_change_log_forget(l, 12);
    assert_int_equal(lw_change_log_newest(l), 13); /* an entry and a root are left */
    assert_true(lw_change_log_old_entry(l, 64, 0, &old));
    assert_int_equal(old.value, 7);
    assert_int_equal(old.until, 12);
    assert_false(lw_change_log_old_entry(l, 64, 1, &old));
    assert_false(lw_change_log_old_entry(l, 72, 0, &old));
    lw_change_log_forget_bits(l, 64, 6, 1, 13);
    assert_false(lw_change_log_old_entry(l, 64, 0, &old));
    assert_true(lw_change_log_old_root(l, 1, 0, &root, &until));
    assert_true(root.valid && root.frame == 5 && until == 13);
    lw_change_log_forget(l, 14);
    assert_false(lw_change_log_old_root(l, 1, 0, &root, &until));
    lw_change_log_free(l);
}

static void assert_old_entry(const lw_change_log *l, uint64_t pa, uint64_t value, uint64_t until) {
    lw_flat_old old = {0, 0};
    size_t n = 0;
    while (lw_change_log_old_entry(l, pa, n, &old) && old.value != value) {
        n++;
    }
    assert_true(old.value == value && old.until == until);
    while (lw_change_log_old_entry(l, pa, ++n, &old)) {
        assert_true(old.value != value);
    }
}

static void assert_old_root(const lw_change_log *l, uint32_t pasid, lw_root root, uint64_t until) {
    lw_root old = {false, 0};
    uint64_t end = 0;
    uint32_t found = 0;
    for (size_t n = 0; lw_change_log_old_root(l, pasid, n, &old, &end); n++) {
        if (old.valid == root.valid && old.frame == root.frame) {
            assert_int_equal(end, until);
            found++;
        }
    }
    assert_int_equal(found, 1);
}

/* An old value is kept once, with the later end; the same value of another entry, and the same root
 * of another PASID, are others. */
static void each_value_is_kept_once(void **state) {
    (void)state;
    lw_change_log *l = lw_change_log_new();
    static const struct {
        uint64_t pa, value;
    } entries[] = {{64, 7}, {72, 7}, {64, 8}, {72, 7}, {64, 7}};
    for (size_t i = 0; i < 5; i++) {
        assert_true(lw_change_log_entry(l, entries[i].pa, entries[i].value, 10 + i));
    }
    assert_old_entry(l, 64, 7, 14);
    assert_old_entry(l, 64, 8, 12);
    assert_old_entry(l, 72, 7, 13);
    static const struct {
        uint32_t pasid;
        lw_root root;
    } roots[] = {{1, {true, 5}},  {2, {true, 5}}, {1, {true, 6}},
                 {1, {false, 5}}, {1, {true, 6}}, {1, {true, 5}}};
    for (size_t i = 0; i < 6; i++) {
        assert_true(lw_change_log_root(l, roots[i].pasid, roots[i].root, 20 + i));
    }
    assert_old_root(l, 1, (lw_root){true, 5}, 25);
    assert_old_root(l, 1, (lw_root){true, 6}, 24);
    assert_old_root(l, 1, (lw_root){false, 5}, 23);
    assert_old_root(l, 2, (lw_root){true, 5}, 21);
    /* what had ended before goes, of whomever, and the rest stays */
    lw_change_log_forget(l, 24);
    assert_old_root(l, 1, (lw_root){true, 5}, 25);
    assert_old_root(l, 1, (lw_root){true, 6}, 24);
    lw_root old = {false, 0};
    lw_flat_old entry = {0, 0};
    uint64_t end = 0;
    assert_false(lw_change_log_old_root(l, 1, 2, &old, &end));
    assert_false(lw_change_log_old_root(l, 2, 0, &old, &end));
    assert_false(lw_change_log_old_entry(l, 64, 0, &entry));
    lw_change_log_free(l);
}

/* Only the values of this entry that have a bit which it lost, and only those from before. */
static void bits_are_forgotten_of_one_entry(void **state) {
    (void)state;
    static const struct {
        uint64_t pa, value;
        bool kept;
    } rows[] = {{64, 1, true},  {64, 3, true}, {64, 7, false}, {72, 7, true},
                {64, 5, false}, {64, 8, true}, {64, 6, true}};
    lw_change_log *l = lw_change_log_new();
    for (size_t i = 0; i < 7; i++) {
        assert_true(lw_change_log_entry(l, rows[i].pa, rows[i].value, 10 + i));
    }
    lw_change_log_forget_bits(l, 64, 6, 2, 16);
    for (size_t i = 0; i < 7; i++) {
        lw_flat_old old = {0, 0};
        bool there = false;
        for (size_t n = 0; lw_change_log_old_entry(l, rows[i].pa, n, &old); n++) {
            there = there || old.value == rows[i].value;
        }
        assert_int_equal(there, rows[i].kept);
    }
    lw_change_log_free(l);
}

enum { ENDED = 10 };

/* Each word of level 1 led one frame further, and was not present, until time 10. */
static bool old_word(void *ctx, uint64_t pa, size_t n, lw_flat_old *old) {
    const uint64_t now = read64(ctx, pa);
    *old = (lw_flat_old){n == 0 ? now + (1 << 12) : now & ~UINT64_C(1), ENDED};
    return n < 2 && pa >> 12 == 4;
}

/* A word that changed at time 10 counts for whoever can have read it before: a translation from
 * `since` on, a fault from `asked` on. */
static void a_walk_uses_old_words_to_their_end(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    const lw_flat_image flat = {read64, old_word, NULL, &m};
    lw_flat_walk_query q = {
        .levels = 4, .pa_width = 48, .has_root = true, .root = 1, .page_number = PAGE};
    const lw_oracle_answer now = lw_flat_walk(&flat, &q);
    const lw_oracle_answer fault = {.kind = LW_ORACLE_NOT_PRESENT, .level = 1};
    lw_oracle_answer old = now, never = now;
    old.pfn++;
    never.pfn += 2;
    for (uint64_t since = ENDED - 1; since <= ENDED + 1; since++) {
        for (uint64_t asked = since; asked <= ENDED + 1; asked++) {
            q.since = since;
            q.asked = asked;
            assert_int_equal(lw_flat_walk_may(&flat, &q, &old), since <= ENDED);
            assert_int_equal(lw_flat_walk_may(&flat, &q, &fault), asked <= ENDED);
            assert_true(lw_flat_walk_may(&flat, &q, &now));
            assert_false(lw_flat_walk_may(&flat, &q, &never));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_is_a_page_s_own),
        cmocka_unit_test(each_pasid_has_its_own_window),
        cmocka_unit_test(a_fault_is_not_older_than_its_request),
        cmocka_unit_test(the_way_to_a_fault_may_be_old),
        cmocka_unit_test(roots_have_times),
        cmocka_unit_test(lost_contiguity_is_forgotten),
        cmocka_unit_test(windows),
        cmocka_unit_test(old_values_have_ends),
        cmocka_unit_test(each_value_is_kept_once),
        cmocka_unit_test(bits_are_forgotten_of_one_entry),
        cmocka_unit_test(a_walk_uses_old_words_to_their_end),
    };
    return cmocka_run_group_tests_name("oracle_times", tests, NULL, NULL);
}
