/* The whole unit on its buses: requests, invalidations and resets of the unit, page tables of
 * random lines that come over AXI4, accesses over AXI4-Lite (R19.22, R19.23). Inside the unit the
 * lockstep of the unit compares every register; here it is what leaves it. */
#include "c_model/iommu_axi.h"
#include "tests/modules/bus/axi_manager.h"
#include "tests/modules/bus/axi_memory.h"
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum {
    UNIT_RESET = LW_LITE_INPUTS,
    REQ_VALID,
    REQ_ID,
    REQ_SRC,
    REQ_PASID,
    REQ_PAGE,
    REQ_ACCESS,
    RSP_READY,
    INV_VALID,
    INV_TYPE,
    INV_PASID,
    INV_FIRST,
    INV_LAST,
    AR_READY,
    R_VALID,
    R_ID,
    R_DATA,
    R_RESP,
    R_LAST
};
enum {
    BUS_ERROR = LW_LITE_OUTPUTS,
    REQ_READY,
    RSP_VALID,
    RSP_ID,
    RSP_KIND,
    RSP_LEVEL,
    RSP_PFN,
    RSP_SIZE,
    RSP_PERM,
    INV_READY,
    INV_DONE,
    AR_VALID,
    AR_ID,
    AR_ADDR,
    AR_LEN,
    AR_SIZE,
    AR_BURST,
    AR_CACHE,
    AR_PROT,
    R_READY
};

/* Few pages, of several neighbourhoods at each level. */
#define PAGES UINT64_C(0x000008040201f)

static const lw_input inputs[] = {
    [LW_AW_VALID] = {"s_aw_valid_i", LW_PERCENT, 30},
    [LW_AW_ADDR] = {"s_aw_addr_i", LW_UNIFORM, 0},
    [LW_W_VALID] = {"s_w_valid_i", LW_PERCENT, 30},
    [LW_W_DATA] = {"s_w_data_i", LW_UNIFORM, 0},
    [LW_W_STRB] = {"s_w_strb_i", LW_UNIFORM, 0},
    [LW_B_READY] = {"s_b_ready_i", LW_PERCENT, 60},
    [LW_AR_VALID] = {"s_ar_valid_i", LW_PERCENT, 30},
    [LW_AR_ADDR] = {"s_ar_addr_i", LW_UNIFORM, 0},
    [LW_R_READY] = {"s_r_ready_i", LW_PERCENT, 60},
    [UNIT_RESET] = {"unit_reset_i", LW_ZERO, 0},
    [REQ_VALID] = {"req_valid_i", LW_PERCENT, 50},
    [REQ_ID] = {"req_id_i", LW_UNIFORM, 0},
    [REQ_SRC] = {"req_src_i", LW_UNIFORM, 0},
    [REQ_PASID] = {"req_pasid_i", LW_MASKED, 1},
    [REQ_PAGE] = {"req_page_i", LW_MASKED, PAGES},
    [REQ_ACCESS] = {"req_access_i", LW_UNIFORM, 0},
    [RSP_READY] = {"rsp_ready_i", LW_PERCENT, 80},
    [INV_VALID] = {"inv_valid_i", LW_PERCENT, 1},
    [INV_TYPE] = {"inv_type_i", LW_UNIFORM, 0},
    [INV_PASID] = {"inv_pasid_i", LW_MASKED, 1},
    [INV_FIRST] = {"inv_first_i", LW_MASKED, PAGES},
    [INV_LAST] = {"inv_last_i", LW_MASKED, PAGES},
    [AR_READY] = {"m_ar_ready_i", LW_PERCENT, 70},
    [R_VALID] = {"m_r_valid_i", LW_PERCENT, 80},
    [R_ID] = {"m_r_id_i", LW_UNIFORM, 0},
    [R_DATA] = {"m_r_data_i", LW_ZERO, 0},
    [R_RESP] = {"m_r_resp_i", LW_UNIFORM, 0},
    [R_LAST] = {"m_r_last_i", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [LW_AW_READY] = {"s_aw_ready_o", 0},   [LW_W_READY] = {"s_w_ready_o", 0},
    [LW_B_VALID] = {"s_b_valid_o", 0},     [LW_B_RESP] = {"s_b_resp_o", 0},
    [LW_AR_READY] = {"s_ar_ready_o", 0},   [LW_R_VALID] = {"s_r_valid_o", 0},
    [LW_R_DATA] = {"s_r_data_o", 0},       [LW_R_RESP] = {"s_r_resp_o", 0},
    [BUS_ERROR] = {"bus_error_o", 0},      [REQ_READY] = {"req_ready_o", 0},
    [RSP_VALID] = {"rsp_valid_o", 0},      [RSP_ID] = {"rsp_id_o", 0},
    [RSP_KIND] = {"rsp_kind_o", 0},        [RSP_LEVEL] = {"rsp_level_o", 0},
    [RSP_PFN] = {"rsp_pfn_o", 0},          [RSP_SIZE] = {"rsp_size_o", 0},
    [RSP_PERM] = {"rsp_perm_o", 0},        [INV_READY] = {"inv_ready_o", 0},
    [INV_DONE] = {"inv_done_o", 0},        [AR_VALID] = {"m_ar_valid_o", 0},
    [AR_ID] = {"m_ar_id_o", 1 + AR_VALID}, [AR_ADDR] = {"m_ar_addr_o", 1 + AR_VALID},
    [AR_LEN] = {"m_ar_len_o", 0},          [AR_SIZE] = {"m_ar_size_o", 0},
    [AR_BURST] = {"m_ar_burst_o", 0},      [AR_CACHE] = {"m_ar_cache_o", 0},
    [AR_PROT] = {"m_ar_prot_o", 0},        [R_READY] = {"m_r_ready_o", 0},
};

enum { NOT_CACHEABLE = 2, NOT_SECURE = 2, RESET_IN = 3000, RESET_ENDS_IN = 3, LIVELY_IN = 4 };

typedef struct own {
    lw_iommu_axi axi;
    lw_manager manager;
    bool reset, req_held, inv_held;
    lw_bits before[LW_COUNT(inputs)];
} own;

static lw_iommu_axi *axi_of(lw_bench *b) {
    lw_iommu_axi *a = &((own *)b->own)->axi;
    lw_error err;
    if (a->unit == NULL) {
        (void)lw_iommu_axi_init(a, b->u, &b->u->cfg.hw, b->data_width, &err);
    }
    return a;
}

static void legal(lw_bench *b, lw_bits *in) {
    own *o = b->own;
    const lw_axi_reader *r = &axi_of(b)->reader;
    uint64_t line[LW_LINE_WORDS];
    if (!lw_one_in(&b->rng, LIVELY_IN)) { /* a root, not its absence; all that is enabled */
        in[LW_W_DATA].w[0] |= UINT64_C(1) << 63 | 0x3f;
    }
    lw_draw_lite(&o->manager, &b->rng, b->u->cfg.hw.pasids, in);
    lw_draw_beat(r, &b->rng, &(lw_beat_ports){&in[R_VALID], &in[R_ID], &in[R_RESP], &in[R_LAST]});
    lw_draw_line(&b->rng, &b->u->cfg, line);
    memcpy(in[R_DATA].w, line, b->data_width / 8);
    o->reset = o->reset ? !lw_one_in(&b->rng, RESET_ENDS_IN) : lw_one_in(&b->rng, RESET_IN);
    in[UNIT_RESET].w[0] = o->reset;
    if (o->req_held) { /* R0.3 */
        memcpy(&in[REQ_VALID], &o->before[REQ_VALID], (REQ_ACCESS - REQ_VALID + 1) * sizeof *in);
    }
    if (o->inv_held) {
        memcpy(&in[INV_VALID], &o->before[INV_VALID], (INV_LAST - INV_VALID + 1) * sizeof *in);
    }
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    (void)in;
    lw_iommu_axi_outputs o;
    lw_iommu_axi_show(axi_of(b), &o);
    lw_lite_outputs(&o.lite, out);
    out[BUS_ERROR].w[0] = o.bus_error;
    out[REQ_READY].w[0] = o.unit.req_ready;
    out[RSP_VALID].w[0] = o.unit.rsp_valid;
    out[RSP_ID].w[0] = o.unit.rsp_id;
    out[RSP_KIND].w[0] = o.unit.rsp_kind;
    out[RSP_LEVEL].w[0] = o.unit.rsp_level;
    out[RSP_PFN].w[0] = o.unit.rsp_pfn;
    out[RSP_SIZE].w[0] = o.unit.rsp_size;
    out[RSP_PERM].w[0] = o.unit.rsp_perm;
    out[INV_READY].w[0] = o.unit.inv_ready;
    out[INV_DONE].w[0] = o.unit.inv_done;
    out[AR_VALID].w[0] = o.reader.ar_valid;
    out[AR_ID].w[0] = o.reader.ar_id;
    out[AR_ADDR].w[0] = o.reader.ar_addr;
    out[AR_LEN].w[0] = o.reader.ar_len;
    out[AR_SIZE].w[0] = o.reader.ar_size;
    out[AR_BURST].w[0] = o.reader.ar_burst;
    out[AR_CACHE].w[0] = NOT_CACHEABLE;
    out[AR_PROT].w[0] = NOT_SECURE;
    out[R_READY].w[0] = o.reader.r_ready;
}

static lw_inputs unit_inputs(const lw_bits *in) {
    return (lw_inputs){
        .req_valid = in[REQ_VALID].w[0] != 0,
        .req_id = (uint32_t)in[REQ_ID].w[0],
        .req_src = (uint32_t)in[REQ_SRC].w[0],
        .req_pasid = (uint32_t)in[REQ_PASID].w[0],
        .req_page = in[REQ_PAGE].w[0],
        .req_access = (uint32_t)in[REQ_ACCESS].w[0],
        .rsp_ready = in[RSP_READY].w[0] != 0,
        .inv_valid = in[INV_VALID].w[0] != 0,
        .inv_type = (uint32_t)in[INV_TYPE].w[0],
        .inv_pasid = (uint32_t)in[INV_PASID].w[0],
        .inv_first = in[INV_FIRST].w[0],
        .inv_last = in[INV_LAST].w[0],
    };
}

static void step(lw_bench *b, const lw_bits *in) {
    own *o = b->own;
    lw_iommu_axi_outputs out;
    lw_iommu_axi_inputs i = {
        .unit = unit_inputs(in),
        .reader = {.ar_ready = in[AR_READY].w[0] != 0,
                   .r_valid = in[R_VALID].w[0] != 0,
                   .r_last = in[R_LAST].w[0] != 0,
                   .r_id = (uint32_t)in[R_ID].w[0],
                   .r_resp = (uint32_t)in[R_RESP].w[0]},
        .unit_reset = in[UNIT_RESET].w[0] != 0,
    };
    memcpy(i.reader.r_data, in[R_DATA].w, sizeof i.reader.r_data);
    lw_iommu_axi_show(&o->axi, &out);
    lw_manage(&o->manager, &o->axi.lite, in, &i.lite);
    o->req_held = i.unit.req_valid && !out.unit.req_ready;
    o->inv_held = i.unit.inv_valid && !out.unit.inv_ready;
    memcpy(o->before, in, sizeof o->before);
    lw_iommu_axi_step(&o->axi, &i);
}

static void reset(lw_bench *b) {
    own *o = b->own;
    lw_iommu_axi_reset(axi_of(b));
    *o = (own){.axi = o->axi};
}

/* The same at each width of the bus. */
#define UNIT(width)                                                                                \
    {                                                                                              \
        .top = "iommu_axi",                                                                        \
        .parameters =                                                                              \
            "Levels PaWidth Pasids IdW SrcW TlbEntries TlbWays TlbLatency TlbPartition "           \
            "TlbBimodal HitQueue MissQueue WalkQueue BufferEntries Lines Walkers PwcOrg "          \
            "PwcEntries PwcWays PwcLatency Coalesce Subregions ParLookup MscEntries "              \
            "MscWays CheckQueue HeadFirst Colt SlotPages Pages64K SecondLookup DataWidth",         \
        .inputs = inputs, .outputs = outputs, .input_count = LW_COUNT(inputs),                     \
        .output_count = LW_COUNT(outputs), .own_bytes = sizeof(own), .data_width = (width),        \
        .legal = legal, .outputs_of = outputs_of, .step = step, .reset = reset,                    \
    }

const lw_module lw_module_iommu_axi_64 = UNIT(64);
const lw_module lw_module_iommu_axi_512 = UNIT(512);
