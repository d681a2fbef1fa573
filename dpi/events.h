/* The ring of recent port events, for mismatch reports and --log. */
#ifndef LW_DPI_EVENTS_H
#define LW_DPI_EVENTS_H

#include "c_model/base/ports.h"
#include "c_model/iommu.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define LW_EVENTS 8192u /* kept */
#define LW_NO_REQUEST UINT32_MAX

typedef enum lw_event_kind {
    LW_EVENT_REQUEST,
    LW_EVENT_RESPONSE,
    LW_EVENT_READ,
    LW_EVENT_LINE,
    LW_EVENT_INVALIDATE,
    LW_EVENT_DONE,
    LW_EVENT_CONTROL
} lw_event_kind;

typedef struct lw_event {
    uint64_t cycle, address; /* page, pfn, line or control data */
    uint32_t id;             /* of the request concerned, or LW_NO_REQUEST */
    uint16_t kind;           /* lw_event_kind */
    uint16_t what;           /* access, kind of answer, walker tag, type or control address */
    uint32_t pasid;          /* or level of the answer, or error */
} lw_event;

typedef struct lw_event_ring {
    lw_event ring[LW_EVENTS];
    uint64_t count; /* in all */
    FILE *log;      /* each event as a line too, or NULL */
} lw_event_ring;

/* What happened on the ports in a cycle; `unit` (the state before the cycle's end) tells which
 * request a walker works for; NULL: not known. `walkers` are the tags that name one. */
void lw_event_ring_record(lw_event_ring *events, uint64_t cycle, const lw_inputs *in,
                          const lw_outputs *out, const lw_iommu *unit, uint32_t walkers);

/* The last `most` events, oldest first: all, or only those of one request. */
void lw_event_ring_print(const lw_event_ring *events, FILE *file, uint32_t most, uint32_t id);

#endif
