// The control registers (R12.1, R12.2) and the first-fault record (R12.3, R12.4).
module control
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW   = 36,
  parameter int unsigned PasidW = 4,
  parameter int unsigned SrcW   = 6,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  localparam int unsigned Pasids = 2 ** PasidW
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        ctl_write_i,
  input  logic [11:0]                 ctl_addr_i,
  input  logic [63:0]                 ctl_wdata_i,
  output logic [63:0]                 ctl_rdata_o,
  output logic [5:0]                  counter_number_o,
  input  logic [CounterW-1:0]         counter_i,
  output features_t                   features_o,
  output logic [Pasids-1:0]           root_valid_o,
  output logic [Pasids-1:0][PfnW-1:0] root_frame_o,
  // An answer with a fault enters a queue; the hit queue's comes first (R12.4).
  input  logic                        hit_fault_i,
  input  logic [3:0]                  hit_kind_i,
  input  logic [1:0]                  hit_access_i,
  input  logic [PasidPortW-1:0]       hit_pasid_i,
  input  logic [SrcW-1:0]             hit_src_i,
  input  logic [PageW-1:0]            hit_page_i,
  input  logic                        walk_fault_i,
  input  logic [3:0]                  walk_kind_i,
  input  logic [2:0]                  walk_level_i,
  input  logic [1:0]                  walk_access_i,
  input  logic [PasidW-1:0]           walk_pasid_i,
  input  logic [SrcW-1:0]             walk_src_i,
  input  logic [PageW-1:0]            walk_page_i
);

  localparam logic [11:0] AddrFeatures  = 12'h000;
  localparam logic [11:0] AddrFaultInfo = 12'h001;
  localparam logic [11:0] AddrFaultPage = 12'h002;

  features_t         features_q;
  logic [Pasids-1:0] root_valid_q;
  logic [PfnW-1:0]   root_frame_q [Pasids];
  logic [63:0]       fault_info_q;
  logic [PageW-1:0]  fault_page_q;
  logic [63:0]       rdata_q, rdata_d;

  logic is_root, is_counter;

  // No register has bits between the frame and the valid bit of a root.
  logic unused_wdata;
  assign unused_wdata = ^ctl_wdata_i[62:PfnW];

  assign is_root          = ctl_addr_i[11] && 32'(ctl_addr_i[10:0]) < Pasids;
  assign is_counter       = ctl_addr_i[11:6] == 6'h04 && 32'(ctl_addr_i[5:0]) < Counters;
  assign counter_number_o = ctl_addr_i[5:0];

  always_comb begin
    rdata_d = '0;
    if (is_root) begin
      rdata_d = {root_valid_q[ctl_addr_i[PasidW-1:0]], 63'(root_frame_q[ctl_addr_i[PasidW-1:0]])};
    end else if (is_counter) begin
      rdata_d = 64'(counter_i);
    end else begin
      unique case (ctl_addr_i)
        AddrFeatures:  rdata_d = 64'(features_q);
        AddrFaultInfo: rdata_d = fault_info_q;
        AddrFaultPage: rdata_d = 64'(fault_page_q);
        default:       rdata_d = '0;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      features_q   <= '0;
      root_valid_q <= '0;
      fault_info_q <= '0;
      fault_page_q <= '0;
      rdata_q      <= '0;
      for (int unsigned p = 0; p < Pasids; p++) root_frame_q[p] <= '0;
    end else begin
      rdata_q <= rdata_d;
      if (ctl_write_i && ctl_addr_i == AddrFeatures) begin
        features_q <= {Colt != 0 && ctl_wdata_i[5], Subregions && ctl_wdata_i[4], ctl_wdata_i[3:0]};
      end
      if (ctl_write_i && is_root) begin
        root_valid_q[ctl_addr_i[PasidW-1:0]] <= ctl_wdata_i[63];
        root_frame_q[ctl_addr_i[PasidW-1:0]] <= ctl_wdata_i[PfnW-1:0];
      end
      if (ctl_write_i && ctl_addr_i == AddrFaultInfo) begin
        fault_info_q <= '0;
        fault_page_q <= '0;
      end
      if (!fault_info_q[63] && (hit_fault_i || walk_fault_i)) begin
        fault_info_q <= {1'b1, hit_fault_i ? 27'(hit_src_i) : 27'(walk_src_i),
                         hit_fault_i ? hit_pasid_i : PasidPortW'(walk_pasid_i), 6'b0,
                         hit_fault_i ? hit_access_i : walk_access_i, 1'b0,
                         hit_fault_i ? 3'd0 : walk_level_i,
                         hit_fault_i ? hit_kind_i : walk_kind_i};
        fault_page_q <= hit_fault_i ? hit_page_i : walk_page_i;
      end
    end
  end

  for (genvar p = 0; p < Pasids; p++) begin : gen_roots
    assign root_frame_o[p] = root_frame_q[p];
  end
  assign root_valid_o = root_valid_q;
  assign features_o   = features_q;
  assign ctl_rdata_o  = rdata_q;

endmodule
