#include "app/commands/commands.h"
#include "app/options/option_table.h"
#include "app/reports/figures.h"
#include "c_model/base/ports.h"
#include "sim/environment/environment.h"
#include "sim/kernels/kernel_list.h"
#include "sim/workloads/workload.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What asks the functions below, which are made from the tables: which words may stand where the
 * cursor is. `values` of an option or command are words, names of a list (@systems), and FILE; each
 * part of a value behind a comma is completed by itself where LIST is among them. */
static const char *const body =
    "_lockwalk() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) head='' values value words=''\n"
    "  # Bash takes the = of --option=value for a word of its own.\n"
    "  if [[ $word == '=' ]]; then word=''; elif [[ ${COMP_WORDS[at]} == '=' ]]; then at=$((at - "
    "1)); fi\n"
    "  if ((COMP_CWORD == 1)); then\n"
    "    values=$_lockwalk_commands\n"
    "  elif values=$(_lockwalk_option \"${COMP_WORDS[at]}\"); then\n"
    "    :\n"
    "  elif [[ $word == -* ]]; then\n"
    "    values=$(_lockwalk_options \"${COMP_WORDS[1]}\")\n"
    "  else\n"
    "    values=$(_lockwalk_operand \"${COMP_WORDS[1]}\")\n"
    "  fi\n"
    "  for value in $values; do\n"
    "    case $value in\n"
    "      LIST) [[ $word == *,* ]] && head=${word%,*}, ;;\n"
    "      @systems) words+=\" $(\"$1\" systems 2>/dev/null | cut -d' ' -f1)\" ;;\n"
    "      @*) words+=\" $(_lockwalk_names \"$value\")\" ;;\n"
    "      FILE) ;;\n"
    "      *) words+=\" $value\" ;;\n"
    "    esac\n"
    "  done\n"
    "  mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- \"${word#\"$head\"}\")\n"
    "  if [[ \" $values \" == *' FILE '* ]]; then\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$word\")\n"
    "  fi\n"
    "  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "  return 0\n"
    "}\n"
    "complete -F _lockwalk lockwalk\n";

/* The words that a value or operand may be, of what stands for it in the help: "unit|tlbs" is two.
 */
static void print_values(const char *shape, const char *names) {
    bool files = false;
    for (size_t n = 0; *shape != '\0'; shape += n + (shape[n] != '\0')) {
        n = strcspn(shape, "|[]");
        if (islower((unsigned char)shape[0]) != 0) {
            (void)printf(" %.*s", (int)n, shape);
        } else if (strncmp(shape, "FILE", 4) == 0 || strncmp(shape, "DIR", 3) == 0) {
            files = true;
        } else if (n != 0 && names != NULL) {
            (void)printf(" @%s%s", names, strncmp(shape, "LIST", 4) == 0 ? " LIST" : "");
        }
    }
    (void)fputs(files ? " FILE" : "", stdout);
}

static void print_option_values(void) {
    const lw_option *option = NULL;
    (void)puts("# What the value of an option may be; fails where it takes none.\n"
               "_lockwalk_option() {\n"
               "  case $1 in");
    for (size_t i = 0; (option = lw_option_at(i)) != NULL; i++) {
        if (option->argument != NULL) {
            (void)printf("    --%s) echo '", option->name);
            print_values(option->argument, option->names);
            (void)puts("' ;;");
        }
    }
    (void)puts("    *) return 1 ;;\n  esac\n}");
}

static void print_commands(const lw_command *commands) {
    (void)fputs("_lockwalk_commands='--help --version", stdout);
    for (const lw_command *c = commands; c->name != NULL; c++) {
        (void)printf(" %s", c->name);
    }
    (void)puts("'\n# The options of a command.\n_lockwalk_options() {\n  case $1 in");
    for (const lw_command *c = commands; c->name != NULL; c++) {
        const lw_option *option = NULL;
        (void)printf("    %s) echo '", c->name);
        for (size_t i = 0; (option = lw_option_at(i)) != NULL; i++) {
            if (lw_option_is_of(option, c)) {
                (void)printf(" --%s", option->name);
            }
        }
        (void)puts("' ;;");
    }
    (void)puts("  esac\n}\n# The operands of a command.\n_lockwalk_operand() {\n  case $1 in");
    for (const lw_command *c = commands; c->name != NULL; c++) {
        (void)printf("    %s) echo '", c->name);
        print_values(c->operands, NULL);
        (void)puts("' ;;");
    }
    (void)puts("  esac\n}");
}

/* The systems are not among them: they are files, and may be others when a word is completed. */
static void print_names(void) {
    const lw_workload_info *workload = NULL;
    const lw_system_key *key = NULL;
    const char *stream = NULL;
    const char *summary = NULL;
    (void)fputs("_lockwalk_names() {\n  case $1 in\n    @workloads) echo '", stdout);
    for (size_t i = 0; (workload = lw_workload_at(i)) != NULL; i++) {
        (void)printf(" %s", workload->name);
    }
    for (size_t i = 0; (stream = lw_stream_name_at(i, &summary)) != NULL; i++) {
        (void)printf(" %s", stream);
    }
    (void)fputs("' ;;\n    @counters) echo '", stdout);
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        if (lw_counter_name(n) != NULL) {
            (void)printf(" %s", lw_counter_name(n));
        }
    }
    (void)fputs("' ;;\n    @keys) echo '", stdout);
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        (void)printf(" %s=", key->name);
    }
    (void)puts("' ;;\n  esac\n}");
}

int lw_command_completion(const lw_options *o) {
    lw_error err = {0};
    if (o->operand == NULL || strcmp(o->operand, "bash") != 0) {
        (void)lw_fail(&err, "completion: \"%s\" is no shell that it knows; allowed: bash",
                      o->operand == NULL ? "" : o->operand);
        return lw_refuse(&err);
    }
    (void)puts("# Completions of lockwalk in bash: . <(lockwalk completion bash)");
    print_commands(o->commands);
    print_option_values();
    print_names();
    (void)fputs(body, stdout);
    return 0;
}
