#include "tests/contract/failure.h"

#include "tests/contract/draw_params.h"
#include "tests/contract/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool lw_barks(const lw_world *w, lw_check check) {
    return !w->failed && (w->options->checks >> check & 1) != 0;
}

void lw_bark(lw_world *w, lw_check check, const lw_request *q, const char *format, ...) {
    if (!lw_barks(w, check)) {
        return;
    }
    w->failed = true;
    char params[1024];
    lw_params_text(&w->hw, params, sizeof params);
    (void)printf("contract: seed %" PRIu64 ", cycle %" PRIu64 ", check %s: ", w->seed, w->cycle,
                 lw_check_name(check));
    if (q != NULL) {
        (void)printf("request id %u (PASID %u, page 0x%" PRIx64 ", %s, accepted in cycle %" PRIu64
                     ") ",
                     q->id, q->pasid, q->page, lw_access_text(q->access), q->accepted);
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    (void)printf("\n  parameters:%s; FEATURES 0x%x; a line holds what memory held when it %s\n",
                 params, w->features, w->early ? "was asked for" : "came");
    (void)printf("  again: build/contract/contract --seeds %" PRIu64 "..%" PRIu64
                 " --cycles %" PRIu64 "%s\n",
                 w->seed, w->seed, w->options->cycles, w->options->again);
}
