// Watches what the reader owes its bus and the unit (chapter 19): an offered burst stays, is a line and nothing else,
// and that which was asked for with its ID as tag (R19.1), is the only one of its ID (R19.2); a line without error
// comes with the last of all its beats (R19.3, R19.16); each request is answered once. It keeps its own books, by
// what it sees at the ports alone.
module axi_read_checker #(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned PaWidth   = 48,
  parameter int unsigned TagW      = 3
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               flush_i,
  input logic               req_fire_i,
  input logic [TagW-1:0]    req_tag_i,
  input logic [PaWidth-7:0] req_line_i,
  input logic               rsp_valid_i,
  input logic [TagW-1:0]    rsp_tag_i,
  input logic               rsp_error_i,
  input logic               ar_valid_i,
  input logic               ar_ready_i,
  input logic [TagW-1:0]    ar_id_i,
  input logic [PaWidth-1:0] ar_addr_i,
  input logic [7:0]         ar_len_i,
  input logic [2:0]         ar_size_i,
  input logic [1:0]         ar_burst_i,
  input logic               r_valid_i,
  input logic               r_ready_i,
  input logic [TagW-1:0]    r_id_i,
  input logic               r_error_i,
  input logic               r_last_i
);

  localparam int unsigned Tags = 2 ** TagW;
  localparam int unsigned Line = 64;  // bytes

  logic               held_q;
  logic [TagW-1:0]    id_q;
  logic [PaWidth-1:0] addr_q;
  logic [Tags-1:0]    out_q;            // the ID has a burst
  logic [Tags-1:0]    clean_q;          // ... all of whose beats were good
  int unsigned        beats_q [Tags];   // ... of which so many have come
  int unsigned        asked_q [Tags];   // requests of this tag that have no answer yet
  logic [PaWidth-7:0] line_q   [Tags];  // ... the line of the last of them
  logic [PaWidth-7:0] before_q [Tags];  // ... and of the one before it
  logic               whole_q;          // the last cycle's beat was the last of a whole line
  logic [TagW-1:0]    whole_id_q;
  logic               ar_fire;
  int unsigned        bytes;
  logic               is_out, is_asked;  // of the ID of AR, and of the line's tag

  assign is_out   = out_q[ar_id_i];
  assign is_asked = asked_q[rsp_tag_i] != 0;
  assign ar_fire  = ar_valid_i && ar_ready_i;
  assign bytes    = (32'(ar_len_i) + 1) << ar_size_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q     <= 1'b0;
      id_q       <= '0;
      addr_q     <= '0;
      out_q      <= '0;
      clean_q    <= '0;
      whole_q    <= 1'b0;
      whole_id_q <= '0;
      for (int unsigned t = 0; t < Tags; t++) begin
        beats_q[t] <= 0;
        asked_q[t]  <= 0;
        line_q[t]   <= '0;
        before_q[t] <= '0;
      end
    end else begin
      held_q     <= ar_valid_i && !ar_ready_i;
      id_q       <= ar_id_i;
      addr_q     <= ar_addr_i;
      whole_q    <= r_valid_i && out_q[r_id_i] && r_last_i && clean_q[r_id_i] && !r_error_i &&
                    (beats_q[r_id_i] + 1) * DataWidth == 8 * Line;
      whole_id_q <= r_id_i;
      if (r_valid_i) begin
        beats_q[r_id_i] <= beats_q[r_id_i] + 1;
        if (r_error_i) clean_q[r_id_i] <= 1'b0;
        if (r_last_i) out_q[r_id_i] <= 1'b0;
      end
      if (ar_fire) begin
        out_q[ar_id_i]   <= 1'b1;
        clean_q[ar_id_i] <= 1'b1;
        beats_q[ar_id_i] <= 0;
      end
      if (req_fire_i) begin
        line_q[req_tag_i]   <= req_line_i;
        before_q[req_tag_i] <= line_q[req_tag_i];
      end
      for (int unsigned t = 0; t < Tags; t++) begin
        asked_q[t] <= flush_i ? 0 : asked_q[t] + 32'(req_fire_i && 32'(req_tag_i) == t) -
                                    32'(rsp_valid_i && 32'(rsp_tag_i) == t);
      end
    end
  end

  ar_stays : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !held_q || (ar_valid_i && ar_id_i == id_q && ar_addr_i == addr_q))
  else $error("R0.3: an offered burst changed");

  burst_is_a_line : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_valid_i || (bytes == Line && ar_addr_i % PaWidth'(Line) == '0 && ar_burst_i == 2'b01))
  else $error("R19.1: a burst of %0d bytes at %h", bytes, ar_addr_i);

  // A burst that is offered in a flush stays (R19.7), and nobody waits for it. Of an ID that two requests wait for the
  // burst is that of the first or of the second.
  logic old_q, is_of_tag;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) old_q <= 1'b0;
    else old_q <= ar_valid_i && !ar_ready_i && (old_q || flush_i);
  end

  assign is_of_tag = (asked_q[ar_id_i] != 0 && ar_addr_i[PaWidth-1:6] == line_q[ar_id_i]) ||
                     (asked_q[ar_id_i] > 1 && ar_addr_i[PaWidth-1:6] == before_q[ar_id_i]);

  line_asked_for : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_valid_i || old_q || is_of_tag)
  else $error("R19.1: a burst at %h for ID %0d, which was not asked for", ar_addr_i, ar_id_i);

  beats_are_wide : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_valid_i || (8 << ar_size_i) == DataWidth)
  else $error("R19.1: beats of %0d bits", 8 << ar_size_i);

  within_4_kib : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_valid_i || 32'(ar_addr_i[11:0]) + bytes <= 4096)
  else $error("AXI: a burst of %0d bytes at %h crosses 4 KiB", bytes, ar_addr_i);

  one_an_id : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !ar_fire || !is_out)
  else $error("R19.2: ID %0d has two bursts", ar_id_i);

  always_ready : assert property (@(posedge clk_i) disable iff (!rst_ni) r_ready_i)
  else $error("R19.15: RREADY is low");

  whole_line : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_valid_i || rsp_error_i || (whole_q && whole_id_q == rsp_tag_i))
  else $error("R19.3: a line that is not whole");

  asked : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !rsp_valid_i || is_asked)
  else $error("R19.7: a line for tag %0d, which waits for none", rsp_tag_i);

endmodule

bind axi_reader axi_read_checker #(
  .DataWidth(DataWidth),
  .PaWidth  (PaWidth),
  .TagW     (TagW)
) u_checker (
  .clk_i,
  .rst_ni,
  .flush_i,
  .req_fire_i (mem_req_i.valid && mem_req_ready_o),
  .req_tag_i  (mem_req_i.tag),
  .req_line_i (mem_req_i.line),
  .rsp_valid_i(mem_rsp_o.valid),
  .rsp_tag_i  (mem_rsp_o.tag),
  .rsp_error_i(mem_rsp_o.error),
  .ar_valid_i (ar_valid_o),
  .ar_ready_i,
  .ar_id_i    (ar_id_o),
  .ar_addr_i  (ar_addr_o),
  .ar_len_i   (ar_len_o),
  .ar_size_i  (ar_size_o),
  .ar_burst_i (ar_burst_o),
  .r_valid_i,
  .r_ready_i  (r_ready_o),
  .r_id_i,
  .r_error_i  (r_resp_i[1]),
  .r_last_i
);
