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
// `valid` is high in the cycles in which the rest of the struct says something. CL, PL and PWST are
// the document's words: an entry's coalesced level, its prefetched level, and a page walker's state.
`ifndef LOCKWALK_TYPES_SVH
`define LOCKWALK_TYPES_SVH

// ---------------------------------------------------------------- at the unit's borders

// A page of an address space.
`define LW_KEY_T(VpnW, PasidW) \
  struct packed { \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-1:0]   vpn; \
  }

// A request as it enters the unit (section 1): PASID and page number are not checked yet.
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

// A read of a line of page-table entries by a walker, or by the contiguity check (section 8).
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

// ---------------------------------------------------------------- invalidation (section 11)

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

// The set that is swept in this cycle (R11.4), and for which invalidation.
`define LW_SWEEP_T(SetW, VpnW) \
  struct packed { \
    logic                  valid; \
    logic [SetW-1:0]       set_index; \
    `LW_INVALIDATE_T(VpnW) inv; \
  }

// ---------------------------------------------------------------- the unified TLB (section 3)

// What the TLB decides on a request (R3.2): a hit, a miss, or a fault of this kind. What a hit does not
// say is zero (R3.3, R3.15).
`define LW_DECIDED_T(IdW, SrcW, PfnW) \
  struct packed { \
    logic                    valid; \
    logic                    hit; \
    logic                    miss; \
    logic                    subregion; \
    logic [3:0]              kind; \
    `LW_REQUEST_T(IdW, SrcW) request; \
    logic [PfnW-1:0]         pfn; \
    logic [1:0]              size; \
    logic [1:0]              perm; \
    logic [2:0]              links; \
  }

// What a lookup has found: in which way, and what that entry says. Of a range (tlb_range_search.sv) `first` and
// `length` are places within its frame or group, else zero.
`define LW_TLB_FOUND_T(WayW, PlaceW, PfnW) \
  struct packed { \
    logic              valid; \
    logic [WayW-1:0]   way; \
    logic [PlaceW-1:0] first; \
    logic [PlaceW-1:0] length; \
    logic [PfnW-1:0]   pfn; \
    logic [1:0]        perm; \
    logic [1:0]        size; \
  }

// A fill of the TLB (R3.6, R3.12, R3.14). With `span` it is of class 1, a subregion entry or a run of
// pages: the VPN is that of its first page, and `length` counts what follows the first subregion or page.
`define LW_FILL_T(VpnW, PasidW, PfnW) \
  struct packed { \
    logic                   valid; \
    logic                   span; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [2:0]             length; \
    logic [PfnW-1:0]        pfn; \
    logic [1:0]             perm; \
    logic [1:0]             size; \
  }

// ---------------------------------------------------------------- the IOMMU buffer (sections 4 and 5)

// A miss on its way into the buffer (R4.2).
`define LW_MISS_T(VpnW, PasidW, IdW, SrcW) \
  struct packed { \
    logic                   valid; \
    logic [IdW-1:0]         id; \
    logic [SrcW-1:0]        src; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [1:0]             access; \
  }

// An entry as the read port shows it (R5.3); `block` is that of its age SEQ (R2.4).
`define LW_ENTRY_T(VpnW, PasidW, PfnW, IdW, SrcW) \
  struct packed { \
    logic [IdW-1:0]                   id; \
    logic [SrcW-1:0]                  src; \
    `LW_KEY_T(VpnW, PasidW)           key; \
    logic [1:0]                       access; \
    logic                             done; \
    logic [2:0]                       cl; \
    logic [2:0]                       pl; \
    logic [PfnW-1:0]                  pa; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
    logic [1:0]                       block; \
  }

// The entry that waits for a walker (R5.3, R5.10).
`define LW_CANDIDATE_T(SlotW) \
  struct packed { \
    logic             held; \
    logic [SlotW-1:0] slot; \
  }

// What a walker does with the entry that it has read: give it back (R5.7) or commit to it (R5.8).
`define LW_DECISION_T(SlotW) \
  struct packed { \
    logic             give_back; \
    logic             commit; \
    logic [SlotW-1:0] slot; \
    logic [1:0]       block; \
  }

// A walker's access in flight, on which a new entry may wait (R4.3, R7.3).
`define LW_FLIGHT_T(VpnW, PasidW) \
  struct packed { \
    logic                   valid; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [2:0]             level; \
    logic [1:0]             perm; \
    lockwalk_pkg::reach_e   reach; \
  }

// An operation of the coalescing CAM (R4.4, R4.7). It releases the neighbourhood of `key` at `level`
// (a commit releases none) and claims that of `claim`. A scan also says what its line is worth to the
// entries: `position` is that of the walker's own PTE, `error` that there is no line.
`define LW_CAM_OP_T(VpnW, PasidW) \
  struct packed { \
    lockwalk_pkg::cam_op_e  op; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [2:0]             level; \
    lockwalk_pkg::reach_e   reach; \
    logic [2:0]             position; \
    logic                   error; \
    logic [1:0]             perm; \
    lockwalk_pkg::claim_t   claim; \
  }

// A line of eight PTEs, decoded (R1.3, R1.6, R1.7), and the LINKS of its two groups (R1.14).
`define LW_LINE_T(PfnW) \
  struct packed { \
    lockwalk_pkg::verdict_t [7:0]          verdict; \
    logic [7:0][PfnW-1:0]                  frame; \
    logic [7:0][lockwalk_pkg::ContigW-1:0] contig; \
    logic [1:0][2:0]                       links; \
  }

// ---------------------------------------------------------------- walks (sections 6 to 10)

// Where a walk stands: for whom, and the node whose PTE of this level it reads next.
`define LW_WALK_T(VpnW, PasidW, PfnW) \
  struct packed { \
    `LW_KEY_T(VpnW, PasidW)           key; \
    logic [1:0]                       access; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// The access whose line is in the line register, as the PWST had it when the line came (R8.3). `bits` is C of
// its CONTIG, `reach` how far the access reaches (R1.11), `position` where in the line its own PTE is.
`define LW_SCAN_T(VpnW, PasidW, PfnW) \
  struct packed { \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [1:0]             access; \
    logic [2:0]             level; \
    logic [PfnW-1:0]        node; \
    logic [1:0]             perm; \
    logic [7:0]             bits; \
    lockwalk_pkg::reach_e   reach; \
    logic [2:0]             position; \
  }

// What a line says to the walk that asked for it (R7.4, R7.5). With `descends` its PTE names the node that is
// read next, `frame`; else the walk ends with this kind, on the page `pfn` if it is a translation.
`define LW_STEP_T(PfnW) \
  struct packed { \
    logic                             descends; \
    logic [3:0]                       kind; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  frame; \
    logic [PfnW-1:0]                  pfn; \
    logic [1:0]                       size; \
    logic [1:0]                       perm; \
    logic [1:0]                       pte_perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// A page walker's state, the PWST (R7.1): its walk, and for a finished one how it has ended.
`define LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW) \
  struct packed { \
    lockwalk_pkg::walker_state_e     state; \
    logic                            started; \
    logic                            stale; \
    logic [IdW-1:0]                  id; \
    logic [SrcW-1:0]                 src; \
    logic [SlotW-1:0]                slot; \
    `LW_WALK_T(VpnW, PasidW, PfnW)   walk; \
    logic [3:0]                      kind; \
    logic [2:0]                      flevel; \
    logic [1:0]                      size; \
  }

// What the counters and the invalidation want to know of the walkers (R12.5, R12.6); causes are, lowest
// first, page walk cache, CAM, memory port, memory and response queue.
`define LW_WALKERS_COUNT_T(CountW) \
  struct packed { \
    logic [4:0][CountW-1:0] cause; \
    logic [CountW-1:0]      idle; \
    logic [CountW-1:0]      started; \
    logic [2:0]             coalesced_levels; \
    logic                   stray; \
  }

// A lookup that enters the page walk cache (R6.1).
`define LW_PWC_ENTER_T(WalkerW) \
  struct packed { \
    logic               valid; \
    logic [WalkerW-1:0] walker; \
  }

// The result of one: after a hit, the node of this level with the permissions and CONTIG above it.
`define LW_PWC_RESULT_T(PfnW, WalkerW) \
  struct packed { \
    logic                             valid; \
    logic [WalkerW-1:0]               walker; \
    logic                             hit; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// A fill of the page walk cache (R6.5): a PTE of this level in the node `parent`, which names `node`. `perm`
// is what all levels down to it permit, `pte_perm` what it does alone.
`define LW_PWC_FILL_T(VpnW, PasidW, PfnW) \
  struct packed { \
    logic                             valid; \
    logic [2:0]                       level; \
    `LW_KEY_T(VpnW, PasidW)           key; \
    logic [PfnW-1:0]                  parent; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [1:0]                       pte_perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// What a lookup finds in the tables of the page walk cache: as in its result, and in which entry.
`define LW_PWC_HIT_T(PfnW, EntryW) \
  struct packed { \
    logic                             valid; \
    logic [EntryW-1:0]                entry; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// An entry of the page walk cache that is named: for a touch of its rank, or for the place of a fill.
`define LW_PWC_PLACE_T(EntryW) \
  struct packed { \
    logic              valid; \
    logic [EntryW-1:0] entry; \
  }

// How a walk has ended, in a walker or in an entry. The page's frame is `base` and what the page's
// place in its reach adds (R10.2); `level` is a fault's level, or the LINKS of a translation.
`define LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW) \
  struct packed { \
    logic                             valid; \
    logic                             stale; \
    logic [IdW-1:0]                   id; \
    logic [SrcW-1:0]                  src; \
    `LW_KEY_T(VpnW, PasidW)           key; \
    logic [1:0]                       access; \
    logic [3:0]                       kind; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  base; \
    logic [1:0]                       size; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// The answer that enters the walk queue (R10.2): the response, the epoch in which it was chosen (R10.6), and
// what the first-fault record wants to know.
`define LW_ANSWER_T(VpnW, PasidW, PfnW, IdW, SrcW) \
  struct packed { \
    logic                      valid; \
    logic                      epoch; \
    `LW_RESPONSE_T(IdW, PfnW)  response; \
    logic [SrcW-1:0]           src; \
    `LW_KEY_T(VpnW, PasidW)    key; \
    logic [1:0]                access; \
  }

// ---------------------------------------------------------------- subregions (section 16)

// A check that a scan asks for (R16.1): the subregion's number and frame, CONTIG's bits for its
// neighbours, and the node that holds their heads.
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
  }

// A read of the head PTE of a subregion, which the check asks the walkers' memory port for (R16.6).
`define LW_HEAD_T(PfnW) \
  struct packed { \
    logic            valid; \
    logic [2:0]      place; \
    logic [PfnW-1:0] node; \
  }

// An access of the memory subregion cache, or none (R16.4, R16.9).
`define LW_MSC_ACCESS_T(VpnW, PasidW) \
  struct packed { \
    logic              look; \
    logic              fill; \
    logic [PasidW-1:0] pasid; \
    logic [VpnW-10:0]  frame; \
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

`endif
