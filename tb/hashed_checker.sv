// Watches the walks of hashed tables: no OK comes from a bucket, and from a slot only with the tag of the walker's
// PASID and region (R20.26), a walker's WHERE goes with its level and state (R21.2, R21.7, R21.9, R21.13), only one
// that knows where its region lies has CONTIG (R20.28), no walk makes more reads than R21.18 says, and a lookup leads
// where the walker's WHERE lets it (R21.4).
`include "lockwalk_types.svh"

module hashed_checker
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW      = 36,
  parameter int unsigned PasidW    = 4,
  parameter int unsigned PfnW      = 36,
  parameter int unsigned Walkers   = 8,
  parameter bit          Hashes    = 1'b0,
  parameter int unsigned SlotPages = 512,
  localparam int unsigned Levels    = VpnW / 9,
  localparam int unsigned RegionLsb = region_lsb(SlotPages),
  localparam int unsigned WalkerW   = (Walkers == 1) ? 1 : $clog2(Walkers)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input walker_state_e      state_q    [Walkers],
  input logic [Walkers-1:0] started_q,
  input logic [Walkers-1:0] own_line_q,
  input where_e             where_q    [Walkers],
  input logic [2:0]         level_q    [Walkers],
  input logic [PfnW-1:0]    node_q     [Walkers],
  input logic [ContigW-1:0] contig_q   [Walkers],
  input logic [VpnW-1:0]    vpn_q      [Walkers],
  input logic [PasidW-1:0]  pasid_q    [Walkers],
  // The walker whose line it is, one-hot, the line, and whether it ends the walk with a translation.
  input logic [Walkers-1:0] scanned,
  input logic [511:0]       line,
  input logic               ends_ok,
  input logic               found,      // a lookup has its result
  input logic [WalkerW-1:0] found_walker,
  input where_e             found_where
);

  // Reads of each walker since its walk has started.
  int unsigned reads_q [Walkers];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < Walkers; w++) reads_q[w] <= '0;
    end else begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        if (!started_q[w]) reads_q[w] <= '0;
        else if (scanned[w]) reads_q[w] <= reads_q[w] + 1;
      end
    end
  end

  logic [47:0]        carried;
  logic [Walkers-1:0] looks_up;  // has not got the result of its lookup yet
  logic [Walkers-1:0] foreign, misplaced, misled, endless;

  always_comb begin
    for (int unsigned j = 0; j < 8; j++) carried[6*j+:6] = line[64*j+57+:6];
    looks_up  = '0;
    foreign   = '0;
    misplaced = '0;
    misled    = '0;
    endless   = '0;
    if (Hashes) begin
      for (int unsigned w = 0; w < Walkers; w++) begin
        looks_up[w] = state_q[w] inside {WalkerPwcReq, WalkerPwcWait};
        if (scanned[w] && ends_ok) begin
          foreign[w] = is_slot(where_q[w]) ?
              carried != {1'b1, 11'(pasid_q[w]), 36'(vpn_q[w][VpnW-1:RegionLsb])} :
              !(where_q[w] inside {WhereRadix, WhereVictim});
        end
        misled[w]  = started_q[w] && contig_q[w] != '0 &&
                     !(where_q[w] inside {WhereRadix, WhereCached, WhereKnown});
        endless[w] = reads_q[w] > 5 + Levels;
        if (started_q[w] && state_q[w] != WalkerResp) begin
          unique case (where_q[w])
            WhereLookup:             misplaced[w] = !own_line_q[w] || !looks_up[w];
            WhereSteps:              misplaced[w] = level_q[w] != 3'd2;
            WhereHome, WhereCached:  misplaced[w] = level_q[w] != 3'd1 || looks_up[w];
            WhereKnown:              misplaced[w] = level_q[w] != 3'd1 ||
                                                    (looks_up[w] && node_q[w] >= 8);
            WhereRadix, WhereVictim: misplaced[w] = looks_up[w];
            default:                 misplaced[w] = 1'b1;
          endcase
        end
      end
    end
  end

  // R21.4: LOOKUP is a hit, or goes to the home or the bucket; every other WHERE stays.
  logic leads;

  always_comb begin
    if (where_q[found_walker] != WhereLookup) leads = found_where == where_q[found_walker];
    else leads = found_where inside {WhereSteps, WhereHome, WhereCached};
  end

  tag_carried : assert property (@(posedge clk_i) disable iff (!rst_ni) foreign == '0)
  else $error("R20.26: walkers %b have an OK from a line that has not their tag", foreign);

  where_fits : assert property (@(posedge clk_i) disable iff (!rst_ni) misplaced == '0)
  else $error("R21.7, R21.9: WHERE of walkers %b does not go with their state", misplaced);

  contig_known : assert property (@(posedge clk_i) disable iff (!rst_ni) misled == '0)
  else $error("R20.28: CONTIG of walkers %b that no step table has said", misled);

  walk_ends : assert property (@(posedge clk_i) disable iff (!rst_ni) endless == '0)
  else $error("R21.18: too many reads of walkers %b", endless);

  lookup_leads : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !(Hashes && found) || leads)
  else $error("R21.4: a lookup leads to WHERE %0d", found_where);

endmodule

bind page_walkers hashed_checker #(
  .VpnW     (VpnW),
  .PasidW   (PasidW),
  .PfnW     (PfnW),
  .Walkers  (Walkers),
  .Hashes   (Hashes),
  .SlotPages(SlotPages)
) u_hashed_checker (
  .clk_i,
  .rst_ni,
  .state_q,
  .started_q,
  .own_line_q,
  .where_q,
  .level_q,
  .node_q,
  .contig_q,
  .vpn_q,
  .pasid_q,
  .scanned,
  .line        (line.data),
  .ends_ok     (scan_result_o.valid && scan_result_o.kind == KindOk),
  .found       (pwc_result_i.valid),
  .found_walker(pwc_result_i.walker),
  .found_where (pwc_result_i.hashed.where)
);
