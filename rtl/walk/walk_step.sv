// One step of a walk: the access and its line in; the next node, the page or the fault out (R7.4, R7.5).
//
// Combinational. The line is decoded once (line_decoder), for the walk that asked as for all the entries
// that the scan will meet; here the walk's own PTE is judged with its own access (R1.6, R1.8). Another
// page-table format is another walk_step and walk_address, not another walker.
`include "lockwalk_types.svh"

module walk_step
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  localparam int unsigned PfnW = PaWidth - 12,
  localparam type key_t  = `LW_KEY_T(VpnW, PasidW),
  localparam type scan_t = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type line_t = `LW_LINE_T(PfnW),
  localparam type step_t = `LW_STEP_T(PfnW)
) (
  input  features_t        features_i,
  input  scan_t            scan_i,
  input  logic [7:0]       position_i,  // of its PTE in the line, one-hot
  input  logic [7:0][63:0] line_i,
  input  logic             error_i,  // memory could not read the line
  output line_t            line_o,   // decoded
  output step_t            step_o
);

  line_decoder #(
    .PaWidth   (PaWidth),
    .Subregions(Subregions),
    .Colt      (Colt)
  ) u_line_decoder (
    .line_i,
    .level_i           (scan_i.level),
    .reach_i           (scan_i.reach),
    .subregion_enable_i(features_i.subregion_enable),
    .colt_enable_i     (features_i.colt_enable),
    .line_o
  );

  verdict_t        own;
  logic [3:0]      kind;
  logic [1:0]      perm;
  logic [PfnW-1:0] frame, pfn;
  logic [lockwalk_pkg::ContigW-1:0] contig;

  always_comb begin
    own    = '0;
    frame  = '0;
    contig = '0;
    for (int unsigned j = 0; j < 8; j++) begin
      if (position_i[j]) begin
        own    |= line_o.verdict[j];
        frame  |= line_o.frame[j];
        contig |= line_o.contig[j];
      end
    end
  end

  assign kind  = error_i ? KindMemoryError : judge(own.kind, own.user, own.perm, scan_i.access);
  assign perm  = scan_i.perm & own.perm;  // R1.8

  always_comb begin  // R1.7
    pfn = frame;
    if (own.leaf && scan_i.level == 3'd2) pfn[8:0] = scan_i.key.vpn[8:0];
    if (own.leaf && scan_i.level == 3'd3) pfn[17:0] = scan_i.key.vpn[17:0];
  end

  assign step_o = '{
    descends: kind == KindOk && !own.leaf,
    kind:     kind,
    level:    (kind == KindOk) ? line_o.links[scan_i.key.vpn[2]] : scan_i.level,
    frame:    frame,
    pfn:      (kind == KindOk) ? pfn : '0,
    size:     (kind == KindOk) ? 2'(scan_i.level - 3'd1) : 2'd0,
    perm:     perm,
    pte_perm: own.perm,
    contig:   contig
  };

  // A step judges the PTE: where it lies has been used to read it.
  logic unused;
  assign unused = ^{scan_i.node, scan_i.bits, scan_i.position, features_i.pl_skips_pwc,
                    features_i.pwc_enable, features_i.mode};

endmodule
