/* What a build of RTL says: the log that `make rtl` leaves, of which a person needs the first error
 * and the warnings. */
#ifndef LW_DPI_BUILD_LOG_H
#define LW_DPI_BUILD_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The first line that tells of an error, without its line break; false where there is none, or no
 * log. */
bool lw_build_log_error(const char *path, char *text, size_t size);
/* Prints the first of Verilator's warnings, at most `shown`, each in a line, and how many there are
 * in all with the log's path. Nothing where there are none. */
void lw_build_log_warnings(const char *path, unsigned shown, FILE *to);

#endif
