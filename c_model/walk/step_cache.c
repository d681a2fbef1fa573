#include "c_model/walk/step_cache.h"

#define KEY_VALID (UINT64_C(1) << 63)

static uint32_t index_bits(const lw_step_cache *c) {
    return (uint32_t)__builtin_ctz(c->cfg->hw.pwc_entries);
}

static uint32_t index_of(const lw_step_cache *c, uint64_t key) {
    return (uint32_t)(key >> c->cfg->group_shift) & (c->cfg->hw.pwc_entries - 1);
}

/* {VALID, PASID, TAG} of the entry of a key. */
static uint64_t key_word(const lw_step_cache *c, uint64_t key) {
    const uint64_t tag = lw_key_vpn(key) >> (c->cfg->group_shift + index_bits(c));
    return KEY_VALID | lw_key(lw_key_pasid(key), tag);
}

/* A group whose region is absent is no hit: it may have been given a slot since. */
int32_t lw_step_cache_find(const lw_step_cache *c, uint64_t key) {
    const uint32_t i = index_of(c, key);
    if (c->key[i] != key_word(c, key) || !lw_group_present(c->cfg, c->steps[i], key)) {
        return LW_NONE;
    }
    return (int32_t)lw_group_step(c->cfg, c->steps[i], key);
}

uint16_t lw_step_cache_contig(const lw_step_cache *c, uint64_t key) {
    return lw_group_contig(c->cfg, &c->contigs[index_of(c, key)], key);
}

void lw_step_cache_write(lw_step_cache *c, uint64_t key, const lw_step_entry *entry) {
    const uint32_t i = index_of(c, key);
    c->key[i] = key_word(c, key);
    c->steps[i] = entry->steps;
    c->contigs[i] = entry->contigs;
    lw_touch(c->watch, LW_S_STEP_CACHE, i);
}

void lw_step_cache_mark(lw_step_cache *c, const lw_mark *mark) {
    for (uint32_t i = 0; i < c->cfg->hw.pwc_entries; i++) {
        const uint32_t pasid = lw_key_pasid(c->key[i] & ~KEY_VALID);
        if ((c->key[i] & KEY_VALID) != 0 && lw_mark_meets(mark, pasid)) {
            c->key[i] &= ~KEY_VALID;
            lw_touch(c->watch, LW_S_STEP_CACHE, i);
        }
    }
}
