/* Files that cannot grow, as on a disk that is full. */
#ifndef LW_TESTS_UNIT_DPI_FILE_LIMIT_H
#define LW_TESTS_UNIT_DPI_FILE_LIMIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>

/* From now on no file of this process grows beyond that; RLIM_INFINITY: as far as it likes. */
static inline void limit_files(rlim_t bytes) {
    struct rlimit limit;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

#endif
