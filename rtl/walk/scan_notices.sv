// What a scan tells the neighbours of the walkers: the page walk cache a fill (R6.5), the contiguity check a
// job (R16.1), or that the line is that of a head which the check has asked for (R16.7).
//
// Combinational. The line itself goes to the check decoded, with the CAM's operation.
`include "lockwalk_types.svh"

module scan_notices
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter int unsigned MemTagW    = 3,
  parameter bit          Subregions = 1'b0,
  localparam type key_t      = `LW_KEY_T(VpnW, PasidW),
  localparam type scan_t     = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type step_t     = `LW_STEP_T(PfnW),
  localparam type pwc_fill_t = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type check_t    = `LW_CHECK_T(VpnW, PasidW, PfnW)
) (
  input  logic               pwc_enable_i,
  input  logic               fill_barred_i, // R6.15
  input  logic               line_valid_i,
  input  logic [MemTagW-1:0] line_tag_i,
  input  logic               line_error_i,
  input  logic               scan_valid_i,  // the line is that of a walker whose walk is not stale
  input  scan_t              scan_i,
  input  step_t              step_i,
  output pwc_fill_t          pwc_fill_o,
  output check_t             check_o,
  output head_line_t         head_line_o
);

  assign pwc_fill_o = '{
    valid:    scan_valid_i && step_i.descends && pwc_enable_i && !fill_barred_i,
    level:    scan_i.level,
    key:      scan_i.key,
    parent:   scan_i.node,
    node:     step_i.frame,
    perm:     step_i.perm,
    pte_perm: step_i.pte_perm,
    contig:   step_i.contig
  };

  // A check is worth it if a neighbouring subregion is contiguous too.
  logic [9:0] around;  // C7..C0 with a clear place on either side
  logic [3:0] place;

  assign around  = {1'b0, scan_i.bits, 1'b0};
  assign place   = 4'(scan_i.key.vpn[8:6]);
  assign check_o = '{
    valid:    scan_valid_i && scan_i.reach == ReachSubregion && step_i.kind == KindOk &&
              (around[place] || around[place+4'd2]),
    pasid:    scan_i.key.pasid,
    vsn:      scan_i.key.vpn[VpnW-1:6],
    bits:     scan_i.bits,
    node:     scan_i.node,
    pfn:      step_i.frame,
    perm:     step_i.perm,
    pte_perm: step_i.pte_perm
  };

  // Above the walkers' tags are those of the eight heads (R8.1).
  assign head_line_o = '{
    valid: Subregions && line_valid_i && 32'(line_tag_i) >= Walkers &&
           32'(line_tag_i) < Walkers + 8,
    place: 3'(32'(line_tag_i) - Walkers),
    error: line_error_i
  };

  logic unused;
  assign unused = ^{scan_i, step_i};  // a part of each is not asked

endmodule
