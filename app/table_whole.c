#include "app/table_whole.h"

#include <string.h>

/* `lockwalk model --system S --workload K`, whose cycles are those of the lockstep; hotspot is not
 * here, since a table runs it whole. */
static const lw_whole wholes[] = {
    {"mvt", "baseline", 211325210, 9310315},
    {"mvt", "nha_leaf", 211014385, 9275805},
    {"mvt", "nha", 190481986, 8585623},
    {"atax", "baseline", 185508047, 8750404},
    {"atax", "nha_leaf", 89412817, 4866878},
    {"atax", "nha", 73943942, 4332859},
    {"bicg", "baseline", 386547590, 17808636},
    {"bicg", "nha_leaf", 197073187, 10128490},
    {"bicg", "nha", 156779585, 8750071},
    {"gesummv", "baseline", 568232041, 34412350},
    {"gesummv", "nha_leaf", 262794866, 18193903},
    {"gesummv", "nha", 210001247, 17108494},
    {"nw", "baseline", 110116721, 6306155},
    {"nw", "nha_leaf", 91940499, 5347168},
    {"nw", "nha", 86113706, 5125597},
    {"backprop", "baseline", 838533, 41676},
    {"backprop", "nha_leaf", 375266, 12210},
    {"backprop", "nha", 373254, 11651},
};

const lw_whole *lw_whole_of(const char *kernel, const char *system) {
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        if (strcmp(wholes[i].kernel, kernel) == 0 && strcmp(wholes[i].system, system) == 0) {
            return &wholes[i];
        }
    }
    return NULL;
}
