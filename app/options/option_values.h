/* How the value of an option is taken into lw_options (lw_taking.take, option_table.h): `text` is
 * what stands behind it, NULL where it takes none. */
#ifndef LW_APP_OPTIONS_OPTION_VALUES_H
#define LW_APP_OPTIONS_OPTION_VALUES_H

#include "app/options/option_table.h"

/* The text as it is, that the option is there, or a whole number in its range: into its field. */
bool lw_take_text(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_flag(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_number(lw_options *o, const lw_option *option, const char *text, lw_error *err);

/* Those that mean more: each takes its option. */
bool lw_take_system(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_show(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_through(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_pasids(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_setting(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_nets(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_progress(lw_options *o, const lw_option *option, const char *text, lw_error *err);
bool lw_take_no_progress(lw_options *o, const lw_option *option, const char *text, lw_error *err);

#endif
