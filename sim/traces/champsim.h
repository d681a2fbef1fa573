/* One record of a ChampSim trace (its `input_instr`), little endian, 64 bytes:
 *
 *   0  ip u64                      10 destination_registers[2] u8   16 destination_memory[2] u64
 *   8  is_branch u8 (0 or 1)       12 source_registers[4] u8        32 source_memory[4] u64
 *   9  branch_taken u8 (0 or 1)
 *
 * A memory operand is a virtual byte address, or 0 where there is none. Each one is an access:
 * first the sources, which are read, then the destinations, which are written; of address space 0,
 * as soon as it can, by no source. Instruction fetches are left out. Internal. */
#ifndef LW_SIM_TRACES_CHAMPSIM_H
#define LW_SIM_TRACES_CHAMPSIM_H

#include "sim/traces/stream.h"

enum { LW_CHAMPSIM_BYTES = 64, LW_CHAMPSIM_ACCESSES = 6 };

/* Whether a file that begins with these bytes (as many as the file has, up to a record) holds such
 * records: no text has the bytes 0 and 1 where the flags are. */
bool lw_champsim_begins(const uint8_t *bytes, size_t count);

/* Whether both flags are 0 or 1. */
bool lw_champsim_is_record(const uint8_t record[LW_CHAMPSIM_BYTES]);

/* The accesses of a record, 0 to LW_CHAMPSIM_ACCESSES of them; how many. */
unsigned lw_champsim_accesses(const uint8_t record[LW_CHAMPSIM_BYTES],
                              lw_stream_access accesses[LW_CHAMPSIM_ACCESSES]);

#endif
