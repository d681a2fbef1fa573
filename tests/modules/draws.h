/* What several modules draw: page table entries that mean something. */
#ifndef LW_TESTS_MODULES_DRAWS_H
#define LW_TESTS_MODULES_DRAWS_H

#include "tests/modules/module.h"

/* A PTE: mostly present, users', and with what makes it reserved or misaligned mostly absent; now
 * and then all bits are random. */
uint64_t lw_draw_pte(lw_rng *rng);

/* A line of such PTEs. With CoLT most of them go on where the one before them ends (R1.14). */
void lw_draw_line(lw_rng *rng, const lw_config *cfg, uint64_t line[8]);

/* R20.4: most of the PTEs of a line, of whose pages `vpn` is one, lie as their sizes ask. */
void lw_draw_sizes(lw_rng *rng, const lw_config *cfg, uint64_t vpn, uint64_t line[8]);

/* R20.3: the line gets the tag of a region, seldom with a bit of it flipped. */
void lw_draw_tag(lw_rng *rng, uint32_t pasid, uint64_t region, uint64_t line[8]);

/* What a port says of the line of a head in a slot beside its PTEs: whether PTE 0 says another size
 * than 4 KiB (R20.4), and the tag (R20.3). */
void lw_slot_at_port(const uint64_t line[8], lw_bits *sized, lw_bits *tag);

/* A decoded line (R4.7) as the RTL's ports have it: eight times verdict_t {KIND, US, leaf, not NX,
 * RW}, the frames, CONTIG and SIZE. */
typedef struct lw_decoded {
    lw_bits verdict, frame, contig, size;
} lw_decoded;

void lw_decoded_at_port(const lw_config *cfg, const lw_pte line[8], lw_decoded *out);
/* `contig_mask`: the bits of CONTIG that are read (R1.10). `vpn` is a page of the line, which
 * matters where its PTEs have sizes (R21.11). */
void lw_decode_line(const lw_config *cfg, const uint64_t line[8], const lw_reading *as,
                    uint64_t vpn, uint32_t contig_mask, lw_decoded *out);

/* What a unit is told of hashed tables, by the names of a port that has it (R21.16). */
enum {
    LW_HASHED,
    LW_TABLE_LOG,
    LW_STEP_LOG,
    LW_STEP_FRAME,
    LW_VICTIM_VALID,
    LW_VICTIM_FRAME,
    LW_STRIDE,
    LW_TABLES_PORTS
};
#define LW_TABLES(from, port)                                                                      \
    [(from) + LW_HASHED] = {port ".hashed", 0}, [(from) + LW_TABLE_LOG] = {port ".table_log", 0},  \
              [(from) + LW_STEP_LOG] = {port ".step_log", 0},                                      \
              [(from) + LW_STEP_FRAME] = {port ".step_frame", 0},                                  \
              [(from) + LW_VICTIM_VALID] = {port ".victim_valid", 0},                              \
              [(from) + LW_VICTIM_FRAME] = {port ".victim_frame", 0},                              \
              [(from) + LW_STRIDE] = {port ".stride", 0}

/* The registers of hashed tables as such a port shows them. */
void lw_tables_at_port(const lw_iommu *u, lw_bits ports[LW_TABLES_PORTS]);
/* Software gives roots and removes them, and says where hashed tables lie, now and then. */
void lw_draw_roots(lw_rng *rng, lw_iommu *u);
/* The roots as a port shows them. */
void lw_roots_at_port(const lw_iommu *u, lw_bits *valid, lw_bits *frame);

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
