// The control port on AXI4-Lite (chapter 19, R19.8 to R19.12 and R19.18 to R19.22), and BUS_STATUS.
//
// Contract: AW and W come in either order; one write and one read are under way at a time. What is no access of a
// register is answered SLVERR and changes nothing (R19.9).
`include "lockwalk_types.svh"

module axi_lite_control
  import lockwalk_pkg::*;
#(
  parameter int unsigned Pasids = 16,
  parameter bit          Hashes = 1'b0   // there are hashed tables (R21.16)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // AXI4-Lite
  input  logic        aw_valid_i,
  output logic        aw_ready_o,
  input  logic [14:0] aw_addr_i,
  input  logic        w_valid_i,
  output logic        w_ready_o,
  input  logic [63:0] w_data_i,
  input  logic [7:0]  w_strb_i,
  output logic        b_valid_o,
  input  logic        b_ready_i,
  output logic [1:0]  b_resp_o,
  input  logic        ar_valid_i,
  output logic        ar_ready_o,
  input  logic [14:0] ar_addr_i,
  output logic        r_valid_o,
  input  logic        r_ready_i,
  output logic [63:0] r_data_o,
  output logic [1:0]  r_resp_o,
  // The control port of the unit (chapter 12), which is held in reset: no access takes place (R19.22).
  input  logic        hold_i,
  output logic        ctl_write_o,
  output logic [11:0] ctl_addr_o,
  output logic [63:0] ctl_wdata_o,
  input  logic [63:0] ctl_rdata_i,
  // Of the reader (R19.11)
  input  bus_events_t events_i,
  input  logic        reading_i,
  output bus_events_t status_o   // the bits of BUS_STATUS that stay
);

  localparam logic [11:0] AddrFeatures  = 12'h000;
  localparam logic [11:0] AddrFaultInfo = 12'h001;
  localparam logic [11:0] AddrFaultPage = 12'h002;
  localparam logic [11:0] AddrBusStatus = 12'h003;
  localparam logic [11:0] AddrStride    = 12'h004;
  localparam int unsigned LastEvent = Hashes ? CntStepRetries : CntChecksDropped;
  localparam logic [1:0]  Okay   = 2'b00;
  localparam logic [1:0]  Slverr = 2'b10;

  if (Pasids < 2 || Pasids > 256 || (Pasids & (Pasids - 1)) != 0) begin : gen_pasids
    $fatal(1, "Pasids is %0d; allowed: a power of two in 2..256", Pasids);
  end

  logic        aw_full_q, w_full_q, ar_full_q;
  logic [14:0] aw_addr_q, ar_addr_q;
  logic [63:0] w_data_q;
  logic        w_whole_q;     // WSTRB is all ones
  logic        b_full_q, r_full_q;
  logic [1:0]  b_resp_q, r_resp_q;
  logic [63:0] r_data_q;
  logic [1:0]  under_way_q;   // a read: {in its third cycle, in its second} (R19.20)
  logic        last_write_q;  // the last access was a write (R19.12)
  bus_events_t status_q;

  // R19.8, R19.9: whether there is a register that can be written.
  function automatic logic can_write(logic [14:0] addr);
    return addr[2:0] == 3'd0 &&
           (addr[14:3] == AddrFeatures || addr[14:3] == AddrFaultInfo ||
            addr[14:3] == AddrBusStatus || (addr[14] && 32'(addr[13:3]) < Pasids) ||
            (Hashes && (addr[14:3] == AddrStride ||
                        ((addr[14:11] == 4'h9 || addr[14:11] == 4'ha) &&
                         32'(addr[10:3]) < Pasids))));
  endfunction

  // ... or read.
  function automatic logic can_read(logic [14:0] addr);
    return can_write(addr) ||
           (addr[2:0] == 3'd0 &&
            (addr[14:3] == AddrFaultPage ||
             (addr[14:9] == 6'h04 && (32'(addr[8:3]) <= LastEvent ||
                                      (32'(addr[8:3]) >= CntIdleEmpty &&
                                       32'(addr[8:3]) <= CntSecondHits)))));
  endfunction

  logic        write_ready, read_ready, writes, reads, write_is_legal, of_status;
  bus_events_t cleared;

  assign write_ready    = aw_full_q && w_full_q && !b_full_q && !hold_i;
  assign read_ready     = ar_full_q && !r_full_q && under_way_q == '0 && !hold_i;
  assign writes         = write_ready && !(read_ready && last_write_q);
  assign reads          = read_ready && !writes;
  assign write_is_legal = can_write(aw_addr_q) && w_whole_q;
  assign of_status      = aw_addr_q[14:3] == AddrBusStatus;
  assign cleared        = (writes && write_is_legal && of_status) ? w_data_q[3:0] : '0;

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q    <= 1'b0;
      aw_addr_q    <= '0;
      w_full_q     <= 1'b0;
      w_data_q     <= '0;
      w_whole_q    <= 1'b0;
      b_full_q     <= 1'b0;
      b_resp_q     <= Okay;
      last_write_q <= 1'b0;
    end else begin
      aw_full_q <= aw_full_q ? !writes : aw_valid_i;
      w_full_q  <= w_full_q ? !writes : w_valid_i;
      b_full_q  <= b_full_q ? !b_ready_i : writes;
      if (aw_valid_i && aw_ready_o) aw_addr_q <= aw_addr_i;
      if (w_valid_i && w_ready_o) begin
        w_data_q  <= w_data_i;
        w_whole_q <= &w_strb_i;
      end
      if (writes) b_resp_q <= write_is_legal ? Okay : Slverr;
      if (writes || reads) last_write_q <= writes;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_full_q   <= 1'b0;
      ar_addr_q   <= '0;
      r_full_q    <= 1'b0;
      r_data_q    <= '0;
      r_resp_q    <= Okay;
      under_way_q <= '0;
      status_q    <= '0;
    end else begin
      ar_full_q   <= ar_full_q ? !under_way_q[1] : ar_valid_i;
      r_full_q    <= r_full_q ? !r_ready_i : under_way_q[1];
      under_way_q <= {under_way_q[0], reads};
      if (ar_valid_i && ar_ready_o) ar_addr_q <= ar_addr_i;
      if (under_way_q[1]) begin
        r_resp_q <= can_read(ar_addr_q) ? Okay : Slverr;
        r_data_q <= '0;
        if (can_read(ar_addr_q)) begin
          r_data_q <= (ar_addr_q[14:3] == AddrBusStatus) ? 64'({reading_i, status_q}) : ctl_rdata_i;
        end
      end
      status_q <= (status_q & ~cleared) | events_i;  // R19.10, R19.21
    end
  end

  // ---------------------------------------------------------------- outputs

  assign aw_ready_o  = !aw_full_q;
  assign w_ready_o   = !w_full_q;
  assign b_valid_o   = b_full_q;
  assign b_resp_o    = b_resp_q;
  assign ar_ready_o  = !ar_full_q;
  assign r_valid_o   = r_full_q;
  assign r_data_o    = r_data_q;
  assign r_resp_o    = r_resp_q;
  assign ctl_write_o = writes && write_is_legal && !of_status;  // R19.19
  assign ctl_addr_o  = writes ? aw_addr_q[14:3] : ar_addr_q[14:3];
  assign ctl_wdata_o = w_data_q;
  assign status_o    = status_q;

endmodule
