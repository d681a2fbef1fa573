/* What the OS agent tells the oracle is what it puts on the ports: what an invalidation of its own
 * accord covers, which root a PASID has, and which frames are tables no more. */
#include "tests/unit/sim/os/space_walk.h"

#include "c_model/base/ports.h"
#include "common/rng.h"
#include "sim/os/os_agent.h"
#include "sim/tables/contiguity_bits.h"

/* At the very end of the addresses, and somewhere. */
static const lw_array arrays[] = {
    {"last", UINT64_C(0xffffffffffff8000), 8 << 12},
    {"some", UINT64_C(0x10000000), 8 << 12},
};

enum { PROCESSES = 2, PAGES = 16 };
#define MASK ((UINT64_C(1) << 36) - 1)

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    lw_rng rng;
    lw_inputs in; /* of the last cycle */
} bench;

static uint64_t page_at(uint64_t n) {
    return n < 8 ? (arrays[0].base >> 12) + n : (arrays[1].base >> 12) + n - 8;
}

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    lw_oracle_entry_changes(ctx, pa, old_value);
}

static void begin_with(bench *b, lw_system rates, const lw_array *list, size_t count) {
    lw_error err = {0};
    *b = (bench){.system = rates};
    lw_rng_seed(&b->rng, 1);
    b->spaces = lw_address_spaces_new(&b->system, 1 << 12, 1, &err);
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = b->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = b->spaces,
                                     .subregions = rates.hw.subregions != 0};
    b->oracle = lw_oracle_new(&config, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(b->spaces, list, count, &err));
        assert_true(lw_oracle_set_root(
            b->oracle, p, true, lw_page_table_root(lw_address_spaces_table(b->spaces, p)), &err));
    }
    lw_phys_mem_watch(lw_address_spaces_memory(b->spaces), entry_changes, b->oracle);
    b->agent = lw_os_agent_new(&b->system, b->spaces, b->oracle, 1, &err);
    assert_non_null(b->agent);
}

static void begin(bench *b, lw_system rates) {
    begin_with(b, rates, arrays, COUNT(arrays));
}

static void end(bench *b) {
    lw_phys_mem_watch(lw_address_spaces_memory(b->spaces), NULL, NULL);
    lw_os_agent_free(b->agent);
    lw_oracle_free(b->oracle);
    lw_address_spaces_free(b->spaces);
}

/* An invalidation is taken at once, and takes some cycles. */
static void cycle(bench *b) {
    lw_error err = {0};
    memset(&b->in, 0, sizeof b->in);
    lw_os_agent_drive(b->agent, &b->in);
    const bool done = lw_os_agent_waits(b->agent) && lw_rng_percent(&b->rng, 30);
    assert_true(lw_os_agent_tick(b->agent, b->in.inv_valid, done, &err));
}

static bool accepts(bench *b, uint32_t pasid, uint64_t page, lw_oracle_answer answer) {
    assert_true(lw_oracle_request(b->oracle, 0, pasid, page, LW_READ, NULL));
    return lw_oracle_response(b->oracle, 0, &answer, NULL);
}

/* ---------------------------------------------------------------- invalidations */

static bool covers(const lw_inputs *in, uint32_t pasid, uint64_t vpn) {
    const bool pages[] = {[LW_INV_PAGE] = vpn == in->inv_first,
                          [LW_INV_RANGE] = vpn >= in->inv_first && vpn <= in->inv_last,
                          [LW_INV_PASID] = true,
                          [LW_INV_ALL] = true};
    return pages[in->inv_type] && (in->inv_type == LW_INV_ALL || in->inv_pasid == pasid);
}

/* A page's entry changes, and what it was may be seen until an invalidation covers the page. */
static void test_own_invalidations(void **state) {
    (void)state;
    bench b;
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    uint64_t types[4] = {0}, kept = 0, unknown = 0, empty = 0;
    rates.invalidations = 10000;
    begin(&b, rates);
    for (uint32_t i = 0; i < 3000; i++) {
        const uint32_t p = (uint32_t)lw_rng_below(&b.rng, PROCESSES);
        const uint64_t page = page_at(lw_rng_below(&b.rng, PAGES));
        const lw_oracle_answer before = lw_oracle_answer_now(b.oracle, p, page, LW_READ);
        const uint32_t flags = before.w ? LW_MAP_U : LW_MAP_U | LW_MAP_W | LW_MAP_X;
        assert_true(
            lw_page_table_protect(lw_address_spaces_table(b.spaces, p), page & MASK, flags, NULL));
        assert_true(accepts(&b, p, page, before));
        do { /* the agent draws in the first, and asks in the second */
            cycle(&b);
        } while (!b.in.inv_valid);
        const lw_inputs in = b.in;
        assert_true(in.inv_first <= MASK && in.inv_last <= MASK);
        assert_true(in.inv_last < in.inv_first || in.inv_last - in.inv_first < 1024);
        while (lw_os_agent_busy(b.agent)) {
            assert_true(accepts(&b, p, page, before)); /* not complete yet */
            cycle(&b);
        }
        const bool stays = accepts(&b, p, page, before);
        assert_int_equal(stays, !covers(&in, p, page & MASK));
        types[in.inv_type]++;
        kept += stays;
        unknown += in.inv_pasid >= rates.hw.pasids;
        empty += in.inv_last < in.inv_first;
        lw_oracle_invalidation_done(b.oracle); /* of everything, for the next */
    }
    for (uint32_t type = 0; type < 4; type++) {
        assert_true(types[type] > 600);
    }
    assert_true(kept > 600 && kept < 2400 && unknown > 50 && empty > 50);
    end(&b);
}

/* A burst is two invalidations or more, one after the other, of one type or of any; it is over when
 * the agent rests. */
static void test_bursts(void **state) {
    (void)state;
    enum { LENGTH = 10 };
    bench b;
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    uint64_t bursts = 0, all = 0, taken = 0, mixed = 0, longest = 0;
    uint32_t types = 0;
    rates.invalidation_bursts = 1000;
    rates.burst_length = LENGTH;
    begin(&b, rates);
    for (uint32_t i = 0; i < 20000 || lw_os_agent_busy(b.agent); i++) {
        cycle(&b);
        if (b.in.inv_valid) {
            taken++;
            all++;
            types |= 1u << b.in.inv_type;
        }
        if (taken != 0 && !lw_os_agent_busy(b.agent)) {
            assert_in_range(taken, 2, LENGTH + 1);
            mixed += (types & (types - 1)) != 0;
            longest = taken > longest ? taken : longest;
            bursts++;
            taken = types = 0;
        }
    }
    const lw_os_agent_counts counts = lw_os_agent_provoked(b.agent);
    assert_int_equal(counts.bursts, bursts);
    assert_int_equal(counts.burst_invalidations, all);
    assert_true(bursts > 50 && longest == LENGTH + 1);
    assert_in_range(mixed, bursts / 10, bursts / 3); /* one in five is of any type */
    end(&b);
}

/* ---------------------------------------------------------------- contiguity bits */

/* A head changes only once nobody knows any more that others are found through it: when the agent
 * rests, no page may be where its head's new frame would put it, but for those that are there. */
static void test_heads_are_let_go(void **state) {
    (void)state;
    static const lw_array frame = {"a frame", UINT64_C(0x10000000), 512 << 12};
    bench b;
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    uint64_t apart = 0;
    rates.hw.subregions = 1;
    rates.remaps = 5000;
    begin_with(&b, rates, &frame, 1);
    for (uint32_t i = 0; i < 60000; i++) {
        cycle(&b);
        if (lw_os_agent_busy(b.agent)) {
            continue;
        }
        const uint32_t p = i % PROCESSES;
        const uint64_t head = (frame.base >> 12) + UINT64_C(64) * lw_rng_below(&b.rng, 8);
        const lw_oracle_answer of_head = lw_oracle_answer_now(b.oracle, p, head, LW_READ);
        const lw_oracle_answer now = lw_oracle_answer_now(b.oracle, p, head + 1, LW_READ);
        lw_oracle_answer by_head = of_head;
        by_head.pfn++;
        if (of_head.kind == LW_ORACLE_OK && !lw_oracle_answer_equal(&by_head, &now)) {
            assert_false(accepts(&b, p, head + 1, by_head));
            apart++;
        }
        assert_true(accepts(&b, p, head + 1, now));
    }
    assert_true(apart > 100);
    end(&b);
}

/* ---------------------------------------------------------------- roots */

/* The port and the oracle get the same: a process's root, or none. */
static void test_roots(void **state) {
    (void)state;
    bench b;
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    uint64_t written = 0, cleared = 0;
    rates.root_changes = 5000;
    begin(&b, rates);
    for (uint32_t i = 0; i < 20000; i++) {
        cycle(&b);
        if (!b.in.ctl_write) {
            continue;
        }
        const uint32_t pasid = b.in.ctl_addr - LW_CTL_ROOT;
        const bool valid = b.in.ctl_wdata >> 63 != 0;
        bool is_root = false;
        for (uint32_t p = 0; p < PROCESSES; p++) {
            is_root = is_root || (b.in.ctl_wdata ^ UINT64_C(1) << 63) ==
                                     lw_page_table_root(lw_address_spaces_table(b.spaces, p));
        }
        assert_true(pasid < PROCESSES && (is_root || !valid));
        assert_int_equal(lw_oracle_answer_now(b.oracle, pasid, page_at(0), LW_READ).kind,
                         valid ? LW_ORACLE_OK : LW_ORACLE_UNKNOWN_PASID);
        written += valid;
        cleared += !valid;
    }
    assert_true(written > 50 && cleared > 30);
    end(&b);
}

/* ---------------------------------------------------------------- tables */

enum { NODES = PROCESSES * 2 * 3 };

/* The nodes below the roots, by process, array and level. */
static void find_nodes(bench *b, uint64_t nodes[NODES]) {
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t pa = 0;
        const lw_page_table *table = lw_address_spaces_table(b->spaces, i / 6);
        assert_true(lw_page_table_entry_address(table, page_at(i / 3 % 2 == 0 ? 0 : 8) & MASK,
                                                1 + i % 3, &pa, NULL));
        nodes[i] = pa >> 12;
    }
}

static bool is_empty(const bench *b, uint64_t frame) {
    uint64_t all = 0;
    for (uint64_t i = 0; i < 512; i++) {
        all |= lw_phys_mem_read64(lw_address_spaces_memory(b->spaces), frame << 12 | i << 3);
    }
    return all == 0;
}

/* A table that has moved is gone once what was owed for it is done, not before, with what lay in
 * it; what is a table, or is one again, is not. */
static void test_tables_are_gone(void **state) {
    (void)state;
    bench b;
    lw_system rates = make_system("random", LW_SIZE_4K, 4, 48);
    uint64_t nodes[NODES], moved = 0, now[NODES], last = 0, before_last = 0;
    rates.table_moves = 5000;
    begin(&b, rates);
    find_nodes(&b, nodes);
    for (uint32_t i = 0; i < 20000; i++) {
        cycle(&b);
        find_nodes(&b, now);
        for (uint32_t n = 0; n < NODES; n++) {
            assert_false(lw_os_agent_gone(b.agent, now[n]));
            if (now[n] != nodes[n]) {
                assert_int_equal(lw_os_agent_gone(b.agent, nodes[n]), !lw_os_agent_busy(b.agent));
                moved += !lw_os_agent_busy(b.agent);
                assert_true(lw_os_agent_busy(b.agent) || is_empty(&b, nodes[n]));
                before_last = lw_os_agent_busy(b.agent) ? before_last : last;
                last = lw_os_agent_busy(b.agent) ? last : nodes[n];
                uint64_t page = 0; /* takes what has come free, which else were a table again */
                assert_true(lw_os_agent_busy(b.agent) ||
                            lw_frame_alloc(lw_address_spaces_frames(b.spaces), &page, NULL));
            }
            nodes[n] = lw_os_agent_busy(b.agent) ? nodes[n] : now[n];
        }
        assert_false(lw_os_agent_gone(b.agent, 0));           /* never one */
        if (before_last != 0 && !lw_os_agent_busy(b.agent)) { /* who comes behind changes nothing */
            bool is_node = false;
            for (uint32_t p = 0; p < PROCESSES; p++) {
                is_node = is_node ||
                          lw_page_table_has_node(lw_address_spaces_table(b.spaces, p), before_last);
            }
            assert_int_equal(lw_os_agent_gone(b.agent, before_last), !is_node);
        }
        assert_false(lw_os_agent_gone(
            b.agent, lw_page_table_root(lw_address_spaces_table(b.spaces, i % PROCESSES))));
    }
    assert_true(moved > 70);
    end(&b);
}

/* A frame that was a table and is one again, of whichever process, is not gone, nor when it moves
 * away again, until what is owed for that is done. */
static void test_tables_again(void **state) {
    (void)state;
    bench b;
    lw_system rates = make_system("random", LW_SIZE_4K, 4, 48);
    uint64_t nodes[NODES], now[NODES], moved[32] = {0}, again[PROCESSES] = {0};
    size_t count = 0;
    rates.table_moves = 5000;
    begin(&b, rates);
    find_nodes(&b, nodes);
    for (uint32_t i = 0; i < 60000; i++) {
        cycle(&b);
        find_nodes(&b, now);
        for (uint32_t n = 0; n < NODES; n++) {
            if (now[n] != nodes[n]) {
                assert_false(lw_os_agent_gone(b.agent, nodes[n]));
                moved[count++ % 32] = nodes[n];
                for (size_t k = 0; k < 32; k++) {
                    again[n / 6] += moved[k] == now[n];
                }
            }
            assert_false(lw_os_agent_gone(b.agent, now[n]));
            nodes[n] = now[n];
        }
    }
    assert_true(again[0] > 0 && again[1] > 0);
    assert_int_equal(lw_os_agent_provoked(b.agent).table_moves, count);
    end(&b);
}

/* Where another table with other pages in it takes a frame's place, the level-2 entry says of those
 * which are contiguous. */
static void test_bits_of_tables(void **state) {
    (void)state;
    static const lw_array frame = {"a frame", UINT64_C(0x10000000), 512 << 12};
    bench b;
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    uint64_t seen[2] = {0}; /* all of it contiguous, and not */
    rates.hw.subregions = 1;
    rates.table_moves = 5000;
    begin_with(&b, rates, &frame, 1);
    lw_phys_mem *memory = lw_address_spaces_memory(b.spaces);
    for (uint32_t i = 0; i < 2000; i++) {
        cycle(&b);
        for (uint32_t p = 0; p < PROCESSES; p++) {
            const uint64_t vpn = frame.base >> 12;
            const lw_page_table *table = lw_address_spaces_table(b.spaces, p);
            uint64_t pa = 0;
            assert_true(lw_page_table_entry_address(table, vpn, 2, &pa, &err));
            const uint64_t bits = lw_phys_mem_read64(memory, pa) & (LW_PTE_C | LW_PTE_AC);
            const lw_node_contiguity found = lw_contiguity_find(table, memory, vpn);
            assert_int_equal((bits & LW_PTE_AC) != 0, found.joined == 0x7f);
            assert_int_equal(bits != 0, found.subregions != 0);
            seen[(bits & LW_PTE_AC) == 0]++;
        }
    }
    assert_true(seen[0] > 100 && seen[1] > 100);
    assert_true(lw_os_agent_provoked(b.agent).tables_replaced > 5);
    end(&b);
}

/* The seed says what it does: the same again, or something else. */
static void test_seeds(void **state) {
    (void)state;
    enum { SOME = 20 };
    static const uint64_t seeds[] = {1, 1, 2};
    uint64_t first[3][SOME];
    lw_system rates = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    rates.invalidations = 3000;
    for (size_t i = 0; i < 3; i++) {
        bench b;
        size_t n = 0;
        begin(&b, rates);
        lw_os_agent_free(b.agent);
        b.agent = lw_os_agent_new(&b.system, b.spaces, b.oracle, seeds[i], &err);
        while (n < SOME) {
            cycle(&b);
            if (b.in.inv_valid) {
                first[i][n++] = b.in.inv_first << 2 | b.in.inv_type;
            }
        }
        end(&b);
    }
    assert_memory_equal(first[0], first[1], sizeof first[0]);
    assert_memory_not_equal(first[0], first[2], sizeof first[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_invalidations), cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_heads_are_let_go),  cmocka_unit_test(test_roots),
        cmocka_unit_test(test_tables_are_gone),   cmocka_unit_test(test_tables_again),
        cmocka_unit_test(test_bits_of_tables),    cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
