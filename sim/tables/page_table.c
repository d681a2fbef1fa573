#include "sim/tables/page_table.h"

#include "common/room.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#define INDEX_BITS 9
#define ENTRIES UINT64_C(512)

struct lw_page_table {
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    uint32_t levels;
    bool heads_first;
    uint64_t *nodes; /* every node's frame, the root first */
    size_t node_count, node_capacity;
};

static const struct {
    const char *name;
    uint64_t pages; /* of 4 KiB */
    uint32_t level;
    uint64_t bits;    /* of its entries */
    uint64_t entries; /* that it has */
} sizes[] = {[LW_SIZE_4K] = {"4 KiB", 1, 1, 0, 1},
             [LW_SIZE_2M] = {"2 MiB", ENTRIES, 2, LW_PTE_PS, 1},
             [LW_SIZE_1G] = {"1 GiB", ENTRIES *ENTRIES, 3, LW_PTE_PS, 1},
             [LW_SIZE_64K] = {"64 KiB", LW_ENTRIES_OF_64K, 1, LW_PTE_64K, LW_ENTRIES_OF_64K}};

static uint64_t pages_at(uint32_t level) {
    assert(level >= 1);
    return UINT64_C(1) << (INDEX_BITS * (level - 1));
}

static uint64_t entry_pa(const lw_page_table *pt, uint64_t node, uint64_t vpn, uint32_t level) {
    uint64_t index = vpn / pages_at(level) % ENTRIES;
    if (pt->heads_first && level == 1 && index / 8 % 8 == 0) {
        index = index % 8 * 64 + index / 64;
    }
    return (node << LW_PAGE_SHIFT) + index * 8;
}

static bool is_leaf(uint64_t entry, uint32_t level) {
    return level == 1 || (entry & LW_PTE_PS) != 0;
}

static uint64_t frame_of(uint64_t entry) {
    return (entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
}

static uint64_t flag_bits(uint32_t flags) {
    return ((flags & LW_MAP_W) != 0 ? LW_PTE_RW : 0) | ((flags & LW_MAP_U) != 0 ? LW_PTE_US : 0) |
           ((flags & LW_MAP_X) != 0 ? 0 : LW_PTE_NX);
}

static bool new_node(lw_page_table *pt, uint64_t *frame, lw_error *err) {
    void *nodes = pt->nodes;
    if (!lw_room(&nodes, &pt->node_capacity, pt->node_count + 1, sizeof *pt->nodes)) {
        return lw_fail(err, "page table: the host has no memory left");
    }
    pt->nodes = nodes;
    if (!lw_frame_alloc(pt->frames, frame, err)) {
        return false;
    }
    /* the frame may have been a node of a table freed before */
    lw_phys_mem_clear_frame(pt->mem, *frame);
    pt->nodes[pt->node_count++] = *frame;
    return true;
}

lw_page_table *lw_page_table_new(lw_phys_mem *mem, lw_frame_allocator *frames, uint32_t levels,
                                 lw_error *err) {
    if (levels != 4 && levels != 5) {
        lw_fail(err, "page table: %" PRIu32 " levels are not 4 or 5", levels);
        return NULL;
    }
    lw_page_table *pt = calloc(1, sizeof *pt);
    if (pt == NULL) {
        lw_fail(err, "page table: the host has no memory left");
        return NULL;
    }
    pt->mem = mem;
    pt->frames = frames;
    pt->levels = levels;
    uint64_t root = 0;
    if (!new_node(pt, &root, err)) {
        lw_page_table_free(pt);
        return NULL;
    }
    return pt;
}

void lw_page_table_put_heads_first(lw_page_table *pt) {
    pt->heads_first = true;
}

void lw_page_table_free(lw_page_table *pt) {
    if (pt == NULL) {
        return;
    }
    for (uint64_t i = 0; i < pt->node_count; i++) {
        (void)lw_frame_release(pt->frames, pt->nodes[i], 1, NULL);
    }
    free(pt->nodes);
    free(pt);
}

uint64_t lw_page_table_root(const lw_page_table *pt) {
    return pt->nodes[0];
}

uint32_t lw_page_table_levels(const lw_page_table *pt) {
    return pt->levels;
}

uint64_t lw_page_table_nodes(const lw_page_table *pt) {
    return pt->node_count;
}

static bool vpn_fits(const lw_page_table *pt, uint64_t vpn, lw_error *err) {
    uint32_t bits = INDEX_BITS * pt->levels;
    return vpn >> bits == 0 ||
           lw_fail(err, "page table: VPN 0x%" PRIx64 " has more than %" PRIu32 " bits", vpn, bits);
}

static bool pfn_fits(const lw_page_table *pt, uint64_t pfn, lw_page_size size, lw_error *err) {
    uint32_t bits = lw_phys_mem_pa_width(pt->mem) - LW_PAGE_SHIFT;
    if (pfn >> bits != 0 || pfn % sizes[size].pages != 0) {
        return lw_fail(err,
                       "page table: frame 0x%" PRIx64 " is not a multiple of 0x%" PRIx64
                       " (a page of %s) below 2^%" PRIu32,
                       pfn, sizes[size].pages, sizes[size].name, bits);
    }
    return true;
}

static lw_page_size size_of(const lw_page_table_leaf *leaf) {
    if (leaf->level == 1) {
        return (leaf->entry & LW_PTE_SIZE) == LW_PTE_64K ? LW_SIZE_64K : LW_SIZE_4K;
    }
    return leaf->level == 2 ? LW_SIZE_2M : LW_SIZE_1G;
}

uint64_t lw_page_table_leaf_pages(const lw_page_table_leaf *leaf) {
    return sizes[size_of(leaf)].pages;
}

bool lw_page_table_entry_address(const lw_page_table *pt, uint64_t vpn, uint32_t level,
                                 uint64_t *pa, lw_error *err) {
    if (level < 1 || level > pt->levels) {
        return lw_fail(err, "page table: level %" PRIu32 " is not in 1..%" PRIu32, level,
                       pt->levels);
    }
    if (!vpn_fits(pt, vpn, err)) {
        return false;
    }
    uint64_t at = entry_pa(pt, lw_page_table_root(pt), vpn, pt->levels);
    for (uint32_t k = pt->levels; k > level; k--) {
        uint64_t entry = lw_phys_mem_read64(pt->mem, at);
        if ((entry & LW_PTE_P) == 0 || is_leaf(entry, k)) {
            return lw_fail(err,
                           "page table: the walk of VPN 0x%" PRIx64 " ends at level %" PRIu32
                           ", above level %" PRIu32,
                           vpn, k, level);
        }
        at = entry_pa(pt, frame_of(entry), vpn, k - 1);
    }
    *pa = at;
    return true;
}

bool lw_page_table_find(const lw_page_table *pt, uint64_t vpn, lw_page_table_leaf *leaf,
                        lw_error *err) {
    if (!vpn_fits(pt, vpn, err)) {
        return false;
    }
    uint64_t node = lw_page_table_root(pt);
    for (uint32_t level = pt->levels; level >= 1; level--) {
        uint64_t pa = entry_pa(pt, node, vpn, level);
        uint64_t entry = lw_phys_mem_read64(pt->mem, pa);
        if ((entry & LW_PTE_P) == 0) {
            break;
        }
        if (is_leaf(entry, level)) {
            *leaf = (lw_page_table_leaf){level, pa, entry};
            return level <= LW_SIZE_1G + 1 ||
                   lw_fail(err, "page table: VPN 0x%" PRIx64 " has a page at level %" PRIu32, vpn,
                           level);
        }
        node = frame_of(entry);
    }
    return lw_fail(err, "page table: VPN 0x%" PRIx64 " is not mapped", vpn);
}

/* What a new page of `level` at vpn finds on its way: the entry at which the present nodes end
 * (`level` itself where all are there). False where something is mapped there. */
static bool find_room(const lw_page_table *pt, uint64_t vpn, uint32_t level, uint64_t *pa,
                      uint32_t *at_level, lw_error *err) {
    uint64_t node = lw_page_table_root(pt);
    for (uint32_t k = pt->levels;; k--) {
        *pa = entry_pa(pt, node, vpn, k);
        *at_level = k;
        uint64_t entry = lw_phys_mem_read64(pt->mem, *pa);
        if ((entry & LW_PTE_P) == 0) {
            return true;
        }
        if (k == level || is_leaf(entry, k)) {
            return lw_fail(err,
                           "page table: VPN 0x%" PRIx64 " is mapped already (entry 0x%" PRIx64
                           " at level %" PRIu32 ")",
                           vpn, entry, k);
        }
        node = frame_of(entry);
    }
}

/* Writes `entry` at `level` for vpn, with nodes of this table's own between the entry at which the
 * present ones end and it. From the page up, the link from the old table last: a walk under way
 * never sees half of it. */
static bool write_link(lw_page_table *pt, uint64_t vpn, uint64_t entry, uint32_t level,
                       uint64_t link_pa, uint32_t link_level, lw_error *err) {
    uint64_t nodes_before = pt->node_count;
    bool written = true;
    for (uint32_t k = level; k < link_level && written; k++) {
        uint64_t node = 0;
        written = new_node(pt, &node, err) &&
                  lw_phys_mem_write64(pt->mem, entry_pa(pt, node, vpn, k), entry, err);
        entry = (node << LW_PAGE_SHIFT) | LW_PTE_P | LW_PTE_RW | LW_PTE_US;
    }
    if (written && lw_phys_mem_write64(pt->mem, link_pa, entry, err)) {
        return true;
    }
    while (pt->node_count > nodes_before) {
        (void)lw_frame_release(pt->frames, pt->nodes[--pt->node_count], 1, NULL);
    }
    return false;
}

/* Whether nothing is mapped at vpn and in the `count` - 1 entries behind it. */
static bool has_room(const lw_page_table *pt, uint64_t vpn, uint32_t level, uint64_t count,
                     lw_error *err) {
    uint64_t pa = 0;
    uint32_t at = 0;
    bool room = true;
    for (uint64_t i = 0; i < count && room; i++) {
        room = find_room(pt, vpn + i, level, &pa, &at, err);
    }
    return room;
}

bool lw_page_table_map(lw_page_table *pt, uint64_t vpn, uint64_t pfn, lw_page_size size,
                       uint32_t flags, lw_error *err) {
    if ((unsigned)size >= sizeof sizes / sizeof sizes[0]) {
        return lw_fail(err,
                       "page table: page size %u is not 0 (4 KiB), 1 (2 MiB), 2 (1 GiB) or 3 "
                       "(64 KiB)",
                       (unsigned)size);
    }
    const uint32_t level = sizes[size].level;
    if (!vpn_fits(pt, vpn, err) || !pfn_fits(pt, pfn, size, err)) {
        return false;
    }
    if (vpn % sizes[size].pages != 0) {
        return lw_fail(err, "page table: VPN 0x%" PRIx64 " is not a multiple of a page of %s", vpn,
                       sizes[size].name);
    }
    /* of several entries none is written where one of them has no room */
    bool good = sizes[size].entries == 1 || has_room(pt, vpn, level, sizes[size].entries, err);
    for (uint64_t i = 0; i < sizes[size].entries && good; i++) {
        const uint64_t entry =
            ((pfn + i) << LW_PAGE_SHIFT) | LW_PTE_P | flag_bits(flags) | sizes[size].bits;
        uint64_t link_pa = 0;
        uint32_t link_level = 0;
        good = find_room(pt, vpn + i, level, &link_pa, &link_level, err) &&
               write_link(pt, vpn + i, entry, level, link_pa, link_level, err);
    }
    return good;
}

bool lw_page_table_share(lw_page_table *pt, const lw_page_table *other, uint64_t vpn,
                         uint32_t level, uint64_t without, lw_error *err) {
    uint64_t pa = 0;
    uint64_t link_pa = 0;
    uint32_t link_level = 0;
    if (!lw_page_table_entry_address(other, vpn, level, &pa, err)) {
        return false;
    }
    const uint64_t entry = lw_phys_mem_read64(pt->mem, pa);
    if ((entry & LW_PTE_P) == 0 || is_leaf(entry, level)) {
        return lw_fail(err, "page table: VPN 0x%" PRIx64 " has no node below level %" PRIu32, vpn,
                       level);
    }
    return find_room(pt, vpn, level, &link_pa, &link_level, err) &&
           write_link(pt, vpn, entry & ~without, level, link_pa, link_level, err);
}

bool lw_page_table_has_node(const lw_page_table *pt, uint64_t frame) {
    for (size_t i = 0; i < pt->node_count; i++) {
        if (pt->nodes[i] == frame) {
            return true;
        }
    }
    return false;
}

bool lw_page_table_replace_node(lw_page_table *pt, uint64_t old, uint64_t frame) {
    for (size_t i = 1; i < pt->node_count; i++) {
        if (pt->nodes[i] == old) {
            pt->nodes[i] = frame;
            return true;
        }
    }
    return false;
}

/* The page that holds vpn, with the address of its first entry. */
static bool find_page(const lw_page_table *pt, uint64_t vpn, lw_page_table_leaf *leaf,
                      lw_error *err) {
    return lw_page_table_find(pt, vpn, leaf, err) &&
           lw_page_table_find(pt, vpn & ~(sizes[size_of(leaf)].entries - 1), leaf, err);
}

bool lw_page_table_unmap(lw_page_table *pt, uint64_t vpn, lw_error *err) {
    lw_page_table_leaf leaf = {0};
    bool good = find_page(pt, vpn, &leaf, err);
    for (uint64_t i = 0; good && i < sizes[size_of(&leaf)].entries; i++) {
        good = lw_phys_mem_write64(pt->mem, leaf.pa + 8 * i, 0, err);
    }
    return good;
}

/* The page whose first entry is `first` gets `bits` in the place of `mask`, of a frame i more in
 * its entry i. */
static bool change_page(lw_page_table *pt, const lw_page_table_leaf *first, uint64_t mask,
                        uint64_t bits, lw_error *err) {
    bool good = true;
    for (uint64_t i = 0; good && i < sizes[size_of(first)].entries; i++) {
        const uint64_t pa = first->pa + 8 * i;
        const uint64_t frames = (mask & LW_PTE_FRAME) != 0 ? i << LW_PAGE_SHIFT : 0;
        const uint64_t others = lw_phys_mem_read64(pt->mem, pa) & ~mask;
        good = lw_phys_mem_write64(pt->mem, pa, others | (bits + frames), err);
    }
    return good;
}

bool lw_page_table_protect(lw_page_table *pt, uint64_t vpn, uint32_t flags, lw_error *err) {
    lw_page_table_leaf leaf = {0};
    return find_page(pt, vpn, &leaf, err) &&
           change_page(pt, &leaf, LW_PTE_RW | LW_PTE_US | LW_PTE_NX, flag_bits(flags), err);
}

bool lw_page_table_remap(lw_page_table *pt, uint64_t vpn, uint64_t pfn, lw_error *err) {
    lw_page_table_leaf leaf = {0};
    return find_page(pt, vpn, &leaf, err) && pfn_fits(pt, pfn, size_of(&leaf), err) &&
           change_page(pt, &leaf, LW_PTE_FRAME, pfn << LW_PAGE_SHIFT, err);
}
