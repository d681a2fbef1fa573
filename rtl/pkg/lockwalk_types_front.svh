// The structs of the unified TLB (chapter 3): a part of lockwalk_types.svh, which says how these are meant and is to be
// included instead.

// What the TLB decides on a request (R3.2): a hit, a miss, or a fault of this kind. What a hit does not
// say is zero (R3.3, R3.15). A second hit says what a hit says, and is none (LW_SECOND_END_T).
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

// A second lookup, of an entry that is to walk (R5.26). `turn` says that the cycle is one's: no request is taken in it
// (R2.4), whether there is one, `valid`, or not.
`define LW_SECOND_T(IdW, SrcW, WalkerW) \
  struct packed { \
    logic                    turn; \
    logic                    valid; \
    logic [WalkerW-1:0]      walker; \
    `LW_REQUEST_T(IdW, SrcW) request; \
  }

// How one is decided, if one is: as a second hit or a second miss (R5.28).
`define LW_SECOND_END_T(WalkerW) \
  struct packed { \
    logic               hit; \
    logic               miss; \
    logic [WalkerW-1:0] walker; \
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

// Where the fill of the next cycle goes, if there is one (R3.20): its VPN, and whether it is of class 1.
`define LW_TOLD_FILL_T(VpnW) \
  struct packed { \
    logic            span; \
    logic [VpnW-1:0] vpn; \
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
