// What a bucket of the step table says of a page's region (R20.8, R20.9): whether it knows the region's group, of which
// `steps_o` is then the second word, whether the region is present, and at which step of its chain.
//
// Combinational. The four entries are compared side by side, and beside that each one's part of the region is chosen;
// of two entries with one group the first counts.
`include "lockwalk_types.svh"

module step_line
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4,
  localparam type key_t = `LW_KEY_T(VpnW, PasidW)
) (
  input  logic [7:0][63:0] line_i,
  input  key_t             key_i,
  output logic             known_o,
  output logic [63:0]      steps_o,
  output logic             present_o,
  output logic [2:0]       step_o
);

  logic [63:0]     first_word;  // of the group's entry
  logic [3:0]      equal, first;
  logic [3:0][3:0] region;      // present and step, if the entry is the group's

  assign first_word = {1'b1, 20'b0, 11'(key_i.pasid), 32'(key_i.vpn[VpnW-1:13])};

  for (genvar e = 0; e < 4; e++) begin : gen_entry
    assign equal[e]  = line_i[2*e] == first_word;
    assign region[e] = line_i[2*e+1][4*key_i.vpn[12:9]+:4];
  end

  assign first   = {equal[3] && equal[2:0] == '0, equal[2] && equal[1:0] == '0,
                    equal[1] && !equal[0], equal[0]};
  assign known_o = |equal;

  always_comb begin
    steps_o             = '0;
    {present_o, step_o} = '0;
    for (int unsigned e = 0; e < 4; e++) begin
      steps_o             |= line_i[2*e+1] & {64{first[e]}};
      {present_o, step_o} |= region[e] & {4{first[e]}};
    end
  end

  // A group is asked for, and a region in it.
  logic unused;
  assign unused = ^key_i.vpn[8:0];

endmodule
