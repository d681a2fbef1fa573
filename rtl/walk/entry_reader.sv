// Reads buffer entries for the walkers and says what each does with its entry (chapter 5).
//
// A read takes three cycles, one entry a cycle: the ask register says for whom and where, loaded by a pick (R5.2) or
// by a walker in CAM that asks for its entry again (R5.6); the entry is read from the buffer into the read register
// (R5.18); and then its walker looks at it (R5.20): it gives it back or starts its walk, or has it looked up in the
// unified TLB once more before (R5.26), where it leaves by a hit, and is asked for again after a miss (R5.28).
// It starts only if no operation of the CAM may still change the entry (cam_close.sv); else it has looked in vain
// and asks again. Where a walk starts is computed beside that (walk_start.sv). While somebody has to ask, or has
// looked in vain, nothing is picked (R5.10).
`include "lockwalk_types.svh"

module entry_reader
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PfnW          = 36,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Walkers       = 8,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter bit          Hashes        = 1'b0,
  parameter bit          SecondLookup  = 1'b0,
  localparam int unsigned Pasids  = 2 ** PasidW,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type states_t   = `LW_IN_STATES_T(Walkers),
  localparam type key_t      = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t    = `LW_ROOTS_T(Pasids, PfnW),
  localparam type mark_t     = `LW_MARK_T(PasidW),
  localparam type look_t     = `LW_LOOK_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type second_t   = `LW_SECOND_T(IdW, SrcW, WalkerW),
  localparam type end_t      = `LW_SECOND_END_T(WalkerW),
  localparam type cam_op_t   = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type pick_t     = `LW_PICK_T(SlotW),
  localparam type entry_t    = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW),
  localparam type learnt_t   = `LW_LEARNT_NODE_T(PfnW),
  localparam type decision_t = `LW_DECISION_T(SlotW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  features_t          features_i,
  input  roots_t             roots_i,
  input  logic [Pasids-1:0]  hashed_i,       // by PASID (R21.1)
  // The walkers: who is in which state, the oldest in CAM (R5.22), whose walk has started, who has looked in vain;
  // their slots.
  input  states_t            in_i,
  input  logic [WalkerW-1:0] cam_walker_i,
  input  logic [Walkers-1:0] started_i,
  input  logic [Walkers-1:0] tried_i,
  input  logic               held_up_i,      // the walker that looks, by its AHEAD (R5.10, R5.29)
  input  logic [SlotW-1:0]   slot_i [Walkers],
  // What else goes on in the cycle.
  input  mark_t              mark_i,         // R11.3
  input  logic               scan_i,         // a scan uses the CAM
  input  cam_op_t            search_i,
  input  cam_op_t            update_i,
  // The buffer: an entry is wanted, and the one that is picked (R5.2); the entry that is read.
  output logic               wanted_o,
  input  pick_t              pick_i,
  output logic [SlotW-1:0]   read_slot_o,
  input  entry_t             read_i,
  input  learnt_t            learnt_i,       // of the entry that was read (R5.25)
  // Who gets the pick, and the oldest walker in CAM asks (R5.6) or may advance, for its walk has started (R7.7).
  output logic [WalkerW-1:0] idle_walker_o,
  output logic               ask_o,
  output logic               advance_o,
  // The look (R5.20): whose it is, what comes of it for that walker, and for the entry.
  output logic [WalkerW-1:0] walker_o,
  output look_t              look_o,
  output decision_t          decision_o,
  // Second lookups: the hit queue has room for one, one is made (R5.26), one ends (R5.28).
  input  logic               hit_room_i,
  output second_t            second_o,
  input  end_t               second_end_i
);

  logic               ask_valid_q;
  logic [WalkerW-1:0] ask_walker_q;
  logic [SlotW-1:0]   ask_slot_q;
  logic               ask_first_q;
  logic               read_valid_q;
  logic [WalkerW-1:0] read_walker_q;
  logic [SlotW-1:0]   read_slot_q;
  logic [IdW-1:0]     read_id_q;
  logic [SrcW-1:0]    read_src_q;
  logic [PasidW-1:0]  read_pasid_q;
  logic [VpnW-1:0]    read_vpn_q;
  logic [1:0]         read_access_q;
  logic               read_done_q;
  logic               read_stale_q;
  logic [2:0]         read_cl_q;
  logic [2:0]         read_pl_q;
  logic               read_near_q;
  logic               read_first_q;

  // ---------------------------------------------------------------- who is read for (R5.2, R5.6)

  lowest_index #(
    .Width(Walkers)
  ) u_idle_walker (
    .vector_i(in_i.idle),
    .index_o (idle_walker_o)
  );

  assign wanted_o    = |in_i.idle && in_i.cam == '0 && tried_i == '0 && !mark_i.valid;
  assign ask_o       = |in_i.cam && !started_i[cam_walker_i] && !mark_i.valid;
  assign advance_o   = |in_i.cam && started_i[cam_walker_i] && !scan_i && !read_valid_q;
  assign read_slot_o = ask_slot_q;

  // ---------------------------------------------------------------- what may still change (R5.21)

  // The operation that was in update when the entry was read is known by READ_NEAR; the one that was in search then
  // is in update now.
  logic   coalescing, search_close, update_close;
  entry_t entry;  // that was read

  assign coalescing = Coalesce && features_i.mode != 2'd0;

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW),
    .Hashes(Hashes)
  ) u_search_close (
    .op_i   (search_i),
    .key_i  (entry.key),
    .close_o(search_close)
  );

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW),
    .Hashes(Hashes)
  ) u_update_close (
    .op_i   (update_i),
    .key_i  (entry.key),
    .close_o(update_close)
  );

  // ---------------------------------------------------------------- the look (R5.20)

  logic       settled, may_change;  // it waits or has its answer; it may be otherwise by now
  logic       again;                // the unified TLB is asked once more
  logic [2:0] coalesced_levels;

  walk_start #(
    .VpnW(VpnW), .PfnW(PfnW), .PasidW(PasidW), .IdW(IdW), .SrcW(SrcW), .Subregions(Subregions),
    .Hashes(Hashes)
  ) u_start (
    .features_i,
    .roots_i,
    .hashed_i,
    .entry_i           (entry),
    .learnt_i,
    .walk_o            (look_o.walk),
    .due_o             (look_o.due),
    .root_known_o      (look_o.root_known),
    .coalesced_levels_o(coalesced_levels)
  );

  assign settled    = read_done_q || read_cl_q != 3'd0;
  assign may_change = scan_i || read_near_q || held_up_i ||
                      (coalescing && (search_close || update_close));

  assign again      = read_first_q && !read_stale_q && hit_room_i;

  assign decision_o = '{
    give_back: read_valid_q && settled,
    commit:    read_valid_q && !settled && !again && !may_change,
    slot:      read_slot_q,
    hit:       second_end_i.hit,
    hit_slot:  slot_i[second_end_i.walker]
  };

  assign walker_o = read_walker_q;

  assign look_o.valid            = read_valid_q;
  assign look_o.in_vain          = read_valid_q && !settled && !again && may_change;
  assign look_o.entry            = entry;
  assign look_o.met              = `LW_MEETS(mark_i, read_pasid_q);
  assign look_o.coalesced_levels = decision_o.commit ? coalesced_levels : '0;

  assign second_o = '{
    turn:    read_valid_q && read_first_q,
    valid:   read_valid_q && !settled && again,
    walker:  read_walker_q,
    request: '{id: read_id_q, src: read_src_q, pasid: PasidPortW'(read_pasid_q),
               page: {{(PageW - VpnW) {read_vpn_q[VpnW-1]}}, read_vpn_q}, access: read_access_q}
  };

  assign entry = '{
    id:     read_id_q,
    src:    read_src_q,
    key:    '{pasid: read_pasid_q, vpn: read_vpn_q},
    access: read_access_q,
    done:   read_done_q,
    stale:  read_stale_q,
    cl:     read_cl_q,
    pl:     read_pl_q,
    changing: read_near_q
  };

  // After a second miss only its walker goes on; of the states two count.
  logic unused;
  assign unused = ^{second_end_i.miss, in_i};

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_valid_q   <= 1'b0;
      ask_walker_q  <= '0;
      ask_slot_q    <= '0;
      ask_first_q   <= 1'b0;
      read_valid_q  <= 1'b0;
      read_walker_q <= '0;
      read_slot_q   <= '0;
      read_id_q     <= '0;
      read_src_q    <= '0;
      read_pasid_q  <= '0;
      read_vpn_q    <= '0;
      read_access_q <= '0;
      read_done_q   <= 1'b0;
      read_stale_q  <= 1'b0;
      read_cl_q     <= '0;
      read_pl_q     <= '0;
      read_near_q   <= 1'b0;
      read_first_q  <= 1'b0;
    end else begin
      if (!mark_i.valid) ask_valid_q <= ask_o || pick_i.valid;  // R5.3
      if (ask_o || pick_i.valid) begin
        ask_walker_q <= ask_o ? cam_walker_i : idle_walker_o;
        ask_slot_q   <= ask_o ? slot_i[cam_walker_i] : pick_i.slot;
        ask_first_q  <= SecondLookup && !ask_o && !coalescing;  // R5.27
      end
      read_valid_q <= ask_valid_q && !mark_i.valid;
      if (ask_valid_q && !mark_i.valid) begin  // R5.18
        read_walker_q <= ask_walker_q;
        read_slot_q   <= ask_slot_q;
        read_id_q     <= read_i.id;
        read_src_q    <= read_i.src;
        read_pasid_q  <= read_i.key.pasid;
        read_vpn_q    <= read_i.key.vpn;
        read_access_q <= read_i.access;
        read_done_q   <= read_i.done;
        read_stale_q  <= read_i.stale;
        read_cl_q     <= read_i.cl;
        read_pl_q     <= read_i.pl;
        read_near_q   <= coalescing && read_i.changing;  // R5.19
        read_first_q  <= ask_first_q;
      end
    end
  end

endmodule
