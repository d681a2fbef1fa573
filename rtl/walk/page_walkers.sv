// The page walkers, their PWST, and the walk memory port (sections 5, 7, 8, 9).
//
// Up to one operation for the CAM, one entry read, one take or commit of what was read, one lookup
// entering, one result, one memory request and one answer in a cycle; each concerns another walker, but
// a mark may concern all (R11.2).
module page_walkers
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW          = 36,
  parameter int unsigned PaWidth       = 48,
  parameter int unsigned PasidW        = 4,
  parameter int unsigned IdW           = 12,
  parameter int unsigned SrcW          = 6,
  parameter int unsigned BufferEntries = 256,
  parameter int unsigned Walkers       = 8,
  parameter int unsigned PwcOrg        = 0,
  parameter bit          Coalesce      = 1'b1,
  parameter bit          Subregions    = 1'b0,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  localparam int unsigned Levels  = VpnW / 9,
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned SlotW   = $clog2(BufferEntries),
  localparam int unsigned WalkerW = (Walkers == 1) ? 1 : $clog2(Walkers),
  localparam int unsigned MemTagW = Subregions ? $clog2(Walkers + 8) : WalkerW,
  localparam int unsigned VsnW    = VpnW - 6,
  localparam int unsigned LineW   = PaWidth - 6,
  localparam int unsigned Pasids  = 2 ** PasidW
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [1:0]                        mode_i,
  input  logic                              pwc_enable_i,
  input  logic                              pl_skips_pwc_i,
  input  logic                              subregion_enable_i,
  input  logic                              colt_enable_i,
  input  logic [Pasids-1:0]                 root_valid_i,
  input  logic [Pasids-1:0][PfnW-1:0]       root_frame_i,
  // Candidate and the read port of the buffer (R5.3, R5.6).
  input  logic                              candidate_held_i,
  input  logic [SlotW-1:0]                  candidate_slot_i,
  output logic                              take_o,
  output logic                              taking_o,     // ASK_FOR=1 or READ_FOR=1
  output logic [SlotW-1:0]                  read_slot_o,  // read now
  input  logic [IdW-1:0]                    read_id_i,
  input  logic [SrcW-1:0]                   read_src_i,
  input  logic [PasidW-1:0]                 read_pasid_i,
  input  logic [VpnW-1:0]                   read_vpn_i,
  input  logic [1:0]                        read_access_i,
  input  logic                              read_done_i,
  input  logic [2:0]                        read_cl_i,
  input  logic [2:0]                        read_pl_i,
  input  logic [PfnW-1:0]                   read_pa_i,
  input  logic [1:0]                        read_perm_i,
  input  logic [ContigW-1:0]                read_contig_i,
  input  logic [1:0]                        read_block_i,
  output logic                              give_back_o,
  output logic                              commit_o,
  output logic [SlotW-1:0]                  commit_slot_o,  // of either
  output logic [1:0]                        commit_block_o,
  // Accesses in flight (R4.3).
  output logic [Walkers-1:0]                flight_valid_o,
  output logic [Walkers-1:0][VpnW-1:0]      flight_vpn_o,
  output logic [Walkers-1:0][PasidW-1:0]    flight_pasid_o,
  output logic [Walkers-1:0][2:0]           flight_level_o,
  output logic [Walkers-1:0][1:0]           flight_perm_o,
  output logic [Walkers-1:0][1:0]           flight_reach_o,  // reach_e
  // The operation that the CAM takes (R4.7), and those in its search and update.
  input  logic                              cam_busy_i,
  input  cam_op_e                           search_op_i,
  input  logic [PasidW-1:0]                 search_pasid_i,
  input  logic [VpnW-1:0]                   search_vpn_i,
  input  logic [2:0]                        search_level_i,
  input  reach_e                            search_reach_i,
  input  logic                              search_claim_i,
  input  logic [2:0]                        search_claim_level_i,
  input  reach_e                            search_claim_reach_i,
  input  cam_op_e                           update_op_i,
  input  logic [PasidW-1:0]                 update_pasid_i,
  input  logic [VpnW-1:0]                   update_vpn_i,
  input  logic [2:0]                        update_level_i,
  input  reach_e                            update_reach_i,
  input  logic                              update_claim_i,
  input  logic [2:0]                        update_claim_level_i,
  input  reach_e                            update_claim_reach_i,
  output cam_op_e                           cam_op_o,
  output logic [PasidW-1:0]                 cam_pasid_o,
  output logic [VpnW-1:0]                   cam_vpn_o,
  output logic [2:0]                        cam_level_o,
  output reach_e                            cam_reach_o,
  output logic [2:0]                        cam_position_o,
  output logic                              cam_error_o,
  output logic [1:0]                        cam_perm_o,
  output verdict_t [7:0]                    cam_verdict_o,
  output logic [7:0][PfnW-1:0]              cam_frame_o,
  output logic [7:0][ContigW-1:0]           cam_contig_o,
  output logic [1:0][2:0]                   cam_links_o,     // of the line's groups (R1.14)
  output logic                              claim_valid_o,
  output logic [2:0]                        claim_level_o,
  output reach_e                            claim_reach_o,
  output logic [1:0]                        claim_perm_o,
  // Page walk cache (section 6).
  output logic                              pwc_enter_o,
  output logic [WalkerW-1:0]                pwc_enter_walker_o,
  output logic [Walkers-1:0]                pwc_drop_o,
  input  logic [WalkerW-1:0]                pwc_key_walker_i,
  output logic [VpnW-1:0]                   pwc_key_vpn_o,
  output logic [PasidW-1:0]                 pwc_key_pasid_o,
  output logic [1:0]                        pwc_key_access_o,
  output logic [2:0]                        pwc_key_level_o,
  output logic [PfnW-1:0]                   pwc_key_node_o,
  output logic [1:0]                        pwc_key_perm_o,
  input  logic                              pwc_res_valid_i,
  input  logic [WalkerW-1:0]                pwc_res_walker_i,
  input  logic                              pwc_res_hit_i,
  input  logic [2:0]                        pwc_res_level_i,
  input  logic [PfnW-1:0]                   pwc_res_node_i,
  input  logic [1:0]                        pwc_res_perm_i,
  input  logic [ContigW-1:0]                pwc_res_contig_i,
  output logic                              pwc_fill_valid_o,
  output logic [2:0]                        pwc_fill_level_o,
  output logic [VpnW-1:0]                   pwc_fill_vpn_o,
  output logic [PasidW-1:0]                 pwc_fill_pasid_o,
  output logic [PfnW-1:0]                   pwc_fill_parent_o,
  output logic [PfnW-1:0]                   pwc_fill_node_o,
  output logic [1:0]                        pwc_fill_perm_o,
  output logic [1:0]                        pwc_fill_pte_perm_o,
  output logic [ContigW-1:0]                pwc_fill_contig_o,
  // Walk memory (section 8).
  output logic                              mem_req_valid_o,
  input  logic                              mem_req_ready_i,
  output logic [MemTagW-1:0]                mem_req_tag_o,
  output logic [LineW-1:0]                  mem_req_line_o,
  input  logic                              mem_rsp_valid_i,
  input  logic [MemTagW-1:0]                mem_rsp_tag_i,
  input  logic                              mem_rsp_error_i,
  input  logic [511:0]                      mem_rsp_data_i,
  // The contiguity check: what a scan asks of it (R16.1; the line is that of cam_verdict_o), its
  // reads of heads (R8.1), and a line that is no walker's (R16.7; line_place_o names the head).
  output logic                              check_valid_o,
  output logic [PasidW-1:0]                 check_pasid_o,
  output logic [VsnW-1:0]                   check_vsn_o,
  output logic [7:0]                        check_bits_o,
  output logic [PfnW-1:0]                   check_node_o,
  output logic [PfnW-1:0]                   check_pfn_o,
  output logic [1:0]                        check_perm_o,
  output logic [1:0]                        check_pte_perm_o,
  input  logic                              head_req_i,
  input  logic [2:0]                        head_place_i,
  input  logic [PfnW-1:0]                   head_node_i,
  output logic                              head_taken_o,
  output logic                              head_transfer_o,
  output logic                              line_head_o,
  output logic [2:0]                        line_place_o,
  output logic                              line_error_o,
  // Mark (R11.2): asked for, done, and whom it meets.
  input  logic                              mark_req_i,
  output logic                              mark_o,
  input  logic                              mark_all_i,
  input  logic                              mark_pasid_i,
  input  logic [PasidW-1:0]                 mark_pasid_value_i,
  // The answer of the lowest walker in RESP (R10.1).
  output logic                              ans_valid_o,
  input  logic                              ans_take_i,
  output logic [IdW-1:0]                    ans_id_o,
  output logic [SrcW-1:0]                   ans_src_o,
  output logic [PasidW-1:0]                 ans_pasid_o,
  output logic [VpnW-1:0]                   ans_vpn_o,
  output logic [1:0]                        ans_access_o,
  output logic [3:0]                        ans_kind_o,
  output logic [2:0]                        ans_level_o,
  output logic [PfnW-1:0]                   ans_pfn_o,
  output logic [1:0]                        ans_size_o,
  output logic [1:0]                        ans_perm_o,
  output logic [ContigW-1:0]                ans_contig_o,
  output logic                              ans_stale_o,
  // For the counters and the invalidation.
  output logic                              any_stale_o,
  output logic                              stray_o,  // a line that no walker waits for
  output logic [$clog2(Walkers+1)-1:0]      started_count_o,
  output logic [2:0]                        coalesced_levels_o,
  output logic [4:0][$clog2(Walkers+1)-1:0] cause_count_o,  // PWC CAM MEMORY_PORT MEMORY RESPONSE
  output logic [$clog2(Walkers+1)-1:0]      idle_count_o
);

  localparam int unsigned CountW = $clog2(Walkers + 1);

  walker_state_e      state_q  [Walkers];
  logic [Walkers-1:0] started_q;
  logic [Walkers-1:0] stale_q;
  logic [VpnW-1:0]    vpn_q    [Walkers];
  logic [PasidW-1:0]  pasid_q  [Walkers];
  logic [1:0]         access_q [Walkers];
  logic [IdW-1:0]     id_q     [Walkers];
  logic [SrcW-1:0]    src_q    [Walkers];
  logic [SlotW-1:0]   slot_q   [Walkers];
  logic [2:0]         level_q  [Walkers];
  logic [PfnW-1:0]    node_q   [Walkers];
  logic [1:0]         perm_q   [Walkers];
  logic [3:0]         kind_q   [Walkers];
  logic [2:0]         flevel_q [Walkers];
  logic [1:0]         size_q   [Walkers];
  logic [ContigW-1:0] contig_q [Walkers];

  // The ask register and the read register (R5.3, R5.6).
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
  logic [2:0]         read_cl_q;
  logic [2:0]         read_pl_q;
  logic [PfnW-1:0]    read_pa_q;
  logic [1:0]         read_perm_q;
  logic [ContigW-1:0] read_contig_q;
  logic [1:0]         read_block_q;
  logic               read_near_q;

  // R0.4
  function automatic logic [WalkerW-1:0] lowest(logic [Walkers-1:0] vector);
    logic [WalkerW-1:0] walker;
    walker = '0;
    for (int w = Walkers - 1; w >= 0; w--) if (vector[w]) walker = WalkerW'(w);
    return walker;
  endfunction

  // ---------------------------------------------------------------- who is in which state

  logic [Walkers-1:0] in_idle, in_pwc_req, in_pwc_wait, in_cam, in_req, in_mem, in_resp, meant, met;

  always_comb begin
    for (int unsigned w = 0; w < Walkers; w++) begin
      in_idle[w]     = state_q[w] == WalkerIdle;
      in_pwc_req[w]  = state_q[w] == WalkerPwcReq;
      in_pwc_wait[w] = state_q[w] == WalkerPwcWait;
      in_cam[w]      = state_q[w] == WalkerCam;
      in_req[w]      = state_q[w] == WalkerReq;
      in_mem[w]      = state_q[w] == WalkerMem;
      in_resp[w]     = state_q[w] == WalkerResp;
      meant[w]       = mark_all_i || (mark_pasid_i && pasid_q[w] == mark_pasid_value_i);
    end
  end

  assign met = mark_o ? meant & ~in_idle : '0;  // R11.2

  // ---------------------------------------------------------------- walk memory (section 8)

  logic               load;  // of the walker mw's request, into the request register
  logic [WalkerW-1:0] mw;
  logic               line_valid, line_error;
  logic [MemTagW-1:0] line_tag;
  logic [7:0][63:0]   line;

  // Of the line's walker.
  logic [VpnW-1:0]    scan_vpn;
  logic [PasidW-1:0]  scan_pasid;
  logic [1:0]         scan_access, scan_perm;
  logic [2:0]         scan_level, scan_position;
  logic [PfnW-1:0]    scan_node;
  logic [7:0]         scan_bits;  // C of its CONTIG
  reach_e             scan_reach;

  walk_memory_port #(
    .VpnW      (VpnW),
    .PaWidth   (PaWidth),
    .PasidW    (PasidW),
    .Walkers   (Walkers),
    .Subregions(Subregions),
    .HeadFirst (HeadFirst)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .in_req_i       (in_req),
    .vpn_i          (vpn_q),
    .pasid_i        (pasid_q),
    .access_i       (access_q),
    .level_i        (level_q),
    .node_i         (node_q),
    .perm_i         (perm_q),
    .contig_i       (contig_q),
    .load_o         (load),
    .load_walker_o  (mw),
    .head_req_i,
    .head_place_i,
    .head_node_i,
    .head_taken_o,
    .head_transfer_o,
    .mem_req_valid_o,
    .mem_req_ready_i,
    .mem_req_tag_o,
    .mem_req_line_o,
    .mem_rsp_valid_i,
    .mem_rsp_tag_i,
    .mem_rsp_error_i,
    .mem_rsp_data_i,
    .line_valid_o   (line_valid),
    .line_tag_o     (line_tag),
    .line_error_o   (line_error),
    .line_o         (line),
    .scan_vpn_o     (scan_vpn),
    .scan_pasid_o   (scan_pasid),
    .scan_access_o  (scan_access),
    .scan_level_o   (scan_level),
    .scan_node_o    (scan_node),
    .scan_perm_o    (scan_perm),
    .scan_bits_o    (scan_bits),
    .scan_reach_o   (scan_reach),
    .scan_position_o(scan_position)
  );

  // ---------------------------------------------------------------- scan (R9.2, R7.4)

  logic               scan, scan_cam, tag_known;
  logic [WalkerW-1:0] sw;  // the scanning walker
  verdict_t           own;
  logic [3:0]         own_kind;
  logic               own_node;
  logic [1:0]         own_perm;
  logic [PfnW-1:0]    own_frame, own_pfn;
  logic [ContigW-1:0] own_contig;

  assign tag_known = 32'(line_tag) < Walkers;
  assign sw        = tag_known ? WalkerW'(line_tag) : '0;
  assign scan      = line_valid && tag_known && in_mem[sw];
  assign scan_cam  = scan && !stale_q[sw];  // R11.7
  assign stray_o   = line_valid && !scan;  // R8.4

  line_decoder #(
    .PaWidth   (PaWidth),
    .Subregions(Subregions),
    .Colt      (Colt)
  ) u_line_decoder (
    .line_i (line),
    .level_i(scan_level),
    .reach_i(scan_reach),
    .subregion_enable_i,
    .colt_enable_i,
    .verdict_o(cam_verdict_o),
    .frame_o  (cam_frame_o),
    .contig_o (cam_contig_o),
    .links_o  (cam_links_o)
  );

  assign own           = cam_verdict_o[scan_position];
  assign own_kind      = line_error ? KindMemoryError
                                     : judge(own.kind, own.user, own.perm, scan_access);
  assign own_node      = own_kind == KindOk && !own.leaf;
  assign own_perm      = scan_perm & own.perm;  // R1.8
  assign own_frame     = cam_frame_o[scan_position];
  assign own_contig    = cam_contig_o[scan_position];

  always_comb begin  // R1.7
    own_pfn = own_frame;
    if (own.leaf && scan_level == 3'd2) own_pfn[8:0] = scan_vpn[8:0];
    if (own.leaf && scan_level == 3'd3) own_pfn[17:0] = scan_vpn[17:0];
  end

  // ---------------------------------------------------------------- the contiguity check

  logic [9:0] around;  // C7..C0 with a clear place on either side
  logic [2:0] own_place;

  assign own_place        = scan_vpn[8:6];
  assign around           = {1'b0, scan_bits, 1'b0};
  assign check_valid_o    = scan_cam && scan_reach == ReachSubregion && own_kind == KindOk &&
                            (around[4'(own_place)] || around[4'(own_place)+4'd2]);
  assign check_pasid_o    = scan_pasid;
  assign check_vsn_o      = scan_vpn[VpnW-1:6];
  assign check_bits_o     = scan_bits;
  assign check_node_o     = scan_node;
  assign check_pfn_o      = own_frame;
  assign check_perm_o     = own_perm;
  assign check_pte_perm_o = own.perm;

  assign line_head_o  = Subregions && line_valid && !tag_known && 32'(line_tag) < Walkers + 8;
  assign line_place_o = 3'(32'(line_tag) - Walkers);
  assign line_error_o = line_error;

  // ---------------------------------------------------------------- reading an entry (R5.3, R5.6)

  logic [WalkerW-1:0] cw, tw;  // the lowest in CAM; the lowest idle, who takes the candidate
  logic               ask_commit, decide;

  assign mark_o      = mark_req_i && !scan_cam && !cam_busy_i && ask_for_q == ReadNone &&
                       read_for_q == ReadNone;
  assign cw          = lowest(in_cam);
  assign tw          = lowest(in_idle);
  assign ask_commit  = |in_cam && !started_q[cw] && !mark_req_i && ask_for_q != ReadCommit &&
                       !decide;
  assign taking_o    = ask_for_q == ReadTake || read_for_q == ReadTake;
  assign take_o      = candidate_held_i && |in_idle && !mark_req_i && !taking_o && !ask_commit;
  assign read_slot_o = ask_slot_q;

  // What an operation may still change is not decided on: one in update now, when the entry is read; one
  // in search now, in update when the entry is looked at; one in search then.
  logic search_near_walker, update_near_walker, search_near_read, coalescing;

  assign coalescing = Coalesce && mode_i != 2'd0;

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_search_near_walker (
    .op_i         (search_op_i),
    .pasid_i      (search_pasid_i),
    .vpn_i        (search_vpn_i),
    .level_i      (search_level_i),
    .reach_i      (search_reach_i),
    .claim_i      (search_claim_i),
    .claim_level_i(search_claim_level_i),
    .claim_reach_i(search_claim_reach_i),
    .key_pasid_i  (pasid_q[ask_walker_q]),
    .key_vpn_i    (vpn_q[ask_walker_q]),
    .close_o      (search_near_walker)
  );

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_update_near_walker (
    .op_i         (update_op_i),
    .pasid_i      (update_pasid_i),
    .vpn_i        (update_vpn_i),
    .level_i      (update_level_i),
    .reach_i      (update_reach_i),
    .claim_i      (update_claim_i),
    .claim_level_i(update_claim_level_i),
    .claim_reach_i(update_claim_reach_i),
    .key_pasid_i  (pasid_q[ask_walker_q]),
    .key_vpn_i    (vpn_q[ask_walker_q]),
    .close_o      (update_near_walker)
  );

  cam_close #(
    .VpnW  (VpnW),
    .PasidW(PasidW)
  ) u_search_near_read (
    .op_i         (search_op_i),
    .pasid_i      (search_pasid_i),
    .vpn_i        (search_vpn_i),
    .level_i      (search_level_i),
    .reach_i      (search_reach_i),
    .claim_i      (search_claim_i),
    .claim_level_i(search_claim_level_i),
    .claim_reach_i(search_claim_reach_i),
    .key_pasid_i  (read_pasid_q),
    .key_vpn_i    (read_vpn_q),
    .close_o      (search_near_read)
  );

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
      read_cl_q     <= '0;
      read_pl_q     <= '0;
      read_pa_q     <= '0;
      read_perm_q   <= '0;
      read_contig_q <= '0;
      read_block_q  <= '0;
      read_near_q   <= 1'b0;
    end else begin
      ask_for_q <= ask_commit ? ReadCommit : (take_o ? ReadTake : ReadNone);
      if (ask_commit || take_o) begin
        ask_walker_q <= ask_commit ? cw : tw;
        ask_slot_q   <= ask_commit ? slot_q[cw] : candidate_slot_i;
      end
      read_for_q <= ask_for_q;
      if (ask_for_q != ReadNone) begin
        read_walker_q <= ask_walker_q;
        read_slot_q   <= ask_slot_q;
        read_id_q     <= read_id_i;
        read_src_q    <= read_src_i;
        read_pasid_q  <= read_pasid_i;
        read_vpn_q    <= read_vpn_i;
        read_access_q <= read_access_i;
        read_done_q   <= read_done_i;
        read_cl_q     <= read_cl_i;
        read_pl_q     <= read_pl_i;
        read_pa_q     <= read_pa_i;
        read_perm_q   <= read_perm_i;
        read_contig_q <= Subregions ? read_contig_i : '0;
        read_block_q  <= read_block_i;
        read_near_q   <= ask_for_q == ReadCommit && coalescing &&
                         (search_near_walker || update_near_walker);
      end
    end
  end

  // ---------------------------------------------------------------- the CAM port (R4.4)

  logic               advance, from_pl, root_known;
  logic [WalkerW-1:0] dw;  // the walker for whom the entry was read
  logic [2:0]         start_level;
  logic [PfnW-1:0]    start_node;
  logic [1:0]         start_perm;
  logic [ContigW-1:0] start_contig;

  assign dw           = read_walker_q;
  assign decide        = read_for_q == ReadCommit && !scan_cam && !read_near_q &&
                         !(coalescing && search_near_read);
  assign advance       = |in_cam && started_q[cw] && !scan_cam && !mark_req_i &&
                         read_for_q != ReadCommit;
  assign give_back_o   = decide && (read_done_q || read_cl_q != 3'd0);  // R5.7
  assign commit_o      = decide && !give_back_o;                        // R5.8
  assign commit_slot_o  = read_slot_q;
  assign commit_block_o = read_block_q;
  assign root_known    = root_valid_i[pasid_q[dw]];
  assign from_pl       = read_pl_q != 3'd0 && read_pl_q - 3'd1 <= level_q[dw];
  assign coalesced_levels_o = (commit_o && from_pl) ? 3'(Levels + 1) - read_pl_q : '0;
  assign start_level   = from_pl ? read_pl_q - 3'd1 : level_q[dw];
  assign start_node    = from_pl ? read_pa_q : node_q[dw];
  assign start_perm    = from_pl ? read_perm_q : perm_q[dw];
  assign start_contig  = !Subregions ? '0 : (from_pl ? read_contig_q : contig_q[dw]);

  // R4.7
  always_comb begin
    cam_op_o       = CamNone;
    cam_pasid_o    = scan_pasid;
    cam_vpn_o      = scan_vpn;
    cam_level_o    = scan_level;
    cam_reach_o    = scan_reach;
    cam_position_o = scan_position;
    cam_error_o    = line_error;
    cam_perm_o     = scan_perm;
    claim_valid_o  = own_node;
    claim_level_o  = scan_level - 3'd1;
    claim_reach_o  = reach_of(scan_level - 3'd1, own_contig, scan_vpn[8:6]);
    claim_perm_o   = own_perm;
    if (scan_cam) begin
      cam_op_o = CamScan;
    end else begin
      cam_reach_o    = ReachLine;  // above level 1 (R7.7)
      cam_position_o = '0;
      cam_error_o    = 1'b0;
      cam_perm_o     = '0;
      if (commit_o) begin
        cam_op_o      = CamCommit;
        cam_pasid_o   = pasid_q[dw];
        cam_vpn_o     = vpn_q[dw];
        cam_level_o   = '0;
        claim_valid_o = root_known;  // R5.9
        claim_level_o = start_level;
        claim_reach_o = reach_of(start_level, start_contig, vpn_q[dw][8:6]);
        claim_perm_o  = start_perm;
      end else begin
        if (advance && !stale_q[cw]) cam_op_o = CamAdvance;
        cam_pasid_o   = pasid_q[cw];
        cam_vpn_o     = vpn_q[cw];
        cam_level_o   = level_q[cw] + 3'd1;
        claim_valid_o = 1'b1;
        claim_level_o = level_q[cw];
        claim_reach_o = reach_of(level_q[cw], contig_q[cw], vpn_q[cw][8:6]);
        claim_perm_o  = perm_q[cw];
      end
    end
  end

  for (genvar w = 0; w < Walkers; w++) begin : gen_flight  // R7.3
    assign flight_valid_o[w] = started_q[w] && !stale_q[w] && !in_resp[w];
    assign flight_vpn_o[w]   = vpn_q[w];
    assign flight_pasid_o[w] = pasid_q[w];
    assign flight_level_o[w] = level_q[w];
    assign flight_perm_o[w]  = perm_q[w];
    assign flight_reach_o[w] = reach_of(level_q[w], contig_q[w], vpn_q[w][8:6]);
  end

  // ---------------------------------------------------------------- page walk cache

  logic [WalkerW-1:0] ew, kw, rw;  // entering; whose key is loaded; whose result is there
  logic               by_address;

  assign by_address         = PwcOrg == 1;
  assign ew                 = lowest(in_pwc_req);
  assign pwc_enter_o        = |in_pwc_req && !pwc_drop_o[ew];  // R11.3
  assign pwc_enter_walker_o = ew;
  assign pwc_drop_o         = met & ~started_q;
  assign rw                 = pwc_res_walker_i;
  assign kw                 = pwc_key_walker_i;
  assign pwc_key_vpn_o      = vpn_q[kw];
  assign pwc_key_pasid_o    = pasid_q[kw];
  assign pwc_key_access_o   = access_q[kw];
  assign pwc_key_level_o    = level_q[kw];
  assign pwc_key_node_o     = node_q[kw];
  assign pwc_key_perm_o     = perm_q[kw];

  assign pwc_fill_valid_o    = scan_cam && own_node && pwc_enable_i;  // R6.5
  assign pwc_fill_level_o    = scan_level;
  assign pwc_fill_vpn_o      = scan_vpn;
  assign pwc_fill_pasid_o    = scan_pasid;
  assign pwc_fill_parent_o   = scan_node;
  assign pwc_fill_node_o     = own_frame;
  assign pwc_fill_perm_o     = own_perm;
  assign pwc_fill_pte_perm_o = own.perm;
  assign pwc_fill_contig_o   = own_contig;

  // ---------------------------------------------------------------- answers (R10.1)

  logic [WalkerW-1:0] aw;

  assign aw           = lowest(in_resp);
  assign ans_valid_o  = |in_resp;
  assign ans_id_o     = id_q[aw];
  assign ans_src_o    = src_q[aw];
  assign ans_pasid_o  = pasid_q[aw];
  assign ans_vpn_o    = vpn_q[aw];
  assign ans_access_o = access_q[aw];
  assign ans_kind_o   = kind_q[aw];
  assign ans_level_o  = flevel_q[aw];
  assign ans_pfn_o    = node_q[aw];
  assign ans_size_o   = size_q[aw];
  assign ans_perm_o   = perm_q[aw];
  assign ans_contig_o = contig_q[aw];
  assign ans_stale_o  = stale_q[aw];

  // ---------------------------------------------------------------- PWST

  logic pwc_next;  // does the next access of the scanning walker ask the PWC first (R7.4)

  assign pwc_next = by_address && pwc_enable_i && scan_level >= 3'd3;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= '0;
      stale_q   <= '0;
      for (int unsigned w = 0; w < Walkers; w++) begin
        state_q[w]  <= WalkerIdle;
        vpn_q[w]    <= '0;
        pasid_q[w]  <= '0;
        access_q[w] <= '0;
        id_q[w]     <= '0;
        src_q[w]    <= '0;
        slot_q[w]   <= '0;
        level_q[w]  <= '0;
        node_q[w]   <= '0;
        perm_q[w]   <= '0;
        kind_q[w]   <= '0;
        flevel_q[w] <= '0;
        size_q[w]   <= '0;
        contig_q[w] <= '0;
      end
    end else begin
      if (read_for_q == ReadTake) begin  // R5.4, R5.5, R14.2
        vpn_q[dw]     <= read_vpn_q;
        pasid_q[dw]   <= read_pasid_q;
        access_q[dw]  <= read_access_q;
        id_q[dw]      <= read_id_q;
        src_q[dw]     <= read_src_q;
        slot_q[dw]    <= read_slot_q;
        level_q[dw]   <= (read_pl_q == 3'd0) ? 3'(Levels) : read_pl_q - 3'd1;
        node_q[dw]    <= (read_pl_q == 3'd0) ? root_frame_i[read_pasid_q] : read_pa_q;
        perm_q[dw]    <= (read_pl_q == 3'd0) ? 2'b11 : read_perm_q;
        contig_q[dw]  <= (!Subregions || read_pl_q == 3'd0) ? '0 : read_contig_q;
        kind_q[dw]    <= KindOk;
        flevel_q[dw]  <= '0;
        size_q[dw]    <= '0;
        started_q[dw] <= 1'b0;
        stale_q[dw]   <= 1'b0;
        state_q[dw]   <= (pwc_enable_i && read_pl_q != 3'd2 &&
                           !(read_pl_q != 3'd0 && pl_skips_pwc_i)) ? WalkerPwcReq : WalkerCam;
      end
      if (pwc_enter_o) state_q[ew] <= WalkerPwcWait;  // R6.1
      if (pwc_res_valid_i) begin                      // R6.2, R6.3
        if (pwc_res_hit_i) begin
          level_q[rw] <= pwc_res_level_i;
          node_q[rw]  <= pwc_res_node_i;
          perm_q[rw]  <= pwc_res_perm_i;
          if (Subregions) contig_q[rw] <= pwc_res_contig_i;
        end
        if (by_address && started_q[rw] && !pwc_res_hit_i) state_q[rw] <= WalkerReq;
        else if (by_address && !started_q[rw] && pwc_res_hit_i && pwc_res_level_i >= 3'd2) begin
          state_q[rw] <= WalkerPwcReq;
        end else state_q[rw] <= WalkerCam;
      end
      if (give_back_o) state_q[dw] <= WalkerIdle;
      if (commit_o) begin
        level_q[dw]   <= start_level;
        node_q[dw]    <= root_known ? start_node : '0;
        perm_q[dw]    <= root_known ? start_perm : '0;
        contig_q[dw]  <= root_known ? start_contig : '0;
        started_q[dw] <= 1'b1;
        state_q[dw]   <= root_known ? WalkerReq : WalkerResp;
        kind_q[dw]    <= root_known ? KindOk : KindUnknownPasid;
      end
      if (advance) begin  // R7.7
        state_q[cw] <= (level_q[cw] >= 3'd2 && pwc_enable_i) ? WalkerPwcReq : WalkerReq;
      end
      if (load) state_q[mw] <= WalkerMem;  // R7.2; R7.8: for as long as memory takes
      if (scan) begin
        if (own_node) begin
          level_q[sw] <= scan_level - 3'd1;
          node_q[sw]  <= own_frame;
          perm_q[sw]  <= own_perm;
          if (Subregions) contig_q[sw] <= own_contig;
          state_q[sw] <= pwc_next ? WalkerPwcReq : WalkerReq;
        end else begin  // R7.5
          kind_q[sw]   <= own_kind;
          flevel_q[sw] <= (own_kind == KindOk) ? cam_links_o[scan_vpn[2]] : scan_level;
          node_q[sw]   <= (own_kind == KindOk) ? own_pfn : '0;
          size_q[sw]   <= (own_kind == KindOk) ? 2'(scan_level - 3'd1) : 2'd0;
          perm_q[sw]   <= (own_kind == KindOk) ? own_perm : 2'd0;
          if (own_kind != KindOk || scan_level != 3'd1) contig_q[sw] <= '0;
          state_q[sw]  <= WalkerResp;
        end
      end
      if (ans_take_i) begin  // R7.6
        state_q[aw]   <= WalkerIdle;
        started_q[aw] <= 1'b0;
      end
      for (int unsigned w = 0; w < Walkers; w++) begin  // R11.2
        if (met[w] && !started_q[w]) state_q[w] <= WalkerIdle;
        if (met[w] && started_q[w] && !(ans_take_i && aw == WalkerW'(w))) stale_q[w] <= 1'b1;
      end
    end
  end

  // ---------------------------------------------------------------- for the counters

  assign any_stale_o      = |(stale_q & ~in_idle);
  assign started_count_o  = CountW'($countones(started_q));
  assign idle_count_o     = CountW'($countones(in_idle));
  assign cause_count_o[0] = CountW'($countones(in_pwc_req | in_pwc_wait));
  assign cause_count_o[1] = CountW'($countones(in_cam));
  assign cause_count_o[2] = CountW'($countones(in_req));
  assign cause_count_o[3] = CountW'($countones(in_mem));
  assign cause_count_o[4] = CountW'($countones(in_resp));

endmodule
