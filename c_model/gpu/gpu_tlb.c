#include "gpu/gpu_tlb.h"

#include <stdlib.h>

typedef struct entry {
    uint64_t key;   /* pasid << 52 | page, plus one: 0 is an empty way */
    uint64_t touch; /* when last used */
    uint32_t perm;
} entry;

struct lw_gpu_tlb {
    uint32_t sets, ways;
    uint64_t clock;
    entry entries[];
};

lw_gpu_tlb *lw_gpu_tlb_new(uint32_t sets, uint32_t ways) {
    lw_gpu_tlb *t = calloc(1, sizeof *t + (size_t)sets * ways * sizeof t->entries[0]);
    if (t != NULL) {
        t->sets = sets;
        t->ways = ways;
    }
    return t;
}

void lw_gpu_tlb_free(lw_gpu_tlb *t) {
    free(t);
}

static uint64_t key_of(uint32_t pasid, uint64_t page) {
    return ((uint64_t)pasid << 52 | page) + 1;
}

static entry *set_of(lw_gpu_tlb *t, uint64_t page) {
    return &t->entries[(page & (t->sets - 1)) * t->ways];
}

static bool grants(uint32_t perm, uint32_t access) {
    uint32_t need = (access & 2) != 0 ? 2 : access & 1;
    return (perm & need) == need;
}

bool lw_gpu_tlb_lookup(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t access,
                       uint32_t *perm) {
    entry *set = set_of(t, page);
    uint64_t key = key_of(pasid, page);
    for (uint32_t w = 0; w < t->ways; w++) {
        if (set[w].key == key && grants(set[w].perm, access)) {
            set[w].touch = ++t->clock;
            *perm = set[w].perm;
            return true;
        }
    }
    return false;
}

void lw_gpu_tlb_fill(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t perm) {
    entry *set = set_of(t, page);
    uint64_t key = key_of(pasid, page);
    entry *victim = &set[0];
    for (uint32_t w = 0; w < t->ways; w++) {
        if (set[w].key == key) {
            victim = &set[w];
            break;
        }
        if (set[w].touch < victim->touch) {
            victim = &set[w];
        }
    }
    *victim = (entry){key, ++t->clock, perm};
}

void lw_gpu_tlb_shootdown(lw_gpu_tlb *t, uint32_t type, uint32_t pasid) {
    for (uint32_t e = 0; e < t->sets * t->ways; e++) {
        if (type == 3 || (t->entries[e].key - 1) >> 52 == pasid) {
            t->entries[e] = (entry){0, 0, 0};
        }
    }
}
