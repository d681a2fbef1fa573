#include "app/options/option_values.h"

#include "common/number.h"

#include <inttypes.h>
#include <string.h>

static bool parse_number(const lw_option *option, const char *text, uint64_t *value,
                         lw_error *err) {
    const lw_taking *range = &option->value;
    const char *end = text;
    if (!lw_number_read(&end, range->most, value) || *end != '\0' || *value < range->lowest) {
        return lw_fail(
            err, "--%s: \"%s\" is not allowed; it takes a whole number in %" PRIu64 "..%" PRIu64,
            option->name, text, range->lowest, range->most);
    }
    return true;
}

static void *field_of(lw_options *o, const lw_option *option) {
    return (char *)o + option->value.offset;
}

bool lw_take_text(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)err;
    *(const char **)field_of(o, option) = text;
    return true;
}

bool lw_take_flag(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)text;
    (void)err;
    *(bool *)field_of(o, option) = true;
    return true;
}

bool lw_take_number(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    return parse_number(option, text, field_of(o, option), err);
}

static bool name_system(lw_options *o, const char *text, lw_error *err) {
    if (o->system_name != NULL) {
        return lw_fail(err, "--system and --show: only one of them at a time");
    }
    o->system_name = text;
    return true;
}

bool lw_take_system(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    return name_system(o, text, err);
}

bool lw_take_show(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    o->show = true;
    return name_system(o, text, err);
}

bool lw_take_through(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    o->through = text;
    o->run.through_tlbs = strcmp(text, "tlbs") == 0;
    return o->run.through_tlbs || strcmp(text, "unit") == 0 ||
           lw_fail(err, "--through: \"%s\" is not allowed; unit or tlbs is", text);
}

bool lw_take_pasids(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    uint64_t processes = 0;
    if (!parse_number(option, text, &processes, err)) {
        return false;
    }
    o->run.processes = (uint32_t)processes;
    return true;
}

bool lw_take_setting(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    if (o->settings == LW_SETTINGS_MAX) {
        return lw_fail(err, "--set: at most %d of them", LW_SETTINGS_MAX);
    }
    o->setting[o->settings++] = text;
    return true;
}

bool lw_take_nets(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    static const char *const names[] = {"ports", "state", "oracle"};
    (void)option;
    o->nets_off = LW_NETS;
    for (const char *at = text; *at != '\0';) {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < 3 && (strlen(names[i]) != n || strncmp(at, names[i], n) != 0)) {
            i++;
        }
        if (i == 3) {
            return lw_fail(err, "--nets: \"%s\" is not a list of ports, state, oracle", text);
        }
        o->nets_off &= ~(1u << i);
        at += n + (at[n] == ',' && at[n + 1] != '\0');
    }
    return o->nets_off != LW_NETS ||
           lw_fail(err, "--nets: names none; allowed: ports, state, oracle");
}

bool lw_take_progress(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    (void)text;
    (void)err;
    o->progress = true;
    return true;
}

bool lw_take_no_progress(lw_options *o, const lw_option *option, const char *text, lw_error *err) {
    (void)option;
    (void)text;
    (void)err;
    o->progress = false;
    return true;
}
