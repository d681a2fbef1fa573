/* The counters: increments of every size. (A run is too short for one to wrap at 48 bits.) */
#include "tests/modules/modules.h"

enum { INCREMENT, NUMBER };
enum { WAITED, COUNT };

static const lw_input inputs[] = {
    [INCREMENT] = {"increment_i", LW_ZERO, 0},
    [NUMBER] = {"number_i", LW_UNIFORM, 0},
};

static const lw_output outputs[] = {[WAITED] = {"waited_o", 0}, [COUNT] = {"count_o", 0}};

static const lw_registers_of registers[] = {{LW_S_COUNTER, "", NULL}};

static bool exists(const lw_params *hw, uint32_t n) {
    if (n >= LW_C_SECOND_LOOKUPS) {
        return hw->second_lookup != 0;
    }
    if (n < LW_C_MSC_LOOKUPS || n >= LW_C_IDLE_EMPTY) {
        return true;
    }
    return n < LW_C_STEP_READS ? hw->subregions != 0 : hw->pwc_org == LW_PWC_OF_STEPS;
}

/* Half of the counters move in a cycle, those that do not exist never (R14.3). */
static void legal(lw_bench *b, lw_bits *in) {
    const uint32_t width = b->u->cfg.increment_w;
    const uint64_t moving = lw_rng_next(&b->rng);
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        if (exists(&b->u->cfg.hw, n) && (moving >> n & 1) != 0) {
            lw_bits_put(&in[INCREMENT], n * width, width, lw_rng_next(&b->rng));
        }
    }
}

static void outputs_of(lw_bench *b, const lw_bits *in, lw_bits *out) {
    const uint32_t number = (uint32_t)in[NUMBER].w[0];
    const uint64_t *total = b->u->events.total, *begun = b->u->counters.begun;
    static const uint8_t counted[] = {LW_C_WAITING, LW_C_TLB_MISSES, LW_C_SECOND_HITS};
    uint64_t by[LW_COUNT(counted)];
    for (uint32_t i = 0; i < LW_COUNT(counted); i++) {
        by[i] = total[counted[i]] - begun[counted[i]];
    }
    /* R12.5, 16: an entry that is inserted waits, one that leaves by its second hit does no more */
    lw_bits_put(&out[WAITED], 0, b->u->cfg.increment_w, by[0] + by[1] - by[2]);
    out[COUNT].w[0] = number < LW_COUNTERS ? lw_counters_count(&b->u->counters, number) : 0;
}

static void step(lw_bench *b, const lw_bits *in) {
    const uint32_t width = b->u->cfg.increment_w;
    lw_counters_begin(&b->u->counters, &b->u->events);
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        lw_count(&b->u->events, n, lw_bits_get(&in[INCREMENT], n * width, width));
    }
    lw_counters_tell(&b->u->counters, &b->u->events);
}

const lw_module lw_module_perf_counters = {
    .top = "perf_counters",
    .parameters = "IncrementW Subregions Hashes SecondLookup",
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
