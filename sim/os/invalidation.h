/* The types of an invalidation on the unit's port (R11.1), for the OS that asks for them and for
 * the GPU's TLBs, which follow. */
#ifndef LW_SIM_OS_INVALIDATION_H
#define LW_SIM_OS_INVALIDATION_H

enum { LW_INV_PAGE = 0, LW_INV_RANGE = 1, LW_INV_PASID = 2, LW_INV_ALL = 3 };

#endif
