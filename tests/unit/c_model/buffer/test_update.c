/* What an update makes of each entry (R4.5, R4.6, R9.3 to R9.9, R9.13, R9.15): CL, PL, DONE and
 * ALONE of every entry in each cycle of random streams with faults and errors, from what stands in
 * the registers at the cycle's beginning. */
#include "tests/unit/c_model/iommu_bench.h"

enum { LEAF = 1, FULL = 2, SCAN = 1, SLOTS = 32, LINE_PTES = 8, LINES = 4 };

typedef struct entry {
    bool valid, done, stale, alone;
    uint64_t access, cl, pl, line;
    uint32_t position;
    bool near, near_claim;
} entry;

/* The operation in update, and the line store beside it. */
typedef struct operation {
    bool scan, error, failed, claim, open;
    uint64_t op, level, perm, claim_level, claim_perm, tail;
} operation;

typedef struct seen {
    uint64_t answered, told, freed, claimed, lost;
    uint64_t fault, error; /* who walks alone from now on */
    uint64_t kept_out;     /* freed by a line that was not kept (R9.14), and was no fault */
    uint64_t passed_over, alone_told;
    uint64_t read_only; /* claimed or told for a read where PERM grants no write */
} seen;

static entry look(const bench *b, uint32_t slot) {
    return (entry){.valid = bench_peek(b, LW_F_BUFFER_VALID, slot) != 0,
                   .done = bench_peek(b, LW_F_BUFFER_DONE, slot) != 0,
                   .stale = bench_peek(b, LW_F_BUFFER_STALE, slot) != 0,
                   .alone = bench_peek(b, LW_F_BUFFER_ALONE, slot) != 0,
                   .access = bench_peek(b, LW_F_BUFFER_ACCESS, slot),
                   .cl = bench_peek(b, LW_F_BUFFER_CL, slot),
                   .pl = bench_peek(b, LW_F_BUFFER_PL, slot),
                   .line = bench_peek(b, LW_F_BUFFER_LINE, slot),
                   .position = (uint32_t)bench_peek(b, LW_F_BUFFER_NEAR_POSITION, slot) % LINE_PTES,
                   .near = bench_peek(b, LW_F_BUFFER_NEAR_LEVEL, slot) != 0,
                   .near_claim = bench_peek(b, LW_F_BUFFER_NEAR_CLAIM, slot) != 0};
}

static operation update_of(const bench *b) {
    const uint64_t op = bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0);
    return (operation){.scan = op == SCAN,
                       .error = bench_peek(b, LW_F_UPDATE_UPDATE_ERROR, 0) != 0,
                       .failed = bench_peek(b, LW_F_UPDATE_UPDATE_FAILED, 0) != 0,
                       .claim = op != 0 && bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM, 0) != 0,
                       .open = bench_peek(b, LW_F_STORE_CONTROL_STORE_OPEN, 0) != 0,
                       .op = op,
                       .level = bench_peek(b, LW_F_UPDATE_UPDATE_LEVEL, 0),
                       .perm = bench_peek(b, LW_F_UPDATE_UPDATE_PERM, 0),
                       .claim_level = bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM_LEVEL, 0),
                       .claim_perm = bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM_PERM, 0),
                       .tail = bench_peek(b, LW_F_STORE_CONTROL_STORE_TAIL, 0)};
}

static bool takes_part(uint32_t mode, uint64_t level) {
    return mode == FULL || (mode == LEAF && level == 1);
}

static bool is_granted(uint64_t perm, uint64_t access) {
    return access >= 2 ? (perm & 2) != 0 : access == 0 || (perm & 1) != 0;
}

/* R1.6 on its own PTE, with its own access. */
static bool is_fault(const bench *b, const entry *e) {
    return bench_peek(b, LW_F_UPDATE_LINE_UPDATE_KIND, e->position) != LW_OK ||
           bench_peek(b, LW_F_UPDATE_LINE_UPDATE_USER, e->position) == 0 ||
           !is_granted(bench_peek(b, LW_F_UPDATE_LINE_UPDATE_PTE_PERM, e->position), e->access);
}

static bool is_above(uint64_t value, uint64_t level) {
    return value == 0 || value > level;
}

/* R9.4, R9.5 */
static bool learns(const bench *b, uint32_t mode, const operation *o, const entry *e) {
    return o->scan && !o->error && o->open && takes_part(mode, o->level) && e->near && !e->done &&
           !e->stale && is_above(e->pl, o->level) && is_granted(o->perm, e->access) &&
           !is_fault(b, e);
}

/* R9.15, of one that is freed by a scan. */
static bool fails(const bench *b, const operation *o, const entry *e, seen *s) {
    if (o->error) {
        s->error += o->failed;
        return o->failed;
    }
    const bool fault = is_fault(b, e) || !is_granted(o->perm, e->access);
    s->fault += fault;
    s->kept_out += !fault && !o->open;
    return fault;
}

/* The entry as the update leaves it. */
static entry expected(const bench *b, uint32_t mode, const operation *o, const entry *was,
                      seen *s) {
    entry e = *was;
    const bool learnt = learns(b, mode, o, was);
    const bool frees = o->op != 0 && o->level != 0 && was->near && was->cl == o->level;
    if (frees) { /* R9.3 */
        e.cl = 0;
        e.alone = (o->scan && fails(b, o, was, s)) || was->alone;
        s->freed++;
    }
    if (learnt && bench_peek(b, LW_F_UPDATE_LINE_UPDATE_LEAF, was->position) != 0) { /* R9.6 */
        e.done = true;
        e.cl = 0;
        s->answered++;
    } else if (learnt) { /* R9.7 */
        e.pl = o->level;
        e.cl = was->cl >= o->level ? 0 : e.cl;
        s->told++;
    } else if (was->pl != 0 && !was->done && was->line == (o->tail + 1) % LINES) { /* R9.13 */
        e.pl = 0;
        s->lost++;
    }
    s->alone_told += learnt && was->alone;
    const bool may = o->claim && takes_part(mode, o->claim_level) && was->near_claim && !e.done &&
                     !was->stale && is_above(was->pl, o->claim_level) &&
                     is_above(e.cl, o->claim_level) && is_granted(o->claim_perm, was->access);
    s->passed_over += may && was->alone;
    if (may && !was->alone) { /* R4.5 */
        e.cl = o->claim_level;
        s->claimed++;
    }
    s->read_only +=
        was->access == 0 && ((may && (o->claim_perm & 1) == 0) || (learnt && (o->perm & 1) == 0));
    return e;
}

static void watched_cycle(bench *b, uint32_t mode, seen *s) {
    entry before[SLOTS], wanted[SLOTS];
    const operation o = update_of(b);
    const uint64_t tail = bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
    const bool inserts =
        bench_peek(b, LW_F_MISS_MISS_VALID, 0) != 0 && bench_peek(b, LW_F_BUFFER_RING_OPEN, 0) != 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        before[slot] = look(b, slot);
        wanted[slot] = before[slot].valid ? expected(b, mode, &o, &before[slot], s) : before[slot];
    }
    bench_random_cycle(b, true);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const entry now = look(b, slot);
        if (inserts && slot == tail) { /* R4.2 */
            assert_true(now.valid && !now.done && !now.alone && now.pl == 0);
        } else if (now.valid) {
            assert_int_equal(now.cl, wanted[slot].cl);
            assert_int_equal(now.pl, wanted[slot].pl);
            assert_int_equal(now.done, wanted[slot].done);
            assert_int_equal(now.alone, wanted[slot].alone);
        }
    }
}

/* NEAR_LEVEL and NEAR_CLAIM are kept for who watches. */
static void watch(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 24, CYCLES = 5000, ENOUGH = 20 };
    seen s = {.answered = 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        const uint32_t mode = seed % 6 == 0 ? 0 : seed % 3 == 0 ? LEAF : FULL;
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS;
        hw.lines = LINES; /* so few that the store is closed now and then (R9.14) */
        hw.walkers = 2 + seed % 5;
        hw.walk_queue = 1 + seed % 4;
        hw.tlb_entries = hw.tlb_ways; /* so that most requests miss */
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, watch, NULL);
        bench_pool(&b, 60, 2, 20);
        bench_pool_runs(&b, 12, 2);
        b.any_kind = seed % 4 == 3;
        b.errors = seed % 4 == 3 ? 5 : 0;
        b.latency = 3;
        b.jitter = 6;
        b.response_not_ready = 20 * (seed % 3);
        bench_enable(&b, mode, seed % 5 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            watched_cycle(&b, mode, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    const struct {
        const char *what;
        uint64_t count;
    } counts[] = {{"answered", s.answered},
                  {"told", s.told},
                  {"freed", s.freed},
                  {"claimed", s.claimed},
                  {"lost", s.lost},
                  {"fault", s.fault},
                  {"error", s.error},
                  {"kept out", s.kept_out},
                  {"passed over", s.passed_over},
                  {"alone and told", s.alone_told},
                  {"read only", s.read_only}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].count < ENOUGH) {
            fail_msg("%s: %u", counts[i].what, (unsigned)counts[i].count);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
