// The order in which the ways of each set of the unified TLB were used (R3.4, R3.5, R3.7): a hit touches its way
// in the cycle of its decision, a fill its own where it is written; with bimodal insertion only some of the
// entries that are new (R3.34).
//
// Either set comes decoded a cycle before, when it is known already, so that no rank waits for a decoder.
module tlb_ranks #(
  parameter int unsigned Entries = 256,
  parameter int unsigned Ways    = 16,
  parameter int unsigned Bimodal = 0,  // 0..8: one of 2**Bimodal new entries is touched
  localparam int unsigned Sets = Entries / Ways,
  localparam int unsigned WayW = $clog2(Ways)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  // A lookup has found an entry of this set, one-hot; it is decided in the next cycle (R3.16).
  input  logic            found_i,
  input  logic [Sets-1:0] found_at_i,
  // That decision: a hit.
  input  logic            hit_i,
  input  logic [WayW-1:0] hit_way_i,
  // A fill gets its place in this set, one-hot; it is written in the next cycle (R3.17).
  input  logic            fill_i,
  input  logic [Sets-1:0] fill_at_i,
  input  logic            place_i,
  input  logic            place_write_i,  // it is not held already
  input  logic [WayW-1:0] place_way_i,
  output logic [WayW-1:0] rank_o [Entries]  // index = set x Ways + way
);

  logic [Sets-1:0] hit_set_q, place_set_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {hit_set_q, place_set_q} <= '0;
    end else begin
      if (found_i) hit_set_q <= found_at_i;
      if (fill_i) place_set_q <= fill_at_i;
    end
  end

  logic touch;

  if (Bimodal == 0) begin : gen_lru
    logic unused;
    assign unused = place_write_i;

    assign touch = place_i;
  end else begin : gen_bimodal
    logic [Bimodal-1:0] insertions_q;

    assign touch = place_i && !(place_write_i && |insertions_q);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) insertions_q <= '0;
      else if (place_i && place_write_i) insertions_q <= insertions_q + Bimodal'(1);
    end
  end

  logic [WayW-1:0]           rank_q [Entries];
  logic [Ways-1:0][WayW-1:0] hit_touched, place_touched;

  lru_sets #(
    .Entries(Entries), .Ways(Ways)
  ) u_sets (
    .rank_i     (rank_q),
    .hit_i,
    .hit_set_i  (hit_set_q),
    .hit_way_i,
    .fill_i     (touch),
    .fill_set_i (place_set_q),
    .fill_way_i (place_way_i),
    .hit_rank_o (hit_touched),
    .fill_rank_o(place_touched)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned e = 0; e < Entries; e++) rank_q[e] <= WayW'(e);
    end else begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          if (touch && place_set_q[s]) rank_q[s*Ways+w] <= place_touched[w];
          else if (hit_i && hit_set_q[s]) rank_q[s*Ways+w] <= hit_touched[w];
        end
      end
    end
  end

  assign rank_o = rank_q;

endmodule
