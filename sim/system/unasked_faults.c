/* Faults that nobody asked for: of a kind that neither the system's keys nor the stream provoke. */
#include "sim/system/environment_state.h"

void lw_environment_faults(const lw_environment *env, uint64_t kinds[LW_KINDS],
                           uint64_t unasked[LW_KINDS]) {
    const lw_system *s = env->system;
    const bool drawn = env->asks_badly;
    const bool changes = s->remaps + s->silent_changes + s->table_moves + s->root_changes != 0;
    const bool provoked[LW_KINDS] = {
        [LW_OK] = true,
        [LW_NONCANONICAL] = drawn,
        [LW_UNKNOWN_PASID] = drawn || s->root_changes != 0,
        [LW_NOT_PRESENT] = drawn || changes,
        [LW_RESERVED] = drawn,
        [LW_MISALIGNED] = drawn,
        [LW_PERMISSION] = drawn || changes || s->shared_tables != 0,
        [LW_MEMORY_ERROR] = s->memory_errors != 0,
    };
    for (uint32_t k = 0; k < LW_KINDS; k++) {
        kinds[k] = env->counts.kinds[k];
        unasked[k] = provoked[k] ? 0 : kinds[k];
    }
}
