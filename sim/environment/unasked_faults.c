/* Faults that nobody asked for: of a kind that neither the system's keys nor the stream provoke. */
#include "sim/environment/environment_state.h"

/* Whether the page was mapped in the beginning, so that an OS at work may have taken it away. */
static bool was_mapped(const lw_environment *env, const lw_front_request *request) {
    const uint64_t mask = (UINT64_C(1) << (9 * env->system->hw.levels)) - 1;
    size_t count = 0;
    if (request->pasid >= lw_address_spaces_processes(env->spaces)) {
        return false;
    }
    const lw_array *arrays = lw_address_spaces_arrays(env->spaces, request->pasid, &count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t first = arrays[i].base >> LW_PAGE_SHIFT & mask;
        if ((request->page & mask) - first < lw_array_pages(&arrays[i])) {
            return true;
        }
    }
    return false;
}

/* R20.14: what a walk says of a process whose hashed table lacks this. */
static const struct {
    uint32_t kind, level;
} said[LW_LACKS] = {[LW_LACKS_VICTIM_BUFFER] = {LW_NOT_PRESENT, LW_STEP_TABLE_LEVEL},
                    [LW_LACKS_STEP_TABLE] = {LW_MEMORY_ERROR, LW_STEP_TABLE_LEVEL},
                    [LW_LACKS_TABLE] = {LW_MEMORY_ERROR, 1}};

static bool asked_for(const lw_environment *env, const lw_front_request *request, uint32_t kind) {
    const lw_system *s = env->system;
    const bool changes = s->remaps + s->silent_changes + s->table_moves != 0;
    if (kind == LW_MEMORY_ERROR) {
        return s->memory_errors != 0 ||
               said[lw_address_spaces_lacks(env->spaces, request->pasid)].kind == kind;
    }
    if (env->asks_badly) {
        return true;
    }
    switch (kind) {
    case LW_UNKNOWN_PASID:
        return s->root_changes != 0;
    case LW_NOT_PRESENT:
        return s->root_changes != 0 || (changes && was_mapped(env, request));
    case LW_PERMISSION:
        return s->root_changes != 0 ||
               ((changes || s->shared_tables != 0) && was_mapped(env, request));
    default:
        return false;
    }
}

void lw_environment_note_answer(lw_environment *env, const lw_front_request *request, uint32_t kind,
                                uint32_t level) {
    const lw_lack lack = lw_address_spaces_lacks(env->spaces, request->pasid);
    env->lacks[lack] += kind != LW_OK && kind == said[lack].kind && level == said[lack].level;
    env->unasked[kind] += kind != LW_OK && !asked_for(env, request, kind) ? 1 : 0;
}

void lw_environment_faults(const lw_environment *env, uint64_t kinds[LW_KINDS],
                           uint64_t unasked[LW_KINDS]) {
    for (uint32_t k = 0; k < LW_KINDS; k++) {
        kinds[k] = env->counts.kinds[k];
        unasked[k] = env->unasked[k];
    }
}
