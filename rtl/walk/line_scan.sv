// The scan of a line (R9.2): whose line it is, what it says to that walker's walk (walk_step),
// and what comes of it for others. The CAM takes it if the walk is not stale; the page walk
// cache may get a fill (R6.5), the contiguity check a job (R16.1) or the line of a head which
// it has asked for (R16.7), and the answer port the answer of a walk that ends (R10.13); of a
// bucket that is read the step cache gets the steps (R21.14).
//
// Combinational. Of the answer only `valid` and the verdict wait for the line.
`include "lockwalk_types.svh"

module line_scan
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter int unsigned SlotW      = 8,
  parameter int unsigned Walkers    = 8,
  parameter int unsigned MemTagW    = 3,
  parameter int unsigned PwcOrg     = 0,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  parameter int unsigned SlotPages  = 512,
  parameter bit          Pages64K   = 1'b0,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam bit          Hashes  = PwcOrg == 2,
  localparam type key_t      = `LW_KEY_T(VpnW, PasidW),
  localparam type pwst_t     = `LW_PWST_T(VpnW, PasidW, PfnW, IdW, SrcW, SlotW),
  localparam type scan_t     = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type line_t     = `LW_LINE_T(PfnW),
  localparam type line_of_t  = `LW_LINE_OF_T(Walkers),
  localparam type mem_rsp_t  = `LW_MEM_RSP_T(MemTagW),
  localparam type step_t     = `LW_STEP_T(PfnW),
  localparam type pwc_fill_t = `LW_PWC_FILL_T(VpnW, PasidW, PfnW),
  localparam type step_fill_t = `LW_STEP_FILL_T(VpnW, PasidW),
  localparam type tables_t   = `LW_TABLES_T(Pasids, PfnW),
  localparam type check_t    = `LW_CHECK_T(VpnW, PasidW, PfnW),
  localparam type result_t   = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW)
) (
  input  features_t          features_i,
  input  tables_t            tables_i,
  input  logic               mark_i,
  input  pwst_t              pwst_i [Walkers],
  input  logic [Walkers-1:0] met_i,          // by a mark of this cycle
  input  logic [Walkers-1:0] in_mem_i,
  // The line register, whose line it is, and the access of its walker.
  input  mem_rsp_t           line_i,
  input  line_of_t           line_of_i,
  input  scan_t              scan_i,
  // The walker that takes the line, one-hot or none, and that the CAM does too; what the line says.
  output logic [Walkers-1:0] scanned_o,
  output logic               on_cam_o,
  output line_t              line_o,         // decoded
  output step_t              step_o,
  output pwc_fill_t          pwc_fill_o,
  output step_fill_t         step_fill_o,
  output hashed_counts_t     hashed_counts_o,
  output check_t             check_o,
  output head_line_t         head_line_o,
  output result_t            result_o
);

  pwst_t              walker;
  logic [Walkers-1:0] stale;

  always_comb begin
    walker = '0;
    for (int unsigned w = 0; w < Walkers; w++) begin
      stale[w] = pwst_i[w].stale;
      walker  |= pwst_i[w] & {$bits(pwst_t) {line_of_i.walker[w]}};
    end
  end

  assign scanned_o = line_of_i.walker & in_mem_i;              // R9.2
  assign on_cam_o  = |(scanned_o & ~stale & ~met_i);  // R9.2, R11.7

  logic          group;
  logic [63:0]   steps;
  step_contigs_t contigs;

  walk_step #(
    .VpnW(VpnW), .PaWidth(PaWidth), .PasidW(PasidW), .Subregions(Subregions), .Colt(Colt),
    .Hashes(Hashes), .SlotPages(SlotPages), .Pages64K(Pages64K)
  ) u_step (
    .features_i,
    .scan_i,
    .position_i(line_of_i.position),
    .line_i    (line_i.data),
    .error_i   (line_i.error),
    .victim_valid_i(tables_i.victim_valid[scan_i.key.pasid]),
    .victim_frame_i(tables_i.victim_frame[scan_i.key.pasid]),
    .line_o,
    .step_o,
    .group_o   (group),
    .steps_o   (steps),
    .contigs_o (contigs)
  );

  // ---------------------------------------------------------------- the page walk cache

  logic fill_barred;  // R6.15

  assign fill_barred = Hashes || (PwcOrg == 1 && (mark_i || walker.no_fill));  // R21.1
  assign pwc_fill_o  = '{
    valid:    on_cam_o && step_o.descends && features_i.pwc_enable && !fill_barred,
    level:    scan_i.level,
    key:      scan_i.key,
    parent:   scan_i.node,
    node:     step_o.frame,
    perm:     step_o.perm,
    pte_perm: step_o.pte_perm,
    contig:   step_o.contig
  };

  // ---------------------------------------------------------------- hashed tables

  assign step_fill_o = '{  // R21.14
    valid:   Hashes && on_cam_o && scan_i.where == WhereSteps && !line_i.error && group &&
             features_i.pwc_enable,
    key:     scan_i.key,
    steps:   steps,
    contigs: contigs
  };

  logic counted;  // R21.17: a stale walker's scan too

  assign counted         = Hashes && |scanned_o;
  assign hashed_counts_o = '{
    step_read:   counted && scan_i.where == WhereSteps,
    table_read:  counted && is_slot(scan_i.where),
    victim_walk: counted && step_o.turns && step_o.turn.where == WhereVictim,
    victim_read: counted && scan_i.where == WhereVictim,
    tag_miss:    counted && step_o.strays,
    step_retry:  counted && step_o.turns && step_o.turn.retried && !scan_i.retried
  };

  // ---------------------------------------------------------------- the contiguity check

  // A check is worth it if a neighbouring subregion is contiguous too.
  logic [9:0] around;  // C7..C0 with a clear place on either side
  logic [3:0] place;

  assign around  = {1'b0, scan_i.bits, 1'b0};
  assign place   = 4'(scan_i.key.vpn[8:6]);
  assign check_o = '{
    valid:    on_cam_o && scan_i.reach == ReachSubregion && step_o.kind == KindOk &&
              (around[place] || around[place+4'd2]),
    pasid:    scan_i.key.pasid,
    vsn:      scan_i.key.vpn[VpnW-1:6],
    bits:     scan_i.bits,
    node:     scan_i.node,
    pfn:      step_o.frame,
    perm:     step_o.perm,
    pte_perm: step_o.pte_perm,
    of_slot:  Hashes && scan_i.where != WhereRadix
  };

  // Above the walkers' tags are those of the eight heads (R16.6).
  assign head_line_o = '{
    valid: Subregions && line_i.valid && 32'(line_i.tag) >= Walkers &&
           32'(line_i.tag) < Walkers + 8,
    place: 3'(32'(line_i.tag) - Walkers),
    error: line_i.error,
    sized: Hashes && line_i.data[10:9] != 2'd0,  // R20.4, of PTE 0
    tag:   Hashes ? carried_tag(line_i.data) : '0
  };

  // ---------------------------------------------------------------- the answer (R7.4, R10.13)

  logic ok;

  assign ok       = step_o.kind == KindOk;
  assign result_o = '{
    valid:  |scanned_o && !step_o.descends && !(Hashes && step_o.turns),
    stale:  walker.stale,
    id:     walker.id,
    src:    walker.src,
    key:    scan_i.key,
    access: scan_i.access,
    kind:   step_o.kind,
    level:  step_o.level,
    base:   step_o.pfn,
    size:   step_o.size,
    perm:   ok ? step_o.perm : 2'd0,
    contig: (ok && scan_i.level == 3'd1) ? walker.walk.contig : '0
  };

  logic unused;  // a part of each is not asked
  assign unused = ^{scan_i, step_o, walker, tables_i, group, steps, contigs};

endmodule
