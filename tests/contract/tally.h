/* What has really happened, over all runs: a provocation that never happened has tested nothing. */
#ifndef LW_TESTS_CONTRACT_TALLY_H
#define LW_TESTS_CONTRACT_TALLY_H

#include <stdbool.h>
#include <stdint.h>

/* The name of each count, and what it counts. */
#define LW_TALLIES(X)                                                                              \
    X(RUNS, "runs")                                                                                \
    X(CYCLES, "cycles")                                                                            \
    X(REQUESTS, "requests accepted")                                                               \
    X(OK, "answers OK")                                                                            \
    X(NONCANONICAL, "answers NONCANONICAL")                                                        \
    X(UNKNOWN_PASID, "answers UNKNOWN_PASID")                                                      \
    X(NOT_PRESENT, "answers NOT_PRESENT")                                                          \
    X(RESERVED, "answers RESERVED")                                                                \
    X(MISALIGNED, "answers MISALIGNED")                                                            \
    X(PERMISSION, "answers PERMISSION")                                                            \
    X(MEMORY_ERROR, "answers MEMORY_ERROR")                                                        \
    X(INV_PAGE, "invalidations of a page")                                                         \
    X(INV_RANGE, "invalidations of a range")                                                       \
    X(INV_PASID, "invalidations of a PASID")                                                       \
    X(INV_ALL, "invalidations of all")                                                             \
    X(INV_AT_ONCE, "invalidations in the cycle after another's completion")                        \
    X(INV_NOBODY, "invalidations that meet nobody")                                                \
    X(LEAF_CHANGED, "level-1 PTEs changed")                                                        \
    X(UPPER_CHANGED, "upper PTEs changed")                                                         \
    X(BITS_CHANGED, "contiguity bits changed")                                                     \
    X(HEAD_CHANGED, "heads changed after their invalidation")                                      \
    X(HEAD_SPARED, "heads not changed, as they were in use")                                       \
    X(LINK_SPARED, "tables not linked, as an upper PTE in them had changed")                       \
    X(TABLE_FREED, "tables unlinked everywhere")                                                   \
    X(FREED_ALL, "tables unreachable when an invalidation of all was done")                        \
    X(ROOT_CLEARED, "roots cleared")                                                               \
    X(ROOT_CHANGED, "roots changed")                                                               \
    X(ROOT_BACK_SOON, "roots back within 20 cycles")                                               \
    X(ROOTLESS_INV, "invalidations done of a PASID without a root, with requests from before")     \
    X(FEATURES, "features changed")                                                                \
    X(LATE_LINES, "lines that came very late")                                                     \
    X(ERROR_LINES, "lines with the error bit")                                                     \
    X(REORDERED, "lines that came before an older one")                                            \
    X(MEMORY_STALLS, "cycles in which memory took no request")                                     \
    X(SINK_STALLS, "cycles in which the sink took no response")                                    \
    X(REQUEST_STALLS, "cycles in which the unit took no request")                                  \
    X(WILD_READS, "reads outside the page tables")                                                 \
    X(HEAD_READS, "reads of heads for the contiguity check")                                       \
    X(SAW_OLD, "answers that only values from before the request explain")                         \
    X(SAW_GONE, "answers that only values gone since explain")                                     \
    X(FAULT_AGED, "fault answers whose page changed while they waited")                            \
    X(LARGE, "answers from large pages")                                                           \
    X(SIZED, "answers from pages of hashed tables that are large")                                 \
    X(HASHED_REACH, "answers by heads in hashed tables")                                           \
    X(REACH_FRAME, "answers by the head of a frame")                                               \
    X(REACH_SUBREGION, "answers by the head of a subregion")                                       \
    X(LINKS, "answers with links of a line")                                                       \
    X(REACH_LINKS, "answers with links of a reach")                                                \
    X(TLB_HITS, "the unit's count of TLB hits")                                                    \
    X(SECOND_LOOKUPS, "the unit's count of second lookups")                                        \
    X(SECOND_HITS, "the unit's count of second hits")                                              \
    X(PWC_HITS, "the unit's count of page walk cache hits")                                        \
    X(COALESCED, "the unit's count of coalesced answers")                                          \
    X(LEVELS_TOLD, "the unit's count of coalesced levels")                                         \
    X(GIVEN_BACK, "the unit's count of entries given back")                                        \
    X(MSC_HITS, "the unit's count of MSC hits")                                                    \
    X(JOINED, "the unit's count of joined subregions")                                             \
    X(SUBREGION_HITS, "the unit's count of subregion hits")                                        \
    X(LOOKS, "looks into the unit's tables")                                                       \
    X(TLB_REGULAR, "regular TLB entries judged")                                                   \
    X(TLB_LARGE, "of these, of large pages")                                                       \
    X(TLB_SUBREGION, "subregion entries judged")                                                   \
    X(TLB_JOINED, "of these, of more subregions than one, and no large page")                      \
    X(TLB_RUN, "runs judged")                                                                      \
    X(PWC_LEVEL, "entries of the page walk cache by level judged")                                 \
    X(PWC_ADDRESS, "entries of the page walk cache by address judged")                             \
    X(STEPS, "entries of the step cache judged")                                                   \
    X(MSC_ENTRY, "MSC entries judged")                                                             \
    X(MSC_MAP, "of these, with neighbours that join")                                              \
    X(MSC_HASHED, "of these, in hashed tables")                                                    \
    X(BUFFER_LEVEL, "buffer entries with a level judged")                                          \
    X(BUFFER_DONE, "buffer entries with an answer judged")                                         \
    X(WALKER_NODE, "walkers on their way judged")                                                  \
    X(WALKER_ANSWER, "walkers with an answer judged")                                              \
    X(BUFFER_PICKED, "picked buffer entries whose holder was looked for")

#define LW_TALLY_NAME(name, text) LW_T_##name,
typedef enum lw_tally_name { LW_TALLIES(LW_TALLY_NAME) LW_T_COUNT } lw_tally_name;
#undef LW_TALLY_NAME

typedef struct lw_tally {
    uint64_t n[LW_T_COUNT];
} lw_tally;

/* The lines of the end. */
void lw_tally_print(const lw_tally *t);
/* Whether all happened; false after a line that names what did not. */
bool lw_tally_all(const lw_tally *t);

#endif
