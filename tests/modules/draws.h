/* What several modules draw: page table entries that mean something. */
#ifndef LW_TESTS_DRAWS_H
#define LW_TESTS_DRAWS_H

#include "module.h"

/* A PTE: mostly present, users', and with what makes it reserved or misaligned mostly absent; now
 * and then all bits are random. */
uint64_t lw_draw_pte(lw_rng *rng);

/* A line of such PTEs. With CoLT most of them go on where the one before them ends (R1.14). */
void lw_draw_line(lw_rng *rng, const lw_config *cfg, uint64_t line[8]);

/* The links of a line's two groups (lw_line) as the RTL's ports have them: six bits. */
static inline uint64_t lw_links_at_port(uint8_t links) {
    return (links >> 4 & LW_LINKS_ALL) << 3 | (links & LW_LINKS_ALL);
}

static inline uint8_t lw_links_of_port(uint64_t port) {
    return (uint8_t)((port >> 3 & LW_LINKS_ALL) << 4 | (port & LW_LINKS_ALL));
}

/* What the RTL's line decoder says of a line, from the twin's verdicts (lw_judge): eight times
 * verdict_t {KIND, US, leaf, not NX, RW}, the frames, and CONTIG.
 *
 * The RTL's verdict leaves the access out, so the twin is asked twice: as a reader of a page that
 * users may read (the kind without PERMISSION), and of the PTE as it is (US). Where there is no
 * verdict, the twin says nothing of frame, leaf and user; there it is the PTE's own bits. CONTIG is
 * asked for of a node only: `no_contig` has the bits of the other PTEs, where it means nothing. */
typedef struct lw_decoded {
    lw_bits verdict, frame, contig, no_contig;
} lw_decoded;

/* `contig_mask`: the bits of CONTIG that are read (R1.10). */
void lw_decode_line(const lw_config *cfg, const uint64_t line[8], uint32_t level,
                    uint32_t contig_mask, lw_decoded *out);

/* A random bit of a mask that is not zero. */
uint32_t lw_draw_bit(lw_rng *rng, uint32_t mask);

/* Each bit is set with probability 1/4. */
static inline uint64_t lw_draw_sparse(lw_rng *rng) {
    const uint64_t half = lw_rng_next(rng);
    return half & lw_rng_next(rng);
}

/* True once in `n` times. */
static inline bool lw_one_in(lw_rng *rng, uint64_t n) {
    return lw_rng_below(rng, n) == 0;
}

#endif
