#include "sim/traces/trace_line.h"

#include "sim/files/text_source.h"
#include "sim/traces/trace.h"

#include <inttypes.h>
#include <string.h>

#define REGISTERS 256
#define ZERO_REGISTER 255 /* RZ: always 0, nobody waits for it */
#define REGISTER_BYTES 4
#define WIDTH_MAX 128
#define MAX_OPERANDS 16
#define SHARED_WINDOW (UINT64_C(1) << 24)

typedef enum address_mode { MODE_LIST = 0, MODE_STRIDE = 1, MODE_DELTAS = 2 } address_mode;

/* The opcodes that translate (before the first '.'). LDGSTS reads global memory into LDS; the
 * tracer's post-processing leaves its global address. Atomics need write permission. */
static const struct opcode {
    const char *name;
    lw_access_kind access;
    bool generic; /* its address may lie in the shared window */
} opcodes[] = {
    {"LD", LW_READ, true},      {"LDG", LW_READ, false},   {"LDL", LW_READ, false},
    {"LDGSTS", LW_READ, false}, {"ST", LW_WRITE, true},    {"STG", LW_WRITE, false},
    {"STL", LW_WRITE, false},   {"ATOM", LW_WRITE, true},  {"ATOMG", LW_WRITE, false},
    {"RED", LW_WRITE, false},   {"REDG", LW_WRITE, false},
};

/* A line, cut into fields. */
typedef struct fields {
    uint32_t mask;
    uint8_t destinations[MAX_OPERANDS];
    uint8_t sources[MAX_OPERANDS];
    unsigned destination_count, source_count;
    const char *name;
    uint64_t width;
    char *rest;
} fields;

static const struct opcode *find_opcode(const char *name) {
    const size_t length = strcspn(name, ".");
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        if (strlen(opcodes[i].name) == length && memcmp(opcodes[i].name, name, length) == 0) {
            return &opcodes[i];
        }
    }
    return NULL;
}

static bool number(char **rest, int base, uint64_t max, const char *what, uint64_t *value,
                   lw_error *err) {
    const char *word = lw_text_word(rest);
    if (word == NULL) {
        return lw_fail(err, "the line ends before its %s", what);
    }
    if (!lw_text_unsigned(word, base, value) || *value > max) {
        return lw_fail(err, "'%s' is no %s: a %s number up to %" PRIu64 " is", word, what,
                       base == 16 ? "hexadecimal" : "decimal", max);
    }
    return true;
}

static bool registers(char **rest, const char *what, uint8_t *list, unsigned *count,
                      lw_error *err) {
    uint64_t n = 0;
    if (!number(rest, 10, MAX_OPERANDS, what, &n, err)) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        const char *word = lw_text_word(rest);
        uint64_t index = 0;
        if (word == NULL || word[0] != 'R' || !lw_text_unsigned(word + 1, 10, &index) ||
            index >= REGISTERS) {
            return lw_fail(err,
                           "'%s' stands where register %" PRIu64 " of %" PRIu64
                           " is expected: R0 to R255 are allowed",
                           word != NULL ? word : "(end of line)", i + 1, n);
        }
        list[i] = (uint8_t)index;
    }
    *count = (unsigned)n;
    return true;
}

static bool cut(const lw_trace_format *format, char *line, fields *f, lw_error *err) {
    uint64_t value = 0;
    f->rest = line;
    if (format->line_number &&
        !number(&f->rest, 10, UINT32_MAX, "source line number", &value, err)) {
        return false;
    }
    if (!number(&f->rest, 16, UINT64_MAX, "PC", &value, err) ||
        !number(&f->rest, 16, UINT32_MAX, "mask of 32 lanes", &value, err)) {
        return false;
    }
    f->mask = (uint32_t)value;
    if (!registers(&f->rest, "number of destination registers", f->destinations,
                   &f->destination_count, err)) {
        return false;
    }
    f->name = lw_text_word(&f->rest);
    if (f->name == NULL || f->name[0] < 'A' || f->name[0] > 'Z') {
        return lw_fail(err, "'%s' stands where the opcode is expected",
                       f->name != NULL ? f->name : "(end of line)");
    }
    return registers(&f->rest, "number of source registers", f->sources, &f->source_count, err) &&
           number(&f->rest, 10, WIDTH_MAX, "memory width", &f->width, err);
}

static bool add_lane(uint64_t *va, unsigned lane, uint64_t address, lw_error *err) {
    if (!lw_trace_canonical(address)) {
        return lw_fail(err,
                       "the address 0x%" PRIx64 " of lane %u is not canonical: bits 63 to 47 alike "
                       "(a 48-bit virtual address) are allowed",
                       address, lane);
    }
    va[lane] = address;
    return true;
}

static bool too_few(lw_error *err, unsigned have, uint32_t mask) {
    return lw_fail(err, "has %u of the %d addresses that its mask %08" PRIx32 " needs", have,
                   __builtin_popcount(mask), mask);
}

static bool listed(fields *f, uint64_t *va, lw_error *err) {
    unsigned have = 0;
    for (unsigned lane = 0; lane < LW_WARP; lane++) {
        if ((f->mask >> lane & 1) == 0) {
            continue;
        }
        const char *word = lw_text_word(&f->rest);
        uint64_t address = 0;
        if (word == NULL) {
            return too_few(err, have, f->mask);
        }
        if (!lw_text_unsigned(word, 16, &address)) {
            return lw_fail(err, "'%s' is no address: a 64-bit hexadecimal number is", word);
        }
        if (!add_lane(va, lane, address, err)) {
            return false;
        }
        have++;
    }
    return true;
}

/* Modes 1 and 2: a base, then one stride for all, or a delta for each active lane but the first. */
static bool relative(fields *f, address_mode mode, uint64_t *va, lw_error *err) {
    uint64_t at = 0;
    int64_t step = 0;
    if (!number(&f->rest, 16, UINT64_MAX, "base address", &at, err)) {
        return false;
    }
    unsigned have = 0;
    bool ended = false; /* an idle lane after the first active one */
    for (unsigned lane = 0; lane < LW_WARP; lane++) {
        if ((f->mask >> lane & 1) == 0) {
            ended = have > 0;
            continue;
        }
        if (mode == MODE_STRIDE && ended) {
            return lw_fail(err,
                           "gives base and stride (mode 1) for the mask %08" PRIx32
                           ", whose active lanes have a gap: one run of lanes is allowed there, "
                           "any mask in modes 0 and 2",
                           f->mask);
        }
        if (have > 0 && (mode == MODE_DELTAS || have == 1)) {
            const char *word = lw_text_word(&f->rest);
            if (word == NULL) {
                return too_few(err, have, f->mask);
            }
            if (!lw_text_signed(word, &step)) {
                return lw_fail(err, "'%s' is no address difference: a signed decimal number is",
                               word);
            }
        }
        at += have > 0 ? (uint64_t)step : 0;
        if (!add_lane(va, lane, at, err)) {
            return false;
        }
        have++;
    }
    /* The stride stands there also where it has no use: a single lane, or none. */
    if (mode == MODE_STRIDE && have < 2) {
        const char *word = lw_text_word(&f->rest);
        if (word == NULL || !lw_text_signed(word, &step)) {
            return lw_fail(err, "has no stride after its base address: a signed decimal number is "
                                "needed in mode 1");
        }
    }
    return true;
}

/* What the destination registers hold, of which nothing is kept; `word` is the line's next. */
static bool values(fields *f, const char *word, lw_error *err) {
    if (word == NULL || (strcmp(word, "Val") != 0 && strcmp(word, "NoVal") != 0)) {
        return lw_fail(err,
                       "'%s' stands where NoVal, or Val and values, is expected behind the "
                       "immediates (the header's #traces format)",
                       word != NULL ? word : "(end of line)");
    }
    const bool some = word[0] == 'V';
    unsigned count = 0;
    uint64_t value = 0;
    for (; (word = lw_text_word(&f->rest)) != NULL; count++) {
        if (!some || !lw_text_unsigned(word, 16, &value)) {
            return lw_fail(err, "'%s' stands behind %s: %s", word, some ? "Val" : "NoVal",
                           some ? "hexadecimal numbers are allowed" : "nothing is allowed");
        }
    }
    return !some || count != 0 || lw_fail(err, "ends behind Val: at least one value is needed");
}

/* The immediates, then the values where the format has them. */
static bool behind_addresses(const lw_trace_format *format, fields *f, lw_error *err) {
    const char *word = lw_text_word(&f->rest);
    unsigned more = 0;
    for (; word != NULL && !(format->values && strstr(word, "Val") != NULL); more++) {
        word = lw_text_word(&f->rest);
    }
    if (more < format->min_immediates) {
        return lw_fail(err,
                       "is too short by %u: it needs the addresses of %d lanes and then %u "
                       "immediate (the header's #traces format)",
                       format->min_immediates - more, __builtin_popcount(f->mask),
                       format->min_immediates);
    }
    if (more > format->max_immediates) {
        return lw_fail(err,
                       "has %u more after the addresses of its %d lanes: %u immediate (the "
                       "header's #traces format) is allowed",
                       more, __builtin_popcount(f->mask), format->max_immediates);
    }
    return !format->values || values(f, word, err);
}

static bool addresses(const lw_trace_format *format, fields *f, uint64_t *va, lw_error *err) {
    uint64_t mode = 0;
    if (!number(&f->rest, 10, MODE_DELTAS, "address mode (0 list, 1 stride, 2 deltas)", &mode,
                err)) {
        return false;
    }
    const bool read =
        mode == MODE_LIST ? listed(f, va, err) : relative(f, (address_mode)mode, va, err);
    if (!read) {
        return false;
    }
    return behind_addresses(format, f, err);
}

static void note_uses(lw_trace_warp *warp, const uint8_t *list, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        warp->wait |= (warp->pending[list[i] / 64] >> list[i] % 64 & 1) != 0;
    }
}

static void note_load(lw_trace_warp *warp, const fields *f) {
    const unsigned span = f->width > REGISTER_BYTES ? (unsigned)f->width / REGISTER_BYTES : 1;
    for (unsigned i = 0; i < f->destination_count; i++) {
        for (unsigned r = f->destinations[i]; r < f->destinations[i] + span && r < ZERO_REGISTER;
             r++) {
            warp->pending[r / 64] |= UINT64_C(1) << r % 64;
        }
    }
}

/* The lanes that translate: all, but for a generic access those outside the shared window. */
static uint32_t translating(const lw_trace_format *format, bool generic, uint32_t mask,
                            const uint64_t *va) {
    if (!generic || format->shared_base == 0) {
        return mask;
    }
    for (unsigned lane = 0; lane < LW_WARP; lane++) {
        if ((mask >> lane & 1) != 0 && va[lane] - format->shared_base < SHARED_WINDOW) {
            mask &= ~(UINT32_C(1) << lane);
        }
    }
    return mask;
}

bool lw_trace_line(const lw_trace_format *format, lw_trace_warp *warp, char *line,
                   lw_trace_kernel *kernel, lw_error *err) {
    fields f = {0};
    if (!cut(format, line, &f, err)) {
        return false;
    }
    kernel->lines++;
    note_uses(warp, f.sources, f.source_count);
    note_uses(warp, f.destinations, f.destination_count);
    const struct opcode *opcode = find_opcode(f.name);
    uint32_t mask = 0;
    uint64_t va[LW_WARP] = {0};
    if (opcode != NULL && f.width != 0) {
        if (!addresses(format, &f, va, err)) {
            return false;
        }
        mask = translating(format, opcode->generic, f.mask, va);
    }
    if (mask == 0) {
        warp->alu += warp->alu < UINT16_MAX ? LW_TRACE_ISSUE_CYCLES : 0;
        return true;
    }
    lw_trace_inst inst = {.mask = mask,
                          .alu = warp->alu < UINT16_MAX ? (uint16_t)warp->alu : UINT16_MAX,
                          .access = (uint8_t)opcode->access,
                          .flags = warp->wait ? LW_TRACE_DEP : 0};
    if (!lw_trace_append(kernel, inst, va)) {
        return lw_fail(err, "out of memory");
    }
    if (warp->wait) {
        memset(warp->pending, 0, sizeof warp->pending);
        warp->wait = false;
    }
    warp->alu = 0;
    note_load(warp, &f);
    return true;
}
