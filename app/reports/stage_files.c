#include "app/reports/stage_files.h"

#include "common/printable.h"
#include "dpi/stages.h"
#include "oracle/answer_text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- Konata */

/* The log's time goes on to this cycle. */
static FILE *konata_at(lw_stage_file *f, uint64_t cycle) {
    FILE *file = f->output.file;
    if (!f->begun) {
        (void)fprintf(file, "C=\t%" PRIu64 "\n", cycle);
    } else if (cycle != f->cycle) {
        (void)fprintf(file, "C\t%" PRIu64 "\n", cycle - f->cycle);
    }
    f->begun = true;
    f->cycle = cycle;
    return file;
}

static void konata_began(void *ctx, uint64_t cycle, const lw_traced *r) {
    FILE *file = konata_at(ctx, cycle);
    char kernel[4 * sizeof r->kernel];
    lw_printable(kernel, sizeof kernel, r->kernel);
    (void)fprintf(file, "I\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\n", r->number, r->id, r->pasid);
    (void)fprintf(file, "L\t%" PRIu64 "\t0\t%s of page 0x%" PRIx64 "\n", r->number,
                  lw_access_name(r->access), r->page);
    (void)fprintf(file, "L\t%" PRIu64 "\t1\tPASID %" PRIu32 ", source %" PRIu32 "%s%s\n", r->number,
                  r->pasid, r->src, kernel[0] == '\0' ? "" : ", ", kernel);
    (void)fprintf(file, "S\t%" PRIu64 "\t0\t%s\n", r->number, lw_stage_name(r->stage));
}

static void konata_leave(FILE *file, const lw_traced *r) {
    (void)fprintf(file, "E\t%" PRIu64 "\t0\t%s\n", r->number, lw_stage_name(r->stage));
}

static void konata_moved(void *ctx, uint64_t cycle, const lw_traced *r, lw_stage to) {
    FILE *file = konata_at(ctx, cycle);
    konata_leave(file, r);
    (void)fprintf(file, "S\t%" PRIu64 "\t0\t%s\n", r->number, lw_stage_name(to));
}

static void konata_ended(void *ctx, uint64_t cycle, const lw_traced *r, bool answered) {
    lw_stage_file *f = ctx;
    FILE *file = konata_at(f, cycle);
    konata_leave(file, r);
    (void)fprintf(file, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", r->number, answered ? f->retired : 0,
                  answered ? 0 : 1);
    f->retired += answered;
}

/* ---------------------------------------------------------------- a Chrome trace */

/* One event; `args` is given up. */
static void event(lw_stage_file *f, const char *phase, const char *name, uint64_t cycle,
                  uint32_t id, json_t *args) {
    enum { PROCESS = 1, FIRST_THREAD = 1 };
    json_t *o = json_pack("{s:s, s:s, s:I, s:i, s:i}", "ph", phase, "name", name, "ts",
                          (json_int_t)cycle, "pid", PROCESS, "tid", (int)id + FIRST_THREAD);
    if (args != NULL) {
        (void)json_object_set_new(o, "args", args);
    }
    (void)fputs(f->begun ? ",\n" : "", f->output.file);
    (void)json_dumpf(o, f->output.file, JSON_COMPACT);
    f->begun = true;
    json_decref(o);
}

static void perfetto_began(void *ctx, uint64_t cycle, const lw_traced *r) {
    lw_stage_file *f = ctx;
    char text[4 * sizeof r->kernel];
    if (f->named[r->id] == 0) {
        (void)snprintf(text, sizeof text, "id %" PRIu32, r->id);
        event(f, "M", "thread_name", 0, r->id, json_pack("{s:s}", "name", text));
        f->named[r->id] = 1;
    }
    lw_printable(text, sizeof text, r->kernel);
    json_t *args = json_pack("{s:I, s:i, s:i, s:s}", "number", (json_int_t)r->number, "pasid",
                             (int)r->pasid, "source", (int)r->src, "kernel", text);
    (void)snprintf(text, sizeof text, "%s of page 0x%" PRIx64, lw_access_name(r->access), r->page);
    event(f, "B", text, cycle, r->id, args);
    event(f, "B", lw_stage_name(r->stage), cycle, r->id, NULL);
}

static void perfetto_moved(void *ctx, uint64_t cycle, const lw_traced *r, lw_stage to) {
    event(ctx, "E", lw_stage_name(r->stage), cycle, r->id, NULL);
    event(ctx, "B", lw_stage_name(to), cycle, r->id, NULL);
}

static void perfetto_ended(void *ctx, uint64_t cycle, const lw_traced *r, bool answered) {
    event(ctx, "E", lw_stage_name(r->stage), cycle, r->id, NULL);
    event(ctx, "E", "request", cycle, r->id, json_pack("{s:b}", "answered", (int)answered));
}

/* ---------------------------------------------------------------- the files */

static bool open_one(lw_stage_file *f, const char *option, const char *path, lw_error *err) {
    f->is_open = path != NULL && lw_output_begin(&f->output, option, path, err);
    return path == NULL || f->is_open;
}

static bool close_one(lw_stage_file *f, bool good, lw_error *err) {
    free(f->named);
    return !f->is_open || lw_output_end(&f->output, good, err);
}

bool lw_stage_files_open(lw_stage_files *files, const lw_options *o, lw_error *err) {
    enum { CYCLES = 10000 };
    const uint32_t id_w = o->system.hw.id_w;
    const uint64_t to = o->trace_to != UINT64_MAX ? o->trace_to : o->trace_from + CYCLES - 1;
    *files = (lw_stage_files){.window = NULL};
    if (o->konata == NULL && o->perfetto == NULL) {
        return true;
    }
    files->window = lw_stage_window_new(id_w, o->trace_from, to);
    files->perfetto.named = calloc((size_t)1 << id_w, 1);
    bool good = files->window != NULL && files->perfetto.named != NULL;
    good = good || lw_fail(err, "no memory for the stages of requests");
    good = good && open_one(&files->konata, "konata", o->konata, err) &&
           open_one(&files->perfetto, "perfetto", o->perfetto, err);
    if (!good) {
        lw_error nobody = {0};
        (void)lw_stage_files_close(files, false, &nobody);
        return false;
    }
    if (files->konata.is_open) {
        (void)fprintf(files->konata.output.file, "Kanata\t0004\n");
        lw_stage_window_add(files->window, &(lw_stage_writer){konata_began, konata_moved,
                                                              konata_ended, &files->konata});
    }
    if (files->perfetto.is_open) {
        (void)fprintf(files->perfetto.output.file, "{\"traceEvents\":[\n");
        lw_stage_window_add(files->window, &(lw_stage_writer){perfetto_began, perfetto_moved,
                                                              perfetto_ended, &files->perfetto});
    }
    return true;
}

bool lw_stage_files_close(lw_stage_files *files, bool good, lw_error *err) {
    if (files->perfetto.is_open) {
        (void)fprintf(files->perfetto.output.file, "\n]}\n");
    }
    lw_stage_window_free(files->window);
    const bool konata = close_one(&files->konata, good, err);
    return close_one(&files->perfetto, good, err) && konata;
}
