// The port to the memory that holds the page tables (chapter 8): the register of the request that is
// offered, and that of the line that has come, with the access whose line it is.
//
// The walker in REQ that has taken its entry first is served, and a head's read where none waits (R8.1, R5.22). The
// index of a walker is its number. Frames and nodes count 4 KiB pages, lines 64 bytes.
//
// Contract: a line is there for one cycle, right after its response (R8.3), and the scan takes it then.
`include "lockwalk_types.svh"

module walk_memory_port
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Walkers    = 8,
  parameter bit          Subregions = 1'b0,
  parameter bit          HeadFirst  = 1'b0,
  parameter bit          Hashes     = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam type key_t     = `LW_KEY_T(VpnW, PasidW),
  localparam type walk_t    = `LW_WALK_T(VpnW, PasidW, PfnW),
  localparam type scan_t    = `LW_SCAN_T(VpnW, PasidW, PfnW),
  localparam type line_of_t = `LW_LINE_OF_T(Walkers),
  localparam type head_t    = `LW_HEAD_T(PfnW),
  localparam type mem_req_t = `LW_MEM_REQ_T(MemTagW, LineW),
  localparam type mem_rsp_t = `LW_MEM_RSP_T(MemTagW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // The walkers, and the oldest of those in REQ: when its request is loaded it goes to MEM (R7.2).
  input  logic [Walkers-1:0] in_req_i,
  input  logic [Walkers-1:0] next_i,           // one-hot
  input  walk_t              walk_i [Walkers],
  output logic               load_o,
  // Reads of heads by the contiguity check (R8.1, R16.6).
  input  head_t              head_i,
  output logic               head_taken_o,
  output logic               head_transfer_o,
  // Memory.
  output mem_req_t           mem_req_o,
  input  logic               mem_req_ready_i,
  input  mem_rsp_t           mem_rsp_i,
  // The line register, and whose line it is. The access is that of its walker; a head's line has level 1 (R16.7),
  // and what a hashed table asks of it beside that is not judged with it (R16.15).
  output mem_rsp_t           line_o,
  output line_of_t           line_of_o,
  output scan_t              scan_o,
  // R6.7: the index of a walker's PTE in its node, of that one-hot; and of the walker whose line comes.
  input  logic [Walkers-1:0] told_walker_i,
  output logic [8:0]         told_look_o,
  output logic [8:0]         told_fill_o
);

  logic               req_valid_q;
  logic [MemTagW-1:0] req_tag_q;
  logic [LineW-1:0]   req_line_q;
  logic               line_valid_q;
  logic [MemTagW-1:0] line_tag_q;
  logic               line_error_q;
  logic [63:0]        line_data_q [8];

  // In MEM the walker's fields stand still, so the copy is the PWST's own in the cycle of the scan, and no
  // multiplexer stands before the CAM.
  scan_t    scan_d, scan_q;
  line_of_t line_of_q;

  // ---------------------------------------------------------------- requests (R8.1, R8.2)

  logic             room;  // in the request register
  logic [LineW-1:0] next_line;
  logic [LineW-1:0] lines [Walkers];

  assign room            = !req_valid_q || mem_req_ready_i;
  assign load_o          = |in_req_i && room;
  assign head_taken_o    = Subregions && head_i.valid && !(|in_req_i) && room;
  assign head_transfer_o = Subregions && req_valid_q && mem_req_ready_i &&
                           32'(req_tag_q) >= Walkers;

  assign mem_req_o = '{valid: req_valid_q, tag: req_tag_q, line: req_line_q};

  // Whose turn it is comes last, so each walker's address waits for it.
  logic [WalkerW-1:0] next_walker;
  logic [8:0]         index [Walkers];

  for (genvar w = 0; w < Walkers; w++) begin : gen_address
    reach_e           reach;
    logic [LineW-1:0] line;
    logic [2:0]       position;

    walk_address #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .Subregions(Subregions),
      .HeadFirst (HeadFirst),
      .Hashes    (Hashes),
      .SlotPages (SlotPages)
    ) u_address (
      .walk_i    (walk_i[w]),
      .reach_o   (reach),
      .line_o    (line),
      .position_o(position)
    );

    assign lines[w] = line;
    assign index[w] = {line[5:0], position};

    logic unused;
    assign unused = ^reach;
  end

  always_comb begin
    next_line   = '0;
    next_walker = '0;
    told_look_o = '0;
    for (int unsigned w = 0; w < Walkers; w++) begin
      told_look_o |= index[w] & {9{told_walker_i[w]}};
      next_line   |= lines[w] & {LineW{next_i[w]}};
      next_walker |= WalkerW'(w) & {WalkerW{next_i[w]}};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      req_valid_q <= 1'b0;
      req_tag_q   <= '0;
      req_line_q  <= '0;
    end else if (load_o) begin
      req_valid_q <= 1'b1;
      req_tag_q   <= MemTagW'(next_walker);
      req_line_q  <= next_line;
    end else if (head_taken_o) begin
      req_valid_q <= 1'b1;
      req_tag_q   <= MemTagW'(Walkers + 32'(head_i.place));
      req_line_q  <= {head_i.node, head_i.place, 3'b0};
    end else if (mem_req_ready_i) begin
      req_valid_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------- lines (R8.3)

  logic               arriving_known;
  logic [WalkerW-1:0] arriving_walker;
  walk_t              arriving;
  reach_e             arriving_reach;
  logic [2:0]         arriving_position;
  logic [LineW-1:0]   arriving_line;

  assign arriving_known  = 32'(mem_rsp_i.tag) < Walkers;
  assign arriving_walker = arriving_known ? WalkerW'(mem_rsp_i.tag) : '0;
  assign arriving        = walk_i[arriving_walker];

  walk_address #(
    .VpnW      (VpnW),
    .PfnW      (PfnW),
    .PasidW    (PasidW),
    .Subregions(Subregions),
    .HeadFirst (HeadFirst),
    .Hashes    (Hashes),
    .SlotPages (SlotPages)
  ) u_arriving_address (
    .walk_i    (arriving),
    .reach_o   (arriving_reach),
    .line_o    (arriving_line),
    .position_o(arriving_position)
  );

  assign scan_d = '{
    key:      arriving.key,
    access:   arriving.access,
    level:    arriving_known ? arriving.level : 3'd1,
    node:     arriving.node,
    perm:     arriving.perm,
    bits:     arriving.contig[7:0],
    reach:    arriving_reach,
    position: arriving_position,
    where:    (Hashes && arriving_known) ? arriving.hashed.where : WhereRadix,
    retried:  Hashes && arriving.hashed.retried
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_valid_q <= 1'b0;
      line_tag_q   <= '0;
      line_error_q <= 1'b0;
      for (int unsigned j = 0; j < 8; j++) line_data_q[j] <= '0;
      {scan_q, line_of_q} <= '0;
    end else begin
      line_valid_q     <= mem_rsp_i.valid;
      line_of_q.walker <= (mem_rsp_i.valid && arriving_known) ? Walkers'(1) << arriving_walker : '0;
      if (mem_rsp_i.valid) begin
        line_tag_q         <= mem_rsp_i.tag;
        line_error_q       <= mem_rsp_i.error;
        for (int unsigned j = 0; j < 8; j++) line_data_q[j] <= mem_rsp_i.data[64*j+:64];
        scan_q             <= scan_d;
        line_of_q.position <= 8'd1 << arriving_position;
      end
    end
  end

  logic [7:0][63:0] line_data;

  for (genvar j = 0; j < 8; j++) begin : gen_line
    assign line_data[j] = line_data_q[j];
  end

  assign line_o      = '{valid: line_valid_q, tag: line_tag_q, error: line_error_q,
                         data: line_data};
  assign line_of_o   = line_of_q;
  assign scan_o      = scan_q;
  assign told_fill_o = index[arriving_walker];

  // Of the access of an arriving line all is asked but its line.
  logic unused;
  assign unused = ^arriving_line;

endmodule
