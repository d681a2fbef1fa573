/* Memory as the tester keeps it: page-table frames whose 64-bit words know all values that they
 * have had and from which cycle on, and the roots, which have a history of the same kind. */
#ifndef LW_TESTS_CONTRACT_WORDS_H
#define LW_TESTS_CONTRACT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LW_FRAMES = 48, LW_FRAME_WORDS = 512, LW_ROOTS = 16, LW_NOWHERE = -1 };

typedef struct lw_words lw_words;

/* A value and its life: the cycles start..end-1 (end UINT64_MAX: it is the present one). */
typedef struct lw_version {
    uint64_t value, start, end;
    uint32_t place; /* where it is kept; only for lw_words_older */
} lw_version;

/* All words zero since cycle 0. NULL without memory. */
lw_words *lw_words_new(void);
void lw_words_free(lw_words *m);

/* Gives the frames their page frame numbers, of `pfn_w` bits, from a random number. */
void lw_words_place(lw_words *m, uint64_t random, uint32_t pfn_w);
/* Gives the last frames, from `first` on, numbers in a row, of which the first is a multiple of
 * `count`, a power of two up to 64; the others exchange numbers with them where they must. */
void lw_words_row(lw_words *m, int first, int count, uint64_t pfn);
uint64_t lw_words_pfn(const lw_words *m, int frame);
/* The frame with this number, or LW_NOWHERE. */
int lw_words_frame(const lw_words *m, uint64_t pfn);

/* A word's name; LW_NOWHERE names a word that is zero for ever. */
static inline int lw_word(int frame, uint32_t index) {
    return frame == LW_NOWHERE ? LW_NOWHERE : frame * LW_FRAME_WORDS + (int)index;
}
static inline int lw_word_root(uint32_t pasid) {
    return LW_FRAMES * LW_FRAME_WORDS + (int)pasid;
}

uint64_t lw_words_value(const lw_words *m, int word);
/* The word has the value from this cycle on. False if there is no more room for versions. */
bool lw_words_write(lw_words *m, int word, uint64_t value, uint64_t cycle);
/* Room for so many more. */
bool lw_words_room(const lw_words *m, size_t versions);

/* The newest version that lived in some cycle of from..to, then the ones before it; false where
 * there is none (any more). */
bool lw_words_newest(const lw_words *m, int word, uint64_t from, uint64_t to, lw_version *v);
bool lw_words_older(const lw_words *m, uint64_t from, lw_version *v);

#endif
