/* A trace-driven simulator's loop around liblockwalk: C.
 *
 *   trace_simulator SYSTEM LATENCY <TRACE
 *
 * The trace has one page of the only address space a line, VA[63:12] in hexadecimal. The simulator
 * keeps up to OUTSTANDING of them in flight, maps each page where it is first touched, reads page
 * tables from its own memory in LATENCY cycles, and leaps over the cycles in which nothing happens.
 */
#include <ctype.h>
#include <inttypes.h>
#include <lockwalk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTSTANDING = 64, TABLES = 1 << 14, IN_FLIGHT = 64, MOST_LATENCY = 1000000 };

typedef struct read {
    uint64_t due, line;
    uint32_t tag;
} read;

typedef struct simulator {
    lw_iommu *unit;
    lw_inputs in;
    lw_outputs out;
    uint64_t now, asked, answered, waited, latency;
    uint64_t line;                        /* of the trace: the last that was read */
    uint64_t of_line[OUTSTANDING];        /* where an id is from */
    uint64_t since[OUTSTANDING];          /* cycle in which an id was sent */
    uint32_t free[OUTSTANDING], frees;    /* ids that nobody uses */
    read reads[IN_FLIGHT];                /* a ring: reads come back in order */
    uint64_t first, last;                 /* of the ring */
    uint64_t (*tables)[512], used, frame; /* page tables, in frames 1.. */
    char wrong[128];                      /* why it has ended; "" where it may go on */
} simulator;

static bool refuse(simulator *s, uint64_t line, const char *what) {
    (void)snprintf(s->wrong, sizeof s->wrong, "line %" PRIu64 " of the trace %s", line, what);
    return false;
}

/* ---------------------------------------------------------------- page tables */

static bool map(simulator *s, uint64_t page, unsigned levels) {
    uint64_t table = 1;
    for (unsigned k = levels; k > 0; k--) {
        uint64_t *pte = &s->tables[table][page >> (9 * (k - 1)) & 511];
        if (*pte == 0) {
            if (k > 1 && s->used == TABLES) {
                return refuse(s, s->line,
                              "needs a page table more than the 16384 that are allowed");
            }
            *pte = (k > 1 ? s->used++ : TABLES + s->frame++) << 12 | 7;
        }
        table = *pte >> 12;
    }
    return true;
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
            return refuse(s, s->of_line[s->out.rsp_id],
                          s->out.rsp_kind == LW_NONCANONICAL
                              ? "is no canonical page; allowed: upper bits that are all alike"
                              : "has a page fault; allowed: a page that the simulator maps");
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

/* The page of the next line; false at the trace's end, and where the line is none. */
static bool read_page(simulator *s, uint64_t *page) {
    char text[64];
    if (fgets(text, sizeof text, stdin) == NULL) {
        return false;
    }
    s->line++;
    char *end = text;
    *page = isxdigit((unsigned char)text[0]) ? strtoull(text, &end, 16) : 0;
    const bool is_one = end != text && end[strspn(end, " \t\r\n")] == '\0' && *page >> 52 == 0 &&
                        (strchr(text, '\n') != NULL || feof(stdin));
    return is_one || refuse(s, s->line, "is no page; allowed: VA[63:12] in hexadecimal");
}

static bool next(simulator *s, unsigned levels) {
    uint64_t page = 0;
    if (s->frees == 0 || !read_page(s, &page) || !map(s, page, levels)) {
        return false;
    }
    s->in.req_valid = true;
    s->in.req_page = page;
    s->in.req_id = s->free[--s->frees];
    s->since[s->in.req_id] = s->now;
    s->of_line[s->in.req_id] = s->line;
    return true;
}

static void run(simulator *s, const lw_system *system) {
    control(s, LW_CTL_ROOT, UINT64_C(1) << 63 | 1);
    control(s, LW_CTL_FEATURES, 4 * system->pwc_enable + system->mode);
    s->in.rsp_ready = true;
    do {
        const bool waits = s->in.req_valid || s->frees == 0;
        if (!waits && !next(s, system->hw.levels) && s->frees == OUTSTANDING) {
            return;
        }
        if (s->wrong[0] != '\0' || !cycle(s)) {
            return;
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

static bool is_latency(const char *text, uint64_t *latency) {
    char *end = NULL;
    *latency = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    return *latency >= 1 && *latency <= MOST_LATENCY && *end == '\0';
}

int main(int argc, char **argv) {
    lw_system system;
    lw_error err;
    simulator s = {.frees = OUTSTANDING, .used = 2};
    if (argc != 3) {
        (void)fprintf(stderr, "trace_simulator: takes SYSTEM and LATENCY\n");
        return 2;
    }
    if (!is_latency(argv[2], &s.latency)) {
        (void)fprintf(stderr, "trace_simulator: LATENCY is \"%s\"; allowed: cycles, 1..%d\n",
                      argv[2], MOST_LATENCY);
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
    if (s.tables != NULL) {
        run(&s, &system);
    }
    const char *wrong = s.tables == NULL     ? "no memory"
                        : s.wrong[0] != '\0' ? s.wrong
                        : ferror(stdin) != 0 ? "the trace cannot be read to its end"
                        : s.answered == 0    ? "the trace is empty; allowed: a page a line"
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
