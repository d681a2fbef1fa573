/* Chapter 13's table: each parameter at the ends of its range and past them, and what several of
 * them exclude together. */
#include "c_model/base/params.h"
#include "tests/unit/c_model/hashed_bench.h"

static bool within(uint32_t v, uint32_t from, uint32_t to) {
    return v >= from && v <= to;
}

static bool power(uint32_t v, uint32_t from, uint32_t to) {
    for (uint32_t p = from; p <= to; p *= 2) {
        if (v == p) {
            return true;
        }
    }
    return false;
}

static bool is_flag(uint32_t v) {
    return v == 0 || v == 1;
}

/* Entries of a TLB or an MSC, and its ways. */
static bool sets(uint32_t entries, uint32_t ways) {
    return power(ways, 2, 16) && entries % ways == 0 && power(entries / ways, 1, 256);
}

static bool flags_are_legal(const lw_params *p) {
    return is_flag(p->subregions) && is_flag(p->par_lookup) && is_flag(p->head_first) &&
           is_flag(p->coalesce) && is_flag(p->second_lookup) && is_flag(p->pages_64k);
}

static bool sizes_are_legal(const lw_params *p) {
    return within(p->levels, 4, 5) && within(p->pa_width, 32, 52) && power(p->pasids, 2, 256) &&
           within(p->id_w, 1, 16) && within(p->src_w, 1, 16) && within(p->tlb_latency, 1, 8) &&
           within(p->tlb_bimodal, 0, 8) && within(p->check_queue, 1, 16) &&
           within(p->hit_queue, 1, 64) && within(p->walk_queue, 1, 64) &&
           within(p->miss_queue, 1, 64) && power(p->buffer_entries, 4, 512) &&
           power(p->lines, 4, 64) && within(p->walkers, 1, 32) &&
           sets(p->tlb_entries, p->tlb_ways) && within(p->tlb_partition, 0, p->tlb_ways) &&
           sets(p->msc_entries, p->msc_ways);
}

static bool cache_is_legal(const lw_params *p) {
    const bool by_address = p->pwc_org == LW_PWC_BY_ADDRESS, steps = p->pwc_org == LW_PWC_OF_STEPS;
    return within(p->pwc_org, 0, 2) && power(p->pwc_entries, 2, by_address ? 1024 : 64) &&
           power(p->pwc_ways, 2, 16) && (!by_address || p->pwc_ways <= p->pwc_entries) &&
           within(p->pwc_latency, steps ? 4 : 1, 8);
}

/* The column "legal". */
static bool is_legal(const lw_params *p) {
    const bool steps = p->pwc_org == LW_PWC_OF_STEPS;
    if (!flags_are_legal(p) || !sizes_are_legal(p) || !cache_is_legal(p) ||
        !within(p->colt, 0, 2)) {
        return false;
    }
    if (p->head_first == 1 && (p->subregions == 0 || p->coalesce == 1 || p->colt != 0)) {
        return false;
    }
    if (p->pages_64k == 1 && (p->subregions == 1 || p->colt != 0)) {
        return false;
    }
    if ((p->colt == 2 && p->subregions == 1) || (steps && (p->head_first == 1 || p->colt != 0))) {
        return false;
    }
    return p->slot_pages == 512 ||
           (p->slot_pages == 8 && steps && p->levels == 4 && p->subregions == 0);
}

/* What is refused is so in one sentence, which begins with the name of a parameter, that of the
 * error too, and its value, and says what is legal. */
static void assert_sentence(const lw_error *err) {
    const size_t name = strspn(err->text, "abcdefghijklmnopqrstuvwxyz_0123456789");
    assert_true(name > 0 && strlen(err->key) == name && strncmp(err->text, err->key, name) == 0);
    assert_true(strncmp(err->text + name, " is ", 4) == 0);
    assert_true(strspn(err->text + name + 4, "0123456789") > 0);
    assert_non_null(strstr(err->text, ", legal is "));
}

static void check(const lw_params *p) {
    lw_error err = {0};
    const bool legal = is_legal(p);
    if (lw_params_check(p, &err) != legal) {
        print_error("%s\n", err.text);
        fail();
    }
    if (legal) {
        assert_string_equal(err.text, "");
    } else {
        assert_sentence(&err);
    }
}

/* All up to 70, and those about each power of two. */
static void check_each(const lw_params *base) {
    assert_true(is_legal(base));
    for (size_t at = 0; at < sizeof *base; at += sizeof(uint32_t)) {
        lw_params p = *base;
        uint32_t *field = (uint32_t *)((char *)&p + at);
        for (uint32_t v = 0; v <= 70; v++) {
            *field = v;
            check(&p);
        }
        for (uint32_t of = 64; of <= 8192; of *= 2) {
            for (uint32_t v = of - 1; v <= of + of / 2; v += v == of + 1 ? of / 2 - 1 : 1) {
                *field = v;
                check(&p);
            }
        }
    }
}

static void test_each(void **state) {
    (void)state;
    lw_params steps = hashed_hw, lines = hashed_hw, address = bench_nha, mesc = bench_nha;
    check_each(&bench_nha);
    address.pwc_org = LW_PWC_BY_ADDRESS;
    check_each(&address);
    steps.subregions = 1;
    check_each(&steps);
    lines.slot_pages = 8;
    check_each(&lines);
    mesc.subregions = 1;
    mesc.coalesce = 0;
    mesc.tlb_ways = mesc.msc_ways = 8;
    check_each(&mesc);
    mesc.head_first = 1;
    check_each(&mesc);
    lw_params small = bench_nha, large = bench_nha;
    small.tlb_ways = small.msc_ways = 2;
    small.tlb_partition = 2;
    check_each(&small);
    large.msc_ways = 16;
    large.msc_entries = large.tlb_entries = 4096;
    check_each(&large);
}

/* What needs something else, in all combinations. */
static void test_together(void **state) {
    (void)state;
    for (uint32_t n = 0; n < 4 * 4 * 3 * 3 * 64; n++) {
        lw_params p = bench_nha;
        uint32_t rest = n / 64;
        p.levels = 4 + (n & 1);
        p.subregions = n >> 1 & 1;
        p.head_first = n >> 2 & 1;
        p.coalesce = n >> 3 & 1;
        p.pages_64k = n >> 4 & 1;
        p.slot_pages = (n >> 5 & 1) != 0 ? 8 : 512;
        p.colt = rest % 3;
        p.pwc_org = rest / 3 % 3;
        p.pwc_latency = 2 + rest / 9 % 4;
        p.pwc_entries = 4u << 2 * (rest / 36 % 4);
        check(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each),
                                       cmocka_unit_test(test_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
