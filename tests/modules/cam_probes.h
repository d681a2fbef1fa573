/* Probes for the CAM port: a buffer of entries that have one key, that of the port's user, and
 * differ in what is done to them; and entries of other lines of its subregion and its frame. After
 * the twin has worked on it, they tell which level was released (R4.6), which claimed and with
 * which PERM (R4.5), who was told a line (R9.4), and how far each of these reached (R1.2). */
#ifndef LW_TESTS_CAM_PROBES_H
#define LW_TESTS_CAM_PROBES_H

#include "module.h"

typedef struct lw_cam_probes {
    lw_config cfg;
    lw_buffer buffer;
} lw_cam_probes;

typedef struct lw_cam_seen {
    uint32_t released;                                  /* the level; 0: none */
    uint32_t claimed, claim_perm;                       /* the level, 0: none */
    uint32_t told_perm;                                 /* PERM of the one whose line it is */
    lw_reach released_reach, claimed_reach, told_reach; /* LW_REACH_LINE above level 1 */
    bool told;                                          /* an entry learnt from a line */
    bool freed, given_back;                             /* the walker's entry (R5.8, R5.7) */
} lw_cam_seen;

/* New probes; a walker's own entry may be added, then they are ready to be worked on. */
void lw_cam_probes_set(lw_cam_probes *p, const lw_config *cfg, const lw_watch *watch, uint64_t key);
void lw_cam_probes_add(lw_cam_probes *p, uint32_t slot, const lw_entry *entry, bool done);
void lw_cam_probes_ready(lw_cam_probes *p);

/* What has been done; `slot` is that of the walker's own entry, or LW_NONE. */
lw_cam_seen lw_cam_probes_see(const lw_cam_probes *p, int32_t slot);

#endif
