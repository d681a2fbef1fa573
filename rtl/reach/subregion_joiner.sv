// What joins neighbouring subregions after a walk has answered one of them (section 16): the
// contiguity check and the MSC that spares it reads.
//
// Without Subregions neither is there and nothing joins; with HeadFirst the check needs no MSC (R16.13).
module subregion_joiner
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned MscEntries = 512,
  parameter int unsigned MscWays    = 8,
  parameter int unsigned CheckQueue = 8,
  parameter bit          HeadFirst  = 1'b0,
  parameter int unsigned SweepW     = 6,
  localparam int unsigned VsnW = VpnW - 6
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // A scan asks for a check (R16.1).
  input  logic                  check_valid_i,
  input  logic [PasidW-1:0]     check_pasid_i,
  input  logic [VsnW-1:0]       check_vsn_i,
  input  logic [7:0]            check_bits_i,
  input  logic [PfnW-1:0]       check_node_i,
  input  logic [PfnW-1:0]       check_pfn_i,
  input  logic [1:0]            check_perm_i,
  input  logic [1:0]            check_pte_perm_i,
  // The line register, decoded.
  input  verdict_t [7:0]        line_verdict_i,
  input  logic [7:0][PfnW-1:0]  line_frame_i,
  input  logic                  line_head_i,   // its tag is that of head line_place_i
  input  logic [2:0]            line_place_i,
  input  logic                  line_error_i,
  output logic                  line_taken_o,
  // Reads of heads (R16.6).
  output logic                  head_req_o,
  output logic [2:0]            head_place_o,
  output logic [PfnW-1:0]       head_node_o,
  input  logic                  head_taken_i,
  // The joined entry (R16.10).
  output logic                  join_valid_o,
  input  logic                  join_taken_i,
  output logic [PasidW-1:0]     join_pasid_o,
  output logic [VsnW-1:0]       join_vsn_o,    // of its first subregion
  output logic [2:0]            join_length_o,
  output logic [PfnW-1:0]       join_pfn_o,
  output logic [1:0]            join_perm_o,
  // Invalidation: its mark meets checks (R16.11), its sweep the MSC (R16.12).
  input  logic                  mark_i,
  input  logic                  mark_all_i,
  input  logic                  mark_pasid_i,
  input  logic                  sweep_valid_i,
  input  logic [SweepW-1:0]     sweep_set_i,
  input  logic [1:0]            inv_type_i,
  input  logic [PasidPortW-1:0] inv_pasid_i,
  input  logic [VpnW-1:0]       inv_first_i,
  input  logic [VpnW-1:0]       inv_last_i,
  // For the counters.
  output logic                  msc_look_o,
  output logic                  msc_hit_o,
  output logic                  merged_o,
  output logic                  dropped_o
);

  if (Subregions) begin : gen_contiguity
    logic              msc_fill;
    logic [PasidW-1:0] msc_pasid;
    logic [VpnW-10:0]  msc_frame, msc_next_frame;
    logic [6:0]        msc_map, msc_hit_map;

    contiguity #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .CheckQueue(CheckQueue),
      .HeadFirst (HeadFirst)
    ) u_contiguity (
      .clk_i,
      .rst_ni,
      .check_valid_i,
      .check_pasid_i,
      .check_vsn_i,
      .check_bits_i,
      .check_node_i,
      .check_pfn_i,
      .check_perm_i,
      .check_pte_perm_i,
      .line_verdict_i,
      .line_frame_i,
      .line_head_i,
      .line_place_i,
      .line_error_i,
      .line_taken_o,
      .head_req_o,
      .head_place_o,
      .head_node_o,
      .head_taken_i,
      .sweep_i           (sweep_valid_i),
      .msc_look_o,
      .msc_fill_o        (msc_fill),
      .msc_pasid_o       (msc_pasid),
      .msc_frame_o       (msc_frame),
      .msc_next_frame_o  (msc_next_frame),
      .msc_map_o         (msc_map),
      .msc_hit_i         (msc_hit_o),
      .msc_map_i         (msc_hit_map),
      .join_valid_o,
      .join_taken_i,
      .join_pasid_o,
      .join_vsn_o,
      .join_length_o,
      .join_pfn_o,
      .join_perm_o,
      .mark_i,
      .mark_all_i,
      .mark_pasid_i,
      .mark_pasid_value_i(inv_pasid_i[PasidW-1:0]),
      .merged_o,
      .dropped_o
    );

    if (!HeadFirst) begin : gen_msc
      localparam int unsigned SetBits = $clog2(MscEntries / MscWays);
      localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits;

      // R16.14: a sweep begins with set 0 in the cycle after the mark and ends with the last set (R11.4).
      logic              next_sweeps;
      logic [SweepW-1:0] next_sweep_set;

      assign next_sweeps    = mark_i || (sweep_valid_i && !(&sweep_set_i));
      assign next_sweep_set = mark_i ? '0 : sweep_set_i + SweepW'(1);

      msc #(
        .VpnW      (VpnW),
        .PasidW    (PasidW),
        .MscEntries(MscEntries),
        .MscWays   (MscWays),
        .SweepW    (SweepW)
      ) u_msc (
        .clk_i,
        .rst_ni,
        .next_set_i(next_sweeps ? SetW'(next_sweep_set) : msc_next_frame[SetW-1:0]),
        .look_i (msc_look_o),
        .fill_i (msc_fill),
        .pasid_i(msc_pasid),
        .frame_i(msc_frame),
        .map_i  (msc_map),
        .hit_o  (msc_hit_o),
        .map_o  (msc_hit_map),
        .sweep_valid_i,
        .sweep_set_i,
        .inv_type_i,
        .inv_pasid_i,
        .inv_first_i,
        .inv_last_i
      );

      logic unused;
      assign unused = ^{msc_next_frame, next_sweep_set};  // R16.14 wants the sets alone
    end else begin : gen_no_msc
      assign msc_hit_o   = 1'b0;
      assign msc_hit_map = '0;

      logic unused;
      assign unused = ^{msc_fill, msc_pasid, msc_frame, msc_next_frame, msc_map, sweep_set_i,
                        inv_type_i, inv_pasid_i, inv_first_i, inv_last_i, MscEntries, MscWays};
    end
  end else begin : gen_no_contiguity
    assign line_taken_o  = 1'b0;
    assign head_req_o    = 1'b0;
    assign head_place_o  = '0;
    assign head_node_o   = '0;
    assign join_valid_o  = 1'b0;
    assign join_pasid_o  = '0;
    assign join_vsn_o    = '0;
    assign join_length_o = '0;
    assign join_pfn_o    = '0;
    assign join_perm_o   = '0;
    assign msc_look_o    = 1'b0;
    assign msc_hit_o     = 1'b0;
    assign merged_o      = 1'b0;
    assign dropped_o     = 1'b0;

    logic unused;
    assign unused = ^{clk_i, rst_ni, check_valid_i, check_pasid_i, check_vsn_i, check_bits_i,
                      check_node_i, check_pfn_i, check_perm_i, check_pte_perm_i, line_verdict_i,
                      line_frame_i, line_head_i, line_place_i, line_error_i, head_taken_i,
                      join_taken_i, mark_i, mark_all_i, mark_pasid_i, sweep_valid_i, sweep_set_i,
                      inv_type_i, inv_pasid_i, inv_first_i, inv_last_i, MscEntries, MscWays,
                      CheckQueue, HeadFirst};
  end

endmodule
