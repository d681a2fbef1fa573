// Decodes the eight page-table entries (PTEs) of a line as far as it does not matter who asks (R1.3, R1.6,
// R1.7), and says how far each of its two groups of four goes on without a gap, the LINKS (R1.14).
//
// Combinational. `level_i` is 1..5. A frame is given as PTE bits PaWidth-1:12; whoever asks joins the
// low bits of its own VPN to the frame of a large page. CONTIG is that of a PTE that its reader judges to be
// a node (R1.10). The LINKS are for those answered with OK from this line, read with REACH `reach_i`; a
// page's are those of group VPN[2]. They are made once, from the line: six compares, however many are
// answered.
//
// A sized PTE (R1.17) says itself how large its page is, and a large page has one for each of its 4 KiB: with `sized_i`
// each is judged for the page at its place beside `vpn_i`, and no large one answers beyond its line (R20.4, R20.5,
// R21.11).
`include "lockwalk_types.svh"

module line_decoder
  import lockwalk_pkg::*;
#(
  parameter int unsigned PaWidth    = 48,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,  // 0..2
  parameter bit          Sizes      = 1'b0,  // there are sized PTEs (R21.19)
  localparam int unsigned PfnW = PaWidth - 12,
  localparam type line_t = `LW_LINE_T(PfnW)
) (
  input  logic [7:0][63:0] line_i,
  input  logic [2:0]       level_i,
  input  reach_e           reach_i,
  input  logic             subregion_enable_i,
  input  logic             colt_enable_i,
  input  logic             sized_i,
  input  logic [8:0]       vpn_i,         // in its 2 MiB
  output line_t            line_o
);

  verdict_t [7:0]          verdict;
  logic [7:0][PfnW-1:0]    frame;
  logic [7:0][ContigW-1:0] contig;
  logic [7:0][1:0]         size;
  logic [1:0][2:0]         links;

  assign line_o = '{verdict: verdict, frame: frame, contig: contig, size: size, links: links};

  // Bits 62:61, 11:8 and 6:3 say nothing to this unit, nor 60:52 without subregions, nor bit 12 of a large PTE, where
  // it is PAT (R1.3); of a sized PTE 10:9 do, and 62:57 of a slot to slot_line.sv.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [63:0] pte;
  /* verilator lint_on UNUSEDSIGNAL */

  logic contiguity, sized;
  logic same_64k, same_2m;  // a frame lies in its large page as its VPN does

  assign sized      = Sizes && sized_i;
  assign contiguity = Subregions && subregion_enable_i && level_i == 3'd2;

  always_comb begin
    for (int unsigned j = 0; j < 8; j++) begin
      pte = line_i[j];
      frame[j] = pte[PaWidth-1:12];
      contig[j] = (contiguity && !pte[7]) ? pte[60:52] : '0;
      verdict[j].kind = KindOk;
      verdict[j].user = pte[2];
      verdict[j].perm = {!pte[63], pte[1]};
      verdict[j].leaf = level_i == 3'd1 || pte[7];
      size[j] = 2'd0;
      if (sized) begin
        unique case (pte[10:9])
          2'd1:    size[j] = 2'd3;
          2'd2:    size[j] = 2'd1;
          default: size[j] = 2'd0;
        endcase
      end
      same_64k = frame[j][3:0] == {vpn_i[3], 3'(j)};
      same_2m  = frame[j][8:4] == vpn_i[8:4] && same_64k;
      if (!pte[0]) begin
        verdict[j].kind = KindNotPresent;
      end else if ((level_i >= 3'd4 && pte[7]) ||
                   (PaWidth < 52 && (pte[51:12] >> PfnW) != '0) ||
                   (sized && (pte[10:9] == 2'd3 ||
                              (pte[10:9] != 2'd0 && Subregions && reach_i != ReachLine)))) begin
        verdict[j].kind = KindReserved;
      end else if ((pte[7] && ((level_i == 3'd3 && pte[29:13] != '0) ||
                               (level_i == 3'd2 && pte[20:13] != '0))) ||
                   (sized && ((pte[10:9] == 2'd1 && !same_64k) ||
                              (pte[10:9] == 2'd2 && !same_2m)))) begin
        verdict[j].kind = KindMisaligned;
      end
    end
  end

  // A line says by itself where its PTEs lie in it.
  logic unused_place;
  assign unused_place = ^{sized_i, vpn_i};

  // ---------------------------------------------------------------- LINKS (R1.14)

  if (Colt != 0) begin : gen_links
    // b is a + 1 modulo 2^PfnW if the lowest bit flips, and every other exactly where the bit below
    // it falls: a compare without a carry.
    function automatic logic follows(logic [PfnW-1:0] a, logic [PfnW-1:0] b);
      return (a ^ b) == {a[PfnW-2:0] & ~b[PfnW-2:0], 1'b1};
    endfunction

    logic [7:0] leaf;  // for a read
    logic       wanted;

    assign wanted = colt_enable_i && level_i == 3'd1;

    always_comb begin
      links = '0;
      for (int unsigned j = 0; j < 8; j++) begin
        leaf[j] = verdict[j].kind == KindOk && verdict[j].user;
      end
      if (wanted) begin
        for (int unsigned g = 0; g < 2; g++) begin
          for (int unsigned i = 0; i < 3; i++) begin
            links[g][i] = reach_i != ReachLine ||
                            (leaf[4*g+i] && leaf[4*g+i+1] &&
                             verdict[4*g+i].perm == verdict[4*g+i+1].perm &&
                             follows(frame[4*g+i], frame[4*g+i+1]));
          end
        end
      end
    end
  end else begin : gen_no_links
    assign links = '0;

    // The switch decides LINKS alone, and REACH beside them only what is large in a hashed table.
    logic unused;
    assign unused = ^{reach_i, colt_enable_i};
  end

endmodule
