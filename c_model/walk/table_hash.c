#include "c_model/walk/table_hash.h"

#include "c_model/walk/step_line.h"

/* R20.6: MULTIPLIER, 0x4F1BBCD, in two halves (R21.5). */
enum { LOW_MULTIPLIER = 0x3bcd, HIGH_MULTIPLIER = 0x13c6, HIGH_SHIFT = 14 };
#define PLACES ((UINT32_C(1) << LW_HASH_BITS) - 1)

uint32_t lw_hash_number(uint64_t n, uint32_t pasid) {
    const uint64_t k = n ^ (n >> LW_HASH_BITS & 0x1ff) << 9 ^ (uint64_t)pasid << 18;
    return (uint32_t)(k & PLACES);
}

void lw_table_hash_choose(lw_table_hash *h, const lw_roots *roots, uint64_t key, uint32_t where,
                          uint32_t step) {
    const bool bucket = where == LW_WHERE_STEPS;
    const uint32_t pasid = lw_key_pasid(key);
    const uint64_t of = (bucket ? roots->step : roots->root)[pasid % LW_PASIDS_MAX];
    const uint64_t n = lw_key_vpn(key) >> (bucket ? h->cfg->group_shift : h->cfg->region_shift);
    h->chosen = (lw_hash_chosen){.frame = lw_root_frame(of),
                                 .number = lw_hash_number(n, pasid),
                                 .where = (uint8_t)where,
                                 .step = (uint8_t)step,
                                 .log = (uint8_t)lw_root_log(of)};
    lw_touch(h->watch, LW_S_HASH, 0);
}

/* R20.7: a step is STRIDE slots, of which 2^LOG fill the hash's 27 bits. */
void lw_table_hash_multiply(lw_table_hash *h, uint32_t stride) {
    const lw_hash_chosen *c = &h->chosen;
    const uint32_t shift = c->log < LW_HASH_BITS ? LW_HASH_BITS - c->log : 0;
    const uint64_t low = (uint64_t)c->number * LOW_MULTIPLIER;
    const uint64_t high = (uint64_t)c->number * HIGH_MULTIPLIER << HIGH_SHIFT;
    const uint64_t offset = (uint64_t)c->step * stride << shift;
    h->product = (lw_hash_product){.frame = c->frame,
                                   .low = (uint32_t)(low & PLACES),
                                   .high = (uint32_t)(high & PLACES),
                                   .offset = (uint32_t)(offset & PLACES),
                                   .contig = c->contig,
                                   .where = c->where,
                                   .log = c->log};
    lw_touch(h->watch, LW_S_HASH, 0);
}

void lw_table_hash_add(lw_table_hash *h) {
    const lw_hash_product *p = &h->product;
    h->sum = (lw_hash_sum){.frame = p->frame,
                           .place = (p->low + p->high + p->offset) & PLACES,
                           .contig = p->contig,
                           .where = p->where,
                           .log = p->log};
    lw_touch(h->watch, LW_S_HASH, 0);
}

lw_hash_place lw_table_hash_place(const lw_table_hash *h) {
    const lw_hash_sum *s = &h->sum;
    const uint32_t dropped = s->log < LW_HASH_BITS ? LW_HASH_BITS - s->log : 0;
    const uint64_t index = s->place >> dropped;
    const bool bucket = s->where == LW_WHERE_STEPS;
    /* 64 buckets are a frame, and so are 64 slots that are lines (R20.31) */
    const uint32_t in_frame = bucket ? LW_BUCKET_LINE_BITS : LW_FRAME_SHIFT - h->cfg->region_shift;
    const uint32_t replaced = s->log > in_frame ? s->log - in_frame : 0;
    const uint64_t low = (UINT64_C(1) << replaced) - 1;
    const uint64_t node = (s->frame & ~low) | (index >> in_frame & low);
    return (lw_hash_place){.node = node & h->cfg->pfn_mask,
                           .where = s->where,
                           .bucket = index & ((1 << LW_BUCKET_LINE_BITS) - 1)};
}
