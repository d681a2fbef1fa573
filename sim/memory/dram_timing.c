#include "sim/memory/dram_timing.h"

#include "common/ini_file.h"
#include "common/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHAPE(key, field, lo, hi, text)                                                            \
    { key, "shape", offsetof(lw_dram_timing, field), lo, hi, true, text }
#define TIME(key, field, lo, hi, text)                                                             \
    { key, "times", offsetof(lw_dram_timing, field), lo, hi, false, text }
#define RULE(key, field, lo, hi, text)                                                             \
    { key, "controller", offsetof(lw_dram_timing, field), lo, hi, false, text }

static const lw_dram_key keys[] = {
    TIME("clock_mhz", clock_mhz, 1, 10000, "MHz of the memory's clock"),
    SHAPE("channels", channels, 1, LW_DRAM_CHANNELS_MAX, "channels, each with a controller"),
    SHAPE("ranks", ranks, 1, LW_DRAM_RANKS_MAX, "ranks of a channel"),
    SHAPE("banks", banks, 1, LW_DRAM_BANKS_MAX, "banks of a rank"),
    SHAPE("bank_groups", bank_groups, 1, LW_DRAM_BANKS_MAX, "groups of a rank's banks"),
    SHAPE("row_bytes", row_bytes, 64, 65536, "bytes of a row, over all devices of a rank"),
    SHAPE("bus_bits", bus_bits, 8, 256, "bits of a channel's data bus"),
    SHAPE("burst_length", burst_length, 2, 64, "words of a burst"),
    TIME("tRCD", rcd, 1, 1000, "from opening a row to its first read or write"),
    TIME("tRP", rp, 1, 1000, "from closing a row to opening another"),
    TIME("tCL", cl, 1, 1000, "from a read to its first data"),
    TIME("tCWL", cwl, 1, 1000, "from a write to its first data"),
    TIME("tRAS", ras, 1, 1000, "from opening a row to closing it"),
    TIME("tRC", rc, 1, 2000, "from opening a row of a bank to opening its next"),
    TIME("tCCD_S", ccd_s, 1, 1000, "from a read or write to one of another group of its rank"),
    TIME("tCCD_L", ccd_l, 1, 1000, "from a read or write to the next of its group"),
    TIME("tRRD_S", rrd_s, 1, 1000, "from opening a row to opening one of another group"),
    TIME("tRRD_L", rrd_l, 1, 1000,
         "from opening a row to opening one of another bank of its group"),
    TIME("tFAW", faw, 1, 4000, "in which at most four rows of a rank are opened"),
    TIME("tWTR_S", wtr_s, 1, 1000, "from a write's last data to a read of another group"),
    TIME("tWTR_L", wtr_l, 1, 1000, "from a write's last data to a read of its group"),
    TIME("tRTP", rtp, 1, 1000, "from a read to closing its row"),
    TIME("tWR", wr, 1, 1000, "from a write's last data to closing its row"),
    TIME("tRTRS", rtrs, 0, 1000,
         "in which the data bus rests between two ranks, and between a read and a write"),
    TIME("tREFI", refi, 0, 1000000, "from one refresh of a rank to the next; 0: none"),
    TIME("tRFC", rfc, 1, 100000, "that a refresh takes"),
    RULE("read_queue", read_queue, 1, 1024, "reads that a channel has room for"),
    RULE("write_queue", write_queue, 1, 1024, "writes that a channel has room for"),
    RULE("write_high", write_high, 1, 1024, "writes with which a channel begins to write"),
    RULE("write_low", write_low, 0, 1024, "writes with which it goes back to reads"),
    RULE("walk_places", walk_places, 0, 1023, "places of the read queue kept for page walks"),
    RULE("starvation", starvation, 1, 1000000, "clocks after which a read is served alone"),
    RULE("close_idle", close_idle, 0, 1000000,
         "clocks after which an unused row is closed; 0: it stays open"),
    RULE("channel_hash", channel_hash, 0, 1, "are higher address bits folded into the channel"),
    RULE("bank_hash", bank_hash, 0, 1, "are the row's low bits folded into the bank of a rank"),
};

enum { NUMBERS = sizeof keys / sizeof keys[0], ORDER = NUMBERS, PLACES = NUMBERS + 1 };

static const char order_name[] = "order";
static const char order_summary[] =
    "the parts of an address below the row, highest first: channel, rank, group, bank (of its "
    "group) and column, each once, a colon between two";
static const char *const part_names[LW_DRAM_PARTS] = {"channel", "rank", "group", "bank", "column"};

/* A timing file, while it is read. */
typedef struct reading {
    lw_dram_timing *timing;
    const char *path;
    int seen[PLACES]; /* the line that sets a key; 0: none does */
} reading;

const lw_dram_key *lw_dram_timing_key_at(size_t i) {
    return i < NUMBERS ? &keys[i] : NULL;
}

static uint32_t value_of(const lw_dram_timing *t, size_t key) {
    uint32_t value = 0;
    memcpy(&value, (const char *)t + keys[key].offset, sizeof value);
    return value;
}

static bool take_number(reading *r, const lw_dram_key *key, const char *text, lw_error *refusal) {
    uint64_t number = 0;
    const char *end = text;
    if (!lw_number_read(&end, UINT32_MAX, &number) || *end != '\0' || number < key->min ||
        number > key->max || (key->power_of_two && (number & (number - 1)) != 0)) {
        return lw_fail(refusal, "%s is \"%s\"; allowed: a %s in %" PRIu32 "..%" PRIu32 " (%s)",
                       key->name, text, key->power_of_two ? "power of two" : "whole number",
                       key->min, key->max, key->summary);
    }
    const uint32_t value = (uint32_t)number;
    memcpy((char *)r->timing + key->offset, &value, sizeof value);
    return true;
}

static bool take_order(reading *r, const char *text, lw_error *refusal) {
    uint32_t found = 0;
    const char *at = text;
    for (uint32_t i = LW_DRAM_PARTS; i-- > 0;) {
        const size_t length = strcspn(at, ":");
        for (uint32_t part = 0; part < LW_DRAM_PARTS; part++) {
            if (strlen(part_names[part]) == length && strncmp(part_names[part], at, length) == 0) {
                r->timing->order[i] = (lw_dram_part)part;
                found |= 1u << part;
            }
        }
        at += length;
        if (*at != (i == 0 ? '\0' : ':')) {
            break;
        }
        at += i != 0;
    }
    return (found == (1u << LW_DRAM_PARTS) - 1 && *at == '\0') ||
           lw_fail(refusal, "%s is \"%s\"; allowed: %s", order_name, text, order_summary);
}

static bool in_section(const lw_ini_line *line, const char *section, lw_error *refusal) {
    return line->section[0] == '\0' || strcmp(line->section, section) == 0 ||
           lw_fail(refusal, "%s stands in section [%s]; allowed: [%s], or above all sections",
                   line->name, line->section, section);
}

static bool take_key(reading *r, const lw_ini_line *line, lw_error *refusal) {
    for (size_t i = 0; i < NUMBERS; i++) {
        if (strcmp(keys[i].name, line->name) == 0) {
            return in_section(line, keys[i].section, refusal) &&
                   lw_ini_once(&r->seen[i], line->number, line->name, refusal) &&
                   take_number(r, &keys[i], line->value, refusal);
        }
    }
    if (strcmp(line->name, order_name) == 0) {
        return in_section(line, "controller", refusal) &&
               lw_ini_once(&r->seen[ORDER], line->number, line->name, refusal) &&
               take_order(r, line->value, refusal);
    }
    return lw_fail(refusal, "there is no key \"%s\"; docs/machine.md lists those of a timing file",
                   line->name);
}

static lw_ini_verdict take_line(void *ctx, const lw_ini_line *line, lw_error *refusal) {
    return take_key(ctx, line, refusal) ? LW_INI_TAKEN : LW_INI_REFUSED;
}

static const char *const sections[] = {"shape", "times", "controller", NULL};
static const lw_ini_kind kind = {"timing file", sections, take_line};

static bool all_there(const reading *r, lw_error *err) {
    for (size_t i = 0; i < PLACES; i++) {
        if (r->seen[i] == 0) {
            return lw_fail(err, "%s: %s is not set (%s)", r->path,
                           i == ORDER ? order_name : keys[i].name,
                           i == ORDER ? order_summary : keys[i].summary);
        }
    }
    return true;
}

static size_t key_of(size_t offset) {
    size_t i = 0;
    while (keys[i].offset != offset) {
        i++;
    }
    return i;
}

/* What one value says of another: those that no memory could keep together. */
static bool fits_together(const reading *r, lw_error *err) {
    const lw_dram_timing *t = r->timing;
    enum { LINE_BITS = 512 };
    const uint64_t burst = (uint64_t)t->burst_length * t->bus_bits;
    const uint64_t rows = 2 * (uint64_t)t->rc;
    const struct {
        size_t field;
        uint64_t min, max;
        const char *words; /* of the bound */
    } rules[] = {
#define FIELD(name) key_of(offsetof(lw_dram_timing, name))
        {FIELD(banks), 1, LW_DRAM_BANKS_MAX / t->ranks, "64 / ranks"},
        {FIELD(bank_groups), 1, t->banks, "banks"},
        {FIELD(burst_length), burst == LINE_BITS ? 0 : LINE_BITS / t->bus_bits,
         LINE_BITS / t->bus_bits, "512 / bus_bits, a line of 64 bytes"},
        {FIELD(ras), t->rcd, UINT64_MAX, "tRCD"},
        {FIELD(rc), (uint64_t)t->ras + t->rp, UINT64_MAX, "tRAS + tRP"},
        {FIELD(cwl), 0, t->cl, "tCL"},
        {FIELD(ccd_s), lw_dram_burst(t), UINT64_MAX, "burst_length / 2"},
        {FIELD(ccd_l), t->ccd_s, UINT64_MAX, "tCCD_S"},
        {FIELD(rrd_l), t->rrd_s, UINT64_MAX, "tRRD_S"},
        {FIELD(faw), 4 * (uint64_t)t->rrd_s, UINT64_MAX, "4 x tRRD_S"},
        {FIELD(wtr_l), t->wtr_s, UINT64_MAX, "tWTR_S"},
        {FIELD(refi), t->refi == 0 ? 0 : t->rfc + rows, UINT64_MAX,
         "tRFC + 2 x tRC, so that rows have time between refreshes"},
        {FIELD(write_high), 1, t->write_queue, "write_queue"},
        {FIELD(write_low), 0, t->write_high - 1, "write_high - 1"},
        {FIELD(walk_places), 0, t->read_queue - 1, "read_queue - 1"},
#undef FIELD
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const size_t key = rules[i].field;
        const uint32_t value = value_of(t, key);
        const bool low = value < rules[i].min;
        if (low || value > rules[i].max) {
            return lw_fail(err, "%s:%d: %s is %" PRIu32 "; allowed: at %s %" PRIu64 " (%s)",
                           r->path, r->seen[key], keys[key].name, value, low ? "least" : "most",
                           low ? rules[i].min : rules[i].max, rules[i].words);
        }
    }
    return true;
}

bool lw_dram_timing_load(lw_dram_timing *timing, const char *path, lw_error *err) {
    *timing = (lw_dram_timing){.clock_mhz = 0};
    reading r = {.timing = timing, .path = path};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return lw_fail(err,
                       "%s: cannot be read (%s); allowed for dram: none, the NAME of a file "
                       "systems/dram/NAME.ini, or a path that ends with .ini",
                       path, strerror(errno));
    }
    return lw_ini_read(file, path, &kind, &r, err) && all_there(&r, err) && fits_together(&r, err);
}
