// The AXI reader, whatever memory does (R19.1 to R19.7): an offered burst stays, and is at the line that was asked for
// with its ID as tag; an ID has one burst at a time; a line without error is the beats of the burst that was made for
// it, all of them and in their places; each request is answered once, with the last beat that was asked for at the
// latest, and none is forgotten.
//
// One tag, any, is followed. Beats, their IDs, errors and RLAST, back-pressure and flushes are free. Assumed is what
// the unit keeps to: a tag is not asked with again before its line has come.
`include "lockwalk_types.svh"

module axi_reader_formal
  import lockwalk_pkg::*;
#(
  parameter int unsigned DataWidth = 256,
  parameter int unsigned Ids       = 2
) (
  input logic       clk_i,
  input logic       tag_i,    // the one that is followed
  input logic       flush_i,
  input logic       req_valid_i,
  input logic       req_tag_i,
  input logic       req_bit_i,  // the line's number, of which one bit tells all
  input logic       ar_ready_i,
  input logic       r_valid_i,
  input logic       r_id_i,
  input logic       r_bit_i,  // a beat's data, of which one bit tells all
  input logic [1:0] r_resp_i,
  input logic       r_last_i
);

  localparam int unsigned Beats = 512 / DataWidth;
  localparam type mem_req_t = `LW_MEM_REQ_T(1, 26);
  localparam type mem_rsp_t = `LW_MEM_RSP_T(1);

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  mem_req_t    request;
  mem_rsp_t    line;
  logic        ready, ar_valid, ar_id, r_ready;
  logic [31:0] ar_addr;

  assign request = '{valid: req_valid_i, tag: req_tag_i, line: {26{req_bit_i}}};

  axi_reader #(
    .DataWidth(DataWidth), .PaWidth(32), .Ids(Ids)
  ) dut (
    .clk_i,
    .rst_ni,
    .flush_i,
    .mem_req_i      (request),
    .mem_req_ready_o(ready),
    .mem_rsp_o      (line),
    .ar_valid_o     (ar_valid),
    .ar_ready_i,
    .ar_id_o        (ar_id),
    .ar_addr_o      (ar_addr),
    .ar_len_o       (),
    .ar_size_o      (),
    .ar_burst_o     (),
    .r_valid_i,
    .r_ready_o      (r_ready),
    .r_id_i,
    .r_data_i       (DataWidth'(r_bit_i)),
    .r_resp_i,
    .r_last_i,
    .events_o       (),
    .reading_o      ()
  );

  logic             tag_q;
  logic             held_q, held_id_q;
  logic             asked_q;       // a request waits for its line
  logic             made_q;        // ... its burst has been transferred
  logic             line_q;        // ... and was asked for at this line
  logic             old_q;         // the burst that is offered is one of before a flush
  logic             out_q;         // the ID has a burst
  logic             good_q;        // ... whose beats were good so far
  logic [3:0]       beats_q;       // ... and so many; 15 is any more
  logic [Beats-1:0] bits_q;
  logic             whole_q;       // the beat of the last cycle was the last of a whole line
  logic             ours, answered, ar_fire, req_fire;

  assign ours     = r_valid_i && r_id_i == tag_q;
  assign answered = line.valid && line.tag == tag_q;
  assign ar_fire  = ar_valid && ar_ready_i && ar_id == tag_q;
  assign req_fire = req_valid_i && ready && req_tag_i == tag_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tag_q <= tag_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {held_q, held_id_q, asked_q, made_q, line_q, old_q, out_q, good_q, beats_q, bits_q, whole_q} <= '0;
    end else begin
      held_q    <= ar_valid && !ar_ready_i;
      held_id_q <= ar_id;
      asked_q   <= !flush_i && (req_fire || (asked_q && !answered));
      made_q    <= !flush_i && !req_fire && (made_q || (ar_fire && asked_q && !old_q));
      if (req_fire) line_q <= req_bit_i;
      old_q     <= !ar_fire && (old_q || (flush_i && ar_valid && ar_id == tag_q));
      whole_q   <= ours && out_q && r_last_i && good_q && !r_resp_i[1] && 32'(beats_q) == Beats - 1;
      if (ours && out_q) begin
        if (beats_q != '1) beats_q <= beats_q + 4'd1;
        if (r_resp_i[1]) good_q <= 1'b0;
        if (r_last_i) out_q <= 1'b0;
        for (int unsigned n = 0; n < Beats; n++) if (32'(beats_q) == n) bits_q[n] <= r_bit_i;
      end
      if (ar_fire) begin
        out_q   <= 1'b1;
        good_q  <= 1'b1;
        beats_q <= '0;
      end
    end
  end

  tag_free : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !(req_valid_i && req_tag_i == tag_q && asked_q));

  stays : assert property (@(posedge clk_i) disable iff (!rst_ni) !held_q || (ar_valid && ar_id == held_id_q));
  takes_all : assert property (@(posedge clk_i) disable iff (!rst_ni) r_ready);
  one_burst : assert property (@(posedge clk_i) disable iff (!rst_ni) !ar_fire || !out_q);
  once : assert property (@(posedge clk_i) disable iff (!rst_ni) !answered || asked_q);
  whole : assert property (@(posedge clk_i) disable iff (!rst_ni)
                           !answered || line.error || (made_q && whole_q));
  of_line : assert property (@(posedge clk_i) disable iff (!rst_ni)
                             !(ar_valid && ar_id == tag_q && asked_q && !made_q && !old_q) ||
                             ar_addr[31:6] == {26{line_q}});
  aligned : assert property (@(posedge clk_i) disable iff (!rst_ni) ar_addr[5:0] == '0);
  // What has not been answered is offered, waits, or has a burst with beats to come.
  not_lost : assert property (@(posedge clk_i) disable iff (!rst_ni)
                              !asked_q || answered || (made_q ? out_q && 32'(beats_q) < Beats :
                                                       (ar_valid && ar_id == tag_q) || !ready));

  for (genvar n = 0; n < Beats; n++) begin : gen_bits
    in_place : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                !answered || line.error || line.data[n*DataWidth] == bits_q[n]);
  end

endmodule
