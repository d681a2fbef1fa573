/* The command line of `lockwalk`: one table of options for every subcommand. */
#ifndef LW_APP_OPTIONS_OPTIONS_H
#define LW_APP_OPTIONS_OPTIONS_H

#include "common/error.h"
#include "dpi/session.h"
#include "sim/energy/energy_table.h"
#include "sim/environment/environment.h"
#include "sim/system/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LW_SETTINGS_MAX 64

typedef struct lw_command lw_command;

typedef struct lw_options {
    const lw_command *commands, *command; /* all of them, and the one that is asked for */
    char root[512];                       /* the project's folder */
    const char *system_name;
    lw_system system;
    lw_run run;
    const char *systems, *workloads, *counters; /* of a table, separated by commas */
    const char *json, *csv, *waves, *log, *netlist, *rtl, *coverage, *konata, *perfetto;
    const char *register_file; /* of --registers, or NULL */
    lw_register_map registers;
    const char *energy_file; /* of --energy, or NULL */
    lw_energy_table energy;
    bool stages;
    uint64_t trace_from, trace_to; /* cycles, of konata and perfetto */
    lw_injection rtl_injection, twin_injection;
    uint32_t nets_off;
    uint64_t random_start; /* 0: from zero */
    uint64_t resets;
    uint64_t local, factor;        /* of `hashed`, in percent; 0: the default */
    uint64_t jobs;                 /* runs at a time; 0: the processors */
    uint64_t max_cycles;           /* 0: until the run has ended */
    uint64_t waves_from, waves_to; /* cycles; waves_to 0: the last */
    /* as given, for reproduction commands */
    const char *setting[LW_SETTINGS_MAX];
    size_t settings;
    const char *mapping, *remap, *inject, *inject_twin, *through;
    bool keep, progress, help, version, keys, parameters, show, whole;
    const char *operand; /* trace-info's FILE, table's NAME, a shell, compare's first */
    const char *second;  /* compare's second */
    int argc;            /* the command line, the program's name left out */
    char **argv;
} lw_options;

/* By these an option says which commands take it (option_table.c). */
enum {
    LW_COSIM = 1 << 0,
    LW_SHRINK = 1 << 1,
    LW_MODEL = 1 << 2,
    LW_TABLE = 1 << 3,
    LW_SYSTEMS = 1 << 4,
    LW_REGISTERS = 1 << 5,
    LW_TRACE_INFO = 1 << 6,
    LW_CONTIGUITY = 1 << 7,
    LW_HASHED = 1 << 8,
    LW_PLAIN = 1 << 9, /* takes those alone that every command takes */
    LW_OF_A_SYSTEM = LW_COSIM | LW_SHRINK | LW_MODEL | LW_SYSTEMS | LW_REGISTERS
};

/* A subcommand; `run` returns the exit status. */
struct lw_command {
    const char *name, *operands, *summary;
    int (*run)(const lw_options *options);
    uint32_t id;           /* its bit */
    uint32_t operands_max; /* 0 to 2 */
};

/* Fills the options from argv; false and one sentence (which names the option) where something is
 * not allowed. */
bool lw_options_parse(lw_options *options, const lw_command *commands, int argc, char **argv,
                      lw_error *err);

/* Whether the waves are a .vcd, of both sides. */
bool lw_options_are_vcd(const lw_options *options);

/* Makes options->system of the system's name and what changes it, the flips in it and the table of
 * energies; false and one sentence where one of them is not allowed. */
bool lw_options_system(lw_options *options, lw_error *err);

/* lw_system_check, and that the environment can read the texts of the system and make its GPU. */
bool lw_options_check(const lw_system *system, lw_error *err);

/* The session that the options ask for, of one side or both: the system and run, what stands for
 * the RTL, flips, resets, which nets are off and when it ends; it refers to `options`. It ends with
 * an interrupt (app/host/interrupt.h). What looks on is the caller's to add. */
lw_session_options lw_options_session(const lw_options *options, lw_side side);

/* The help of one command, or of the program (command NULL). */
void lw_options_help(FILE *file, const lw_command *commands, const lw_command *command);

#endif
