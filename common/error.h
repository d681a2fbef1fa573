/* Errors as values: one sentence a person can act on.
 *
 * Every function that can fail takes an `lw_error *` last, returns false (or NULL) on failure and
 * then leaves in it one sentence that names the file, line or option, what was wrong with it and
 * what is allowed. The program prints it after "lockwalk: " and exits with status 2. */
#ifndef LW_COMMON_ERROR_H
#define LW_COMMON_ERROR_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_error {
    char text[2048]; /* the sentence, without a trailing newline; "" where nothing failed */
    char key[32];    /* the parameter that it begins with; "" where it is of none */
} lw_error;

/* Writes the sentence (printf style; cut at the buffer's end; bytes that are no printable UTF-8 as
 * \xNN) and returns false, so that a caller can `return lw_fail(err, ...)`. `err` may be NULL: the
 * sentence is then dropped. */
bool lw_fail(lw_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a parameter: the sentence is `key` (at most 31 characters) and what is written. */
bool lw_fail_key(lw_error *err, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
