/* The driver of a hashed table whose programs are larger than the GPU's memory: it learns of the
 * accesses to remote regions, and brings in those that are used (R20.30). One region at a time; the
 * first that becomes due while another is being brought in is next, and who becomes due beside it
 * waits for a later access. */
#ifndef LW_SIM_OS_MIGRATIONS_H
#define LW_SIM_OS_MIGRATIONS_H

#include "common/error.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"

typedef struct lw_migrations {
    bool due; /* this region of a process has been used often enough */
    uint32_t process;
    uint64_t vpn;
    uint64_t accesses, made; /* to remote regions; regions brought in */
} lw_migrations;

/* The unit is asked for a page of the process in the cycle `now`: `after` such accesses make a
 * remote region due. */
void lw_migrations_asked(lw_migrations *m, lw_address_spaces *s, uint32_t process, uint64_t vpn,
                         uint32_t after, uint64_t now);
/* Begins to bring in the region that is due and plans the words of that. False and a sentence
 * without memory. */
bool lw_migrations_make(lw_migrations *m, lw_address_spaces *s, lw_os_plan *plan, lw_error *err);

#endif
