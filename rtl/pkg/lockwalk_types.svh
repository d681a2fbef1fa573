// The packed structs that travel between modules, one macro each.
//
// Their widths are parameters of the unit, so that a package cannot declare them: a module names in its
// parameter list the types that it uses, `localparam type key_t = `LW_KEY_T(VpnW, PasidW)`, and still
// elaborates alone. Two expansions with the same widths are of equal layout and connect freely. What has no
// parameter in it is a type of lockwalk_pkg.
//
// Of these types the first that a module names must have no struct within it, or Verilator 5.006 fails: it is
// key_t, say, even where nothing else names that.
//
// Here is what passes the unit's borders and what all folders know; what a folder gives the others or its own
// modules is in the header of its name. A module includes this header alone.
//
// `valid` is high in the cycles in which the rest of the struct says something. CL, PL and PWST are
// the document's words: an entry's coalesced level, the page-table level down to which others' walks
// have told it the way, and the page walk service table, a walker's registers each.
`ifndef LOCKWALK_TYPES_SVH
`define LOCKWALK_TYPES_SVH

// ---------------------------------------------------------------- at the unit's borders

// A page of an address space.
`define LW_KEY_T(VpnW, PasidW) \
  struct packed { \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-1:0]   vpn; \
  }

// A request as it enters the unit (chapter 1): PASID and page number are not checked yet.
`define LW_REQUEST_T(IdW, SrcW) \
  struct packed { \
    logic [IdW-1:0]                      id; \
    logic [SrcW-1:0]                     src; \
    logic [lockwalk_pkg::PasidPortW-1:0] pasid; \
    logic [lockwalk_pkg::PageW-1:0]      page; \
    logic [1:0]                          access; \
  }

// A response as it leaves the unit (R1.9): `level` is a fault's level, or the LINKS of a translation.
`define LW_RESPONSE_T(IdW, PfnW) \
  struct packed { \
    logic [IdW-1:0]  id; \
    logic [3:0]      kind; \
    logic [2:0]      level; \
    logic [PfnW-1:0] pfn; \
    logic [1:0]      size; \
    logic [1:0]      perm; \
  }

// A fault for the first-fault record (R12.3, R12.4).
`define LW_FAULT_T(SrcW) \
  struct packed { \
    logic                                valid; \
    logic [3:0]                          kind; \
    logic [2:0]                          level; \
    logic [1:0]                          access; \
    logic [lockwalk_pkg::PasidPortW-1:0] pasid; \
    logic [SrcW-1:0]                     src; \
    logic [lockwalk_pkg::PageW-1:0]      page; \
  }

// A read of a line of page-table entries by a walker, or by the contiguity check (chapter 8).
`define LW_MEM_REQ_T(TagW, LineW) \
  struct packed { \
    logic             valid; \
    logic [TagW-1:0]  tag; \
    logic [LineW-1:0] line; \
  }

// The line that memory returns for it.
`define LW_MEM_RSP_T(TagW) \
  struct packed { \
    logic            valid; \
    logic [TagW-1:0] tag; \
    logic            error; \
    logic [511:0]    data; \
  }

// The roots of the page tables, by PASID (R12.2).
`define LW_ROOTS_T(Pasids, PfnW) \
  struct packed { \
    logic [Pasids-1:0]           valid; \
    logic [Pasids-1:0][PfnW-1:0] frame; \
  }

// The hashed tables, by PASID, and how far a step is from the next one (R21.16). The first frame of a table is that of
// its PASID's root.
`define LW_TABLES_T(Pasids, PfnW) \
  struct packed { \
    logic [Pasids-1:0]           hashed; \
    logic [Pasids-1:0][4:0]      table_log; \
    logic [Pasids-1:0][4:0]      step_log; \
    logic [Pasids-1:0][PfnW-1:0] step_frame; \
    logic [Pasids-1:0]           victim_valid; \
    logic [Pasids-1:0][PfnW-1:0] victim_frame; \
    logic [17:0]                 stride; \
  }

// ---------------------------------------------------------------- invalidation (chapter 11)

// The operands of an invalidation.
`define LW_INVALIDATE_T(VpnW) \
  struct packed { \
    logic [1:0]                          inv_type; \
    logic [lockwalk_pkg::PasidPortW-1:0] pasid; \
    logic [VpnW-1:0]                     first; \
    logic [VpnW-1:0]                     last; \
  }

// A mark, and whom it meets: all PASIDs, or the one of `pasid`, or (with neither) none (R11.2).
`define LW_MARK_T(PasidW) \
  struct packed { \
    logic              valid; \
    logic              all; \
    logic              one; \
    logic [PasidW-1:0] pasid; \
  }

// Whether it meets this PASID.
`define LW_MEETS(mark, id) \
  (mark.valid && (mark.all || (mark.one && id == mark.pasid)))

// The set that is swept in this cycle (R11.4), and for which invalidation.
`define LW_SWEEP_T(SetW, VpnW) \
  struct packed { \
    logic                  valid; \
    logic [SetW-1:0]       set_index; \
    `LW_INVALIDATE_T(VpnW) inv; \
  }

// ---------------------------------------------------------------- within the folders

`include "lockwalk_types_front.svh"
`include "lockwalk_types_buffer.svh"
`include "lockwalk_types_walk.svh"
`include "lockwalk_types_reach.svh"

`endif
