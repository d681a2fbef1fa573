#include "c_model/base/slot_line.h"

enum { TAG_PASID = 36, PASID_BITS = 0x7ff, PIECE_AT = 57, PIECE_BITS = 6 };

/* R20.2, R20.32 */
static uint64_t tag_of(const lw_config *cfg, uint64_t key) {
    return UINT64_C(1) << 47 | (uint64_t)(lw_key_pasid(key) & PASID_BITS) << TAG_PASID |
           lw_key_vpn(key) >> cfg->region_shift;
}

bool lw_slot_line_carries(const lw_config *cfg, const uint64_t line[8], uint64_t key) {
    const uint64_t tag = tag_of(cfg, key), piece = (UINT64_C(1) << PIECE_BITS) - 1;
    uint64_t other = 0;
    for (uint32_t j = 0; j < 8; j++) {
        other |= (line[j] >> PIECE_AT ^ tag >> (PIECE_BITS * j)) & piece;
    }
    return other == 0;
}
