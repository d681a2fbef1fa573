// A design of the unit's ports beside the C twin, in a plain bench: lockwalk_ref is the reference, and
// every output is compared in every cycle. Here the design is Lockwalk's own RTL.
//
// Random pages of one address space, some of them not mapped, are asked for; memory answers in order,
// Latency cycles after a read. The run ends with the number of equal cycles, or at the first difference;
// +flip=N turns a bit of the design's outputs in cycle N, to see that; +requests=N ends after so many.
module bench;

  localparam int unsigned Pages    = 4096;       // touched, from FirstPage on
  localparam int unsigned Latency  = 60;         // cycles of a read
  localparam bit [51:0]   FirstPage = 52'h7f1200000;
  localparam bit [35:0]   Root      = 36'h100;   // frame of the root table

  bit clk = 0, rst_n = 0;
  always #5 clk = !clk;

  // ---------------------------------------------------------------- the ports

  logic         req_valid, rsp_ready, mem_rsp_valid, ctl_write;
  logic [11:0]  req_id, ctl_addr;
  logic [51:0]  req_page;
  logic [2:0]   mem_rsp_tag;
  logic [511:0] mem_rsp_data;
  logic [63:0]  ctl_wdata;

  typedef struct packed {
    logic        req_ready, rsp_valid;
    logic [11:0] rsp_id;
    logic [3:0]  rsp_kind;
    logic [2:0]  rsp_level;
    logic [35:0] rsp_pfn;
    logic [1:0]  rsp_size, rsp_perm;
    logic        mem_req_valid;
    logic [2:0]  mem_req_tag;
    logic [41:0] mem_req_line;
    logic        inv_ready, inv_done;
    logic [63:0] ctl_rdata;
  } outputs_t;

  outputs_t dut, twin, seen;

  `define PORTS(out) \
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_ready_o(out.req_ready), \
    .req_id_i(req_id), .req_src_i('0), .req_pasid_i('0), .req_page_i(req_page), .req_access_i('0), \
    .rsp_valid_o(out.rsp_valid), .rsp_ready_i(rsp_ready), .rsp_id_o(out.rsp_id), \
    .rsp_kind_o(out.rsp_kind), .rsp_level_o(out.rsp_level), .rsp_pfn_o(out.rsp_pfn), \
    .rsp_size_o(out.rsp_size), .rsp_perm_o(out.rsp_perm), .mem_req_valid_o(out.mem_req_valid), \
    .mem_req_ready_i(1'b1), .mem_req_tag_o(out.mem_req_tag), .mem_req_line_o(out.mem_req_line), \
    .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_tag_i(mem_rsp_tag), .mem_rsp_error_i(1'b0), \
    .mem_rsp_data_i(mem_rsp_data), .inv_valid_i(1'b0), .inv_ready_o(out.inv_ready), .inv_type_i('0), \
    .inv_pasid_i('0), .inv_first_i('0), .inv_last_i('0), .inv_done_o(out.inv_done), \
    .ctl_write_i(ctl_write), .ctl_addr_i(ctl_addr), .ctl_wdata_i(ctl_wdata), .ctl_rdata_o(out.ctl_rdata)

  iommu u_dut (`PORTS(dut));
  lockwalk_ref u_twin (`PORTS(twin));

  // ---------------------------------------------------------------- page tables and memory

  logic [511:0] memory[bit [41:0]];  // lines, by PA[47:6]

  function automatic void map(bit [35:0] page, bit [35:0] frame);
    bit [35:0] node = Root;
    for (int unsigned k = 4; k > 0; k--) begin
      bit [8:0]  index = page[9*(k-1) +: 9];
      bit [41:0] line  = {node, index[8:3]};
      // Tables of level 3 and 2 lie behind the root, those of level 1 behind them.
      bit [35:0] next  = k == 1 ? frame : k == 2 ? 36'h200 + 36'(page[17:9]) : Root + 36'(5 - k);
      if (!memory.exists(line)) memory[line] = '0;
      memory[line][64*index[2:0] +: 64] = {16'h0, next, 12'h7};  // present, writable, for users
      node = next;
    end
  endfunction

  typedef struct packed {
    int unsigned due;
    logic [2:0]  tag;
    logic [41:0] line;
  } read_t;
  read_t reads[$];

  // ---------------------------------------------------------------- the run

  int unsigned requests = 20000, cycles = 0, asked = 0, answered = 0, flip = '1;
  bit          taken;

  initial begin
    void'($value$plusargs("flip=%d", flip));
    void'($value$plusargs("requests=%d", requests));
    for (int unsigned page = 0; page < Pages; page++) begin
      if ($urandom_range(9) != 0) map(FirstPage[35:0] + 36'(page), 36'h8000 + 36'(page));
    end
    {req_valid, rsp_ready, mem_rsp_valid, ctl_write} = '0;
    {req_id, req_page, mem_rsp_tag, mem_rsp_data, ctl_addr, ctl_wdata} = '0;
    repeat (3) @(negedge clk);
    rst_n = 1;
    write(12'h800, {1'b1, 27'h0, Root});  // the root of PASID 0
    write(12'h000, 64'h6);                // coalescing at every level, the page walk cache on
    while (answered < requests) begin
      cycle();
    end
    $display("bench: %0d requests, %0d cycles, all outputs equal", answered, cycles);
    $finish;
  end

  task automatic write(bit [11:0] address, bit [63:0] data);
    {ctl_write, ctl_addr, ctl_wdata} = {1'b1, address, data};
    cycle();
    ctl_write = 0;
  endtask

  // From one falling edge to the next: inputs are set and outputs compared in the middle of a cycle.
  task automatic cycle();
    seen = dut;
    if (cycles == flip) seen.rsp_pfn[3] = !seen.rsp_pfn[3];
    if (seen !== twin) begin
      $display("bench: cycle %0d: the design differs from the reference", cycles);
      $display("  design    %p", seen);
      $display("  reference %p", twin);
      $fatal(1, "the design is not equal");
    end
    mem_rsp_valid = reads.size() != 0 && reads[0].due <= cycles;
    if (mem_rsp_valid) begin
      mem_rsp_tag  = reads[0].tag;
      mem_rsp_data = memory.exists(reads[0].line) ? memory[reads[0].line] : '0;
      void'(reads.pop_front());
    end
    if (twin.mem_req_valid) begin
      reads.push_back({cycles + Latency, twin.mem_req_tag, twin.mem_req_line});
    end
    if (taken || !req_valid) begin
      req_valid = asked < requests && $urandom_range(3) != 0;
      req_page  = FirstPage + 52'($urandom_range(Pages - 1));
      req_id    = 12'(asked);
      asked     = asked + 32'(req_valid);
    end
    rsp_ready = $urandom_range(7) != 0;
    taken     = req_valid && twin.req_ready;
    answered  = answered + 32'(twin.rsp_valid && rsp_ready);
    cycles    = cycles + 1;
    @(negedge clk);
  endtask

endmodule
