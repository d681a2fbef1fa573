#include "c_model/walk/step_line.h"

#include <stddef.h>

enum { LINE_WORDS = 8, PASID_AT = 32, AC_AT = 43, AC_BITS = 0xffff };

/* R20.8: the first word of the entry of a group, but for what R20.27 puts into it. */
static uint64_t word_of(const lw_config *cfg, uint64_t key) {
    return UINT64_C(1) << 63 | (uint64_t)lw_key_pasid(key) << PASID_AT |
           lw_key_vpn(key) >> cfg->group_shift;
}

bool lw_step_line_find(const lw_config *cfg, const uint64_t line[8], uint64_t key,
                       lw_step_entry *out) {
    const bool contiguous = cfg->hw.subregions != 0;
    const size_t words = contiguous ? 4 : 2; /* of an entry */
    const uint64_t ac = contiguous ? (uint64_t)AC_BITS << AC_AT : 0, word = word_of(cfg, key);
    for (const uint64_t *e = line; e < line + LINE_WORDS; e += words) {
        if ((e[0] & ~ac) == word) {
            *out = (lw_step_entry){.steps = e[1]};
            if (contiguous) {
                out->contigs = (lw_step_contigs){e[0] >> AC_AT & AC_BITS, {e[2], e[3]}};
            }
            return true;
        }
    }
    *out = (lw_step_entry){.steps = 0};
    return false;
}
