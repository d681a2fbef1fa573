#include "oracle/hashed_walk.h"

enum { LINE_WORDS = 8, STEPS = 8 };

#define AC_SHIFT 43 /* of a region's bit in a first word (R20.27) */

#define PRODUCT_BITS 27 /* of the hash's product these are looked at (R20.6) */

/* The image, with a count of what is read. */
typedef struct counter {
    const lw_flat_image *image;
    uint32_t reads;
} counter;

static uint64_t count_read(void *ctx, uint64_t pa) {
    counter *c = ctx;
    c->reads++;
    return c->image->read64(c->image->ctx, pa);
}

static uint64_t word_of(const lw_flat_image *image, uint64_t line, uint32_t word) {
    return image->read64(image->ctx, line << 6 | (uint64_t)word << 3);
}

/* What is left of value above its low bits. */
static uint64_t above(uint64_t value, uint32_t bits) {
    return value >> bits << bits;
}

/* R20.6: bits 26:0 of the number, with those above them and the PASID folded in, multiplied; the
 * highest `log` bits of the low 27 of the product. */
static uint64_t hash(const lw_hashed_walk_query *q, uint64_t number, uint32_t log) {
    uint32_t key = (uint32_t)number;
    key ^= (uint32_t)(number >> PRODUCT_BITS) << 9;
    key ^= q->pasid << 18;
    const uint32_t product = key * q->multiplier << (32 - PRODUCT_BITS);
    return (uint64_t)product >> (32 - log);
}

/* R20.32, of a page number that has no more bits than the levels need. */
static uint64_t region_of(const lw_hashed_walk_query *q) {
    const uint64_t vpn = q->page.page_number & ((UINT64_C(1) << (9 * q->page.levels)) - 1);
    return vpn / q->slot_pages;
}

static uint64_t bucket_line(const lw_hashed_walk_query *q) {
    return above(q->step_frame << 6, q->step_log) | hash(q, region_of(q) >> 4, q->step_log);
}

/* What the step table says of a region: where it lies, and how many pages (2^run_bits) one entry of
 * it stands for (R20.27). */
typedef struct region_entry {
    uint32_t step, run_bits;
} region_entry;

/* MESC's bits of a region: of the whole of it in the first word of its group's entry, of its eight
 * subregions in a byte of the third or fourth. */
static uint32_t run_bits_of(const lw_flat_image *image, const lw_hashed_walk_query *q,
                            uint64_t line, uint32_t first) {
    const uint32_t number = (uint32_t)(region_of(q) & 15);
    const uint64_t frames = word_of(image, line, first) >> AC_SHIFT;
    const uint64_t byte = word_of(image, line, first + 2 + number / 8) >> (8 * (number % 8));
    if (!q->contiguity || !q->page.subregions) {
        return 0;
    }
    return (frames >> number & 1) != 0                         ? 9
           : (byte >> (q->page.page_number >> 6 & 7) & 1) != 0 ? 6
                                                               : 0;
}

/* R20.8, R20.9, R20.27; false: the region is not in the table. */
static bool look_up(const lw_flat_image *image, const lw_hashed_walk_query *q,
                    region_entry *found) {
    const uint64_t region = region_of(q);
    const uint64_t wanted = UINT64_C(1) << 63 | (uint64_t)q->pasid << 32 | region >> 4;
    const uint64_t frames = q->contiguity ? UINT64_C(0xffff) << AC_SHIFT : 0;
    const uint64_t line = bucket_line(q);
    const uint32_t words = q->contiguity ? 4 : 2; /* of an entry */
    for (uint32_t first = 0; first < LINE_WORDS; first += words) {
        if ((word_of(image, line, first) & ~frames) == wanted) {
            const uint64_t four = word_of(image, line, first + 1) >> (4 * (region & 15));
            found->step = (uint32_t)(four & 7);
            found->run_bits = q->contiguity ? run_bits_of(image, q, line, first) : 0;
            return (four >> 3 & 1) != 0;
        }
    }
    return false;
}

/* The address of the entry that answers the page, in the region's slot at the step: a frame of PTEs
 * (R20.1), or a line of them (R20.31). */
static uint64_t slot_entry(const lw_hashed_walk_query *q, const region_entry *at) {
    const uint64_t home = hash(q, region_of(q), q->table_log);
    const uint64_t slot =
        (home + (uint64_t)at->step * q->stride) & ((UINT64_C(1) << q->table_log) - 1);
    if (q->slot_pages == LINE_WORDS) {
        const uint64_t line = above(q->table_frame << 6, q->table_log) | slot;
        return line << 6 | (q->page.page_number & 7) << 3;
    }
    return lw_flat_leaf_address(&q->page, above(q->table_frame, q->table_log) | slot, at->run_bits);
}

/* R20.2 */
static uint64_t tag_of(const lw_hashed_walk_query *q) {
    return UINT64_C(1) << 47 | (uint64_t)q->pasid << 36 | region_of(q);
}

/* Whether the line carries the region's tag (R20.3). */
static bool is_tagged(const lw_flat_image *image, const lw_hashed_walk_query *q, uint64_t line) {
    uint64_t tag = 0;
    for (uint32_t word = LINE_WORDS; word > 0; word--) {
        tag = tag << 6 | (word_of(image, line, word - 1) >> 57 & 63);
    }
    return tag == tag_of(q);
}

/* A read of the line fails, for there is no memory. */
static bool is_outside(const lw_hashed_walk_query *q, uint64_t line) {
    return q->end_line != 0 && line >= q->end_line;
}

/* R20.14 */
static lw_oracle_answer unread(uint32_t level) {
    return (lw_oracle_answer){.kind = LW_ORACLE_MEMORY_ERROR, .level = level};
}

/* Reads the slot at the step: whether the walk ends there, as it is the region's or cannot be read,
 * and then the answer. */
static bool read_slot(const lw_flat_image *image, const lw_hashed_walk_query *q,
                      const region_entry *at, lw_hashed_walk_answer *a) {
    const uint64_t pa = slot_entry(q, at);
    a->accesses++;
    if (is_outside(q, pa >> 6)) {
        a->answer = unread(1);
        return true;
    }
    if (!is_tagged(image, q, pa >> 6)) {
        return false;
    }
    a->answer = lw_flat_leaf_answer(&q->page, image->read64(image->ctx, pa), at->run_bits);
    a->place = LW_HASHED_TABLE;
    a->step = at->step;
    return true;
}

static void read_victim_buffer(const lw_flat_image *image, const lw_hashed_walk_query *q,
                               lw_hashed_walk_answer *a) {
    counter c = {image, 0};
    lw_flat_walk_query page = q->page;
    page.subregions = false; /* R20.28 */
    const lw_flat_image counted = {.read64 = count_read, .ctx = &c};
    if (!q->has_victim_buffer) {
        a->answer = (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = LW_STEP_TABLE_LEVEL};
        return;
    }
    a->answer = lw_flat_walk(&counted, &page);
    a->place = LW_HASHED_VICTIM_BUFFER;
    a->accesses += c.reads;
}

lw_hashed_walk_answer lw_hashed_walk(const lw_flat_image *image,
                                     const lw_hashed_walk_query *query) {
    lw_hashed_walk_query q = *query;
    lw_hashed_walk_answer a = {.place = LW_HASHED_NOWHERE};
    const region_entry home = {0, 0};
    region_entry at = home;
    q.page.size_hints = true;
    q.page.head_first = false;
    if (lw_flat_walk_unread(&q.page, &a.answer) ||
        (q.home_first && read_slot(image, &q, &home, &a))) {
        return a;
    }
    a.accesses++;
    if (is_outside(&q, bucket_line(&q))) {
        a.answer = unread(LW_STEP_TABLE_LEVEL);
        return a;
    }
    const bool present = look_up(image, &q, &at);
    /* a home that has been read already is read again only for another of its lines */
    const bool again = q.home_first && at.step == 0 && at.run_bits == 0;
    if (!present || again || !read_slot(image, &q, &at, &a)) {
        read_victim_buffer(image, &q, &a);
    }
    return a;
}

/* How many pages an entry may stand for, by their logarithm; the first is all without contiguity
 * bits. */
static const uint32_t runs[] = {0, 6, 9};

static size_t run_count(const lw_hashed_walk_query *q) {
    return q->contiguity && q->page.subregions ? sizeof runs / sizeof runs[0] : 1;
}

/* A failed read of the table itself, of which the answer names the level: every slot of the chain
 * is asked for. */
static bool table_may_fail(const lw_flat_image *image, const lw_hashed_walk_query *q,
                           uint32_t level) {
    bool may = false;
    if (image->line_may_fail == NULL) {
        return false;
    }
    if (level == LW_STEP_TABLE_LEVEL) {
        return image->line_may_fail(image->ctx, bucket_line(q));
    }
    for (uint32_t i = 0; i < STEPS && level == 1; i++) {
        for (size_t r = 0; r < run_count(q); r++) {
            const region_entry at = {i, runs[r]};
            may = image->line_may_fail(image->ctx, slot_entry(q, &at) >> 6) || may;
        }
    }
    return may;
}

/* Whether the word has, or had in the query's times, these bits below its top one. */
static bool was_sliced(const lw_flat_image *image, const lw_hashed_walk_query *q, uint64_t pa,
                       uint64_t slice) {
    lw_flat_old value = {image->read64(image->ctx, pa), UINT64_MAX};
    for (size_t n = 0;; n++) {
        if ((value.value >> 57 & 63) == slice && value.until >= q->page.since) {
            return true;
        }
        if (image->old64 == NULL || !image->old64(image->ctx, pa, n, &value)) {
            return false;
        }
    }
}

/* Whether each word of the line carries its part of the region's tag, or has done so. */
static bool was_tagged(const lw_flat_image *image, const lw_hashed_walk_query *q, uint64_t line) {
    bool was = true;
    for (uint32_t word = 0; word < LINE_WORDS && was; word++) {
        was = was_sliced(image, q, line << 6 | (uint64_t)word << 3, tag_of(q) >> (6 * word) & 63);
    }
    return was;
}

/* Whether the PTE in this slot gives the answer, or has done so. */
static bool slot_may(const lw_flat_image *image, const lw_hashed_walk_query *q,
                     const region_entry *at, const lw_oracle_answer *wanted) {
    const uint64_t pa = slot_entry(q, at);
    const uint64_t slice = tag_of(q) >> (6 * (pa >> 3 & 7)) & 63;
    lw_flat_old value = {image->read64(image->ctx, pa), UINT64_MAX};
    if (!was_tagged(image, q, pa >> 6)) {
        return false;
    }
    for (size_t n = 0;; n++) {
        const lw_oracle_answer answer = lw_flat_leaf_answer(&q->page, value.value, at->run_bits);
        /* only a translation may be kept anywhere */
        const uint64_t from = answer.kind == LW_ORACLE_OK ? q->page.since : q->page.asked;
        if ((value.value >> 57 & 63) == slice && value.until >= q->page.since &&
            value.until >= from && lw_oracle_answer_equal(&answer, wanted)) {
            return true;
        }
        if (image->old64 == NULL || !image->old64(image->ctx, pa, n, &value)) {
            return false;
        }
    }
}

static bool some_slot_may(const lw_flat_image *image, const lw_hashed_walk_query *q,
                          const lw_oracle_answer *wanted) {
    /* without a step table a walk comes to the home alone */
    const uint32_t steps = is_outside(q, bucket_line(q)) ? 1 : STEPS;
    for (uint32_t step = 0; step < steps; step++) {
        for (size_t r = 0; r < run_count(q); r++) {
            const region_entry at = {step, runs[r]};
            if (slot_may(image, q, &at, wanted)) {
                return true;
            }
        }
    }
    return false;
}

/* Nobody comes to the victim buffer whose step table cannot be read. */
static bool victim_may(const lw_flat_image *image, const lw_hashed_walk_query *q,
                       const lw_oracle_answer *answer) {
    lw_flat_walk_query page = q->page;
    page.subregions = false; /* R20.28 */
    return q->has_victim_buffer && !is_outside(q, bucket_line(q)) &&
           lw_flat_walk_may(image, &page, answer);
}

bool lw_hashed_walk_may(const lw_flat_image *image, const lw_hashed_walk_query *query,
                        const lw_oracle_answer *answer) {
    lw_hashed_walk_query q = *query;
    const lw_hashed_walk_answer now = lw_hashed_walk(image, &q);
    lw_oracle_answer refused;
    if (lw_oracle_answer_equal(&now.answer, answer) || lw_flat_walk_unread(&q.page, &refused)) {
        return lw_oracle_answer_equal(&now.answer, answer);
    }
    q.page.size_hints = true;
    q.page.head_first = false;
    const bool in_table = answer->kind == LW_ORACLE_MEMORY_ERROR
                              ? table_may_fail(image, &q, answer->level)
                              : some_slot_may(image, &q, answer);
    return victim_may(image, &q, answer) || in_table;
}
