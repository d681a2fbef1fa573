#include "c_model/reach/msc.h"

#include "c_model/base/ranks.h"

#define KEY_VALID (UINT64_C(1) << 63)

enum { FRAME_OF_VSN = LW_FRAME_SHIFT - LW_SUBREGION_SHIFT };

void lw_msc_init(lw_msc *m, const lw_config *cfg, const lw_watch *watch) {
    *m = (lw_msc){.cfg = cfg, .watch = watch, .written = LW_NONE};
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

/* The way of the set that holds the frame, or LW_NONE. */
static int32_t find(const lw_msc *m, const lw_msc_key *key) {
    const uint64_t wanted = key_word(m, key->pasid, key->vsn);
    const uint32_t ways = m->cfg->hw.msc_ways, first = set_of(m, key->vsn) * ways;
    for (uint32_t w = 0; w < ways; w++) {
        if (m->key[first + w] == wanted) {
            return (int32_t)w;
        }
    }
    return LW_NONE;
}

static void touch(lw_msc *m, uint32_t entry) {
    const uint32_t ways = m->cfg->hw.msc_ways, set = entry / ways;
    m->ranks[set] = lw_rank_touch(m->ranks[set], entry % ways);
    lw_touch_all(m->watch, LW_S_MSC_RANK, set * ways, ways);
}

bool lw_msc_at_rest(const lw_msc *m) {
    return !m->sweep && m->swept == 0;
}

bool lw_msc_is_busy(const lw_msc *m) {
    return m->place.touch || !lw_msc_at_rest(m);
}

static void load_place(lw_msc *m, uint32_t way, bool write) {
    m->place = (lw_msc_place){.touch = true, .write = write, .way = (uint8_t)way};
    lw_touch(m->watch, LW_S_MSC_PLACE, 0);
}

void lw_msc_settle(lw_msc *m, const lw_msc_key *key, uint8_t map) {
    if (!m->place.touch) {
        return;
    }
    const uint32_t e = set_of(m, key->vsn) * m->cfg->hw.msc_ways + m->place.way;
    if (m->place.write) {
        m->written = (int32_t)e;
        m->key[e] = key_word(m, key->pasid, key->vsn);
        m->node[e] = key->node;
        m->map[e] = map;
        lw_touch(m->watch, LW_S_MSC, e);
    }
    touch(m, e);
    m->place.touch = false;
    lw_touch(m->watch, LW_S_MSC_PLACE, 0);
}

bool lw_msc_lookup(lw_msc *m, const lw_msc_key *key, uint8_t *map) {
    const int32_t way = find(m, key);
    const uint32_t first = set_of(m, key->vsn) * m->cfg->hw.msc_ways;
    if (way == LW_NONE || m->node[first + (uint32_t)way] != key->node) {
        return false;
    }
    *map = m->map[first + (uint32_t)way];
    load_place(m, (uint32_t)way, false);
    return true;
}

void lw_msc_fill(lw_msc *m, const lw_msc_key *key) {
    const uint32_t ways = m->cfg->hw.msc_ways, set = set_of(m, key->vsn);
    int32_t way = find(m, key);
    for (uint32_t w = 0; w < ways && way == LW_NONE; w++) {
        way = (m->key[set * ways + w] & KEY_VALID) == 0 ? (int32_t)w : LW_NONE;
    }
    load_place(m, way != LW_NONE ? (uint32_t)way : lw_rank_highest(m->ranks[set], ways), true);
}

/* R16.20 */
static void clear_swept(lw_msc *m) {
    for (uint32_t ways = m->swept; ways != 0; ways &= ways - 1) {
        const uint32_t e = m->swept_set * m->cfg->hw.msc_ways + (uint32_t)__builtin_ctz(ways);
        m->key[e] &= ~KEY_VALID;
        lw_touch(m->watch, LW_S_MSC, e);
    }
}

/* R16.12 */
static bool matches(const lw_msc *m, uint32_t entry, uint32_t set, const lw_sweep *by) {
    const uint64_t key = m->key[entry] & ~KEY_VALID;
    const uint64_t first = (lw_key_vpn(key) << m->cfg->msc_set_bits | set) << LW_FRAME_SHIFT;
    return key != m->key[entry] &&
           lw_sweep_matches(by, lw_key_pasid(key), first, first | lw_reach_mask(LW_REACH_FRAME));
}

static uint16_t swept_ways(const lw_msc *m, const lw_sweep *by) {
    const uint32_t ways = m->cfg->hw.msc_ways, set = m->sweep_set;
    uint32_t swept = 0;
    for (uint32_t w = 0; w < ways; w++) {
        const uint32_t e = set * ways + w;
        swept |= (uint32_t)((int32_t)e != m->written && matches(m, e, set, by)) << w;
    }
    return (uint16_t)swept;
}

void lw_msc_sweep(lw_msc *m, const lw_sweep *by) {
    if (!by->valid && lw_msc_at_rest(m) && m->written == LW_NONE) {
        return;
    }
    const bool here = m->sweep && m->sweep_set < m->cfg->msc_sets;
    const uint16_t swept = here ? swept_ways(m, by) : 0; /* before what the last one found goes */
    clear_swept(m);
    m->swept = swept;
    if (here) {
        m->swept_set = m->sweep_set;
    }
    m->sweep = by->valid;
    if (by->valid) {
        m->sweep_set = by->set;
    }
    m->written = LW_NONE;
    lw_touch(m->watch, LW_S_MSC_SWEEP, 0);
}
