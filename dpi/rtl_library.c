#include "rtl_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What one build is: its folder's name below build/rtl, and how `make rtl` is asked for it. */
typedef struct lw_rtl_build {
    char key[LW_TEXT_MAX + 32];
    char options[1024];
    bool writable;
    const char *flavor; /* LOCKWALK_VERILATOR: "debian" for Debian's Verilator, else "" */
} lw_rtl_build;

static void describe(lw_rtl_build *b, const lw_system *system, bool writable) {
    char key[LW_TEXT_MAX];
    const char *flavor = getenv("LOCKWALK_VERILATOR");
    lw_system_build_key(system, key);
    lw_system_build_options(system, b->options, sizeof b->options);
    b->writable = writable;
    b->flavor = flavor != NULL && strcmp(flavor, "debian") == 0 ? "debian" : "";
    (void)snprintf(b->key, sizeof b->key, "%s%s%s%s", key, writable ? "-writable" : "",
                   b->flavor[0] != '\0' ? "-" : "", b->flavor);
}

/* `make rtl` rebuilds only what is older than its sources, so it is asked each time; a lock keeps
 * two runs from building the same folder at once. */
static bool build(const char *root, const lw_rtl_build *b, lw_error *err) {
    char command[4096];
    char library[1024];
    (void)snprintf(library, sizeof library, "%s/build/rtl/%s/librtl.so", root, b->key);
    (void)snprintf(command, sizeof command, "%s/.venv/requirements.txt", root);
    if (b->flavor[0] == '\0' && access(command, R_OK) != 0) {
        return lw_fail(err, "%s/.venv: Verilator is missing; `make build` installs it there", root);
    }
    if (access(library, R_OK) != 0) {
        (void)fprintf(stderr, "lockwalk: building the RTL for %s (once)\n", b->key);
    }
    (void)snprintf(command, sizeof command,
                   "mkdir -p '%s/build/rtl/%s' && flock '%s/build/rtl/%s/lock' make -s "
                   "--no-print-directory -C '%s' rtl KEY='%s' OPTIONS='%s' WRITABLE=%d FLAVOR=%s "
                   ">'%s/build/rtl/%s/log' 2>&1",
                   root, b->key, root, b->key, root, b->key, b->options, b->writable, b->flavor,
                   root, b->key);
    int status = system(command); // NOLINT(bugprone-command-processor): a build is a command
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    return lw_fail(err, "the RTL for %s could not be built; see %s/build/rtl/%s/log", b->key, root,
                   b->key);
}

bool lw_rtl_library_open(lw_rtl_library_handle *library, const char *root, const lw_system *system,
                         bool writable, lw_error *err) {
    lw_rtl_build b;
    char path[1024];
    describe(&b, system, writable);
    if (!build(root, &b, err)) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/build/rtl/%s/librtl.so", root, b.key);
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

void lw_rtl_library_close(lw_rtl_library_handle *library) {
    if (library->handle != NULL) {
        (void)dlclose(library->handle);
    }
    library->handle = NULL;
    library->functions = NULL;
}
