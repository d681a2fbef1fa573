/* What the state net knows of the RTL's registers and the twin's: found once (state_net_make.c),
 * used in every cycle (state_net.c). */
#ifndef LW_DPI_STATE_NET_PARTS_H
#define LW_DPI_STATE_NET_PARTS_H

#include "dpi/state_net.h"

typedef struct lw_watched {
    lw_rtl_register reg;
    bool there;
    uint32_t planes; /* 0: an element an entry; else bit planes of `entries` bits */
    uint64_t mask;   /* of an element */
} lw_watched;

/* One side's entries of a field that lie evenly (lw_register_place). */
typedef struct lw_lane {
    const uint8_t *base; /* NULL: they do not */
    uint64_t first, stride, mask;
} lw_lane;

/* A field that is compared, and where both sides keep it: side by side, as they are used. */
typedef struct lw_pair {
    lw_field field;
    lw_lane rtl, twin;
} lw_pair;

/* An entry in one number: structure << LW_INDEX_BITS | index. */
enum { LW_INDEX_BITS = 24 };
/* What a byte of the model may belong to beside an entry: several (of bit planes), or none. */
#define LW_PLANES (UINT32_MAX - 1)
#define LW_NOBODY UINT32_MAX

/* Registers that lie side by side in the Verilated model, as most do: memory that is looked through
 * at once for what has changed since the cycle before. */
typedef struct lw_segment {
    const uint8_t *data;
    uint8_t *shadow; /* whole words */
    uint32_t *entry; /* by byte: its entry, LW_PLANES or LW_NOBODY */
    uint16_t *owner; /* by byte: the field */
    size_t bytes;
    uint64_t last_mask; /* of what is left after the whole words */
} lw_segment;

struct lw_state_net {
    lw_iommu *twin;
    lw_segment segments[LW_FIELD_COUNT];
    size_t segment_count;
    lw_field absent[LW_FIELD_COUNT]; /* declared by the RTL, but not of this unit: zero */
    size_t absent_count;
    lw_watched fields[LW_FIELD_COUNT];
    lw_pair here[LW_FIELD_COUNT];                /* the fields that are compared */
    uint32_t first_here[LW_STRUCTURE_COUNT + 1]; /* in `here`, by structure */
    const lw_pair *valid[LW_STRUCTURE_COUNT];    /* says what an entry holds; NULL: all hold */
    uint32_t entries[LW_STRUCTURE_COUNT];
    uint32_t base[LW_STRUCTURE_COUNT]; /* of the structure's entries in `touched` */
    uint8_t *touched;
    uint32_t *list; /* the touched entries */
    size_t listed;
    uint64_t compared;
};

/* The twin's watch: has the entry compared. */
void lw_state_net_twin_wrote(void *ctx, lw_structure s, uint32_t index);

#endif
