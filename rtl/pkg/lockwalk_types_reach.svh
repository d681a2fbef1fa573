// The structs of subregions (chapter 16): a part of lockwalk_types.svh, which says how these are meant and is to be
// included instead.

// A check that a scan asks for (R16.1): the subregion's number and frame, CONTIG's bits for its
// neighbours, and the node that holds their heads; `of_slot` that this is a slot of a hashed table.
`define LW_CHECK_T(VpnW, PasidW, PfnW) \
  struct packed { \
    logic              valid; \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-7:0]   vsn; \
    logic [7:0]        bits; \
    logic [PfnW-1:0]   node; \
    logic [PfnW-1:0]   pfn; \
    logic [1:0]        perm; \
    logic [1:0]        pte_perm; \
    logic              of_slot; \
  }

// A read of the head PTE of a subregion, which the check asks the walkers' memory port for (R16.6).
`define LW_HEAD_T(PfnW) \
  struct packed { \
    logic            valid; \
    logic [2:0]      place; \
    logic [PfnW-1:0] node; \
  }

// An access of the memory subregion cache, or none (R16.4, R16.9).
`define LW_MSC_ACCESS_T(VpnW, PasidW, PfnW) \
  struct packed { \
    logic              look; \
    logic              fill; \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-10:0]  frame; \
    logic [PfnW-1:0]   node; \
    logic [6:0]        joins; \
  }

// The joined entry (R16.10); `vsn` is that of its first subregion.
`define LW_JOIN_T(VpnW, PasidW, PfnW) \
  struct packed { \
    logic              valid; \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-7:0]   vsn; \
    logic [2:0]        length; \
    logic [PfnW-1:0]   pfn; \
    logic [1:0]        perm; \
  }
