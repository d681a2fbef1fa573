#include "oracle/flat_walk.h"

#include <assert.h>

#define ENTRY_PRESENT(e) (((e)&0x1) != 0)
#define ENTRY_WRITABLE(e) (((e)&0x2) != 0)
#define ENTRY_USER(e) (((e)&0x4) != 0)
#define ENTRY_IS_PAGE(e) (((e)&0x80) != 0)
#define ENTRY_NO_EXECUTE(e) (((e) >> 63) != 0)
#define ENTRY_ADDRESS(e) ((e)&UINT64_C(0x000ffffffffff000))
#define ENTRY_SIZE_HINT(e) ((e) >> 9 & 3)
#define ENTRY_FRAME_CONTIGUOUS(e) (((e) >> 60 & 1) != 0)
#define ENTRY_SUBREGION_CONTIGUOUS(e, i) (((e) >> (52 + (i)) & 1) != 0)

/* Where a walk stands: about to read the entry of `level` in the node `frame`, having found w, x.
 * At level 1 the entry of the first page of the 2^run_bits pages around the one asked for. */
typedef struct position {
    uint32_t level;
    uint64_t frame;
    bool w, x;
    uint32_t run_bits;
} position;

static uint64_t low_bits(uint64_t value, uint32_t bits) {
    return value & ((UINT64_C(1) << bits) - 1);
}

/* By the size hint of an entry of level 1: in how many low bits of the frame and the page number
 * must be equal, and the size of the page. */
static const struct { uint32_t bits, size; } hinted[] = {{0, 0}, {4, 3}, {9, 1}};
#define NO_HINT 3

/* The kind that an entry's size hint refuses the page with; only a page of 4 KiB can stand for
 * others (R20.5). */
static lw_oracle_kind hint_refusal(const lw_flat_walk_query *q, uint32_t run_bits, uint64_t entry) {
    const uint64_t hint = ENTRY_SIZE_HINT(entry);
    if (hint == NO_HINT || (hint != 0 && run_bits != 0)) {
        return LW_ORACLE_RESERVED;
    }
    const uint64_t differ = ENTRY_ADDRESS(entry) >> 12 ^ q->page_number;
    return low_bits(differ, hinted[hint].bits) != 0 ? LW_ORACLE_MISALIGNED : LW_ORACLE_OK;
}

/* The kind that an entry read at the position ends the walk with; LW_ORACLE_OK: it does not
 * refuse. */
static lw_oracle_kind refusal(const lw_flat_walk_query *q, const position *at, uint64_t entry) {
    const uint32_t level = at->level;
    if (!ENTRY_PRESENT(entry)) {
        return LW_ORACLE_NOT_PRESENT;
    }
    bool page_above_1g = level >= 4 && ENTRY_IS_PAGE(entry);
    if (page_above_1g || ENTRY_ADDRESS(entry) >> q->pa_width != 0) {
        return LW_ORACLE_RESERVED;
    }
    /* bit 12 of a large page's entry is PAT */
    bool large = ENTRY_IS_PAGE(entry) && level >= 2;
    if (large && low_bits(entry, 12 + 9 * (level - 1)) >> 13 != 0) {
        return LW_ORACLE_MISALIGNED;
    }
    if (level == 1 && q->size_hints && hint_refusal(q, at->run_bits, entry) != LW_ORACLE_OK) {
        return hint_refusal(q, at->run_bits, entry);
    }
    bool execute = (q->access & 2) != 0;
    bool write = !execute && (q->access & 1) != 0;
    if (!ENTRY_USER(entry) || (write && !ENTRY_WRITABLE(entry)) ||
        (execute && ENTRY_NO_EXECUTE(entry))) {
        return LW_ORACLE_PERMISSION;
    }
    return LW_ORACLE_OK;
}

static uint32_t size_of(const lw_flat_walk_query *q, uint32_t level, uint64_t entry) {
    return level == 1 && q->size_hints ? hinted[ENTRY_SIZE_HINT(entry)].size : level - 1;
}

/* One entry's step: true and the answer where the walk ends with it, else on to the next level. */
static bool walk_ends(const lw_flat_walk_query *q, position *at, uint64_t entry,
                      lw_oracle_answer *answer) {
    assert(at->level >= 1 && at->level <= 5);
    lw_oracle_kind kind = refusal(q, at, entry);
    if (kind != LW_ORACLE_OK) {
        *answer = (lw_oracle_answer){.kind = kind, .level = at->level};
        return true;
    }
    at->w = at->w && ENTRY_WRITABLE(entry);
    at->x = at->x && !ENTRY_NO_EXECUTE(entry);
    if (at->level == 1 && at->run_bits != 0) {
        uint64_t pfn = (ENTRY_ADDRESS(entry) >> 12) + low_bits(q->page_number, at->run_bits);
        *answer = (lw_oracle_answer){
            .kind = LW_ORACLE_OK, .pfn = low_bits(pfn, q->pa_width - 12), .w = at->w, .x = at->x};
        return true;
    }
    if (at->level == 1 || ENTRY_IS_PAGE(entry)) {
        uint32_t offset_bits = 9 * (at->level - 1);
        uint64_t first = ENTRY_ADDRESS(entry) >> (12 + offset_bits) << offset_bits;
        *answer = (lw_oracle_answer){.kind = LW_ORACLE_OK,
                                     .pfn = first | low_bits(q->page_number, offset_bits),
                                     .size = size_of(q, at->level, entry),
                                     .w = at->w,
                                     .x = at->x};
        return true;
    }
    if (at->level == 2 && q->subregions) {
        bool subregion = ENTRY_SUBREGION_CONTIGUOUS(entry, q->page_number >> 6 & 7);
        at->run_bits = ENTRY_FRAME_CONTIGUOUS(entry) ? 9 : subregion ? 6 : 0;
    }
    at->frame = ENTRY_ADDRESS(entry) >> 12;
    at->level--;
    return false;
}

static uint64_t entry_address(const lw_flat_walk_query *q, const position *at) {
    assert(at->level >= 1 && at->level <= 5);
    uint64_t index = low_bits(q->page_number >> (9 * (at->level - 1)), 9);
    if (at->level == 1) {
        index = index >> at->run_bits << at->run_bits;
        if (q->head_first && (index >> 3 & 7) == 0) {
            index = (index & 7) << 6 | index >> 6;
        }
    }
    return (at->frame << 12) + 8 * index;
}

bool lw_flat_walk_unread(const lw_flat_walk_query *q, lw_oracle_answer *answer) {
    /* bits 51 down to the top bit of the VPN, that one included, must be equal */
    uint32_t top_bit = 9 * q->levels - 1;
    uint64_t sign = q->page_number >> top_bit;
    uint64_t all_ones = (UINT64_C(1) << (52 - top_bit)) - 1;
    if (sign != 0 && sign != all_ones) {
        *answer = (lw_oracle_answer){.kind = LW_ORACLE_NONCANONICAL};
        return true;
    }
    if (!q->has_root) {
        *answer = (lw_oracle_answer){.kind = LW_ORACLE_UNKNOWN_PASID};
        return true;
    }
    return false;
}

static position root_position(const lw_flat_walk_query *q) {
    return (position){.level = q->levels, .frame = q->root, .w = true, .x = true};
}

static lw_oracle_answer walk_on(const lw_flat_image *image, const lw_flat_walk_query *q,
                                position at) {
    lw_oracle_answer answer;
    while (!walk_ends(q, &at, image->read64(image->ctx, entry_address(q, &at)), &answer)) {
    }
    return answer;
}

static position leaf_position(uint64_t frame, uint32_t run_bits) {
    return (position){.level = 1, .frame = frame, .w = true, .x = true, .run_bits = run_bits};
}

uint64_t lw_flat_leaf_address(const lw_flat_walk_query *query, uint64_t frame, uint32_t run_bits) {
    const position at = leaf_position(frame, run_bits);
    return entry_address(query, &at);
}

lw_oracle_answer lw_flat_leaf_answer(const lw_flat_walk_query *query, uint64_t entry,
                                     uint32_t run_bits) {
    lw_oracle_answer answer;
    position at = leaf_position(0, run_bits);
    const bool ends = walk_ends(query, &at, entry, &answer);
    assert(ends);
    (void)ends;
    return answer;
}

lw_oracle_answer lw_flat_walk(const lw_flat_image *image, const lw_flat_walk_query *query) {
    lw_oracle_answer answer;
    return lw_flat_walk_unread(query, &answer) ? answer
                                               : walk_on(image, query, root_position(query));
}

static bool may_from(const lw_flat_image *image, const lw_flat_walk_query *q, position at,
                     const lw_oracle_answer *wanted);

static bool matches(const lw_flat_walk_query *q, const lw_oracle_answer *answer,
                    const lw_oracle_answer *wanted) {
    lw_oracle_answer alike = *answer;
    if (q->beside) {
        alike.level = wanted->level;
        alike.size = wanted->size;
    }
    return lw_oracle_answer_equal(&alike, wanted);
}

/* With this value of the entry, which it had until `until`. */
static bool may_with(const lw_flat_image *image, const lw_flat_walk_query *q, position at,
                     lw_flat_old entry, const lw_oracle_answer *wanted) {
    lw_oracle_answer answer;
    if (entry.until < q->since) {
        return false;
    }
    if (!walk_ends(q, &at, entry.value, &answer)) {
        return may_from(image, q, at, wanted);
    }
    const bool kept = answer.kind == LW_ORACLE_OK; /* only such an answer may be kept anywhere */
    return (kept || entry.until >= q->asked) && matches(q, &answer, wanted);
}

/* Tries every value the entry may have had; depth at most the number of levels. Of an error it asks
 * for every line whose read may have failed. */
static bool may_from(const lw_flat_image *image, const lw_flat_walk_query *q, position at,
                     const lw_oracle_answer *wanted) {
    const uint64_t pa = entry_address(q, &at);
    const bool error = wanted->kind == LW_ORACLE_MEMORY_ERROR;
    bool may = error && wanted->level == at.level && image->line_may_fail != NULL &&
               image->line_may_fail(image->ctx, pa >> 6);
    lw_flat_old entry = {image->read64(image->ctx, pa), UINT64_MAX};
    for (size_t n = 0;; n++) {
        may = may_with(image, q, at, entry, wanted) || may;
        if ((may && !error) || image->old64 == NULL || !image->old64(image->ctx, pa, n, &entry)) {
            return may;
        }
    }
}

bool lw_flat_walk_may(const lw_flat_image *image, const lw_flat_walk_query *query,
                      const lw_oracle_answer *answer) {
    lw_oracle_answer refused;
    if (lw_flat_walk_unread(query, &refused)) {
        return matches(query, &refused, answer);
    }
    return may_from(image, query, root_position(query), answer);
}

bool lw_oracle_answer_equal(const lw_oracle_answer *a, const lw_oracle_answer *b) {
    return a->kind == b->kind && a->level == b->level && a->pfn == b->pfn && a->size == b->size &&
           a->w == b->w && a->x == b->x;
}

const char *lw_oracle_kind_name(uint32_t kind) {
    static const char *const names[] = {
        "OK",       "NONCANONICAL", "UNKNOWN_PASID", "NOT_PRESENT",
        "RESERVED", "MISALIGNED",   "PERMISSION",    "MEMORY_ERROR",
    };
    return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}
