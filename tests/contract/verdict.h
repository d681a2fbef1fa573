/* What a PTE means (chapter 1 of the contract), once more and from the document alone. */
#ifndef LW_TESTS_CONTRACT_VERDICT_H
#define LW_TESTS_CONTRACT_VERDICT_H

#include "c_model/base/ports.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_PTE_P (UINT64_C(1) << 0)
#define LW_PTE_RW (UINT64_C(1) << 1)
#define LW_PTE_US (UINT64_C(1) << 2)
#define LW_PTE_PS (UINT64_C(1) << 7)
#define LW_PTE_AC (UINT64_C(1) << 60)
#define LW_PTE_NX (UINT64_C(1) << 63)
enum { LW_PTE_SIZE = 9, LW_PTE_FRAME = 12, LW_PTE_C = 52 };

enum { LW_PERM_W = 1, LW_PERM_X = 2, LW_PERM_ALL = 3 };

typedef struct lw_verdict {
    lw_kind kind; /* LW_OK: it does not refuse */
    bool leaf;    /* else a node */
    uint64_t frame;
    uint32_t perm;       /* what the PTE alone permits */
    uint32_t size;       /* of a leaf */
    uint32_t place_bits; /* of a large page: so many low bits of the frame are the VPN's */
    bool all_contiguous; /* AC */
    uint32_t contiguous; /* C7..C0 */
} lw_verdict;

lw_verdict lw_judge_pte(uint64_t pte, uint32_t level, uint32_t access, uint32_t pa_width);

/* R20.5: at level 1 of a hashed table, for this page; `head`: it answers for others too. */
lw_verdict lw_judge_sized(uint64_t pte, uint64_t vpn, bool head, uint32_t access,
                          uint32_t pa_width);

/* Where R1.13 puts the PTE of index i of a level-1 node. */
uint32_t lw_head_first_index(uint32_t index);

static inline bool lw_perm_grants(uint32_t perm, uint32_t access) {
    return access == 0 || (access >= 2 ? perm & LW_PERM_X : perm & LW_PERM_W) != 0;
}

const char *lw_kind_text(uint32_t kind);
const char *lw_access_text(uint32_t access);

#endif
