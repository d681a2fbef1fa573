#include "common/error.h"

#include "common/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void write_sentence(lw_error *err, const char *key, const char *format, va_list args) {
    lw_error raw; /* a part of the sentence may be what stands in `err` */
    (void)snprintf(raw.key, sizeof raw.key, "%s", key);
    const size_t used = (size_t)snprintf(raw.text, sizeof raw.text, "%s", raw.key);
    (void)vsnprintf(raw.text + used, sizeof raw.text - used, format, args);
    lw_printable(err->text, sizeof err->text, raw.text);
    memcpy(err->key, raw.key, sizeof err->key);
}

bool lw_fail(lw_error *err, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        write_sentence(err, "", format, args);
        va_end(args);
    }
    return false;
}

bool lw_fail_key(lw_error *err, const char *key, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        write_sentence(err, key, format, args);
        va_end(args);
    }
    return false;
}
