#include "sim/gpu/stream_phases.h"

static uint64_t first_page(const lw_array *array) {
    return (uint64_t)((int64_t)array->base >> 12);
}

static uint32_t draw_process(const lw_stream_params *params, lw_rng *rng) {
    enum { SELDOM_PERCENT = 10 };
    const uint32_t often = params->process_count - params->seldom;
    return params->seldom != 0 && lw_rng_percent(rng, SELDOM_PERCENT)
               ? often + (uint32_t)lw_rng_below(rng, params->seldom)
               : (uint32_t)lw_rng_below(rng, often);
}

lw_stream_page lw_stream_anywhere(const lw_stream_params *params, lw_rng *rng) {
    const uint32_t process = draw_process(params, rng);
    const lw_stream_process *p = &params->processes[process];
    const bool planted = lw_rng_percent(rng, 15);
    const lw_array *array = &p->arrays[lw_rng_below(rng, planted ? p->count : p->mapped)];
    return (lw_stream_page){process, first_page(array) + lw_rng_below(rng, lw_array_pages(array))};
}

/* A page that every address space maps: the arrays of all have the same bases in the upper half
 * (environment_streams.c); where there is no such array, any page of the first. */
static lw_stream_page shared_page(const lw_stream_params *params, lw_rng *rng) {
    const lw_stream_process *p = &params->processes[0];
    const lw_array *shared = &p->arrays[lw_rng_below(rng, p->mapped)];
    for (size_t a = 0; a < p->mapped; a++) {
        if (p->arrays[a].base >> 63 != 0) {
            shared = &p->arrays[a];
        }
    }
    return (lw_stream_page){0, first_page(shared) + lw_rng_below(rng, lw_array_pages(shared))};
}

static uint32_t pressure(lw_rng *rng, uint32_t usual) {
    const uint32_t choices[] = {usual, usual, 0, 0, 60, 90};
    return choices[lw_rng_below(rng, sizeof choices / sizeof choices[0])];
}

void lw_phases_next(lw_stream_phases *p, const lw_stream_params *params, lw_rng *rng) {
    static const lw_phase_kind kinds[] = {
        LW_PHASE_MIXED,  LW_PHASE_MIXED,  LW_PHASE_REUSE,  LW_PHASE_REUSE, LW_PHASE_REUSE,
        LW_PHASE_BURST,  LW_PHASE_BURST,  LW_PHASE_BURST,  LW_PHASE_BURST, LW_PHASE_STRIDE,
        LW_PHASE_STRIDE, LW_PHASE_SHARED, LW_PHASE_SHARED, LW_PHASE_QUIET,
    };
    static const uint64_t spans[] = {1, 1, 1, 4, 8, 64, 512};
    static const uint64_t strides[] = {1, 1, 2, 3, 8, 64, 512, UINT64_MAX};
    *p = (lw_stream_phases){.kind = kinds[lw_rng_below(rng, sizeof kinds / sizeof kinds[0])],
                            .left = 30 + (uint32_t)lw_rng_below(rng, 200),
                            .gap = pressure(rng, params->request_gap),
                            .not_ready = pressure(rng, params->response_not_ready),
                            .count = 1 + (uint32_t)lw_rng_below(rng, LW_PHASE_PAGES),
                            .span = spans[lw_rng_below(rng, sizeof spans / sizeof spans[0])],
                            .stride = strides[lw_rng_below(rng, sizeof strides / sizeof *strides)]};
    for (uint32_t i = 0; i < p->count; i++) {
        p->pages[i] =
            p->kind == LW_PHASE_SHARED ? shared_page(params, rng) : lw_stream_anywhere(params, rng);
    }
}

lw_stream_page lw_phases_draw(lw_stream_phases *p, const lw_stream_params *params, lw_rng *rng) {
    lw_stream_page page = p->pages[lw_rng_below(rng, p->count)];
    switch (p->kind) {
    case LW_PHASE_BURST:
        page = p->pages[0];
        page.page = (page.page & ~(p->span - 1)) + lw_rng_below(rng, p->span);
        break;
    case LW_PHASE_STRIDE: /* four times as many steps as there are pages, and again */
        page = p->pages[0];
        page.page += p->cursor * p->stride;
        p->cursor = (p->cursor + 1) % (4 * (uint64_t)p->count);
        break;
    case LW_PHASE_SHARED:
        page.process = draw_process(params, rng);
        break;
    default:
        break;
    }
    return page;
}
