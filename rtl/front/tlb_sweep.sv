// Finds the ways of the swept set that an invalidation takes out of the unified TLB (R3.10, R3.11).
//
// Of all entries, index = set x Ways + way; what is found loses VALID in the next cycle. A regular entry covers its
// page, a subregion entry the pages of its subregions, a run its pages; an entry of a large page covers the whole large
// page.
`include "lockwalk_types.svh"

module tlb_sweep
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter int unsigned Ways       = 16,
  parameter int unsigned TagW       = 32,
  parameter bit          Subregions = 1'b0,
  parameter bit          Runs       = 1'b0,
  localparam int unsigned Sets    = Entries / Ways,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam type invalidate_t = `LW_INVALIDATE_T(VpnW),
  localparam type sweep_t = `LW_SWEEP_T(SetW, VpnW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               mark_i,
  input  sweep_t             sweep_i,
  input  logic [Entries-1:0] valid_i,
  input  logic [Entries-1:0] class_i,
  input  logic [PasidW-1:0]  pasid_i  [Entries],
  input  logic [TagW-1:0]    tag_i    [Entries],
  input  logic [2:0]         length_i [Entries],
  input  logic [1:0]         size_i   [Entries],
  output logic [Ways-1:0]    match_o
);

  // A sweep begins with set 0 in the cycle after a mark and goes upward (R11.4): its set is known a cycle early.
  logic [Sets-1:0] at_q;  // one-hot
  logic [SetW-1:0] next_set;

  assign next_set = (SetBits == 0 || mark_i) ? '0 : sweep_i.set_index + SetW'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) at_q <= Sets'(1);
    else at_q <= Sets'(1) << next_set;
  end

  // The set that is swept, by way.
  logic [Ways-1:0]             valid, of_class;
  logic [Ways-1:0][PasidW-1:0] pasid;
  logic [Ways-1:0][TagW-1:0]   tag;
  logic [Ways-1:0][2:0]        length;
  logic [Ways-1:0][1:0]        size;

  always_comb begin
    {valid, of_class, pasid, tag, length, size} = '0;
    for (int unsigned s = 0; s < Sets; s++) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (at_q[s]) begin
          valid[w]    |= valid_i[s*Ways+w];
          of_class[w] |= class_i[s*Ways+w];
          pasid[w]    |= pasid_i[s*Ways+w];
          tag[w]      |= tag_i[s*Ways+w];
          length[w]   |= length_i[s*Ways+w];
          size[w]     |= size_i[s*Ways+w];
        end
      end
    end
  end

  logic [VpnW-1:0] set_bits;     // where a page has them
  logic [VpnW-1:0] span;         // the page bits within a large page
  logic [VpnW-1:0] first, last;  // pages that the entry covers
  logic            pasid_known;

  assign pasid_known = sweep_i.inv.pasid[PasidPortW-1:PasidW] == '0;
  assign set_bits    = (SetBits == 0) ? '0 : VpnW'(sweep_i.set_index) << (Runs ? 2 : 0);

  always_comb begin
    match_o = '0;
    span    = '0;
    first   = '0;
    last    = '0;
    if (sweep_i.valid) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        if (Runs) begin  // R3.14: no carry leaves the group
          first = (VpnW'(tag[w][TagW-1:2]) << (SetBits + 2)) | set_bits | VpnW'(tag[w][1:0]);
          last  = {first[VpnW-1:2], first[1:0] + length[w][1:0]};
        end else if (Subregions && of_class[w]) begin
          first = {(VpnW - 6)'(tag[w]), 6'b0};
          last  = {first[VpnW-1:9], first[8:6] + length[w], 6'h3f};
        end else begin
          first = (VpnW'(tag[w]) << SetBits) | set_bits;
          last  = first;
        end
        unique case (size[w])
          2'd1:    span = VpnW'(9'h1ff);
          2'd2:    span = VpnW'(18'h3ffff);
          2'd3:    span = VpnW'(4'hf);  // R20.5
          default: span = '0;
        endcase
        first &= ~span;
        last  |= span;
        if (sweep_i.inv.inv_type == InvAll) begin
          match_o[w] = valid[w];
        end else if (valid[w] && pasid_known && pasid[w] == sweep_i.inv.pasid[PasidW-1:0]) begin
          unique case (sweep_i.inv.inv_type)
            InvPage: match_o[w] = last >= sweep_i.inv.first && first <= sweep_i.inv.first;
            InvRange:
            match_o[w] = sweep_i.inv.first <= sweep_i.inv.last && last >= sweep_i.inv.first &&
                         first <= sweep_i.inv.last;
            default: match_o[w] = 1'b1;
          endcase
        end
      end
    end
  end

endmodule
