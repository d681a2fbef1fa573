#define _POSIX_C_SOURCE 200809L

#include "sim/files/text_source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_SIZE 65536

struct lw_text_source {
    char *path;
    int fd;
    struct archive *archive;
    const char *unit; /* what `number` counts */
    uint64_t number;
    bool at_end;
    bool cut_allowed, cut;
    const char *last_line; /* whole without its end, NULL: none is */
    /* What gzip's trailer promises (RFC 1952), and what has been read. */
    bool gzip;
    uint32_t want_crc, want_size;
    uint32_t crc, size;
    uint32_t crc_table[256];
    /* Unread text is buffer[begin, end); one byte is kept for the last line's NUL. */
    size_t begin, end;
    char buffer[LW_TEXT_LINE_MAX + READ_SIZE + 1];
};

static void crc_prepare(lw_text_source *s) {
    s->crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) {
            c = (c >> 1) ^ ((c & 1) != 0 ? UINT32_C(0xedb88320) : 0);
        }
        s->crc_table[i] = c;
    }
}

static void crc_update(lw_text_source *s, const char *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        s->crc = (s->crc >> 8) ^ s->crc_table[(s->crc ^ (uint8_t)data[i]) & 0xff];
    }
    s->size += (uint32_t)bytes;
}

static uint32_t little_endian(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool read_gzip_trailer(lw_text_source *s, lw_error *err) {
    uint8_t trailer[8];
    FILE *file = fopen(s->path, "rb");
    const bool ok = file != NULL && fseek(file, -(long)sizeof trailer, SEEK_END) == 0 &&
                    fread(trailer, 1, sizeof trailer, file) == sizeof trailer;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!ok) {
        return lw_fail(err, "%s: cannot read the gzip trailer", s->path);
    }
    s->gzip = true;
    s->want_crc = little_endian(trailer);
    s->want_size = little_endian(trailer + 4);
    crc_prepare(s);
    return true;
}

/* A file named .xz whose first bytes are damaged would pass as plain text. */
static bool check_filter(lw_text_source *s, lw_error *err) {
    static const struct {
        const char *suffix;
        int filter;
    } kinds[] = {
        {".gz", ARCHIVE_FILTER_GZIP}, {".xz", ARCHIVE_FILTER_XZ}, {".zst", ARCHIVE_FILTER_ZSTD}};
    const int filter = archive_filter_code(s->archive, 0);
    const size_t length = strlen(s->path);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t n = strlen(kinds[i].suffix);
        if (length > n && strcmp(s->path + length - n, kinds[i].suffix) == 0 &&
            filter != kinds[i].filter) {
            return lw_fail(err,
                           "%s: is named %s and does not hold such data: an intact file, or a "
                           "plain one without that ending, is allowed",
                           s->path, kinds[i].suffix);
        }
    }
    return filter != ARCHIVE_FILTER_GZIP || read_gzip_trailer(s, err);
}

/* libarchive leaves some failures without a word. */
static const char *reason(const lw_text_source *s) {
    const char *text = archive_error_string(s->archive);
    return text != NULL ? text : "its data end early";
}

/* What libarchive says of data that end too early, and of nothing else. */
static bool ends_early(const lw_text_source *s) {
    static const char *const words[] = {"runcated", "No progress is possible", "end early"};
    bool early = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        early = early || strstr(reason(s), words[i]) != NULL;
    }
    return early;
}

static bool open_archive(lw_text_source *s, lw_error *err) {
    struct stat status;
    s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0 || fstat(s->fd, &status) != 0) {
        return lw_fail(err, "%s: cannot open it: %s", s->path, strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return lw_fail(err, "%s: is a folder, a text file is needed", s->path);
    }
    s->archive = archive_read_new();
    if (s->archive == NULL) {
        return lw_fail(err, "%s: out of memory", s->path);
    }
    (void)archive_read_support_filter_gzip(s->archive);
    (void)archive_read_support_filter_xz(s->archive);
    (void)archive_read_support_filter_zstd(s->archive);
    (void)archive_read_support_format_raw(s->archive);
    (void)archive_read_support_format_empty(s->archive);
    struct archive_entry *entry = NULL;
    int code = archive_read_open_fd(s->archive, s->fd, READ_SIZE);
    if (code == ARCHIVE_OK) {
        code = archive_read_next_header(s->archive, &entry);
    }
    if (code == ARCHIVE_EOF) {
        return lw_fail(err, "%s: is empty", s->path);
    }
    if (code != ARCHIVE_OK) {
        return lw_fail(err, "%s: is corrupt or truncated: %s (an intact file is allowed)", s->path,
                       reason(s));
    }
    return check_filter(s, err);
}

lw_text_source *lw_text_open(const char *path, lw_error *err) {
    lw_text_source *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->path = strdup(path);
        s->unit = "line";
        s->fd = -1;
    }
    if (s == NULL || s->path == NULL) {
        free(s);
        (void)lw_fail(err, "%s: out of memory", path);
        return NULL;
    }
    if (!open_archive(s, err)) {
        lw_text_close(s);
        return NULL;
    }
    return s;
}

void lw_text_close(lw_text_source *s) {
    if (s == NULL) {
        return;
    }
    if (s->archive != NULL) {
        (void)archive_read_free(s->archive);
    }
    if (s->fd >= 0) {
        (void)close(s->fd);
    }
    free(s->path);
    free(s);
}

static bool check_end(lw_text_source *s, lw_error *err) {
    s->at_end = true;
    if (s->gzip && (s->size != s->want_size || (s->crc ^ UINT32_MAX) != s->want_crc)) {
        return lw_fail(err,
                       "%s: is corrupt or truncated after %s %" PRIu64
                       ": gzip's check sum does not fit (an intact file of one gzip member is "
                       "allowed)",
                       s->path, s->unit, s->number);
    }
    return true;
}

static bool fill(lw_text_source *s, lw_error *err) {
    memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
    s->end -= s->begin;
    s->begin = 0;
    const la_ssize_t got = archive_read_data(s->archive, s->buffer + s->end, READ_SIZE);
    if (got < 0 && s->cut_allowed && ends_early(s)) {
        s->at_end = s->cut = true;
        return true;
    }
    if (got < 0) {
        return lw_fail(
            err, "%s: is corrupt or truncated after %s %" PRIu64 ": %s (an intact file is allowed)",
            s->path, s->unit, s->number, reason(s));
    }
    if (got == 0) {
        return check_end(s, err);
    }
    if (s->gzip) {
        crc_update(s, s->buffer + s->end, (size_t)got);
    }
    s->end += (size_t)got;
    return true;
}

/* Whether what is left is the line with which a whole file ends. */
static bool is_last_line(const lw_text_source *s) {
    const size_t left = s->end - s->begin;
    return s->last_line != NULL && strlen(s->last_line) == left &&
           memcmp(s->buffer + s->begin, s->last_line, left) == 0;
}

int lw_text_line(lw_text_source *s, char **line, lw_error *err) {
    char *newline = NULL;
    size_t searched = 0;
    for (;;) {
        char *from = s->buffer + s->begin;
        newline = memchr(from + searched, '\n', s->end - s->begin - searched);
        if (newline != NULL || s->at_end) {
            break;
        }
        searched = s->end - s->begin;
        if (searched > LW_TEXT_LINE_MAX) {
            (void)lw_fail(err, "%s:%" PRIu64 ": is longer than %d bytes: is this a text file?",
                          s->path, s->number + 1, LW_TEXT_LINE_MAX);
            return -1;
        }
        if (!fill(s, err)) {
            return -1;
        }
    }
    if (newline == NULL && s->begin != s->end && s->cut_allowed && !is_last_line(s)) {
        s->cut = true;
        s->begin = s->end;
    }
    if (newline == NULL && s->begin == s->end) {
        return 0;
    }
    *line = s->buffer + s->begin;
    char *stop = newline != NULL ? newline : s->buffer + s->end;
    s->begin = (size_t)(stop - s->buffer) + (newline != NULL ? 1 : 0);
    s->number++;
    if (stop > *line && stop[-1] == '\r') {
        stop--;
    }
    *stop = '\0';
    if (memchr(*line, '\0', (size_t)(stop - *line)) != NULL) {
        (void)lw_fail(err, "%s:%" PRIu64 ": holds a NUL byte: a text file is needed", s->path,
                      s->number);
        return -1;
    }
    return 1;
}

void lw_text_allow_cut(lw_text_source *s, const char *last_line) {
    s->cut_allowed = true;
    s->last_line = last_line;
}

bool lw_text_was_cut(const lw_text_source *s) {
    return s->cut;
}

bool lw_text_peek(lw_text_source *s, size_t most, const uint8_t **bytes, size_t *count,
                  lw_error *err) {
    while (s->end - s->begin < most && !s->at_end) {
        if (!fill(s, err)) {
            return false;
        }
    }
    *bytes = (const uint8_t *)s->buffer + s->begin;
    *count = s->end - s->begin;
    return true;
}

int lw_text_record(lw_text_source *s, size_t size, const uint8_t **record, lw_error *err) {
    size_t count = 0;
    s->unit = "record";
    if (!lw_text_peek(s, size, record, &count, err)) {
        return -1;
    }
    if (count < size && s->cut_allowed) {
        s->cut = s->cut || count != 0;
        count = 0;
    }
    if (count == 0) {
        return 0;
    }
    if (count < size) {
        (void)lw_fail(err,
                      "%s: is truncated: %zu bytes are left after %" PRIu64
                      " records of %zu bytes (whole records are allowed)",
                      s->path, count, s->number, size);
        return -1;
    }
    s->begin += size;
    s->number++;
    return 1;
}

const char *lw_text_path(const lw_text_source *s) {
    return s->path;
}

uint64_t lw_text_number(const lw_text_source *s) {
    return s->number;
}

static int digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

bool lw_text_unsigned(const char *text, int base, uint64_t *value) {
    const char *p = text;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        p += 2;
        base = 16;
    }
    uint64_t v = 0;
    if (*p == '\0') {
        return false;
    }
    for (; *p != '\0'; p++) {
        const int d = digit(*p);
        if (d >= base || v > (UINT64_MAX - (uint64_t)d) / (uint64_t)base) {
            return false;
        }
        v = v * (uint64_t)base + (uint64_t)d;
    }
    *value = v;
    return true;
}

bool lw_text_signed(const char *text, int64_t *value) {
    const bool negative = text[0] == '-';
    uint64_t magnitude = 0;
    if (!lw_text_unsigned(text + (negative ? 1 : 0), 10, &magnitude) || magnitude > INT64_MAX) {
        return false;
    }
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

char *lw_text_word(char **rest) {
    char *p = *rest + strspn(*rest, " \t");
    if (*p == '\0') {
        *rest = p;
        return NULL;
    }
    char *end = p + strcspn(p, " \t");
    *rest = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return p;
}
