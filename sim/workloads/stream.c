#include "sim/workloads/stream.h"

#include "sim/workloads/text_source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PASID_MAX UINT64_C(0xfffff)
#define VPN_MAX ((UINT64_C(1) << 52) - 1)

struct lw_stream {
    lw_text_source *text;
};

lw_stream *lw_stream_open(const char *path, lw_error *err) {
    lw_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)lw_fail(err, "%s: out of memory", path);
        return NULL;
    }
    s->text = lw_text_open(path, err);
    if (s->text == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

void lw_stream_close(lw_stream *s) {
    if (s == NULL) {
        return;
    }
    lw_text_close(s->text);
    free(s);
}

static bool fail(const lw_stream *s, lw_error *err, const char *what, const char *word,
                 const char *allowed) {
    return lw_fail(err, "%s:%" PRIu64 ": %s '%s' is not allowed: %s is", lw_text_path(s->text),
                   lw_text_number(s->text), what, word != NULL ? word : "(missing)", allowed);
}

static bool parse(const lw_stream *s, char *line, lw_stream_access *a, lw_error *err) {
    static const struct {
        const char *name;
        lw_access_kind access;
    } kinds[] = {{"r", LW_READ}, {"w", LW_WRITE}, {"x", LW_EXECUTE}};
    uint64_t number = 0;
    const char *word = lw_text_word(&line);
    if (word == NULL || !lw_text_unsigned(word, 10, &number) || number > PASID_MAX) {
        return fail(s, err, "pasid", word, "0 to 1048575, decimal or 0x hexadecimal,");
    }
    a->pasid = (uint32_t)number;
    word = lw_text_word(&line);
    if (word == NULL || !lw_text_unsigned(word, 10, &a->vpn) || a->vpn > VPN_MAX) {
        return fail(s, err, "vpn", word,
                    "0 to 0xfffffffffffff (VA[63:12]), decimal or 0x hexadecimal,");
    }
    word = lw_text_word(&line);
    for (size_t i = 0; word != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(word, kinds[i].name) == 0) {
            a->access = kinds[i].access;
            const char *more = lw_text_word(&line);
            return more == NULL || fail(s, err, "fourth word", more, "'pasid vpn access' a line");
        }
    }
    return fail(s, err, "access", word, "r, w or x");
}

int lw_stream_next(lw_stream *s, lw_stream_access *access, lw_error *err) {
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
