/* The AXI reader under a memory that answers bursts in any order and mixes their beats; now and
 * then it errs, forgets RLAST or has it too early, or answers what nobody asked (R19.1 to R19.7,
 * R19.11 to R19.17, R19.21). The unit asks mostly, but not always, with tags that are free (R19.2).
 */
#include "tests/modules/bus/axi_memory.h"
#include "tests/modules/draws.h"
#include "tests/modules/modules.h"

enum { FLUSH, REQ_VALID, REQ_TAG, REQ_LINE, AR_READY, R_VALID, R_ID, R_DATA, R_RESP, R_LAST };
enum {
    REQ_READY,
    RSP_VALID,
    RSP_TAG,
    RSP_ERROR,
    RSP_DATA,
    AR_VALID,
    AR_ID,
    AR_ADDR,
    AR_LEN,
    AR_SIZE,
    AR_BURST,
    R_READY,
    EVENTS,
    READING
};

static const lw_input inputs[] = {
    [FLUSH] = {"flush_i", LW_ZERO, 0},           [REQ_VALID] = {"mem_req_i.valid", LW_PERCENT, 60},
    [REQ_TAG] = {"mem_req_i.tag", LW_ZERO, 0},   [REQ_LINE] = {"mem_req_i.line", LW_UNIFORM, 0},
    [AR_READY] = {"ar_ready_i", LW_PERCENT, 60}, [R_VALID] = {"r_valid_i", LW_PERCENT, 80},
    [R_ID] = {"r_id_i", LW_UNIFORM, 0},          [R_DATA] = {"r_data_i", LW_UNIFORM, 0},
    [R_RESP] = {"r_resp_i", LW_UNIFORM, 0},      [R_LAST] = {"r_last_i", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {
    [REQ_READY] = {"mem_req_ready_o", 0},
    [RSP_VALID] = {"mem_rsp_o.valid", 0},
    [RSP_TAG] = {"mem_rsp_o.tag", 1 + RSP_VALID},
    [RSP_ERROR] = {"mem_rsp_o.error", 1 + RSP_VALID},
    [RSP_DATA] = {"mem_rsp_o.data", 1 + RSP_VALID},
    [AR_VALID] = {"ar_valid_o", 0},
    [AR_ID] = {"ar_id_o", 1 + AR_VALID},
    [AR_ADDR] = {"ar_addr_o", 1 + AR_VALID},
    [AR_LEN] = {"ar_len_o", 0},
    [AR_SIZE] = {"ar_size_o", 0},
    [AR_BURST] = {"ar_burst_o", 0},
    [R_READY] = {"r_ready_o", 0},
    [EVENTS] = {"events_o", 0},
    [READING] = {"reading_o", 0},
};

typedef struct own {
    lw_axi_reader reader;
    bool flush, held; /* the request of the last cycle was not taken */
    uint64_t tag, line;
} own;

static lw_axi_reader *reader_of(lw_bench *b) {
    lw_axi_reader *r = &((own *)b->own)->reader;
    lw_error err;
    if (r->ids == 0) {
        (void)lw_axi_reader_init(r, b->data_width, lw_row_ids(&b->u->cfg.hw), &err);
    }
    return r;
}

static bool in_use(const lw_axi_reader *r, uint32_t tag) {
    return r->burst[tag].busy || (r->ar.valid && r->ar.tag == tag);
}

/* A tag: mostly one that a unit would use now. */
static uint64_t draw_tag(const lw_axi_reader *r, lw_rng *rng) {
    const uint32_t first = (uint32_t)lw_rng_below(rng, r->ids);
    for (uint32_t i = 0; !lw_one_in(rng, 32) && i < r->ids; i++) {
        const uint32_t tag = (first + i) % r->ids;
        if (!in_use(r, tag)) {
            return tag;
        }
    }
    return first;
}

static void draw_request(own *o, lw_rng *rng, lw_bits *in) {
    if (o->held) { /* R0.3 */
        in[REQ_VALID].w[0] = 1;
        in[REQ_LINE].w[0] = o->line;
        in[REQ_TAG].w[0] = o->tag;
    } else {
        in[REQ_TAG].w[0] = draw_tag(&o->reader, rng);
    }
}

static void legal(lw_bench *b, lw_bits *in) {
    own *o = b->own;
    const lw_axi_reader *r = reader_of(b);
    draw_request(o, &b->rng, in);
    lw_draw_beat(r, &b->rng, &(lw_beat_ports){&in[R_VALID], &in[R_ID], &in[R_RESP], &in[R_LAST]});
    o->flush = o->flush ? !lw_one_in(&b->rng, 4) : lw_one_in(&b->rng, 60);
    in[FLUSH].w[0] = o->flush;
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    (void)in;
    const lw_axi_reader *r = reader_of(b);
    lw_axi_reader_outputs o;
    lw_axi_reader_show(r, &o);
    out[REQ_READY].w[0] = o.req_ready;
    out[RSP_VALID].w[0] = r->line.valid;
    out[RSP_TAG].w[0] = r->line.tag;
    out[RSP_ERROR].w[0] = r->line.error;
    memcpy(out[RSP_DATA].w, r->line.data, sizeof r->line.data);
    out[AR_VALID].w[0] = o.ar_valid;
    out[AR_ID].w[0] = o.ar_id;
    out[AR_ADDR].w[0] = o.ar_addr;
    out[AR_LEN].w[0] = o.ar_len;
    out[AR_SIZE].w[0] = o.ar_size;
    out[AR_BURST].w[0] = o.ar_burst;
    out[R_READY].w[0] = o.r_ready;
    out[EVENTS].w[0] = o.events;
    out[READING].w[0] = o.reading;
}

static void step(lw_bench *b, const lw_bits *in) {
    own *o = b->own;
    lw_axi_reader_inputs i = {
        .flush = in[FLUSH].w[0] != 0,
        .req_valid = in[REQ_VALID].w[0] != 0,
        .req_tag = (uint32_t)in[REQ_TAG].w[0],
        .req_line = in[REQ_LINE].w[0],
        .ar_ready = in[AR_READY].w[0] != 0,
        .r_valid = in[R_VALID].w[0] != 0,
        .r_last = in[R_LAST].w[0] != 0,
        .r_id = (uint32_t)in[R_ID].w[0],
        .r_resp = (uint32_t)in[R_RESP].w[0],
    };
    memcpy(i.r_data, in[R_DATA].w, sizeof i.r_data);
    o->held = i.req_valid && o->reader.waiting.valid;
    o->tag = i.req_tag;
    o->line = i.req_line;
    lw_axi_reader_step(&o->reader, &i);
}

static void reset(lw_bench *b) {
    own *o = b->own;
    lw_axi_reader_reset(reader_of(b));
    *o = (own){.reader = o->reader};
}

/* The same at each width of the bus. */
#define READER(width)                                                                              \
    {                                                                                              \
        .top = "axi_reader", .parameters = "DataWidth PaWidth Ids", .inputs = inputs,              \
        .outputs = outputs, .input_count = LW_COUNT(inputs), .output_count = LW_COUNT(outputs),    \
        .own_bytes = sizeof(own), .data_width = (width), .legal = legal, .outputs_of = outputs_of, \
        .step = step, .reset = reset,                                                              \
    }

const lw_module lw_module_axi_reader_64 = READER(64);
const lw_module lw_module_axi_reader_128 = READER(128);
const lw_module lw_module_axi_reader_256 = READER(256);
const lw_module lw_module_axi_reader_512 = READER(512);
