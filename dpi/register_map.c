#include "dpi/register_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* The field that STRUCTURE.FIELD names; LW_FIELD_COUNT for none. */
static lw_field field_of(const char *text) {
    lw_field f = 0;
    for (; f < LW_FIELD_COUNT; f++) {
        const char *structure = lw_structure_name(lw_field_structure(f));
        const size_t n = strlen(structure);
        if (strncmp(text, structure, n) == 0 && text[n] == '.' &&
            strcmp(text + n + 1, lw_field_name(f)) == 0) {
            break;
        }
    }
    return f;
}

/* Where it is: everything up to the last dot is the instance. */
static bool read_place(lw_register_line *line, const char *place) {
    const char *dot = strrchr(place, '.');
    const char *name = dot == NULL ? place : dot + 1;
    const size_t instance = dot == NULL ? 0 : (size_t)(dot - place);
    line->nowhere = strcmp(place, "-") == 0;
    if (instance >= LW_PLACE_MAX || strlen(name) >= LW_PLACE_MAX || name[0] == '\0') {
        return false;
    }
    memcpy(line->instance, place, instance);
    line->instance[instance] = '\0';
    (void)snprintf(line->name, LW_PLACE_MAX, "%s", name);
    return true;
}

static bool read_line(lw_register_map *map, char *text, unsigned number, const lw_params *params,
                      lw_error *err) {
    text[strcspn(text, "#")] = '\0';
    char *rest = NULL;
    const char *field = strtok_r(text, blanks, &rest);
    const char *place = strtok_r(NULL, blanks, &rest);
    if (field == NULL) {
        return true;
    }
    if (place == NULL || strtok_r(NULL, blanks, &rest) != NULL) {
        return lw_fail(err, "%s:%u: allowed: STRUCTURE.FIELD and instance.name, or - for none",
                       map->path, number);
    }
    const lw_field f = field_of(field);
    if (f == LW_FIELD_COUNT || !lw_field_exists(params, f)) {
        return lw_fail(err,
                       "%s:%u: this system has no register \"%s\"; `lockwalk registers` lists them",
                       map->path, number, field);
    }
    lw_register_line *line = &map->line[f];
    if (line->number != 0) {
        return lw_fail(err, "%s:%u: %s stands in line %u already", map->path, number, field,
                       line->number);
    }
    line->number = number;
    return read_place(line, place) ||
           lw_fail(err, "%s:%u: \"%s\" is no instance.name of at most %d characters each",
                   map->path, number, place, LW_PLACE_MAX - 1);
}

bool lw_register_map_read(lw_register_map *map, const char *path, const lw_params *params,
                          lw_error *err) {
    memset(map, 0, sizeof *map);
    map->path = path;
    if (path == NULL) {
        return true;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return lw_fail(err, "--registers: %s cannot be read (%s)", path, strerror(errno));
    }
    char *text = NULL;
    size_t room = 0;
    bool good = true;
    for (unsigned number = 1; good && getline(&text, &room, file) >= 0; number++) {
        good = read_line(map, text, number, params, err);
    }
    good = good && (ferror(file) == 0 ||
                    lw_fail(err, "--registers: %s cannot be read (%s)", path, strerror(errno)));
    free(text);
    (void)fclose(file);
    return good;
}
