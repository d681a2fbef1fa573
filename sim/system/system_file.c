#include "sim/system/system.h"

#include "common/printable.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

/* What the INI reader needs while it is in one file. It goes on after a line that it cannot use, so
 * the first refusal waits in `refusal`, and ends the file. */
typedef struct reading {
    lw_system *system;
    const char *folder, *path; /* of the named systems; of this file */
    FILE *file;
    unsigned depth;
    int line;                       /* read last */
    int seen[LW_SYSTEM_KEYS_MAX];   /* the line that sets a key; 0: none does */
    int settings, extends, summary; /* the same of any key, and of the two words that are none */
    lw_error refusal;
    bool refused;
    bool below; /* the refusal comes from a system that this one extends, and names its own line */
} reading;

static bool read_file(reading *r, lw_error *err);

/* NAME is a file of the folder, what ends with .ini a path: from `beside`'s folder, if not NULL. */
static bool path_of(char path[LW_TEXT_MAX], const char *folder, const char *name,
                    const char *beside, lw_error *err) {
    const size_t length = strlen(name);
    const bool is_path = length > 4 && strcmp(name + length - 4, ".ini") == 0;
    const char *slash = beside == NULL || name[0] == '/' ? NULL : strrchr(beside, '/');
    const int before = slash == NULL ? 0 : (int)(slash + 1 - beside);
    const int used =
        is_path ? snprintf(path, LW_TEXT_MAX, "%.*s%s", before, before == 0 ? "" : beside, name)
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

static bool extend(reading *r, const char *name) {
    char path[LW_TEXT_MAX];
    if (r->depth >= 8) {
        return lw_fail(&r->refusal, "more than 8 systems extend each other; is it a circle?");
    }
    if (!path_of(path, r->folder, name, r->path, &r->refusal)) {
        return false;
    }
    reading base = {.system = r->system, .folder = r->folder, .path = path, .depth = r->depth + 1};
    base.file = open_file(path, &r->refusal);
    if (base.file == NULL) {
        return false;
    }
    r->below = !read_file(&base, &r->refusal);
    return !r->below;
}

static bool once(reading *r, int *line, const char *name) {
    if (*line != 0) {
        return lw_fail(&r->refusal, "%s stands in line %d already", name, *line);
    }
    *line = r->line;
    return true;
}

/* `extends` and `summary`, which are no keys: above all sections, and `extends` above all keys. */
static bool take_word(reading *r, const char *section, const char *name, const char *value) {
    const bool extends = strcmp(name, "extends") == 0;
    if (!once(r, extends ? &r->extends : &r->summary, name)) {
        return false;
    }
    if (section[0] != '\0') {
        return lw_fail(&r->refusal, "%s stands in section [%s]; allowed: above all sections", name,
                       section);
    }
    if (extends) {
        return r->settings == 0 ? extend(r, value)
                                : lw_fail(&r->refusal, "extends must stand before every setting");
    }
    if (strlen(value) >= sizeof r->system->summary) {
        return lw_fail(&r->refusal, "the summary is too long; allowed: %zu characters",
                       sizeof r->system->summary - 1);
    }
    memcpy(r->system->summary, value, strlen(value) + 1);
    return true;
}

static bool take_key(reading *r, const char *section, const char *name, const char *value) {
    const lw_system_key *key = NULL;
    size_t i = 0;
    while ((key = lw_system_key_at(i)) != NULL && strcmp(key->name, name) != 0) {
        i++;
    }
    if (key != NULL && section[0] != '\0' && strcmp(section, key->section) != 0) {
        return lw_fail(&r->refusal,
                       "%s stands in section [%s]; allowed: [%s], or above all sections", name,
                       section, key->section);
    }
    r->settings++;
    return (key == NULL || once(r, &r->seen[i], name)) &&
           lw_system_set(r->system, name, value, "", &r->refusal);
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
    reading *r = user;
    const bool is_word = strcmp(name, "extends") == 0 || strcmp(name, "summary") == 0;
    r->refused = is_word ? !take_word(r, section, name, value) : !take_key(r, section, name, value);
    return !r->refused;
}

/* Reads lines for libinih, which would split one that is too long. */
static char *next_line(char *text, int room, void *user) {
    reading *r = user;
    if (r->refused || fgets(text, room, r->file) == NULL) {
        return NULL;
    }
    r->line++;
    if (strchr(text, '\n') == NULL && !feof(r->file)) {
        r->refused = true;
        (void)(strlen(text) + 1 < (size_t)room
                   ? lw_fail(&r->refusal, "the line holds a NUL byte: a text file is needed")
                   : lw_fail(&r->refusal, "the line is too long; allowed: %d characters",
                             room - 2));
        return NULL;
    }
    /* which libinih would add to the line above */
    const size_t blanks = strspn(text, " \t");
    if (blanks > 0 && strchr("\r\n#;", text[blanks]) == NULL) {
        r->refused = true;
        (void)lw_fail(&r->refusal, "the line begins with a blank; allowed: key = value from its "
                                   "first character on");
        return NULL;
    }
    return text;
}

/* Closes the file. */
static bool read_file(reading *r, lw_error *err) {
    const char *path = r->path;
    int unusable = ini_parse_stream(next_line, r, take_line, r);
    bool broken = ferror(r->file) != 0;
    (void)fclose(r->file);
    if (broken) {
        return lw_fail(err, "%s: cannot be read to its end", path);
    }
    if (unusable != 0 && !(r->refused && unusable == r->line)) {
        return lw_fail(err,
                       "%s:%d: not a line of a system file; allowed: [section], key = value, "
                       "# comment",
                       path, unusable);
    }
    if (!r->refused) {
        return true;
    }
    return r->below ? lw_fail(err, "%s", r->refusal.text)
                    : lw_fail(err, "%s:%d: %s", path, r->line, r->refusal.text);
}

bool lw_system_load(lw_system *system, const char *folder, const char *name_or_path,
                    lw_error *err) {
    char path[LW_TEXT_MAX];
    memset(system, 0, sizeof *system);
    if (!path_of(path, folder, name_or_path, NULL, err)) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    char name[LW_TEXT_MAX];
    (void)snprintf(name, sizeof name, "%s", slash == NULL ? path : slash + 1);
    name[strlen(name) - 4] = '\0'; /* without .ini */
    lw_printable(system->name, sizeof system->name, name);
    reading r = {.system = system, .folder = folder, .path = path, .file = open_file(path, err)};
    return r.file != NULL && read_file(&r, err);
}
