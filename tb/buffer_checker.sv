// Watches the IOMMU buffer: a free slot for every insertion (R4.9), CL never stale (R4.1: an entry with CL=k lies in
// the neighbourhood of an access in flight at level k, as wide as its REACH makes it, whose permissions grant what it
// wants), never one of an entry that walks alone (R9.15), and only DONE entries in a batch of answers (R10.3).
//
// The search for the owner of each CL is quadratic, so it is made for small buffers only; the stress
// systems have these.
`include "lockwalk_types.svh"

module buffer_checker
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Walkers       = 8,
  localparam int unsigned SlotW = $clog2(BufferEntries),
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type flight_t = `LW_FLIGHT_T(VpnW, PasidW)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input mark_t                          mark_i,
  input logic                           insert_o,
  input logic [SlotW-1:0]               tail,
  input logic [BufferEntries-1:0]       valid_q,
  input logic [BufferEntries-1:0]       picked_q,
  input logic [BufferEntries-1:0]       done_q,
  input logic [BufferEntries-1:0]       batch_q,
  input logic [BufferEntries-1:0]       alone_q,
  input logic [2:0][BufferEntries-1:0]  cl_q,
  input logic [PasidW-1:0]              pasid_q [BufferEntries],
  input logic [VpnW-1:0]                vpn_q   [BufferEntries],
  input logic [1:0][BufferEntries-1:0]  access_q,
  input logic [2:0]                     search_level,
  input logic [BufferEntries-1:0]       near_level_d,
  input logic [2:0]                     update_level,
  input logic [BufferEntries-1:0]       near_level_q,
  input flight_t [Walkers-1:0]          flight_i,
  input logic [Walkers-1:0]             in_cam  // walkers that wait for their advance
);

  localparam bit Small = BufferEntries <= 16;

  function automatic logic near(logic [VpnW-1:0] a, logic [VpnW-1:0] b, logic [2:0] level,
                                logic [1:0] reach);
    if (level == 3'd1 && reach == ReachSubregion) return a[VpnW-1:6] == b[VpnW-1:6];
    if (level == 3'd1 && reach == ReachFrame) return a[VpnW-1:9] == b[VpnW-1:9];
    return ((a ^ b) >> (9 * (32'(level) - 1) + 3)) == '0;
  endfunction

  // Entries whose CL no access in flight explains, nor one whose release is in search or update; a mark of this
  // cycle takes it from those that it meets (R11.2).
  logic [BufferEntries-1:0] stale;
  logic [2:0] cl;

  always_comb begin
    stale = '0;
    cl    = '0;
    if (Small) begin
      for (int unsigned e = 0; e < BufferEntries; e++) begin
        cl = {cl_q[2][e], cl_q[1][e], cl_q[0][e]};
        stale[e] = valid_q[e] && cl != 3'd0 &&
                   !(mark_i.valid &&
                     (mark_i.all || (mark_i.one && pasid_q[e] == mark_i.pasid)));
        for (int unsigned w = 0; w < Walkers; w++) begin
          // A walker with a PWC hit that waits for its advance (R7.7) may be one level up, and permits less already;
          // so does one whose own line was claimed before its lookup (R5.24).
          if (flight_i[w].valid && flight_i[w].key.pasid == pasid_q[e] &&
              (flight_i[w].level == cl || (in_cam[w] && flight_i[w].level + 3'd1 == cl)) &&
              near(flight_i[w].key.vpn, vpn_q[e], cl, flight_i[w].reach) &&
              (in_cam[w] || (cl == 3'd1 && flight_i[w].reach == ReachLine) ||
               grants(flight_i[w].perm, {access_q[1][e], access_q[0][e]}))) begin
            stale[e] = 1'b0;
          end
        end
        if ((near_level_d[e] && search_level == cl) ||
            (near_level_q[e] && update_level == cl)) begin
          stale[e] = 1'b0;
        end
      end
    end
  end

  room : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !insert_o || !valid_q[tail])
  else $error("R4.9: an insertion finds slot %0d taken", tail);

  cl_never_stale : assert property (@(posedge clk_i) disable iff (!rst_ni) stale == '0)
  else $error("R4.1: CL of entries %b has no access in flight", stale);

  alone_waits_for_none : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (valid_q & alone_q & (cl_q[2] | cl_q[1] | cl_q[0])) == '0)
  else $error("R9.15: entries %b are claimed once more", valid_q & alone_q);

  answers_done : assert property (@(posedge clk_i) disable iff (!rst_ni)
      (batch_q & ~(valid_q & done_q & ~picked_q)) == '0)
  else $error("R10.3: entries %b of a batch have no answer", batch_q);

endmodule

// Who is in CAM the walkers say, which stand beside the buffer.
bind iommu_buffer buffer_checker #(
  .VpnW         (VpnW),
  .PasidW       (PasidW),
  .BufferEntries(BufferEntries),
  .Walkers      (Walkers)
) u_checker (
  .clk_i,
  .rst_ni,
  .mark_i,
  .insert_o,
  .tail,
  .valid_q,
  .picked_q,
  .done_q,
  .batch_q,
  .alone_q,
  .cl_q,
  .pasid_q,
  .vpn_q,
  .access_q,
  .search_level(search.level),
  .near_level_d(near_d.level),
  .update_level(update.level),
  .near_level_q,
  .flight_i,
  .in_cam      (u_walkers.in_q.cam)
);
