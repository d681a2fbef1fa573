#include "dpi/rtl_library.h"

#include "dpi/build_log.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What one build is: its folder, and how `make rtl` is asked for it. */
typedef struct lw_rtl_build {
    char folder[PATH_MAX + 16];
    char options[1024];            /* the hardware parameters */
    char variables[PATH_MAX + 64]; /* make's others */
    bool is_own;                   /* a design of one's own */
} lw_rtl_build;

/* Of the environment's variables that choose a build: "" where they are not set. */
static const char *chosen(const char *variable) {
    const char *asked = getenv(variable);
    return asked == NULL ? "" : asked;
}

static const char *flavor(void) {
    return chosen("LOCKWALK_VERILATOR");
}

/* How long the build will run, where the tests say so: what the compiler may take for it. */
static const char *runs(void) {
    return chosen("LOCKWALK_RUNS");
}

static bool check_choices(lw_error *err) {
    if (flavor()[0] != '\0' && strcmp(flavor(), "debian") != 0) {
        return lw_fail(err, "LOCKWALK_VERILATOR is \"%s\"; allowed: debian, or none", flavor());
    }
    return runs()[0] == '\0' || strcmp(runs(), "short") == 0 || strcmp(runs(), "tests") == 0 ||
           lw_fail(err, "LOCKWALK_RUNS is \"%s\"; allowed: short, tests, or none", runs());
}

/* The child's status as of waitpid, or -1. Unlike system() it leaves Ctrl-C to this program too. */
static int run_shell(char *command) {
    char name[] = "sh";
    char option[] = "-c";
    char *const arguments[] = {name, option, command, NULL};
    pid_t child = 0;
    int status = -1;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) {
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}

/* Runs make in the project's folder; `before` and `after` are what the shell has around it. */
static bool make(const char *before, const char *options, const char *root, const lw_rtl_build *b,
                 const char *after) {
    char command[8 * PATH_MAX];
    (void)snprintf(command, sizeof command,
                   "%s make %s -s --no-print-directory -C '%s' rtl R='%s' OPTIONS='%s' FLAVOR=%s "
                   "%s >%s 2>&1",
                   before, options, root, b->folder, b->options, flavor(), b->variables, after);
    const int status = run_shell(command);
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Why nothing can be written into a folder, which may not be there, nor those above it. */
static const char *why_not(const char *folder) {
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s", folder);
    char *slash = NULL;
    while (access(path, F_OK) != 0 && (slash = strrchr(path, '/')) != NULL) {
        *slash = '\0';
    }
    return access(path, W_OK) == 0 ? "it is not there" : strerror(errno);
}

/* In a folder that cannot be written what is there is used, if it is not older than its sources. */
static bool use(const char *root, const lw_rtl_build *b, const char *library, lw_error *err) {
    const bool is_there = access(library, R_OK) == 0;
    if (is_there && make("", "-q", root, b, "/dev/null")) {
        return true;
    }
    return lw_fail(err, "%s: the RTL %s, and cannot be built there (%s)", b->folder,
                   is_there ? "is older than its sources" : "is not there", why_not(b->folder));
}

/* `make rtl` rebuilds only what is older than its sources, so it is asked each time; a lock keeps
 * two runs from building the same folder at once. */
static bool build(const char *root, const lw_rtl_build *b, lw_error *err) {
    char command[2 * PATH_MAX];
    char library[PATH_MAX + 32];
    char log[PATH_MAX + 32];
    (void)snprintf(library, sizeof library, "%s/librtl.so", b->folder);
    (void)snprintf(command, sizeof command, "%s/.venv/requirements.txt", root);
    if (flavor()[0] == '\0' && access(command, R_OK) != 0) {
        return lw_fail(err, "%s/.venv: Verilator is missing; `make build` installs it there", root);
    }
    (void)snprintf(command, sizeof command, "mkdir -p '%s' 2>/dev/null", b->folder);
    (void)run_shell(command);
    if (access(b->folder, W_OK) != 0) {
        return use(root, b, library, err);
    }
    if (access(library, R_OK) != 0) {
        (void)fprintf(stderr, "lockwalk: building the RTL in %s (once)\n", b->folder);
    }
    (void)snprintf(command, sizeof command, "flock '%s/lock'", b->folder);
    (void)snprintf(log, sizeof log, "'%s/log'", b->folder);
    const bool built = make(command, "", root, b, log);
    (void)snprintf(log, sizeof log, "%s/log", b->folder);
    if (!built) {
        char first[512];
        return lw_build_log_error(log, first, sizeof first)
                   ? lw_fail(err, "the RTL could not be built: %s (all of it: %s)", first, log)
                   : lw_fail(err, "the RTL could not be built; see %s", log);
    }
    if (b->is_own) {
        lw_build_log_warnings(log, 10, stderr);
    }
    return true;
}

static bool build_and_load(lw_rtl_library_handle *library, const char *root, const lw_rtl_build *b,
                           lw_error *err) {
    char path[PATH_MAX + 32];
    if (!check_choices(err) || (!library->is_built && !build(root, b, err))) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/librtl.so", b->folder);
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL) {
        return lw_fail(err, "%s: cannot be loaded (%s)", path, dlerror());
    }
    /* POSIX's way to turn an object pointer into a function pointer. */
    const lw_rtl_functions *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(library->handle, "lw_rtl_library");
    if (entry == NULL) {
        lw_rtl_library_close(library);
        return lw_fail(err, "%s: is no library of this project", path);
    }
    library->functions = entry();
    return true;
}

bool lw_rtl_library_open(lw_rtl_library_handle *library, const char *root, const lw_system *system,
                         bool probes, lw_error *err) {
    lw_rtl_build b = {.is_own = false};
    char key[LW_TEXT_MAX];
    lw_system_build_key(system, key);
    lw_system_build_options(system, b.options, sizeof b.options);
    (void)snprintf(b.variables, sizeof b.variables, "PROBES=%d RUNS=%s", probes, runs());
    (void)snprintf(b.folder, sizeof b.folder, "%s/build/rtl/%s%s%s%s%s%s", root, key,
                   probes ? "-probes" : "", runs()[0] != '\0' ? "-" : "", runs(),
                   flavor()[0] != '\0' ? "-" : "", flavor());
    return build_and_load(library, root, &b, err);
}

/* Neither make nor a shell may take a part of the path for something else (mk/variables.mk). */
static bool make_takes(const char *option, const char *path, lw_error *err) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./+-@";
    return path[strspn(path, plain)] == '\0' ||
           lw_fail(err, "%s: %s; allowed: a path of letters, digits and _ . / + - @", option, path);
}

bool lw_rtl_library_open_netlist(lw_rtl_library_handle *library, const char *root,
                                 const lw_system *system, const char *folder, lw_error *err) {
    lw_rtl_build b = {.is_own = false};
    char path[PATH_MAX];
    if (realpath(folder, path) == NULL) {
        return lw_fail(err, "%s: is no folder that can be read; `make synth` makes one", folder);
    }
    (void)snprintf(b.variables, sizeof b.variables, "%s/netlist.v", folder);
    if (access(b.variables, R_OK) != 0) {
        return lw_fail(err, "%s: cannot be read; `make synth` makes it", b.variables);
    }
    if (!make_takes("--netlist", path, err)) {
        return false;
    }
    lw_system_build_options(system, b.options, sizeof b.options);
    (void)snprintf(b.variables, sizeof b.variables, "NETLIST='%s'", path);
    (void)snprintf(b.folder, sizeof b.folder, "%s/lockstep", path);
    return build_and_load(library, root, &b, err);
}

/* The list of sources: the file itself, or files.f in the folder. make takes its path as it is. */
static bool find_list(char list[PATH_MAX], const char *given, lw_error *err) {
    struct stat s;
    char path[PATH_MAX];
    if (stat(given, &s) != 0) {
        return lw_fail(err, "--rtl: %s cannot be read (%s)", given, strerror(errno));
    }
    const int used = S_ISDIR(s.st_mode) ? snprintf(path, sizeof path, "%s/files.f", given)
                                        : snprintf(path, sizeof path, "%s", given);
    const size_t length = strlen(path);
    if (used >= (int)sizeof path || length < 3 || strcmp(path + length - 2, ".f") != 0) {
        return lw_fail(err,
                       "--rtl: %s; allowed: a folder with a files.f, or a file that ends with "
                       ".f and lists the sources",
                       given);
    }
    if (realpath(path, list) == NULL) {
        return lw_fail(err, "--rtl: %s cannot be read (%s)", path, strerror(errno));
    }
    return make_takes("--rtl", list, err);
}

bool lw_rtl_library_open_own(lw_rtl_library_handle *library, const char *root,
                             const lw_system *system, const char *given, bool probes,
                             lw_error *err) {
    lw_rtl_build b = {.is_own = true};
    char list[PATH_MAX];
    char key[LW_TEXT_MAX];
    if (!find_list(list, given, err)) {
        return false;
    }
    lw_system_build_key(system, key);
    lw_system_build_options(system, b.options, sizeof b.options);
    (void)snprintf(b.variables, sizeof b.variables, "PROBES=%d RUNS=%s OWN='%s'", probes, runs(),
                   list);
    *strrchr(list, '/') = '\0';
    (void)snprintf(b.folder, sizeof b.folder, "%.*s/lockstep/%s%s%s%s", PATH_MAX - 400, list, key,
                   probes ? "-probes" : "", runs()[0] != '\0' ? "-" : "", runs());
    return build_and_load(library, root, &b, err);
}

void lw_rtl_library_close(lw_rtl_library_handle *library) {
    if (library->handle != NULL) {
        (void)dlclose(library->handle);
    }
    library->handle = NULL;
    library->functions = NULL;
}
