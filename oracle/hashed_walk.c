#include "oracle/hashed_walk.h"

enum { LINE_WORDS = 8, WAYS = 4, STEPS = 8, STEP_LEVEL = 6 };

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

/* VPN[44:9], of a page number that has no more bits than the levels need. */
static uint64_t region_of(const lw_hashed_walk_query *q) {
    const uint64_t vpn = q->page.page_number & ((UINT64_C(1) << (9 * q->page.levels)) - 1);
    return vpn >> 9;
}

static uint64_t bucket_line(const lw_hashed_walk_query *q) {
    return above(q->step_frame << 6, q->step_log) | hash(q, region_of(q) >> 4, q->step_log);
}

/* The step at which the step table says that the region lies (R20.8, R20.9). */
static bool look_up_step(const lw_flat_image *image, const lw_hashed_walk_query *q,
                         uint32_t *step) {
    const uint64_t region = region_of(q);
    const uint64_t wanted = UINT64_C(1) << 63 | (uint64_t)q->pasid << 32 | region >> 4;
    const uint64_t line = bucket_line(q);
    for (uint32_t way = 0; way < WAYS; way++) {
        if (word_of(image, line, 2 * way) == wanted) {
            const uint64_t four = word_of(image, line, 2 * way + 1) >> (4 * (region & 15));
            *step = (uint32_t)(four & 7);
            return (four >> 3 & 1) != 0;
        }
    }
    return false;
}

static uint64_t slot_frame(const lw_hashed_walk_query *q, uint32_t step) {
    const uint64_t home = hash(q, region_of(q), q->table_log);
    const uint64_t slot = (home + (uint64_t)step * q->stride) & ((UINT64_C(1) << q->table_log) - 1);
    return above(q->table_frame, q->table_log) | slot;
}

static uint64_t slot_line(const lw_hashed_walk_query *q, uint64_t frame) {
    return frame << 6 | (q->page.page_number >> 3 & 63);
}

/* Whether the line in which the page's PTE lies carries the region's tag (R20.2, R20.3). */
static bool is_tagged(const lw_flat_image *image, const lw_hashed_walk_query *q, uint64_t frame) {
    const uint64_t line = slot_line(q, frame);
    uint64_t tag = 0;
    for (uint32_t word = LINE_WORDS; word > 0; word--) {
        tag = tag << 6 | (word_of(image, line, word - 1) >> 57 & 63);
    }
    return tag == (UINT64_C(1) << 47 | (uint64_t)q->pasid << 36 | region_of(q));
}

/* Reads the slot at the step: whether it is the region's, and then the answer. */
static bool read_slot(const lw_flat_image *image, const lw_hashed_walk_query *q, uint32_t step,
                      lw_hashed_walk_answer *a) {
    const uint64_t frame = slot_frame(q, step);
    a->accesses++;
    if (!is_tagged(image, q, frame)) {
        return false;
    }
    a->answer = lw_flat_walk_from(image, &q->page, 1, frame);
    a->place = LW_HASHED_TABLE;
    a->step = step;
    return true;
}

static void read_victim_buffer(const lw_flat_image *image, const lw_hashed_walk_query *q,
                               lw_hashed_walk_answer *a) {
    counter c = {image, 0};
    const lw_flat_image counted = {.read64 = count_read, .ctx = &c};
    if (!q->has_victim_buffer) {
        a->answer = (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = STEP_LEVEL};
        return;
    }
    a->answer = lw_flat_walk(&counted, &q->page);
    a->place = LW_HASHED_VICTIM_BUFFER;
    a->accesses += c.reads;
}

lw_hashed_walk_answer lw_hashed_walk(const lw_flat_image *image,
                                     const lw_hashed_walk_query *query) {
    lw_hashed_walk_query q = *query;
    lw_hashed_walk_answer a = {.place = LW_HASHED_NOWHERE};
    uint32_t step = 0;
    q.page.size_hints = true;
    q.page.subregions = q.page.head_first = false;
    if (lw_flat_walk_unread(&q.page, &a.answer) || (q.home_first && read_slot(image, &q, 0, &a))) {
        return a;
    }
    a.accesses++;
    const bool present = look_up_step(image, &q, &step);
    if (!present || (q.home_first && step == 0) || !read_slot(image, &q, step, &a)) {
        read_victim_buffer(image, &q, &a);
    }
    return a;
}

/* A failed read of the table itself, of which the answer names the level. */
static bool table_may_fail(const lw_flat_image *image, const lw_hashed_walk_query *q,
                           uint32_t level) {
    if (image->line_may_fail == NULL) {
        return false;
    }
    if (level == STEP_LEVEL) {
        return image->line_may_fail(image->ctx, bucket_line(q));
    }
    for (uint32_t step = 0; step < STEPS && level == 1; step++) {
        if (image->line_may_fail(image->ctx, slot_line(q, slot_frame(q, step)))) {
            return true;
        }
    }
    return false;
}

bool lw_hashed_walk_may(const lw_flat_image *image, const lw_hashed_walk_query *query,
                        const lw_oracle_answer *answer) {
    lw_hashed_walk_query q = *query;
    const lw_oracle_answer now = lw_hashed_walk(image, &q).answer;
    const bool absent = now.kind == LW_ORACLE_NOT_PRESENT && answer->kind == LW_ORACLE_NOT_PRESENT;
    const bool error = answer->kind == LW_ORACLE_MEMORY_ERROR;
    lw_oracle_answer refused;
    if (lw_oracle_answer_equal(&now, answer) || lw_flat_walk_unread(&q.page, &refused)) {
        return lw_oracle_answer_equal(&now, answer);
    }
    q.page.size_hints = true;
    q.page.subregions = q.page.head_first = false;
    return (error && table_may_fail(image, &q, answer->level)) ||
           ((error || absent) && q.has_victim_buffer && lw_flat_walk_may(image, &q.page, answer));
}
