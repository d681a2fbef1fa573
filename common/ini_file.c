#include "common/ini_file.h"

#include <ini.h>
#include <string.h>
#include <sys/stat.h>

/* What libinih needs while it is in a file. It goes on after a line that it cannot use, so the
 * first refusal waits here, and ends the file. */
typedef struct reading {
    FILE *file;
    const lw_ini_kind *kind;
    void *ctx;
    int line; /* read last */
    lw_ini_verdict verdict;
    lw_error refusal;
} reading;

bool lw_ini_once(int *seen, int line, const char *name, lw_error *refusal) {
    if (*seen != 0) {
        return lw_fail(refusal, "%s stands in line %d already", name, *seen);
    }
    *seen = line;
    return true;
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
    reading *r = user;
    r->verdict = r->kind->take(r->ctx, &(lw_ini_line){section, name, value, r->line}, &r->refusal);
    return r->verdict == LW_INI_TAKEN;
}

/* Whether the line, if it begins a section, begins one that there is: of a section without keys
 * libinih says nothing. */
static bool has_section(const lw_ini_kind *kind, const char *line, lw_error *refusal) {
    const size_t length = strcspn(line, "]");
    if (line[0] != '[' || line[length] == '\0') {
        return true;
    }
    char names[200] = "";
    for (size_t i = 0; kind->sections[i] != NULL; i++) {
        const char *name = kind->sections[i];
        if (strlen(name) == length - 1 && strncmp(name, line + 1, length - 1) == 0) {
            return true;
        }
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s[%s]", i == 0 ? "" : ", ", name);
    }
    return lw_fail(refusal, "there is no section [%.*s]; allowed: %s", (int)(length - 1), line + 1,
                   names);
}

/* Reads lines for libinih, which would split one that is too long. */
static char *next_line(char *text, int room, void *user) {
    reading *r = user;
    if (r->verdict != LW_INI_TAKEN || fgets(text, room, r->file) == NULL) {
        return NULL;
    }
    r->line++;
    if (strchr(text, '\n') == NULL && !feof(r->file)) {
        r->verdict = LW_INI_REFUSED;
        (void)(strlen(text) + 1 < (size_t)room
                   ? lw_fail(&r->refusal, "the line holds a NUL byte: a text file is needed")
                   : lw_fail(&r->refusal, "the line is too long; allowed: %d characters",
                             room - 2));
        return NULL;
    }
    /* which libinih would add to the line above */
    const size_t blanks = strspn(text, " \t");
    if (blanks > 0 && strchr("\r\n#;", text[blanks]) == NULL) {
        r->verdict = LW_INI_REFUSED;
        (void)lw_fail(&r->refusal, "the line begins with a blank; allowed: key = value from its "
                                   "first character on");
        return NULL;
    }
    if (!has_section(r->kind, text, &r->refusal)) {
        r->verdict = LW_INI_REFUSED;
        return NULL;
    }
    return text;
}

bool lw_ini_read(FILE *file, const char *path, const lw_ini_kind *kind, void *ctx, lw_error *err) {
    reading r = {.file = file, .kind = kind, .ctx = ctx};
    const int unusable = ini_parse_stream(next_line, &r, take_line, &r);
    const bool broken = ferror(file) != 0;
    struct stat status;
    const bool folder = fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
    (void)fclose(file);
    if (broken) {
        return lw_fail(err,
                       folder ? "%s: is a folder, a text file is needed"
                              : "%s: cannot be read to its end",
                       path);
    }
    if (unusable != 0 && !(r.verdict != LW_INI_TAKEN && unusable == r.line)) {
        return lw_fail(err, "%s:%d: not a line of a %s; allowed: [section], key = value, # comment",
                       path, unusable, kind->name);
    }
    switch (r.verdict) {
    case LW_INI_TAKEN:
        return true;
    case LW_INI_REFUSED:
        return lw_fail(err, "%s:%d: %s", path, r.line, r.refusal.text);
    case LW_INI_REFUSED_WHOLE:
        break;
    }
    return lw_fail(err, "%s", r.refusal.text);
}
