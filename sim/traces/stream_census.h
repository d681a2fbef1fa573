/* What a stream asks for, read whole before its run: so that what it touches can be mapped, and so
 * that a malformed line is found before anything has run. */
#ifndef LW_SIM_TRACES_STREAM_CENSUS_H
#define LW_SIM_TRACES_STREAM_CENSUS_H

#include "sim/traces/stream.h"
#include "sim/workloads/page_set.h"

typedef struct lw_stream_limits {
    uint32_t levels;   /* of the page table: 4 or 5 */
    uint32_t pasids;   /* address spaces that the unit has */
    uint32_t known;    /* PASIDs that may be named: others are refused */
    uint32_t sources;  /* likewise, of sources */
    uint64_t accesses; /* read so many at most */
    bool partial;      /* what is whole of a file that is cut will do, unless that is nothing */
} lw_stream_limits;

typedef struct lw_stream_census {
    uint64_t accesses;
    lw_partial partial; /* where it was allowed to be cut */
    uint32_t spaces;    /* one more than the highest PASID that the unit has and the stream names */
    lw_page_set *pages; /* by PASID, `spaces` of them: the canonical pages that it touches */
} lw_stream_census;

/* False and a sentence with file and line where the stream is malformed, or memory is short;
 * *census is then empty. */
bool lw_stream_census_take(lw_stream_census *census, const char *path,
                           const lw_stream_limits *limits, lw_error *err);
void lw_stream_census_free(lw_stream_census *census);

#endif
