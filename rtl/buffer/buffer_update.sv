// What becomes of the entries of the IOMMU buffer by the operation in the CAM's update stage, by a mark
// and by an insertion: the next state of CL, PL, DONE and ALONE.
//
// Of the entries that the search found near, it says who gets an answer from the line (R9.6) or a
// new page-table level PL (R9.7), whose coalesced level CL is freed (R4.6, R9.3, R9.7), who walks
// alone from now on (R9.15), and whom the operation claims for its next access (R4.5, R9.8).
// Combinational, on the state at the beginning of the cycle. The index of an entry is its slot; CL,
// PL, positions, permissions and accesses are bit planes.
`include "lockwalk_types.svh"

module buffer_update
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned Entries    = 256,
  parameter bit          Coalesce   = 1'b1,
  localparam int unsigned Levels = VpnW / 9,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type cam_op_t = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type line_t   = `LW_LINE_T(PfnW),
  localparam type near_t   = `LW_NEAR_T(Entries)
) (
  input  logic [1:0]              mode_i,
  input  cam_op_t                 op_i,
  input  line_t                   line_i,
  input  logic                    open_i,        // the line can be kept (R9.14)
  // The entries, and what the search has found of them.
  input  logic [Entries-1:0]      valid_i,
  input  logic [Entries-1:0]      done_i,
  input  logic [Entries-1:0]      stale_i,
  input  logic [Entries-1:0]      alone_i,
  input  logic [2:0][Entries-1:0] cl_i,
  input  logic [2:0][Entries-1:0] pl_i,
  input  logic [1:0][Entries-1:0] access_i,
  input  near_t                   near_i,
  // Beside the operation: who loses PL (R9.13), whom a mark meets, who is inserted, and what that one waits for (R4.3).
  input  logic [Entries-1:0]      losing_i,
  input  logic [Entries-1:0]      met_i,
  input  logic [Entries-1:0]      inserted_i,
  input  logic [2:0]              inserted_cl_i,
  // What becomes of them.
  output logic [2:0][Entries-1:0] cl_o,
  output logic [2:0][Entries-1:0] pl_o,
  output logic [Entries-1:0]      done_o,
  output logic [Entries-1:0]      alone_o,
  output logic [Entries-1:0]      match_o,     // this entry learns from the line
  output logic                    same_neighbourhood_o  // R12.7
);

  function automatic logic [Entries-1:0] equal(logic [2:0][Entries-1:0] planes,
                                               logic [2:0] value);
    return ~((planes[2] ^ {Entries{value[2]}}) | (planes[1] ^ {Entries{value[1]}}) |
             (planes[0] ^ {Entries{value[0]}}));
  endfunction

  // Entries whose three-bit value is zero, or above (else below) the level given.
  function automatic logic [Entries-1:0] none_or(logic [2:0][Entries-1:0] planes, logic above,
                                                 logic [2:0] level);
    logic [Entries-1:0] mask;
    mask = equal(planes, 3'd0);
    for (int unsigned k = 1; k <= Levels; k++) begin
      if (above ? 3'(k) > level : 3'(k) < level) mask |= equal(planes, 3'(k));
    end
    return mask;
  endfunction

  function automatic logic [Entries-1:0] granted(logic [1:0] perm);
    return (access_i[1] & {Entries{perm[1]}}) |
           (~access_i[1] & (~access_i[0] | {Entries{perm[0]}}));
  endfunction

  // ---------------------------------------------------------------- whom the line is for (R9.4)

  // Answered: done by its own PTE. Leveled: its own PTE is a node.
  logic [Entries-1:0]      near, open, refused, is_leaf, answered, leveled;
  logic [Entries-1:0]      released, freed_cl, claimed;
  logic                    scanned;  // there is a line

  assign near    = valid_i & near_i.level;
  assign open    = ~(done_i | stale_i);
  assign scanned = op_i.op == CamScan && !op_i.error;
  assign match_o = (scanned && open_i && takes_part(Coalesce, mode_i, op_i.level)) ?
                   near & open & none_or(pl_i, 1'b1, op_i.level) & granted(op_i.perm) &
                   ~refused : '0;  // R9.5

  assign same_neighbourhood_o = scanned && op_i.level == 3'd1 && |(near & ~done_i);

  buffer_line #(
    .PfnW   (PfnW),
    .Entries(Entries)
  ) u_line (
    .scan_i         (op_i.op == CamScan),
    .perm_i         (op_i.perm),
    .line_i,
    .near_i         (near_i.level),
    .near_position_i(near_i.position),
    .access_i,
    .refused_o      (refused),
    .leaf_o         (is_leaf)
  );

  assign answered = match_o & is_leaf;
  assign leveled  = match_o & ~is_leaf;

  // ---------------------------------------------------------------- release and claim

  // R4.6, R9.3 (R9.9: also where the line is an error), R9.7.
  assign released = near & equal(cl_i, op_i.level);
  assign freed_cl = (op_i.op == CamNone) ? '0 :
                      released | (match_o & ~none_or(cl_i, 1'b0, op_i.level));

  logic [Entries-1:0] fails;  // R9.15

  assign fails = released & ({Entries{op_i.failed}} | (refused & {Entries{!op_i.error}}));

  // R4.5, R9.8: whom the operation claims, after its release. What the answers do before the claim
  // changes nothing of that, but for those who get one: a CL that they clear is above the level of
  // the claim, and so is a PL that they set.
  always_comb begin
    claimed = '0;
    if (op_i.claim.valid && takes_part(Coalesce, mode_i, op_i.claim.level)) begin
      claimed = valid_i & near_i.claim & open & ~alone_i & none_or(pl_i, 1'b1, op_i.claim.level) &
                  (none_or(cl_i, 1'b1, op_i.claim.level) | released) &
                  granted(op_i.claim.perm);
    end
  end

  // ---------------------------------------------------------------- next state

  // CL is zero for who gets an answer (R9.6), which is known last; else as if nobody did.
  always_comb begin
    for (int unsigned b = 0; b < 3; b++) begin
      cl_o[b] = (cl_i[b] & ~freed_cl & ~claimed) | (claimed & {Entries{op_i.claim.level[b]}});
      cl_o[b] &= ~(met_i & ~done_i);  // R11.2
      cl_o[b] = (cl_o[b] & ~inserted_i) | (inserted_i & {Entries{inserted_cl_i[b]}});  // R4.3
      cl_o[b] &= ~answered;
      pl_o[b] = (pl_i[b] & ~leveled & ~(losing_i & ~match_o)) |
                (leveled & {Entries{op_i.level[b]}});
      pl_o[b] &= ~(met_i & ~done_i & ~answered) & ~inserted_i;
    end
    done_o  = (done_i | answered) & ~inserted_i;
    alone_o = (alone_i | fails) & ~inserted_i;
    if (!Coalesce) begin  // R4.1: nobody is told anything
      done_o  = '0;
      alone_o = '0;
      pl_o    = '0;
    end
  end

  // The search has compared these.
  logic unused;
  assign unused = ^{op_i.key, op_i.position, op_i.reach};

endmodule
