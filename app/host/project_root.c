#include "app/host/project_root.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool lw_project_root(char *root, size_t room, lw_error *err) {
    char path[480];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) {
        return lw_fail(err, "/proc/self/exe: cannot be read (%s)", strerror(errno));
    }
    if ((size_t)n == sizeof path - 1) {
        return lw_fail(err, "the path of the program is too long; allowed: %zu characters",
                       sizeof path - 2);
    }
    path[n] = '\0';
    for (char *slash = strrchr(path, '/'); slash != NULL; slash = strrchr(path, '/')) {
        char systems[512];
        *slash = '\0';
        (void)snprintf(systems, sizeof systems, "%s/systems/baseline.ini", path);
        if (access(systems, R_OK) == 0) {
            (void)snprintf(root, room, "%s", path);
            return true;
        }
    }
    return lw_fail(err, "no folder above the program holds systems/baseline.ini; allowed: a "
                        "program in its project");
}
