#include "sim/energy/energy_table.h"

#include "common/ini_file.h"
#include "common/printable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_names[LW_ENERGY_PARTS + 1] = {
    [LW_ENERGY_L1_TLB] = "l1_tlb", [LW_ENERGY_L2_TLB] = "l2_tlb",
    [LW_ENERGY_TLB] = "tlb",       [LW_ENERGY_SUBREGION_TLB] = "subregion_tlb",
    [LW_ENERGY_PWC] = "pwc",       [LW_ENERGY_MSC] = "msc",
    [LW_ENERGY_CAM] = "cam",       [LW_ENERGY_PTE_CACHE] = "pte_cache",
    [LW_ENERGY_MEMORY] = "memory", NULL,
};

static const char *const access_names[LW_ENERGY_ACCESSES] = {"read", "write"};

/* A table, while it is read. */
typedef struct reading {
    lw_energy_table *table;
    const char *path;
    int seen[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES]; /* the line that sets a value; 0: none does */
} reading;

const char *lw_energy_part_name(lw_energy_part part) {
    return part_names[part];
}

const char *lw_energy_access_name(lw_energy_access access) {
    return access_names[access];
}

bool lw_energy_has(lw_energy_part part, lw_energy_access access) {
    return part != LW_ENERGY_MEMORY || access == LW_ENERGY_READ;
}

static uint32_t part_of(const char *section) {
    uint32_t part = 0;
    while (part < LW_ENERGY_PARTS && strcmp(part_names[part], section) != 0) {
        part++;
    }
    return part;
}

static uint32_t access_of(uint32_t part, const char *key) {
    uint32_t access = 0;
    while (access < LW_ENERGY_ACCESSES &&
           (strcmp(access_names[access], key) != 0 || !lw_energy_has(part, access))) {
        access++;
    }
    return access;
}

/* Digits with a point between two of them, or none: no sign, exponent, blank, "inf" or "nan". */
static bool is_plain_number(const char *text) {
    static const char digits[] = "0123456789";
    const size_t whole = strspn(text, digits);
    const size_t part = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
    return whole > 0 && text[whole + (part == 0 ? 0 : part + 1)] == '\0';
}

static bool take_number(double *nj, const lw_ini_line *line, lw_error *refusal) {
    enum { MOST = 1000000 };
    *nj = is_plain_number(line->value) ? strtod(line->value, NULL) : -1.0;
    return (*nj >= 0.0 && *nj <= MOST) ||
           lw_fail(refusal, "%s is \"%s\"; allowed: a number in 0..%d, as 0.0041 (nJ of an access)",
                   line->name, line->value, MOST);
}

static bool take_key(reading *r, const lw_ini_line *line, lw_error *refusal) {
    const uint32_t part = part_of(line->section);
    if (part == LW_ENERGY_PARTS) {
        return lw_fail(refusal,
                       "%s stands above all sections; allowed: in that of its structure, as [tlb]",
                       line->name);
    }
    const uint32_t access = access_of(part, line->name);
    if (access == LW_ENERGY_ACCESSES) {
        return lw_fail(refusal, "there is no key \"%s\" in [%s]; allowed: %s", line->name,
                       line->section,
                       lw_energy_has(part, LW_ENERGY_WRITE) ? "read, write" : "read");
    }
    return lw_ini_once(&r->seen[part][access], line->number, line->name, refusal) &&
           take_number(&r->table->nj[part][access], line, refusal);
}

static lw_ini_verdict take_line(void *ctx, const lw_ini_line *line, lw_error *refusal) {
    return take_key(ctx, line, refusal) ? LW_INI_TAKEN : LW_INI_REFUSED;
}

static const lw_ini_kind kind = {"table of energies", part_names, take_line};

static bool all_there(const reading *r, lw_error *err) {
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        for (uint32_t access = 0; access < LW_ENERGY_ACCESSES; access++) {
            if (lw_energy_has(part, access) && r->seen[part][access] == 0) {
                return lw_fail(err, "%s: %s is not set in [%s] (nJ of an access)", r->path,
                               access_names[access], part_names[part]);
            }
        }
    }
    return true;
}

/* Without folders and .ini. */
static void name_table(lw_energy_table *table, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const size_t length = strlen(base);
    const bool ini = length > 4 && strcmp(base + length - 4, ".ini") == 0;
    char name[sizeof table->name];
    (void)snprintf(name, sizeof name, "%.*s", (int)(ini ? length - 4 : length), base);
    lw_printable(table->name, sizeof table->name, name);
}

bool lw_energy_table_load(lw_energy_table *table, const char *path, lw_error *err) {
    *table = (lw_energy_table){.name = ""};
    reading r = {.table = table, .path = path};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return lw_fail(err,
                       "%s: cannot be read (%s); allowed for --energy: a table as those of "
                       "systems/energy/",
                       path, strerror(errno));
    }
    name_table(table, path);
    return lw_ini_read(file, path, &kind, &r, err) && all_there(&r, err);
}
