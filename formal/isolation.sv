// No other PASID's data: an answer of KIND OK rests only on lines that were read for the PASID of its request.
//
// Memory has two halves, one for each PASID: the tables of a PASID, from its root on, and its pages lie in its own
// half, which the top bit of a frame names. So every line that is read in a half names frames of that half alone, and
// a response must carry a frame of its requester's. Ids name the PASID too (their lowest bit), which the unit does not
// know. Roots may change within their half, and features, invalidations, errors and delays are free.
module isolation #(
  parameter int unsigned TagW = 1
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               req_valid_i,
  input logic [1:0]         req_id_i,
  input logic [19:0]        req_pasid_i,
  input logic               rsp_valid,
  input logic [1:0]         rsp_id,
  input logic [3:0]         rsp_kind,
  input logic [19:0]        rsp_pfn,
  input logic               mem_req_valid,
  input logic               mem_req_ready_i,
  input logic [TagW-1:0]    mem_req_tag,
  input logic [25:0]        mem_req_line,
  input logic               mem_rsp_valid_i,
  input logic [TagW-1:0]    mem_rsp_tag_i,
  input logic [511:0]       mem_rsp_data_i,
  input logic               ctl_write_i,
  input logic [11:0]        ctl_addr_i,
  input logic [63:0]        ctl_wdata_i
);

  logic [2**TagW-1:0] half_q;  // in which the line lies that is asked for, by tag
  logic [7:0]         right;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) half_q <= '0;
    else if (mem_req_valid && mem_req_ready_i) half_q[mem_req_tag] <= mem_req_line[25];
  end

  for (genvar j = 0; j < 8; j++) begin : gen_right
    assign right[j] = mem_rsp_data_i[64*j+31] == half_q[mem_rsp_tag_i];
  end

  frame_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) !mem_rsp_valid_i || &right);
  id_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i || req_id_i[0] == req_pasid_i[0]);
  roots_in_their_half : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !ctl_write_i || !ctl_addr_i[11] || ctl_wdata_i[19] == ctl_addr_i[0]);

  answer_of_its_half : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                        !rsp_valid || rsp_kind != lockwalk_pkg::KindOk || rsp_pfn[19] == rsp_id[0]);

endmodule

bind unit isolation #(.TagW(TagW)) u_property (.*);
