/* Every option of `lockwalk`, once: the command line, the help, the man page and the completions
 * are made from this table. */
#ifndef LW_APP_OPTIONS_OPTION_TABLE_H
#define LW_APP_OPTIONS_OPTION_TABLE_H

#include "app/options/options.h"

#define LW_OPTIONS_MAX 64

typedef struct lw_option lw_option;

/* How the value of an option is taken; false and one sentence where it is not allowed. */
typedef struct lw_taking {
    bool (*take)(lw_options *o, const lw_option *option, const char *text, lw_error *err);
    size_t offset;         /* of the field of lw_options, where it is written as it is */
    uint64_t lowest, most; /* of a number */
} lw_taking;

struct lw_option {
    const char *name;
    uint32_t commands; /* that take it: their ids (options.h) */
    lw_taking value;
    const char *argument; /* NULL: takes none; a word in capitals stands for a value */
    const char *help;
    const char *names; /* what a NAME, KEY or LIST of it names (completion.c), NULL: nothing */
};

/* The i-th option, NULL past the last. */
const lw_option *lw_option_at(size_t i);
/* Whether the command takes the option. */
bool lw_option_is_of(const lw_option *option, const lw_command *command);

#endif
