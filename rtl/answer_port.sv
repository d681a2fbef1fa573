// One answer a cycle into the walk queue (R10.1, R10.2), and the one fill of the TLB: the answer's
// (R3.6, R3.8, R3.14), else a joined subregion entry (R3.13).
//
// Combinational. The only addition of a page to the BASE of its reach stands here; a subregion fill
// takes the BASE itself, so the addition is on the way to the TLB only where TlbPartition is 0. With
// Colt=2 the PFN of a run's first page is the only subtraction; no compare of a tag waits for it.
// Levels of answers are 1..5 with a fault, LINKS otherwise (R1.9); a length counts what follows the first.
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
  localparam int unsigned VsnW = VpnW - 6
) (
  input  logic               subregion_enable_i,
  input  logic               room_i,  // in the walk queue
  // The lowest walker in RESP.
  input  logic               walker_valid_i,
  input  logic               walker_stale_i,
  input  logic [IdW-1:0]     walker_id_i,
  input  logic [SrcW-1:0]    walker_src_i,
  input  logic [PasidW-1:0]  walker_pasid_i,
  input  logic [VpnW-1:0]    walker_vpn_i,
  input  logic [1:0]         walker_access_i,
  input  logic [3:0]         walker_kind_i,
  input  logic [2:0]         walker_level_i,
  input  logic [PfnW-1:0]    walker_base_i,
  input  logic [1:0]         walker_size_i,
  input  logic [1:0]         walker_perm_i,
  input  logic [ContigW-1:0] walker_contig_i,
  output logic               walker_take_o,
  // The next buffer entry that is done.
  input  logic               entry_valid_i,
  input  logic               entry_stale_i,
  input  logic [IdW-1:0]     entry_id_i,
  input  logic [SrcW-1:0]    entry_src_i,
  input  logic [PasidW-1:0]  entry_pasid_i,
  input  logic [VpnW-1:0]    entry_vpn_i,
  input  logic [1:0]         entry_access_i,
  input  logic [3:0]         entry_kind_i,
  input  logic [2:0]         entry_level_i,
  input  logic [PfnW-1:0]    entry_base_i,
  input  logic [1:0]         entry_size_i,
  input  logic [1:0]         entry_perm_i,
  input  logic [ContigW-1:0] entry_contig_i,
  output logic               entry_take_o,
  // The answer.
  output logic               ans_valid_o,
  output logic [IdW-1:0]     ans_id_o,
  output logic [SrcW-1:0]    ans_src_o,
  output logic [PasidW-1:0]  ans_pasid_o,
  output logic [VpnW-1:0]    ans_vpn_o,
  output logic [1:0]         ans_access_o,
  output logic [3:0]         ans_kind_o,
  output logic [2:0]         ans_level_o,
  output logic [PfnW-1:0]    ans_pfn_o,
  output logic [1:0]         ans_size_o,
  output logic [1:0]         ans_perm_o,
  // The joined entry that waits (R16.10).
  input  logic               join_valid_i,
  input  logic [PasidW-1:0]  join_pasid_i,
  input  logic [VsnW-1:0]    join_vsn_i,
  input  logic [2:0]         join_length_i,
  input  logic [PfnW-1:0]    join_pfn_i,
  input  logic [1:0]         join_perm_i,
  output logic               join_taken_o,
  // The fill.
  output logic               fill_valid_o,
  output logic               fill_class_o,
  output logic [PasidW-1:0]  fill_pasid_o,
  output logic [VpnW-1:0]    fill_vpn_o,
  output logic [2:0]         fill_length_o,
  output logic [PfnW-1:0]    fill_pfn_o,
  output logic [1:0]         fill_perm_o,
  output logic [1:0]         fill_size_o
);

  logic            stale;
  logic [PfnW-1:0] base;

  assign walker_take_o = room_i && walker_valid_i;
  assign entry_take_o  = room_i && !walker_valid_i && entry_valid_i;
  assign ans_valid_o   = walker_take_o || entry_take_o;
  assign stale         = walker_valid_i ? walker_stale_i : entry_stale_i;
  assign ans_id_o      = walker_valid_i ? walker_id_i : entry_id_i;
  assign ans_src_o     = walker_valid_i ? walker_src_i : entry_src_i;
  assign ans_pasid_o   = walker_valid_i ? walker_pasid_i : entry_pasid_i;
  assign ans_vpn_o     = walker_valid_i ? walker_vpn_i : entry_vpn_i;
  assign ans_access_o  = walker_valid_i ? walker_access_i : entry_access_i;
  assign ans_kind_o    = walker_valid_i ? walker_kind_i : entry_kind_i;
  assign ans_level_o   = walker_valid_i ? walker_level_i : entry_level_i;
  assign base          = walker_valid_i ? walker_base_i : entry_base_i;
  assign ans_size_o    = walker_valid_i ? walker_size_i : entry_size_i;
  assign ans_perm_o    = walker_valid_i ? walker_perm_i : entry_perm_i;

  logic answer_fills;

  assign answer_fills = ans_valid_o && ans_kind_o == KindOk && !stale;  // R3.6

  if (Subregions) begin : gen_reach
    logic [ContigW-1:0] contig;
    reach_e             reach;
    logic [8:0]         offset;
    logic               whole_frame, large_page, subregion, join_fills;

    // Of the level at which it was read: with CONTIG other than zero that is level 1 (R4.1).
    assign contig = walker_valid_i ? walker_contig_i : entry_contig_i;
    assign reach  = reach_of(3'd1, contig, ans_vpn_o[8:6]);

    always_comb begin
      unique case (reach)
        ReachFrame:     offset = ans_vpn_o[8:0];
        ReachSubregion: offset = {3'b0, ans_vpn_o[5:0]};
        default:        offset = '0;
      endcase
    end

    assign ans_pfn_o = base + PfnW'(offset);

    // R3.8
    assign large_page  = ans_size_o != 2'd0 && subregion_enable_i;
    assign whole_frame = large_page || reach == ReachFrame;
    assign subregion   = TlbPartition != 0 && (whole_frame || reach == ReachSubregion);

    assign join_taken_o = join_valid_i && !answer_fills;
    assign join_fills   = join_taken_o && TlbPartition != 0;
    assign fill_valid_o = answer_fills || join_fills;

    always_comb begin
      fill_class_o  = subregion;
      fill_pasid_o  = ans_pasid_o;
      fill_vpn_o    = ans_vpn_o;
      fill_length_o = whole_frame ? 3'd7 : 3'd0;
      fill_pfn_o    = (TlbPartition != 0) ? base : ans_pfn_o;
      fill_perm_o   = ans_perm_o;
      fill_size_o   = ans_size_o;
      if (subregion) begin
        fill_vpn_o[5:0] = '0;
        if (whole_frame) fill_vpn_o[8:6] = '0;
        if (large_page) fill_pfn_o[8:0] = '0;
      end
      if (!answer_fills) begin
        fill_class_o  = 1'b1;
        fill_pasid_o  = join_pasid_i;
        fill_vpn_o    = {join_vsn_i, 6'b0};
        fill_length_o = join_length_i;
        fill_pfn_o    = join_pfn_i;
        fill_perm_o   = join_perm_i;
        fill_size_o   = '0;
      end
    end
  end else begin : gen_no_reach
    assign ans_pfn_o     = base;
    assign join_taken_o  = 1'b0;
    assign fill_valid_o  = answer_fills;
    assign fill_class_o  = Colt == 2;
    assign fill_pasid_o  = ans_pasid_o;
    assign fill_perm_o   = ans_perm_o;
    assign fill_size_o   = ans_size_o;

    if (Colt == 2) begin : gen_run
      logic [1:0] place, first, last, ahead;  // ahead: pages of the run before the answered one

      // R1.15. LINKS is zero where SIZE is not (R1.14), so a large page's 4 KiB stay alone (R3.14).
      always_comb begin
        place = ans_vpn_o[1:0];
        first = place;
        last  = place;
        for (int i = 2; i >= 0; i--) if (ans_level_o[i] && first == 2'(i + 1)) first = 2'(i);
        for (int i = 0; i <= 2; i++) if (ans_level_o[i] && last == 2'(i)) last = 2'(i + 1);
      end

      assign fill_vpn_o    = {ans_vpn_o[VpnW-1:2], first};
      assign fill_length_o = {1'b0, last - first};
      assign ahead         = place - first;
      assign fill_pfn_o    = base - PfnW'(ahead);
    end else begin : gen_page
      assign fill_vpn_o    = ans_vpn_o;
      assign fill_length_o = '0;
      assign fill_pfn_o    = base;
    end

    logic unused;
    assign unused = ^{subregion_enable_i, walker_contig_i, entry_contig_i, join_valid_i,
                      join_pasid_i, join_vsn_i, join_length_i, join_pfn_i, join_perm_i,
                      TlbPartition};
  end

endmodule
