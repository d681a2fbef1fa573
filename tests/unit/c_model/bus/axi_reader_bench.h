/* For the tests of the AXI reader: a reader with four IDs, requests for lines, and beats whose
 * words say which ID they are of. */
#ifndef LW_TESTS_UNIT_C_MODEL_BUS_AXI_READER_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_BUS_AXI_READER_BENCH_H

#include "c_model/bus/axi_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { IDS = 4 };

typedef struct bench {
    lw_axi_reader r;
    lw_axi_reader_inputs in;
    lw_axi_reader_outputs out;
} bench;

static inline bench bench_of(uint32_t width) {
    bench b = {.in = {.ar_ready = true}};
    lw_error err;
    assert_true(lw_axi_reader_init(&b.r, width, IDS, &err));
    lw_axi_reader_show(&b.r, &b.out);
    return b;
}

/* One cycle; what is valid is so in this cycle alone. The outputs are those of the next one. */
static inline void step(bench *b) {
    lw_axi_reader_step(&b->r, &b->in);
    b->in = (lw_axi_reader_inputs){.ar_ready = b->in.ar_ready};
    lw_axi_reader_show(&b->r, &b->out);
}

static inline void request(bench *b, uint32_t tag, uint64_t line) {
    b->in.req_valid = true;
    b->in.req_tag = tag;
    b->in.req_line = line;
}

/* The word n of beat number `beat` of an ID. */
static inline uint64_t word(uint32_t id, uint32_t beat, uint32_t n) {
    return (uint64_t)id << 32 | beat << 8 | n;
}

static inline void beat(bench *b, uint32_t id, uint32_t number, uint32_t resp, bool last) {
    b->in.r_valid = true;
    b->in.r_id = id;
    b->in.r_resp = resp;
    b->in.r_last = last;
    for (uint32_t n = 0; n < b->r.data_width / 64; n++) {
        b->in.r_data[n] = word(id, number, n);
    }
    step(b);
}

/* All beats of a burst but for those from `from` on. */
static inline void beats(bench *b, uint32_t id, uint32_t from, uint32_t to) {
    for (uint32_t n = from; n < to; n++) {
        beat(b, id, n, LW_AXI_OKAY, n == b->r.beats - 1);
    }
}

/* A request, until its burst is transferred. */
static inline void ask(bench *b, uint32_t tag) {
    request(b, tag, tag);
    step(b);
    step(b);
}

/* The line's data are the beats of this ID. */
static inline void assert_data(const bench *b, uint32_t id) {
    const uint32_t words = b->r.data_width / 64;
    for (uint32_t n = 0; n < LW_LINE_WORDS; n++) {
        assert_true(b->r.line.data[n] == word(id, n / words, n % words));
    }
}

static inline void assert_line(const bench *b, uint32_t tag) {
    assert_true(b->r.line.valid);
    assert_false(b->r.line.error);
    assert_int_equal(b->r.line.tag, tag);
    assert_data(b, tag);
}

static inline void assert_error(const bench *b, uint32_t tag) {
    assert_true(b->r.line.valid && b->r.line.error);
    assert_int_equal(b->r.line.tag, tag);
}

#endif
