#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>

bool lw_fail(lw_error *err, const char *format, ...) {
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return false;
}
