#include "c_model/reach/msc.h"

#include "c_model/base/ranks.h"

#define KEY_VALID (UINT64_C(1) << 63)

enum { FRAME_OF_VSN = LW_FRAME_SHIFT - LW_SUBREGION_SHIFT };

void lw_msc_init(lw_msc *m, const lw_config *cfg, const lw_watch *watch) {
    *m = (lw_msc){.cfg = cfg, .watch = watch};
    for (uint32_t s = 0; s < cfg->msc_sets; s++) {
        m->ranks[s] = LW_RANKS_RESET;
    }
}

static uint32_t set_of(const lw_msc *m, uint64_t vsn) {
    return (uint32_t)(vsn >> FRAME_OF_VSN) & (m->cfg->msc_sets - 1);
}

static uint64_t key_word(const lw_msc *m, uint32_t pasid, uint64_t vsn) {
    return KEY_VALID | lw_key(pasid, vsn >> FRAME_OF_VSN >> m->cfg->msc_set_bits);
}

static int32_t find(const lw_msc *m, uint32_t pasid, uint64_t vsn) {
    const uint64_t wanted = key_word(m, pasid, vsn);
    const uint32_t ways = m->cfg->hw.msc_ways, first = set_of(m, vsn) * ways;
    for (uint32_t e = first; e < first + ways; e++) {
        if (m->key[e] == wanted) {
            return (int32_t)e;
        }
    }
    return LW_NONE;
}

static void touch(lw_msc *m, uint32_t entry) {
    const uint32_t ways = m->cfg->hw.msc_ways, set = entry / ways;
    m->ranks[set] = lw_rank_touch(m->ranks[set], entry % ways);
    for (uint32_t w = 0; w < ways && m->watch->written != NULL; w++) {
        lw_touch(m->watch, LW_S_MSC_RANK, set * ways + w);
    }
}

bool lw_msc_lookup(lw_msc *m, uint32_t pasid, uint64_t vsn, uint64_t node, uint8_t *map) {
    const int32_t e = find(m, pasid, vsn);
    if (e == LW_NONE || m->node[e] != node) {
        return false;
    }
    *map = m->map[e];
    touch(m, (uint32_t)e);
    return true;
}

static uint32_t victim(const lw_msc *m, uint32_t pasid, uint64_t vsn) {
    const int32_t same = find(m, pasid, vsn);
    if (same != LW_NONE) {
        return (uint32_t)same;
    }
    const uint32_t ways = m->cfg->hw.msc_ways, set = set_of(m, vsn);
    for (uint32_t e = set * ways; e < (set + 1) * ways; e++) {
        if ((m->key[e] & KEY_VALID) == 0) {
            return e;
        }
    }
    return set * ways + lw_rank_highest(m->ranks[set], ways);
}

void lw_msc_fill(lw_msc *m, uint32_t pasid, uint64_t vsn, uint64_t node, uint8_t map) {
    const uint32_t e = victim(m, pasid, vsn);
    m->key[e] = key_word(m, pasid, vsn);
    m->node[e] = node;
    m->map[e] = map;
    lw_touch(m->watch, LW_S_MSC, e);
    touch(m, e);
}

static void sweep_set(lw_msc *m, const lw_sweep *by) {
    const uint32_t ways = m->cfg->hw.msc_ways, set = m->sweep_set;
    for (uint32_t e = set * ways; e < (set + 1) * ways && set < m->cfg->msc_sets; e++) {
        const uint64_t key = m->key[e] & ~KEY_VALID;
        const uint64_t frame = lw_key_vpn(key) << m->cfg->msc_set_bits | set;
        const uint64_t first = frame << LW_FRAME_SHIFT;
        if (key != m->key[e] &&
            lw_sweep_matches(by, lw_key_pasid(key), first, first | lw_reach_mask(LW_REACH_FRAME))) {
            m->key[e] = key;
            lw_touch(m->watch, LW_S_MSC, e);
        }
    }
}

void lw_msc_sweep(lw_msc *m, const lw_sweep *by) {
    if (m->sweep) {
        sweep_set(m, by);
    }
    m->sweep = by->valid;
    if (by->valid) {
        m->sweep_set = by->set;
    }
    lw_touch(m->watch, LW_S_MSC_SWEEP, 0);
}
