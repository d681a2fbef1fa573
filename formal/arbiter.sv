// The rotating arbiter (R0.4, R8.1): it grants only who asks, the first at or above the pointer, and where the pointer
// moves behind the grant, as in the walkers' memory port, nobody who keeps asking waits longer than Width grants.
module arbiter_formal #(
  parameter int unsigned Width = 3,
  localparam int unsigned IndexW = (Width == 1) ? 1 : $clog2(Width)
) (
  input logic              clk_i,
  input logic [Width-1:0]  request_i,
  input logic              take_i,     // the grant is taken in this cycle
  input logic [IndexW-1:0] patient_i
);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [IndexW-1:0] pointer_q, granted, patient_q;
  logic              grant;
  logic [IndexW:0]   waited_q;  // grants that others got while the patient one asked

  rotating_arbiter #(
    .Width(Width)
  ) dut (
    .request_i,
    .pointer_i(pointer_q),
    .index_o  (granted)
  );

  assign grant = take_i && |request_i;

  // The patient one: any, but always the same.
  always_ff @(posedge clk_i) if (!rst_ni) patient_q <= patient_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pointer_q <= '0;
      waited_q  <= '0;
    end else begin
      if (grant) pointer_q <= (32'(granted) == Width - 1) ? '0 : granted + IndexW'(1);
      if (!request_i[patient_q] || (grant && granted == patient_q)) waited_q <= '0;
      else if (grant) waited_q <= waited_q + (IndexW + 1)'(1);
    end
  end

  // The one at this place comes before the granted one, counted from the pointer.
  function automatic logic comes_before(int unsigned place, int unsigned other, int unsigned pointer);
    return (place + Width - pointer) % Width < (other + Width - pointer) % Width;
  endfunction

  logic [Width-1:0] earlier;
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) begin
      earlier[i] = request_i[i] && comes_before(i, 32'(granted), 32'(pointer_q));
    end
  end

  assume property (@(posedge clk_i) disable iff (!rst_ni) 32'(patient_q) < Width);

  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(granted) < Width);
  assert property (@(posedge clk_i) disable iff (!rst_ni) request_i == '0 || request_i[granted]);
  assert property (@(posedge clk_i) disable iff (!rst_ni) request_i == '0 || earlier == '0);
  assert property (@(posedge clk_i) disable iff (!rst_ni) 32'(waited_q) < Width);

endmodule
