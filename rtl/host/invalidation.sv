// The invalidation (section 11): mark, sweep, and wait until everything from before it has left.
//
// Contract: the operands are captured with the transfer; one invalidation at a time; `inv_done_o` is
// high for one cycle when no later response can use a translation from before the transfer (R11.8).
module invalidation
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4,
  parameter int unsigned Sets   = 16,
  localparam int unsigned SetW = (Sets == 1) ? 1 : $clog2(Sets)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  inv_valid_i,
  output logic                  inv_ready_o,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i,
  output logic                  inv_done_o,
  output logic                  mark_req_o,
  input  logic                  mark_i,
  output logic                  meets_all_o,     // R11.2: whom the captured invalidation meets
  output logic                  meets_pasid_o,
  output logic                  sweep_valid_o,
  output logic [SetW-1:0]       sweep_set_o,
  output logic [1:0]            type_o,
  output logic [PasidPortW-1:0] pasid_o,
  output logic [VpnW-1:0]       first_o,
  output logic [VpnW-1:0]       last_o,
  input  logic                  any_stale_i,
  input  logic                  old_epoch_i,
  output logic                  epoch_o
);

  inv_state_e            state_q;
  logic [1:0]            type_q;
  logic [PasidPortW-1:0] pasid_q;
  logic [VpnW-1:0]       first_q, last_q;
  logic [SetW-1:0]       sweep_set_q;
  logic                  epoch_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q     <= InvIdle;
      type_q      <= '0;
      pasid_q     <= '0;
      first_q     <= '0;
      last_q      <= '0;
      sweep_set_q <= '0;
      epoch_q     <= 1'b0;
    end else begin
      unique case (state_q)
        InvIdle: begin  // R11.1
          if (inv_valid_i) begin
            state_q <= InvMark;
            type_q  <= inv_type_i;
            pasid_q <= inv_pasid_i;
            first_q <= inv_first_i;
            last_q  <= inv_last_i;
          end
        end
        InvMark: begin  // R11.2
          if (mark_i) begin
            state_q     <= InvSweep;
            sweep_set_q <= '0;
          end
        end
        InvSweep: begin  // R11.4
          if (32'(sweep_set_q) == Sets - 1) state_q <= InvSettle;
          else sweep_set_q <= sweep_set_q + SetW'(1);
        end
        InvSettle: state_q <= InvWalks;
        InvWalks: begin  // R11.5
          if (!any_stale_i) begin
            state_q <= InvQueues;
            epoch_q <= !epoch_q;
          end
        end
        InvQueues: if (!old_epoch_i) state_q <= InvComplete;  // R11.6
        default:   state_q <= InvIdle;
      endcase
    end
  end

  assign inv_ready_o   = state_q == InvIdle;
  assign inv_done_o    = state_q == InvComplete;
  assign mark_req_o    = state_q == InvMark;
  assign meets_all_o   = type_q == InvAll;
  assign meets_pasid_o = pasid_q[PasidPortW-1:PasidW] == '0;
  assign sweep_valid_o = state_q == InvSweep;
  assign sweep_set_o   = sweep_set_q;
  assign type_o        = type_q;
  assign pasid_o       = pasid_q;
  assign first_o       = first_q;
  assign last_o        = last_q;
  assign epoch_o       = epoch_q;

endmodule
