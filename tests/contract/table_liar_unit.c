/* A unit that lies about its tables: what another one shows of a register, falsified. The check of
 * the contents must bark (tests/contract/test_contract_tester.py). */
#include "tests/contract/unit.h"

#include <stdlib.h>
#include <string.h>

typedef enum how {
    WRONG,  /* the lowest bit of a field is wrong in every other entry */
    TWICE,  /* every other entry shows what the one before holds */
    SWAPPED /* each entry shows what its neighbour holds */
} how;

typedef struct lie {
    const char *name;
    lw_field field; /* a field of the table */
    how how;
    /* Of which entries it lies; NULL: of all. What is found first hides who would have found the
     * others, so a judge of few entries needs a lie about these alone. */
    bool (*about)(const lw_unit *inner, uint32_t index);
} lie;

typedef struct liar {
    lw_unit inner;
    const lie *lie;
} liar;

static uint64_t held(const lw_unit *inner, lw_field field, uint32_t index) {
    return inner->peek(inner->own, field, index);
}

static bool range(const lw_unit *inner, uint32_t index) {
    return held(inner, LW_F_TLB_CLASS, index) != 0;
}

static bool regular(const lw_unit *inner, uint32_t index) {
    return !range(inner, index);
}

static bool answers(const lw_unit *inner, uint32_t index) {
    enum { RESP = 7 };
    return held(inner, LW_F_PWST_STATE, index) == RESP;
}

static bool walks(const lw_unit *inner, uint32_t index) {
    return !answers(inner, index);
}

static bool done_entry(const lw_unit *inner, uint32_t index) {
    return held(inner, LW_F_BUFFER_DONE, index) != 0;
}

static bool told_level(const lw_unit *inner, uint32_t index) {
    return !done_entry(inner, index);
}

static const lie lies[] = {{"tlb", LW_F_TLB_PFN, WRONG, regular},
                           {"range", LW_F_TLB_PFN, WRONG, range},
                           {"length", LW_F_TLB_LENGTH, WRONG, range},
                           {"double", LW_F_TLB_VALID, TWICE, regular},
                           {"doublerange", LW_F_TLB_VALID, TWICE, range},
                           {"partition", LW_F_TLB_VALID, SWAPPED, NULL},
                           {"pwc", LW_F_PWC_NODE, WRONG, NULL},
                           {"doublepwc", LW_F_PWC_VALID, TWICE, NULL},
                           {"steps", LW_F_STEP_CACHE_STEPS, WRONG, NULL},
                           {"stepac", LW_F_STEP_CACHE_AC, WRONG, NULL},
                           {"steplow", LW_F_STEP_CACHE_LOW_C, WRONG, NULL},
                           {"stephigh", LW_F_STEP_CACHE_HIGH_C, WRONG, NULL},
                           {"msc", LW_F_MSC_MAP, WRONG, NULL},
                           {"mscnode", LW_F_MSC_NODE, WRONG, NULL},
                           {"doublemsc", LW_F_MSC_VALID, TWICE, NULL},
                           {"buffer", LW_F_STORED_PTE_STORED_FRAME, WRONG, NULL},
                           {"bufferlevel", LW_F_BUFFER_POSITION, WRONG, told_level},
                           {"bufferdone", LW_F_BUFFER_POSITION, WRONG, done_entry},
                           {"picked", LW_F_BUFFER_PICKED, WRONG, NULL},
                           {"walker", LW_F_PWST_NODE, WRONG, walks},
                           {"walkeranswer", LW_F_PWST_NODE, WRONG, answers},
                           {"rank", LW_F_TLB_RANK_RANK, WRONG, NULL},
                           {"pwcrank", LW_F_PWC_RANK_RANK, WRONG, NULL},
                           {"mscrank", LW_F_MSC_RANK_RANK, WRONG, NULL}};
enum { LIES = sizeof lies / sizeof lies[0] };

static void outputs(void *own, lw_outputs *out) {
    liar *l = own;
    l->inner.outputs(l->inner.own, out);
}

static void step(void *own, const lw_inputs *in) {
    liar *l = own;
    l->inner.step(l->inner.own, in);
}

static void done(void *own) {
    liar *l = own;
    l->inner.free(l->inner.own);
    free(l);
}

static bool is_about(const liar *l, uint32_t index) {
    return l->lie->about == NULL || l->lie->about(&l->inner, index);
}

static uint64_t peek(void *own, lw_field field, uint32_t index) {
    const liar *l = own;
    const uint32_t even = index & ~1u;
    const bool table = lw_field_structure(field) == lw_field_structure(l->lie->field);
    uint32_t shown = index;
    if (table && l->lie->how == TWICE && is_about(l, even)) {
        shown = even;
    } else if (table && l->lie->how == SWAPPED) {
        shown = index ^ 1u;
    }
    const bool wrong = l->lie->how == WRONG && field == l->lie->field && index == even;
    return held(&l->inner, field, shown) ^ (wrong && is_about(l, index));
}

bool lw_unit_table_liar(lw_unit inner, const char *name, lw_unit *unit, lw_error *err) {
    for (size_t i = 0; i < LIES; i++) {
        if (strcmp(lies[i].name, name) != 0) {
            continue;
        }
        liar *l = calloc(1, sizeof *l);
        if (l == NULL) {
            return lw_fail(err, "there is no memory for a liar");
        }
        *l = (liar){inner, &lies[i]};
        *unit = (lw_unit){l, outputs, step, done, inner.peek == NULL ? NULL : peek, NULL};
        return true;
    }
    return lw_fail(err, "--lie: \"%s\" is no lie; --help lists them", name);
}
