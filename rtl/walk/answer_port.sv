// The port at which walks are answered (chapter 10): one answer a cycle, from a walker or from a buffer
// entry, through the answer register into the walk queue (R10.1, R10.2); and the one fill of the TLB,
// through the fill register: the answer's (R3.6, R3.8, R3.14), else a joined subregion entry (R3.13).
//
// A buffer entry's answer is read and loaded in the cycle after it is chosen, a walker's at once, unless
// an entry is read then: so answers follow each other without a gap. Where nobody else answers, a
// walker's is chosen in the cycle of its scan already (R10.13).
//
// The only addition of a page to the base of its reach stands between the two registers; a
// subregion's fill takes the base itself. With Colt=2 the frame of a run's first page is the
// only subtraction. Levels of answers are those of R1.9 with a fault, LINKS otherwise; a length
// counts what follows the first.
`include "lockwalk_types.svh"

module answer_port
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW         = 36,
  parameter int unsigned PfnW         = 36,
  parameter int unsigned PasidW       = 4,
  parameter int unsigned IdW          = 12,
  parameter int unsigned SrcW         = 6,
  parameter int unsigned TlbPartition = 8,
  parameter bit          Subregions   = 1'b0,
  parameter int unsigned Colt         = 0,  // 0..2
  localparam type mark_t   = `LW_MARK_T(PasidW),
  localparam type result_t = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type answer_t = `LW_ANSWER_T(VpnW, PasidW, PfnW, IdW, SrcW),
  localparam type join_t   = `LW_JOIN_T(VpnW, PasidW, PfnW),
  localparam type told_t   = `LW_TOLD_FILL_T(VpnW),
  localparam type fill_t   = `LW_FILL_T(VpnW, PasidW, PfnW)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       subregion_enable_i,
  input  logic       epoch_i,
  input  mark_t      mark_i,           // R11.2
  input  logic       room_i,           // in the walk queue, for a promise
  // The oldest walker in RESP.
  input  result_t    walker_i,
  output logic       walker_take_o,
  // The answer of the scan of this cycle. Whether there is one comes later in the cycle than most of its fields.
  input  result_t    scan_i,
  output logic       scan_take_o,
  // A buffer entry that can be chosen; and the one that is being read, chosen in this epoch.
  input  logic       entry_ready_i,
  output logic       entry_choose_o,
  input  result_t    entry_i,
  input  logic       entry_epoch_i,
  output logic       chosen_o,         // one of them
  output logic       left_o,           // ... in the cycle before
  // The answer that enters the walk queue; one of another epoch than epoch_i is still here.
  output answer_t    answer_o,
  output logic       old_epoch_o,
  // The joined entry that waits (R16.10); it is taken, and it loads the fill register.
  input  join_t      join_i,
  output logic       join_taken_o,
  output logic       join_loads_o,
  // The fill, where that of the next cycle goes, and that the register is loaded with that of a subregion.
  output told_t      told_fill_o,
  output fill_t      fill_o,
  output logic       fill_load_subregion_o
);

  logic               answer_valid_q;
  logic [IdW-1:0]     answer_id_q;
  logic [SrcW-1:0]    answer_src_q;
  logic [PasidW-1:0]  answer_pasid_q;
  logic [VpnW-1:0]    answer_vpn_q;
  logic [1:0]         answer_access_q;
  logic [3:0]         answer_kind_q;
  logic [2:0]         answer_level_q;
  logic [PfnW-1:0]    answer_base_q;
  logic [1:0]         answer_size_q;
  logic [1:0]         answer_perm_q;
  logic [ContigW-1:0] answer_contig_q;
  logic               answer_stale_q;
  logic               answer_epoch_q;

  logic              fill_valid_q, fill_class_q;
  logic [PasidW-1:0] fill_pasid_q;
  logic [VpnW-1:0]   fill_vpn_q;
  logic [2:0]        fill_length_q;
  logic [PfnW-1:0]   fill_pfn_q;
  logic [1:0]        fill_perm_q, fill_size_q;

  // ---------------------------------------------------------------- the choice (R10.1, R10.12)

  logic chosen_entry_q;                // the last one chosen was an entry's
  logic walker_next_q, walker_next_d;  // a walker's was chosen while an entry was read
  logic walker_turn;
  logic chosen_q;

  assign walker_turn    = room_i && walker_i.valid && !walker_next_q &&
                          (!entry_ready_i || chosen_entry_q);
  assign walker_next_d  = walker_turn && entry_i.valid;
  assign walker_take_o  = walker_i.valid && (walker_next_q || (walker_turn && !entry_i.valid));
  assign entry_choose_o = room_i && entry_ready_i &&
                          (!walker_i.valid || walker_next_q || !chosen_entry_q);
  assign scan_take_o    = room_i && scan_i.valid && !walker_i.valid && !entry_ready_i &&
                          !entry_i.valid;
  assign chosen_o       = walker_turn || entry_choose_o || scan_take_o;

  // ---------------------------------------------------------------- the answer register (R10.2)

  result_t chosen;

  always_comb begin
    // Whose fields is known from registers; that there is an answer, only after the line is judged.
    chosen       = entry_i.valid ? entry_i : walker_i.valid ? walker_i : scan_i;
    chosen.valid = entry_i.valid || walker_take_o || scan_take_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chosen_entry_q  <= 1'b0;
      walker_next_q   <= 1'b0;
      chosen_q        <= 1'b0;
      answer_valid_q  <= 1'b0;
      answer_id_q     <= '0;
      answer_src_q    <= '0;
      answer_pasid_q  <= '0;
      answer_vpn_q    <= '0;
      answer_access_q <= '0;
      answer_kind_q   <= '0;
      answer_level_q  <= '0;
      answer_base_q   <= '0;
      answer_size_q   <= '0;
      answer_perm_q   <= '0;
      answer_contig_q <= '0;
      answer_stale_q  <= 1'b0;
      answer_epoch_q  <= 1'b0;
    end else begin
      if (chosen_o) chosen_entry_q <= entry_choose_o;
      walker_next_q  <= walker_next_d;
      chosen_q       <= chosen_o;
      answer_valid_q <= chosen.valid;
      if (chosen.valid) begin
        answer_id_q     <= chosen.id;
        answer_src_q    <= chosen.src;
        answer_pasid_q  <= chosen.key.pasid;
        answer_vpn_q    <= chosen.key.vpn;
        answer_access_q <= chosen.access;
        answer_kind_q   <= chosen.kind;
        answer_level_q  <= chosen.level;
        answer_base_q   <= chosen.base;
        answer_size_q   <= chosen.size;
        answer_perm_q   <= chosen.perm;
        answer_contig_q <= Subregions ? chosen.contig : '0;
        answer_stale_q  <= chosen.stale || `LW_MEETS(mark_i, chosen.key.pasid);
        answer_epoch_q  <= entry_i.valid ? entry_epoch_i : epoch_i;
      end
    end
  end

  assign left_o = chosen_q;

  // R11.6
  assign old_epoch_o = (entry_i.valid && entry_epoch_i != epoch_i) ||
                       (answer_valid_q && answer_epoch_q != epoch_i);

  // ---------------------------------------------------------------- its PFN (R10.2)

  logic            answer_ok;
  // 2 MiB or 1 GiB: in a page of 64 KiB, of SIZE 3, each 4 KiB have their own frame.
  logic            answer_large;
  // Of the page itself within a large one (R1.7), and with what REACH adds.
  logic [PfnW-1:0] page_base, page_pfn;

  assign answer_ok    = answer_kind_q == KindOk;
  assign answer_large = answer_size_q == 2'd1 || answer_size_q == 2'd2;

  always_comb begin  // R10.8
    page_base = answer_base_q;
    if (answer_large) page_base[8:0] = answer_vpn_q[8:0];
    if (answer_size_q == 2'd2) page_base[17:9] = answer_vpn_q[17:9];
  end

  assign answer_o = '{
    valid: answer_valid_q,
    epoch: answer_epoch_q,
    response: '{  // R1.9
      id:    answer_id_q,
      kind:  answer_kind_q,
      level: answer_level_q,
      pfn:   answer_ok ? page_pfn : '0,
      size:  answer_ok ? answer_size_q : '0,
      perm:  answer_ok ? answer_perm_q : '0
    },
    src:    answer_src_q,
    key:    '{pasid: answer_pasid_q, vpn: answer_vpn_q},
    access: answer_access_q
  };

  // ---------------------------------------------------------------- what it fills (R3.6)

  logic              fill_load, fill_class;
  logic [PasidW-1:0] fill_pasid;
  logic [VpnW-1:0]   fill_vpn;
  logic [2:0]        fill_length;
  logic [PfnW-1:0]   fill_pfn;
  logic [1:0]        fill_perm, fill_size;

  logic answer_fills;

  assign answer_fills = answer_valid_q && answer_ok && !answer_stale_q &&
                        !`LW_MEETS(mark_i, answer_pasid_q);

  if (Subregions) begin : gen_reach
    reach_e             reach;
    logic [8:0]         offset;
    logic               whole_frame, large_page, subregion;

    // Of the level at which it was read: with CONTIG other than zero that is level 1 (R7.5, R9.11).
    assign reach  = reach_of(3'd1, answer_contig_q, answer_vpn_q[8:6]);

    always_comb begin
      unique case (reach)
        ReachFrame:     offset = answer_vpn_q[8:0];
        ReachSubregion: offset = {3'b0, answer_vpn_q[5:0]};
        default:        offset = '0;
      endcase
    end

    assign page_pfn = page_base + PfnW'(offset);

    // R3.8
    assign large_page  = answer_large && subregion_enable_i;
    assign whole_frame = large_page || reach == ReachFrame;
    assign subregion   = TlbPartition != 0 && (whole_frame || reach == ReachSubregion);

    assign join_taken_o = join_i.valid && !answer_fills;
    assign join_loads_o = join_taken_o && TlbPartition != 0 && !`LW_MEETS(mark_i, join_i.pasid);
    assign fill_load    = answer_fills || join_loads_o;

    always_comb begin
      fill_class  = subregion;
      fill_pasid  = answer_pasid_q;
      fill_vpn    = answer_vpn_q;
      fill_length = (subregion && whole_frame) ? 3'd7 : 3'd0;
      fill_pfn    = (TlbPartition != 0) ? page_base : page_pfn;
      fill_perm   = answer_perm_q;
      fill_size   = answer_size_q;
      if (subregion) begin
        fill_vpn[5:0] = '0;
        if (whole_frame) fill_vpn[8:6] = '0;
        if (large_page) fill_pfn[8:0] = '0;
      end
      if (!answer_fills) begin
        fill_class  = 1'b1;
        fill_pasid  = join_i.pasid;
        fill_vpn    = {join_i.vsn, 6'b0};
        fill_length = join_i.length;
        fill_pfn    = join_i.pfn;
        fill_perm   = join_i.perm;
        fill_size   = '0;
      end
    end
  end else begin : gen_no_reach
    assign page_pfn     = page_base;
    assign join_taken_o = 1'b0;
    assign join_loads_o = 1'b0;
    assign fill_load    = answer_fills;
    assign fill_class   = Colt == 2;
    assign fill_pasid   = answer_pasid_q;
    assign fill_perm    = answer_perm_q;
    assign fill_size    = answer_size_q;

    if (Colt == 2) begin : gen_run
      logic [1:0] place, first, last, ahead;  // ahead: pages of the run before the answered one

      // R1.15. LINKS is zero where SIZE is not (R1.14), so a large page's 4 KiB stay alone (R3.14).
      always_comb begin
        place = answer_vpn_q[1:0];
        first = place;
        last  = place;
        for (int i = 2; i >= 0; i--) if (answer_level_q[i] && first == 2'(i + 1)) first = 2'(i);
        for (int i = 0; i <= 2; i++) if (answer_level_q[i] && last == 2'(i)) last = 2'(i + 1);
      end

      assign fill_vpn    = {answer_vpn_q[VpnW-1:2], first};
      assign fill_length = {1'b0, last - first};
      assign ahead       = place - first;
      assign fill_pfn    = page_base - PfnW'(ahead);
    end else begin : gen_page
      assign fill_vpn    = answer_vpn_q;
      assign fill_length = '0;
      assign fill_pfn    = page_base;
    end

    // Without Subregions an answer reaches one page, and nothing is joined.
    logic unused;
    assign unused = ^{subregion_enable_i, answer_contig_q, join_i};
  end

  assign told_fill_o           = '{span: fill_class, vpn: fill_vpn};
  assign fill_load_subregion_o = Subregions && fill_load && fill_class;

  // ---------------------------------------------------------------- the fill register (R3.6)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_valid_q  <= 1'b0;
      fill_class_q  <= 1'b0;
      fill_pasid_q  <= '0;
      fill_vpn_q    <= '0;
      fill_length_q <= '0;
      fill_pfn_q    <= '0;
      fill_perm_q   <= '0;
      fill_size_q   <= '0;
    end else begin
      fill_valid_q <= fill_load;
      if (fill_load) begin
        fill_class_q  <= fill_class;
        fill_pasid_q  <= fill_pasid;
        fill_vpn_q    <= fill_vpn;
        fill_length_q <= fill_length;
        fill_pfn_q    <= fill_pfn;
        fill_perm_q   <= fill_perm;
        fill_size_q   <= fill_size;
      end
    end
  end

  assign fill_o = '{
    valid:  fill_valid_q,
    span:   fill_class_q,
    key:    '{pasid: fill_pasid_q, vpn: fill_vpn_q},
    length: fill_length_q,
    pfn:    fill_pfn_q,
    perm:   fill_perm_q,
    size:   fill_size_q
  };

endmodule
