/* What the environment says of the lines that the unit reads. */
#include "sim/environment/environment_state.h"

/* The line of its root's table that a walk for the page reads, or -1: the PASID has none. */
static uint64_t first_line(lw_environment *env, uint32_t pasid, uint64_t page) {
    const uint32_t levels = env->system->hw.levels;
    const uint64_t vpn = page & ((UINT64_C(1) << 9 * levels) - 1);
    uint64_t pa = 0;
    lw_error none = {0};
    return pasid < lw_address_spaces_processes(env->spaces) &&
                   lw_page_table_entry_address(lw_address_spaces_table(env->spaces, pasid), vpn,
                                               levels, &pa, &none)
               ? pa >> 6
               : UINT64_MAX;
}

static bool is_root(lw_environment *env, uint64_t frame) {
    for (uint32_t p = 0; p < lw_address_spaces_processes(env->spaces); p++) {
        if (lw_page_table_root(lw_address_spaces_table(env->spaces, p)) == frame) {
            return true;
        }
    }
    return false;
}

void lw_environment_expect_walk(lw_environment *env, const lw_inputs *in) {
    if (env->order != NULL) {
        lw_walk_order_accept(env->order, in->req_id, first_line(env, in->req_pasid, in->req_page));
    }
}

/* A read goes to a table that there is (R11.5), and the first one of a walk comes in its order. */
bool lw_environment_judge_read(lw_environment *env, uint64_t line, lw_error *err) {
    if (lw_os_agent_gone(env->agent, line >> 6)) {
        return lw_fail(err,
                       "line 0x%llx is read, of a frame that was a table until the completion of "
                       "the invalidation that was owed for it",
                       (unsigned long long)line << 6);
    }
    return env->order == NULL || !is_root(env, line >> 6) ||
           lw_walk_order_read(env->order, line, err);
}
