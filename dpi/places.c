#include "dpi/places.h"

#include <ctype.h>
#include <stdio.h>

void lw_rtl_place(const lw_params *p, lw_field f, const char *instance, char place[LW_PLACE_MAX],
                  char name[LW_PLACE_MAX]) {
    const lw_rtl_array array = lw_rtl_array_of(p, f);
    if (array.instance != NULL) {
        (void)snprintf(place, LW_PLACE_MAX, "%s%s%s.%s", instance, instance[0] == '\0' ? "" : ".",
                       array.instance,
                       array.words >= LW_SRAM_WORDS ? "gen_macro.u_array" : "gen_flops");
        (void)snprintf(name, LW_PLACE_MAX, "mem_q");
        return;
    }
    const char *text = lw_field_name(f);
    size_t n = 0;
    for (; text[n] != '\0' && n + 3 < LW_PLACE_MAX; n++) {
        name[n] = (char)tolower((unsigned char)text[n]);
    }
    (void)snprintf(name + n, LW_PLACE_MAX - n, "_q");
    (void)snprintf(place, LW_PLACE_MAX, "%s", instance);
}
