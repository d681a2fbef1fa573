#include "dpi/events.h"

#include "oracle/answer_text.h"

static const char *const type_names[] = {"page", "range", "PASID", "all"};

static void print_one(FILE *file, const lw_event *e) {
    (void)fprintf(file, "  cycle %-10llu ", (unsigned long long)e->cycle);
    switch ((lw_event_kind)e->kind) {
    case LW_EVENT_REQUEST:
        (void)fprintf(file, "request    id %u pasid %u page 0x%llx %s\n", e->id, e->pasid,
                      (unsigned long long)e->address, lw_access_name(e->what));
        break;
    case LW_EVENT_RESPONSE:
        (void)fprintf(file, "response   id %u %s level %u pfn 0x%llx\n", e->id,
                      lw_oracle_kind_name(e->what), e->pasid, (unsigned long long)e->address);
        break;
    case LW_EVENT_READ:
        (void)fprintf(file, "walk read  walker %u line 0x%llx (id %d)\n", e->what,
                      (unsigned long long)e->address, (int)e->id);
        break;
    case LW_EVENT_LINE:
        (void)fprintf(file, "walk line  walker %u%s (id %d)\n", e->what,
                      e->pasid != 0 ? " with an error" : "", (int)e->id);
        break;
    case LW_EVENT_INVALIDATE:
        (void)fprintf(file, "invalidate %s pasid %u from 0x%llx\n", type_names[e->what & 3],
                      e->pasid, (unsigned long long)e->address);
        break;
    case LW_EVENT_DONE:
        (void)fprintf(file, "invalidation complete\n");
        break;
    case LW_EVENT_CONTROL:
        (void)fprintf(file, "control    write 0x%llx at 0x%x\n", (unsigned long long)e->address,
                      e->what);
        break;
    }
}

static void add(lw_event_ring *events, lw_event event) {
    events->ring[events->count % LW_EVENTS] = event;
    events->count++;
    if (events->log != NULL) {
        print_one(events->log, &event);
    }
}

/* Tags from `walkers` on name heads, which no request waits for (R16.6). */
static uint32_t walker_id(const lw_iommu *unit, uint32_t walkers, uint32_t tag) {
    return unit == NULL || tag >= walkers ? LW_NO_REQUEST
                                          : (uint32_t)lw_iommu_peek(unit, LW_F_PWST_ID, tag);
}

void lw_event_ring_record(lw_event_ring *events, uint64_t cycle, const lw_inputs *in,
                          const lw_outputs *out, const lw_iommu *unit, uint32_t walkers) {
    if (in->req_valid && out->req_ready) {
        add(events, (lw_event){cycle, in->req_page, in->req_id, LW_EVENT_REQUEST,
                               (uint16_t)in->req_access, in->req_pasid});
    }
    if (out->mem_req_valid && in->mem_req_ready) {
        add(events, (lw_event){cycle, out->mem_req_line, walker_id(unit, walkers, out->mem_req_tag),
                               LW_EVENT_READ, (uint16_t)out->mem_req_tag, 0});
    }
    if (in->mem_rsp_valid) {
        add(events, (lw_event){cycle, 0, walker_id(unit, walkers, in->mem_rsp_tag), LW_EVENT_LINE,
                               (uint16_t)in->mem_rsp_tag, in->mem_rsp_error});
    }
    if (out->rsp_valid && in->rsp_ready) {
        add(events, (lw_event){cycle, out->rsp_pfn, out->rsp_id, LW_EVENT_RESPONSE,
                               (uint16_t)out->rsp_kind, out->rsp_level});
    }
    if (in->inv_valid && out->inv_ready) {
        add(events, (lw_event){cycle, in->inv_first, LW_NO_REQUEST, LW_EVENT_INVALIDATE,
                               (uint16_t)in->inv_type, in->inv_pasid});
    }
    if (out->inv_done) {
        add(events, (lw_event){cycle, 0, LW_NO_REQUEST, LW_EVENT_DONE, 0, 0});
    }
    if (in->ctl_write) {
        add(events, (lw_event){cycle, in->ctl_wdata, LW_NO_REQUEST, LW_EVENT_CONTROL,
                               (uint16_t)in->ctl_addr, 0});
    }
}

void lw_event_ring_print(const lw_event_ring *events, FILE *file, uint32_t most, uint32_t id) {
    uint64_t oldest = events->count > LW_EVENTS ? events->count - LW_EVENTS : 0;
    uint64_t from = events->count;
    for (uint32_t n = 0; from > oldest && n < most; from--) {
        n += id == LW_NO_REQUEST || events->ring[(from - 1) % LW_EVENTS].id == id;
    }
    for (; from < events->count; from++) {
        const lw_event *e = &events->ring[from % LW_EVENTS];
        if (id == LW_NO_REQUEST || e->id == id) {
            print_one(file, e);
        }
    }
}
