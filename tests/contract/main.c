/* The contract tester's program: a unit that is known by its ports alone, against the document; and
 * what its tables hold (contents.h), if it lets us look. */
#include "tests/contract/options.h"
#include "tests/contract/run.h"

#include <inttypes.h>
#include <stdio.h>

enum { USAGE = 2, RUNS_FOR_ALL = 200 };

static int refuse(const lw_error *err) {
    (void)fprintf(stderr, "contract: %s\n", err->text);
    return USAGE;
}

/* The runs of all seeds; the exit status. */
static int run(const lw_options *o, const lw_beside *beside) {
    lw_error err = {0};
    lw_tally tally = {{0}};
    uint32_t failed = 0;
    for (uint64_t seed = o->first; seed <= o->last && failed < o->failures; seed++) {
        const lw_run_end end = lw_contract_run(o, beside, seed, &tally, &err);
        if (end == LW_RUN_IMPOSSIBLE) {
            return refuse(&err);
        }
        failed += end == LW_RUN_BARKED;
        (void)fflush(stdout);
    }
    lw_tally_print(&tally);
    const bool part =
        beside != NULL || o->settings != 0 || o->without != 0 || o->lie != NULL || o->contents == 0;
    const bool looked = part || tally.n[LW_T_RUNS] < RUNS_FOR_ALL || lw_tally_all(&tally);
    if (failed != 0) {
        (void)printf("contract: %u runs failed\n", failed);
    }
    return failed != 0 || !looked ? 1 : 0;
}

int main(int argc, char **argv) {
    lw_error err = {0};
    lw_options o;
    if (!lw_options_read(&o, argc, argv, &err)) {
        return refuse(&err);
    }
    if (o.help) {
        lw_options_print_help();
        return 0;
    }
    if (o.system == NULL) {
        return run(&o, NULL);
    }
    static lw_beside beside;
    const int status = lw_beside_open(&beside, o.system, &err) ? run(&o, &beside) : refuse(&err);
    lw_beside_close(&beside);
    return status;
}
