/* Reading the numbers of the text forms of this folder. */
#ifndef LW_COMMON_NUMBER_H
#define LW_COMMON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads an unsigned number, decimal or 0x hexadecimal, at *text and moves *text behind it. False,
 * with *text where it was, if no digit stands there or the number exceeds `max`. */
bool lw_number_read(const char **text, uint64_t max, uint64_t *value);

#endif
