#include "c_model/bus/axi_lite_control.h"

#include "c_model/base/ports.h"
#include "c_model/bus/axi_reader.h"

enum { ADDR_MASK = 0x7fff, BYTES = 8, WHOLE = 0xff, READ_ENDS = 2 };

void lw_axi_lite_init(lw_axi_lite *l, uint32_t pasids, bool hashes) {
    *l = (lw_axi_lite){.pasids = pasids, .hashes = hashes};
}

/* ---------------------------------------------------------------- the map (R19.8) */

typedef enum access_of { NOTHING, READS, READS_AND_WRITES } access_of;

/* Registers from `first` to `last`, by their addresses of chapter 12; some only of a unit with
 * hashed tables. */
typedef struct range {
    uint32_t first, last;
    access_of access;
    bool hashed;
} range;

static access_of register_at(const lw_axi_lite *l, uint32_t byte) {
    const range ranges[] = {
        {LW_CTL_FEATURES, LW_CTL_FEATURES, READS_AND_WRITES, false},
        {LW_CTL_FAULT_INFO, LW_CTL_FAULT_INFO, READS_AND_WRITES, false},
        {LW_CTL_FAULT_PAGE, LW_CTL_FAULT_PAGE, READS, false},
        {LW_CTL_BUS_STATUS, LW_CTL_BUS_STATUS, READS_AND_WRITES, false},
        {LW_CTL_STRIDE, LW_CTL_STRIDE, READS_AND_WRITES, true},
        {LW_CTL_COUNTER, LW_CTL_COUNTER + LW_C_CHECKS_DROPPED, READS, false},
        {LW_CTL_COUNTER + LW_C_STEP_READS, LW_CTL_COUNTER + LW_C_STEP_RETRIES, READS, true},
        {LW_CTL_COUNTER + LW_C_IDLE_EMPTY, LW_CTL_COUNTER + LW_C_SECOND_HITS, READS, false},
        {LW_CTL_ROOT, LW_CTL_ROOT + l->pasids - 1, READS_AND_WRITES, false},
        {LW_CTL_STEP, LW_CTL_STEP + l->pasids - 1, READS_AND_WRITES, true},
        {LW_CTL_VICTIM, LW_CTL_VICTIM + l->pasids - 1, READS_AND_WRITES, true},
    };
    const uint32_t number = byte / BYTES;
    for (uint32_t i = 0; byte % BYTES == 0 && i < sizeof ranges / sizeof ranges[0]; i++) {
        if (number >= ranges[i].first && number <= ranges[i].last) {
            return ranges[i].hashed && !l->hashes ? NOTHING : ranges[i].access;
        }
    }
    return NOTHING;
}

/* ---------------------------------------------------------------- one cycle */

/* R19.18, R19.22 */
static bool can_write(const lw_axi_lite *l, bool hold) {
    return !hold && l->aw_full && l->w_full && !l->b_full;
}

static bool can_read(const lw_axi_lite *l, bool hold) {
    return !hold && l->ar_full && !l->r_full && l->read_cycle == 0;
}

/* R19.12 */
static bool writes_now(const lw_axi_lite *l, bool hold) {
    return can_write(l, hold) && (!can_read(l, hold) || !l->last_was_write);
}

/* R19.9 */
static bool write_is_legal(const lw_axi_lite *l) {
    return l->w_strb == WHOLE && register_at(l, l->aw_addr) == READS_AND_WRITES;
}

static bool of_status(uint32_t byte) {
    return byte / BYTES == LW_CTL_BUS_STATUS;
}

void lw_axi_lite_show(const lw_axi_lite *l, bool hold, lw_axi_lite_outputs *out) {
    const bool writes = writes_now(l, hold);
    *out = (lw_axi_lite_outputs){
        .aw_ready = !l->aw_full,
        .w_ready = !l->w_full,
        .b_valid = l->b_full,
        .ar_ready = !l->ar_full,
        .r_valid = l->r_full,
        .b_resp = l->b_resp,
        .r_resp = l->r_resp,
        .r_data = l->r_data,
        .ctl_write = writes && write_is_legal(l) && !of_status(l->aw_addr), /* R19.19 */
        .ctl_addr = (writes ? l->aw_addr : l->ar_addr) / BYTES,             /* R19.20 */
        .ctl_wdata = l->w_data,
        .status = l->status,
    };
}

/* R19.20: the end of a read, in its third cycle. */
static void end_read(lw_axi_lite *l, const lw_axi_lite_inputs *in) {
    const bool legal = register_at(l, l->ar_addr) != NOTHING;
    l->r_full = true;
    l->ar_full = false;
    l->r_resp = legal ? LW_AXI_OKAY : LW_AXI_SLVERR;
    l->r_data = 0;
    if (legal && of_status(l->ar_addr)) { /* R19.10 */
        l->r_data = l->status | (in->reading ? LW_BUS_READING : 0);
    } else if (legal) {
        l->r_data = in->ctl_rdata;
    }
}

/* R19.19 */
static void do_write(lw_axi_lite *l) {
    const bool legal = write_is_legal(l);
    l->aw_full = false;
    l->w_full = false;
    l->b_full = true;
    l->b_resp = legal ? LW_AXI_OKAY : LW_AXI_SLVERR;
    if (legal && of_status(l->aw_addr)) {
        l->status &= ~(uint32_t)(l->w_data & LW_BUS_STICKY);
    }
}

void lw_axi_lite_step(lw_axi_lite *l, const lw_axi_lite_inputs *in) {
    const lw_axi_lite was = *l;
    const bool writes = writes_now(l, in->hold), reads = can_read(l, in->hold) && !writes;
    if (l->read_cycle == READ_ENDS) {
        end_read(l, in);
    }
    if (writes) {
        do_write(l);
    }
    l->status |= in->events; /* R19.10, R19.21 */
    l->read_cycle = reads ? 1 : was.read_cycle == 1 ? READ_ENDS : 0;
    if (writes || reads) {
        l->last_was_write = writes;
    }
    if (was.b_full && in->b_ready) {
        l->b_full = false;
    }
    if (was.r_full && in->r_ready) {
        l->r_full = false;
    }
    if (!was.aw_full && in->aw_valid) {
        l->aw_full = true;
        l->aw_addr = in->aw_addr & ADDR_MASK;
    }
    if (!was.w_full && in->w_valid) {
        l->w_full = true;
        l->w_data = in->w_data;
        l->w_strb = in->w_strb;
    }
    if (!was.ar_full && in->ar_valid) {
        l->ar_full = true;
        l->ar_addr = in->ar_addr & ADDR_MASK;
    }
}
