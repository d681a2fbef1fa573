#include "app/reports/energy_report.h"

#include "sim/energy/energy.h"

#include <inttypes.h>
#include <stdio.h>

/* Of the twin's counters, which the lockstep holds against the RTL's. */
static lw_energy energy_of(const lw_options *o, const lw_session_result *r) {
    const lw_energy_run run = {.system = &o->system,
                               .counters = r->counters,
                               .translations = r->faults[LW_OK],
                               .front = &r->front,
                               .banks = &r->banks};
    lw_energy energy;
    lw_energy_of(&run, &o->energy, &energy);
    return energy;
}

void lw_energy_print(const lw_options *o, const lw_session_result *r) {
    if (o->energy_file == NULL) {
        return;
    }
    const lw_energy energy = energy_of(o, r);
    const char *between = "";
    (void)printf("  energy in nJ         %.1f by %s: ", energy.sum, o->energy.name);
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        const uint64_t *events = energy.events[part];
        if (events[LW_ENERGY_READ] + events[LW_ENERGY_WRITE] != 0) {
            (void)printf("%s%s %.1f", between, lw_energy_part_name(part), energy.nj[part]);
            between = ", ";
        }
    }
    (void)printf("%s\n", between[0] == '\0' ? "nothing happened" : "");
}

json_t *lw_energy_json(const lw_options *o, const lw_session_result *r) {
    if (o->energy_file == NULL) {
        return json_null();
    }
    const lw_energy energy = energy_of(o, r);
    json_t *all = json_object();
    json_t *parts = json_object();
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        json_t *one = json_object();
        for (uint32_t access = 0; access < LW_ENERGY_ACCESSES; access++) {
            if (lw_energy_has(part, access)) {
                (void)json_object_set_new(one, lw_energy_access_name(access),
                                          json_integer((json_int_t)energy.events[part][access]));
            }
        }
        (void)json_object_set_new(one, "nj", json_real(energy.nj[part]));
        (void)json_object_set_new(parts, lw_energy_part_name(part), one);
    }
    (void)json_object_set_new(all, "table", json_string(o->energy.name));
    (void)json_object_set_new(all, "nj", json_real(energy.sum));
    (void)json_object_set_new(all, "structures", parts);
    return all;
}
