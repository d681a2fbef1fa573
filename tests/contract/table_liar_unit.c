/* A unit that lies about its tables: what another one shows of a register, falsified. The check of
 * the contents must bark (tests/contract/test_contract_tester.py). */
#include "tests/contract/unit.h"

#include <stdlib.h>
#include <string.h>

typedef struct lie {
    const char *name;
    lw_field field; /* whose lowest bit is wrong in every other entry, */
    bool twice;     /* or where every other entry shows what the one before holds */
} lie;

typedef struct liar {
    lw_unit inner;
    const lie *lie;
} liar;

static const lie lies[] = {
    {"tlb", LW_F_TLB_PFN, false},           {"double", LW_F_TLB_VALID, true},
    {"pwc", LW_F_PWC_NODE, false},          {"doublepwc", LW_F_PWC_VALID, true},
    {"walker", LW_F_PWST_NODE, false},      {"msc", LW_F_MSC_MAP, false},
    {"doublemsc", LW_F_MSC_VALID, true},    {"buffer", LW_F_STORED_PTE_STORED_FRAME, false},
    {"picked", LW_F_BUFFER_PICKED, false},  {"rank", LW_F_TLB_RANK_RANK, false},
    {"pwcrank", LW_F_PWC_RANK_RANK, false}, {"mscrank", LW_F_MSC_RANK_RANK, false}};
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

static uint64_t peek(void *own, lw_field field, uint32_t index) {
    liar *l = own;
    const bool table = lw_field_structure(field) == lw_field_structure(l->lie->field);
    const bool shown_twice = l->lie->twice && table;
    const uint64_t said = l->inner.peek(l->inner.own, field, shown_twice ? index & ~1u : index);
    return said ^ (!l->lie->twice && field == l->lie->field && index % 2 == 0);
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
