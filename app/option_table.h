/* Every option of `lockwalk`, once: the command line, the help, the man page and the completions
 * are made from this table. */
#ifndef LW_APP_OPTION_TABLE_H
#define LW_APP_OPTION_TABLE_H

#include "app/options.h"

#define LW_OPTIONS_MAX 64

typedef struct lw_option {
    const char *name;
    int letter;           /* by which a command accepts it (main.c) */
    const char *argument; /* NULL: takes none; a word in capitals stands for a value */
    const char *help;
    const char *names; /* what a NAME, KEY or LIST of it names (completion.c), NULL: nothing */
} lw_option;

/* The i-th option, NULL past the last. */
const lw_option *lw_option_at(size_t i);
/* The option of a letter, NULL where there is none. */
const lw_option *lw_option_of(int letter);
/* Whether the command takes the option. */
bool lw_option_is_of(const lw_option *option, const lw_command *command);

#endif
