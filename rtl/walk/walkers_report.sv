// What the page walkers show of themselves: the answer of the one in RESP that has taken its entry first (R10.2), and
// how many are in which state, for the counters (R12.5, R12.6). Combinational.
`include "lockwalk_types.svh"

module walkers_report
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW    = 36,
  parameter int unsigned PfnW    = 36,
  parameter int unsigned PasidW  = 4,
  parameter int unsigned IdW     = 12,
  parameter int unsigned SrcW    = 6,
  parameter int unsigned SlotW   = 8,
  parameter int unsigned Walkers = 8,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned CountW  = $clog2(Walkers + 1),
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type pwst_t   = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW),
  localparam type result_t = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type counts_t = `LW_WALKERS_COUNT_T(CountW)
) (
  input  pwst_t              pwst_i [Walkers],
  input  logic [Walkers-1:0] in_resp_i,
  input  logic [WalkerW-1:0] answering_i,  // whose answer it is, if one is in RESP
  input  logic               stray_i,
  input  logic [2:0]         coalesced_levels_i,
  output result_t            result_o,
  output counts_t            counts_o
);

  logic [Walkers-1:0] idle, in_pwc, in_cam, in_req, in_mem;

  for (genvar w = 0; w < Walkers; w++) begin : gen_states
    assign idle[w]    = pwst_i[w].state == WalkerIdle;
    assign in_pwc[w]  = pwst_i[w].state == WalkerPwcReq || pwst_i[w].state == WalkerPwcWait;
    assign in_cam[w]  = pwst_i[w].state == WalkerRead || pwst_i[w].state == WalkerCam;
    assign in_req[w]  = pwst_i[w].state == WalkerReq;
    assign in_mem[w]  = pwst_i[w].state == WalkerMem;
  end

  assign counts_o = '{
    cause: {CountW'($countones(in_resp_i)), CountW'($countones(in_mem)),
            CountW'($countones(in_req)), CountW'($countones(in_cam)),
            CountW'($countones(in_pwc))},
    idle:             CountW'($countones(idle)),
    coalesced_levels: coalesced_levels_i,
    stray:            stray_i
  };

  pwst_t answering;

  assign answering = pwst_i[answering_i];
  assign result_o  = '{
    valid:  |in_resp_i,
    stale:  answering.stale,
    id:     answering.id,
    src:    answering.src,
    key:    answering.walk.key,
    access: answering.walk.access,
    kind:   answering.kind,
    level:  answering.flevel,
    base:   answering.walk.node,
    size:   answering.size,
    perm:   answering.walk.perm,
    contig: answering.walk.contig
  };

  // Of the walker that answers only the answer is told.
  logic unused;
  assign unused = ^answering;

endmodule
