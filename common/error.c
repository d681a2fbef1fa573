#include "common/error.h"

#include "common/printable.h"

#include <stdarg.h>
#include <stdio.h>

bool lw_fail(lw_error *err, const char *format, ...) {
    if (err != NULL) {
        lw_error raw; /* a part of the sentence may be what stands in `err` */
        va_list args;
        va_start(args, format);
        (void)vsnprintf(raw.text, sizeof raw.text, format, args);
        va_end(args);
        lw_printable(err->text, sizeof err->text, raw.text);
    }
    return false;
}
