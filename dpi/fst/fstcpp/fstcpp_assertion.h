/* The checks of Verilator's FST writer, in place of its own file of this name (mk/rtl.mk puts this
 * folder before Verilator's): they throw instead of aborting, so that waves on a full disk end a
 * run with a sentence (dpi/rtl_side.cpp). C++. */
#ifndef LW_DPI_FST_ASSERTION_H
#define LW_DPI_FST_ASSERTION_H

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#define FST_CHECK(a)                                                                               \
    do {                                                                                           \
        if (!(a))                                                                                  \
            throw std::runtime_error(#a);                                                          \
    } while (0)
#define FST_CHECK_EQ(a, b) FST_CHECK((a) == (b))
#define FST_CHECK_NE(a, b) FST_CHECK((a) != (b))
#define FST_CHECK_GT(a, b) FST_CHECK((a) > (b))
#define FST_CHECK_GE(a, b) FST_CHECK((a) >= (b))
#define FST_CHECK_LT(a, b) FST_CHECK((a) < (b))
#define FST_CHECK_LE(a, b) FST_CHECK((a) <= (b))

#define FST_DCHECK(a) FST_CHECK(a)
#define FST_DCHECK_EQ(a, b) FST_CHECK_EQ(a, b)
#define FST_DCHECK_NE(a, b) FST_CHECK_NE(a, b)
#define FST_DCHECK_GT(a, b) FST_CHECK_GT(a, b)
#define FST_DCHECK_GE(a, b) FST_CHECK_GE(a, b)
#define FST_DCHECK_LT(a, b) FST_CHECK_LT(a, b)
#define FST_DCHECK_LE(a, b) FST_CHECK_LE(a, b)

#define FST_UNREACHABLE FST_CHECK(false)

#endif
