// Where a walk starts (R5.4, R5.5, R5.8): of the walker that looks at the entry which was read.
//
// Combinational. A walk begins below the last PTE that others' walks have read for its entry, that of level PL,
// or at the root, as it is in the cycle of the look (R5.23). A lookup of the page walk cache comes afterwards. In a
// hashed table a lookup of the step cache always does, and a radix table has none beside it (R21.1, R21.2).
`include "lockwalk_types.svh"

module walk_start
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter bit          Subregions = 1'b0,
  parameter bit          Hashes     = 1'b0,
  localparam int unsigned Levels = VpnW / 9,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type key_t   = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t = `LW_ROOTS_T(Pasids, PfnW),
  localparam type entry_t = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW),
  localparam type learnt_t = `LW_LEARNT_NODE_T(PfnW),
  localparam type walk_t  = `LW_WALK_T(VpnW, PasidW, PfnW)
) (
  input  features_t  features_i,
  input  roots_t     roots_i,
  input  logic [Pasids-1:0] hashed_i,    // by PASID (R21.1)
  input  entry_t     entry_i,            // that was read
  input  learnt_t    learnt_i,           // and what it has learnt (R5.25)
  output walk_t      walk_o,             // where its walk starts
  output logic       due_o,              // ... after a lookup of the page walk cache
  output logic       root_known_o,       // ... if its PASID has had a page table (R5.9)
  output logic [2:0] coalesced_levels_o  // how many levels others have walked for it
);

  logic              prefetched, hashed;
  logic [PasidW-1:0] pasid;

  assign prefetched = entry_i.pl != 3'd0;
  assign pasid      = entry_i.key.pasid;
  assign hashed     = Hashes && hashed_i[pasid] && !prefetched;  // R21.2

  // R5.4
  assign walk_o = '{
    key:    entry_i.key,
    access: entry_i.access,
    level:  prefetched ? entry_i.pl - 3'd1 : 3'(Levels),
    node:   prefetched ? learnt_i.frame : roots_i.frame[pasid],
    perm:   prefetched ? learnt_i.perm : 2'b11,
    contig: (Subregions && prefetched) ? learnt_i.contig : '0,
    hashed: '{where: hashed ? WhereLookup : WhereRadix, retried: 1'b0, bucket: '0}
  };

  // R5.5, R21.2
  assign due_o = Hashes ? hashed : features_i.pwc_enable && entry_i.pl != 3'd2 &&
                                   !(prefetched && features_i.pl_skips_pwc);

  assign root_known_o       = roots_i.valid[pasid] && !entry_i.stale;
  assign coalesced_levels_o = prefetched ? 3'(Levels + 1) - entry_i.pl : '0;

  logic unused;
  assign unused = ^{features_i, entry_i, learnt_i.contig, hashed_i};  // a part of each is not asked

endmodule
