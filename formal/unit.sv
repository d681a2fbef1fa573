// The whole unit in a small configuration, for the properties of its ports, with what chapter 0 asks of its
// neighbours as assumptions: an id is not used again before its response has left, memory answers each line that it
// was asked for once, with its tag. All else is free, but for what the property assumes, which is a module bound to
// this one.
module unit
  import lockwalk_pkg::*;
#(
  parameter int unsigned Walkers    = 1,
  parameter int unsigned TlbEntries = 2,
  parameter int unsigned PwcOrg     = 0,
  parameter int unsigned PwcLatency = 1,
  parameter bit          Coalesce   = 1'b1,
  parameter int unsigned SlotPages  = 512,
  parameter bit          SecondLookup = 1'b0,
  localparam int unsigned IdW     = 2,
  localparam int unsigned PaWidth = 32,
  localparam int unsigned VpnW    = 36,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned TagW    = (Walkers == 1) ? 1 : $clog2(Walkers)
) (
  input logic                  clk_i,
  input logic                  req_valid_i,
  input logic [IdW-1:0]        req_id_i,
  input logic [PasidPortW-1:0] req_pasid_i,
  input logic [PageW-1:0]      req_page_i,
  input logic [1:0]            req_access_i,
  input logic                  rsp_ready_i,
  input logic                  mem_req_ready_i,
  input logic                  mem_rsp_valid_i,
  input logic [TagW-1:0]       mem_rsp_tag_i,
  input logic                  mem_rsp_error_i,
  input logic [511:0]          mem_rsp_data_i,
  input logic                  inv_valid_i,
  input logic [1:0]            inv_type_i,
  input logic [PasidPortW-1:0] inv_pasid_i,
  input logic [VpnW-1:0]       inv_first_i,
  input logic [VpnW-1:0]       inv_last_i,
  input logic                  ctl_write_i,
  input logic [11:0]           ctl_addr_i,
  input logic [63:0]           ctl_wdata_i
);

  logic             rst_ni = 1'b0;
  logic             req_ready, rsp_valid, mem_req_valid, inv_ready, inv_done;
  logic [IdW-1:0]   rsp_id;
  logic [3:0]       rsp_kind;
  logic [PfnW-1:0]  rsp_pfn;
  logic [TagW-1:0]  mem_req_tag;
  logic [LineW-1:0] mem_req_line;

  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  iommu #(
    .Levels(4), .PaWidth(PaWidth), .Pasids(2), .IdW(IdW), .SrcW(1), .TlbEntries(TlbEntries), .TlbWays(2),
    .TlbLatency(1), .TlbPartition(0), .HitQueue(1), .MissQueue(1), .WalkQueue(1), .BufferEntries(4),
    .Walkers(Walkers),
    .PwcOrg(PwcOrg), .PwcEntries(2), .PwcWays(2), .PwcLatency(PwcLatency), .Coalesce(Coalesce),
    .SlotPages(SlotPages), .SecondLookup(SecondLookup)
  ) dut (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o    (req_ready),
    .req_id_i,
    .req_src_i      (1'b0),
    .req_pasid_i,
    .req_page_i,
    .req_access_i,
    .rsp_valid_o    (rsp_valid),
    .rsp_ready_i,
    .rsp_id_o       (rsp_id),
    .rsp_kind_o     (rsp_kind),
    .rsp_level_o    (),
    .rsp_pfn_o      (rsp_pfn),
    .rsp_size_o     (),
    .rsp_perm_o     (),
    .mem_req_valid_o(mem_req_valid),
    .mem_req_ready_i,
    .mem_req_tag_o  (mem_req_tag),
    .mem_req_line_o (mem_req_line),
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_error_i,
    .mem_rsp_data_i,
    .inv_valid_i,
    .inv_ready_o    (inv_ready),
    .inv_type_i,
    .inv_pasid_i,
    .inv_first_i,
    .inv_last_i,
    .inv_done_o     (inv_done),
    .ctl_write_i,
    .ctl_addr_i,
    .ctl_wdata_i,
    .ctl_rdata_o    ()
  );

  logic [2**IdW-1:0]  in_flight;  // requests, by id
  logic [2**TagW-1:0] asked;      // lines that memory owes, by tag

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_flight <= '0;
      asked     <= '0;
    end else begin
      if (rsp_valid && rsp_ready_i) in_flight[rsp_id] <= 1'b0;
      if (req_valid_i && req_ready) in_flight[req_id_i] <= 1'b1;
      if (mem_rsp_valid_i) asked[mem_rsp_tag_i] <= 1'b0;
      if (mem_req_valid && mem_req_ready_i) asked[mem_req_tag] <= 1'b1;
    end
  end

  id_free : assume property (@(posedge clk_i) disable iff (!rst_ni) !req_valid_i || !in_flight[req_id_i]);
  line_asked : assume property (@(posedge clk_i) disable iff (!rst_ni) !mem_rsp_valid_i || asked[mem_rsp_tag_i]);

endmodule
