#include "c_model/bus/axi_reader.h"

#include <string.h>

enum { INCR = 1, BYTE = 8, LINE_SHIFT = 6 };

static bool width_is_legal(uint32_t width) {
    return width == 64 || width == 128 || width == 256 || width == 512;
}

bool lw_axi_reader_init(lw_axi_reader *r, uint32_t data_width, uint32_t ids, lw_error *err) {
    if (!width_is_legal(data_width)) {
        return lw_fail(err, "DATA_WIDTH is %u; allowed: 64, 128, 256, 512", data_width);
    }
    if (ids < 1 || ids > LW_AXI_IDS_MAX) {
        return lw_fail(err, "IDS is %u; allowed: 1..%d", ids, LW_AXI_IDS_MAX);
    }
    *r = (lw_axi_reader){.data_width = data_width, .beats = LW_LINE_BITS / data_width, .ids = ids};
    return true;
}

void lw_axi_reader_reset(lw_axi_reader *r) {
    r->waiting = r->ar = (lw_axi_request){0};
    for (uint32_t i = 0; i < r->ids; i++) {
        lw_axi_burst *b = &r->burst[i];
        b->busy = b->unwanted = b->failed = b->over = false;
        b->beat = 0;
    }
    r->line = (lw_axi_line){0};
    r->events = 0;
}

/* R19.11: the last of the conditions of READING. */
static bool any_busy(const lw_axi_reader *r) {
    for (uint32_t i = 0; i < r->ids; i++) {
        if (r->burst[i].busy) {
            return true;
        }
    }
    return false;
}

void lw_axi_reader_show(const lw_axi_reader *r, lw_axi_reader_outputs *out) {
    *out = (lw_axi_reader_outputs){
        .req_ready = !r->waiting.valid, /* R19.13 */
        .ar_valid = r->ar.valid,
        .ar_id = r->ar.tag, /* R19.1 */
        .ar_addr = r->ar.line << LINE_SHIFT,
        .ar_len = r->beats - 1,
        .ar_size = (uint32_t)__builtin_ctz(r->data_width / BYTE),
        .ar_burst = INCR,
        .r_ready = true, /* R19.15 */
        .reading = r->waiting.valid || r->ar.valid || any_busy(r),
        .events = r->events,
    };
}

/* ---------------------------------------------------------------- requests */

/* R19.2, R19.13, R19.17. All that it asks is as it stands at the beginning of the cycle; true if
 * the request in WAITING is refused. */
static bool take_requests(lw_axi_reader *r, const lw_axi_reader_inputs *in, bool completes,
                          lw_axi_request *ar, lw_axi_request *waiting) {
    const bool transferred = in->req_valid && !r->waiting.valid;
    const bool is_free = !r->ar.valid || in->ar_ready;
    lw_axi_request next = r->waiting;
    bool refused = false;
    if (transferred) {
        next = (lw_axi_request){.valid = true, .tag = in->req_tag, .line = in->req_line};
    }
    *ar = r->ar;
    *waiting = next;
    if (is_free) {
        ar->valid = false;
    }
    if (in->flush) { /* R19.7 */
        ar->unwanted = true;
        waiting->valid = false;
        return false;
    }
    if (next.valid) {
        const lw_axi_burst *burst = &r->burst[next.tag];
        const bool must_wait = burst->busy || (r->ar.valid && r->ar.tag == next.tag);
        if (is_free && !must_wait) {
            *ar = next;
            waiting->valid = false;
        }
        refused = r->waiting.valid && burst->busy && burst->over && !completes;
        if (refused) {
            waiting->valid = false;
        }
    }
    return refused;
}

/* ---------------------------------------------------------------- beats */

static bool is_known(const lw_axi_reader *r, const lw_axi_reader_inputs *in) {
    return in->r_valid && in->r_id < r->ids && r->burst[in->r_id].busy;
}

/* R19.16 */
static bool completes_line(const lw_axi_reader *r, const lw_axi_reader_inputs *in) {
    if (!is_known(r, in) || r->burst[in->r_id].over) {
        return false;
    }
    return in->r_last || r->burst[in->r_id].beat == r->beats - 1;
}

/* R19.11 */
static uint32_t events_of(const lw_axi_reader *r, const lw_axi_reader_inputs *in) {
    if (!in->r_valid) {
        return 0;
    }
    if (!is_known(r, in)) { /* R19.6 */
        return LW_BUS_BAD_ID;
    }
    const lw_axi_burst *burst = &r->burst[in->r_id];
    uint32_t events = 0;
    if (!burst->over && in->r_last != (burst->beat == r->beats - 1)) {
        events |= LW_BUS_BAD_LAST;
    }
    if (in->r_resp == LW_AXI_SLVERR) {
        events |= LW_BUS_SLAVE_ERROR;
    }
    if (in->r_resp == LW_AXI_DECERR) {
        events |= LW_BUS_DECODE_ERROR;
    }
    return events;
}

/* R19.1: the place of a beat in its line. */
static void put_beat(const lw_axi_reader *r, uint64_t *line, uint32_t beat, const uint64_t *data) {
    const uint32_t words = r->data_width / 64;
    memcpy(line + (size_t)beat * words, data, words * sizeof *data);
}

/* R19.3 to R19.5, R19.15, R19.16 */
static void take_beat(lw_axi_reader *r, const lw_axi_reader_inputs *in) {
    lw_axi_burst *burst = &r->burst[in->r_id];
    const bool failed = burst->failed || in->r_resp == LW_AXI_SLVERR || in->r_resp == LW_AXI_DECERR;
    const bool at_end = burst->beat == r->beats - 1;
    if (!burst->over) {
        if (at_end || in->r_last) {
            r->line.valid = !burst->unwanted && !in->flush;
            r->line.tag = in->r_id;
            r->line.error = failed || at_end != in->r_last;
            memcpy(r->line.data, burst->part, sizeof r->line.data);
            put_beat(r, r->line.data, r->beats - 1, in->r_data);
        }
        if (!at_end) {
            put_beat(r, burst->part, burst->beat, in->r_data);
        }
        burst->over = at_end && !in->r_last;
        burst->beat++;
        burst->failed = failed;
    }
    burst->busy = !in->r_last; /* R19.4 */
}

void lw_axi_reader_step(lw_axi_reader *r, const lw_axi_reader_inputs *in) {
    lw_axi_request ar, waiting;
    const bool refused = take_requests(r, in, completes_line(r, in), &ar, &waiting);
    r->events = events_of(r, in);
    r->line.valid = false;
    if (is_known(r, in)) {
        take_beat(r, in);
    }
    if (refused) { /* R19.17 */
        r->line.valid = true;
        r->line.tag = r->waiting.tag;
        r->line.error = true;
    }
    for (uint32_t i = 0; in->flush && i < r->ids; i++) { /* R19.7 */
        r->burst[i].unwanted = true;
    }
    if (r->ar.valid && in->ar_ready) { /* R19.14 */
        lw_axi_burst *burst = &r->burst[r->ar.tag];
        burst->busy = true;
        burst->unwanted = r->ar.unwanted || in->flush;
        burst->failed = false;
        burst->over = false;
        burst->beat = 0;
    }
    r->ar = ar;
    r->waiting = waiting;
}
