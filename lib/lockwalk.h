/* liblockwalk: the C twin of the unit, for simulators and test benches of one's own.
 *
 * A unit is made of a system's hardware (lw_system_load reads one of systems/, or an .ini file of
 * one's own), has its roots and settings written through the control port, and is then clocked:
 * read the outputs, step with the inputs. c_model/iommu.h says how, docs/architecture/ what
 * happens. Two units share nothing, so each thread may have its own. */
#ifndef LW_LIB_LOCKWALK_H
#define LW_LIB_LOCKWALK_H

#include "c_model/iommu.h"
#include "sim/system/system.h"

#endif
