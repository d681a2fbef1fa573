#include "app/commands/commands.h"
#include "app/options/option_table.h"
#include "app/versions.h"

#include <stdio.h>

/* As text of roff's man macros: what stands between two ` is bold, and no character is a request.
 */
static void print_text(const char *text) {
    bool bold = false;
    if (text[0] == '.') {
        (void)fputs("\\&", stdout);
    }
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '`':
            bold = !bold;
            (void)fputs(bold ? "\\fB" : "\\fR", stdout);
            break;
        case '\\':
            (void)fputs("\\e", stdout);
            break;
        case '\'':
            (void)fputs("\\(aq", stdout);
            break;
        case '-': /* a hyphen would not be what was typed when an option is copied from the page */
            (void)fputs("\\-", stdout);
            break;
        default:
            (void)putchar(*text);
        }
    }
}

/* A paragraph under a tag in bold, with what takes its place in italics. */
static void print_tag(const char *dashes, const char *name, const char *value) {
    (void)fputs(".TP\n\\fB", stdout);
    print_text(dashes);
    print_text(name);
    (void)fputs("\\fR", stdout);
    if (value != NULL && value[0] != '\0') {
        (void)fputs(" \\fI", stdout);
        print_text(value);
        (void)fputs("\\fR", stdout);
    }
    (void)putchar('\n');
}

static void print_commands(const lw_command *commands) {
    (void)puts(".SH COMMANDS");
    for (const lw_command *c = commands; c->name != NULL; c++) {
        print_tag("", c->name, c->operands);
        print_text(c->summary);
        (void)putchar('\n');
    }
}

/* The commands that take an option, unless all do. */
static void print_takers(const lw_command *commands, const lw_option *option) {
    const char *before = "Of ";
    bool all = true;
    for (const lw_command *c = commands; c->name != NULL; c++) {
        all = all && lw_option_is_of(option, c);
    }
    for (const lw_command *c = commands; c->name != NULL && !all; c++) {
        if (lw_option_is_of(option, c)) {
            (void)fputs(before, stdout);
            print_text(c->name);
            before = ", ";
        }
    }
    (void)puts(all ? "Of every command." : ".");
}

static void print_options(const lw_command *commands) {
    const lw_option *option = NULL;
    (void)puts(".SH OPTIONS");
    for (size_t i = 0; (option = lw_option_at(i)) != NULL; i++) {
        print_tag("--", option->name, option->argument);
        print_text(option->help);
        (void)puts("\n.br");
        print_takers(commands, option);
    }
}

static void print_exit_status(void) {
    static const char *const rows[][2] = {
        {"0", "equal, or done"},
        {"1", "a mismatch, or a check that failed"},
        {"2",
         "bad usage or input, or a file that could not be written, with one sentence on stderr"},
        {"128+N", "ended by signal N; 130 is Ctrl-C"},
    };
    (void)puts(".SH EXIT STATUS");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_tag("", rows[i][0], NULL);
        print_text(rows[i][1]);
        (void)putchar('\n');
    }
}

int lw_command_man(const lw_options *o) {
    (void)puts(
        ".TH LOCKWALK 1 \"\" \"lockwalk " LW_VERSION "\" \"User Commands\"\n"
        ".SH NAME\n"
        "lockwalk \\- a GPU\\(aqs IOMMU in SystemVerilog and in C, in lockstep\n"
        ".SH SYNOPSIS\n"
        "\\fBlockwalk\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n"
        ".SH DESCRIPTION\n"
        "Runs an address\\-translation unit that is built twice, as synthesizable RTL and as a\n"
        "cycle\\-accurate C twin, on the address streams of GPU kernels,\n"
        "and compares every port and every register in every cycle.");
    print_commands(o->commands);
    print_options(o->commands);
    print_exit_status();
    (void)puts(".SH FILES\n"
               "What a project\\(aqs folder holds:\n"
               ".TP\n\\fIsystems/*.ini\\fR\nthe named systems\n"
               ".TP\n\\fIdocs/guide.md\\fR\nhow to run a case of one\\(aqs own, and how to read a "
               "mismatch\n"
               ".TP\n\\fIdocs/json.md\\fR\nthe figures of a run as JSON");
    return 0;
}
