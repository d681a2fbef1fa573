/* `lockwalk compare`: two runs of the same work, from their JSON (docs/json.md): what differs in
 * the systems, the cycles and the counters, and which stage made the difference. */
#include "app/commands/commands.h"
#include "common/printable.h"
#include "dpi/stages.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct file {
    const char *path;
    json_t *run;
} file;

/* ---------------------------------------------------------------- what may be compared */

/* A value by the names on its way, NULL where there is none. */
static json_t *value_at(const file *f, const char *const *names) {
    json_t *at = f->run;
    for (; at != NULL && *names != NULL; names++) {
        at = json_object_get(at, *names);
    }
    return at;
}

static uint64_t count_at(const file *f, const char *first, const char *second, const char *third,
                         const char *fourth) {
    const char *const names[] = {first, second, third, fourth, NULL};
    return (uint64_t)json_integer_value(value_at(f, names));
}

static bool has_stages(const file *f) {
    return json_is_object(json_object_get(f->run, "stages"));
}

/* Every count is a whole number from 0 on; one that a run does not have counts as 0. */
static bool check_count(const file *f, const json_t *value, const char *of, const char *name,
                        lw_error *err) {
    return value == NULL || (json_is_integer(value) && json_integer_value(value) >= 0) ||
           lw_fail(err, "%s: its %s%s is no count; allowed: a whole number from 0 on", f->path, of,
                   name);
}

static bool check_group(const file *f, const char *group, const char *of, lw_error *err) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(json_object_get(f->run, group), name, value) {
        if (!check_count(f, value, of, name, err)) {
            return false;
        }
    }
    return true;
}

static bool check_stage(const file *f, const json_t *stage, const char *name, lw_error *err) {
    return check_count(f, json_object_get(stage, "requests"), "requests in stage ", name, err) &&
           check_count(f, json_object_get(stage, "cycles"), "cycles in stage ", name, err);
}

static bool check_counts(const file *f, lw_error *err) {
    json_t *stages = json_object_get(f->run, "stages");
    bool good = check_count(f, json_object_get(f->run, "cycles"), "", "cycles", err) &&
                check_count(f, json_object_get(f->run, "requests"), "", "requests", err) &&
                check_group(f, "counters", "counter ", err) &&
                check_group(f, "attribution", "attribution ", err) &&
                check_stage(f, json_object_get(stages, "whole"), "whole", err);
    for (lw_stage i = 0; i < LW_STAGES && good; i++) {
        const char *name = lw_stage_name(i);
        json_t *stage = json_object_get(json_object_get(stages, "stages"), name);
        good = check_stage(f, stage, name, err);
    }
    return good;
}

static bool read_run(file *f, lw_error *err) {
    static const struct {
        const char *key;
        json_type type;
    } needed[] = {
        {"command", JSON_STRING}, {"system", JSON_STRING},   {"workload", JSON_STRING},
        {"verdict", JSON_STRING}, {"cycles", JSON_INTEGER},  {"requests", JSON_INTEGER},
        {"values", JSON_OBJECT},  {"counters", JSON_OBJECT}, {"attribution", JSON_OBJECT}};
    json_error_t wrong;
    struct stat status;
    if (stat(f->path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return lw_fail(err, "%s: is a folder; allowed: a file of --json", f->path);
    }
    f->run = json_load_file(f->path, JSON_REJECT_DUPLICATES, &wrong);
    if (f->run == NULL) {
        return wrong.line < 1
                   ? lw_fail(err, "%s: cannot be read as JSON (%s)", f->path, wrong.text)
                   : lw_fail(err, "%s:%d: is no JSON (%s)", f->path, wrong.line, wrong.text);
    }
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        const json_t *value = json_object_get(f->run, needed[i].key);
        if (value == NULL || json_typeof(value) != needed[i].type) {
            return lw_fail(err,
                           "%s: is no run, it has no \"%s\"; allowed: what `lockwalk model --json` "
                           "and `cosim --json` write",
                           f->path, needed[i].key);
        }
    }
    const char *verdict = json_string_value(json_object_get(f->run, "verdict"));
    if (strcmp(verdict, "equal") != 0) {
        return lw_fail(err, "%s: its run ended with the verdict \"%s\"; allowed: equal", f->path,
                       verdict);
    }
    return check_counts(f, err);
}

/* Work is what the GPU was to do; the system may be another. */
static bool same_work(const file *a, const file *b, lw_error *err) {
    static const char *const keys[] = {"workload", "size", "seed",   "processes",
                                       "cuts",     "map",  "partial"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *one = json_object_get(a->run, keys[i]);
        json_t *two = json_object_get(b->run, keys[i]);
        if (json_equal(one, two) == 0 && one != two) {
            char *first = json_dumps(one, JSON_ENCODE_ANY | JSON_COMPACT);
            char *second = json_dumps(two, JSON_ENCODE_ANY | JSON_COMPACT);
            (void)lw_fail(err,
                          "%s: is of other work than %s: its %s is %s, not %s; allowed: runs of "
                          "the same work",
                          b->path, a->path, keys[i], second != NULL ? second : "missing",
                          first != NULL ? first : "missing");
            free(first);
            free(second);
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- what differs */

/* What stands in a file may not move the cursor of who reads it here. */
typedef struct shown {
    char text[LW_TEXT_MAX];
} shown;

static shown show(const char *text) {
    shown s;
    lw_printable(s.text, sizeof s.text, text);
    return s;
}

static void print_count(const char *name, uint64_t a, uint64_t b) {
    (void)printf("  %-20s %12" PRIu64 " %12" PRIu64 " %+12" PRId64, show(name).text, a, b,
                 (int64_t)b - (int64_t)a);
    if (a != 0) {
        (void)printf(" %+8.1f%%", 100.0 * ((double)b - (double)a) / (double)a);
    }
    (void)printf("\n");
}

static void print_value(const char *key, const json_t *one, const json_t *two) {
    char *first = one == NULL ? NULL : json_dumps(one, JSON_ENCODE_ANY);
    char *second = two == NULL ? NULL : json_dumps(two, JSON_ENCODE_ANY);
    (void)printf("  %s: %s, %s\n", show(key).text, first != NULL ? first : "none",
                 second != NULL ? second : "none");
    free(first);
    free(second);
}

/* The keys of the systems that differ, and those that only one has, as of another version. */
static void print_values(const file *a, const file *b) {
    json_t *of_a = json_object_get(a->run, "values");
    json_t *of_b = json_object_get(b->run, "values");
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(of_a, key, value) {
        if (json_equal(value, json_object_get(of_b, key)) == 0) {
            print_value(key, value, json_object_get(of_b, key));
        }
    }
    json_object_foreach(of_b, key, value) {
        if (json_object_get(of_a, key) == NULL) {
            print_value(key, NULL, value);
        }
    }
}

static void print_counter(const char *name, uint64_t a, uint64_t b) {
    if (a != b && strcmp(name, "cycles") != 0 && strcmp(name, "requests") != 0) {
        print_count(name, a, b);
    }
}

/* One that a run does not have is 0 there. */
static void print_counters(const file *a, const file *b) {
    static const char *const groups[] = {"counters", "attribution"};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        json_t *of_a = json_object_get(a->run, groups[g]);
        const char *name = NULL;
        json_t *value = NULL;
        json_object_foreach(of_a, name, value) {
            print_counter(name, (uint64_t)json_integer_value(value),
                          count_at(b, groups[g], name, NULL, NULL));
        }
        json_object_foreach(json_object_get(b->run, groups[g]), name, value) {
            if (json_object_get(of_a, name) == NULL) {
                print_counter(name, 0, (uint64_t)json_integer_value(value));
            }
        }
    }
}

/* Cycles of a request in a stage, as a mean over all of them. */
static double mean_in(const file *f, const char *stage) {
    const uint64_t requests = count_at(f, "stages", "whole", "requests", NULL);
    const uint64_t cycles = stage == NULL ? count_at(f, "stages", "whole", "cycles", NULL)
                                          : count_at(f, "stages", "stages", stage, "cycles");
    return requests == 0 ? 0.0 : (double)cycles / (double)requests;
}

/* The stage that has changed most, in the direction in which the whole has; that is what makes its
 * difference, whatever others take back. */
static lw_stage most_changed(const file *a, const file *b, double whole) {
    lw_stage most = LW_STAGE_TLB;
    double most_by = 0.0;
    for (lw_stage i = 0; i < LW_STAGES; i++) {
        const double by = mean_in(b, lw_stage_name(i)) - mean_in(a, lw_stage_name(i));
        const double towards = whole < 0.0 ? -by : whole > 0.0 ? by : fabs(by);
        if (towards > most_by) {
            most = i;
            most_by = towards;
        }
    }
    return most;
}

static void print_stages(const file *a, const file *b) {
    const double whole = mean_in(b, NULL) - mean_in(a, NULL);
    const char *const name = lw_stage_name(most_changed(a, b, whole));
    const double by = mean_in(b, name) - mean_in(a, name);
    (void)printf("cycles of a request, in the mean of all\n");
    for (lw_stage i = 0; i < LW_STAGES; i++) {
        const double one = mean_in(a, lw_stage_name(i)), two = mean_in(b, lw_stage_name(i));
        if (one + two > 0.0) {
            (void)printf("  %-20s %12.1f %12.1f %+12.1f\n", lw_stage_name(i), one, two, two - one);
        }
    }
    (void)printf("  %-20s %12.1f %12.1f %+12.1f\n", "whole", mean_in(a, NULL), mean_in(b, NULL),
                 whole);
    if (fabs(by) > 0.0) {
        (void)printf("the difference is made in %s: %+.1f of %+.1f cycles a request, %+.0f in all "
                     "requests of the first run\n",
                     name, by, whole,
                     by * (double)count_at(a, "stages", "whole", "requests", NULL));
    } else {
        (void)printf("no stage makes a difference\n");
    }
}

static shown show_of(const file *f, const char *key) {
    return show(json_string_value(json_object_get(f->run, key)));
}

static void print(const file *a, const file *b) {
    (void)printf("%s: %s on %s, %s on %s\n", show_of(a, "workload").text, show(a->path).text,
                 show_of(a, "system").text, show(b->path).text, show_of(b, "system").text);
    print_values(a, b);
    print_count("cycles", count_at(a, "cycles", NULL, NULL, NULL),
                count_at(b, "cycles", NULL, NULL, NULL));
    print_count("requests", count_at(a, "requests", NULL, NULL, NULL),
                count_at(b, "requests", NULL, NULL, NULL));
    print_counters(a, b);
    if (has_stages(a) && has_stages(b)) {
        print_stages(a, b);
    } else {
        (void)printf("no stages in %s; `--stages` has a run count them\n",
                     has_stages(a) ? b->path : a->path);
    }
}

int lw_command_compare(const lw_options *options) {
    file a = {.path = options->operand}, b = {.path = options->second};
    lw_error err = {0};
    int status = 0;
    if (b.path == NULL) {
        (void)lw_fail(&err,
                      "compare: takes two files that `lockwalk model --json` or `cosim --json` "
                      "have written");
        return lw_refuse(&err);
    }
    if (read_run(&a, &err) && read_run(&b, &err) && same_work(&a, &b, &err)) {
        print(&a, &b);
    } else {
        status = lw_refuse(&err);
    }
    json_decref(a.run);
    json_decref(b.run);
    return status;
}
