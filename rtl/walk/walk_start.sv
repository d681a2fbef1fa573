// Where a walk starts (R5.4, R5.5, R5.8): of the walker that takes the entry which was read, and of the one
// that commits to it.
//
// Combinational. A walker that takes an entry starts below the last PTE that others' walks have read for it,
// its prefetched level PL, or at the root. One that commits compares what it has found since, in the page
// walk cache, with what the entry has learnt since, and takes the lower; at the root it takes that of now (R5.23).
`include "lockwalk_types.svh"

module walk_start
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter int unsigned SlotW      = 8,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned Levels = VpnW / 9,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type key_t   = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t = `LW_ROOTS_T(Pasids, PfnW),
  localparam type entry_t = `LW_ENTRY_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type walk_t  = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type pwst_t  = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW)
) (
  input  features_t        features_i,
  input  roots_t           roots_i,
  input  entry_t           entry_i,            // that was read
  input  logic [SlotW-1:0] slot_i,             // its slot
  input  walk_t            walk_i,             // of the walker that would commit to it
  output pwst_t            taken_o,            // the walker that takes it
  output walk_t            started_o,          // where the commit starts its walk
  output logic             root_known_o,       // ... if its PASID has had a page table (R5.9)
  output logic [2:0]       coalesced_levels_o  // how many levels others have walked for it
);

  logic       prefetched, from_pl, at_root;
  logic [2:0] below_pl;

  assign prefetched = entry_i.pl != 3'd0;
  assign below_pl   = entry_i.pl - 3'd1;

  assign taken_o = '{  // R14.2: STARTED, STALE, NO_FILL, KIND, FLEVEL and SIZE
    state:   (features_i.pwc_enable && entry_i.pl != 3'd2 &&
              (prefetched ? !features_i.pl_skips_pwc : roots_i.valid[entry_i.key.pasid])) ?
             WalkerPwcReq : WalkerCam,
    started: 1'b0,
    stale:   1'b0,
    no_fill: 1'b0,
    id:      entry_i.id,
    src:     entry_i.src,
    slot:    slot_i,
    walk: '{
      key:    entry_i.key,
      access: entry_i.access,
      level:  prefetched ? below_pl : 3'(Levels),
      node:   prefetched ? entry_i.pa : roots_i.frame[entry_i.key.pasid],
      perm:   prefetched ? entry_i.perm : 2'b11,
      contig: (Subregions && prefetched) ? entry_i.contig : '0
    },
    kind:    KindOk,
    flevel:  '0,
    size:    '0
  };

  assign from_pl      = prefetched && below_pl <= walk_i.level;
  assign at_root      = !from_pl && walk_i.level == 3'(Levels);
  assign root_known_o = roots_i.valid[walk_i.key.pasid] && !entry_i.stale;
  assign started_o    = '{
    key:    walk_i.key,
    access: walk_i.access,
    level:  from_pl ? below_pl : walk_i.level,
    node:   from_pl ? entry_i.pa : (at_root ? roots_i.frame[walk_i.key.pasid] : walk_i.node),
    perm:   from_pl ? entry_i.perm : walk_i.perm,
    contig: !Subregions ? '0 : (from_pl ? entry_i.contig : walk_i.contig)
  };

  assign coalesced_levels_o = from_pl ? 3'(Levels + 1) - entry_i.pl : '0;

  logic unused;
  assign unused = ^{features_i, entry_i};  // a part of each is not asked

endmodule
