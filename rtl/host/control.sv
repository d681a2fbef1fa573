// The control registers (R12.1, R12.2, R20.11, R21.16) and the first-fault record (R12.3, R12.4).
//
// In this folder is what the host sees of the unit beside requests: these registers, the counters and the
// invalidation.
`include "lockwalk_types.svh"

module control
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned SrcW       = 6,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  parameter bit          Hashes     = 1'b0,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type roots_t  = `LW_ROOTS_T(Pasids, PfnW),
  localparam type tables_t = `LW_TABLES_T(Pasids, PfnW),
  localparam type fault_t  = `LW_FAULT_T(SrcW)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                ctl_write_i,
  input  logic [11:0]         ctl_addr_i,
  input  logic [63:0]         ctl_wdata_i,
  output logic [63:0]         ctl_rdata_o,
  output logic [5:0]          counter_number_o,
  input  logic [CounterW-1:0] counter_i,
  output features_t           features_o,
  output roots_t              roots_o,
  output tables_t             tables_o,
  // An answer with a fault enters a queue; the hit queue's comes first (R12.4).
  input  fault_t              hit_fault_i,
  input  fault_t              walk_fault_i
);

  localparam logic [11:0] AddrFeatures  = 12'h000;
  localparam logic [11:0] AddrFaultInfo = 12'h001;
  localparam logic [11:0] AddrFaultPage = 12'h002;
  localparam logic [11:0] AddrStride    = 12'h004;

  features_t           features_q;
  logic [Pasids-1:0]   root_valid_q;
  logic [PfnW-1:0]     root_frame_q [Pasids];
  // Of hashed tables (R21.16).
  logic [17:0]         stride_q;
  logic [Pasids-1:0]   hashed_q, victim_valid_q;
  logic [4:0]          table_log_q    [Pasids];
  logic [4:0]          step_log_q     [Pasids];
  logic [PfnW-1:0]     step_frame_q   [Pasids];
  logic [PfnW-1:0]     victim_frame_q [Pasids];
  logic [63:0]         fault_info_q;
  logic [PageW-1:0]    fault_page_q;
  logic [11:0]         addr_q;  // what is read (R12.1)
  logic [63:0]         rdata_q, rdata_d;

  logic              writes_root, writes_step, writes_victim;
  logic [PasidW-1:0] written, asked;  // whose table it is
  fault_t            fault;

  assign fault = hit_fault_i.valid ? hit_fault_i : walk_fault_i;

  // R12.2: whether an address is that of a root.
  function automatic logic is_root(logic [11:0] addr);
    return addr[11] && 32'(addr[10:0]) < Pasids;
  endfunction

  // R21.16: ... of a step table or of a victim buffer, at the same places in the 256 after and those after them.
  function automatic logic is_of(logic [3:0] table_number, logic [11:0] addr);
    return Hashes && addr[11:8] == table_number && 32'(addr[7:0]) < Pasids;
  endfunction

  assign writes_root      = ctl_write_i && is_root(ctl_addr_i);
  assign writes_step      = ctl_write_i && is_of(4'h9, ctl_addr_i);
  assign writes_victim    = ctl_write_i && is_of(4'ha, ctl_addr_i);
  assign written          = ctl_addr_i[PasidW-1:0];
  assign asked            = addr_q[PasidW-1:0];
  assign counter_number_o = addr_q[5:0];

  // No register has bits between its frame and a logarithm.
  logic unused;
  assign unused = ^{ctl_wdata_i[62:PfnW], fault.valid};

  always_comb begin
    rdata_d = '0;
    if (is_root(addr_q)) begin
      rdata_d = {root_valid_q[asked], hashed_q[asked], table_log_q[asked],
                 57'(root_frame_q[asked])};
    end else if (is_of(4'h9, addr_q)) begin
      rdata_d = {2'b0, step_log_q[asked], 57'(step_frame_q[asked])};
    end else if (is_of(4'ha, addr_q)) begin
      rdata_d = {victim_valid_q[asked], 63'(victim_frame_q[asked])};
    end else if (addr_q[11:6] == 6'h04 && 32'(addr_q[5:0]) < Counters) begin
      rdata_d = 64'(counter_i);
    end else begin
      unique case (addr_q)
        AddrFeatures:  rdata_d = 64'(features_q);
        AddrFaultInfo: rdata_d = fault_info_q;
        AddrFaultPage: rdata_d = 64'(fault_page_q);
        AddrStride:    rdata_d = 64'(stride_q);
        default:       rdata_d = '0;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      features_q    <= '0;
      root_valid_q  <= '0;
      fault_info_q  <= '0;
      fault_page_q  <= '0;
      addr_q        <= '0;
      rdata_q       <= '0;
      {stride_q, hashed_q, victim_valid_q} <= '0;
      for (int unsigned p = 0; p < Pasids; p++) begin
        root_frame_q[p] <= '0;
        {table_log_q[p], step_log_q[p], step_frame_q[p], victim_frame_q[p]} <= '0;
      end
    end else begin
      addr_q  <= ctl_addr_i;
      rdata_q <= rdata_d;
      if (ctl_write_i && ctl_addr_i == AddrFeatures) begin
        features_q <= {Hashes && ctl_wdata_i[6], Colt != 0 && ctl_wdata_i[5],
                       Subregions && ctl_wdata_i[4], ctl_wdata_i[3:0]};
      end
      // R12.8
      if (writes_root) root_valid_q[written] <= ctl_wdata_i[63];
      if (writes_root && ctl_wdata_i[63]) root_frame_q[written] <= ctl_wdata_i[PfnW-1:0];
      if (Hashes && writes_root && ctl_wdata_i[63]) begin
        hashed_q[written]    <= ctl_wdata_i[62];
        table_log_q[written] <= ctl_wdata_i[61:57];
      end
      if (writes_step) begin
        step_log_q[written]   <= ctl_wdata_i[61:57];
        step_frame_q[written] <= ctl_wdata_i[PfnW-1:0];
      end
      if (writes_victim) begin
        victim_valid_q[written] <= ctl_wdata_i[63];
        victim_frame_q[written] <= ctl_wdata_i[PfnW-1:0];
      end
      if (ctl_write_i && ctl_addr_i == AddrStride) stride_q <= ctl_wdata_i[17:0];
      if (!Hashes) begin  // no registers: what is zero in every cycle synthesis takes away
        {stride_q, hashed_q, victim_valid_q} <= '0;
        for (int unsigned p = 0; p < Pasids; p++) begin
          {table_log_q[p], step_log_q[p], step_frame_q[p], victim_frame_q[p]} <= '0;
        end
      end
      if (ctl_write_i && ctl_addr_i == AddrFaultInfo) begin
        fault_info_q <= '0;
        fault_page_q <= '0;
      end
      if (!fault_info_q[63] && (hit_fault_i.valid || walk_fault_i.valid)) begin
        fault_info_q <= {1'b1, 27'(fault.src), fault.pasid, 6'b0, fault.access, 1'b0, fault.level,
                         fault.kind};
        fault_page_q <= fault.page;
      end
    end
  end

  for (genvar p = 0; p < Pasids; p++) begin : gen_roots
    assign roots_o.frame[p]         = root_frame_q[p];
    assign tables_o.table_log[p]    = table_log_q[p];
    assign tables_o.step_log[p]     = step_log_q[p];
    assign tables_o.step_frame[p]   = step_frame_q[p];
    assign tables_o.victim_frame[p] = victim_frame_q[p];
  end
  assign tables_o.hashed       = hashed_q;
  assign tables_o.victim_valid = victim_valid_q;
  assign tables_o.stride       = stride_q;
  assign roots_o.valid = root_valid_q;
  assign features_o    = features_q;
  assign ctl_rdata_o   = rdata_q;

endmodule
