/* Lines of a text file, or records of a binary one, that may be compressed: plain, .gz, .xz or
 * .zst, told apart by content.
 *
 * One library (libarchive, its `raw` format) reads all four. Only these filters are enabled, so
 * that no input can make the library start an external program. A truncated or corrupt compressed
 * file is an error, never a short text; as libarchive leaves gzip's check sum alone, it is checked
 * here (which is why a .gz must be one member, as every gzip program writes it). Internal. */
#ifndef LW_SIM_FILES_TEXT_SOURCE_H
#define LW_SIM_FILES_TEXT_SOURCE_H

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>

#define LW_TEXT_LINE_MAX 65536 /* bytes of a line; the longest trace line has below 1500 */

typedef struct lw_text_source lw_text_source;

/* NULL and a sentence where the file cannot be opened, is a folder, is empty, or its name ends in
 * .gz, .xz or .zst and its content is nothing of that kind. */
lw_text_source *lw_text_open(const char *path, lw_error *err);
void lw_text_close(lw_text_source *s);

/* Before anything is read: a file that is cut, within its compressed data or within its last line
 * or record, ends with the last that is whole (of compressed data, that the library has decoded).
 * A last line without its end counts as cut unless it is `last_line`, with which a whole file ends
 * (NULL: any line may be the last). Corrupt data are refused all the same. */
void lw_text_allow_cut(lw_text_source *s, const char *last_line);
/* Whether the end that has been reached was a cut. */
bool lw_text_was_cut(const lw_text_source *s);

/* 1 and the next line (NUL terminated, without its end of line; the caller may write into it; valid
 * until the next call), 0 at the end, -1 and a sentence: corrupt, truncated, a line too long, a NUL
 * byte. */
int lw_text_line(lw_text_source *s, char **line, lw_error *err);

/* What stands at the start, before anything is read: *bytes (valid until the next call) and how
 * many, `most` of them (at most 64 KiB) unless the file has fewer. False and a sentence as above.
 */
bool lw_text_peek(lw_text_source *s, size_t most, const uint8_t **bytes, size_t *count,
                  lw_error *err);

/* 1 and the next so many bytes (valid until the next call), 0 at the end, -1 and a sentence:
 * corrupt, truncated, or fewer bytes left than a record has. Lines are not read beside records. */
int lw_text_record(lw_text_source *s, size_t size, const uint8_t **record, lw_error *err);

/* For error sentences: the path as it was given; the last line's or record's number, from 1. */
const char *lw_text_path(const lw_text_source *s);
uint64_t lw_text_number(const lw_text_source *s);

/* Parses all of `text` as a number: decimal, or hexadecimal where `base` is 16 or it begins with
 * 0x. False where it is not all digits or does not fit. */
bool lw_text_unsigned(const char *text, int base, uint64_t *value);
bool lw_text_signed(const char *text, int64_t *value); /* decimal, with an optional '-' */

/* The next blank-separated word of a line, cut out in place; NULL past the last. */
char *lw_text_word(char **rest);

#endif
