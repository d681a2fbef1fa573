/* What the fuzzers share. A fuzzer hands what libFuzzer has made up to one reader of the program's
 * input files, and holds the reader to its header: it refuses with a sentence that names the file,
 * or what it has read is within the ranges that the header gives. The sanitizers see the rest. */
#ifndef LW_TESTS_FUZZ_FUZZ_H
#define LW_TESTS_FUZZ_FUZZ_H

#include "common/error.h"

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The path of a file with these bytes, the last one of this name gone; in the folder that the
 * environment names as FUZZ_FOLDER. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

/* Ends the fuzzer, which keeps the input, where a promise is broken. */
void fuzz_must(bool kept, const char *promise);

/* Of a reader that has refused the file at `path`: one sentence on one line that names it. */
void fuzz_must_refuse(const lw_error *err, const char *path);

#endif
