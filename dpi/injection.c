#include "dpi/injection.h"

#include "common/number.h"

#include <string.h>

static bool word(const char **text, const char *name) {
    size_t n = strlen(name);
    if (strncmp(*text, name, n) != 0) {
        return false;
    }
    *text += n;
    return true;
}

bool lw_injection_parse(const char *text, const char *option, const lw_params *params,
                        lw_injection *injection, lw_error *err) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const char *at = text;
        uint64_t index = 0;
        uint64_t bit = 0;
        uint64_t cycle = 0;
        lw_structure s = lw_field_structure(f);
        if (!word(&at, lw_structure_name(s)) || !word(&at, "[") ||
            !lw_number_read(&at, UINT64_MAX, &index) || !word(&at, "].") ||
            !word(&at, lw_field_name(f)) || !word(&at, ".") ||
            !lw_number_read(&at, UINT64_MAX, &bit) || !word(&at, "@") ||
            !lw_number_read(&at, UINT64_MAX, &cycle) || *at != '\0') {
            continue;
        }
        if (!lw_field_exists(params, f)) {
            return lw_fail(err, "%s: this system has no %s.%s (its hardware lacks what needs it)",
                           option, lw_structure_name(s), lw_field_name(f));
        }
        if (index >= lw_structure_entries(params, s) || bit >= lw_field_bits(params, f)) {
            return lw_fail(err, "%s: %s has entries 0..%u here, and %s bits 0..%u", option,
                           lw_structure_name(s), lw_structure_entries(params, s) - 1,
                           lw_field_name(f), lw_field_bits(params, f) - 1);
        }
        *injection = (lw_injection){true, cycle, f, (uint32_t)index, (uint32_t)bit};
        return true;
    }
    return lw_fail(err,
                   "%s: \"%s\" is not STRUCTURE[index].FIELD.bit@cycle with names of "
                   "state/registers.yaml, as in BUFFER[3].PL.1@5000",
                   option, text);
}
