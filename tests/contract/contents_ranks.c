/* Ranks of replacement (R3.4, R6.4, R16.4): of each set, or table, a permutation. */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"

static void check(lw_contents *c, const char *name, lw_field rank, uint32_t entries,
                  uint32_t ways) {
    for (uint32_t first = 0; first < entries && !c->w->failed; first += ways) {
        uint64_t found = 0;
        for (uint32_t i = 0; i < ways; i++) {
            found |= UINT64_C(1) << lw_peek(c, rank, first + i);
        }
        if (found != UINT64_MAX >> (64 - ways)) {
            lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                    "%s[%u..%u] have no permutation of ranks: of 0..%u some are missing", name,
                    first, first + ways - 1, ways - 1);
        }
    }
}

void lw_contents_ranks(lw_contents *c) {
    const lw_params *hw = &c->w->hw;
    check(c, "TLB_RANK", LW_F_TLB_RANK_RANK, hw->tlb_entries, hw->tlb_ways);
    check(c, "PWC_RANK", LW_F_PWC_RANK_RANK, lw_structure_entries(hw, LW_S_PWC_RANK),
          hw->pwc_org == 0 ? hw->pwc_entries : hw->pwc_ways);
    check(c, "MSC_RANK", LW_F_MSC_RANK_RANK, lw_structure_entries(hw, LW_S_MSC_RANK), hw->msc_ways);
}
