/* What the state net knows of the RTL's registers and the twin's: found once (state_net_make.c,
 * state_net_pieces.c), used in every cycle (state_net.c). */
#ifndef LW_DPI_STATE_NET_PARTS_H
#define LW_DPI_STATE_NET_PARTS_H

#include "dpi/state_net.h"

typedef struct lw_watched {
    lw_rtl_register reg;
    uint8_t *shadow; /* what is remembered of it from the cycle before */
    bool there;
    uint32_t planes; /* 0: an element an entry; else bit planes of `entries` bits */
    uint64_t mask;   /* of an element */
} lw_watched;

/* A field that is compared, and where both sides keep it. */
typedef struct lw_pair {
    const uint8_t *rtl;
    uint8_t *shadow;                  /* of `rtl` */
    const uint8_t *twin;              /* NULL: its entries do not lie evenly (lw_register_place) */
    uint64_t mask;                    /* of an element */
    uint32_t planes;                  /* 0, or the bit planes in which the RTL keeps it ... */
    uint32_t rtl_stride;              /* ... with these bits between two planes, or two entries */
    uint32_t twin_stride, twin_first; /* bits */
    lw_field field;
} lw_pair;

/* An entry in one number: structure << LW_INDEX_BITS | index. */
enum { LW_INDEX_BITS = 24 };
/* What a byte of the model may belong to beside an entry: several (of bit planes), or none. */
#define LW_PLANES (UINT32_MAX - 1)
#define LW_NOBODY UINT32_MAX

/* Registers that lie side by side in the Verilated model, as most do. */
typedef struct lw_segment {
    const uint8_t *data;
    uint8_t *shadow; /* what is remembered of it, in `shadows` */
    uint32_t *entry; /* by byte: its entry, LW_PLANES or LW_NOBODY */
    uint16_t *owner; /* by byte: the field */
    size_t bytes;
} lw_segment;

enum { LW_WORD_BYTES = 8 };

/* A part of a segment that is looked at as one, for what has changed since the cycle before: large
 * pieces where a segment has room for them, as mostly nothing has changed. */
typedef enum lw_piece_size {
    LW_PIECE_LARGE,
    LW_PIECE_SMALL,
    LW_PIECE_WORD,
    LW_PIECE_SIZES
} lw_piece_size;
enum { LW_LARGE_WORDS = 64, LW_SMALL_WORDS = 8 };

typedef struct lw_piece {
    const uint8_t *data;
    uint8_t *shadow;
    uint64_t mask; /* of each word: all ones, but where a segment ends within a word */
    const lw_segment *segment;
} lw_piece;

struct lw_state_net {
    lw_iommu *twin;
    lw_segment segments[LW_FIELD_COUNT];
    size_t segment_count;
    uint8_t *shadows;
    lw_piece *pieces;                       /* by size */
    size_t first_piece[LW_PIECE_SIZES + 1]; /* in `pieces`, by size */
    lw_field absent[LW_FIELD_COUNT];        /* declared by the RTL, but not of this unit: zero */
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

/* Cuts the registers of `fields` into segments and pieces, and says where each one's shadow is.
 * False: no memory. */
bool lw_state_net_cut(lw_state_net *net);
void lw_state_net_uncut(lw_state_net *net);

/* The twin's watch: has the entry compared. */
void lw_state_net_twin_wrote(void *ctx, lw_structure s, uint32_t index);

#endif
