/* `lockwalk shrink`: what is left of a failing run when all that it does not need is taken away -
 * first what disturbs it, then requests, then pages - as two files and one command. */
#include "app/commands/commands.h"
#include "app/commands/delta.h"
#include "app/host/interrupt.h"
#include "app/host/output.h"
#include "app/options/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 2000 /* runs for requests, and as many for pages */ };

typedef struct request {
    uint64_t cycle, page;
    uint32_t pasid, source, access;
} request;

typedef struct shrinker {
    lw_options options; /* of the run that is tried: what is kept of it so far */
    char folder[600], stream[PATH_MAX], map[PATH_MAX];
    char setting[LW_SETTINGS_MAX][80]; /* those that were added */
    lw_session_result result;
    lw_error refusal; /* of a run that was tried; it counts as one that does not fail */
    request *requests;
    size_t count, room;
    bool *keep, *mapped; /* a request; the page of one, at the first that asks for it */
    bool has_map, has_cycles;
    bool is_built;
    uint64_t max_cycles;
    unsigned runs;
} shrinker;

/* ---------------------------------------------------------------- one run */

static void record(void *ctx, uint64_t cycle, const lw_inputs *in) {
    shrinker *s = ctx;
    if (s->count == s->room) {
        const size_t room = s->room == 0 ? 1024 : 2 * s->room;
        request *more = realloc(s->requests, room * sizeof *more);
        if (more == NULL) {
            return; /* what is not recorded makes the stream run right, which is said */
        }
        s->requests = more;
        s->room = room;
    }
    s->requests[s->count++] =
        (request){cycle, in->req_page, in->req_pasid, in->req_src, in->req_access};
}

/* One run as it stands, of both sides, or of the twin alone with its requests recorded; false where
 * it is refused. */
static bool run(shrinker *s, lw_side side, lw_error *err) {
    lw_session_options session = lw_options_session(&s->options, side);
    session.max_cycles = s->max_cycles;
    session.asked = side == LW_SIDE_TWIN ? record : NULL;
    session.asked_ctx = s;
    session.is_built = s->is_built;
    s->runs++;
    if (s->options.progress) {
        (void)fprintf(stderr, "\r\033[Kshrink: run %u", s->runs);
    }
    return lw_session_run(&session, &s->result, NULL, err);
}

/* Whether the run fails. One that is refused does not. */
static bool fails(shrinker *s, lw_error *err) {
    const bool ran = run(s, LW_SIDE_BOTH, err);
    s->is_built = s->is_built || ran;
    return ran && s->result.mismatch.found;
}

/* ---------------------------------------------------------------- what disturbs it */

/* What happens now and then, by chance: of these sections all that may be 0. */
static bool disturbs(const lw_system_key *key) {
    static const char *const sections[] = {"memory", "stream", "os", "phases"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (strcmp(key->section, sections[i]) == 0) {
            return !key->is_text && key->min == 0 && strcmp(key->name, "page_size") != 0 &&
                   strcmp(key->name, "few_pages") != 0;
        }
    }
    return false;
}

static void calm_down(shrinker *s) {
    lw_options *o = &s->options;
    const lw_system_key *key = NULL;
    size_t added = 0;
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        uint32_t value = 0;
        if (!disturbs(key) || o->settings == LW_SETTINGS_MAX ||
            lw_system_value(&o->system, i, &value) != NULL || value == 0) {
            continue;
        }
        const lw_system before = o->system;
        (void)lw_system_set(&o->system, key->name, "0", "", &s->refusal);
        if (fails(s, &s->refusal)) {
            (void)snprintf(s->setting[added], sizeof s->setting[added], "%s=0", key->name);
            o->setting[o->settings++] = s->setting[added++];
            if (strcmp(key->name, "remaps") == 0) {
                o->remap = NULL; /* which would win over the setting */
            }
        } else {
            o->system = before;
        }
    }
}

/* ---------------------------------------------------------------- requests and pages */

static bool is_first(const shrinker *s, size_t i) {
    for (size_t k = 0; k < i; k++) {
        if (s->keep[k] && s->requests[k].page == s->requests[i].page &&
            s->requests[k].pasid == s->requests[i].pasid) {
            return false;
        }
    }
    return true;
}

static bool write_stream(const shrinker *s, lw_error *err) {
    static const char access[] = "rwxx";
    lw_output out;
    if (!lw_output_begin(&out, "shrink", s->stream, err)) {
        return false;
    }
    const uint64_t first = s->count == 0 ? 0 : s->requests[0].cycle;
    for (size_t i = 0; i < s->count; i++) {
        const request *r = &s->requests[i];
        if (s->keep[i]) {
            (void)fprintf(out.file, "%" PRIu32 " 0x%" PRIx64 " %c", r->pasid, r->page,
                          access[r->access & 3]);
            if (s->has_cycles) {
                (void)fprintf(out.file, " %" PRIu64 " %" PRIu32, r->cycle - first, r->source);
            }
            (void)fputc('\n', out.file);
        }
    }
    return lw_output_end(&out, true, err);
}

static bool write_map(const shrinker *s, lw_error *err) {
    lw_output out;
    if (!lw_output_begin(&out, "shrink", s->map, err)) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->mapped[i]) {
            (void)fprintf(out.file, "%" PRIu32 " 0x%" PRIx64 " 1 4K rwx\n", s->requests[i].pasid,
                          s->requests[i].page);
        }
    }
    return lw_output_end(&out, true, err);
}

static bool stream_fails(void *ctx) {
    shrinker *s = ctx;
    return write_stream(s, &s->refusal) && (!s->has_map || write_map(s, &s->refusal)) &&
           fails(s, &s->refusal);
}

/* The recorded requests in the place of the workload: with the cycles of the run, or one after the
 * other; on what they touch, or on a random stream's arrays. False where none of these fails. */
static bool become_stream(shrinker *s) {
    static const char *const maps[] = {"touched", "arrays"};
    lw_options *o = &s->options;
    const lw_run run = o->run;
    s->keep = calloc(s->count + 1, sizeof *s->keep);
    s->mapped = calloc(s->count + 1, sizeof *s->mapped);
    if (s->keep == NULL || s->mapped == NULL) {
        return false;
    }
    memset(s->keep, true, s->count);
    o->run = (lw_run){.stream = s->stream, .seed = run.seed};
    for (size_t map = 0; map < 2; map++) {
        for (int cycles = 0; cycles < 2; cycles++) {
            o->run.map = maps[map];
            s->has_cycles = cycles != 0;
            if (stream_fails(s)) {
                return true;
            }
        }
    }
    o->run = run;
    return false;
}

static size_t shrink_requests(shrinker *s) {
    return lw_delta(s->keep, s->count, TRIES, stream_fails, s);
}

/* The pages that are touched, each a line of a map; 0 where the map must stay as it is. */
static size_t shrink_pages(shrinker *s) {
    if (strcmp(s->options.run.map, "touched") != 0) {
        return 0;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->mapped[i] = s->keep[i] && is_first(s, i);
    }
    s->has_map = true;
    s->options.run.map = s->map;
    if (!stream_fails(s)) {
        s->has_map = false;
        s->options.run.map = "touched";
        return 0;
    }
    return lw_delta(s->mapped, s->count, TRIES, stream_fails, s);
}

/* ---------------------------------------------------------------- the command */

static bool refuse_folder(const shrinker *s, lw_error *err) {
    return lw_fail(err, "%s cannot be made (%s)", s->folder, strerror(errno));
}

/* A new one each time: the command that an earlier one has printed reads that one's files, and one
 * beside it tries its own. */
static bool make_folder(shrinker *s, lw_error *err) {
    const lw_options *o = &s->options;
    (void)snprintf(s->folder, sizeof s->folder, "%s/build/shrunk", o->root);
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        return refuse_folder(s, err);
    }
    for (unsigned i = 1;; i++) {
        (void)snprintf(s->folder, sizeof s->folder, "%s/build/shrunk/%s-seed%" PRIu64 "-%u",
                       o->root, o->system.name, o->run.seed, i);
        if (mkdir(s->folder, 0777) == 0) {
            break;
        }
        if (errno != EEXIST) {
            return refuse_folder(s, err);
        }
    }
    (void)snprintf(s->stream, sizeof s->stream, "%s/requests.stream", s->folder);
    (void)snprintf(s->map, sizeof s->map, "%s/pages.map", s->folder);
    return true;
}

static void say(const shrinker *s, size_t requests, size_t pages) {
    if (requests == 0) {
        (void)printf("%zu requests; as a stream they do not fail, so the workload stays\n",
                     s->count);
    } else {
        (void)printf("%zu of %zu requests: %s\n", requests, s->count, s->stream);
    }
    if (s->has_map) {
        (void)printf("%zu pages: %s\n", pages, s->map);
    }
    (void)printf("it fails in cycle %" PRIu64 ", after %u runs; again:\n%s/build/lockwalk cosim",
                 s->result.mismatch.cycle, s->runs, s->options.root);
    lw_print_arguments(stdout, &s->options);
    lw_print_sides(stdout, &s->options);
    (void)printf("\n");
}

static bool shrink(shrinker *s, lw_error *err) {
    if (!fails(s, err)) {
        return err->text[0] == '\0' &&
               lw_fail(err, "shrink: the run does not fail; allowed: one "
                            "that `lockwalk cosim` ends with a mismatch of");
    }
    s->max_cycles = 2 * s->result.mismatch.cycle + 100000;
    calm_down(s);
    if (!fails(s, err)) { /* the last that was tried need not be one that did */
        return false;
    }
    const uint64_t cycle = s->result.mismatch.cycle;
    const bool recorded = run(s, LW_SIDE_TWIN, &s->refusal);
    size_t requests = recorded && become_stream(s) ? shrink_requests(s) : 0;
    size_t pages = requests == 0 ? 0 : shrink_pages(s);
    size_t before = 0;
    while (pages != 0 && requests + pages != before) { /* each may have been there for the other */
        before = requests + pages;
        requests = shrink_requests(s);
        pages = lw_delta(s->mapped, s->count, TRIES, stream_fails, s);
    }
    /* The files are those of the last that was tried, which need not have failed either. */
    s->result.mismatch.cycle = requests != 0 && stream_fails(s) ? s->result.mismatch.cycle : cycle;
    if (s->options.progress) {
        lw_hide_progress();
    }
    say(s, requests, pages);
    return true;
}

int lw_command_shrink(const lw_options *options) {
    static shrinker s;
    lw_error err = {0};
    s.options = *options;
    s.max_cycles = options->max_cycles;
    const bool made = make_folder(&s, &err);
    const bool good = made && shrink(&s, &err);
    if (made) {
        (void)rmdir(s.folder); /* where there is nothing in it */
    }
    free(s.requests);
    free(s.keep);
    free(s.mapped);
    if (*lw_interrupt_watch() != 0) {
        return lw_interrupted("shrink", NULL);
    }
    return good ? 0 : lw_refuse(&err);
}
