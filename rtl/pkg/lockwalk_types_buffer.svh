// The structs of the IOMMU buffer (chapters 4 and 5): a part of lockwalk_types.svh, which says how these are meant
// and is to be included instead.

// A miss on its way into the buffer (R4.2, R4.12); `stale` says that its PASID had no root when a mark met it (R4.10).
`define LW_MISS_T(VpnW, PasidW, IdW, SrcW) \
  struct packed { \
    logic                   valid; \
    logic [IdW-1:0]         id; \
    logic [SrcW-1:0]        src; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [1:0]             access; \
    logic                   stale; \
  }

// An entry as the read port shows it (R5.18); `changing` says that the operation in update may change it (R5.19).
`define LW_ENTRY_T(VpnW, PasidW, IdW, SrcW) \
  struct packed { \
    logic [IdW-1:0]          id; \
    logic [SrcW-1:0]         src; \
    `LW_KEY_T(VpnW, PasidW)  key; \
    logic [1:0]              access; \
    logic                    done; \
    logic                    stale; \
    logic [2:0]              cl; \
    logic [2:0]              pl; \
    logic                    changing; \
  }

// What is kept of all entries as one bit an entry, or as bit planes; the index of an entry is its slot.
`define LW_FLAGS_T(Entries) \
  struct packed { \
    logic [Entries-1:0]      valid; \
    logic [Entries-1:0]      picked; \
    logic [Entries-1:0]      done; \
    logic [Entries-1:0]      stale; \
    logic [Entries-1:0]      batch; \
    logic [Entries-1:0]      alone; \
    logic [2:0][Entries-1:0] cl; \
    logic [2:0][Entries-1:0] pl; \
  }

// What the search has found of all entries: the neighbours at the operation's level and those of its claim (R4.4),
// and where in its line each has its own PTE (R9.4).
`define LW_NEAR_T(Entries) \
  struct packed { \
    logic [Entries-1:0]      level; \
    logic [Entries-1:0]      claim; \
    logic [2:0][Entries-1:0] position; \
  }

// What an entry has learnt from a line of the line store (R9.10, R9.11): of the node that its walk goes on from, and
// for its answer; `links` are those of both groups of the line.
`define LW_LEARNT_NODE_T(PfnW) \
  struct packed { \
    logic [PfnW-1:0]                  frame; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

`define LW_LEARNT_T(PfnW) \
  struct packed { \
    logic [PfnW-1:0]                  frame; \
    logic [1:0]                       perm; \
    logic [1:0]                       size; \
    logic [1:0][2:0]                  links; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// The entry that is picked in this cycle (R5.2).
`define LW_PICK_T(SlotW) \
  struct packed { \
    logic             valid; \
    logic [SlotW-1:0] slot; \
  }

// What a walker does with the entry that it has read: give it back (R5.7) or commit to it (R5.8). Beside it, with
// `hit`, the entry of another walker leaves by its second lookup (R5.28).
`define LW_DECISION_T(SlotW) \
  struct packed { \
    logic             give_back; \
    logic             commit; \
    logic [SlotW-1:0] slot; \
    logic             hit; \
    logic [SlotW-1:0] hit_slot; \
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
// entries: `position` is that of the walker's own PTE, `error` that it teaches nobody, `failed` that memory has given
// an error for it.
`define LW_CAM_OP_T(VpnW, PasidW) \
  struct packed { \
    lockwalk_pkg::cam_op_e  op; \
    `LW_KEY_T(VpnW, PasidW) key; \
    logic [2:0]             level; \
    lockwalk_pkg::reach_e   reach; \
    logic [2:0]             position; \
    logic                   error; \
    logic                   failed; \
    logic [1:0]             perm; \
    lockwalk_pkg::claim_t   claim; \
  }

// A line of eight PTEs, decoded (R1.3, R1.6, R1.7), with the SIZE of each (R21.11), and the LINKS of its two groups
// (R1.14).
`define LW_LINE_T(PfnW) \
  struct packed { \
    lockwalk_pkg::verdict_t [7:0]          verdict; \
    logic [7:0][PfnW-1:0]                  frame; \
    logic [7:0][lockwalk_pkg::ContigW-1:0] contig; \
    logic [7:0][1:0]                       size; \
    logic [1:0][2:0]                       links; \
  }
