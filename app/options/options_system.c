#include "app/options/options.h"

#include "sim/environment/environment.h"
#include "sim/frames/frame_allocator.h"
#include "sim/memory/latency_model.h"

#include <stdio.h>
#include <string.h>

static bool apply_setting(lw_system *system, const char *setting, lw_error *err) {
    char key[64];
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting || (size_t)(equals - setting) >= sizeof key) {
        return lw_fail(err, "--set: \"%s\" is not KEY=VALUE", setting);
    }
    (void)snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
    return lw_system_set(system, key, equals + 1, "--set: ", err);
}

bool lw_options_check(const lw_system *system, lw_error *err) {
    lw_frame_policy policy;
    lw_latency_config latency;
    if (!lw_system_check(system, err)) {
        return false;
    }
    if (lw_frame_policy_parse(system->mapping, &policy, err) &&
        lw_latency_parse(system->memory_latency, &latency, err) &&
        lw_environment_check_gpu(system, err)) {
        return true;
    }
    lw_system_name_place(system, err);
    return false;
}

/* Settings come after the system that they change, wherever they stand on the command line. */
bool lw_options_system(lw_options *o, lw_error *err) {
    char folder[600];
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    if (!lw_system_load(&o->system, folder, o->system_name, err)) {
        return false;
    }
    for (size_t i = 0; i < o->settings; i++) {
        if (!apply_setting(&o->system, o->setting[i], err)) {
            return false;
        }
    }
    if (o->mapping != NULL &&
        !lw_system_set(&o->system, "mapping", o->mapping, "--mapping: ", err)) {
        return false;
    }
    if (o->remap != NULL && !lw_system_set(&o->system, "remaps", o->remap, "--remap: ", err)) {
        return false;
    }
    if (!lw_options_check(&o->system, err)) {
        return false;
    }
    const lw_params *hw = &o->system.hw;
    return lw_register_map_read(&o->registers, o->register_file, hw, err) &&
           (o->energy_file == NULL || lw_energy_table_load(&o->energy, o->energy_file, err)) &&
           (o->inject == NULL ||
            lw_injection_parse(o->inject, "--inject", hw, &o->rtl_injection, err)) &&
           (o->inject_twin == NULL ||
            lw_injection_parse(o->inject_twin, "--inject-twin", hw, &o->twin_injection, err));
}
