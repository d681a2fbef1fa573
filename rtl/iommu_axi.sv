// The unit with its bridges: page tables are read over AXI4, registers are reached over AXI4-Lite (chapter 19).
//
// Contract: every output is a function of registers; `r_ready_o` is always high. What the buses do wrong, or answer
// with an error, is in BUS_STATUS and at `bus_error_o` (R19.10, R19.23). Requests, responses and invalidations are
// the unit's own (chapter 1).
`include "lockwalk_types.svh"

module iommu_axi
  import lockwalk_pkg::*;
#(
  parameter int unsigned DataWidth     = 512,
  parameter int unsigned Levels        = 4,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned Pasids        = 16,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned TlbEntries    = 256,
  parameter int unsigned TlbWays       = 16,
  parameter int unsigned TlbLatency    = 1,
  parameter int unsigned TlbPartition  = 8,
  parameter int unsigned TlbBimodal    = 0,
  parameter int unsigned HitQueue      = 8,
  parameter int unsigned MissQueue     = 16,
  parameter int unsigned WalkQueue     = 4,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Lines         = 16,
  parameter int unsigned Walkers       = 8,
  parameter int unsigned PwcOrg        = 0,
  parameter int unsigned PwcEntries    = 32,
  parameter int unsigned PwcWays       = 8,
  parameter int unsigned PwcLatency    = 2,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter bit          ParLookup     = 1'b0,
  parameter int unsigned MscEntries    = 512,
  parameter int unsigned MscWays       = 8,
  parameter int unsigned CheckQueue    = 8,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 512,
  parameter bit          Pages64K      = 1'b0,
  parameter bit          SecondLookup  = 1'b0,
  parameter logic [3:0]  ArCache       = 4'b0010,  // normal, not cacheable, not bufferable
  parameter logic [2:0]  ArProt        = 3'b010,   // data, not secure, not privileged
  localparam int unsigned VpnW    = 9 * Levels,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned Ids     = Walkers + (Subregions ? 8 : 0),
  localparam int unsigned MemTagW = (Ids == 1) ? 1 : $clog2(Ids),
  localparam type mem_req_t = `LW_MEM_REQ_T(MemTagW, LineW),
  localparam type mem_rsp_t = `LW_MEM_RSP_T(MemTagW)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  unit_reset_i,  // of the unit alone (R19.22)
  output logic                  bus_error_o,   // R19.23
  // Request
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  logic [IdW-1:0]        req_id_i,
  input  logic [SrcW-1:0]       req_src_i,
  input  logic [PasidPortW-1:0] req_pasid_i,
  input  logic [PageW-1:0]      req_page_i,
  input  logic [1:0]            req_access_i,
  // Response
  output logic                  rsp_valid_o,
  input  logic                  rsp_ready_i,
  output logic [IdW-1:0]        rsp_id_o,
  output logic [3:0]            rsp_kind_o,
  output logic [2:0]            rsp_level_o,
  output logic [PfnW-1:0]       rsp_pfn_o,
  output logic [1:0]            rsp_size_o,
  output logic [1:0]            rsp_perm_o,
  // Invalidate
  input  logic                  inv_valid_i,
  output logic                  inv_ready_o,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i,
  output logic                  inv_done_o,
  // Walk memory: AXI4, manager, reads only
  output logic                  m_ar_valid_o,
  input  logic                  m_ar_ready_i,
  output logic [MemTagW-1:0]    m_ar_id_o,
  output logic [PaWidth-1:0]    m_ar_addr_o,
  output logic [7:0]            m_ar_len_o,
  output logic [2:0]            m_ar_size_o,
  output logic [1:0]            m_ar_burst_o,
  output logic [3:0]            m_ar_cache_o,
  output logic [2:0]            m_ar_prot_o,
  input  logic                  m_r_valid_i,
  output logic                  m_r_ready_o,
  input  logic [MemTagW-1:0]    m_r_id_i,
  input  logic [DataWidth-1:0]  m_r_data_i,
  input  logic [1:0]            m_r_resp_i,
  input  logic                  m_r_last_i,
  // Control: AXI4-Lite, subordinate
  input  logic                  s_aw_valid_i,
  output logic                  s_aw_ready_o,
  input  logic [14:0]           s_aw_addr_i,
  input  logic                  s_w_valid_i,
  output logic                  s_w_ready_o,
  input  logic [63:0]           s_w_data_i,
  input  logic [7:0]            s_w_strb_i,
  output logic                  s_b_valid_o,
  input  logic                  s_b_ready_i,
  output logic [1:0]            s_b_resp_o,
  input  logic                  s_ar_valid_i,
  output logic                  s_ar_ready_o,
  input  logic [14:0]           s_ar_addr_i,
  output logic                  s_r_valid_o,
  input  logic                  s_r_ready_i,
  output logic [63:0]           s_r_data_o,
  output logic [1:0]            s_r_resp_o
);

  // ---------------------------------------------------------------- the unit's reset (R19.22)

  // The same twice: one is a reset, the other a signal.
  logic unit_rst_nq, flush_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unit_rst_nq <= 1'b0;
      flush_q     <= 1'b1;
    end else begin
      unit_rst_nq <= !unit_reset_i;
      flush_q     <= unit_reset_i;
    end
  end

  // ---------------------------------------------------------------- the unit

  logic        req_ready, inv_ready, mem_req_ready, ctl_write;
  mem_req_t    mem_req;
  mem_rsp_t    mem_rsp;
  logic [11:0] ctl_addr;
  logic [63:0] ctl_wdata, ctl_rdata;

  assign req_ready_o = req_ready && !flush_q;
  assign inv_ready_o = inv_ready && !flush_q;

  iommu #(
    .Levels(Levels), .PaWidth(PaWidth), .Pasids(Pasids), .IdW(IdW), .SrcW(SrcW),
    .TlbEntries(TlbEntries), .TlbWays(TlbWays), .TlbLatency(TlbLatency),
    .TlbPartition(TlbPartition), .TlbBimodal(TlbBimodal), .HitQueue(HitQueue),
    .MissQueue(MissQueue), .WalkQueue(WalkQueue), .BufferEntries(BufferEntries), .Lines(Lines),
    .Walkers(Walkers), .PwcOrg(PwcOrg), .PwcEntries(PwcEntries), .PwcWays(PwcWays),
    .PwcLatency(PwcLatency), .Coalesce(Coalesce), .Subregions(Subregions), .ParLookup(ParLookup),
    .MscEntries(MscEntries), .MscWays(MscWays), .CheckQueue(CheckQueue), .HeadFirst(HeadFirst),
    .Colt(Colt), .SlotPages(SlotPages), .Pages64K(Pages64K), .SecondLookup(SecondLookup)
  ) u_iommu (
    .clk_i,
    .rst_ni         (unit_rst_nq),
    .req_valid_i,
    .req_ready_o    (req_ready),
    .req_id_i,
    .req_src_i,
    .req_pasid_i,
    .req_page_i,
    .req_access_i,
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_id_o,
    .rsp_kind_o,
    .rsp_level_o,
    .rsp_pfn_o,
    .rsp_size_o,
    .rsp_perm_o,
    .mem_req_valid_o(mem_req.valid),
    .mem_req_ready_i(mem_req_ready),
    .mem_req_tag_o  (mem_req.tag),
    .mem_req_line_o (mem_req.line),
    .mem_rsp_valid_i(mem_rsp.valid),
    .mem_rsp_tag_i  (mem_rsp.tag),
    .mem_rsp_error_i(mem_rsp.error),
    .mem_rsp_data_i (mem_rsp.data),
    .inv_valid_i,
    .inv_ready_o    (inv_ready),
    .inv_type_i,
    .inv_pasid_i,
    .inv_first_i,
    .inv_last_i,
    .inv_done_o,
    .ctl_write_i    (ctl_write),
    .ctl_addr_i     (ctl_addr),
    .ctl_wdata_i    (ctl_wdata),
    .ctl_rdata_o    (ctl_rdata)
  );

  // ---------------------------------------------------------------- the bridges

  bus_events_t events, status;
  logic        reading;

  axi_reader #(
    .DataWidth(DataWidth), .PaWidth(PaWidth), .Ids(Ids)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .flush_i        (flush_q),
    .mem_req_i      (mem_req),
    .mem_req_ready_o(mem_req_ready),
    .mem_rsp_o      (mem_rsp),
    .ar_valid_o     (m_ar_valid_o),
    .ar_ready_i     (m_ar_ready_i),
    .ar_id_o        (m_ar_id_o),
    .ar_addr_o      (m_ar_addr_o),
    .ar_len_o       (m_ar_len_o),
    .ar_size_o      (m_ar_size_o),
    .ar_burst_o     (m_ar_burst_o),
    .r_valid_i      (m_r_valid_i),
    .r_ready_o      (m_r_ready_o),
    .r_id_i         (m_r_id_i),
    .r_data_i       (m_r_data_i),
    .r_resp_i       (m_r_resp_i),
    .r_last_i       (m_r_last_i),
    .events_o       (events),
    .reading_o      (reading)
  );

  axi_lite_control #(
    .Pasids(Pasids), .Hashes(PwcOrg == 2)
  ) u_lite (
    .clk_i,
    .rst_ni,
    .aw_valid_i (s_aw_valid_i),
    .aw_ready_o (s_aw_ready_o),
    .aw_addr_i  (s_aw_addr_i),
    .w_valid_i  (s_w_valid_i),
    .w_ready_o  (s_w_ready_o),
    .w_data_i   (s_w_data_i),
    .w_strb_i   (s_w_strb_i),
    .b_valid_o  (s_b_valid_o),
    .b_ready_i  (s_b_ready_i),
    .b_resp_o   (s_b_resp_o),
    .ar_valid_i (s_ar_valid_i),
    .ar_ready_o (s_ar_ready_o),
    .ar_addr_i  (s_ar_addr_i),
    .r_valid_o  (s_r_valid_o),
    .r_ready_i  (s_r_ready_i),
    .r_data_o   (s_r_data_o),
    .r_resp_o   (s_r_resp_o),
    .hold_i     (flush_q),
    .ctl_write_o(ctl_write),
    .ctl_addr_o (ctl_addr),
    .ctl_wdata_o(ctl_wdata),
    .ctl_rdata_i(ctl_rdata),
    .events_i   (events),
    .reading_i  (reading),
    .status_o   (status)
  );

  assign m_ar_cache_o = ArCache;
  assign m_ar_prot_o  = ArProt;
  assign bus_error_o  = |status;

endmodule
