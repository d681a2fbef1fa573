#include "common/ini_file.h"
#include "sim/system/system.h"

#include "common/printable.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A system file, while it is read. */
typedef struct reading {
    lw_system *system;
    const char *folder, *path;      /* of the named systems; of this file */
    int seen[LW_SYSTEM_KEYS_MAX];   /* the line that sets a key; 0: none does */
    uint32_t file;                  /* its place among the system's */
    int settings, extends, summary; /* the same of any key, and of the two words that are none */
} reading;

static bool read_file(reading *r, FILE *file, lw_error *err);

/* NAME is a file of the folder, what ends with .ini a path: from `beside`'s folder, if not NULL. */
static bool path_of(char path[LW_TEXT_MAX], const char *folder, const char *name,
                    const char *beside, lw_error *err) {
    const char *slash = beside == NULL || name[0] == '/' ? NULL : strrchr(beside, '/');
    const int before = slash == NULL ? 0 : (int)(slash + 1 - beside);
    const int used =
        lw_system_is_path(name)
            ? snprintf(path, LW_TEXT_MAX, "%.*s%s", before, before == 0 ? "" : beside, name)
            : snprintf(path, LW_TEXT_MAX, "%s/%s.ini", folder, name);
    return used < LW_TEXT_MAX || lw_fail(err, "%.40s...: a system's path has at most %d characters",
                                         name, LW_TEXT_MAX - 1);
}

static FILE *open_file(const char *path, lw_error *err) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)lw_fail(err, "%s: cannot be read (%s); `lockwalk systems` lists those there are",
                      path, strerror(errno));
    }
    return file;
}

/* A refusal by the other system names its own line. */
static lw_ini_verdict extend(reading *r, const char *name, lw_error *refusal) {
    char path[LW_TEXT_MAX];
    if (r->system->file_count == LW_SYSTEM_FILES_MAX) {
        (void)lw_fail(refusal, "more than 8 systems extend each other; is it a circle?");
        return LW_INI_REFUSED;
    }
    if (!path_of(path, r->folder, name, r->path, refusal)) {
        return LW_INI_REFUSED;
    }
    reading base = {.system = r->system, .folder = r->folder, .path = path};
    FILE *file = open_file(path, refusal);
    if (file == NULL) {
        return LW_INI_REFUSED;
    }
    return read_file(&base, file, refusal) ? LW_INI_TAKEN : LW_INI_REFUSED_WHOLE;
}

/* `extends` and `summary`, which are no keys: above all sections, and `extends` above all keys. */
static lw_ini_verdict take_word(reading *r, const lw_ini_line *line, lw_error *refusal) {
    const bool extends = strcmp(line->name, "extends") == 0;
    if (!lw_ini_once(extends ? &r->extends : &r->summary, line->number, line->name, refusal)) {
        return LW_INI_REFUSED;
    }
    if (line->section[0] != '\0') {
        (void)lw_fail(refusal, "%s stands in section [%s]; allowed: above all sections", line->name,
                      line->section);
        return LW_INI_REFUSED;
    }
    if (extends && r->settings == 0) {
        return extend(r, line->value, refusal);
    }
    if (extends) {
        (void)lw_fail(refusal, "extends must stand before every setting");
        return LW_INI_REFUSED;
    }
    if (strlen(line->value) >= sizeof r->system->summary) {
        (void)lw_fail(refusal, "the summary is too long; allowed: %zu characters",
                      sizeof r->system->summary - 1);
        return LW_INI_REFUSED;
    }
    memcpy(r->system->summary, line->value, strlen(line->value) + 1);
    return LW_INI_TAKEN;
}

/* The path of a memory's timing file is one from the folder of the file that it stands in. */
static bool set_key(reading *r, const lw_ini_line *line, lw_error *refusal) {
    char path[LW_TEXT_MAX];
    const bool is_path = strcmp(line->name, "dram") == 0 && lw_system_is_path(line->value);
    if (is_path && !path_of(path, r->folder, line->value, r->path, refusal)) {
        return false;
    }
    return lw_system_set(r->system, line->name, is_path ? path : line->value, "", refusal);
}

static lw_ini_verdict take_key(reading *r, const lw_ini_line *line, lw_error *refusal) {
    const lw_system_key *key = NULL;
    size_t i = 0;
    while ((key = lw_system_key_at(i)) != NULL && strcmp(key->name, line->name) != 0) {
        i++;
    }
    if (key != NULL && line->section[0] != '\0' && strcmp(line->section, key->section) != 0) {
        (void)lw_fail(refusal, "%s stands in section [%s]; allowed: [%s], or above all sections",
                      line->name, line->section, key->section);
        return LW_INI_REFUSED;
    }
    r->settings++;
    if ((key != NULL && !lw_ini_once(&r->seen[i], line->number, line->name, refusal)) ||
        !set_key(r, line, refusal)) {
        return LW_INI_REFUSED;
    }
    r->system->set_at[i] = (lw_place){.file = r->file, .line = (uint32_t)line->number, .where = ""};
    return LW_INI_TAKEN;
}

static lw_ini_verdict take_line(void *ctx, const lw_ini_line *line, lw_error *refusal) {
    const bool is_word = strcmp(line->name, "extends") == 0 || strcmp(line->name, "summary") == 0;
    return is_word ? take_word(ctx, line, refusal) : take_key(ctx, line, refusal);
}

static const char *const sections[] = {"hardware", "settings", "memory", "gpu", "os",
                                       "stream",   "phases",   "checks", NULL};
static const lw_ini_kind kind = {"system file", sections, take_line};

static bool read_file(reading *r, FILE *file, lw_error *err) {
    lw_system *system = r->system;
    r->file = (uint32_t)system->file_count++;
    (void)snprintf(system->files[r->file], LW_TEXT_MAX, "%s", r->path);
    return lw_ini_read(file, r->path, &kind, r, err);
}

bool lw_system_is_path(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".ini") == 0;
}

bool lw_system_dram_file(const lw_system *system, char path[LW_DRAM_FILE_MAX]) {
    if (lw_system_is_path(system->dram)) {
        (void)snprintf(path, LW_DRAM_FILE_MAX, "%s", system->dram);
    } else {
        (void)snprintf(path, LW_DRAM_FILE_MAX, "%s/dram/%s.ini", system->folder, system->dram);
    }
    return strcmp(system->dram, "none") != 0;
}

bool lw_system_load(lw_system *system, const char *folder, const char *name_or_path,
                    lw_error *err) {
    char path[LW_TEXT_MAX];
    memset(system, 0, sizeof *system);
    if (!path_of(path, folder, name_or_path, NULL, err)) {
        return false;
    }
    (void)snprintf(system->folder, sizeof system->folder, "%s", folder);
    const char *slash = strrchr(path, '/');
    char name[LW_TEXT_MAX];
    (void)snprintf(name, sizeof name, "%s", slash == NULL ? path : slash + 1);
    name[strlen(name) - 4] = '\0'; /* without .ini */
    lw_printable(system->name, sizeof system->name, name);
    reading r = {.system = system, .folder = folder, .path = path};
    FILE *file = open_file(path, err);
    return file != NULL && read_file(&r, file, err);
}
