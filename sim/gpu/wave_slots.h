/* The wave slots of all compute units: which waves are there, which of them issues next, and which
 * of its memory instructions are under way.
 *
 * A wave can issue its next instruction when `alu` cycles have passed since its last issue; one
 * with `dep` when all earlier ones were answered, and where `wave_loads` bounds what a wave may
 * have under way, when there are fewer; the `alu` cycles then begin. An instruction keeps its
 * wave's SIMD busy for `issue_period` cycles; waves are dealt to the SIMDs in turn. Of the waves
 * whose SIMD is free the oldest goes first, or that which has been able to for longest
 * (`schedule`). A wave ends when its last instruction is answered.
 *
 * An instruction is answered when each of its parts is, a page at first, the lines of a page
 * afterwards. Each part waits in one place (lw_wave_cause, from LW_CAUSE_TLB on), and so each cycle
 * of a wave has a cause: it could issue; its `alu` cycles run; or the first place in which a part
 * of its oldest instruction under way is. */
#ifndef LW_SIM_GPU_WAVE_SLOTS_H
#define LW_SIM_GPU_WAVE_SLOTS_H

#include "sim/gpu/gpu.h"

#define LW_NO_INSTRUCTION UINT32_MAX

typedef struct lw_wave_slots lw_wave_slots;

typedef struct lw_wave_slots_params {
    const lw_gpu_params *gpu;
    lw_workload *const *workloads; /* CU c works for workload c mod n */
    uint32_t workload_count;
    uint32_t instructions; /* under way at most */
    bool causes;           /* are the waves' cycles told apart */
    void (*group_done)(void *ctx, uint32_t cu);
    void *ctx;
} lw_wave_slots_params;

lw_wave_slots *lw_wave_slots_new(const lw_wave_slots_params *params);
void lw_wave_slots_free(lw_wave_slots *s);

/* Whether CU `cu` has slots for a group of so many waves; starting one. */
bool lw_wave_slots_fit(const lw_wave_slots *s, uint32_t cu, uint32_t waves);
void lw_wave_slots_start(lw_wave_slots *s, uint32_t cu, uint32_t group, uint32_t waves,
                         uint64_t now);

/* The present cycle, before anything that happens in it. */
void lw_wave_slots_at(lw_wave_slots *s, uint64_t now);
/* The waves whose `alu` cycles end now can issue; returns their CUs, one bit each. */
uint64_t lw_wave_slots_wake(lw_wave_slots *s);
/* Whether a wave of the CU can issue, its SIMD aside. */
bool lw_wave_slots_any(const lw_wave_slots *s, uint32_t cu);
/* The instruction that the CU issues now; NULL where no wave can. */
const lw_wave_inst *lw_wave_slots_pick(const lw_wave_slots *s, uint32_t cu, uint32_t *wave);
/* Issues the wave's instruction with so many pages to translate, and gets its next one. Returns its
 * number, which the pages are answered with. */
uint32_t lw_wave_slots_issue(lw_wave_slots *s, uint32_t wave, uint32_t pages);

/* A part of an instruction becomes `parts` parts in another place; is answered. */
void lw_wave_slots_move(lw_wave_slots *s, uint32_t instruction, lw_wave_cause from,
                        lw_wave_cause to, uint32_t parts);
void lw_wave_slots_answer(lw_wave_slots *s, uint32_t instruction, lw_wave_cause from);
bool lw_wave_slots_stores(const lw_wave_slots *s, uint32_t instruction);
uint32_t lw_wave_slots_cu(const lw_wave_slots *s, uint32_t instruction);

/* The first cycle in which `alu` cycles end. */
uint64_t lw_wave_slots_next_event(const lw_wave_slots *s);
/* Grows with whatever a wave does: it starts, an instruction of it issues, a page or line of one
 * goes to another place or is answered. */
uint64_t lw_wave_slots_done(const lw_wave_slots *s);
/* Waves that are there. */
uint64_t lw_wave_slots_live(const lw_wave_slots *s);
bool lw_wave_slots_failed(const lw_wave_slots *s, lw_error *err);
/* The cycles of all waves until now. */
void lw_wave_slots_cycles(const lw_wave_slots *s, lw_wave_cycles *cycles);

#endif
