/* Where the RTL keeps the fields that lie in arrays of their own (rtl/prim/sram.sv; R14.4): the
 * lockstep's state net and the module lockstep find them there. */
#ifndef LW_DPI_ARRAY_PLACE_H
#define LW_DPI_ARRAY_PLACE_H

#include "c_model/base/unit.h"
#include "c_model/walk/page_walk_cache.h"

#include <stdio.h>

enum { LW_SRAM_WORDS = 64, LW_PLACE_MAX = 128 };

/* Writes instance and register of a field whose structure lies in `instance`; `own` is the
 * register's name where the field has one. */
static inline void lw_array_place(const lw_params *p, lw_field field, const char *instance,
                                  const char *own, char place[LW_PLACE_MAX],
                                  char name[LW_PLACE_MAX]) {
    const bool by_address = p->pwc_org == LW_PWC_BY_ADDRESS;
    const char *array = NULL;
    uint32_t words = 0;
    switch (field) {
    case LW_F_MSC_PASID:
    case LW_F_MSC_TAG:
    case LW_F_MSC_MAP:
        words = p->msc_entries / p->msc_ways;
        array = field == LW_F_MSC_PASID ? "u_pasid" : field == LW_F_MSC_TAG ? "u_tag" : "u_map";
        break;
    case LW_F_PWC_TAG:
    case LW_F_PWC_NODE:
    case LW_F_PWC_PERM:
    case LW_F_PWC_CONTIG:
        words = p->pwc_entries / p->pwc_ways;
        array = !by_address              ? NULL
                : field == LW_F_PWC_TAG  ? "u_tag"
                : field == LW_F_PWC_NODE ? "u_node"
                : field == LW_F_PWC_PERM ? "u_perm"
                                         : "gen_contig.u_contig";
        break;
    default:
        break;
    }
    if (array == NULL) {
        (void)snprintf(place, LW_PLACE_MAX, "%s", instance);
        (void)snprintf(name, LW_PLACE_MAX, "%s", own);
        return;
    }
    (void)snprintf(place, LW_PLACE_MAX, "%s%s%s.%s", instance, instance[0] == '\0' ? "" : ".",
                   array, words >= LW_SRAM_WORDS ? "gen_macro.u_array" : "gen_flops");
    (void)snprintf(name, LW_PLACE_MAX, "mem_q");
}

#endif
