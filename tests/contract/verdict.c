#include "tests/contract/verdict.h"

static uint64_t bits(uint64_t value, uint32_t high, uint32_t low) {
    return value >> low & (UINT64_MAX >> (63 - (high - low)));
}

static lw_kind refusal(uint64_t pte, uint32_t level, uint32_t access, uint32_t pa_width) {
    const bool large = (pte & LW_PTE_PS) != 0;
    if ((pte & LW_PTE_P) == 0) {
        return LW_NOT_PRESENT;
    }
    if ((large && level >= 4) || (pa_width < 52 && bits(pte, 51, pa_width) != 0)) {
        return LW_RESERVED;
    }
    if (large &&
        ((level == 3 && bits(pte, 29, 13) != 0) || (level == 2 && bits(pte, 20, 13) != 0))) {
        return LW_MISALIGNED;
    }
    const bool execute = (access & 2) != 0;
    const bool write = !execute && (access & 1) != 0;
    if ((pte & LW_PTE_US) == 0 || (write && (pte & LW_PTE_RW) == 0) ||
        (execute && (pte & LW_PTE_NX) != 0)) {
        return LW_PERMISSION;
    }
    return LW_OK;
}

lw_verdict lw_judge_pte(uint64_t pte, uint32_t level, uint32_t access, uint32_t pa_width) {
    lw_verdict v = {.kind = refusal(pte, level, access, pa_width)};
    v.leaf = level == 1 || (pte & LW_PTE_PS) != 0;
    v.frame = bits(pte, pa_width - 1, LW_PTE_FRAME);
    v.perm = ((pte & LW_PTE_NX) == 0 ? LW_PERM_X : 0u) | ((pte & LW_PTE_RW) != 0 ? LW_PERM_W : 0u);
    v.size = v.leaf ? level - 1 : 0;
    v.place_bits = v.leaf ? 9 * (level - 1) : 0;
    if (level == 2 && !v.leaf) {
        v.all_contiguous = (pte & LW_PTE_AC) != 0;
        v.contiguous = (uint32_t)bits(pte, LW_PTE_C + 7, LW_PTE_C);
    }
    return v;
}

lw_verdict lw_judge_sized(uint64_t pte, uint64_t vpn, bool head, uint32_t access,
                          uint32_t pa_width) {
    static const struct { uint32_t size, bits; } sizes[] = {{0, 0}, {3, 4}, {1, 9}};
    lw_verdict v = lw_judge_pte(pte, 1, access, pa_width);
    const uint64_t size = bits(pte, LW_PTE_SIZE + 1, LW_PTE_SIZE);
    const bool earlier = v.kind == LW_NOT_PRESENT || v.kind == LW_RESERVED;
    if (size >= sizeof sizes / sizeof sizes[0] || (head && size != 0)) {
        v.kind = earlier ? v.kind : LW_RESERVED;
        return v;
    }
    v.size = sizes[size].size;
    const uint64_t below = (UINT64_C(1) << sizes[size].bits) - 1;
    if (!earlier && ((v.frame ^ vpn) & below) != 0) {
        v.kind = LW_MISALIGNED;
    }
    return v;
}

uint32_t lw_head_first_index(uint32_t index) {
    const uint32_t high = index >> 6, middle = index >> 3 & 7, low = index & 7;
    return middle == 0 ? low << 6 | high : index;
}

const char *lw_kind_text(uint32_t kind) {
    static const char *const names[] = {"OK",          "NONCANONICAL", "UNKNOWN_PASID",
                                        "NOT_PRESENT", "RESERVED",     "MISALIGNED",
                                        "PERMISSION",  "MEMORY_ERROR"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "of no kind";
}

const char *lw_access_text(uint32_t access) {
    static const char *const names[] = {"read", "write", "execute", "execute"};
    return names[access & 3];
}
