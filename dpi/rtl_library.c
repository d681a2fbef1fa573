#include "rtl_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* `make rtl` rebuilds only what is older than its sources, so it is asked each time. */
static bool build(const char *root, const char *key, const char *options, bool writable,
                  lw_error *err) {
    char command[2048];
    char library[1024];
    (void)snprintf(library, sizeof library, "%s/build/rtl/%s%s/librtl.so", root, key,
                   writable ? "-writable" : "");
    if (access(library, R_OK) != 0) {
        (void)fprintf(stderr, "lockwalk: building the RTL for %s (once)\n", key);
    }
    (void)snprintf(command, sizeof command,
                   "make -s --no-print-directory -C '%s' rtl KEY='%s%s' OPTIONS='%s' WRITABLE=%d "
                   ">'%s/build/rtl.log' 2>&1",
                   root, key, writable ? "-writable" : "", options, writable, root);
    int status = system(command); // NOLINT(cert-env33-c,bugprone-command-processor): a build is one
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    return lw_fail(err, "the RTL for %s could not be built; see %s/build/rtl.log", key, root);
}

bool lw_rtl_library_open(lw_rtl_library_handle *library, const char *root, const lw_system *system,
                         bool writable, lw_error *err) {
    char key[LW_TEXT_MAX];
    char options[1024];
    char path[1024];
    lw_system_build_key(system, key);
    lw_system_build_options(system, options, sizeof options);
    if (!build(root, key, options, writable, err)) {
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/build/rtl/%s%s/librtl.so", root, key,
                   writable ? "-writable" : "");
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
