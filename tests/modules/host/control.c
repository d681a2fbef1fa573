/* Control: reads and writes of every address that is one, faults of both queues, clears. */
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    CTL_WRITE,
    CTL_ADDR,
    CTL_WDATA,
    COUNTER,
    HIT_FAULT,
    HIT_KIND,
    HIT_LEVEL,
    HIT_ACCESS,
    HIT_PASID,
    HIT_SRC,
    HIT_PAGE,
    WALK_FAULT,
    WALK_KIND,
    WALK_LEVEL,
    WALK_ACCESS,
    WALK_PASID,
    WALK_SRC,
    WALK_PAGE
};
enum { CTL_RDATA, COUNTER_NUMBER, FEATURES, ROOT_VALID, ROOT_FRAME, TABLES };

static const lw_input inputs[] = {
    [CTL_WRITE] = {"ctl_write_i", LW_PERCENT, 40},
    [CTL_ADDR] = {"ctl_addr_i", LW_UNIFORM, 0},
    [CTL_WDATA] = {"ctl_wdata_i", LW_UNIFORM, 0},
    [COUNTER] = {"counter_i", LW_UNIFORM, 0},
    [HIT_FAULT] = {"hit_fault_i.valid", LW_PERCENT, 15},
    [HIT_LEVEL] = {"hit_fault_i.level", LW_IGNORED, 0},
    [HIT_KIND] = {"hit_fault_i.kind", LW_BELOW, 7},
    [HIT_ACCESS] = {"hit_fault_i.access", LW_UNIFORM, 0},
    [HIT_PASID] = {"hit_fault_i.pasid", LW_UNIFORM, 0},
    [HIT_SRC] = {"hit_fault_i.src", LW_UNIFORM, 0},
    [HIT_PAGE] = {"hit_fault_i.page", LW_UNIFORM, 0},
    [WALK_FAULT] = {"walk_fault_i.valid", LW_PERCENT, 15},
    [WALK_KIND] = {"walk_fault_i.kind", LW_BELOW, 7},
    [WALK_LEVEL] = {"walk_fault_i.level", LW_UNIFORM, 0},
    [WALK_ACCESS] = {"walk_fault_i.access", LW_UNIFORM, 0},
    [WALK_PASID] = {"walk_fault_i.pasid", LW_UNIFORM, 0},
    [WALK_SRC] = {"walk_fault_i.src", LW_UNIFORM, 0},
    [WALK_PAGE] = {"walk_fault_i.page", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [CTL_RDATA] = {"ctl_rdata_o", 0},    [COUNTER_NUMBER] = {"counter_number_o", 0},
    [FEATURES] = {"features_o", 0},      [ROOT_VALID] = {"roots_o.valid", 0},
    [ROOT_FRAME] = {"roots_o.frame", 0}, LW_TABLES(TABLES, "tables_o"),
};

static const lw_registers_of registers[] = {
    {LW_S_CONTROL, "", NULL}, {LW_S_ROOT, "", NULL}, {LW_S_TABLE, "", NULL}};

enum { NEIGHBOURS = 8 };

/* Mostly addresses that name something, and those just outside; a fault's kind is never OK. */
static void legal(lw_bench *b, lw_bits *in) {
    enum { PLACES = 6 };
    const uint32_t pasids = b->u->cfg.hw.pasids + NEIGHBOURS;
    const uint32_t from[PLACES] = {LW_CTL_FEATURES, LW_CTL_FAULT_INFO, LW_CTL_COUNTER,
                                   LW_CTL_ROOT,     LW_CTL_STEP,       LW_CTL_VICTIM};
    const uint32_t below[PLACES] = {
        LW_CTL_STRIDE + 2, 1, LW_COUNTERS + NEIGHBOURS, pasids, pasids, pasids};
    const uint32_t which = (uint32_t)lw_rng_below(&b->rng, PLACES + 1);
    if (which < PLACES) {
        in[CTL_ADDR].w[0] = from[which] + lw_rng_below(&b->rng, below[which]);
    }
    in[HIT_KIND].w[0]++;
    in[WALK_KIND].w[0]++;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    (void)in;
    const lw_control *c = &b->u->control;
    out[CTL_RDATA].w[0] = c->rdata;
    out[COUNTER_NUMBER].w[0] = c->addr & 0x3f;
    out[FEATURES].w[0] = c->feature_bits;
    lw_roots_at_port(b->u, &out[ROOT_VALID], &out[ROOT_FRAME]);
    lw_tables_at_port(b->u, &out[TABLES]);
}

static void step(lw_bench *b, const lw_bits *in) {
    lw_control *c = &b->u->control;
    const uint32_t addr = (uint32_t)in[CTL_ADDR].w[0];
    const bool write = in[CTL_WRITE].w[0] != 0, clear = write && addr == LW_CTL_FAULT_INFO;
    lw_fault hit = {.kind = LW_OK}, walk = {.kind = LW_OK};
    if (in[HIT_FAULT].w[0] != 0) {
        hit = (lw_fault){.kind = (uint8_t)in[HIT_KIND].w[0],
                         .access = (uint8_t)in[HIT_ACCESS].w[0],
                         .pasid = (uint32_t)in[HIT_PASID].w[0],
                         .src = (uint32_t)in[HIT_SRC].w[0],
                         .page = in[HIT_PAGE].w[0]};
    }
    if (in[WALK_FAULT].w[0] != 0) {
        walk = (lw_fault){.kind = (uint8_t)in[WALK_KIND].w[0],
                          .level = (uint8_t)in[WALK_LEVEL].w[0],
                          .access = (uint8_t)in[WALK_ACCESS].w[0],
                          .pasid = (uint32_t)in[WALK_PASID].w[0],
                          .src = (uint32_t)in[WALK_SRC].w[0],
                          .page = in[WALK_PAGE].w[0]};
    }
    lw_control_read(c, in[COUNTER].w[0], addr);
    if (clear || hit.kind != LW_OK || walk.kind != LW_OK) {
        lw_control_record(c, &hit, &walk, clear);
    }
    if (write) {
        lw_control_write(c, addr, in[CTL_WDATA].w[0]);
    }
}

const lw_module lw_module_control = {
    .top = "control",
    .parameters = "PfnW PasidW SrcW Subregions Colt Hashes",
    .inputs = inputs,
    .outputs = outputs,
    .registers = registers,
    .input_count = LW_COUNT(inputs),
    .output_count = LW_COUNT(outputs),
    .register_count = LW_COUNT(registers),
    .legal = legal,
    .outputs_of = outputs_of,
    .step = step,
};
