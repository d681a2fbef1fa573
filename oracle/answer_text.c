#include "oracle/answer_text.h"

#include <inttypes.h>
#include <stdio.h>

lw_answer_text lw_describe_answer(const lw_oracle_answer *a) {
    lw_answer_text t;
    const bool has_frame = a->pfn != 0 || a->size != 0 || a->w || a->x;
    int length = snprintf(t.text, sizeof t.text, "%s (%" PRIu32 ") level %" PRIu32,
                          lw_oracle_kind_name(a->kind), a->kind, a->level);
    if (a->kind == LW_ORACLE_OK || has_frame) {
        length +=
            snprintf(t.text + length, sizeof t.text - (size_t)length,
                     " pfn 0x%" PRIx64 " size %" PRIu32 " W=%d X=%d", a->pfn, a->size, a->w, a->x);
    }
    if (a->links != 0) {
        (void)snprintf(t.text + length, sizeof t.text - (size_t)length, " links %" PRIu32,
                       a->links);
    }
    return t;
}

const char *lw_access_name(uint32_t access) {
    static const char *const names[] = {"read", "write", "execute", "execute"};
    return names[access & 3];
}
