/* The subcommands; each returns the program's exit status (0 equal, 1 mismatch, 2 bad
 * input, 128+N ended by signal N). */
#ifndef LW_APP_COMMANDS_COMMANDS_H
#define LW_APP_COMMANDS_COMMANDS_H

#include "app/options/options.h"

int lw_command_cosim(const lw_options *options);
int lw_command_shrink(const lw_options *options);
int lw_command_model(const lw_options *options);
int lw_command_table(const lw_options *options);
int lw_command_compare(const lw_options *options);
int lw_command_bench(const lw_options *options);
int lw_command_systems(const lw_options *options);
int lw_command_registers(const lw_options *options);
int lw_command_workloads(const lw_options *options);
int lw_command_trace_info(const lw_options *options);
int lw_command_contiguity(const lw_options *options);
int lw_command_hashed(const lw_options *options);
int lw_command_man(const lw_options *options);
int lw_command_completion(const lw_options *options);

/* Prints "lockwalk: sentence" on stderr and returns 2. */
int lw_refuse(const lw_error *err);

/* One sentence on stderr where a file is cut: how much of it is whole. */
void lw_say_partial(const char *path, const lw_partial *partial);

/* Shows a run's progress on one line of stderr (lw_session_options.progress; ctx: its name). */
void lw_show_progress(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total);
/* Takes that line away again. */
void lw_hide_progress(void);

#endif
