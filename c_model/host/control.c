#include "c_model/host/control.h"

enum { MODE_OFF = 0, MODE_LEAF = 1 };

enum { SUBREGION_ENABLE = 1 << 4, COLT_ENABLE = 1 << 5, HOME_FIRST = 1 << 6 };

/* The 18 bits of STRIDE (R21.16). */
#define STRIDE_BITS ((UINT32_C(1) << 18) - 1)

static bool has_hashed_tables(const lw_config *cfg) {
    return cfg->hw.pwc_org == LW_PWC_OF_STEPS;
}

/* R12.2: bits 4 to 6 are there with subregions, with CoLT and with hashed tables only. */
static uint32_t writable(const lw_config *cfg) {
    return 0xf | (cfg->hw.subregions != 0 ? SUBREGION_ENABLE : 0) |
           (cfg->hw.colt != LW_COLT_NONE ? COLT_ENABLE : 0) |
           (has_hashed_tables(cfg) ? HOME_FIRST : 0);
}

#define FAULT_VALID (UINT64_C(1) << 63)

void lw_control_init(lw_control *c, const lw_config *cfg, const lw_watch *watch) {
    *c = (lw_control){.cfg = cfg, .watch = watch, .roots.pasids = cfg->hw.pasids};
}

/* R9.1, R12.2 */
void lw_control_derive(lw_control *c) {
    lw_features *f = &c->features;
    const uint32_t mode = c->feature_bits & 3;
    f->takes_part = UINT32_C(0xfe); /* full, and 3 counts as full */
    if (mode == MODE_OFF || c->cfg->hw.coalesce == 0) {
        f->takes_part = 0;
    } else if (mode == MODE_LEAF) {
        f->takes_part = UINT32_C(1) << 1;
    }
    f->pwc_enable = (c->feature_bits & 4) != 0;
    f->pl_skips_pwc = (c->feature_bits & 8) != 0;
    f->subregion_enable = (c->feature_bits & SUBREGION_ENABLE) != 0;
    f->colt_enable = (c->feature_bits & COLT_ENABLE) != 0;
    f->home_first = (c->feature_bits & HOME_FIRST) != 0;
    f->contig_mask = f->subregion_enable ? LW_CONTIG_AC | LW_CONTIG_C : 0;
}

/* R12.2, R21.16: the registers that there are one of for each PASID. */
typedef struct pasid_register {
    uint64_t *word;    /* NULL: the address names none */
    uint64_t writable; /* its bits */
    uint64_t guard;    /* R12.8: 0, or the bit that is written alone where it is written zero */
    lw_structure structure;
    uint32_t pasid;
} pasid_register;

static pasid_register pasid_register_at(lw_control *c, uint32_t addr) {
    const bool hashed = has_hashed_tables(c->cfg);
    const uint64_t frame = c->cfg->pfn_mask, valid = UINT64_C(1) << 63;
    const uint64_t hash = UINT64_C(1) << LW_ROOT_HASHED;
    const uint64_t log = (uint64_t)LW_ROOT_LOG_MAX << LW_ROOT_LOG;
    const struct {
        uint32_t first;
        uint64_t *words, writable, guard;
        lw_structure structure;
        bool there;
    } sets[] = {
        {LW_CTL_ROOT, c->roots.root, frame | valid | (hashed ? hash | log : 0), valid, LW_S_ROOT,
         true},
        {LW_CTL_STEP, c->roots.step, frame | log, 0, LW_S_TABLE, hashed},
        {LW_CTL_VICTIM, c->roots.victim, frame | valid, 0, LW_S_TABLE, hashed},
    };
    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const uint32_t pasid = addr - sets[i].first; /* below the first it wraps */
        if (sets[i].there && pasid < c->cfg->hw.pasids) {
            return (pasid_register){sets[i].words + pasid, sets[i].writable, sets[i].guard,
                                    sets[i].structure, pasid};
        }
    }
    return (pasid_register){.word = NULL};
}

static uint64_t shown(lw_control *c, uint64_t count) {
    uint32_t number;
    if (lw_control_reads_counter(c, &number)) {
        return count;
    }
    if (c->addr >= LW_CTL_ROOT) {
        const pasid_register r = pasid_register_at(c, c->addr);
        return r.word != NULL ? *r.word : 0;
    }
    switch (c->addr) {
    case LW_CTL_FEATURES:
        return c->feature_bits;
    case LW_CTL_FAULT_INFO:
        return c->fault_info;
    case LW_CTL_FAULT_PAGE:
        return c->fault_page;
    case LW_CTL_STRIDE:
        return c->roots.stride;
    default:
        return 0;
    }
}

void lw_control_read(lw_control *c, uint64_t count, uint32_t next) {
    const uint64_t rdata = shown(c, count);
    if (rdata != c->rdata || next != c->addr) {
        c->rdata = rdata;
        c->addr = next;
        lw_touch(c->watch, LW_S_CONTROL, 0);
    }
}

void lw_control_record(lw_control *c, const lw_fault *hit, const lw_fault *walk, bool clear) {
    const lw_fault *first = hit->kind != LW_OK ? hit : walk;
    const bool record = first->kind != LW_OK && (c->fault_info & FAULT_VALID) == 0;
    if (record) { /* R12.3, R12.4 */
        c->fault_info = FAULT_VALID | first->kind | (uint64_t)first->level << 4 |
                        (uint64_t)first->access << 8 | (uint64_t)first->pasid << 16 |
                        (uint64_t)first->src << 36;
        c->fault_page = first->page;
    } else if (clear) {
        c->fault_info = 0;
        c->fault_page = 0;
    }
    lw_touch(c->watch, LW_S_CONTROL, 0);
}

void lw_control_write(lw_control *c, uint32_t addr, uint64_t data) {
    if (addr == LW_CTL_FEATURES) {
        c->feature_bits = (uint8_t)(data & writable(c->cfg));
        lw_control_derive(c);
        lw_touch(c->watch, LW_S_CONTROL, 0);
    } else if (addr == LW_CTL_STRIDE && has_hashed_tables(c->cfg)) {
        c->roots.stride = data & STRIDE_BITS;
        lw_touch(c->watch, LW_S_CONTROL, 0);
    } else {
        const pasid_register r = pasid_register_at(c, addr);
        if (r.word != NULL) {
            *r.word = (data & r.guard) == r.guard ? data & r.writable : *r.word & ~r.guard;
            lw_touch(c->watch, r.structure, r.pasid);
        }
    }
}
