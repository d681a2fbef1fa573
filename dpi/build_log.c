#include "dpi/build_log.h"

#include <stdlib.h>
#include <string.h>

typedef bool judge(const char *line);

static bool is_error(const char *line) {
    static const char *const signs[] = {
        "%Error", ": error", "fatal error", "undefined reference", "cannot find", "make: ***"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strstr(line, signs[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_warning(const char *line) {
    return strncmp(line, "%Warning", strlen("%Warning")) == 0;
}

/* Not Verilator's last word, where what it warned of says more. */
static bool is_error_alone(const char *line) {
    return is_error(line) && strstr(line, "Exiting due to") == NULL &&
           strstr(line, "make: ***") == NULL;
}

/* The next such line without its line break; NULL at the end. */
static const char *next(FILE *log, judge *judge, char **line, size_t *room) {
    while (getline(line, room, log) >= 0) {
        (*line)[strcspn(*line, "\n")] = '\0';
        if (judge(*line)) {
            return *line;
        }
    }
    return NULL;
}

bool lw_build_log_error(const char *path, char *text, size_t size) {
    judge *const judges[] = {is_error_alone, is_warning, is_error};
    FILE *log = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    const char *found = NULL;
    for (size_t i = 0; log != NULL && found == NULL && i < sizeof judges / sizeof judges[0]; i++) {
        rewind(log);
        found = next(log, judges[i], &line, &room);
    }
    if (found != NULL) {
        (void)snprintf(text, size, "%s", found);
    }
    free(line);
    if (log != NULL) {
        (void)fclose(log);
    }
    return found != NULL;
}

void lw_build_log_warnings(const char *path, unsigned shown, FILE *to) {
    FILE *log = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned count = 0;
    if (log == NULL) {
        return;
    }
    for (const char *found = NULL; (found = next(log, is_warning, &line, &room)) != NULL; count++) {
        if (count < shown) {
            (void)fprintf(to, "%s\n", found);
        }
    }
    if (count != 0) {
        (void)fprintf(to, "lockwalk: Verilator's warnings in this design: %u; all are in %s\n",
                      count, path);
    }
    free(line);
    (void)fclose(log);
}
