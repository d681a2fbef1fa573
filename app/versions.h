/* What this program was built from. */
#ifndef LW_APP_VERSIONS_H
#define LW_APP_VERSIONS_H

#define LW_VERSION "0.1.0"
#define LW_COMPILER "gcc " __VERSION__

/* The commit, with a + where the tree differed from it; NULL where the sources were in no
 * repository. */
const char *lw_revision(void);

#endif
