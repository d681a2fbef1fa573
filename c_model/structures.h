/* The architectural registers by name (docs/microarchitecture.md, section 14): the catalogue that
 * the twin's peek, the lockstep's state net, fault injection and every report share.
 *
 * LW_STRUCTURES(S) calls S(structure) for each; LW_FIELDS(F) calls F(structure, field) for each
 * field, grouped by structure, in the document's order. */
#ifndef LW_STRUCTURES_H
#define LW_STRUCTURES_H

#define LW_STRUCTURES(S)                                                                           \
    S(ADMISSION)                                                                                   \
    S(TLB_PIPE) S(TLB) S(TLB_RANK) S(BUFFER) S(BUFFER_CONTROL) S(BLOCK) S(PWC) S(PWC_RANK)         \
        S(PWC_PIPE) S(PWST) S(WALK_MEMORY) S(LINE) S(HIT_QUEUE) S(WALK_QUEUE) S(RESPONSE)          \
            S(INVALIDATION) S(CONTROL) S(ROOT) S(COUNTER)

#define LW_FIELDS(F)                                                                                       \
    F(ADMISSION, BUFFER_USED)                                                                              \
    F(ADMISSION, HIT_USED) F(TLB_PIPE, PIPE_VALID) F(TLB_PIPE, PIPE_ID) F(TLB_PIPE, PIPE_SRC) F(           \
        TLB_PIPE, PIPE_PASID) F(TLB_PIPE, PIPE_PAGE) F(TLB_PIPE, PIPE_ACCESS) F(TLB, VALID)                \
        F(TLB, CLASS) F(TLB, PASID) F(TLB, TAG) F(TLB, PFN) F(TLB, PERM) F(TLB, SIZE) F(                   \
            TLB_RANK, RANK) F(BUFFER, VALID) F(BUFFER, PICKED) F(BUFFER, DONE) F(BUFFER, STALE)            \
            F(BUFFER, ID) F(BUFFER, SRC) F(BUFFER, PASID) F(BUFFER, VPN) F(BUFFER, ACCESS) F(              \
                BUFFER, SEQ) F(BUFFER,                                                                     \
                               CL) F(BUFFER,                                                               \
                                     PL) F(BUFFER,                                                         \
                                           PA) F(BUFFER,                                                   \
                                                 PERM) F(BUFFER,                                           \
                                                         KIND) F(BUFFER,                                   \
                                                                 LEVEL) F(BUFFER,                          \
                                                                          SIZE) F(BUFFER_CONTROL,          \
                                                                                  NEXT_SEQ)                \
                F(BUFFER_CONTROL, ANSWER_POINTER) F(BUFFER_CONTROL, CANDIDATE_VALID) F(                    \
                    BUFFER_CONTROL,                                                                        \
                    CANDIDATE_SLOT)                                                                        \
                    F(BUFFER_CONTROL, NEW_VALID) F(BUFFER_CONTROL, NEW_SLOT) F(                            \
                        BUFFER_CONTROL,                                                                    \
                        NEW_VPN) F(BUFFER_CONTROL,                                                         \
                                   NEW_PASID) F(BUFFER_CONTROL, NEW_ACCESS)                                \
                        F(BLOCK, BLOCK_LIVE) F(PWC, VALID) F(PWC, PASID) F(PWC, TAG) F(PWC, NODE) F(       \
                            PWC, PERM) F(PWC_RANK,                                                         \
                                         RANK) F(PWC_PIPE,                                                 \
                                                 PIPE_VALID) F(PWC_PIPE,                                   \
                                                               PIPE_WALKER) F(PWST, STATE)                 \
                            F(PWST,                                                                        \
                              STARTED) F(PWST,                                                             \
                                         STALE) F(PWST, VPN)                                               \
                                F(PWST, PASID) F(PWST, ACCESS) F(PWST, ID) F(PWST, SRC) F(PWST, SLOT) F(   \
                                    PWST,                                                                  \
                                    LEVEL) F(PWST,                                                         \
                                             NODE) F(PWST,                                                 \
                                                     PERM) F(PWST,                                         \
                                                             KIND) F(PWST,                                 \
                                                                     FLEVEL) F(PWST, SIZE)                 \
                                    F(WALK_MEMORY, REQ_VALID) F(                                           \
                                        WALK_MEMORY,                                                       \
                                        REQ_TAG) F(WALK_MEMORY,                                            \
                                                   REQ_LINE) F(WALK_MEMORY,                                \
                                                               MEM_POINTER) F(WALK_MEMORY, LINE_VALID)     \
                                        F(WALK_MEMORY, LINE_TAG) F(                                        \
                                            WALK_MEMORY, LINE_ERROR) F(LINE,                               \
                                                                       LINE_DATA) F(HIT_QUEUE, HIT_ID)     \
                                            F(HIT_QUEUE, HIT_KIND) F(HIT_QUEUE, HIT_LEVEL) F(              \
                                                HIT_QUEUE, HIT_PFN) F(HIT_QUEUE, HIT_SIZE)                 \
                                                F(HIT_QUEUE, HIT_PERM) F(HIT_QUEUE, HIT_EPOCH) F(          \
                                                    WALK_QUEUE,                                            \
                                                    WALK_ID) F(WALK_QUEUE, WALK_KIND)                      \
                                                    F(WALK_QUEUE, WALK_LEVEL) F(WALK_QUEUE, WALK_PFN) F(   \
                                                        WALK_QUEUE,                                        \
                                                        WALK_SIZE) F(WALK_QUEUE,                           \
                                                                     WALK_PERM) F(WALK_QUEUE, WALK_EPOCH)  \
                                                        F(RESPONSE, HIT_HEAD) F(RESPONSE, HIT_COUNT) F(    \
                                                            RESPONSE,                                      \
                                                            WALK_HEAD) F(RESPONSE, WALK_COUNT)             \
                                                            F(RESPONSE, LAST) F(                           \
                                                                RESPONSE,                                  \
                                                                OUT_VALID) F(RESPONSE,                     \
                                                                             OUT_ID) F(RESPONSE,           \
                                                                                       OUT_KIND)           \
                                                                F(RESPONSE, OUT_LEVEL) F(                  \
                                                                    RESPONSE,                              \
                                                                    OUT_PFN) F(RESPONSE,                   \
                                                                               OUT_SIZE) F(RESPONSE,       \
                                                                                           OUT_PERM)       \
                                                                    F(RESPONSE, OUT_EPOCH) F(              \
                                                                        INVALIDATION,                      \
                                                                        STATE) F(INVALIDATION,             \
                                                                                 TYPE)                     \
                                                                        F(INVALIDATION, PASID) F(          \
                                                                            INVALIDATION,                  \
                                                                            FIRST) F(INVALIDATION,         \
                                                                                     LAST)                 \
                                                                            F(INVALIDATION, SWEEP_SET) F(  \
                                                                                INVALIDATION,              \
                                                                                EPOCH) F(CONTROL,          \
                                                                                         FEATURES)         \
                                                                                F(CONTROL, RDATA) F(       \
                                                                                    CONTROL,               \
                                                                                    FAULT_INFO)            \
                                                                                    F(CONTROL,             \
                                                                                      FAULT_PAGE)          \
                                                                                        F(ROOT,            \
                                                                                          ROOT_VALID)      \
                                                                                            F(ROOT,        \
                                                                                              ROOT_FRAME)  \
                                                                                                F(COUNTER, \
                                                                                                  COUNT)

#define LW_STRUCTURE_NAME_(s) LW_S_##s,
typedef enum lw_structure { LW_STRUCTURES(LW_STRUCTURE_NAME_) LW_STRUCTURE_COUNT } lw_structure;
#undef LW_STRUCTURE_NAME_

#define LW_FIELD_NAME_(s, f) LW_F_##s##_##f,
typedef enum lw_field { LW_FIELDS(LW_FIELD_NAME_) LW_FIELD_COUNT } lw_field;
#undef LW_FIELD_NAME_

#endif
