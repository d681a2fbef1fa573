/* The flat walk: what an x86-64 page-table walk of a memory image answers, with no notion of time.
 *
 * It states the architecture anew (Intel SDM vol. 3A section 4.5, with the order of checks of R1.6
 * in docs/architecture/01-addresses-and-ports.md) and shares nothing with the model, the RTL or the
 * code that builds the tables, so that a mistake of theirs cannot be its own. Memory comes by
 * callback.
 *
 * With MESC's contiguity bits (R1.10 to R1.12) a page of a contiguous frame or subregion *is* where
 * the head's entry puts it: that is what the bits say, also where an OS sets them wrongly.
 *
 * Where entries have changed and the change is not yet invalidated, a reader may have any of the
 * values an entry had since: such an image gives a set of right answers (lw_flat_walk_may). Two
 * times bound it: no value that ended before `since` is known to anybody, and a fault is nothing
 * that anybody keeps, so what refuses must have stood in memory at `asked` or later. */
#ifndef LW_ORACLE_FLAT_WALK_H
#define LW_ORACLE_FLAT_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum lw_oracle_kind {
    LW_ORACLE_OK = 0,
    LW_ORACLE_NONCANONICAL = 1,
    LW_ORACLE_UNKNOWN_PASID = 2,
    LW_ORACLE_NOT_PRESENT = 3,
    LW_ORACLE_RESERVED = 4,
    LW_ORACLE_MISALIGNED = 5,
    LW_ORACLE_PERMISSION = 6,
    LW_ORACLE_MEMORY_ERROR = 7
} lw_oracle_kind;

/* level: of the entry that ended the walk, 1 (leaf) .. 5, 6: R20.14; 0 for kinds 0
 * to 2.
 * pfn, size, w, x have a meaning for LW_ORACLE_OK only, and are zero otherwise. */
typedef struct lw_oracle_answer {
    uint32_t kind; /* lw_oracle_kind */
    uint32_t level;
    uint64_t pfn;  /* frame of the 4 KiB page asked for */
    uint32_t size; /* 0: 4 KiB, 1: 2 MiB, 2: 1 GiB, 3: 64 KiB */
    bool w, x;     /* every level allows writing, executing */
    uint32_t
        links; /* CoLT: bit i joins the pages of places i and i+1 of the aligned group of four */
} lw_oracle_answer;

typedef struct lw_flat_walk_query {
    uint32_t levels;       /* 4 or 5 */
    uint32_t pa_width;     /* 32..52 bits */
    bool has_root;         /* false: the PASID is unknown */
    uint64_t root;         /* frame of the root node */
    uint64_t page_number;  /* VA[63:12] */
    uint32_t access;       /* bit 1: execute, else bit 0: write, else read */
    bool subregions;       /* level-2 entries carry MESC's contiguity bits */
    bool head_first;       /* level-1 nodes have the layout of R1.13 */
    bool size_hints;       /* entries of level 1 say how large their page is (R20.4) */
    uint64_t since, asked; /* lw_flat_walk_may: old values that ended before are not used */
    bool beside;           /* lw_flat_walk_may: the answer is that of another table of the same
                            * mappings, whose levels and sizes are its own */
} lw_flat_walk_query;

/* What an entry was, and the time at which it was replaced. */
typedef struct lw_flat_old {
    uint64_t value, until;
} lw_flat_old;

/* The image. `read64(ctx, pa)` is the word at a byte address that is a multiple of 8. The next two
 * are used by lw_flat_walk_may only and may be NULL: `old64(ctx, pa, n, &old)` gives the n-th
 * earlier value of that word (n = 0, 1, ..), false past the last; `line_may_fail(ctx, pa >> 6)`
 * tells whether the environment may have answered a read of that line with an error; of an answer
 * MEMORY_ERROR it is asked for every line that may have been read then. */
typedef struct lw_flat_image {
    uint64_t (*read64)(void *ctx, uint64_t pa);
    bool (*old64)(void *ctx, uint64_t pa, size_t n, lw_flat_old *old);
    bool (*line_may_fail)(void *ctx, uint64_t line_address);
    void *ctx;
} lw_flat_image;

/* The answer over the image as it is now. */
lw_oracle_answer lw_flat_walk(const lw_flat_image *image, const lw_flat_walk_query *query);

/* Whether the query is refused before anything is read, and the answer then. */
bool lw_flat_walk_unread(const lw_flat_walk_query *query, lw_oracle_answer *answer);

/* A node of level 1 at `frame`, come to with all permissions: where the entry lies that puts the
 * page where it is, its own, or that of the first of the 2^run_bits pages around it; and the answer
 * that this entry gives. */
uint64_t lw_flat_leaf_address(const lw_flat_walk_query *query, uint64_t frame, uint32_t run_bits);
lw_oracle_answer lw_flat_leaf_answer(const lw_flat_walk_query *query, uint64_t entry,
                                     uint32_t run_bits);

/* Whether `answer` is right for a walk that sees at each entry it reads either the present value or
 * an earlier one that the query's times allow, and for which a line that may fail may have failed.
 */
bool lw_flat_walk_may(const lw_flat_image *image, const lw_flat_walk_query *query,
                      const lw_oracle_answer *answer);

/* Equal in kind, level, pfn, size, W and X: a fault has zeros where it has no meaning. Links are
 * not compared. */
bool lw_oracle_answer_equal(const lw_oracle_answer *a, const lw_oracle_answer *b);

/* "NOT_PRESENT"; "?" for a number that is no kind. */
const char *lw_oracle_kind_name(uint32_t kind);

#endif
