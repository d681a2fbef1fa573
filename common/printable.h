/* Text from outside - a file's line, an argument - as it may stand in a sentence or a document. */
#ifndef LW_COMMON_PRINTABLE_H
#define LW_COMMON_PRINTABLE_H

#include <stddef.h>

/* Copies the text into `room` bytes, its end included, cut between two characters. Bytes that are
 * no printable UTF-8 stand as \xNN: they would move a terminal's cursor or colour it. */
void lw_printable(char *to, size_t room, const char *from);

#endif
