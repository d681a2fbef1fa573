#include "app/host/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const char *option, const char *path, int reason, lw_error *err) {
    return lw_fail(err, "--%s: %s cannot be written (%s)", option, path, strerror(reason));
}

/* Whether a write to the stream has failed, and of what if that is still known. */
static bool has_failed(FILE *file, int *reason) {
    errno = 0;
    const bool failed = fflush(file) != 0 || ferror(file) != 0;
    *reason = errno;
    return failed;
}

static bool cut(const char *what, int reason, lw_error *err) {
    return lw_fail(err, "%s could not be written to its end (%s)", what,
                   reason == 0 ? "a write failed" : strerror(reason));
}

static bool cut_file(const char *option, const char *path, int reason, lw_error *err) {
    char what[PATH_MAX + 64];
    (void)snprintf(what, sizeof what, "--%s: %s", option, path);
    return cut(what, reason, err);
}

/* The file behind the links, which may not be there yet; false where they do not end. */
static bool follow_links(const char *path, char target[PATH_MAX]) {
    enum { LINKS = 40 };
    size_t length = strlen(path);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target, path, length + 1);
    for (int i = 0; i < LINKS; i++) {
        char to[PATH_MAX];
        const ssize_t n = readlink(target, to, sizeof to - 1);
        if (n < 0) {
            return true; /* no link: what else is wrong is seen when it is opened */
        }
        to[n] = '\0';
        char *slash = strrchr(target, '/');
        const size_t folder = to[0] == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - target);
        if (folder + (size_t)n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, to, (size_t)n + 1);
    }
    errno = ELOOP;
    return false;
}

static bool folder_takes_files(const char *target) {
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", target);
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return access(".", W_OK | X_OK) == 0;
    }
    slash[1] = '\0';
    return access(folder, W_OK | X_OK) == 0;
}

/* The file behind the links, its folder's path without any. */
static bool resolve(const char *path, char target[PATH_MAX], char place[PATH_MAX]) {
    if (!follow_links(path, target)) {
        return false;
    }
    char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash + 1 - target),
                   slash == NULL ? "." : target);
    if (realpath(folder, place) == NULL) {
        return false;
    }
    const size_t length = strlen(place);
    return (size_t)snprintf(place + length, PATH_MAX - length, "/%s", name) < PATH_MAX - length;
}

bool lw_output_is_same(const char *path, const char *other) {
    struct stat one;
    struct stat two;
    const bool is_one = stat(path, &one) == 0;
    if (is_one != (stat(other, &two) == 0)) {
        return false;
    }
    if (is_one) {
        return S_ISREG(one.st_mode) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
    }
    char target[PATH_MAX];
    char first[PATH_MAX];
    char second[PATH_MAX];
    return resolve(path, target, first) && resolve(other, target, second) &&
           strcmp(first, second) == 0;
}

/* Whether the path is, or is to be, a regular file; `is_there` and its mode in `found` if it is. */
static bool is_regular(const char *path, struct stat *found, bool *is_there) {
    *is_there = stat(path, found) == 0;
    return !*is_there || S_ISREG(found->st_mode);
}

static bool check(const char *option, const char *path, bool only_regular, lw_error *err) {
    struct stat found;
    bool is_there = false;
    char target[PATH_MAX];
    if (path == NULL) {
        return true;
    }
    if (path[0] == '\0') {
        return lw_fail(err, "--%s: the name of the file is empty", option);
    }
    if (!is_regular(path, &found, &is_there)) {
        if (S_ISDIR(found.st_mode) || S_ISSOCK(found.st_mode)) {
            return refuse(option, path, S_ISDIR(found.st_mode) ? EISDIR : ENXIO, err);
        }
        if (only_regular) {
            return lw_fail(err, "--%s: %s is no regular file; allowed: one, or a new name", option,
                           path);
        }
    } else if (!follow_links(path, target) || !folder_takes_files(target)) {
        return refuse(option, path, errno, err);
    }
    return !is_there || access(path, W_OK) == 0 || refuse(option, path, errno, err);
}

bool lw_output_check(const char *option, const char *path, lw_error *err) {
    return check(option, path, false, err);
}

bool lw_output_check_regular(const char *option, const char *path, lw_error *err) {
    return check(option, path, true, err);
}

/* Opened anew, the file that stdout goes to would be written over from its beginning. */
static FILE *open_where_stdout_goes(const char *path) {
    struct stat named;
    struct stat out;
    if (stat(path, &named) != 0 || fstat(STDOUT_FILENO, &out) != 0 || named.st_dev != out.st_dev ||
        named.st_ino != out.st_ino || S_ISCHR(out.st_mode)) {
        return NULL;
    }
    (void)fflush(stdout);
    const int copy = dup(STDOUT_FILENO);
    return copy < 0 ? NULL : fdopen(copy, "a");
}

FILE *lw_output_open(const char *option, const char *path, const char *mode, lw_error *err) {
    FILE *file = open_where_stdout_goes(path);
    if (file == NULL) {
        file = fopen(path, mode);
    }
    if (file == NULL) {
        (void)refuse(option, path, errno, err);
    }
    return file;
}

/* Whether the table begins with its columns, and its last row has an end. */
static bool is_table(const char *path, const char *columns) {
    FILE *file = fopen(path, "r");
    bool good = file != NULL;
    for (size_t i = 0; good && columns[i] != '\0'; i++) {
        good = fgetc(file) == columns[i];
    }
    good = good && fgetc(file) == '\n' && fseek(file, -1, SEEK_END) == 0 && fgetc(file) == '\n';
    if (file != NULL) {
        (void)fclose(file);
    }
    return good;
}

FILE *lw_output_open_table(const char *option, const char *path, const char *columns,
                           lw_error *err) {
    struct stat found;
    bool is_there = false;
    if (!check(option, path, false, err)) {
        return NULL;
    }
    const bool is_new = !is_regular(path, &found, &is_there) || !is_there || found.st_size == 0;
    if (!is_new && !is_table(path, columns)) {
        (void)lw_fail(err,
                      "--%s: %s does not begin with this command's columns, or ends within a row; "
                      "allowed: such a table, or a new name",
                      option, path);
        return NULL;
    }
    FILE *file = lw_output_open(option, path, "a", err);
    if (file != NULL && is_new) {
        (void)fprintf(file, "%s\n", columns);
    }
    return file;
}

bool lw_output_close(FILE *file, const char *option, const char *path, lw_error *err) {
    int reason = 0;
    if (file == NULL) {
        return true;
    }
    bool failed = has_failed(file, &reason);
    if (fclose(file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    return !failed || cut_file(option, path, reason, err);
}

bool lw_output_flush(lw_error *err) {
    int reason = 0;
    return !has_failed(stdout, &reason) || cut("standard output", reason, err);
}

/* A file beside the one that it will replace, with that one's permissions. */
static FILE *open_part(lw_output *o, const struct stat *replaced) {
    const int n = snprintf(o->part, sizeof o->part, "%s.XXXXXX", o->target);
    if (n < 0 || (size_t)n >= sizeof o->part) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int fd = mkstemp(o->part);
    if (fd < 0) {
        return NULL;
    }
    const mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(fd, replaced != NULL ? replaced->st_mode & 07777 : 0666 & ~mask);
    return fdopen(fd, "w");
}

bool lw_output_begin(lw_output *o, const char *option, const char *path, lw_error *err) {
    struct stat found;
    bool is_there = false;
    *o = (lw_output){.option = option, .path = path};
    if (!is_regular(path, &found, &is_there)) {
        o->file = lw_output_open(option, path, "w", err);
        return o->file != NULL;
    }
    o->file = is_there ? open_where_stdout_goes(path) : NULL;
    if (o->file != NULL) {
        return true;
    }
    if (!follow_links(path, o->target)) {
        return refuse(option, path, errno, err);
    }
    o->file = open_part(o, is_there ? &found : NULL);
    return o->file != NULL || refuse(option, path, errno, err);
}

bool lw_output_end(lw_output *o, bool good, lw_error *err) {
    const int reason = errno; /* why it is not good */
    bool whole = lw_output_close(o->file, o->option, o->path, err);
    if (!good) {
        whole = cut_file(o->option, o->path, reason, err);
    }
    if (o->target[0] == '\0') {
        return whole;
    }
    if (whole && rename(o->part, o->target) != 0) {
        whole = refuse(o->option, o->path, errno, err);
    }
    if (!whole) {
        (void)unlink(o->part);
    }
    return whole;
}
