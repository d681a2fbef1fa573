/* Where the project is: its systems and RTL builds. */
#ifndef LW_APP_HOST_PROJECT_ROOT_H
#define LW_APP_HOST_PROJECT_ROOT_H

#include "common/error.h"

#include <stddef.h>

/* Writes the nearest folder above the program that holds systems/ (`room` bytes, its end
 * included); false and a sentence where there is none. */
bool lw_project_root(char *root, size_t room, lw_error *err);

#endif
