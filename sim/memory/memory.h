/* Main memory as those who read and write it see it: lines of 64 bytes, taken where there is room
 * and finished in the order that the model decides, not in that of their asking. Time alone: what
 * the lines hold is in phys_mem.h. Page walks and data share one memory; each user gets its own
 * completions.
 *
 * Cycles are those of the unit's clock. In each cycle `now` that a user has something to do in
 * (never falling; users may call in any order within a cycle):
 *     if (ready(state, now, &request)) ask(state, now, &request);
 *     while (finished(state, now, user, &id)) ...
 * A read asked for in cycle t finishes in t + 1 or later, exactly once; a write is posted, finishes
 * for nobody, and may keep later requests from getting room. What a call answers does not depend on
 * which other cycles had calls: cycles before `next_event` may be left out. Nothing is allocated
 * after the model is made. */
#ifndef LW_SIM_MEMORY_MEMORY_H
#define LW_SIM_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Who asks. */
typedef enum lw_memory_user { LW_MEMORY_WALKS, LW_MEMORY_DATA, LW_MEMORY_USERS } lw_memory_user;

typedef struct lw_memory_request {
    uint64_t line; /* byte address >> 6 */
    lw_memory_user user;
    bool write;
    uint32_t id; /* a read's comes back when it has finished; may be used by several at once */
} lw_memory_request;

typedef struct lw_memory {
    void *state;
    bool (*ready)(void *state, uint64_t now, const lw_memory_request *request);
    void (*ask)(void *state, uint64_t now, const lw_memory_request *request);
    /* Takes the user's next read that has finished by `now`; false where none has. */
    bool (*finished)(void *state, uint64_t now, lw_memory_user user, uint32_t *id);
    /* The first cycle, later than `now`, in which a read may finish or room may come if nothing is
     * asked before it; it may be too early, never too late. UINT64_MAX where nothing is under way.
     */
    uint64_t (*next_event)(void *state, uint64_t now);
    void (*destroy)(void *state);
} lw_memory;

/* Of two events that may come the one that does first. */
static inline uint64_t lw_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

#endif
