/* A small memory image of its own for the oracle's tests: entries are plain numbers, nothing of the
 * memory side is used. The tables lie in frames 9 (L5), 1 (L4), 2 (L3), 3 (L2), 4 (L1). */
#ifndef LW_TESTS_UNIT_ORACLE_ORACLE_IMAGE_H
#define LW_TESTS_UNIT_ORACLE_ORACLE_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/oracle.h"

#include <string.h>

#define FRAMES 20
#define NO_LINE UINT64_MAX
/* P, RW, US; and with PS */
#define NODE 0x7u
#define LARGE 0x87u
#define NX (UINT64_C(1) << 63)
/* Indices L4 = 5, L3 = 6, L2 = 7, L1 = 8 */
#define PAGE ((UINT64_C(5) << 27) | (6 << 18) | (7 << 9) | 8)

enum { READ = 0, WRITE = 1, EXECUTE = 2, EXECUTE_TOO = 3 };

typedef struct image {
    uint64_t words[FRAMES][512];
    uint64_t failing_line;
    unsigned reads;
} image;

static inline uint64_t read64(void *ctx, uint64_t pa) {
    image *m = ctx;
    m->reads++;
    assert_true(pa % 8 == 0 && pa >> 12 < FRAMES);
    return m->words[pa >> 12][pa / 8 % 512];
}

static inline bool line_may_fail(void *ctx, uint64_t line) {
    return ((image *)ctx)->failing_line == line;
}

/* The entry of PAGE at each level, by level. */
static inline uint64_t *entry_of(image *m, uint32_t level) {
    static const struct {
        uint64_t frame, index;
    } at[] = {{0, 0}, {4, 8}, {3, 7}, {2, 6}, {1, 5}, {9, 0}};
    return &m->words[at[level].frame][at[level].index];
}

static inline void good_tables(image *m) {
    memset(m, 0, sizeof *m);
    m->failing_line = NO_LINE;
    *entry_of(m, 5) = (1 << 12) | NODE;
    *entry_of(m, 4) = (2 << 12) | NODE;
    *entry_of(m, 3) = (3 << 12) | NODE;
    *entry_of(m, 2) = (4 << 12) | NODE;
    *entry_of(m, 1) = (UINT64_C(0xabcde) << 12) | NODE;
}

static inline lw_oracle *new_oracle(image *m, uint32_t levels) {
    lw_oracle_config config = {.levels = levels,
                               .pa_width = 48,
                               .ids = 8,
                               .pasids = 4,
                               .read64 = read64,
                               .line_may_fail = line_may_fail,
                               .ctx = m,
                               .links = true};
    lw_error err = {0};
    lw_oracle *o = lw_oracle_new(&config, &err);
    assert_non_null(o);
    assert_true(lw_oracle_set_root(o, 1, true, levels == 4 ? 1 : 9, &err));
    return o;
}

static inline void assert_fault(lw_oracle_answer a, uint32_t kind, uint32_t level) {
    assert_int_equal(a.kind, kind);
    assert_int_equal(a.level, level);
    assert_true(a.pfn == 0 && a.size == 0 && !a.w && !a.x);
}

static inline bool answer_id(lw_oracle *o, uint32_t id, lw_oracle_answer a, lw_error *err) {
    err->text[0] = '\0';
    return lw_oracle_response(o, id, &a, err);
}

static inline void change(lw_oracle *o, uint64_t *word, image *m, uint64_t value) {
    lw_oracle_entry_changes(o, (uint64_t)((char *)word - (char *)m->words), *word);
    *word = value;
}

static inline bool accepts(lw_oracle *o, lw_oracle_answer a) {
    lw_error err = {0};
    assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
    return answer_id(o, 0, a, &err);
}

#endif
