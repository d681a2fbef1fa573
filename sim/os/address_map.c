#include "sim/os/address_map.h"

#include "common/room.h"
#include "sim/files/text_source.h"
#include "sim/os/address_space_state.h"
#include "sim/os/hashed_mapping.h"
#include "sim/tables/contiguity_bits.h"
#include "sim/tables/hashed_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct range {
    uint32_t pasid;
    uint64_t vpn;    /* of its first page, with 9 x levels bits */
    uint64_t frames; /* of 4 KiB */
    lw_page_size size;
    uint32_t flags; /* LW_MAP_* */
    bool placed;    /* at `frame` */
    uint64_t frame;
    uint64_t line;
} range;

struct lw_address_map {
    const char *path; /* the caller's: for the sentences of reading */
    range *ranges;    /* sorted by address space and page */
    size_t count, room;
};

static const struct {
    const char *name;
    uint32_t order;
} sizes[] = {{"4K", LW_ORDER_4K}, {"2M", LW_ORDER_2M}, {"1G", LW_ORDER_1G}, {"64K", LW_ORDER_64K}};

static const struct {
    const char *name;
    uint32_t flags;
} permissions[] = {{"r", LW_MAP_U},
                   {"rw", LW_MAP_U | LW_MAP_W},
                   {"rx", LW_MAP_U | LW_MAP_X},
                   {"rwx", LW_MAP_U | LW_MAP_W | LW_MAP_X}};

static uint64_t frames_of(const range *r) {
    return UINT64_C(1) << sizes[r->size].order;
}

/* ---------------------------------------------------------------- reading */

typedef struct reader {
    const lw_system *system;
    lw_text_source *text;
    lw_error *err;
} reader;

static bool refuse(const reader *r, const char *what, const char *word, const char *allowed) {
    return lw_fail(r->err, "%s:%" PRIu64 ": %s '%s' is not allowed: %s", lw_text_path(r->text),
                   lw_text_number(r->text), what, word != NULL ? word : "(missing)", allowed);
}

static bool number(const reader *r, char **line, const char *what, uint64_t most, uint64_t *value) {
    char allowed[96];
    const char *word = lw_text_word(line);
    (void)snprintf(allowed, sizeof allowed,
                   "a number up to 0x%" PRIx64 ", decimal or 0x hexadecimal, is", most);
    return (word != NULL && lw_text_unsigned(word, 10, value) && *value <= most) ||
           refuse(r, what, word, allowed);
}

static bool read_size(const reader *r, char **line, lw_page_size *size) {
    const char *word = lw_text_word(line);
    const size_t count = r->system->hw.pages_64k != 0 ? LW_SIZE_64K + 1 : LW_SIZE_1G + 1;
    for (size_t i = 0; word != NULL && i < count; i++) {
        if (strcmp(word, sizes[i].name) == 0) {
            *size = (lw_page_size)i;
            return true;
        }
    }
    return refuse(r, "page size", word,
                  count > LW_SIZE_64K ? "4K, 64K, 2M or 1G is" : "4K, 2M or 1G is");
}

static bool read_permissions(const reader *r, char **line, uint32_t *flags) {
    const char *word = lw_text_word(line);
    for (size_t i = 0; word != NULL && i < sizeof permissions / sizeof permissions[0]; i++) {
        if (strcmp(word, permissions[i].name) == 0) {
            *flags = permissions[i].flags;
            return true;
        }
    }
    return refuse(r, "permissions", word, "r, rw, rx or rwx is");
}

static bool read_frame(const reader *r, char **line, range *out) {
    const uint64_t end = UINT64_C(1) << (r->system->hw.pa_width - LW_PAGE_SHIFT);
    char *word = lw_text_word(line);
    if (word == NULL) {
        return true;
    }
    char allowed[128];
    (void)snprintf(allowed, sizeof allowed,
                   "a multiple of the page size is, with all of the range below 0x%" PRIx64
                   " (pa_width %u)",
                   end, r->system->hw.pa_width);
    out->placed = true;
    if (!lw_text_unsigned(word, 10, &out->frame) || out->frame % frames_of(out) != 0 ||
        out->frame > end || out->frames > end - out->frame) {
        return refuse(r, "frame", word, allowed);
    }
    if (strncmp(r->system->mapping, "pagemap", strlen("pagemap")) == 0) {
        return refuse(r, "frame", word, "with --mapping pagemap only ranges without one are");
    }
    word = lw_text_word(line);
    return word == NULL ||
           refuse(r, "seventh word", word, "'pasid page count size permissions [frame]' a line is");
}

/* The range's pages in the page table's own numbers, where all are canonical and in one half. */
static bool place(const reader *r, uint64_t page, uint64_t count, range *out) {
    const uint32_t bits = 9 * r->system->hw.levels;
    const uint64_t half = UINT64_C(1) << (bits - 1);
    const bool upper = page >= (UINT64_C(1) << 52) - half;
    char word[32];
    (void)snprintf(word, sizeof word, "0x%" PRIx64, page);
    out->vpn = page & (2 * half - 1);
    if ((!upper && page >= half) || page % frames_of(out) != 0) {
        return refuse(r, "first page", word, "a canonical VA[63:12], a multiple of the size, is");
    }
    const uint64_t left = half - (out->vpn & (half - 1));
    if (count == 0 || count > left / frames_of(out)) {
        (void)snprintf(word, sizeof word, "%" PRIu64, count);
        return refuse(r, "count", word, "1 up to the end of the page's half of the addresses is");
    }
    out->frames = count * frames_of(out);
    return true;
}

static bool read_range(const reader *r, char *line, range *out) {
    uint64_t pasid = 0;
    uint64_t page = 0;
    uint64_t count = 0;
    *out = (range){.line = lw_text_number(r->text)};
    const bool read = number(r, &line, "pasid", r->system->hw.pasids - 1, &pasid) &&
                      number(r, &line, "first page", (UINT64_C(1) << 52) - 1, &page) &&
                      number(r, &line, "count", UINT64_C(1) << 52, &count) &&
                      read_size(r, &line, &out->size) && read_permissions(r, &line, &out->flags);
    out->pasid = (uint32_t)pasid;
    return read && place(r, page, count, out) && read_frame(r, &line, out);
}

static bool read_lines(const reader *r, lw_address_map *map) {
    char *line = NULL;
    int status = 1;
    while ((status = lw_text_line(r->text, &line, r->err)) == 1) {
        void *ranges = map->ranges;
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t")] == '\0') {
            continue;
        }
        if (!lw_room(&ranges, &map->room, map->count + 1, sizeof *map->ranges)) {
            return lw_fail(r->err, "%s: out of memory", map->path);
        }
        map->ranges = ranges;
        if (!read_range(r, line, &map->ranges[map->count++])) {
            return false;
        }
    }
    if (status == 0 && map->ranges == NULL) {
        (void)lw_fail(r->err,
                      "%s: maps nothing: at least one line is needed, 'pasid page count size "
                      "permissions [frame]'",
                      map->path);
        return false;
    }
    return status == 0;
}

static int by_place(const void *a, const void *b) {
    const range *x = a;
    const range *y = b;
    return x->pasid != y->pasid ? (x->pasid > y->pasid) - (x->pasid < y->pasid)
                                : (x->vpn > y->vpn) - (x->vpn < y->vpn);
}

static bool sort(lw_address_map *map, lw_error *err) {
    qsort(map->ranges, map->count, sizeof *map->ranges, by_place);
    for (size_t i = 1; i < map->count; i++) {
        const range *before = &map->ranges[i - 1];
        const range *r = &map->ranges[i];
        if (r->pasid == before->pasid && r->vpn < before->vpn + before->frames) {
            const uint64_t later = r->line > before->line ? r->line : before->line;
            return lw_fail(err,
                           "%s:%" PRIu64 ": overlaps with line %" PRIu64
                           ": each page of an address space in one range is allowed",
                           map->path, later, r->line + before->line - later);
        }
    }
    return true;
}

lw_address_map *lw_address_map_read(const char *path, const lw_system *system, lw_error *err) {
    lw_address_map *map = calloc(1, sizeof *map);
    if (map == NULL) {
        (void)lw_fail(err, "%s: out of memory", path);
        return NULL;
    }
    map->path = path;
    const reader r = {.system = system, .text = lw_text_open(path, err), .err = err};
    const bool good = r.text != NULL && read_lines(&r, map) && sort(map, err);
    lw_text_close(r.text);
    if (!good) {
        lw_address_map_free(map);
        return NULL;
    }
    return map;
}

void lw_address_map_free(lw_address_map *map) {
    if (map != NULL) {
        free(map->ranges);
        free(map);
    }
}

/* ---------------------------------------------------------------- what it asks for */

uint64_t lw_address_map_pages(const lw_address_map *map) {
    uint64_t pages = 0;
    for (size_t i = 0; i < map->count; i++) {
        pages += map->ranges[i].placed ? 0 : map->ranges[i].frames;
    }
    return pages;
}

uint64_t lw_address_map_regions(const lw_address_map *map) {
    uint64_t regions = 0;
    for (size_t i = 0; i < map->count; i++) {
        regions += map->ranges[i].frames / LW_BLOCK_PAGES + 2;
    }
    return regions;
}

uint32_t lw_address_map_spaces(const lw_address_map *map) {
    return map->ranges[map->count - 1].pasid + 1;
}

uint64_t lw_address_map_free_frames(const lw_address_map *map, uint64_t frames) {
    uint64_t first = LW_GIB_FRAMES;
    for (size_t i = 0; i < map->count; i++) {
        const range *r = &map->ranges[i];
        if (r->placed && r->frame < first + frames && first < r->frame + r->frames) {
            first = (r->frame + r->frames + LW_GIB_FRAMES - 1) / LW_GIB_FRAMES * LW_GIB_FRAMES;
            i = SIZE_MAX; /* those before it are asked again */
        }
    }
    return first;
}

/* ---------------------------------------------------------------- mapping */

static bool map_pages(lw_address_spaces *s, lw_page_table *table, const range *r, lw_error *err) {
    const uint64_t step = frames_of(r);
    if (!r->placed && r->size == LW_SIZE_4K) {
        return lw_address_spaces_map_small(s, table, r->vpn, r->frames, r->flags, err);
    }
    for (uint64_t at = 0; at < r->frames; at += step) {
        uint64_t frame = r->frame + at;
        if (!r->placed && !lw_frame_alloc_aligned(s->frames, sizes[r->size].order, &frame, NULL)) {
            return lw_fail(err,
                           "line %" PRIu64 " of the map: no %s of frames in a row are free with "
                           "mapping %s: a frame in that line, or --mapping contiguous, is allowed",
                           r->line, sizes[r->size].name, s->system->mapping);
        }
        if (!lw_page_table_map(table, r->vpn + at, frame, r->size, r->flags, err)) {
            return false;
        }
    }
    return true;
}

static bool may_change(const range *r) {
    return !r->placed && r->flags == (LW_MAP_U | LW_MAP_W | LW_MAP_X);
}

bool lw_address_spaces_add_map(lw_address_spaces *s, const lw_address_map *map, lw_error *err) {
    lw_process *p = lw_address_spaces_begin(s, map->count, err);
    if (p == NULL) {
        return false;
    }
    const uint32_t pasid = (uint32_t)(p - s->processes);
    for (int stays = 0; stays < 2; stays++) {
        for (size_t i = 0; i < map->count; i++) {
            const range *r = &map->ranges[i];
            if (r->pasid != pasid || may_change(r) == (stays == 1)) {
                continue;
            }
            lw_array *array = &p->arrays[p->count++];
            array->base = r->vpn << LW_PAGE_SHIFT;
            array->bytes = r->frames << LW_PAGE_SHIFT;
            (void)snprintf(array->name, sizeof array->name, "line%" PRIu64, r->line);
            if (!map_pages(s, p->table, r, err) ||
                (s->system->hw.subregions != 0 &&
                 !lw_contiguity_scan(p->table, s->memory, r->vpn, r->vpn + r->frames - 1, err))) {
                return false;
            }
        }
        p->mapped = stays == 0 ? p->count : p->mapped;
    }
    return lw_hashed_mapping_follow(s, pasid, err);
}
