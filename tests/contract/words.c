#include "tests/contract/words.h"

#include <stdlib.h>

enum { WORDS = LW_FRAMES * LW_FRAME_WORDS + LW_ROOTS, VERSIONS = 1 << 17, SLOTS = 64 };

typedef struct kept {
    uint64_t value, start;
    uint32_t older; /* 0: none */
} kept;

struct lw_words {
    uint32_t newest[WORDS]; /* of each word, 0: none, it is zero since cycle 0 */
    kept versions[VERSIONS];
    uint32_t count;
    uint64_t pfn[LW_FRAMES];
    int16_t slot[SLOTS]; /* the frame by the low bits of its number */
};

lw_words *lw_words_new(void) {
    lw_words *m = calloc(1, sizeof *m);
    if (m != NULL) {
        m->count = 1;
        for (int i = 0; i < SLOTS; i++) {
            m->slot[i] = LW_NOWHERE;
        }
    }
    return m;
}

void lw_words_free(lw_words *m) {
    free(m);
}

void lw_words_place(lw_words *m, uint64_t random, uint32_t pfn_w) {
    const uint64_t mask = (UINT64_C(1) << pfn_w) - 1;
    for (int f = 0; f < LW_FRAMES; f++) {
        /* odd multiples keep the low bits of different frames different */
        const uint64_t mixed = ((uint64_t)f * 5 + 1) * (random | 1);
        m->pfn[f] = ((mixed * UINT64_C(0x9e3779b97f4a7c15) >> 8 & ~(uint64_t)(SLOTS - 1)) |
                     (mixed & (SLOTS - 1))) &
                    mask;
        m->slot[m->pfn[f] % SLOTS] = (int16_t)f;
    }
}

void lw_words_row(lw_words *m, int first, int count, uint64_t pfn) {
    for (int i = 0; i < count; i++) {
        const uint64_t low = m->pfn[first + i] % SLOTS, wanted = (pfn + (uint64_t)i) % SLOTS;
        const int other = m->slot[wanted]; /* who has these low bits gets those of this frame */
        m->slot[low] = (int16_t)other;
        if (other != LW_NOWHERE) {
            m->pfn[other] = (m->pfn[other] & ~(uint64_t)(SLOTS - 1)) | low;
        }
        m->pfn[first + i] = pfn + (uint64_t)i;
        m->slot[wanted] = (int16_t)(first + i);
    }
}

uint64_t lw_words_pfn(const lw_words *m, int frame) {
    return m->pfn[frame];
}

int lw_words_frame(const lw_words *m, uint64_t pfn) {
    const int f = m->slot[pfn % SLOTS];
    return f != LW_NOWHERE && m->pfn[f] == pfn ? f : LW_NOWHERE;
}

uint64_t lw_words_value(const lw_words *m, int word) {
    return word == LW_NOWHERE ? 0 : m->versions[m->newest[word]].value;
}

bool lw_words_room(const lw_words *m, size_t versions) {
    return m->count + versions <= VERSIONS;
}

bool lw_words_write(lw_words *m, int word, uint64_t value, uint64_t cycle) {
    kept *now = &m->versions[m->newest[word]];
    if (m->newest[word] != 0 && now->start == cycle) {
        now->value = value;
        return true;
    }
    if (!lw_words_room(m, 1)) {
        return false;
    }
    m->versions[m->count] = (kept){value, cycle, m->newest[word]};
    m->newest[word] = m->count++;
    return true;
}

static void tell(const lw_words *m, uint32_t place, uint64_t end, lw_version *v) {
    *v = (lw_version){m->versions[place].value, m->versions[place].start, end, place};
}

bool lw_words_newest(const lw_words *m, int word, uint64_t from, uint64_t to, lw_version *v) {
    tell(m, word == LW_NOWHERE ? 0 : m->newest[word], UINT64_MAX, v);
    while (v->start > to) {
        if (!lw_words_older(m, from, v)) {
            return false;
        }
    }
    return v->end > from;
}

bool lw_words_older(const lw_words *m, uint64_t from, lw_version *v) {
    if (v->start <= from || v->place == 0) {
        return false;
    }
    tell(m, m->versions[v->place].older, v->start, v);
    return true;
}
