#include "tests/contract/line_memory.h"

#include "tests/contract/failure.h"
#include "tests/contract/reach.h"

#include <inttypes.h>
#include <stdio.h>

enum { LATE_LEAST = 800, LATE_MORE = 3000, HURRY = 20 };

static void read_line(const lw_world *w, uint64_t line, uint64_t data[8]) {
    const int frame = lw_words_frame(w->words, line >> 6);
    for (uint32_t j = 0; j < 8; j++) {
        data[j] = lw_words_value(w->words, lw_word(frame, (uint32_t)(line & 63) * 8 + j));
    }
}

/* The tag whose line has waited longest beyond its time, or -1. */
static int due(lw_world *w) {
    int first = -1;
    uint64_t oldest = UINT64_MAX;
    for (int t = 0; t < LW_TAGS; t++) {
        const lw_flight *f = &w->flight[t];
        if (f->busy && f->due <= w->cycle && (first < 0 || f->due < w->flight[first].due)) {
            first = t;
        }
        oldest = f->busy && f->asked < oldest ? f->asked : oldest;
    }
    w->tally.n[LW_T_REORDERED] += first >= 0 && w->flight[first].asked > oldest;
    return first;
}

/* Nothing of a line with the error bit may be used (R9.9, R16.15): it is true, or leads elsewhere,
 * or goes on from the subregion before. */
static void mislead(const lw_world *w, uint64_t line, uint64_t data[8]) {
    enum { TRUE, ELSEWHERE, ON, KINDS };
    const uint64_t grants = 7, subregion = UINT64_C(64) << 12, kind = w->errors % KINDS;
    uint64_t before[8];
    read_line(w, line - 8, before);
    for (uint32_t j = 0; j < 8 && kind != TRUE; j++) {
        const uint64_t pte = kind == ELSEWHERE ? data[j] : before[j];
        data[j] = ((pte & 1) != 0 ? pte : grants) + (kind == ELSEWHERE ? 1 << 16 : subregion);
    }
}

static void respond(lw_world *w, uint32_t tag) {
    lw_flight *f = &w->flight[tag];
    f->busy = false;
    w->flights--;
    w->late_lines -= f->late;
    w->in.mem_rsp_valid = true;
    w->in.mem_rsp_tag = tag;
    w->in.mem_rsp_error = f->error;
    if (!w->early) {
        read_line(w, f->line, f->data);
    }
    if (f->error) {
        mislead(w, f->line, f->data);
    }
    for (uint32_t j = 0; j < 8; j++) {
        w->in.mem_rsp_data[j] = f->data[j];
    }
    const uint64_t waited = w->cycle - f->asked;
    if (!f->late && waited > w->latency_max) {
        w->latency_max = waited;
    }
    if (f->error) {
        w->error[w->errors % LW_ERRORS] = (lw_error_line){f->line, w->cycle};
        w->errors++;
        w->tally.n[LW_T_ERROR_LINES]++;
    }
}

void lw_memory_drive(lw_world *w) {
    w->in.mem_req_ready = lw_chance(w, w->mood.port);
    w->in.mem_rsp_valid = false;
    if (w->flights != 0) {
        const int tag = due(w);
        if (tag >= 0) {
            respond(w, (uint32_t)tag);
        }
    }
}

static void check_freed(lw_world *w, uint32_t tag, uint64_t line) {
    const bool was = w->failed;
    const int frame = lw_words_frame(w->words, line >> 6);
    w->tally.n[LW_T_WILD_READS] += frame == LW_NOWHERE;
    if (!lw_reach_may_read(w, frame)) {
        lw_bark(w, LW_CHECK_FREED, NULL,
                "a read with tag %u (%s) goes into the table page 0x%" PRIx64
                ", to which no PASID's tables %s",
                tag, tag < w->hw.walkers ? "a walker" : "a head", line >> 6,
                w->ever[frame] != 0 ? "have led since before its latest invalidation" : "ever led");
        for (uint32_t p = 0; !was && w->failed && p < w->hw.pasids; p++) {
            (void)printf("  not those of PASID %u since cycle %" PRIu64
                         "; its latest completed invalidation was transferred in cycle %" PRIu64
                         "\n",
                         p, w->gone[p][frame], w->met_by_any[p]);
        }
    }
}

void lw_memory_observe(lw_world *w) {
    const lw_outputs *out = &w->out;
    w->tally.n[LW_T_MEMORY_STALLS] += out->mem_req_valid && !w->in.mem_req_ready;
    if (!out->mem_req_valid || !w->in.mem_req_ready) {
        return;
    }
    const uint32_t tag = out->mem_req_tag;
    if (tag >= w->hw.walkers + 8 * w->hw.subregions || w->flight[tag].busy) {
        lw_bark(w, LW_CHECK_PORT, NULL,
                "memory is asked for line 0x%" PRIx64 " with tag %u, which %s", out->mem_req_line,
                tag,
                tag < LW_TAGS && w->flight[tag].busy ? "waits for a line already" : "is no tag");
        return;
    }
    check_freed(w, tag, out->mem_req_line);
    const bool walker = tag < w->hw.walkers;
    lw_flight *f = &w->flight[tag];
    *f = (lw_flight){.busy = true,
                     .late = lw_draw(w, 1000) < w->mood.late,
                     .error = lw_draw(w, 1000) < w->mood.errors,
                     .line = out->mem_req_line,
                     .asked = w->cycle};
    f->due = w->cycle + w->mood.latency +
             (f->late ? LATE_LEAST + lw_draw(w, LATE_MORE) : lw_draw(w, w->mood.jitter + 1));
    if (w->early) {
        read_line(w, f->line, f->data);
    }
    w->flights++;
    w->late_lines += f->late;
    w->mem_transfers++;
    w->head_transfers += !walker;
    w->tally.n[LW_T_LATE_LINES] += f->late;
}

void lw_memory_hurry(lw_world *w) {
    for (int t = 0; t < LW_TAGS; t++) {
        if (w->flight[t].busy && w->flight[t].due > w->cycle + HURRY) {
            w->flight[t].due = w->cycle + HURRY;
        }
    }
}

bool lw_memory_failed(const lw_world *w, uint64_t line, uint64_t from, uint64_t to) {
    for (uint64_t i = w->errors; i > 0 && w->errors - i < LW_ERRORS; i--) {
        const lw_error_line *e = &w->error[(i - 1) % LW_ERRORS];
        if (e->cycle < from) {
            return false;
        }
        if (e->line == line && e->cycle <= to) {
            return true;
        }
    }
    return false;
}
