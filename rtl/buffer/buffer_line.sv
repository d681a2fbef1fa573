// What a scanned line says to the entries of the IOMMU buffer in its neighbourhood (R9.4).
//
// Selects each entry's own PTE from the eight in the line and judges it with that entry's access: a fault, a leaf, or a
// node. Whether the entry takes the result is decided where it is written. Combinational. The index of an entry is its
// slot; positions and accesses are bit planes. PERM is {execute, write}; of an entry that is not near both are zero.
`include "lockwalk_types.svh"

module buffer_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW    = 36,
  parameter int unsigned Entries = 256,
  localparam type line_t = `LW_LINE_T(PfnW)
) (
  input  logic                    scan_i,          // there is a line
  input  logic [1:0]              perm_i,          // what the walk permits above the line
  input  line_t                   line_i,
  input  logic [Entries-1:0]      near_i,
  input  logic [2:0][Entries-1:0] near_position_i,
  input  logic [1:0][Entries-1:0] access_i,
  output logic [Entries-1:0]      refused_o,       // a fault
  output logic [Entries-1:0]      leaf_o
);

  // Each PTE is judged once for each access (R1.6, R1.8).
  logic [7:0] refuses_read, refuses_write, refuses_execute, leaf;

  for (genvar j = 0; j < 8; j++) begin : gen_judge
    logic [1:0] perm;
    assign perm               = perm_i & line_i.verdict[j].perm;
    assign refuses_read[j]    = line_i.verdict[j].kind != KindOk || !line_i.verdict[j].user;
    assign refuses_write[j]   = refuses_read[j] || !perm[0];
    assign refuses_execute[j] = refuses_read[j] || !perm[1];
    assign leaf[j]            = line_i.verdict[j].leaf;
  end

  logic [7:0] own;  // an entry's PTE in the line, one-hot

  always_comb begin
    refused_o = '0;
    leaf_o    = '0;
    own       = '0;
    if (scan_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        if (near_i[e]) begin
          own = 8'd1 << {near_position_i[2][e], near_position_i[1][e], near_position_i[0][e]};
          refused_o[e] = access_i[1][e] ? |(refuses_execute & own) :
                         access_i[0][e] ? |(refuses_write & own) : |(refuses_read & own);
          leaf_o[e]    = |(leaf & own);
        end
      end
    end
  end

  // Frames, CONTIG and LINKS go into the line store.
  logic unused;
  assign unused = ^line_i;

endmodule
