/* Answers and accesses in words. */
#ifndef LW_ORACLE_ANSWER_TEXT_H
#define LW_ORACLE_ANSWER_TEXT_H

#include "oracle/flat_walk.h"

typedef struct lw_answer_text {
    char text[96];
} lw_answer_text;

lw_answer_text lw_describe_answer(const lw_oracle_answer *a);
/* "read", "write" or "execute" of the two bits of an access (R1.4). */
const char *lw_access_name(uint32_t access);

#endif
