#include "app/commands/commands.h"

#include "c_model/base/catalogue.h"

#include "sim/kernels/kernel_list.h"
#include "sim/traces/trace.h"
#include "sim/workloads/workload.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_keys(void) {
    const lw_system_key *key = NULL;
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        if (key->is_text) {
            (void)printf("%-10s %-20s %-12s %s\n", key->section, key->name, "text", key->summary);
        } else {
            char range[32];
            (void)snprintf(range, sizeof range, "%u..%u", key->min, key->max);
            (void)printf("%-10s %-20s %-12s %s\n", key->section, key->name, range, key->summary);
        }
    }
}

/* As the file of a system that extends no other. */
static void print_system(const lw_system *system) {
    const lw_system_key *key = NULL;
    const char *section = "";
    (void)printf("summary = %s\n", system->summary);
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        uint32_t number = 0;
        const char *text = lw_system_value(system, i, &number);
        if (strcmp(section, key->section) != 0) {
            section = key->section;
            (void)printf("\n[%s]\n", section);
        }
        if (text != NULL) {
            (void)printf("%s = %s\n", key->name, text);
        } else {
            (void)printf("%s = %" PRIu32 "\n", key->name, number);
        }
    }
}

int lw_command_systems(const lw_options *o) {
    char pattern[600];
    char folder[600];
    glob_t found;
    lw_error err = {0};
    if (o->keys + o->show + o->parameters > 1) {
        (void)lw_fail(&err, "--keys, --show and --parameters: only one of them at a time");
        return lw_refuse(&err);
    }
    if (o->settings != 0 && !o->show && !o->parameters) {
        (void)lw_fail(&err, "--set: has no effect here; it is for --show and --parameters");
        return lw_refuse(&err);
    }
    if (o->keys) {
        print_keys();
        return 0;
    }
    if (o->show) {
        print_system(&o->system);
        return 0;
    }
    if (o->parameters) {
        char options[1024];
        lw_system_build_options(&o->system, options, sizeof options);
        (void)puts(options);
        return 0;
    }
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    (void)snprintf(pattern, sizeof pattern, "%s/systems/*.ini", o->root);
    if (glob(pattern, 0, NULL, &found) != 0) {
        (void)lw_fail(&err, "%s: holds no system", folder);
        return lw_refuse(&err);
    }
    int status = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        lw_system system;
        if (!lw_system_load(&system, folder, found.gl_pathv[i], &err)) {
            status = lw_refuse(&err);
            continue;
        }
        (void)printf("%-16s %s\n", system.name, system.summary);
    }
    globfree(&found);
    return status;
}

int lw_command_registers(const lw_options *o) {
    const lw_params *p = &o->system.hw;
    (void)printf("%-34s %7s %5s  %s\n", "register", "entries", "bits", "says");
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const lw_structure s = lw_field_structure(f);
        char name[64];
        if (!lw_field_exists(p, f)) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%s.%s", lw_structure_name(s), lw_field_name(f));
        (void)printf("%-34s %7u %5u  %s\n", name, lw_structure_entries(p, s), lw_field_bits(p, f),
                     lw_field_meaning(f));
    }
    return 0;
}

int lw_command_workloads(const lw_options *o) {
    const lw_workload_info *info = NULL;
    const char *name = NULL;
    const char *summary = NULL;
    (void)o;
    for (size_t i = 0; (info = lw_workload_at(i)) != NULL; i++) {
        (void)printf("%-12s %s; %s; default %" PRIu64 ": %s\n", info->name, info->summary,
                     info->irregular ? "irregular" : "regular", info->default_size,
                     info->size_means);
    }
    for (size_t i = 0; (name = lw_stream_name_at(i, &summary)) != NULL; i++) {
        (void)printf("%-12s %s\n", name, summary);
    }
    return 0;
}

int lw_command_trace_info(const lw_options *o) {
    lw_trace_summary *kernels = NULL;
    size_t count = 0;
    lw_error err = {0};
    if (o->operand == NULL) {
        (void)lw_fail(&err, "trace-info: names no file; it takes a kernelslist.g, its folder, or "
                            "one kernel file");
        return lw_refuse(&err);
    }
    lw_partial partial = {.cut = false};
    if (!lw_trace_info(o->operand, o->run.partial ? &partial : NULL, &kernels, &count, &err)) {
        return lw_refuse(&err);
    }
    (void)printf("%-32s %10s %10s %14s %14s %14s %10s\n", "kernel", "blocks", "warps",
                 "instructions", "wave accesses", "lane accesses", "pages");
    for (size_t i = 0; i < count; i++) {
        const lw_trace_summary *k = &kernels[i];
        (void)printf("%-32.32s %10" PRIu64 " %10" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64
                     " %10" PRIu64 "\n",
                     k->name, k->blocks, k->warps, k->instructions, k->wave_accesses,
                     k->lane_accesses, k->distinct_pages);
    }
    free(kernels);
    (void)fflush(stdout);
    lw_say_partial(o->operand, &partial);
    return 0;
}
