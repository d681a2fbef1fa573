// Nothing stale after inv_done_o (R11.8): after the completion of an invalidation no answer to a request that it
// matches rests on a line that was asked for before its transfer, nor on one of a table that such a line named,
// whenever the request was accepted.
//
// Every frame that memory names tells by its top bit whether it is new: its line was asked for after the transfer of
// the first invalidation, whose operands are any, and which others may follow, and lies in a frame that is new
// itself, as roots are. Ids tell by their lowest bit, which the unit does not know, whether it matches the request.
// What else roots are, features, errors and delays are free.
module stale #(
  parameter int unsigned TagW = 1
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               req_valid_i,
  input logic [1:0]         req_id_i,
  input logic [19:0]        req_pasid_i,
  input logic [51:0]        req_page_i,
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
  input logic               inv_valid_i,
  input logic               inv_ready,
  input logic               inv_done,
  input logic [1:0]         inv_type_i,
  input logic [19:0]        inv_pasid_i,
  input logic [35:0]        inv_first_i,
  input logic [35:0]        inv_last_i,
  input logic               ctl_write_i,
  input logic [11:0]        ctl_addr_i,
  input logic [63:0]        ctl_wdata_i
);

  logic               sent_q, done_q;  // the first invalidation
  logic [1:0]         type_q;          // its operands
  logic [19:0]        pasid_q;
  logic [35:0]        first_q, last_q;
  logic [2**TagW-1:0] new_q;           // the line was asked for after its transfer, in a new frame, by tag
  logic [7:0]         right;
  logic               meant;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {type_q, pasid_q, first_q, last_q} <= {inv_type_i, inv_pasid_i, inv_first_i, inv_last_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {sent_q, done_q, new_q} <= '0;
    end else begin
      if (inv_valid_i && inv_ready) sent_q <= 1'b1;
      if (inv_done) done_q <= 1'b1;
      if (mem_req_valid && mem_req_ready_i) new_q[mem_req_tag] <= sent_q && mem_req_line[25];
    end
  end

  always_comb begin
    unique case (type_q)
      lockwalk_pkg::InvPage:  meant = req_pasid_i == pasid_q && req_page_i[35:0] == first_q;
      lockwalk_pkg::InvRange: meant = req_pasid_i == pasid_q && req_page_i[35:0] >= first_q &&
                                        req_page_i[35:0] <= last_q;
      lockwalk_pkg::InvPasid: meant = req_pasid_i == pasid_q;
      default:                meant = 1'b1;
    endcase
  end

  for (genvar j = 0; j < 8; j++) begin : gen_right
    assign right[j] = mem_rsp_data_i[64*j+31] == new_q[mem_rsp_tag_i];
  end

  frame_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) !mem_rsp_valid_i || &right);
  roots_are_new : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !ctl_write_i || ctl_addr_i < 12'h800 || ctl_wdata_i[19]);
  id_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i || req_id_i[0] == meant);
  first_invalidation : assume property (@(posedge clk_i) disable iff (!rst_ni) sent_q || !inv_valid_i ||
                   {type_q, pasid_q, first_q, last_q} == {inv_type_i, inv_pasid_i, inv_first_i, inv_last_i});

  no_answer_from_before : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                           !(done_q && rsp_valid && rsp_id[0] &&
                                            rsp_kind == lockwalk_pkg::KindOk) || rsp_pfn[19]);

endmodule

bind unit stale #(.TagW(TagW)) u_property (.*);
