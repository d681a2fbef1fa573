#include "sim/memory/phys_mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_IN_PAGE 512
#define FIRST_SLOTS 1024u

/* An open-addressing table of pages, a power of two slots, at most half of them taken: frames are
 * spread by one multiplication and the neighbours of a slot share its cache line. */
typedef struct slot {
    uint64_t key; /* frame + 1; 0: empty */
    uint64_t *words;
} slot;

struct lw_phys_mem {
    slot *slots;
    uint32_t slot_bits;
    uint64_t pages;
    uint32_t pa_width;
    lw_phys_mem_changes_fn *changes;
    void *changes_ctx;
};

lw_phys_mem *lw_phys_mem_new(uint32_t pa_width, lw_error *err) {
    if (pa_width < 32 || pa_width > 52) {
        lw_fail(err, "physical memory: an address width of %" PRIu32 " bits is not in 32..52",
                pa_width);
        return NULL;
    }
    lw_phys_mem *m = calloc(1, sizeof *m);
    slot *slots = calloc(FIRST_SLOTS, sizeof *slots);
    if (m == NULL || slots == NULL) {
        free(m);
        free(slots);
        lw_fail(err, "physical memory: the host has no memory left");
        return NULL;
    }
    m->slots = slots;
    m->slot_bits = 10;
    m->pa_width = pa_width;
    return m;
}

void lw_phys_mem_free(lw_phys_mem *m) {
    if (m == NULL) {
        return;
    }
    for (uint64_t i = 0; i < UINT64_C(1) << m->slot_bits; i++) {
        free(m->slots[i].words);
    }
    free(m->slots);
    free(m);
}

uint32_t lw_phys_mem_pa_width(const lw_phys_mem *m) {
    return m->pa_width;
}

/* The slot of the frame, or the empty one where it would go. */
static slot *find_slot(slot *slots, uint32_t slot_bits, uint64_t frame) {
    uint64_t mask = (UINT64_C(1) << slot_bits) - 1;
    uint64_t i = (frame * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - slot_bits);
    while (slots[i].key != 0 && slots[i].key != frame + 1) {
        i = (i + 1) & mask;
    }
    return &slots[i];
}

/* The page's words, NULL where nothing was written. */
static const uint64_t *find_page(const lw_phys_mem *m, uint64_t frame) {
    return find_slot(m->slots, m->slot_bits, frame)->words;
}

uint64_t lw_phys_mem_read64(const lw_phys_mem *m, uint64_t pa) {
    const uint64_t *words = find_page(m, pa >> LW_PAGE_SHIFT);
    return words == NULL ? 0 : words[(pa >> 3) % WORDS_IN_PAGE];
}

void lw_phys_mem_read_line(const lw_phys_mem *m, uint64_t line, uint64_t data[LW_LINE_WORDS]) {
    const uint64_t *words = find_page(m, line >> (LW_PAGE_SHIFT - LW_LINE_SHIFT));
    if (words == NULL) {
        memset(data, 0, LW_LINE_WORDS * sizeof *data);
        return;
    }
    memcpy(data, words + line * LW_LINE_WORDS % WORDS_IN_PAGE, LW_LINE_WORDS * sizeof *data);
}

static bool grow(lw_phys_mem *m) {
    uint32_t bits = m->slot_bits + 1;
    slot *slots = calloc(UINT64_C(1) << bits, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < UINT64_C(1) << m->slot_bits; i++) {
        if (m->slots[i].key != 0) {
            *find_slot(slots, bits, m->slots[i].key - 1) = m->slots[i];
        }
    }
    free(m->slots);
    m->slots = slots;
    m->slot_bits = bits;
    return true;
}

static slot *add_page(lw_phys_mem *m, uint64_t frame) {
    if ((m->pages + 1) * 2 > UINT64_C(1) << m->slot_bits && !grow(m)) {
        return NULL;
    }
    /* lines must not straddle the host's cache lines */
    uint64_t *words = aligned_alloc(64, WORDS_IN_PAGE * sizeof *words);
    if (words == NULL) {
        return NULL;
    }
    memset(words, 0, WORDS_IN_PAGE * sizeof *words);
    slot *s = find_slot(m->slots, m->slot_bits, frame);
    *s = (slot){.key = frame + 1, .words = words};
    m->pages++;
    return s;
}

bool lw_phys_mem_write64(lw_phys_mem *m, uint64_t pa, uint64_t value, lw_error *err) {
    if (pa % 8 != 0 || pa >> m->pa_width != 0) {
        return lw_fail(err,
                       "physical memory: cannot write at 0x%" PRIx64
                       ": an address is a multiple of 8 below 2^%" PRIu32,
                       pa, m->pa_width);
    }
    uint64_t old = lw_phys_mem_read64(m, pa);
    if (old == value) {
        return true;
    }
    slot *s = find_slot(m->slots, m->slot_bits, pa >> LW_PAGE_SHIFT);
    if (s->words == NULL) {
        s = add_page(m, pa >> LW_PAGE_SHIFT);
    }
    if (s == NULL) {
        return lw_fail(err, "physical memory: the host has no memory left after %" PRIu64 " pages",
                       m->pages);
    }
    if (m->changes != NULL) {
        m->changes(m->changes_ctx, pa, old);
    }
    s->words[(pa >> 3) % WORDS_IN_PAGE] = value;
    return true;
}

void lw_phys_mem_clear_frame(lw_phys_mem *m, uint64_t frame) {
    if (find_page(m, frame) == NULL) {
        return;
    }
    for (uint64_t i = 0; i < WORDS_IN_PAGE; i++) {
        /* cannot fail: the page exists */
        (void)lw_phys_mem_write64(m, (frame << LW_PAGE_SHIFT) + i * 8, 0, NULL);
    }
}

void lw_phys_mem_watch(lw_phys_mem *m, lw_phys_mem_changes_fn *changes, void *ctx) {
    m->changes = changes;
    m->changes_ctx = ctx;
}
