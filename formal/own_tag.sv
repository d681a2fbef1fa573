// An answer OK comes from a line that carries the tag of the PASID and the region asked for, or from the PASID's own
// victim buffer (R20.26): the responses of the whole unit, through walkers, buffer, TLB and queues.
//
// One PASID, any, has hashed tables for good, and one of its regions is watched; memory says what hashed_memory.sv
// allows. Ids tell by their lowest bit, which the unit does not know, whether the request is for that region. Control
// may write frames within their areas and logarithms within their ranges (R20.11), other registers anyhow, at any
// time; the other PASID may have tables of either kind, but keeps to one. Invalidations, errors and delays are free.
module own_tag #(
  parameter int unsigned TagW      = 1,
  parameter int unsigned SlotPages = 512,
  localparam int unsigned RegionLsb = $clog2(SlotPages),
  localparam int unsigned RegionW   = 36 - RegionLsb
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            req_valid_i,
  input logic [1:0]      req_id_i,
  input logic [19:0]     req_pasid_i,
  input logic [51:0]     req_page_i,
  input logic            rsp_valid,
  input logic [1:0]      rsp_id,
  input logic [3:0]      rsp_kind,
  input logic [19:0]     rsp_pfn,
  input logic            mem_req_valid,
  input logic            mem_req_ready_i,
  input logic [TagW-1:0] mem_req_tag,
  input logic [25:0]     mem_req_line,
  input logic            mem_rsp_valid_i,
  input logic [TagW-1:0] mem_rsp_tag_i,
  input logic [511:0]    mem_rsp_data_i,
  input logic            ctl_write_i,
  input logic [11:0]     ctl_addr_i,
  input logic [63:0]     ctl_wdata_i
);

  localparam int unsigned TableLogMost = (SlotPages == 8) ? 24 : 18;

  logic               pasid_q;    // whose region is watched
  logic [RegionW-1:0] region_q;
  logic               hashed_q;   // the other PASID has hashed tables
  logic               written;    // whose register it is
  logic               hashed;     // ... who has hashed tables
  logic [1:0]         area;
  logic [4:0]         log;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {pasid_q, region_q, hashed_q} <= {req_pasid_i[0], req_page_i[35:RegionLsb], req_id_i[0]};
    end
  end

  hashed_memory #(
    .TagW(TagW), .SlotPages(SlotPages)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .pasid_i     (pasid_q),
    .region_i    (region_q),
    .asked_i     (mem_req_valid && mem_req_ready_i),
    .asked_tag_i (mem_req_tag),
    .asked_line_i(mem_req_line),
    .comes_i     (mem_rsp_valid_i),
    .comes_tag_i (mem_rsp_tag_i),
    .comes_data_i(mem_rsp_data_i)
  );

  assign written = ctl_addr_i[0];
  assign hashed  = written == pasid_q || hashed_q;
  assign area    = ctl_wdata_i[19:18];
  assign log     = ctl_wdata_i[61:57];

  id_tells : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !req_valid_i || req_id_i[0] == (req_pasid_i == 20'(pasid_q) &&
                                                   req_page_i[35:RegionLsb] == region_q));
  // ROOT, STEP and VICTIM (R21.16).
  roots_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !(ctl_write_i && ctl_addr_i[11] && ctl_addr_i[10:8] == 3'd0) ||
                   (ctl_wdata_i[62] == hashed && area == (hashed ? 2'b00 : {1'b1, written}) &&
                    32'(log) <= TableLogMost));
  steps_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !(ctl_write_i && ctl_addr_i[11:8] == 4'h9) || (area == 2'b01 && 32'(log) <= 24));
  victims_in_their_area : assume property (@(posedge clk_i) disable iff (!rst_ni)
                   !(ctl_write_i && ctl_addr_i[11:8] == 4'ha) || area == {1'b1, written});

  answer_of_its_own_area : assert property (@(posedge clk_i) disable iff (!rst_ni)
                                            !(rsp_valid && rsp_id[0] && rsp_kind == lockwalk_pkg::KindOk) ||
                                            rsp_pfn[19:18] == {1'b1, pasid_q});

endmodule

bind unit own_tag #(.TagW(TagW), .SlotPages(SlotPages)) u_property (.*);
