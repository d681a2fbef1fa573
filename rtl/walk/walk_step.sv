// One step of a walk: the access and its line in; the next node, the page or the fault out (R7.4, R7.5).
//
// Combinational. The line is decoded once (line_decoder), for the walk that asked as for all the entries
// that the scan will meet; here the walk's own PTE is judged with its own access (R1.6, R1.8). Another
// page-table format is another walk_step and walk_address, not another walker.
//
// In a hashed table the line may be a bucket, of which no PTE is judged, or a slot of another region: then the walk
// turns to where the region is, to the bucket or to the victim buffer, or ends where there is none (R20.12 to R20.14,
// R21.9, R21.10). A PTE in a slot is judged only if the line carries the tag of the page's region (R20.26).
`include "lockwalk_types.svh"

module walk_step
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  parameter bit          Hashes     = 1'b0,
  parameter int unsigned SlotPages  = 512,
  parameter bit          Pages64K   = 1'b0,
  localparam int unsigned PfnW   = PaWidth - 12,
  localparam int unsigned Levels = VpnW / 9,
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
  // The victim buffer of its PASID (R21.10).
  input  logic             victim_valid_i,
  input  logic [PfnW-1:0]  victim_frame_i,
  output line_t            line_o,   // decoded
  output step_t            step_o,
  // The bucket has the page's group, with these steps and contiguity bits (R21.14).
  output logic             group_o,
  output logic [63:0]      steps_o,
  output step_contigs_t    contigs_o
);

  logic in_radix;  // the line is of a radix table, and a node in it has contiguity bits (R1.10)

  assign in_radix = !Hashes || scan_i.where == WhereRadix;

  line_decoder #(
    .PaWidth   (PaWidth),
    .Subregions(Subregions),
    .Colt      (Colt),
    .Sizes     (Hashes || Pages64K)
  ) u_line_decoder (
    .line_i,
    .level_i           (scan_i.level),
    .reach_i           (scan_i.reach),
    .subregion_enable_i(features_i.subregion_enable && in_radix),
    .colt_enable_i     (features_i.colt_enable),
    .sized_i           ((Pages64K || !in_radix) && scan_i.level == 3'd1),  // R1.17
    .vpn_i             (scan_i.key.vpn[8:0]),
    .line_o
  );

  verdict_t        own;
  logic [3:0]      kind;
  logic [1:0]      own_size;
  logic [1:0]      perm;
  logic [PfnW-1:0] frame, pfn;
  logic [ContigW-1:0] contig;

  always_comb begin
    own      = '0;
    own_size = '0;
    frame    = '0;
    contig   = '0;
    for (int unsigned j = 0; j < 8; j++) begin
      if (position_i[j]) begin
        own      |= line_o.verdict[j];
        own_size |= line_o.size[j];
        frame    |= line_o.frame[j];
        contig   |= line_o.contig[j];
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

  // What the PTE says (R7.4). At level 1 SIZE is more than zero only of a sized PTE (R1.17).
  step_t judged;

  assign judged = '{
    descends: kind == KindOk && !own.leaf,
    kind:     kind,
    level:    (kind == KindOk) ? line_o.links[scan_i.key.vpn[2]] : scan_i.level,
    frame:    frame,
    pfn:      (kind == KindOk) ? pfn : '0,
    size:     (kind == KindOk) ? 2'(scan_i.level - 3'd1) | own_size : 2'd0,
    perm:     perm,
    pte_perm: own.perm,
    contig:   contig,
    strays:   1'b0,
    turns:    1'b0,
    turn:     '{where: WhereRadix, level: '0, node: '0, retried: 1'b0, contig: '0}
  };

  // ---------------------------------------------------------------- in a hashed table (R21.9)

  if (Hashes) begin : gen_hashed
    logic               of_bucket, has_tag, present, strays, leads, returns, gives_up;
    logic [2:0]         region_step;
    step_contigs_t      contigs;
    logic [ContigW-1:0] region_contig;
    logic               contiguity;  // what the bucket says of it is asked for (R20.27)

    slot_line #(
      .VpnW     (VpnW),
      .PasidW   (PasidW),
      .SlotPages(SlotPages)
    ) u_slot_line (
      .carried_i(carried_tag(line_i)),
      .key_i    (scan_i.key),
      .tagged_o (has_tag)
    );

    step_line #(
      .VpnW      (VpnW),
      .PasidW    (PasidW),
      .Subregions(Subregions),
      .SlotPages (SlotPages)
    ) u_step_line (
      .line_i,
      .key_i    (scan_i.key),
      .known_o  (group_o),
      .steps_o,
      .contigs_o(contigs),
      .present_o(present),
      .step_o   (region_step),
      .contig_o (region_contig)
    );

    assign contiguity = Subregions && features_i.subregion_enable;
    assign contigs_o  = contigs & {$bits(step_contigs_t) {contiguity}};

    // The rows of the table of scans: a bucket that leads to the region; a slot from which the walk returns to the
    // bucket, from the home and once from where a step has led it (R21.18); and what leads to the victim buffer, from
    // whose root it goes on as in a radix table (R20.10).
    logic in_vain;  // a bucket's step has led here, and a step has been wrong before

    assign of_bucket = scan_i.where == WhereSteps;
    assign strays    = is_slot(scan_i.where) && !error_i && !has_tag;
    assign in_vain   = scan_i.where == WhereKnown && scan_i.retried;
    assign leads     = of_bucket && !error_i && present;
    assign returns   = strays && !in_vain;
    assign gives_up  = (of_bucket && !error_i && !present) || (strays && in_vain);

    always_comb begin
      step_o        = judged;
      step_o.strays = strays;
      step_o.turns  = leads || returns || (gives_up && victim_valid_i);
      if (of_bucket || strays) begin
        // R20.14, R21.10: it turns, or it ends; the level of a step table and of what is nowhere is 6.
        step_o.descends = 1'b0;
        step_o.kind     = error_i ? KindMemoryError : KindNotPresent;
        step_o.level    = 3'd6;
        step_o.pfn      = '0;
        step_o.size     = '0;
      end
      step_o.turn.where   = leads ? WhereKnown : returns ? WhereSteps : WhereVictim;
      step_o.turn.level   = leads ? 3'd1 : returns ? 3'd2 : 3'(Levels);
      step_o.turn.node    = leads ? PfnW'(region_step) : returns ? scan_i.node : victim_frame_i;
      step_o.turn.retried = scan_i.retried || (returns && scan_i.where != WhereHome);
      step_o.turn.contig  = region_contig & {ContigW{leads && contiguity}};
    end
  end else begin : gen_radix
    assign step_o    = judged;
    assign group_o   = 1'b0;
    assign steps_o   = '0;
    assign contigs_o = '0;

    // A radix table has no other.
    logic unused_victim;
    assign unused_victim = ^{victim_valid_i, victim_frame_i};
  end

  // A step judges the PTE: where it lies has been used to read it.
  logic unused;
  assign unused = ^{scan_i, features_i};

endmodule
