// Where a walk of a hashed table reads next (chapter 21), in the place of the page walk cache: one pipeline of lookups
// (R6.1), the step cache, and behind it the hash unit.
//
// A lookup is compared four stages before its result: the key register is loaded with its walker's registers the cycle
// before, so that with the least latency it is compared in the first stage. Every lookup has a result, of which its
// walker is told a cycle after the last stage. A fill waits a cycle in the fill register and is written in the next.
`include "lockwalk_types.svh"

module step_lookup
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter int unsigned PwcEntries = 32,
  parameter int unsigned PwcLatency = 4,  // 4..8
  parameter bit          Subregions = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type roots_t  = `LW_ROOTS_T(Pasids, PfnW),
  localparam type tables_t = `LW_TABLES_T(Pasids, PfnW),
  localparam type walk_t   = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type enter_t  = `LW_PWC_ENTER_T(Walkers),
  localparam type found_t  = `LW_PWC_RESULT_T(PfnW, WalkerW),
  localparam type fill_t   = `LW_STEP_FILL_T(VpnW, PasidW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  features_t          features_i,
  input  roots_t             roots_i,
  input  tables_t            tables_i,
  input  enter_t             enter_i,
  // The walk of the walker whose lookup is compared in the next cycle.
  output logic [WalkerW-1:0] walker_o,
  input  walk_t              walk_i,
  output found_t             result_o,
  input  fill_t              fill_i,
  input  mark_t              mark_i
);

  // ---------------------------------------------------------------- the pipeline (R6.1)

  localparam int unsigned Last    = PwcLatency - 1;
  localparam int unsigned Compare = PwcLatency - 4;  // PWC_LATENCY - 3, counted from zero

  logic               pipe_valid  [PwcLatency];  // the stages, the first one lowest
  logic [WalkerW-1:0] pipe_walker [PwcLatency];
  logic               key_load;

  lookup_pipe #(
    .Walkers(Walkers),
    .Stages (PwcLatency),
    .Compare(Compare)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .enter_i,
    .valid_o        (pipe_valid),
    .walker_o       (pipe_walker),
    .coming_valid_o (key_load),
    .coming_walker_o(walker_o)
  );

  // ---------------------------------------------------------------- the key (R21.3)

  logic [VpnW-1:0]   key_vpn_q;
  logic [PasidW-1:0] key_pasid_q;
  where_e            key_where_q;
  logic [2:0]        key_step_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      key_vpn_q   <= '0;
      key_pasid_q <= '0;
      key_where_q <= WhereRadix;
      key_step_q  <= '0;
    end else if (key_load) begin
      key_vpn_q   <= walk_i.key.vpn;
      key_pasid_q <= walk_i.key.pasid;
      key_where_q <= walk_i.hashed.where;
      key_step_q  <= walk_i.node[2:0];
    end
  end

  // ---------------------------------------------------------------- the fill register (R21.14)

  logic              pwc_fill_valid_q;
  logic [VpnW-1:0]   pwc_fill_vpn_q;
  logic [PasidW-1:0] pwc_fill_pasid_q;
  logic [63:0]       pwc_fill_steps_q;
  logic [15:0]       pwc_fill_ac_q;
  logic [63:0]       pwc_fill_low_c_q;
  logic [63:0]       pwc_fill_high_c_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pwc_fill_valid_q  <= 1'b0;
      pwc_fill_vpn_q    <= '0;
      pwc_fill_pasid_q  <= '0;
      pwc_fill_steps_q  <= '0;
      pwc_fill_ac_q     <= '0;
      pwc_fill_low_c_q  <= '0;
      pwc_fill_high_c_q <= '0;
    end else begin
      pwc_fill_valid_q <= fill_i.valid;
      if (fill_i.valid) begin
        pwc_fill_vpn_q    <= fill_i.key.vpn;
        pwc_fill_pasid_q  <= fill_i.key.pasid;
        pwc_fill_steps_q  <= fill_i.steps;
        pwc_fill_ac_q     <= Subregions ? fill_i.contigs.ac : '0;
        pwc_fill_low_c_q  <= Subregions ? fill_i.contigs.c[7:0] : '0;
        pwc_fill_high_c_q <= Subregions ? fill_i.contigs.c[15:8] : '0;
      end
    end
  end

  // ---------------------------------------------------------------- step cache and hash (R21.3 to R21.5)

  key_t               key;
  fill_t              fill;
  logic               present, hit;
  logic [2:0]         step;
  logic [ContigW-1:0] contig;

  assign key  = '{pasid: key_pasid_q, vpn: key_vpn_q};
  assign fill = '{valid: pwc_fill_valid_q, key: '{pasid: pwc_fill_pasid_q, vpn: pwc_fill_vpn_q},
                  steps: pwc_fill_steps_q,
                  contigs: '{ac: pwc_fill_ac_q, c: {pwc_fill_high_c_q, pwc_fill_low_c_q}}};

  step_cache #(
    .VpnW      (VpnW),
    .PasidW    (PasidW),
    .PwcEntries(PwcEntries),
    .Subregions(Subregions),
    .SlotPages (SlotPages)
  ) u_cache (
    .clk_i,
    .rst_ni,
    .look_i   (key),
    .present_o(present),
    .step_o   (step),
    .contig_o (contig),
    .fill_i   (fill),
    .mark_i
  );

  assign hit = present && key_where_q == WhereLookup && features_i.pwc_enable;

  where_e             where;
  logic [PfnW-1:0]    node;
  logic [5:0]         bucket;
  logic [ContigW-1:0] placed_contig;

  table_hash #(
    .VpnW      (VpnW),
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .Subregions(Subregions),
    .SlotPages (SlotPages)
  ) u_hash (
    .clk_i,
    .rst_ni,
    .roots_i,
    .tables_i,
    .home_first_i(features_i.home_first),
    .choose_i    (pipe_valid[Compare]),
    .key_i       (key),
    .where_i     (key_where_q),
    .step_i      (key_step_q),
    .hit_i       (hit),
    .hit_step_i  (step),
    .hit_contig_i(contig),
    .multiply_i  (pipe_valid[Compare+1]),
    .add_i       (pipe_valid[Compare+2]),
    .where_o     (where),
    .node_o      (node),
    .bucket_o    (bucket),
    .contig_o    (placed_contig)
  );

  // ---------------------------------------------------------------- the result (R21.6)

  logic               result_valid_q;
  logic [WalkerW-1:0] result_walker_q;
  logic               result_hit_q;
  where_e             result_where_q;
  logic [PfnW-1:0]    result_node_q;
  logic [5:0]         result_bucket_q;
  logic [ContigW-1:0] result_contig_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_valid_q  <= 1'b0;
      result_walker_q <= '0;
      result_hit_q    <= 1'b0;
      result_where_q  <= WhereRadix;
      result_node_q   <= '0;
      result_bucket_q <= '0;
      result_contig_q <= '0;
    end else begin
      result_valid_q <= pipe_valid[Last];
      if (pipe_valid[Last]) begin
        result_walker_q <= pipe_walker[Last];
        result_hit_q    <= where == WhereCached;
        result_where_q  <= where;
        result_node_q   <= node;
        result_bucket_q <= bucket;
        result_contig_q <= placed_contig;
      end
    end
  end

  // R21.7: a bucket is read at level 2, a slot at level 1; the permissions stay the walker's.
  assign result_o = '{
    valid:  result_valid_q,
    walker: result_walker_q,
    hit:    result_hit_q,
    level:  (result_where_q == WhereSteps) ? 3'd2 : 3'd1,
    node:   result_node_q,
    perm:   '0,
    contig: result_contig_q,
    hashed: '{where: result_where_q, retried: 1'b0, bucket: result_bucket_q}
  };

  // Of a walk only the page and what its walker knows are asked, of the features what concerns the cache.
  logic unused;
  assign unused = ^{walk_i, features_i};

endmodule
