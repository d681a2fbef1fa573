#include "dpi/stage_window.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct place {
    lw_traced request;
    lw_stage next; /* to which it goes in this cycle */
    bool under_way, goes;
} place;

struct lw_stage_window {
    uint64_t from, to, number, cycle;
    uint32_t ids, going; /* of the requests that go on in `cycle` */
    size_t writers;
    lw_stage_writer writer[LW_STAGE_WRITERS];
    uint32_t *who; /* their ids */
    place place[]; /* by id */
};

lw_stage_window *lw_stage_window_new(uint32_t id_w, uint64_t from, uint64_t to) {
    const uint32_t ids = UINT32_C(1) << id_w;
    lw_stage_window *w = calloc(1, sizeof *w + ids * sizeof w->place[0]);
    if (w == NULL) {
        return NULL;
    }
    w->who = calloc(ids, sizeof *w->who);
    if (w->who == NULL) {
        free(w);
        return NULL;
    }
    w->ids = ids;
    w->from = from;
    w->to = to;
    return w;
}

void lw_stage_window_free(lw_stage_window *w) {
    if (w != NULL) {
        free(w->who);
        free(w);
    }
}

void lw_stage_window_add(lw_stage_window *w, const lw_stage_writer *writer) {
    w->writer[w->writers++] = *writer;
}

static void tell(const lw_stage_window *w, place *p) {
    for (size_t i = 0; i < w->writers; i++) {
        const lw_stage_writer *to = &w->writer[i];
        if (p->next == LW_STAGE_LEFT) {
            to->ended(to->ctx, w->cycle, &p->request, true);
        } else {
            to->moved(to->ctx, w->cycle, &p->request, p->next);
        }
    }
}

/* What has happened in `cycle` is told. */
static void flush(lw_stage_window *w) {
    for (uint32_t i = 0; i < w->going; i++) {
        place *p = &w->place[w->who[i]];
        p->goes = false;
        if (p->next != p->request.stage) {
            tell(w, p);
        }
        p->under_way = p->next != LW_STAGE_LEFT;
        p->request.stage = p->next;
    }
    w->going = 0;
}

void lw_stage_window_begin(lw_stage_window *w, uint64_t cycle, uint32_t id, const lw_inputs *in,
                           const char *kernel) {
    flush(w); /* the id's last request may have gone out only now */
    if (cycle < w->from || cycle > w->to) {
        return;
    }
    w->cycle = cycle;
    place *p = &w->place[id];
    *p = (place){.request = {.number = w->number++,
                             .page = in->req_page,
                             .id = id,
                             .pasid = in->req_pasid,
                             .access = in->req_access,
                             .src = in->req_src,
                             .stage = LW_STAGE_TLB},
                 .next = LW_STAGE_TLB,
                 .under_way = true};
    (void)snprintf(p->request.kernel, sizeof p->request.kernel, "%s", kernel);
    for (size_t i = 0; i < w->writers; i++) {
        w->writer[i].began(w->writer[i].ctx, cycle, &p->request);
    }
}

void lw_stage_window_move(lw_stage_window *w, uint64_t cycle, uint32_t id, lw_stage stage) {
    place *p = &w->place[id];
    if (!p->under_way) {
        return;
    }
    if (cycle != w->cycle) {
        flush(w);
        w->cycle = cycle;
    }
    if (!p->goes) {
        p->goes = true;
        w->who[w->going++] = id;
    }
    p->next = stage;
}

void lw_stage_window_end(lw_stage_window *w) {
    flush(w);
    for (uint32_t id = 0; id < w->ids; id++) {
        place *p = &w->place[id];
        for (size_t i = 0; p->under_way && i < w->writers; i++) {
            w->writer[i].ended(w->writer[i].ctx, w->cycle, &p->request, false);
        }
        p->under_way = false;
    }
}
