// Watches the step cache: a mark leaves no entry of an address space that it meets (R21.15).
module step_cache_checker #(
  parameter int unsigned PasidW     = 4,
  parameter int unsigned PwcEntries = 32
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  mark_valid,
  input logic                  mark_all,
  input logic                  mark_one,
  input logic [PasidW-1:0]     mark_pasid,
  input logic [PwcEntries-1:0] valid_q,
  input logic [PasidW-1:0]     pasid_q [PwcEntries]
);

  // The mark of the cycle before.
  logic              marked_q, all_q;
  logic [PasidW-1:0] marked_pasid_q;
  logic [PwcEntries-1:0] left;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {marked_q, all_q, marked_pasid_q} <= '0;
    end else begin
      marked_q       <= mark_valid && (mark_all || mark_one);
      all_q          <= mark_all;
      marked_pasid_q <= mark_pasid;
    end
  end

  always_comb begin
    for (int unsigned e = 0; e < PwcEntries; e++) begin
      left[e] = marked_q && valid_q[e] && (all_q || pasid_q[e] == marked_pasid_q);
    end
  end

  mark_clears : assert property (@(posedge clk_i) disable iff (!rst_ni) left == '0)
  else $error("R21.15: a mark has left the entries %b of the step cache", left);

endmodule

bind step_cache step_cache_checker #(
  .PasidW    (PasidW),
  .PwcEntries(PwcEntries)
) u_checker (
  .clk_i,
  .rst_ni,
  .mark_valid(mark_i.valid),
  .mark_all  (mark_i.all),
  .mark_one  (mark_i.one),
  .mark_pasid(mark_i.pasid),
  .valid_q,
  .pasid_q
);
