// Reads buffer entries for the walkers: for one that takes an entry, and for one that wants to commit to
// the entry it has taken before (R5.3, R5.6).
//
// A read takes three cycles: the ask register says for whom and where, the entry is read from the buffer
// into the read register, and then it is taken, or decided on: the walker gives the entry back (R5.7) or
// commits to it (R5.8). A commit is not decided while an operation of the CAM may still change the entry
// (cam_close.sv), nor in the cycle of a scan. Commits come before takes, and a mark before both (R11.2).
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
  parameter bit          Subregions    = 1'b0,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam type key_t       = `LW_KEY_T(VpnW, PasidW),
  localparam type cam_op_t    = `LW_CAM_OP_T(VpnW, PasidW),
  localparam type candidate_t = `LW_CANDIDATE_T(SlotW),
  localparam type entry_t     = `LW_ENTRY_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type decision_t  = `LW_DECISION_T(SlotW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // The walkers: who is idle, who in CAM, the oldest of them (R5.22), and whose walk has started; their slots and
  // keys.
  input  logic [Walkers-1:0] in_idle_i,
  input  logic [Walkers-1:0] in_cam_i,
  input  logic [WalkerW-1:0] cam_walker_i,
  input  logic [Walkers-1:0] started_i,
  input  logic [SlotW-1:0]   slot_i [Walkers],
  input  key_t               key_i  [Walkers],
  // What else goes on in the cycle.
  input  logic               coalescing_i,
  input  logic               mark_i,         // R11.3
  input  logic               scan_i,         // a scan uses the CAM
  input  cam_op_t            search_i,
  input  cam_op_t            update_i,
  // The buffer.
  input  candidate_t         candidate_i,
  output logic               take_o,         // the candidate is asked for
  output logic               taking_o,       // it is on its way to its walker
  output logic [SlotW-1:0]   read_slot_o,
  input  entry_t             read_i,
  // What was read, for which walker, and what comes of it.
  output entry_t             entry_o,
  output logic [WalkerW-1:0] walker_o,
  output logic               taken_o,
  output decision_t          decision_o,
  // The oldest walker in CAM may advance now: its walk has started (R7.7).
  output logic               advance_o
);

  typedef enum logic [1:0] {
    ReadNone   = 2'd0,
    ReadTake   = 2'd1,
    ReadCommit = 2'd2
  } read_for_e;

  read_for_e          ask_for_q;
  logic [WalkerW-1:0] ask_walker_q;
  logic [SlotW-1:0]   ask_slot_q;
  read_for_e          read_for_q;
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
  logic [PfnW-1:0]    read_pa_q;
  logic [1:0]         read_perm_q;
  logic [ContigW-1:0] read_contig_q;
  logic [1:0]         read_block_q;
  logic               read_near_q;

  // ---------------------------------------------------------------- whose turn it is

  logic [WalkerW-1:0] idle_walker;
  logic               ask_commit, decide;

  lowest_index #(
    .Width(Walkers)
  ) u_idle_walker (
    .vector_i(in_idle_i),
    .index_o (idle_walker)
  );

  assign ask_commit  = |in_cam_i && !started_i[cam_walker_i] && !mark_i &&
                       ask_for_q != ReadCommit && !decide;
  assign taking_o    = ask_for_q == ReadTake || read_for_q == ReadTake;
  assign take_o      = candidate_i.held && |in_idle_i && !mark_i && !taking_o && !ask_commit;
  assign read_slot_o = ask_slot_q;
  assign advance_o   = |in_cam_i && started_i[cam_walker_i] && !scan_i && read_for_q != ReadCommit;

  // ---------------------------------------------------------------- what may still change (R5.6)

  // An operation in update when the entry is read, and one in search then, which is in update when the
  // entry is looked at; and one in search at that time.
  logic search_near_asked, update_near_asked, search_near_read;
  key_t asked_key;

  assign asked_key = key_i[ask_walker_q];

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_search_near_asked (
    .op_i   (search_i),
    .key_i  (asked_key),
    .close_o(search_near_asked)
  );

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_update_near_asked (
    .op_i   (update_i),
    .key_i  (asked_key),
    .close_o(update_near_asked)
  );

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_search_near_read (
    .op_i   (search_i),
    .key_i  (entry_o.key),
    .close_o(search_near_read)
  );

  // ---------------------------------------------------------------- the decision (R5.7, R5.8)

  assign decide = read_for_q == ReadCommit && !scan_i && !read_near_q &&
                  !(coalescing_i && search_near_read);

  logic give_back;

  assign give_back = decide && (read_done_q || read_cl_q != 3'd0);

  assign decision_o.give_back = give_back;
  assign decision_o.commit    = decide && !give_back;
  assign decision_o.slot      = read_slot_q;
  assign decision_o.block     = read_block_q;

  assign taken_o  = read_for_q == ReadTake;
  assign walker_o = read_walker_q;
  assign entry_o  = '{
    id:     read_id_q,
    src:    read_src_q,
    key:    '{pasid: read_pasid_q, vpn: read_vpn_q},
    access: read_access_q,
    done:   read_done_q,
    stale:  read_stale_q,
    cl:     read_cl_q,
    pl:     read_pl_q,
    pa:     read_pa_q,
    perm:   read_perm_q,
    contig: read_contig_q,
    block:  read_block_q
  };

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ask_for_q     <= ReadNone;
      ask_walker_q  <= '0;
      ask_slot_q    <= '0;
      read_for_q    <= ReadNone;
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
      read_pa_q     <= '0;
      read_perm_q   <= '0;
      read_contig_q <= '0;
      read_block_q  <= '0;
      read_near_q   <= 1'b0;
    end else begin
      if (!mark_i) ask_for_q <= ask_commit ? ReadCommit : (take_o ? ReadTake : ReadNone);
      if (ask_commit || take_o) begin
        ask_walker_q <= ask_commit ? cam_walker_i : idle_walker;
        ask_slot_q   <= ask_commit ? slot_i[cam_walker_i] : candidate_i.slot;
      end
      read_for_q <= mark_i ? ReadNone : ask_for_q;
      if (ask_for_q != ReadNone && !mark_i) begin
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
        read_pa_q     <= read_i.pa;
        read_perm_q   <= read_i.perm;
        read_contig_q <= Subregions ? read_i.contig : '0;
        read_block_q  <= read_i.block;
        read_near_q   <= ask_for_q == ReadCommit && coalescing_i &&
                         (search_near_asked || update_near_asked);
      end
    end
  end

endmodule
