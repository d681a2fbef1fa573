#define _POSIX_C_SOURCE 200809L

#include "sim/traces/trace_list.h"
#include "common/room.h"

#include "sim/files/text_source.h"
#include "sim/traces/champsim.h"
#include "sim/traces/trace_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PAGE_SHIFT 12
#define LIST_NAME "kernelslist.g"

static const char *const endings[] = {"", ".gz", ".xz", ".zst"};

/* folder/name.ending, in memory of its own; the folder may be empty. NULL where memory is short. */
static char *join(const char *folder, const char *name, const char *ending) {
    const char *between = folder[0] != '\0' && folder[strlen(folder) - 1] != '/' ? "/" : "";
    const size_t size = strlen(folder) + strlen(between) + strlen(name) + strlen(ending) + 1;
    char *path = malloc(size);
    if (path != NULL) {
        (void)snprintf(path, size, "%s%s%s%s", folder, between, name, ending);
    }
    return path;
}

/* The first of the names with an ending that exists, NULL where none does; false where memory is
 * short. */
static bool find(const char *folder, const char *name, char **path) {
    struct stat status;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        *path = join(folder, name, endings[i]);
        if (*path == NULL || stat(*path, &status) == 0) {
            return *path != NULL;
        }
        free(*path);
    }
    *path = NULL;
    return true;
}

static bool add_kernel(lw_trace_list *list, char *path) {
    void *kernels = list->kernels;
    if (!lw_room(&kernels, &list->kernel_room, list->kernel_count + 1, sizeof *list->kernels)) {
        free(path);
        return false;
    }
    list->kernels = kernels;
    list->kernels[list->kernel_count++] = path;
    return true;
}

static bool fail_at(const lw_text_source *text, lw_error *err, const char *what,
                    const char *allowed) {
    return lw_fail(err, "%s:%" PRIu64 ": '%.200s' %s", lw_text_path(text), lw_text_number(text),
                   what, allowed);
}

static bool read_copy(lw_trace_list *list, const lw_text_source *text, char *line, lw_error *err) {
    static const char allowed[] =
        "is not allowed: MemcpyHtoD,0xADDRESS,BYTES within canonical 48-bit addresses is";
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", line);
    char *address = strchr(copy, ',');
    char *bytes = address != NULL ? strchr(address + 1, ',') : NULL;
    uint64_t base = 0;
    uint64_t size = 0;
    if (bytes == NULL) {
        return fail_at(text, err, line, allowed);
    }
    *bytes = '\0';
    if (!lw_text_unsigned(address + 1, 16, &base) || !lw_text_unsigned(bytes + 1, 10, &size) ||
        !lw_trace_canonical(base) || size > UINT64_C(1) << 47 ||
        (size > 0 && (base + size - 1 < base || !lw_trace_canonical(base + size - 1)))) {
        return fail_at(text, err, line, allowed);
    }
    if (size == 0) {
        return true;
    }
    void *copies = list->copies;
    if (!lw_room(&copies, &list->copy_room, list->copy_count + 1, sizeof *list->copies)) {
        return fail_at(text, err, line, "does not fit: out of memory");
    }
    list->copies = copies;
    list->copies[list->copy_count++] =
        (lw_page_run){base >> PAGE_SHIFT, ((base + size - 1) >> PAGE_SHIFT) + 1};
    return true;
}

static bool read_entry(lw_trace_list *list, const lw_text_source *text, const char *folder,
                       char *line, bool partial, lw_error *err) {
    if (strncmp(line, "MemcpyHtoD", strlen("MemcpyHtoD")) == 0) {
        return read_copy(list, text, line, err);
    }
    if (strncmp(line, "Memcpy", strlen("Memcpy")) == 0) {
        return true; /* copies back to the host touch nothing new */
    }
    if (strstr(line, ".trace") == NULL) {
        return fail_at(text, err, line,
                       "is not allowed: MemcpyHtoD,0xADDRESS,BYTES and kernel files (*.traceg, "
                       "*.traceg.gz, .xz, .zst) are");
    }
    char *path = NULL;
    if (!find(line[0] == '/' ? "" : folder, line, &path)) {
        return fail_at(text, err, line, "does not fit: out of memory");
    }
    if (path == NULL && partial) {
        list->missing++;
        return true;
    }
    if (path == NULL) {
        return fail_at(text, err, line,
                       "is missing: a file relative to this list (also with .gz, .xz or .zst "
                       "added) is needed");
    }
    return add_kernel(list, path) || fail_at(text, err, line, "does not fit: out of memory");
}

/* Reads the list; *is_kernel where its first line shows that it is a kernel file instead. */
static bool read_lines(lw_trace_list *list, lw_text_source *text, const char *folder, bool partial,
                       bool *is_kernel, lw_error *err) {
    char *line = NULL;
    bool first = true;
    int status = 1;
    while ((status = lw_text_line(text, &line, err)) == 1) {
        char *rest = line;
        char *entry = lw_text_word(&rest);
        if (entry == NULL) {
            continue;
        }
        *is_kernel = first && entry[0] == '-';
        if (*is_kernel) {
            return true;
        }
        first = false;
        if (!read_entry(list, text, folder, entry, partial, err)) {
            return false;
        }
    }
    if (status == 0 && list->kernel_count == 0) {
        return lw_fail(err, "%s: names no kernel file: at least one *.traceg line is needed",
                       lw_text_path(text));
    }
    return status == 0;
}

static bool is_text(lw_text_source *text, lw_error *err) {
    const uint8_t *start = NULL;
    size_t count = 0;
    if (!lw_text_peek(text, LW_CHAMPSIM_BYTES, &start, &count, err)) {
        return false;
    }
    return !lw_champsim_begins(start, count) ||
           lw_fail(err, "%s: holds the records of a ChampSim trace, which --stream takes",
                   lw_text_path(text));
}

static bool read_file(lw_trace_list *list, const char *path, bool partial, lw_error *err) {
    lw_text_source *text = lw_text_open(path, err);
    char *folder = join("", path, "");
    bool is_kernel = false;
    bool good = text != NULL && folder != NULL && is_text(text, err);
    if (good) {
        char *slash = strrchr(folder, '/');
        folder[slash != NULL ? slash - folder + 1 : 0] = '\0';
        good = read_lines(list, text, folder, partial, &is_kernel, err);
    }
    free(folder);
    lw_text_close(text);
    list->path = good ? join("", path, "") : NULL;
    good = list->path != NULL;
    if (good && is_kernel) {
        char *kernel = join("", path, "");
        good = kernel != NULL && add_kernel(list, kernel);
    }
    return good;
}

bool lw_trace_list_read(lw_trace_list *list, const char *path, bool partial, lw_error *err) {
    struct stat status;
    *list = (lw_trace_list){0};
    (void)lw_fail(err, "%s: out of memory", path); /* stands where no other sentence replaces it */
    bool good = false;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        char *inside = NULL;
        if (find(path, LIST_NAME, &inside)) {
            good = inside != NULL ? read_file(list, inside, partial, err)
                                  : lw_fail(err,
                                            "%s: is a folder without a %s: that file, or a kernel "
                                            "file itself, is needed",
                                            path, LIST_NAME);
        }
        free(inside);
    } else {
        good = read_file(list, path, partial, err);
    }
    if (!good) {
        lw_trace_list_free(list);
        return false;
    }
    if (err != NULL) {
        err->text[0] = '\0';
    }
    return true;
}

void lw_trace_list_free(lw_trace_list *list) {
    for (size_t i = 0; i < list->kernel_count; i++) {
        free(list->kernels[i]);
    }
    free(list->path);
    free(list->kernels);
    free(list->copies);
    *list = (lw_trace_list){0};
}
