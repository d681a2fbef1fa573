#include "c_model/host/control.h"

enum { MODE_OFF = 0, MODE_LEAF = 1 };

enum { SUBREGION_ENABLE = 1 << 4, COLT_ENABLE = 1 << 5 };

/* R12.2: bits 4 and 5 are there with subregions and with CoLT only. */
static uint32_t writable(const lw_config *cfg) {
    return 0xf | (cfg->hw.subregions != 0 ? SUBREGION_ENABLE : 0) |
           (cfg->hw.colt != LW_COLT_NONE ? COLT_ENABLE : 0);
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
    f->contig_mask = f->subregion_enable ? LW_CONTIG_AC | LW_CONTIG_C : 0;
}

static uint64_t shown(const lw_control *c, uint64_t count) {
    uint32_t number;
    if (lw_control_reads_counter(c, &number)) {
        return count;
    }
    if (c->addr >= LW_CTL_ROOT) {
        const uint32_t pasid = c->addr - LW_CTL_ROOT;
        return pasid < c->cfg->hw.pasids ? c->roots.root[pasid] : 0;
    }
    switch (c->addr) {
    case LW_CTL_FEATURES:
        return c->feature_bits;
    case LW_CTL_FAULT_INFO:
        return c->fault_info;
    case LW_CTL_FAULT_PAGE:
        return c->fault_page;
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
    } else if (addr >= LW_CTL_ROOT && addr - LW_CTL_ROOT < c->cfg->hw.pasids) {
        c->roots.root[addr - LW_CTL_ROOT] = data & (UINT64_C(1) << 63 | c->cfg->pfn_mask);
        lw_touch(c->watch, LW_S_ROOT, addr - LW_CTL_ROOT);
    }
}
