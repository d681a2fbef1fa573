// The walk memory port on AXI4: a burst for each line that the unit asks for (chapter 19, R19.1 to R19.7).
//
// Contract: bursts of different IDs may be answered in any order and their beats interleaved. What memory does wrong
// is told by `events_o` and by the line's error bit; it neither stops the reader nor gives a line that was not read.
// A burst that is never answered holds up its own ID, and what is asked for behind a request with that ID. Tags are
// below Ids.
//
// In this folder is what joins the unit's ports to buses.
`include "lockwalk_types.svh"

module axi_reader
  import lockwalk_pkg::*;
#(
  parameter int unsigned DataWidth = 512,
  parameter int unsigned PaWidth   = 48,
  parameter int unsigned Ids       = 8,
  localparam int unsigned TagW  = (Ids == 1) ? 1 : $clog2(Ids),
  localparam int unsigned LineW = PaWidth - 6,
  localparam type mem_req_t = `LW_MEM_REQ_T(TagW, LineW),
  localparam type mem_rsp_t = `LW_MEM_RSP_T(TagW)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 flush_i,  // R19.7
  // The unit
  input  mem_req_t             mem_req_i,
  output logic                 mem_req_ready_o,
  output mem_rsp_t             mem_rsp_o,
  // AXI4
  output logic                 ar_valid_o,
  input  logic                 ar_ready_i,
  output logic [TagW-1:0]      ar_id_o,
  output logic [PaWidth-1:0]   ar_addr_o,
  output logic [7:0]           ar_len_o,
  output logic [2:0]           ar_size_o,
  output logic [1:0]           ar_burst_o,
  input  logic                 r_valid_i,
  output logic                 r_ready_o,
  input  logic [TagW-1:0]      r_id_i,
  input  logic [DataWidth-1:0] r_data_i,
  input  logic [1:0]           r_resp_i,
  input  logic                 r_last_i,
  // What has happened (R19.11), and READING
  output bus_events_t          events_o,
  output logic                 reading_o
);

  localparam int unsigned Beats = 512 / DataWidth;
  localparam int unsigned BeatW = (Beats <= 1) ? 1 : $clog2(Beats);
  localparam logic [BeatW-1:0] LastBeat = BeatW'(Beats - 1);

  if (DataWidth != 64 && DataWidth != 128 && DataWidth != 256 && DataWidth != 512)
  begin : gen_data_width
    $fatal(1, "DataWidth is %0d; allowed: 64, 128, 256, 512", DataWidth);
  end
  if (PaWidth < 32 || PaWidth > 52) begin : gen_pa_width
    $fatal(1, "PaWidth is %0d; allowed: 32..52", PaWidth);
  end
  if (Ids < 1 || Ids > 40) begin : gen_ids
    $fatal(1, "Ids is %0d; allowed: 1..40", Ids);
  end

  logic                 waiting_valid_q;
  logic [TagW-1:0]      waiting_tag_q;
  logic [LineW-1:0]     waiting_line_q;
  logic                 ar_valid_q;
  logic [TagW-1:0]      ar_id_q;
  logic [LineW-1:0]     ar_line_q;
  logic                 ar_unwanted_q;
  logic [Ids-1:0]       busy_q, unwanted_q, failed_q, over_q;
  logic [BeatW-1:0]     beat_q [Ids];
  logic                 rsp_valid_q;
  logic [TagW-1:0]      rsp_tag_q;
  logic                 rsp_error_q;
  logic [511:0]         rsp_data_q;
  bus_events_t          events_q;

  // ---------------------------------------------------------------- requests (R19.2, R19.13)

  logic            requested, transferred, may_load, load, ar_fire;
  logic [TagW-1:0] next_tag;
  logic            next_busy, refuse;

  assign transferred = mem_req_i.valid && mem_req_ready_o;
  assign requested   = waiting_valid_q || transferred;
  assign next_tag    = waiting_valid_q ? waiting_tag_q : mem_req_i.tag;
  assign next_busy   = busy_q[next_tag] || (ar_valid_q && ar_id_q == next_tag);
  assign ar_fire     = ar_valid_q && ar_ready_i;
  assign may_load    = !ar_valid_q || ar_ready_i;
  assign load        = requested && may_load && !next_busy && !flush_i;

  // ---------------------------------------------------------------- beats (R19.3 to R19.6, R19.15, R19.16)

  logic             known, counts, completes, wrong_last, beat_error;
  logic [BeatW-1:0] beat;
  logic [511:0]     line;

  assign known      = r_valid_i && 32'(r_id_i) < Ids && busy_q[r_id_i];
  assign counts     = known && !over_q[r_id_i];
  assign beat       = beat_q[r_id_i];
  assign completes  = counts && (beat == LastBeat || r_last_i);
  assign wrong_last = counts && (beat == LastBeat) != r_last_i;
  assign beat_error = r_resp_i[1];
  // R19.17
  assign refuse     = waiting_valid_q && busy_q[waiting_tag_q] && over_q[waiting_tag_q] &&
                      !completes && !flush_i;

  if (Beats <= 1) begin : gen_whole
    assign line = r_data_i;
  end else begin : gen_parts
    logic [Beats-2:0][DataWidth-1:0] part_q [Ids];

    always_ff @(posedge clk_i) begin
      if (counts && beat != LastBeat) part_q[r_id_i][beat] <= r_data_i;
    end

    assign line = {r_data_i, part_q[r_id_i]};
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_valid_q <= 1'b0;
      waiting_tag_q   <= '0;
      waiting_line_q  <= '0;
      ar_valid_q      <= 1'b0;
      ar_id_q         <= '0;
      ar_line_q       <= '0;
      ar_unwanted_q   <= 1'b0;
    end else begin
      waiting_valid_q <= requested && !load && !refuse && !flush_i;
      if (transferred) begin
        waiting_tag_q  <= mem_req_i.tag;
        waiting_line_q <= mem_req_i.line;
      end
      if (may_load) ar_valid_q <= load;
      ar_unwanted_q <= !load && (ar_unwanted_q || flush_i);
      if (load) begin
        ar_id_q   <= next_tag;
        ar_line_q <= waiting_valid_q ? waiting_line_q : mem_req_i.line;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      unwanted_q <= '0;
      failed_q   <= '0;
      over_q     <= '0;
      for (int unsigned i = 0; i < Ids; i++) beat_q[i] <= '0;
    end else begin
      if (flush_i) unwanted_q <= '1;
      if (known && r_last_i) busy_q[r_id_i] <= 1'b0;  // R19.4
      if (counts) begin
        beat_q[r_id_i]   <= beat + BeatW'(1);
        failed_q[r_id_i] <= failed_q[r_id_i] || beat_error;
        over_q[r_id_i]   <= completes && !r_last_i;  // R19.5
      end
      if (ar_fire) begin  // R19.14
        busy_q[ar_id_q]     <= 1'b1;
        unwanted_q[ar_id_q] <= ar_unwanted_q || flush_i;
        failed_q[ar_id_q]   <= 1'b0;
        over_q[ar_id_q]     <= 1'b0;
        beat_q[ar_id_q]     <= '0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= 1'b0;
      rsp_tag_q   <= '0;
      rsp_error_q <= 1'b0;
      rsp_data_q  <= '0;
      events_q    <= '0;
    end else begin
      rsp_valid_q <= refuse || (completes && !unwanted_q[r_id_i] && !flush_i);
      if (refuse) begin
        rsp_tag_q   <= waiting_tag_q;
        rsp_error_q <= 1'b1;
      end
      if (completes) begin
        rsp_tag_q   <= r_id_i;
        rsp_error_q <= failed_q[r_id_i] || beat_error || wrong_last;
        rsp_data_q  <= line;
      end
      events_q <= '{bad_last: wrong_last, bad_id: r_valid_i && !known,
                    slave_error: known && r_resp_i == 2'b10,
                    decode_error: known && r_resp_i == 2'b11};
    end
  end

  // ---------------------------------------------------------------- outputs

  assign mem_req_ready_o = !waiting_valid_q;
  assign mem_rsp_o       = '{valid: rsp_valid_q, tag: rsp_tag_q, error: rsp_error_q,
                             data: rsp_data_q};
  assign ar_valid_o      = ar_valid_q;
  assign ar_id_o         = ar_id_q;
  assign ar_addr_o       = {ar_line_q, 6'b0};
  assign ar_len_o        = 8'(Beats - 1);
  assign ar_size_o       = 3'($clog2(DataWidth / 8));
  assign ar_burst_o      = 2'b01;  // INCR
  assign r_ready_o       = 1'b1;
  assign events_o        = events_q;
  assign reading_o       = waiting_valid_q || ar_valid_q || |busy_q;

endmodule
