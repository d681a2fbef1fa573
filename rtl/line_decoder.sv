// The verdict on the eight PTEs of a line that do not depend on who asks (R1.3, R1.6, R1.7).
//
// Combinational. `level_i` is 1..5. A frame is given as PTE bits PaWidth-1:12; whoever asks joins the
// low bits of its own VPN to the frame of a large page. `contig_o` is that of a PTE that its reader
// judges to be a node (R1.10).
module line_decoder
  import lockwalk_pkg::*;
#(
  parameter int unsigned PaWidth    = 48,
  parameter bit          Subregions = 1'b0,
  localparam int unsigned PfnW = PaWidth - 12
) (
  input  logic [7:0][63:0]        line_i,
  input  logic [2:0]              level_i,
  input  logic                    subregion_enable_i,
  output verdict_t [7:0]          verdict_o,
  output logic [7:0][PfnW-1:0]    frame_o,
  output logic [7:0][ContigW-1:0] contig_o
);

  // Bits 62:61, 12:8 (but PAT) and 6:3 say nothing to this unit, nor 60:52 without subregions (R1.3).
  /* verilator lint_off UNUSEDSIGNAL */
  logic [63:0] pte;
  /* verilator lint_on UNUSEDSIGNAL */

  logic contiguity;

  assign contiguity = Subregions && subregion_enable_i && level_i == 3'd2;

  always_comb begin
    for (int unsigned j = 0; j < 8; j++) begin
      pte = line_i[j];
      frame_o[j] = pte[PaWidth-1:12];
      contig_o[j] = (contiguity && !pte[7]) ? pte[60:52] : '0;
      verdict_o[j].kind = KindOk;
      verdict_o[j].user = pte[2];
      verdict_o[j].perm = {!pte[63], pte[1]};
      verdict_o[j].leaf = level_i == 3'd1 || pte[7];
      if (!pte[0]) begin
        verdict_o[j].kind = KindNotPresent;
      end else if ((level_i >= 3'd4 && pte[7]) ||
                   (PaWidth < 52 && (pte[51:12] >> PfnW) != '0)) begin
        verdict_o[j].kind = KindReserved;
      end else if (pte[7] && ((level_i == 3'd3 && pte[29:13] != '0) ||
                              (level_i == 3'd2 && pte[20:13] != '0))) begin
        verdict_o[j].kind = KindMisaligned;
      end
    end
  end

endmodule
