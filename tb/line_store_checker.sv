// Watches the line store: a line that an entry has learnt from is not written over while the entry names it (R9.12 to
// R9.14).
module line_store_checker #(
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Lines         = 16,
  parameter bit          Coalesce      = 1'b1,
  localparam int unsigned LineW = $clog2(Lines)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic                          scan_i,
  input logic [LineW-1:0]              store_tail,
  input logic                          store_open,
  input logic [BufferEntries-1:0]      valid_q,
  input logic [BufferEntries-1:0]      done_q,
  input logic [2:0][BufferEntries-1:0] pl_q,
  input logic [LineW-1:0]              line_q [BufferEntries]
);

  logic [BufferEntries-1:0] names;

  always_comb begin
    for (int unsigned e = 0; e < BufferEntries; e++) begin
      names[e] = valid_q[e] && (done_q[e] || pl_q[2][e] || pl_q[1][e] || pl_q[0][e]) &&
                 line_q[e] == store_tail;
    end
  end

  not_overwritten : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(Coalesce && scan_i && store_open) || names == '0)
  else $error("R9.12: entries %b name the line that is written over", names);

endmodule

bind iommu_buffer line_store_checker #(
  .BufferEntries(BufferEntries),
  .Lines        (Lines),
  .Coalesce     (Coalesce)
) u_store_checker (
  .clk_i,
  .rst_ni,
  .scan_i(update.op == lockwalk_pkg::CamScan),
  .store_tail,
  .store_open,
  .valid_q,
  .done_q,
  .pl_q,
  .line_q
);
