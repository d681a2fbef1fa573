#include "common/ini_file.h"

#include <ini.h>
#include <string.h>
#include <sys/stat.h>

/* What libinih needs while it is in a file. It goes on after a line that it cannot use, so the
 * first refusal waits here, and ends the file. */
typedef struct reading {
    FILE *file;
    lw_ini_take_fn *take;
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
    r->verdict = r->take(r->ctx, &(lw_ini_line){section, name, value, r->line}, &r->refusal);
    return r->verdict == LW_INI_TAKEN;
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
    return text;
}

bool lw_ini_read(FILE *file, const char *path, const char *kind, lw_ini_take_fn *take, void *ctx,
                 lw_error *err) {
    reading r = {.file = file, .take = take, .ctx = ctx};
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
                       path, unusable, kind);
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
