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
    *c = (lw_control){.cfg = cfg, .watch = watch};
}

/* R9.1, R12.2 */
void lw_control_derive(lw_control *c) {
    const uint32_t mode = c->features & 3;
    c->takes_part = UINT32_C(0xfe); /* full, and 3 counts as full */
    if (mode == MODE_OFF || c->cfg->hw.coalesce == 0) {
        c->takes_part = 0;
    } else if (mode == MODE_LEAF) {
        c->takes_part = UINT32_C(1) << 1;
    }
    c->pwc_enable = (c->features & 4) != 0;
    c->pl_skips_pwc = (c->features & 8) != 0;
    c->subregion_enable = (c->features & SUBREGION_ENABLE) != 0;
    c->colt_enable = (c->features & COLT_ENABLE) != 0;
    c->contig_mask = c->subregion_enable ? LW_CONTIG_AC | LW_CONTIG_C : 0;
}

static uint64_t shown_at(const lw_control *c, const lw_counters *counters, uint32_t addr) {
    if (addr >= LW_CTL_ROOT) {
        const uint32_t pasid = addr - LW_CTL_ROOT;
        return pasid < c->cfg->hw.pasids ? c->root[pasid] : 0;
    }
    if (addr >= LW_CTL_COUNTER && addr < LW_CTL_COUNTER + LW_COUNTERS) {
        return lw_counters_count(counters, addr - LW_CTL_COUNTER);
    }
    switch (addr) {
    case LW_CTL_FEATURES:
        return c->features;
    case LW_CTL_FAULT_INFO:
        return c->fault_info;
    case LW_CTL_FAULT_PAGE:
        return c->fault_page;
    default:
        return 0;
    }
}

void lw_control_read(lw_control *c, const lw_counters *counters, uint32_t addr) {
    const uint64_t shown = shown_at(c, counters, addr);
    if (shown != c->rdata) {
        c->rdata = shown;
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
        c->features = (uint8_t)(data & writable(c->cfg));
        lw_control_derive(c);
        lw_touch(c->watch, LW_S_CONTROL, 0);
    } else if (addr >= LW_CTL_ROOT && addr - LW_CTL_ROOT < c->cfg->hw.pasids) {
        c->root[addr - LW_CTL_ROOT] = data & (UINT64_C(1) << 63 | c->cfg->pfn_mask);
        lw_touch(c->watch, LW_S_ROOT, addr - LW_CTL_ROOT);
    }
}
