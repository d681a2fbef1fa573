/* The tester's command line. */
#ifndef LW_TESTS_CONTRACT_OPTIONS_H
#define LW_TESTS_CONTRACT_OPTIONS_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What the tester looks at, each by a name that --only takes. */
typedef enum lw_check {
    LW_CHECK_ANSWER,   /* no versions in the window explain the answer */
    LW_CHECK_OLDFAULT, /* a fault that was mended before the request came */
    LW_CHECK_ROOTLESS, /* UNKNOWN_PASID, and who must get it */
    LW_CHECK_LINKS,    /* links that are not true */
    LW_CHECK_ERROR,    /* MEMORY_ERROR without an error bit */
    LW_CHECK_OWNER,    /* requests of an owner that is gone */
    LW_CHECK_FREED,    /* reads of tables that are freed */
    LW_CHECK_STARVED,  /* who waits too long */
    LW_CHECK_PORT,     /* handshakes, ids, tags */
    LW_CHECK_RECORD,   /* counters and the first fault */
    LW_CHECK_CONTENTS, /* what the unit's tables hold (contents.h) */
    LW_CHECK_LOCKSTEP, /* the RTL beside the twin (pair_unit.h) */
    LW_CHECKS
} lw_check;

/* What the surroundings do, each by a name that --without takes. */
typedef enum lw_act {
    LW_ACT_ROOTS,
    LW_ACT_FREE,
    LW_ACT_FEATURES,
    LW_ACT_ERRORS,
    LW_ACT_LATE,
    LW_ACT_FLOOD,
    LW_ACT_TANGLE,
    LW_ACT_CHANGES,
    LW_ACTS
} lw_act;

enum { LW_SETTINGS = 32 };

typedef struct lw_options {
    uint64_t first, last; /* seeds */
    uint64_t cycles;      /* of each run, before its tail */
    uint32_t checks;      /* a bit for each */
    uint32_t without;     /* acts, a bit for each */
    uint32_t failures;    /* end after so many */
    uint64_t contents;    /* cycles from one look into the tables to the next, 0: no look */
    const char *setting[LW_SETTINGS];
    uint32_t settings;
    const char *system; /* whose RTL runs beside the twin; NULL: none does */
    const char *lie;    /* NULL: none */
    char again[512];    /* the options that a reproduction repeats */
    bool help;
} lw_options;

const char *lw_check_name(lw_check check);

static inline bool lw_options_acts(const lw_options *o, lw_act act) {
    return (o->without >> act & 1) == 0;
}

/* False and one sentence where something is not allowed. */
bool lw_options_read(lw_options *o, int argc, char **argv, lw_error *err);
void lw_options_print_help(void);

#endif
