#include "sim/tables/step_table.h"

#include "sim/tables/hashed_layout.h"

#include <stdlib.h>

enum { LINE_WORDS = 8 };

#define ENTRY_VALID (UINT64_C(1) << 63)
#define REGION_BITS UINT64_C(15)
#define AC_BITS (UINT64_C(0xffff) << LW_STEP_AC_SHIFT)

/* As in memory: which group, with AC of its regions; four bits for each of these; and, where
 * entries have contiguity bits, C7..C0 of each. */
typedef struct entry {
    uint64_t group, steps, subregions[2];
} entry;

struct lw_step_table {
    lw_word_queue *queue;
    uint64_t pa;
    uint32_t log, multiplier;
    uint32_t ways; /* entries of a bucket */
    uint64_t groups;
    entry entries[];
};

lw_step_table *lw_step_table_new(lw_word_queue *queue, const lw_step_table_config *config,
                                 lw_error *err) {
    const uint32_t ways = lw_step_table_ways(config->contiguity);
    lw_step_table *t = calloc(1, sizeof *t + (ways * sizeof(entry) << config->log));
    if (t == NULL) {
        (void)lw_fail(err, "step table: the host has no memory left");
        return NULL;
    }
    t->queue = queue;
    t->pa = config->frame << LW_PAGE_SHIFT;
    t->log = config->log;
    t->multiplier = config->multiplier;
    t->ways = ways;
    return t;
}

void lw_step_table_free(lw_step_table *t) {
    free(t);
}

static uint64_t group_word(uint32_t pasid, uint64_t region) {
    return ENTRY_VALID | (uint64_t)pasid << 32 | region / LW_GROUP_REGIONS;
}

static uint32_t shift_of(uint64_t region) {
    return (uint32_t)(region % LW_GROUP_REGIONS) * LW_STEP_BITS;
}

/* The place in its bucket of the entry with this first word; false where there is none. */
static bool place_of(const lw_step_table *t, uint32_t pasid, uint64_t region, uint64_t word,
                     size_t *place) {
    *place = (size_t)lw_hash(t->multiplier, pasid, region / LW_GROUP_REGIONS, t->log) * t->ways;
    for (uint32_t way = 0; way < t->ways; way++, ++*place) {
        if ((t->entries[*place].group & ~AC_BITS) == word) {
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

static uint64_t entry_pa(const lw_step_table *t, size_t place) {
    return t->pa + place * LINE_WORDS / t->ways * 8;
}

/* The n-th word of the entry goes to memory. */
static bool write_word(lw_step_table *t, size_t place, uint32_t n, uint64_t word, lw_error *err) {
    return lw_word_queue_add(t->queue, entry_pa(t, place) + n * UINT64_C(8), word, err);
}

static bool write_group(lw_step_table *t, size_t place, lw_error *err) {
    return write_word(t, place, 0, t->entries[place].group, err);
}

static bool write_steps(lw_step_table *t, size_t place, lw_error *err) {
    return write_word(t, place, 1, t->entries[place].steps, err);
}

/* Each bit says what is true by itself, so their words may be written one after the other. */
static bool write_contiguity(lw_step_table *t, size_t place, uint64_t region, uint32_t contig,
                             lw_error *err) {
    const uint64_t number = region % LW_GROUP_REGIONS;
    const uint32_t half = (uint32_t)(number / 8);
    const uint32_t shift = (uint32_t)(number % 8) * 8;
    entry *e = &t->entries[place];
    uint64_t *c = &e->subregions[half];
    if (t->ways != lw_step_table_ways(true)) {
        return true;
    }
    e->group = (e->group & ~(UINT64_C(1) << (LW_STEP_AC_SHIFT + number))) |
               (uint64_t)(contig >> 8 & 1) << (LW_STEP_AC_SHIFT + number);
    *c = (*c & ~(UINT64_C(0xff) << shift)) | (uint64_t)(contig & 0xff) << shift;
    return write_word(t, place, 2 + half, *c, err) && write_group(t, place, err);
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
    e->group = known ? e->group : group_word(pasid, region);
    e->steps = (e->steps & ~(REGION_BITS << shift)) | (LW_STEP_PRESENT | step) << shift;
    t->groups += !known;
    return write_steps(t, place, err) && (known || write_group(t, place, err));
}

bool lw_step_table_set_contiguity(lw_step_table *t, uint32_t pasid, uint64_t region,
                                  uint32_t contig, lw_error *err) {
    size_t place = 0;
    return !find_entry(t, pasid, region, &place) || write_contiguity(t, place, region, contig, err);
}

bool lw_step_table_clear(lw_step_table *t, uint32_t pasid, uint64_t region, lw_error *err) {
    size_t place = 0;
    if (!find_entry(t, pasid, region, &place)) {
        return true;
    }
    entry *e = &t->entries[place];
    e->steps &= ~(REGION_BITS << shift_of(region));
    if (!write_steps(t, place, err) || !write_contiguity(t, place, region, 0, err)) {
        return false;
    }
    if (e->steps != 0) {
        return true;
    }
    e->group = 0;
    t->groups--;
    return write_group(t, place, err);
}

bool lw_step_table_entry(const lw_step_table *t, uint32_t pasid, uint64_t region, uint64_t *pa) {
    size_t place = 0;
    const bool found = find_entry(t, pasid, region, &place);
    *pa = entry_pa(t, place);
    return found;
}

uint64_t lw_step_table_groups(const lw_step_table *t) {
    return t->groups;
}
