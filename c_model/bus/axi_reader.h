/* The walk memory port on AXI4 (chapter 19): a burst for each line that the unit asks for.
 *
 * One cycle is: read the outputs, a function of the state, then step with the inputs. */
#ifndef LW_C_MODEL_BUS_AXI_READER_H
#define LW_C_MODEL_BUS_AXI_READER_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { LW_AXI_IDS_MAX = 40, LW_LINE_WORDS = 8, LW_LINE_BITS = 512 };

/* RRESP and BRESP. */
enum { LW_AXI_OKAY = 0, LW_AXI_SLVERR = 2, LW_AXI_DECERR = 3 };

/* What memory has done wrong, or said to have gone wrong (R19.11), by the bits of BUS_STATUS. */
enum {
    LW_BUS_BAD_LAST = 1 << 0,
    LW_BUS_BAD_ID = 1 << 1,
    LW_BUS_SLAVE_ERROR = 1 << 2,
    LW_BUS_DECODE_ERROR = 1 << 3,
    LW_BUS_STICKY = 0xf,
    LW_BUS_READING = 1 << 4
};

typedef struct lw_axi_reader_inputs {
    bool flush;       /* R19.7 */
    bool req_valid;   /* of the unit: a line */
    uint32_t req_tag; /* below the number of ids */
    uint64_t req_line;
    bool ar_ready;
    bool r_valid, r_last;
    uint32_t r_id, r_resp;
    uint64_t r_data[LW_LINE_WORDS]; /* a beat, from bit 0 on */
} lw_axi_reader_inputs;

/* A line, as the unit takes it (R8.3). */
typedef struct lw_axi_line {
    bool valid, error;
    uint32_t tag;
    uint64_t data[LW_LINE_WORDS];
} lw_axi_line;

typedef struct lw_axi_reader_outputs {
    bool req_ready;
    bool ar_valid;
    uint32_t ar_id, ar_len, ar_size, ar_burst;
    uint64_t ar_addr;
    bool r_ready;
    bool reading;
    uint32_t events; /* LW_BUS_* */
} lw_axi_reader_outputs;

/* A request: in WAITING, or in the AR register. */
typedef struct lw_axi_request {
    bool valid, unwanted;
    uint32_t tag;
    uint64_t line;
} lw_axi_request;

/* The burst of one ID. */
typedef struct lw_axi_burst {
    bool busy, unwanted, failed, over;
    uint32_t beat;
    uint64_t part[LW_LINE_WORDS];
} lw_axi_burst;

typedef struct lw_axi_reader {
    uint32_t data_width, beats, ids;
    lw_axi_request waiting, ar;
    lw_axi_burst burst[LW_AXI_IDS_MAX];
    lw_axi_line line;
    uint32_t events;
} lw_axi_reader;

/* A reader after reset. False and a sentence for a width or a number of IDs that is not legal. */
bool lw_axi_reader_init(lw_axi_reader *r, uint32_t data_width, uint32_t ids, lw_error *err);

/* What a reset leaves (R0.2): lw_axi_reader_init's, but for the parts of lines, which stay
 * (R19.15). */
void lw_axi_reader_reset(lw_axi_reader *r);

/* All outputs but the line, which is r->line. */
void lw_axi_reader_show(const lw_axi_reader *r, lw_axi_reader_outputs *out);
void lw_axi_reader_step(lw_axi_reader *r, const lw_axi_reader_inputs *in);

#endif
