#include "app/versions.h"

#include "state/revision.h"

#include <stddef.h>

const char *lw_revision(void) {
    static const char text[] = LW_REVISION;
    return text[0] == '\0' ? NULL : text;
}
