// What joins neighbouring subregions after a walk has answered one of them (chapter 16): the
// contiguity check, and the memory subregion cache (MSC) that spares it reads.
//
// In this folder a subregion is 64 pages, a frame the eight subregions of 2 MiB, and a head the PTE of a
// subregion's first page. VSN is a subregion's number, a virtual page number without its six lowest bits.
//
// Without Subregions neither is there and nothing joins; with HeadFirst the check needs no MSC (R16.13).
`include "lockwalk_types.svh"

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
  parameter bit          Hashes     = 1'b0,
  localparam type mark_t       = `LW_MARK_T(PasidW),
  localparam type sweep_t      = `LW_SWEEP_T(SweepW, VpnW),
  localparam type check_t      = `LW_CHECK_T(VpnW, PasidW, PfnW),
  localparam type line_t       = `LW_LINE_T(PfnW),
  localparam type head_t       = `LW_HEAD_T(PfnW),
  localparam type msc_access_t = `LW_MSC_ACCESS_T(VpnW, PasidW, PfnW),
  localparam type join_t       = `LW_JOIN_T(VpnW, PasidW, PfnW)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // An invalidation: its mark meets checks (R16.11), its sweep the MSC (R16.12).
  input  mark_t      mark_i,
  input  sweep_t     sweep_i,
  input  check_t     check_i,            // a scan asks for a check (R16.1)
  // The line register, decoded; whether it is that of a head, and whether the check takes it.
  input  line_t      line_i,
  input  head_line_t head_line_i,
  output logic       head_line_taken_o,
  // Reads of heads (R16.6).
  output head_t      head_o,
  input  logic       head_taken_i,
  // The joined entry (R16.10).
  output join_t      join_o,
  input  logic       join_taken_i,
  output logic       draining_o,          // R11.5
  // For the counters.
  output logic       msc_look_o,
  output logic       msc_hit_o,
  output logic       merged_o,
  output logic       dropped_o
);

  if (Subregions) begin : gen_contiguity
    msc_access_t      msc_access;
    logic [VpnW-10:0] msc_next_frame;
    logic [6:0]       msc_map;
    logic             msc_at_rest;

    contiguity #(
      .VpnW      (VpnW),
      .PfnW      (PfnW),
      .PasidW    (PasidW),
      .CheckQueue(CheckQueue),
      .HeadFirst (HeadFirst),
      .Hashes    (Hashes)
    ) u_contiguity (
      .clk_i,
      .rst_ni,
      .mark_i,
      .check_i,
      .line_i,
      .head_line_i,
      .head_line_taken_o,
      .head_o,
      .head_taken_i,
      .msc_at_rest_i   (msc_at_rest),
      .msc_o           (msc_access),
      .msc_next_frame_o(msc_next_frame),
      .msc_hit_i       (msc_hit_o),
      .msc_map_i       (msc_map),
      .join_o,
      .join_taken_i,
      .merged_o,
      .dropped_o,
      .draining_o
    );

    assign msc_look_o = msc_access.look;

    if (!HeadFirst) begin : gen_msc
      localparam int unsigned SetBits = $clog2(MscEntries / MscWays);
      localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits;

      // R16.14: a sweep begins with set 0 in the cycle after the mark and ends with the last set (R11.4); the MSC
      // follows a cycle later.
      logic              next_sweeps;
      logic [SweepW-1:0] next_sweep_set;

      assign next_sweeps    = mark_i.valid || (sweep_i.valid && !(&sweep_i.set_index));
      assign next_sweep_set = mark_i.valid ? '0 : sweep_i.set_index + SweepW'(1);

      msc #(
        .VpnW      (VpnW),
        .PfnW      (PfnW),
        .PasidW    (PasidW),
        .MscEntries(MscEntries),
        .MscWays   (MscWays),
        .SweepW    (SweepW)
      ) u_msc (
        .clk_i,
        .rst_ni,
        .told_set_i(next_sweeps ? SetW'(next_sweep_set) : msc_next_frame[SetW-1:0]),
        .access_i  (msc_access),
        .hit_o     (msc_hit_o),
        .map_o     (msc_map),
        .sweep_i,
        .at_rest_o (msc_at_rest)
      );

      logic unused;
      assign unused = ^{msc_next_frame, next_sweep_set};  // R16.14 wants the sets alone
    end else begin : gen_no_msc
      assign msc_hit_o = 1'b0;
      assign msc_map   = '0;
      assign msc_at_rest = 1'b1;

      // With HeadFirst all heads lie in one line, and there is nothing to remember.
      logic unused;
      assign unused = ^{msc_access, msc_next_frame, sweep_i};
    end
  end else begin : gen_no_contiguity
    assign head_line_taken_o = 1'b0;
    assign head_o            = '0;
    assign join_o            = '0;
    assign msc_look_o        = 1'b0;
    assign msc_hit_o         = 1'b0;
    assign merged_o          = 1'b0;
    assign dropped_o         = 1'b0;
    assign draining_o        = 1'b0;

    // Without Subregions nothing joins.
    logic unused;
    assign unused = ^{clk_i, rst_ni, mark_i, sweep_i, check_i, line_i, head_line_i, head_taken_i,
                      join_taken_i};
  end

endmodule
