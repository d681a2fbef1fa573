/* What this program was built from. */
#ifndef LW_APP_VERSIONS_H
#define LW_APP_VERSIONS_H

#define LW_VERSION "0.1.0"
#define LW_COMPILER "gcc " __VERSION__

#endif
