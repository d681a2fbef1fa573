#include "sim/os/step_table.h"

#include "sim/os/hashed_layout.h"

#include <stdlib.h>

enum { WAYS = 4, STEP_BITS = 4 };

#define ENTRY_VALID (UINT64_C(1) << 63)
#define PRESENT UINT64_C(8) /* beside the three bits of a step */
#define REGION_BITS UINT64_C(15)

/* As in memory: which group, and four bits for each of its regions. */
typedef struct entry {
    uint64_t group, steps;
} entry;

struct lw_step_table {
    lw_word_queue *queue;
    uint64_t pa;
    uint32_t log, multiplier;
    uint64_t groups;
    entry entries[];
};

lw_step_table *lw_step_table_new(lw_word_queue *queue, uint64_t frame, uint32_t log,
                                 uint32_t multiplier, lw_error *err) {
    lw_step_table *t = calloc(1, sizeof *t + (WAYS * sizeof(entry) << log));
    if (t == NULL) {
        (void)lw_fail(err, "step table: the host has no memory left");
        return NULL;
    }
    t->queue = queue;
    t->pa = frame << LW_PAGE_SHIFT;
    t->log = log;
    t->multiplier = multiplier;
    return t;
}

void lw_step_table_free(lw_step_table *t) {
    free(t);
}

static uint64_t group_word(uint32_t pasid, uint64_t region) {
    return ENTRY_VALID | (uint64_t)pasid << 32 | region / LW_GROUP_REGIONS;
}

static uint32_t shift_of(uint64_t region) {
    return (uint32_t)(region % LW_GROUP_REGIONS) * STEP_BITS;
}

/* The place in its bucket of the entry with this first word; false where there is none. */
static bool place_of(const lw_step_table *t, uint32_t pasid, uint64_t region, uint64_t word,
                     size_t *place) {
    *place = (size_t)lw_hash(t->multiplier, pasid, region / LW_GROUP_REGIONS, t->log) * WAYS;
    for (uint32_t way = 0; way < WAYS; way++, ++*place) {
        if (t->entries[*place].group == word) {
            return true;
        }
    }
    return false;
}

static bool find_entry(const lw_step_table *t, uint32_t pasid, uint64_t region, size_t *place) {
    return place_of(t, pasid, region, group_word(pasid, region), place);
}

static bool find_free(const lw_step_table *t, uint32_t pasid, uint64_t region, size_t *place) {
    return place_of(t, pasid, region, 0, place);
}

bool lw_step_table_has_room(const lw_step_table *t, uint32_t pasid, uint64_t region) {
    size_t place = 0;
    return find_entry(t, pasid, region, &place) || find_free(t, pasid, region, &place);
}

static bool write_group(lw_step_table *t, size_t place, lw_error *err) {
    return lw_word_queue_add(t->queue, t->pa + place * sizeof(entry), t->entries[place].group, err);
}

static bool write_steps(lw_step_table *t, size_t place, lw_error *err) {
    return lw_word_queue_add(t->queue, t->pa + place * sizeof(entry) + 8, t->entries[place].steps,
                             err);
}

bool lw_step_table_set(lw_step_table *t, uint32_t pasid, uint64_t region, uint32_t step,
                       lw_error *err) {
    const uint32_t shift = shift_of(region);
    size_t place = 0;
    const bool known = find_entry(t, pasid, region, &place);
    if (!known && !find_free(t, pasid, region, &place)) {
        return lw_fail(err, "step table: no room in a bucket");
    }
    entry *e = &t->entries[place];
    e->group = group_word(pasid, region);
    e->steps = (e->steps & ~(REGION_BITS << shift)) | (PRESENT | step) << shift;
    t->groups += !known;
    return write_steps(t, place, err) && (known || write_group(t, place, err));
}

bool lw_step_table_clear(lw_step_table *t, uint32_t pasid, uint64_t region, lw_error *err) {
    size_t place = 0;
    if (!find_entry(t, pasid, region, &place)) {
        return true;
    }
    entry *e = &t->entries[place];
    e->steps &= ~(REGION_BITS << shift_of(region));
    if (!write_steps(t, place, err)) {
        return false;
    }
    if (e->steps != 0) {
        return true;
    }
    e->group = 0;
    t->groups--;
    return write_group(t, place, err);
}

uint64_t lw_step_table_groups(const lw_step_table *t) {
    return t->groups;
}
