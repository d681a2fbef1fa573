#include "sim/traces/stream.h"

#include "sim/files/text_source.h"
#include "sim/traces/champsim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASIDS (1u << 20)
#define SOURCES (1u << 16)
#define VPN_MAX ((UINT64_C(1) << 52) - 1)

struct lw_stream {
    lw_text_source *text;
    uint32_t pasids, sources;                        /* allowed, from 0 */
    bool records;                                    /* ChampSim's, not lines */
    lw_stream_access accesses[LW_CHAMPSIM_ACCESSES]; /* of the last record */
    unsigned next, count;                            /* in `accesses` */
};

static bool open_file(lw_stream *s, const char *path, bool partial, lw_error *err) {
    const uint8_t *start = NULL;
    size_t count = 0;
    s->text = lw_text_open(path, err);
    if (s->text != NULL && partial) {
        lw_text_allow_cut(s->text, NULL);
    }
    if (s->text == NULL || !lw_text_peek(s->text, LW_CHAMPSIM_BYTES, &start, &count, err)) {
        return false;
    }
    s->records = lw_champsim_begins(start, count);
    return true;
}

static lw_stream *open_stream(const char *path, bool partial, lw_error *err) {
    lw_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)lw_fail(err, "%s: out of memory", path);
        return NULL;
    }
    lw_stream_bound(s, PASIDS, SOURCES);
    if (!open_file(s, path, partial, err)) {
        lw_stream_close(s);
        return NULL;
    }
    return s;
}

lw_stream *lw_stream_open(const char *path, lw_error *err) {
    return open_stream(path, false, err);
}

lw_stream *lw_stream_open_partial(const char *path, lw_error *err) {
    return open_stream(path, true, err);
}

lw_partial lw_stream_partial(const lw_stream *s) {
    return (lw_partial){.cut = lw_text_was_cut(s->text),
                        .unit = s->records ? "records" : "lines",
                        .whole = lw_text_number(s->text)};
}

void lw_stream_close(lw_stream *s) {
    if (s == NULL) {
        return;
    }
    lw_text_close(s->text);
    free(s);
}

void lw_stream_bound(lw_stream *s, uint32_t pasids, uint32_t sources) {
    s->pasids = pasids;
    s->sources = sources;
}

static bool fail(const lw_stream *s, lw_error *err, const char *what, const char *word,
                 const char *allowed) {
    return lw_fail(err, "%s:%" PRIu64 ": %s '%s' is not allowed: %s is", lw_text_path(s->text),
                   lw_text_number(s->text), what, word != NULL ? word : "(missing)", allowed);
}

/* A number of the line up to `most`. */
static bool number(const lw_stream *s, const char *what, const char *word, uint64_t most,
                   uint64_t *value, lw_error *err) {
    char allowed[96];
    (void)snprintf(allowed, sizeof allowed, "0 to %" PRIu64 ", decimal or 0x hexadecimal,", most);
    return (word != NULL && lw_text_unsigned(word, 10, value) && *value <= most) ||
           fail(s, err, what, word, allowed);
}

static bool parse_access(const lw_stream *s, const char *word, lw_access_kind *access,
                         lw_error *err) {
    static const struct {
        const char *name;
        lw_access_kind access;
    } kinds[] = {{"r", LW_READ}, {"w", LW_WRITE}, {"x", LW_EXECUTE}};
    for (size_t i = 0; word != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(word, kinds[i].name) == 0) {
            *access = kinds[i].access;
            return true;
        }
    }
    return fail(s, err, "access", word, "r, w or x");
}

/* The columns that may be left out. */
static bool parse_rest(const lw_stream *s, char *line, lw_stream_access *a, lw_error *err) {
    /* A run that waits for longer would not end while anybody waits for it. */
    const uint64_t LATEST = (UINT64_C(1) << 40) - 1;
    const char *word = lw_text_word(&line);
    uint64_t source = 0;
    a->cycle = 0;
    a->source = LW_STREAM_NO_SOURCE;
    if (word != NULL && strcmp(word, "-") != 0 &&
        !number(s, "cycle", word, LATEST, &a->cycle, err)) {
        return false;
    }
    word = lw_text_word(&line);
    if (word == NULL) {
        return true;
    }
    if (!number(s, "source", word, s->sources - 1, &source, err)) {
        return false;
    }
    a->source = (uint32_t)source;
    word = lw_text_word(&line);
    return word == NULL ||
           fail(s, err, "sixth word", word, "'pasid vpn access [cycle [source]]' a line");
}

static bool parse(const lw_stream *s, char *line, lw_stream_access *a, lw_error *err) {
    uint64_t pasid = 0;
    if (!number(s, "pasid", lw_text_word(&line), s->pasids - 1, &pasid, err)) {
        return false;
    }
    a->pasid = (uint32_t)pasid;
    const char *word = lw_text_word(&line);
    if (word == NULL || !lw_text_unsigned(word, 10, &a->vpn) || a->vpn > VPN_MAX) {
        return fail(s, err, "vpn", word,
                    "0 to 0xfffffffffffff (VA[63:12]), decimal or 0x hexadecimal,");
    }
    return parse_access(s, lw_text_word(&line), &a->access, err) && parse_rest(s, line, a, err);
}

/* The accesses of the next record into s->accesses: 1, 0 at the end, -1 and a sentence. */
static int next_record(lw_stream *s, lw_error *err) {
    const uint8_t *record = NULL;
    const int status = lw_text_record(s->text, LW_CHAMPSIM_BYTES, &record, err);
    if (status != 1) {
        return status;
    }
    if (!lw_champsim_is_record(record)) {
        (void)lw_fail(err,
                      "%s: record %" PRIu64 " is none of ChampSim's: is_branch and branch_taken of "
                      "0 or 1 are allowed",
                      lw_text_path(s->text), lw_text_number(s->text));
        return -1;
    }
    s->count = lw_champsim_accesses(record, s->accesses);
    s->next = 0;
    return 1;
}

static int next_of_records(lw_stream *s, lw_stream_access *access, lw_error *err) {
    while (s->next == s->count) {
        const int status = next_record(s, err);
        if (status != 1) {
            return status;
        }
    }
    *access = s->accesses[s->next++];
    return 1;
}

static int next_of_lines(lw_stream *s, lw_stream_access *access, lw_error *err) {
    char *line = NULL;
    for (;;) {
        const int status = lw_text_line(s->text, &line, err);
        if (status != 1) {
            return status;
        }
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t")] != '\0') {
            return parse(s, line, access, err) ? 1 : -1;
        }
    }
}

int lw_stream_next(lw_stream *s, lw_stream_access *access, lw_error *err) {
    return s->records ? next_of_records(s, access, err) : next_of_lines(s, access, err);
}
