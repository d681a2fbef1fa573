#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_must(bool kept, const char *promise) {
    if (!kept) {
        (void)fprintf(stderr, "fuzz: broken: %s\n", promise);
        abort();
    }
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size) {
    static char path[512];
    const char *folder = getenv("FUZZ_FOLDER");
    (void)snprintf(path, sizeof path, "%s/%s", folder == NULL ? "/tmp" : folder, name);
    FILE *file = fopen(path, "wb");
    fuzz_must(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0,
              "the folder for files is there");
    return path;
}

void fuzz_must_refuse(const lw_error *err, const char *file) {
    fuzz_must(err->text[0] != '\0', "a refusal is a sentence");
    if (strstr(err->text, file) == NULL || strchr(err->text, '\n') != NULL) {
        (void)fprintf(stderr, "fuzz: %s\n", err->text);
        fuzz_must(false, "a refusal names the file, on one line");
    }
}
