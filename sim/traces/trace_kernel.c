#include "sim/traces/trace_kernel.h"
#include "common/room.h"

#include "sim/files/text_source.h"
#include "sim/traces/trace_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define VERSION_MIN 3
#define VERSION_MAX 6
#define BLOCK_THREADS_MAX 1024 /* CUDA's limits */
#define GRID_X_MAX 2147483647
#define GRID_YZ_MAX 65535

typedef struct reader {
    lw_text_source *text;
    lw_trace_kernel *kernel;
    lw_error *err;
    lw_trace_format format;
    bool has_version, has_format;
    uint64_t version;
    uint64_t grid[3], block[3];
    /* Where the file stands. */
    enum { IN_HEADER, BETWEEN_BLOCKS, IN_BLOCK, IN_WARP } place;
    bool block_named;
    uint64_t blocks_seen;
    uint64_t warp;
    uint64_t lines_left; /* of the warp; UINT64_MAX: its `insts` has not been read */
    lw_trace_warp state;
    lw_trace_kernel whole; /* as the last block has left it: what a cut falls back to */
} reader;

#define NO_INSTS UINT64_MAX

/* One sentence about the current line. */
__attribute__((format(printf, 2, 3))) static bool malformed(reader *r, const char *format, ...) {
    char what[700];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return lw_fail(r->err, "%s:%" PRIu64 ": %s", lw_text_path(r->text), lw_text_number(r->text),
                   what);
}

/* The text after `key` (and blanks, '=', blanks), or NULL where the line has another key. */
static const char *value_of(const char *line, const char *key) {
    const size_t n = strlen(key);
    if (strncmp(line, key, n) != 0) {
        return NULL;
    }
    const char *p = line + n;
    p += strspn(p, " \t");
    if (*p != '=') {
        return NULL;
    }
    p++;
    return p + strspn(p, " \t");
}

static bool one_number(const char *text, int base, uint64_t *value) {
    char word[32];
    (void)snprintf(word, sizeof word, "%s", text);
    word[strcspn(word, " \t")] = '\0';
    return lw_text_unsigned(word, base, value);
}

/* "x,y,z", in brackets or not. */
static bool three_numbers(const char *text, uint64_t *value) {
    char words[96];
    (void)snprintf(words, sizeof words, "%s", text + (*text == '(' ? 1 : 0));
    char *at = words;
    for (int i = 0; i < 3; i++) {
        char *next = at + strcspn(at, ",) \t");
        const char stop = *next;
        *next = '\0';
        if (!lw_text_unsigned(at, 10, &value[i]) || (i < 2 && stop != ',')) {
            return false;
        }
        at = next + (stop != '\0' ? 1 : 0);
    }
    return true;
}

static void read_format(reader *r, const char *text) {
    r->has_format = true;
    r->format.min_immediates = 0;
    r->format.max_immediates = 0;
    r->format.values = strstr(text, "Val|NoVal") != NULL;
    const char *p = strstr(text, "immediate");
    for (; p != NULL; p = strstr(p + 1, "immediate")) {
        r->format.max_immediates++;
        r->format.min_immediates += p == text || p[-1] != '[';
    }
}

static bool header_line(reader *r, const char *line) {
    uint64_t number = 0;
    const char *v = NULL;
    if ((v = value_of(line, "-kernel name")) != NULL) {
        (void)snprintf(r->kernel->name, sizeof r->kernel->name, "%s", v);
    } else if ((v = value_of(line, "-grid dim")) != NULL) {
        if (!three_numbers(v, r->grid) || r->grid[0] * r->grid[1] * r->grid[2] == 0 ||
            r->grid[0] > GRID_X_MAX || r->grid[1] > GRID_YZ_MAX || r->grid[2] > GRID_YZ_MAX ||
            r->grid[0] * r->grid[1] * r->grid[2] > UINT32_MAX) {
            return malformed(r,
                             "grid dim '%s' is not allowed: (x,y,z) from 1, x up to %d, y and "
                             "z up to %d, below 2^32 blocks in all, is",
                             v, GRID_X_MAX, GRID_YZ_MAX);
        }
    } else if ((v = value_of(line, "-block dim")) != NULL) {
        if (!three_numbers(v, r->block) || r->block[0] > BLOCK_THREADS_MAX ||
            r->block[1] > BLOCK_THREADS_MAX || r->block[2] > BLOCK_THREADS_MAX ||
            r->block[0] * r->block[1] * r->block[2] - 1 >= BLOCK_THREADS_MAX) {
            return malformed(r, "block dim '%s' is not allowed: (x,y,z) of 1 to %d threads is", v,
                             BLOCK_THREADS_MAX);
        }
    } else if ((v = value_of(line, "-shmem base_addr")) != NULL) {
        if (!one_number(v, 16, &r->format.shared_base)) {
            return malformed(r, "shmem base_addr '%s' is no hexadecimal address", v);
        }
    } else if ((v = value_of(line, "-accelsim tracer version")) != NULL) {
        if (!one_number(v, 10, &r->version) || r->version < VERSION_MIN ||
            r->version > VERSION_MAX) {
            return malformed(r, "tracer version '%s' is not known: %d to %d are allowed", v,
                             VERSION_MIN, VERSION_MAX);
        }
        r->has_version = true;
    } else if ((v = value_of(line, "-enable lineinfo")) != NULL) {
        if (!one_number(v, 10, &number) || number > 1) {
            return malformed(r, "enable lineinfo '%s' is not allowed: 0 or 1 is", v);
        }
        r->format.line_number = number == 1;
    } else if ((v = value_of(line, "#traces format")) != NULL) {
        read_format(r, v);
    } else if (line[0] != '-' && line[0] != '#') {
        return malformed(r,
                         "'%.40s' stands outside a thread block: header lines (-key = value) up "
                         "to the first #BEGIN_TB are allowed (an ungrouped .trace needs "
                         "Accel-Sim's post-traces-processing first)",
                         line);
    }
    return true;
}

static bool header_done(reader *r) {
    const struct {
        bool present;
        const char *name;
    } needed[] = {{r->grid[0] != 0, "-grid dim"},
                  {r->block[0] != 0, "-block dim"},
                  {r->has_version, "-accelsim tracer version"}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (!needed[i].present) {
            return malformed(r, "the header has no '%s' line, which is needed", needed[i].name);
        }
    }
    if (!r->has_format) {
        r->format.min_immediates = r->version >= 6 ? 2 : 0;
        r->format.max_immediates = r->version >= 6 ? 2 : r->version == 5 ? 1 : 0;
        r->format.values = r->version >= 6;
    }
    const uint64_t threads = r->block[0] * r->block[1] * r->block[2];
    r->kernel->blocks = r->kernel->grid = r->grid[0] * r->grid[1] * r->grid[2];
    r->kernel->block_warps = (uint32_t)((threads + LW_WARP - 1) / LW_WARP);
    return true;
}

static bool begin_block(reader *r) {
    if (r->place == IN_HEADER && !header_done(r)) {
        return false;
    }
    lw_trace_kernel *k = r->kernel;
    r->whole = *k;
    if (r->blocks_seen == k->blocks) {
        return malformed(r, "a thread block too many: -grid dim gives %" PRIu64, k->blocks);
    }
    void *spans = k->spans;
    if (!lw_room(&spans, &k->span_room, k->span_count + k->block_warps, sizeof *k->spans)) {
        return malformed(r, "out of memory");
    }
    k->spans = spans;
    memset(k->spans + k->span_count, 0, k->block_warps * sizeof *k->spans);
    k->span_count += k->block_warps;
    r->place = IN_BLOCK;
    r->block_named = false;
    return true;
}

static bool name_block(reader *r, const char *text) {
    uint64_t id[3];
    if (!three_numbers(text, id) || id[0] >= r->grid[0] || id[1] >= r->grid[1] ||
        id[2] >= r->grid[2]) {
        return malformed(
            r, "thread block '%s' is not in the grid of (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")",
            text, r->grid[0], r->grid[1], r->grid[2]);
    }
    const uint64_t linear = (id[2] * r->grid[1] + id[1]) * r->grid[0] + id[0];
    if (linear != r->blocks_seen) {
        return malformed(r,
                         "thread block '%s' stands where number %" PRIu64 " is expected: each "
                         "block once, x fastest, is allowed",
                         text, r->blocks_seen);
    }
    r->block_named = true;
    return true;
}

static bool begin_warp(reader *r, const char *text) {
    lw_trace_kernel *k = r->kernel;
    if (!one_number(text, 10, &r->warp) || r->warp >= k->block_warps) {
        return malformed(r, "warp '%s' is not allowed: 0 to %" PRIu32 " are, by -block dim", text,
                         k->block_warps - 1);
    }
    lw_trace_span *span = &k->spans[r->blocks_seen * k->block_warps + r->warp];
    if (span->end != 0) {
        return malformed(r, "warp %" PRIu64 " stands twice in this thread block", r->warp);
    }
    /* Indices are kept plus one while reading, so that an empty warp differs from a missing one. */
    *span = (lw_trace_span){k->inst_count + 1, k->inst_count + 1};
    k->warps++;
    r->state = (lw_trace_warp){0};
    r->lines_left = NO_INSTS;
    r->place = IN_WARP;
    return true;
}

static bool warp_done(const reader *r) {
    return r->place != IN_WARP || r->lines_left == 0;
}

static bool end_block(reader *r) {
    if (!r->block_named) {
        return malformed(r, "the thread block ends without its 'thread block = x,y,z' line");
    }
    r->blocks_seen++;
    r->place = BETWEEN_BLOCKS;
    return true;
}

static bool warp_line(reader *r, char *line) {
    const char *v = value_of(line, "insts");
    if (v != NULL) {
        if (r->lines_left != NO_INSTS || !one_number(v, 10, &r->lines_left) ||
            r->lines_left == NO_INSTS) {
            return malformed(r, "'%.40s' is not allowed here: one 'insts = n' after each 'warp ='",
                             line);
        }
        return true;
    }
    if (r->lines_left == NO_INSTS || r->lines_left == 0) {
        return malformed(r, r->lines_left == 0 ? "an instruction more than its warp's 'insts' says"
                                               : "'insts = n' is expected after 'warp ='");
    }
    lw_error why;
    if (!lw_trace_line(&r->format, &r->state, line, r->kernel, &why)) {
        return malformed(r, "%s", why.text);
    }
    r->lines_left--;
    r->kernel->spans[r->blocks_seen * r->kernel->block_warps + r->warp].end =
        r->kernel->inst_count + 1;
    return true;
}

static bool block_line(reader *r, char *line) {
    const bool ends = strcmp(line, "#END_TB") == 0;
    const char *warp = value_of(line, "warp");
    const char *block = value_of(line, "thread block");
    if ((ends || warp != NULL || block != NULL || line[0] == '#') && !warp_done(r)) {
        if (r->lines_left == NO_INSTS) {
            return malformed(r, "warp %" PRIu64 " ends without its 'insts = n' line", r->warp);
        }
        return malformed(r, "warp %" PRIu64 " ends with %" PRIu64 " of its instructions missing",
                         r->warp, r->lines_left);
    }
    if (ends) {
        return end_block(r);
    }
    if (block != NULL && !r->block_named) {
        return name_block(r, block);
    }
    if (warp != NULL && r->block_named) {
        return begin_warp(r, warp);
    }
    if (strncmp(line, "cluster", strlen("cluster")) == 0) {
        return true; /* thread block clusters of newer tracers: no matter for translation */
    }
    if (r->place == IN_WARP && line[0] != '#' && block == NULL) {
        return warp_line(r, line);
    }
    return malformed(r,
                     "'%.40s' is not allowed here: 'thread block = x,y,z', then 'warp = w', "
                     "'insts = n' and n instructions, up to #END_TB, are",
                     line);
}

static bool read_line(reader *r, char *line) {
    line += strspn(line, " \t");
    size_t n = strlen(line);
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t')) {
        line[--n] = '\0';
    }
    if (n == 0) {
        return true;
    }
    if (r->place == IN_BLOCK || r->place == IN_WARP) {
        return block_line(r, line);
    }
    if (strcmp(line, "#BEGIN_TB") == 0) {
        return begin_block(r);
    }
    return header_line(r, line);
}

/* Indices of spans as they are used, no longer plus one. */
static void finish_spans(lw_trace_kernel *kernel) {
    for (size_t i = 0; i < kernel->span_count; i++) {
        lw_trace_span *span = &kernel->spans[i];
        span->begin -= span->begin != 0;
        span->end -= span->end != 0;
    }
}

/* Takes back what the file has of a block that it does not end. */
static void fall_back(reader *r) {
    lw_trace_kernel *k = r->kernel;
    if (r->place == IN_BLOCK || r->place == IN_WARP) {
        k->warps = r->whole.warps;
        k->lines = r->whole.lines;
        k->lane_accesses = r->whole.lane_accesses;
        k->inst_count = r->whole.inst_count;
        k->delta_count = r->whole.delta_count;
        k->span_count = r->whole.span_count;
    }
    k->grid = r->grid[0] * r->grid[1] * r->grid[2];
    k->blocks = r->blocks_seen;
    finish_spans(k);
}

static bool check_end(reader *r) {
    if (r->place == IN_BLOCK || r->place == IN_WARP) {
        return malformed(r, "the file is truncated: it ends within a thread block, before its "
                            "#END_TB");
    }
    if (r->place == IN_HEADER && !header_done(r)) {
        return false;
    }
    if (r->blocks_seen != r->kernel->blocks) {
        return malformed(r,
                         "the file is truncated: it ends after %" PRIu64 " of the %" PRIu64
                         " thread blocks that -grid dim gives",
                         r->blocks_seen, r->kernel->blocks);
    }
    finish_spans(r->kernel);
    return true;
}

/* Whether the file ends before its last block does. */
static bool is_cut(const reader *r) {
    return lw_text_was_cut(r->text) || r->place != BETWEEN_BLOCKS ||
           r->blocks_seen != r->kernel->blocks;
}

bool lw_trace_kernel_read(lw_trace_kernel *kernel, const char *path, bool partial, lw_error *err) {
    *kernel = (lw_trace_kernel){0};
    lw_text_source *text = lw_text_open(path, err);
    if (text == NULL) {
        return false;
    }
    reader r = {.text = text, .kernel = kernel, .err = err};
    if (partial) {
        lw_text_allow_cut(text, "#END_TB");
    }
    char *line = NULL;
    int status = 1;
    bool good = true;
    while (good && (status = lw_text_line(text, &line, err)) == 1) {
        good = read_line(&r, line);
    }
    good = good && status == 0;
    if (good && partial && is_cut(&r)) {
        fall_back(&r);
    } else {
        good = good && check_end(&r);
    }
    lw_text_close(text);
    if (!good) {
        lw_trace_kernel_free(kernel);
    }
    return good;
}
