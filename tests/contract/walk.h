/* All walks that the page tables of a window allow: from each value that the root had, over each
 * that a PTE had. */
#ifndef LW_TESTS_CONTRACT_WALK_H
#define LW_TESTS_CONTRACT_WALK_H

#include "tests/contract/verdict.h"
#include "tests/contract/world.h"

typedef enum lw_reach_kind { LW_LINE, LW_SUBREGION, LW_FRAME } lw_reach_kind;

/* What is asked of the walks. */
typedef struct lw_question {
    const lw_world *w;
    const lw_request *q;
    const lw_group *group;
    uint64_t vpn, from, faults_from, to; /* cycles: of what leads on, of what refuses */
    bool links_count;
    /* what explained the answer */
    lw_reach_kind reach;
    uint64_t newest_end, oldest_start; /* over the versions of the walk */
} lw_question;

/* Whether some walk ends as the unit has answered (w->out). */
bool lw_walk_explains(lw_question *a);

/* One walk's place on its way. */
typedef struct lw_walk_at {
    uint32_t level, perm;
    uint64_t frame;
    lw_reach_kind reach; /* at level 1 */
    uint32_t slot_line;  /* of a slot that is a line (R20.31): 1 + its place in the frame, else 0 */
} lw_walk_at;

/* R20.31: where such a slot has the page's PTE. */
static inline uint32_t lw_walk_in_line(const lw_walk_at *at, uint64_t vpn) {
    return (at->slot_line - 1) * 8 + (uint32_t)lw_low(vpn, 3);
}

/* What a PTE that is read there says of the page. */
lw_verdict lw_walk_judge(const lw_question *a, const lw_walk_at *at, uint64_t pte, uint32_t access);
/* The physical index of the PTE that is read there. */
uint32_t lw_walk_index(const lw_question *a, const lw_walk_at *at);
/* Where the walk goes on from a node that was read there. */
lw_walk_at lw_walk_below(const lw_question *a, const lw_walk_at *at, const lw_verdict *v);
/* What a leaf that was read there says of the page. */
uint64_t lw_walk_pfn(const lw_question *a, const lw_walk_at *at, const lw_verdict *v);

/* Whether the links of the answer are true of the line in which this leaf lies: each that is set,
 * by values of the windows of its two pages. */
bool lw_walk_links(const lw_question *a, const lw_walk_at *at, uint64_t leaf);

/* Prints the words on all the walks, with their versions. */
void lw_walk_print(const lw_question *a);
/* The cycles of a version's life. */
void lw_walk_print_life(const lw_version *v);

#endif
