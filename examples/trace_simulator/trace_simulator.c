/* A trace-driven simulator's loop around liblockwalk: C.
 *
 *   trace_simulator SYSTEM LATENCY <TRACE
 *
 * The trace has one page of the only address space a line, VA[63:12] in hexadecimal. The simulator
 * keeps up to OUTSTANDING of them in flight, maps each page where it is first touched, reads page
 * tables from its own memory in LATENCY cycles, and leaps over the cycles in which nothing happens.
 */
#include <inttypes.h>
#include <lockwalk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTSTANDING = 64, TABLES = 1 << 14, IN_FLIGHT = 64 };

typedef struct read {
    uint64_t due, line;
    uint32_t tag;
} read;

typedef struct simulator {
    lw_iommu *unit;
    lw_inputs in;
    lw_outputs out;
    uint64_t now, asked, answered, waited, latency;
    uint64_t since[OUTSTANDING];          /* cycle in which an id was sent */
    uint32_t free[OUTSTANDING], frees;    /* ids that nobody uses */
    read reads[IN_FLIGHT];                /* a ring: reads come back in order */
    uint64_t first, last;                 /* of the ring */
    uint64_t (*tables)[512], used, frame; /* page tables, in frames 1.. */
} simulator;

/* ---------------------------------------------------------------- page tables */

static void map(simulator *s, uint64_t page, unsigned levels) {
    uint64_t table = 1;
    for (unsigned k = levels; k > 0; k--) {
        uint64_t *pte = &s->tables[table][page >> (9 * (k - 1)) & 511];
        if (*pte == 0) {
            if (k > 1 && s->used == TABLES) {
                (void)fprintf(stderr, "trace_simulator: more than %d tables\n", TABLES);
                exit(2);
            }
            *pte = (k > 1 ? s->used++ : TABLES + s->frame++) << 12 | 7;
        }
        table = *pte >> 12;
    }
}

/* ---------------------------------------------------------------- one cycle */

static void memory_before(simulator *s) {
    const read *r = &s->reads[s->first % IN_FLIGHT];
    s->in.mem_req_ready = true;
    s->in.mem_rsp_valid = s->first != s->last && r->due <= s->now;
    if (s->in.mem_rsp_valid) {
        s->in.mem_rsp_tag = r->tag;
        memcpy(s->in.mem_rsp_data, &s->tables[r->line / 64][r->line % 64 * 8], 64);
        s->first++;
    }
}

static void memory_after(simulator *s) {
    if (s->out.mem_req_valid) {
        s->reads[s->last++ % IN_FLIGHT] =
            (read){s->now + s->latency, s->out.mem_req_line, s->out.mem_req_tag};
    }
}

static bool cycle(simulator *s) {
    lw_iommu_outputs(s->unit, &s->out);
    memory_before(s);
    memory_after(s);
    if (s->out.rsp_valid) {
        if (s->out.rsp_kind != LW_OK) {
            return false;
        }
        s->waited += s->now - s->since[s->out.rsp_id];
        s->free[s->frees++] = s->out.rsp_id;
        s->answered++;
    }
    const bool taken = s->in.req_valid && s->out.req_ready;
    lw_iommu_step(s->unit, &s->in);
    s->now++;
    s->asked += taken;
    s->in.req_valid = s->in.req_valid && !taken;
    s->in.ctl_write = false;
    return true;
}

/* To the next read that comes back, or as far as the unit itself sleeps. */
static void leap(simulator *s) {
    uint64_t n = lw_iommu_idle_cycles(s->unit);
    const uint64_t due = s->first != s->last ? s->reads[s->first % IN_FLIGHT].due : s->now;
    n = due - s->now < n ? due - s->now : n;
    if (due > s->now && n > 0) {
        lw_iommu_skip(s->unit, n, s->in.req_valid);
        s->now += n;
    }
}

/* ---------------------------------------------------------------- the run */

static void control(simulator *s, uint32_t address, uint64_t data) {
    s->in.ctl_write = true;
    s->in.ctl_addr = address;
    s->in.ctl_wdata = data;
    (void)cycle(s);
}

static bool next(simulator *s, unsigned levels) {
    uint64_t page = 0;
    if (s->frees == 0 || scanf("%" SCNx64, &page) != 1) {
        return false;
    }
    map(s, page, levels);
    s->in.req_valid = true;
    s->in.req_page = page;
    s->in.req_id = s->free[--s->frees];
    s->since[s->in.req_id] = s->now;
    return true;
}

static bool run(simulator *s, const lw_system *system) {
    control(s, LW_CTL_ROOT, UINT64_C(1) << 63 | 1);
    control(s, LW_CTL_FEATURES, 4 * system->pwc_enable + system->mode);
    s->in.rsp_ready = true;
    do {
        const bool waits = s->in.req_valid || s->frees == 0;
        if (!waits && !next(s, system->hw.levels) && s->frees == OUTSTANDING) {
            return true;
        }
        if (!cycle(s)) {
            return false;
        }
        if (s->frees == 0 || feof(stdin)) { /* nothing new can be asked for until an answer */
            leap(s);
        }
    } while (true);
}

static void print(const simulator *s) {
    (void)printf("accesses             %" PRIu64 "\n", s->answered);
    (void)printf("cycles               %" PRIu64 "\n", s->now);
    (void)printf("cycles an access     %.1f from request to answer\n",
                 (double)s->waited / (double)s->answered);
    (void)printf("page-table accesses  %" PRIu64 "\n",
                 lw_iommu_counter(s->unit, LW_C_PAGE_TABLE_ACCESSES));
    (void)printf("TLB hits             %" PRIu64 "\n", lw_iommu_counter(s->unit, LW_C_TLB_HITS));
}

int main(int argc, char **argv) {
    lw_system system;
    lw_error err;
    simulator s = {.frees = OUTSTANDING, .used = 2};
    if (argc != 3 || (s.latency = strtoull(argv[2], NULL, 10)) == 0) {
        (void)fprintf(stderr, "trace_simulator: takes SYSTEM and LATENCY, cycles from 1 on\n");
        return 2;
    }
    if (!lw_system_load(&system, SYSTEMS, argv[1], &err) || !lw_system_check(&system, &err) ||
        (s.unit = lw_iommu_new(&system.hw, &err)) == NULL) {
        (void)fprintf(stderr, "trace_simulator: %s\n", err.text);
        return 2;
    }
    s.tables = calloc(TABLES, sizeof *s.tables);
    for (uint32_t id = 0; s.tables != NULL && id < OUTSTANDING; id++) {
        s.free[id] = id;
    }
    const char *wrong = s.tables == NULL    ? "no memory"
                        : !run(&s, &system) ? "a page fault"
                        : feof(stdin) == 0  ? "the trace has a line that is no page"
                        : s.answered == 0   ? "the trace is empty"
                                            : NULL;
    if (wrong == NULL) {
        print(&s);
    } else {
        (void)fprintf(stderr, "trace_simulator: %s\n", wrong);
    }
    lw_iommu_free(s.unit);
    free(s.tables);
    return wrong == NULL ? 0 : 2;
}
