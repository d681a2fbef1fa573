// The C twin as a module: parameters and ports of rtl/iommu.sv, and liblockwalk behind them by standard
// DPI-C, so that any simulator can hold a design of the same ports against it, or run on it. Beside this
// file it needs liblockwalk.so, as the simulator takes DPI libraries (-sv_lib, -LDFLAGS, ...).
//
// A rising edge steps the twin with the inputs before it, and its outputs change as registers do. DPI
// carries no X: an input that is X or Z at an edge counts as 0. Before the first edge outputs say nothing.
module lockwalk_ref #(
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
  localparam int unsigned PasidPortW = 20,
  localparam int unsigned PageW      = 52,
  localparam int unsigned VpnW       = 9 * Levels,
  localparam int unsigned PfnW       = PaWidth - 12,
  localparam int unsigned LineW      = PaWidth - 6,
  localparam int unsigned WalkerW    = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW    = Subregions ? $clog2(Walkers + 8) : WalkerW
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
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
  // Walk memory
  output logic                  mem_req_valid_o,
  input  logic                  mem_req_ready_i,
  output logic [MemTagW-1:0]    mem_req_tag_o,
  output logic [LineW-1:0]      mem_req_line_o,
  input  logic                  mem_rsp_valid_i,
  input  logic [MemTagW-1:0]    mem_rsp_tag_i,
  input  logic                  mem_rsp_error_i,
  input  logic [511:0]          mem_rsp_data_i,
  // Invalidate
  input  logic                  inv_valid_i,
  output logic                  inv_ready_o,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i,
  output logic                  inv_done_o,
  // Control
  input  logic                  ctl_write_i,
  input  logic [11:0]           ctl_addr_i,
  input  logic [63:0]           ctl_wdata_i,
  output logic [63:0]           ctl_rdata_o
);

  import "DPI-C" function chandle lw_ref_new(input bit [30:0][31:0] parameters);
  import "DPI-C" function void lw_ref_free(input chandle unit);
  import "DPI-C" function void lw_ref_reset(input chandle unit);
  import "DPI-C" function void lw_ref_step(
    input chandle unit,
    input bit req_valid,
    input int unsigned req_id,
    input int unsigned req_src,
    input int unsigned req_pasid,
    input longint unsigned req_page,
    input int unsigned req_access,
    input bit rsp_ready,
    input bit mem_req_ready,
    input bit mem_rsp_valid,
    input int unsigned mem_rsp_tag,
    input bit mem_rsp_error,
    input bit [511:0] mem_rsp_data,
    input bit inv_valid,
    input int unsigned inv_type,
    input int unsigned inv_pasid,
    input longint unsigned inv_first,
    input longint unsigned inv_last,
    input bit ctl_write,
    input int unsigned ctl_addr,
    input longint unsigned ctl_wdata
  );
  import "DPI-C" function void lw_ref_outputs(
    input chandle unit,
    output bit req_ready,
    output bit rsp_valid,
    output int unsigned rsp_id,
    output int unsigned rsp_kind,
    output int unsigned rsp_level,
    output longint unsigned rsp_pfn,
    output int unsigned rsp_size,
    output int unsigned rsp_perm,
    output bit mem_req_valid,
    output int unsigned mem_req_tag,
    output longint unsigned mem_req_line,
    output bit inv_ready,
    output bit inv_done,
    output longint unsigned ctl_rdata
  );

  // In the order of lw_params, the first one lowest. Verilator 5.006 takes an int parameter for unsized.
  /* verilator lint_off WIDTHCONCAT */
  localparam bit [30:0][31:0] Parameters = '{
    32'(SecondLookup), 32'(Pages64K), SlotPages, Colt, 32'(HeadFirst), CheckQueue, MscWays,
    MscEntries, 32'(ParLookup), 32'(Subregions), 32'(Coalesce), PwcLatency, PwcWays, PwcEntries,
    PwcOrg, Walkers, Lines, BufferEntries, MissQueue, WalkQueue, HitQueue, TlbBimodal,
    TlbPartition, TlbLatency, TlbWays, TlbEntries, SrcW, IdW, Pasids, PaWidth, Levels
  };
  /* verilator lint_on WIDTHCONCAT */

  chandle unit;

  initial begin
    unit = lw_ref_new(Parameters);
    if (unit == null) $fatal(1, "lockwalk_ref: illegal parameters");
  end

  // DPI types are wider than the ports that they carry.
  /* verilator lint_off UNUSEDSIGNAL */
  bit              req_ready, rsp_valid, mem_req_valid, inv_ready, inv_done;
  int unsigned     rsp_id, rsp_kind, rsp_level, rsp_size, rsp_perm, mem_req_tag;
  longint unsigned rsp_pfn, mem_req_line, ctl_rdata;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i or negedge rst_ni) if (unit != null) begin
    if (!rst_ni) begin
      lw_ref_reset(unit);
    end else begin
      lw_ref_step(unit, req_valid_i, 32'(req_id_i), 32'(req_src_i), 32'(req_pasid_i),
                  64'(req_page_i), 32'(req_access_i), rsp_ready_i, mem_req_ready_i,
                  mem_rsp_valid_i, 32'(mem_rsp_tag_i), mem_rsp_error_i, mem_rsp_data_i,
                  inv_valid_i, 32'(inv_type_i), 32'(inv_pasid_i), 64'(inv_first_i),
                  64'(inv_last_i), ctl_write_i, 32'(ctl_addr_i), ctl_wdata_i);
    end
    lw_ref_outputs(unit, req_ready, rsp_valid, rsp_id, rsp_kind, rsp_level, rsp_pfn, rsp_size,
                   rsp_perm, mem_req_valid, mem_req_tag, mem_req_line, inv_ready, inv_done,
                   ctl_rdata);
    req_ready_o     <= req_ready;
    rsp_valid_o     <= rsp_valid;
    rsp_id_o        <= IdW'(rsp_id);
    rsp_kind_o      <= 4'(rsp_kind);
    rsp_level_o     <= 3'(rsp_level);
    rsp_pfn_o       <= PfnW'(rsp_pfn);
    rsp_size_o      <= 2'(rsp_size);
    rsp_perm_o      <= 2'(rsp_perm);
    mem_req_valid_o <= mem_req_valid;
    mem_req_tag_o   <= MemTagW'(mem_req_tag);
    mem_req_line_o  <= LineW'(mem_req_line);
    inv_ready_o     <= inv_ready;
    inv_done_o      <= inv_done;
    ctl_rdata_o     <= ctl_rdata;
  end

  final begin
    if (unit != null) lw_ref_free(unit);
  end

endmodule
