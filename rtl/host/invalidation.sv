// The invalidation (chapter 11): mark what is under way, sweep the tables, and wait until everything from
// before it has left.
//
// Contract: the operands are captured with the transfer; one invalidation at a time; `inv_done_o` is
// high for one cycle when no later response can use a translation from before the transfer (R11.8).
`include "lockwalk_types.svh"

module invalidation
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW      = 36,
  parameter int unsigned PasidW    = 4,
  parameter int unsigned Sets      = 16,
  parameter int unsigned TlbStages = 2,
  localparam int unsigned SetW    = (Sets == 1) ? 1 : $clog2(Sets),
  localparam int unsigned SettleW = (TlbStages <= 2) ? 1 : $clog2(TlbStages - 1),
  localparam type invalidate_t = `LW_INVALIDATE_T(VpnW),
  localparam type mark_t       = `LW_MARK_T(PasidW),
  localparam type sweep_t      = `LW_SWEEP_T(SetW, VpnW)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        inv_valid_i,
  output logic        inv_ready_o,
  input  invalidate_t inv_i,
  output logic        inv_done_o,
  output mark_t       mark_o,       // R11.2
  output sweep_t      sweep_o,
  // What it waits for (R11.5, R11.6).
  input  logic        under_way_i,
  input  logic        old_epoch_i,
  output logic        epoch_o
);

  inv_state_e            state_q;
  logic [1:0]            type_q;
  logic [PasidPortW-1:0] pasid_q;
  logic                  known_q;  // the PASID is one of the unit's
  logic [VpnW-1:0]       first_q, last_q;
  logic [SetW-1:0]       sweep_set_q;
  logic [SettleW-1:0]    settle_left_q;
  logic                  epoch_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= InvIdle;
      type_q        <= '0;
      pasid_q       <= '0;
      known_q       <= 1'b0;
      first_q       <= '0;
      last_q        <= '0;
      sweep_set_q   <= '0;
      settle_left_q <= '0;
      epoch_q       <= 1'b0;
    end else begin
      unique case (state_q)
        InvIdle: begin  // R11.1
          if (inv_valid_i) begin
            state_q <= InvMark;
            type_q  <= inv_i.inv_type;
            pasid_q <= inv_i.pasid;
            known_q <= inv_i.pasid[PasidPortW-1:PasidW] == '0;
            first_q <= inv_i.first;
            last_q  <= inv_i.last;
          end
        end
        InvMark: begin  // R11.2
          state_q     <= InvSweep;
          sweep_set_q <= '0;
        end
        InvSweep: begin  // R11.4
          if (32'(sweep_set_q) == Sets - 1) begin
            state_q       <= InvSettle;
            settle_left_q <= SettleW'(TlbStages - 2);
          end else begin
            sweep_set_q <= sweep_set_q + SetW'(1);
          end
        end
        InvSettle: begin
          if (settle_left_q == '0) state_q <= InvWalks;
          else settle_left_q <= settle_left_q - SettleW'(1);
        end
        InvWalks: begin  // R11.5
          if (!under_way_i) begin
            state_q <= InvQueues;
            epoch_q <= !epoch_q;
          end
        end
        InvQueues: if (!old_epoch_i) state_q <= InvComplete;  // R11.6
        default:   state_q <= InvIdle;
      endcase
    end
  end

  assign inv_ready_o = state_q == InvIdle;
  assign inv_done_o  = state_q == InvComplete;
  assign epoch_o     = epoch_q;

  assign mark_o = '{
    valid: state_q == InvMark,
    all:   type_q == InvAll,
    one:   known_q,
    pasid: pasid_q[PasidW-1:0]
  };

  assign sweep_o = '{
    valid: state_q == InvSweep,
    set_index:   sweep_set_q,
    inv:   '{inv_type: type_q, pasid: pasid_q, first: first_q, last: last_q}
  };

endmodule
