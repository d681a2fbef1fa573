// The structs of the walks (chapters 6 to 10): a part of lockwalk_types.svh, which says how these are meant and is to
// be included instead.

// Where a walk stands: for whom, and the node whose PTE of this level it reads next.
`define LW_WALK_T(VpnW, PasidW, PfnW) \
  struct packed { \
    `LW_KEY_T(VpnW, PasidW)           key; \
    logic [1:0]                       access; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
    lockwalk_pkg::hashed_walk_t       hashed; \
  }

// What comes of a look (R5.20) at this entry, beside what is decided of the entry: if it looks in vain; if a mark of
// the cycle meets the entry's PASID; where its walk starts (R5.4), after a lookup of the page walk cache if one is due
// (R5.5), and if there is a root (R5.9); and how many levels others have walked for it, if it starts now.
`define LW_LOOK_T(VpnW, PasidW, PfnW, IdW, SrcW) \
  struct packed { \
    logic                                valid; \
    logic                                in_vain; \
    `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW) entry; \
    logic                                met; \
    `LW_WALK_T(VpnW, PasidW, PfnW)       walk; \
    logic                                due; \
    logic                                root_known; \
    logic [2:0]                          coalesced_levels; \
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
    lockwalk_pkg::where_e   where; \
    logic                   retried; \
  }

// Whose line is in the line register, one-hot or none, and where in it that walker's PTE is, one-hot: decoded as the
// line comes.
`define LW_LINE_OF_T(Walkers) \
  struct packed { \
    logic [Walkers-1:0] walker; \
    logic [7:0]         position; \
  }

// Where a walk of a hashed table goes on (R21.9, R21.10); `retried` and `contig` are what RETRIED and CONTIG become.
`define LW_TURN_T(PfnW) \
  struct packed { \
    lockwalk_pkg::where_e             where; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic                             retried; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
  }

// What a line says to the walk that asked for it (R7.4, R7.5). With `descends` its PTE names the node that is
// read next, `frame`; else the walk ends with this kind, on the page `pfn` if it is a translation. In a hashed table it
// may turn instead, whatever the PTE says (R21.9): with `turns` the walk goes on as `turn` says. `strays` says that a
// slot has another's tag.
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
    logic                             strays; \
    logic                             turns; \
    `LW_TURN_T(PfnW)                  turn; \
  }

// A page walker's row of the page walk service table (PWST, R7.1): its walk, and of a finished one how it has ended.
`define LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW) \
  struct packed { \
    lockwalk_pkg::walker_state_e     state; \
    logic                            started; \
    logic                            stale; \
    logic                            tried; \
    logic                            own_line; \
    logic                            no_fill; \
    logic [IdW-1:0]                  id; \
    logic [SrcW-1:0]                 src; \
    logic [SlotW-1:0]                slot; \
    `LW_WALK_T(VpnW, PasidW, PfnW)   walk; \
    logic [3:0]                      kind; \
    logic [2:0]                      flevel; \
    logic [1:0]                      size; \
  }

// The walkers that are in each of these states, a bit each.
`define LW_IN_STATES_T(Walkers) \
  struct packed { \
    logic [Walkers-1:0] idle; \
    logic [Walkers-1:0] pwc_req; \
    logic [Walkers-1:0] cam; \
    logic [Walkers-1:0] req; \
    logic [Walkers-1:0] mem; \
    logic [Walkers-1:0] resp; \
  }

// What the counters and the invalidation want to know of the walkers (R12.5, R12.6); causes are, lowest
// first, page walk cache, CAM, memory port, memory and response queue.
`define LW_WALKERS_COUNT_T(CountW) \
  struct packed { \
    logic [4:0][CountW-1:0] cause; \
    logic [CountW-1:0]      idle; \
    logic [2:0]             coalesced_levels; \
    logic                   stray; \
  }

// A lookup that enters the page walk cache (R6.1); its walker is one-hot, since the tables are told of it at once.
`define LW_PWC_ENTER_T(Walkers) \
  struct packed { \
    logic               valid; \
    logic [Walkers-1:0] walker; \
  }

// The result of one: after a hit, the node of this level with the permissions and CONTIG above it. Of the step cache
// it is where the walk goes on, hit or miss, with this node, level and bucket, and what it has for CONTIG (R21.7).
`define LW_PWC_RESULT_T(PfnW, WalkerW) \
  struct packed { \
    logic                             valid; \
    logic [WalkerW-1:0]               walker; \
    logic                             hit; \
    logic [2:0]                       level; \
    logic [PfnW-1:0]                  node; \
    logic [1:0]                       perm; \
    logic [lockwalk_pkg::ContigW-1:0] contig; \
    lockwalk_pkg::hashed_walk_t       hashed; \
  }

// A fill of the step cache (R21.14): the steps of the group of this page, 16 times present and step (R20.8), and the
// contiguity bits of its regions.
`define LW_STEP_FILL_T(VpnW, PasidW) \
  struct packed { \
    logic                        valid; \
    `LW_KEY_T(VpnW, PasidW)      key; \
    logic [63:0]                 steps; \
    lockwalk_pkg::step_contigs_t contigs; \
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
