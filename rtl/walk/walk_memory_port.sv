// The walk memory port (section 8): the request register, the line register, and what the scan needs of
// the line's walker.
//
// Walkers in REQ are served in turn, a head's read where none waits (R8.1). Index of a walker = its number;
// its fields come as the PWST has them. PFNs and nodes count 4 KiB pages, lines 64 bytes.
//
// Contract: a line is there for one cycle, right after its response (R8.3), and the scan takes it then.
// Its twin is part of c_model/page_walkers.c.
module walk_memory_port
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter bit          Subregions = 1'b0,
  parameter bit          HeadFirst  = 1'b0,
  localparam int unsigned Levels  = VpnW / 9,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW,
  localparam int unsigned LineW   = PaWidth - 6
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Of the PWST.
  input  logic [Walkers-1:0] in_req_i,
  input  logic [VpnW-1:0]    vpn_i    [Walkers],
  input  logic [PasidW-1:0]  pasid_i  [Walkers],
  input  logic [1:0]         access_i [Walkers],
  input  logic [2:0]         level_i  [Walkers],
  input  logic [PfnW-1:0]    node_i   [Walkers],
  input  logic [1:0]         perm_i   [Walkers],
  input  logic [ContigW-1:0] contig_i [Walkers],
  // The walker whose request is loaded now: it goes to MEM (R7.2).
  output logic               load_o,
  output logic [WalkerW-1:0] load_walker_o,
  // Reads of heads by the contiguity check (R8.1, R16.6).
  input  logic               head_req_i,
  input  logic [2:0]         head_place_i,
  input  logic [PfnW-1:0]    head_node_i,
  output logic               head_taken_o,
  output logic               head_transfer_o,
  // Memory.
  output logic               mem_req_valid_o,
  input  logic               mem_req_ready_i,
  output logic [MemTagW-1:0] mem_req_tag_o,
  output logic [LineW-1:0]   mem_req_line_o,
  input  logic               mem_rsp_valid_i,
  input  logic [MemTagW-1:0] mem_rsp_tag_i,
  input  logic               mem_rsp_error_i,
  input  logic [511:0]       mem_rsp_data_i,
  // The line register, and its walker's fields as they were when it came.
  output logic               line_valid_o,
  output logic [MemTagW-1:0] line_tag_o,
  output logic               line_error_o,
  output logic [7:0][63:0]   line_o,
  output logic [VpnW-1:0]    scan_vpn_o,
  output logic [PasidW-1:0]  scan_pasid_o,
  output logic [1:0]         scan_access_o,
  output logic [2:0]         scan_level_o,     // of a head's line 1 (R16.7)
  output logic [PfnW-1:0]    scan_node_o,
  output logic [1:0]         scan_perm_o,
  output logic [7:0]         scan_bits_o,      // C of its CONTIG
  output reach_e             scan_reach_o,
  output logic [2:0]         scan_position_o   // of the walker's own PTE in the line
);

  logic               req_valid_q;
  logic [MemTagW-1:0] req_tag_q;
  logic [LineW-1:0]   req_line_q;
  logic [WalkerW-1:0] mem_pointer_q;
  logic               line_valid_q;
  logic [MemTagW-1:0] line_tag_q;
  logic               line_error_q;
  logic [63:0]        line_data_q [8];

  // In MEM these fields stand still, so the copy is the PWST's own in the cycle of the scan, and no
  // multiplexer stands before the CAM.
  typedef struct packed {
    logic [VpnW-1:0]    vpn;
    logic [PasidW-1:0]  pasid;
    logic [1:0]         access;
    logic [2:0]         level;
    logic [PfnW-1:0]    node;
    logic [1:0]         perm;
    logic [7:0]         bits;
    reach_e             reach;
    logic [2:0]         position;
  } scan_t;

  scan_t scan_d, scan_q;

  function automatic logic [8:0] index_of(logic [VpnW-1:0] vpn, logic [2:0] level);
    logic [8:0] index;
    index = '0;
    for (int unsigned k = 1; k <= Levels; k++) if (level == 3'(k)) index = vpn[9*(k-1)+:9];
    return index;
  endfunction

  // R1.12, R1.13: the index at which an access finds its PTE.
  function automatic logic [8:0] place_of(logic [VpnW-1:0] vpn, logic [2:0] level, reach_e reach);
    logic [8:0] index;
    index = index_of(vpn, level);
    if (Subregions) begin
      unique case (reach)
        ReachFrame:     index = '0;
        ReachSubregion: index = {vpn[8:6], 6'b0};
        default:        ;
      endcase
    end
    if (HeadFirst && level == 3'd1 && index[5:3] == '0) index = {index[2:0], 3'b0, index[8:6]};
    return index;
  endfunction

  // ---------------------------------------------------------------- requests (R8.1, R8.2)

  logic               room;  // in the request register
  logic [WalkerW-1:0] mw;
  reach_e             mw_reach;
  logic [Walkers-1:0] from_pointer, first;

  assign from_pointer = in_req_i & ({Walkers{1'b1}} << mem_pointer_q);
  assign first        = (|from_pointer) ? from_pointer : in_req_i;

  always_comb begin  // R0.4
    mw = '0;
    for (int w = Walkers - 1; w >= 0; w--) if (first[w]) mw = WalkerW'(w);
  end

  assign mw_reach        = reach_of(level_i[mw], contig_i[mw], vpn_i[mw][8:6]);
  assign room            = !req_valid_q || mem_req_ready_i;
  assign load_o          = |in_req_i && room;
  assign load_walker_o   = mw;
  assign head_taken_o    = Subregions && head_req_i && !(|in_req_i) && room;
  assign head_transfer_o = Subregions && req_valid_q && mem_req_ready_i &&
                           32'(req_tag_q) >= Walkers;

  assign mem_req_valid_o = req_valid_q;
  assign mem_req_tag_o   = req_tag_q;
  assign mem_req_line_o  = req_line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_valid_q   <= 1'b0;
      req_tag_q     <= '0;
      req_line_q    <= '0;
      mem_pointer_q <= '0;
    end else if (load_o) begin
      req_valid_q   <= 1'b1;
      req_tag_q     <= MemTagW'(mw);
      req_line_q    <= {node_i[mw], 6'(place_of(vpn_i[mw], level_i[mw], mw_reach) >> 3)};
      mem_pointer_q <= (32'(mw) == Walkers - 1) ? '0 : mw + WalkerW'(1);
    end else if (head_taken_o) begin
      req_valid_q <= 1'b1;
      req_tag_q   <= MemTagW'(Walkers + 32'(head_place_i));
      req_line_q  <= {head_node_i, head_place_i, 3'b0};
    end else if (mem_req_ready_i) begin
      req_valid_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- lines (R8.3)

  logic               arriving_known;
  logic [WalkerW-1:0] arriving;

  assign arriving_known = 32'(mem_rsp_tag_i) < Walkers;
  assign arriving       = arriving_known ? WalkerW'(mem_rsp_tag_i) : '0;

  always_comb begin
    scan_d.vpn      = vpn_i[arriving];
    scan_d.pasid    = pasid_i[arriving];
    scan_d.access   = access_i[arriving];
    scan_d.level    = arriving_known ? level_i[arriving] : 3'd1;
    scan_d.node     = node_i[arriving];
    scan_d.perm     = perm_i[arriving];
    scan_d.bits     = contig_i[arriving][7:0];
    scan_d.reach    = reach_of(level_i[arriving], contig_i[arriving], vpn_i[arriving][8:6]);
    scan_d.position = 3'(place_of(vpn_i[arriving], level_i[arriving], scan_d.reach));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_valid_q <= 1'b0;
      line_tag_q   <= '0;
      line_error_q <= 1'b0;
      for (int unsigned j = 0; j < 8; j++) line_data_q[j] <= '0;
      scan_q       <= '0;
    end else begin
      line_valid_q <= mem_rsp_valid_i;
      if (mem_rsp_valid_i) begin
        line_tag_q   <= mem_rsp_tag_i;
        line_error_q <= mem_rsp_error_i;
        for (int unsigned j = 0; j < 8; j++) line_data_q[j] <= mem_rsp_data_i[64*j+:64];
        scan_q       <= scan_d;
      end
    end
  end

  for (genvar j = 0; j < 8; j++) begin : gen_line
    assign line_o[j] = line_data_q[j];
  end

  assign line_valid_o    = line_valid_q;
  assign line_tag_o      = line_tag_q;
  assign line_error_o    = line_error_q;
  assign scan_vpn_o      = scan_q.vpn;
  assign scan_pasid_o    = scan_q.pasid;
  assign scan_access_o   = scan_q.access;
  assign scan_level_o    = scan_q.level;
  assign scan_node_o     = scan_q.node;
  assign scan_perm_o     = scan_q.perm;
  assign scan_bits_o     = scan_q.bits;
  assign scan_reach_o    = scan_q.reach;
  assign scan_position_o = scan_q.position;

endmodule
