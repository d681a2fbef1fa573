// The contiguity check (chapter 16): whether the subregions of 64 pages around one that a walk has just
// answered join it. Nobody waits for it: a check that cannot be made is dropped (R16.2).
//
// One job at a time, the others wait in the queue (check_queue.sv), goes through the lookup in the memory subregion
// cache (msc.sv), the reads of those head PTEs which that does not spare, seven compares, and the fill of the joined
// subregion entry. With HeadFirst the scanned line holds all heads, so there is neither queue nor cache nor read
// (R16.13).
//
// A job in a slot of a hashed table is TAGGED: only the lines of the heads can say that a slot is still its region's.
//
// Contract: a mark ends every job whose PASID it meets (R16.11), so what is filled into MSC and TLB
// was read after the last invalidation of its PASID. A head that is asked for is waited for (DRAIN),
// so no line of an old job is taken for one of a new job.
`include "lockwalk_types.svh"

module contiguity
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned CheckQueue = 8,
  parameter bit          HeadFirst  = 1'b0,
  parameter bit          Hashes     = 1'b0,
  localparam int unsigned VsnW = VpnW - 6,
  localparam type key_t        = `LW_KEY_T(VpnW, PasidW),
  localparam type mark_t       = `LW_MARK_T(PasidW),
  localparam type check_t      = `LW_CHECK_T(VpnW, PasidW, PfnW),
  localparam type line_t       = `LW_LINE_T(PfnW),
  localparam type head_t       = `LW_HEAD_T(PfnW),
  localparam type msc_access_t = `LW_MSC_ACCESS_T(VpnW, PasidW, PfnW),
  localparam type join_t       = `LW_JOIN_T(VpnW, PasidW, PfnW)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  mark_t            mark_i,            // R16.11
  input  check_t           check_i,           // a scan asks for a check (R16.1)
  // The line register, decoded: PTEs of level 1, whether of a head or of the scan that asks.
  input  line_t            line_i,
  input  head_line_t       head_line_i,
  output logic             head_line_taken_o,
  // Reads of heads (R16.6).
  output head_t            head_o,
  input  logic             head_taken_i,
  // MSC (R16.4, R16.9), in a cycle in which it is at rest (R16.20); the frame of the next cycle's job (R16.14).
  input  logic             msc_at_rest_i,
  output msc_access_t      msc_o,
  output logic [VpnW-10:0] msc_next_frame_o,
  input  logic             msc_hit_i,
  input  logic [6:0]       msc_map_i,
  // The joined entry (R16.10).
  output join_t            join_o,
  input  logic             join_taken_i,
  output logic             draining_o,        // heads nobody waits for are on their way (R11.5)
  // For the counters.
  output logic             merged_o,
  output logic             dropped_o
);

  check_state_e      state_q, state_d;
  logic [PasidW-1:0] pasid_q, pasid_d;
  logic [VsnW-1:0]   vsn_q, vsn_d;
  logic [7:0]        bits_q, bits_d;
  logic [PfnW-1:0]   node_q, node_d;
  logic [1:0]        perm_q, perm_d, pte_perm_q, pte_perm_d;
  logic              tagged_q, tagged_d;
  logic [6:0]        map_q, map_d;
  logic [2:0]        step_q, step_d;
  logic [7:0]        asked_q, asked_d, got_q, got_d;

  logic [7:0]           head_ok_q, head_ok_d;
  logic [PfnW-1:0]      head_pfn_q  [8];
  logic [1:0]           head_perm_q [8];
  logic [7:0]           head_write;
  logic [7:0][PfnW-1:0] head_pfn_d;
  logic [7:0][1:0]      head_perm_d;

  // A head that a read would be answered with (R16.7).
  function automatic logic is_head(logic [3:0] kind, logic user);
    return kind == KindOk && user;
  endfunction

  // ---------------------------------------------------------------- who asks (R16.2, R16.13)

  check_t job;       // that begins as soon as none is under way
  logic   same_job, is_merged, is_queued, is_taken;

  assign same_job = state_q != CheckIdle && state_q != CheckDrain && pasid_q == check_i.pasid &&
                    vsn_q == check_i.vsn;

  if (HeadFirst) begin : gen_no_queue
    assign job       = check_i;
    assign is_taken  = check_i.valid && state_q == CheckIdle;
    assign is_merged = check_i.valid && same_job;
    assign is_queued = 1'b0;
  end else begin : gen_queue
    logic same_queued, is_full, is_empty;

    assign is_taken  = 1'b0;
    assign is_merged = check_i.valid && (same_job || same_queued);
    assign is_queued = check_i.valid && !is_merged && !is_full;

    check_queue #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .CheckQueue(CheckQueue),
      .Hashes    (Hashes)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .mark_i,
      .check_i,
      .is_same_o (same_queued),
      .is_full_o (is_full),
      .push_i    (is_queued),
      .is_empty_o(is_empty),
      .job_o     (job),
      .pop_i     (state_q == CheckIdle && !is_empty)  // R16.3
    );
  end

  assign merged_o   = is_merged;
  assign dropped_o  = check_i.valid && !is_merged && !is_queued && !is_taken;
  assign draining_o = state_q == CheckDrain;

  // ---------------------------------------------------------------- heads (R16.5 to R16.7)

  logic [2:0] place;  // x, of the job
  logic [7:0] own, need, to_ask, ask;

  assign place = vsn_q[2:0];
  assign own   = 8'd1 << place;
  assign need  = bits_q & ({bits_q[6:0], 1'b0} | {1'b0, bits_q[7:1]}) & ~own;

  assign to_ask = need & ~asked_q;
  assign ask    = to_ask & (~to_ask + 8'd1);

  assign head_o.valid = state_q == CheckRead && |to_ask;
  assign head_o.node  = node_q;

  always_comb begin
    head_o.place = '0;
    for (int unsigned i = 0; i < 8; i++) if (ask[i]) head_o.place |= 3'(i);
  end

  assign head_line_taken_o = head_line_i.valid && (state_q == CheckRead || state_q == CheckDrain) &&
                        asked_q[head_line_i.place] && !got_q[head_line_i.place];

  logic head_fits;  // it is of the job's region, and of a page of 4 KiB (R16.15)

  if (Hashes) begin : gen_tag
    key_t head_key;
    logic has_tag;

    assign head_key = '{pasid: pasid_q, vpn: {vsn_q, 6'b0}};

    slot_line #(.VpnW(VpnW), .PasidW(PasidW)) u_slot_line (
      .carried_i(head_line_i.tag),
      .key_i    (head_key),
      .tagged_o (has_tag)
    );

    assign head_fits = !tagged_q || (has_tag && !head_line_i.sized);
  end else begin : gen_no_tag
    assign head_fits = 1'b1;
  end

  // ---------------------------------------------------------------- joining (R16.8)

  // One pair a cycle. The lower six bits of a sum with 64 are those of the summand; of the others the lowest flips,
  // and each other one exactly where the bit below it falls: a compare without a carry.
  logic [7:0]      heads_ok;
  logic [2:0]      next_step;
  logic [PfnW-1:0] lower_pfn, upper_pfn;
  logic            joins;

  assign heads_ok  = head_ok_q & (got_q | own);
  assign next_step = step_q + 3'd1;
  assign lower_pfn = head_pfn_q[step_q];
  assign upper_pfn = head_pfn_q[next_step];
  assign joins     = bits_q[step_q] && bits_q[next_step] && heads_ok[step_q] &&
                     heads_ok[next_step] && head_perm_q[step_q] == head_perm_q[next_step] &&
                     lower_pfn[5:0] == upper_pfn[5:0] &&
                     (lower_pfn[PfnW-1:6] ^ upper_pfn[PfnW-1:6]) ==
                     {lower_pfn[PfnW-2:6] & ~upper_pfn[PfnW-2:6], 1'b1};

  // ---------------------------------------------------------------- the joined entry (R16.10)

  logic [6:0] link;  // places i and i+1 are joined
  logic [7:0] run;   // the places that are led to from x
  logic [2:0] first, last;

  assign link = map_q & bits_q[6:0] & bits_q[7:1];

  always_comb begin
    run = own;
    for (int unsigned i = 1; i < 8; i++) run[i] |= run[i-1] && link[i-1] && 3'(i) > place;
    for (int i = 6; i >= 0; i--) run[i] |= run[i+1] && link[i] && 3'(i) < place;
    first = '0;
    last  = '0;
    for (int i = 7; i >= 0; i--) if (run[i]) first = 3'(i);
    for (int unsigned i = 0; i < 8; i++) if (run[i]) last = 3'(i);
  end

  logic [2:0]      ahead;   // subregions of the entry below x
  logic [PfnW-1:0] own_pfn;

  assign ahead   = place - first;
  assign own_pfn = head_pfn_q[place];
  assign join_o  = '{
    valid:  state_q == CheckInsert && first != last,
    pasid:  pasid_q,
    vsn:    {vsn_q[VsnW-1:3], first},
    length: last - first,
    pfn:    {own_pfn[PfnW-1:6] - (PfnW - 6)'(ahead), own_pfn[5:0]},
    perm:   perm_q
  };

  assign msc_o = '{
    look:  !HeadFirst && state_q == CheckCompare && msc_at_rest_i,
    fill:  !HeadFirst && state_q == CheckFill && msc_at_rest_i,
    pasid: pasid_q,
    frame: vsn_q[VsnW-1:3],
    node:  node_q,
    joins: map_q
  };

  assign msc_next_frame_o =
      (state_q == CheckIdle) ? job.vsn[VsnW-1:3] : msc_o.frame;

  // ---------------------------------------------------------------- next state

  logic meets_job;

  always_comb begin
    state_d     = state_q;
    pasid_d     = pasid_q;
    vsn_d       = vsn_q;
    bits_d      = bits_q;
    node_d      = node_q;
    perm_d      = perm_q;
    pte_perm_d  = pte_perm_q;
    tagged_d    = tagged_q;
    map_d       = map_q;
    step_d      = step_q;
    asked_d     = asked_q;
    got_d       = got_q;
    head_ok_d   = head_ok_q;
    head_write  = '0;
    head_pfn_d  = '0;
    head_perm_d = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      // HeadFirst: each place's own PTE of the line; else PTE 0 of a line for one place.
      head_pfn_d[i]  = line_i.frame[HeadFirst ? i : 0];
      head_perm_d[i] = line_i.verdict[HeadFirst ? i : 0].perm;
    end
    unique case (state_q)
      CheckIdle: begin
        if (job.valid) begin
          pasid_d    = job.pasid;
          vsn_d      = job.vsn;
          bits_d     = job.bits;
          node_d     = job.node;
          perm_d     = job.perm;
          pte_perm_d = job.pte_perm;
          tagged_d   = Hashes && job.of_slot;
          map_d      = '0;
          step_d     = '0;
          if (HeadFirst) begin  // R16.13
            state_d    = CheckJoin;
            asked_d    = '1;
            got_d      = '1;
            head_write = '1;
            for (int unsigned i = 0; i < 8; i++) begin
              head_ok_d[i] = is_head(line_i.verdict[i].kind, line_i.verdict[i].user);
            end
          end else begin  // R16.3
            state_d = CheckLookup;
            asked_d = '0;
            got_d   = '0;
            head_write[job.vsn[2:0]]  = 1'b1;
            head_ok_d[job.vsn[2:0]]   = 1'b1;
            head_pfn_d[job.vsn[2:0]]  = job.pfn;
            head_perm_d[job.vsn[2:0]] = job.pte_perm;
          end
        end
      end
      CheckLookup: state_d = CheckCompare;  // R16.3
      CheckCompare: begin  // R16.4
        if (msc_at_rest_i) begin
          state_d = msc_hit_i ? CheckInsert : CheckRead;
          if (msc_hit_i) map_d = msc_map_i;
        end
      end
      CheckRead: begin  // R16.6, R16.7
        if (head_taken_i) asked_d = asked_q | ask;
        if (head_line_taken_o) begin
          got_d[head_line_i.place]      = 1'b1;
          head_write[head_line_i.place] = 1'b1;
          head_ok_d[head_line_i.place]  = !head_line_i.error && head_fits &&
                                     is_head(line_i.verdict[0].kind, line_i.verdict[0].user);
        end
        if (got_q == need) state_d = CheckJoin;
      end
      CheckJoin: begin  // R16.8
        map_d[step_q] = joins;
        if (step_q != 3'd6) step_d = next_step;
        else state_d = HeadFirst ? CheckInsert : CheckFill;
      end
      CheckFill: if (msc_at_rest_i) state_d = CheckInsert;  // R16.9
      CheckInsert: if (first == last || join_taken_i) state_d = CheckIdle;
      default: begin  // DRAIN
        if (head_line_taken_o) got_d[head_line_i.place] = 1'b1;
        if (asked_q == got_q) state_d = CheckIdle;
      end
    endcase
    // R16.11: after the cycle's own work.
    meets_job = `LW_MEETS(mark_i, pasid_d);
    if (meets_job) begin
      state_d = (state_d == CheckRead && asked_d != got_d) ? CheckDrain : CheckIdle;
    end
  end

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= CheckIdle;
      pasid_q    <= '0;
      vsn_q      <= '0;
      bits_q     <= '0;
      node_q     <= '0;
      perm_q     <= '0;
      pte_perm_q <= '0;
      tagged_q   <= 1'b0;
      map_q      <= '0;
      step_q     <= '0;
      asked_q    <= '0;
      got_q      <= '0;
      head_ok_q  <= '0;
      for (int unsigned i = 0; i < 8; i++) begin
        head_pfn_q[i]  <= '0;
        head_perm_q[i] <= '0;
      end
    end else begin
      state_q    <= state_d;
      pasid_q    <= pasid_d;
      vsn_q      <= vsn_d;
      bits_q     <= bits_d;
      node_q     <= node_d;
      perm_q     <= perm_d;
      pte_perm_q <= pte_perm_d;
      tagged_q   <= tagged_d;
      map_q      <= map_d;
      step_q     <= step_d;
      asked_q    <= asked_d;
      got_q      <= got_d;
      head_ok_q  <= head_ok_d;
      for (int unsigned i = 0; i < 8; i++) begin
        if (head_write[i]) begin
          head_pfn_q[i]  <= head_pfn_d[i];
          head_perm_q[i] <= head_perm_d[i];
        end
      end
    end
  end

  // The check asks for frames and permissions, and without hashed tables for no tag.
  logic unused;
  assign unused = ^{line_i.contig, line_i.size, line_i.links, head_line_i, check_i.of_slot};

endmodule
