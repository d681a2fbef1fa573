// The lockstep's top: the unit, and one DPI call a cycle.
//
// The host owns the clock. At the falling edge, when the outputs of the present cycle have settled,
// lw_dpi_cycle carries them to the host and brings back the inputs of the same cycle; the rising edge
// that follows ends the cycle. `host_i` is the host's handle, so nothing is global on the C side.
module lockstep_tb #(
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
  parameter int unsigned Coalesce      = 1,
  parameter int unsigned Subregions    = 0,
  parameter int unsigned ParLookup     = 0,
  parameter int unsigned MscEntries    = 512,
  parameter int unsigned MscWays       = 8,
  parameter int unsigned CheckQueue    = 8,
  parameter int unsigned HeadFirst     = 0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 512,
  parameter int unsigned Pages64K      = 0,
  parameter int unsigned SecondLookup  = 0,
  localparam int unsigned VpnW    = 9 * Levels,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = (Subregions != 0) ? $clog2(Walkers + 8) : WalkerW
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        run_i,  // the host takes part in the cycles
  input logic [63:0] host_i
);

  import "DPI-C" function void lw_dpi_cycle(
    input longint unsigned host,
    input bit req_ready,
    input bit rsp_valid,
    input int unsigned rsp_id,
    input int unsigned rsp_kind,
    input int unsigned rsp_level,
    input int unsigned rsp_size,
    input int unsigned rsp_perm,
    input longint unsigned rsp_pfn,
    input bit mem_req_valid,
    input int unsigned mem_req_tag,
    input longint unsigned mem_req_line,
    input bit inv_ready,
    input bit inv_done,
    input longint unsigned ctl_rdata,
    output bit req_valid,
    output int unsigned req_id,
    output int unsigned req_src,
    output int unsigned req_pasid,
    output int unsigned req_access,
    output longint unsigned req_page,
    output bit rsp_ready,
    output bit mem_req_ready,
    output bit mem_rsp_valid,
    output bit mem_rsp_error,
    output int unsigned mem_rsp_tag,
    output bit [511:0] mem_rsp_data,
    output bit inv_valid,
    output int unsigned inv_type,
    output int unsigned inv_pasid,
    output longint unsigned inv_first,
    output longint unsigned inv_last,
    output bit ctl_write,
    output int unsigned ctl_addr,
    output longint unsigned ctl_wdata
  );

  logic               req_ready, rsp_valid, mem_req_valid, inv_ready, inv_done;
  logic [IdW-1:0]     rsp_id;
  logic [3:0]         rsp_kind;
  logic [2:0]         rsp_level;
  logic [PfnW-1:0]    rsp_pfn;
  logic [1:0]         rsp_size, rsp_perm;
  logic [MemTagW-1:0] mem_req_tag;
  logic [LineW-1:0]   mem_req_line;
  logic [63:0]        ctl_rdata;

  // DPI types are wider than the ports they carry.
  /* verilator lint_off UNUSEDSIGNAL */
  bit              req_valid, rsp_ready, mem_req_ready, mem_rsp_valid, mem_rsp_error, inv_valid;
  bit              ctl_write;
  int unsigned     req_id, req_src, req_pasid, req_access, mem_rsp_tag, inv_type, inv_pasid;
  int unsigned     ctl_addr;
  longint unsigned req_page, inv_first, inv_last, ctl_wdata;
  bit [511:0]      mem_rsp_data;
  /* verilator lint_on UNUSEDSIGNAL */

  longint unsigned cycle;  // for whoever looks at the waves: the host's number of the cycle

  always @(posedge clk_i) if (run_i) cycle <= cycle + 1;

  always @(negedge clk_i) begin
    if (run_i) begin
      lw_dpi_cycle(host_i, req_ready, rsp_valid, 32'(rsp_id), 32'(rsp_kind), 32'(rsp_level),
                   32'(rsp_size), 32'(rsp_perm), 64'(rsp_pfn), mem_req_valid, 32'(mem_req_tag),
                   64'(mem_req_line), inv_ready, inv_done, ctl_rdata, req_valid, req_id, req_src,
                   req_pasid, req_access, req_page, rsp_ready, mem_req_ready, mem_rsp_valid,
                   mem_rsp_error, mem_rsp_tag, mem_rsp_data, inv_valid, inv_type, inv_pasid,
                   inv_first, inv_last, ctl_write, ctl_addr, ctl_wdata);
    end
  end

  iommu #(
    .Levels       (Levels),
    .PaWidth      (PaWidth),
    .Pasids       (Pasids),
    .IdW          (IdW),
    .SrcW         (SrcW),
    .TlbEntries   (TlbEntries),
    .TlbWays      (TlbWays),
    .TlbLatency   (TlbLatency),
    .TlbPartition (TlbPartition),
    .TlbBimodal   (TlbBimodal),
    .HitQueue     (HitQueue),
    .MissQueue    (MissQueue),
    .WalkQueue    (WalkQueue),
    .BufferEntries(BufferEntries),
    .Lines        (Lines),
    .Walkers      (Walkers),
    .PwcOrg       (PwcOrg),
    .PwcEntries   (PwcEntries),
    .PwcWays      (PwcWays),
    .PwcLatency   (PwcLatency),
    .Coalesce     (Coalesce != 0),
    .Subregions   (Subregions != 0),
    .ParLookup    (ParLookup != 0),
    .MscEntries   (MscEntries),
    .MscWays      (MscWays),
    .CheckQueue   (CheckQueue),
    .HeadFirst    (HeadFirst != 0),
    .Colt         (Colt),
    .SlotPages    (SlotPages),
    .Pages64K     (Pages64K),
    .SecondLookup (SecondLookup != 0)
  ) u_iommu (
    .clk_i,
    .rst_ni,
    .req_valid_i    (req_valid),
    .req_ready_o    (req_ready),
    .req_id_i       (IdW'(req_id)),
    .req_src_i      (SrcW'(req_src)),
    .req_pasid_i    (20'(req_pasid)),
    .req_page_i     (52'(req_page)),
    .req_access_i   (2'(req_access)),
    .rsp_valid_o    (rsp_valid),
    .rsp_ready_i    (rsp_ready),
    .rsp_id_o       (rsp_id),
    .rsp_kind_o     (rsp_kind),
    .rsp_level_o    (rsp_level),
    .rsp_pfn_o      (rsp_pfn),
    .rsp_size_o     (rsp_size),
    .rsp_perm_o     (rsp_perm),
    .mem_req_valid_o(mem_req_valid),
    .mem_req_ready_i(mem_req_ready),
    .mem_req_tag_o  (mem_req_tag),
    .mem_req_line_o (mem_req_line),
    .mem_rsp_valid_i(mem_rsp_valid),
    .mem_rsp_tag_i  (MemTagW'(mem_rsp_tag)),
    .mem_rsp_error_i(mem_rsp_error),
    .mem_rsp_data_i (mem_rsp_data),
    .inv_valid_i    (inv_valid),
    .inv_ready_o    (inv_ready),
    .inv_type_i     (2'(inv_type)),
    .inv_pasid_i    (20'(inv_pasid)),
    .inv_first_i    (VpnW'(inv_first)),
    .inv_last_i     (VpnW'(inv_last)),
    .inv_done_o     (inv_done),
    .ctl_write_i    (ctl_write),
    .ctl_addr_i     (12'(ctl_addr)),
    .ctl_wdata_i    (ctl_wdata),
    .ctl_rdata_o    (ctl_rdata)
  );

endmodule
