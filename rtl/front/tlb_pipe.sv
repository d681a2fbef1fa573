// The lookup pipeline of the unified TLB (R3.1): a request moves one stage on in every cycle, and nothing stalls it.
// A second lookup (R5.26) enters it in a cycle of its own, in the place of a request.
// What is wrong with it is known before it is decided (R3.32).
//
// The requests of all stages are outputs; index 0 is stage 1. The sets in which a request is looked up are
// decoded as it enters the stage of the lookup.
`include "lockwalk_types.svh"

module tlb_pipe
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW   = 36,
  parameter int unsigned PasidW = 4,
  parameter int unsigned IdW    = 12,
  parameter int unsigned SrcW   = 6,
  parameter int unsigned Stages = 2,  // from 2 on
  parameter int unsigned RangeStage = 0,  // in which ranges are looked up
  parameter int unsigned PageStage  = 0,  // ... regular entries
  parameter int unsigned SetBits    = 4,
  parameter int unsigned RangeShift = 9,  // bits of a VPN below the set of a range
  parameter int unsigned WalkerW    = 3,
  parameter bit          SecondLookup = 1'b0,
  localparam int unsigned Sets   = 2 ** SetBits,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type request_t = `LW_REQUEST_T(IdW, SrcW),
  localparam type second_t  = `LW_SECOND_T(IdW, SrcW, WalkerW)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              req_fire_i,   // a request is transferred
  input  request_t          req_i,
  input  second_t           second_i,     // ... or a second lookup is made
  input  logic [Pasids-1:0] root_valid_i,
  output logic [Stages-1:0] valid_o,
  output request_t          request_o [Stages],
  // One-hot: of a range in the stage in which ranges are looked up; of a regular entry, and of a range, in that of
  // regular entries, the same or the next one.
  output logic [Sets-1:0]   range_at_o,
  output logic [Sets-1:0]   page_at_o,
  output logic [Sets-1:0]   page_range_at_o,
  // Of the request in the last stage; and whether that is a second lookup, and of which walker.
  output logic              bad_page_o,
  output logic              bad_pasid_o,
  output logic              second_o,
  output logic [WalkerW-1:0] walker_o
);

  logic [Stages-1:0]     pipe_valid_q;
  logic [IdW-1:0]        pipe_id_q     [Stages];
  logic [SrcW-1:0]       pipe_src_q    [Stages];
  logic [PasidPortW-1:0] pipe_pasid_q  [Stages];
  logic [PageW-1:0]      pipe_page_q   [Stages];
  logic [1:0]            pipe_access_q [Stages];
  logic [Stages-1:0]     pipe_second_q;
  logic [WalkerW-1:0]    pipe_walker_q [Stages];
  logic                  bad_page_q, bad_pasid_q;

  // What enters each stage.
  logic [Stages-1:0]  enters, entering_second;
  request_t           entering        [Stages];
  logic [WalkerW-1:0] entering_walker [Stages];

  assign enters          = {pipe_valid_q[Stages-2:0], req_fire_i || second_i.valid};
  assign entering_second = {pipe_second_q[Stages-2:0], second_i.turn};

  always_comb begin
    entering[0]        = second_i.turn ? second_i.request : req_i;
    entering_walker[0] = second_i.turn ? second_i.walker : '0;
    for (int unsigned s = 1; s < Stages; s++) begin
      entering[s]        = request_o[s-1];
      entering_walker[s] = pipe_walker_q[s-1];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pipe_valid_q  <= '0;
      pipe_second_q <= '0;
      for (int unsigned s = 0; s < Stages; s++) begin
        pipe_id_q[s]     <= '0;
        pipe_src_q[s]    <= '0;
        pipe_pasid_q[s]  <= '0;
        pipe_page_q[s]   <= '0;
        pipe_access_q[s] <= '0;
        pipe_walker_q[s] <= '0;
      end
    end else begin
      pipe_valid_q <= enters;
      for (int unsigned s = 0; s < Stages; s++) begin
        if (enters[s]) begin
          pipe_id_q[s]     <= entering[s].id;
          pipe_src_q[s]    <= entering[s].src;
          pipe_pasid_q[s]  <= entering[s].pasid;
          pipe_page_q[s]   <= entering[s].page;
          pipe_access_q[s] <= entering[s].access;
          pipe_second_q[s] <= SecondLookup && entering_second[s];
          pipe_walker_q[s] <= SecondLookup ? entering_walker[s] : '0;
        end
      end
    end
  end

  for (genvar s = 0; s < Stages; s++) begin : gen_stages
    assign request_o[s] = '{id: pipe_id_q[s], src: pipe_src_q[s], pasid: pipe_pasid_q[s],
                            page: pipe_page_q[s], access: pipe_access_q[s]};
  end
  assign valid_o  = pipe_valid_q;
  assign second_o = pipe_second_q[Stages-1];
  assign walker_o = pipe_walker_q[Stages-1];

  // ---------------------------------------------------------------- the sets

  logic [Sets-1:0] range_at_q, page_at_q;

  function automatic logic [Sets-1:0] decoded(logic [PageW-1:0] number);
    logic [Sets-1:0] at;
    for (int unsigned s = 0; s < Sets; s++) at[s] = (number % PageW'(Sets)) == PageW'(s);
    return at;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {range_at_q, page_at_q} <= '0;
    end else begin
      if (enters[RangeStage]) range_at_q <= decoded(entering[RangeStage].page >> RangeShift);
      if (enters[PageStage]) page_at_q <= decoded(entering[PageStage].page);
    end
  end

  assign range_at_o = range_at_q;
  assign page_at_o  = page_at_q;

  if (RangeStage == PageStage) begin : gen_one_stage
    assign page_range_at_o = range_at_q;
  end else begin : gen_two_stages
    logic [Sets-1:0] page_range_at_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) page_range_at_q <= '0;
      else if (enters[PageStage]) page_range_at_q <= range_at_q;
    end

    assign page_range_at_o = page_range_at_q;
  end

  // ---------------------------------------------------------------- what is wrong (R3.32)

  request_t judged;
  logic     canonical, known;

  assign judged    = request_o[Stages-2];
  assign canonical = (&judged.page[PageW-1:VpnW-1]) || !(|judged.page[PageW-1:VpnW-1]);
  assign known     = judged.pasid[PasidPortW-1:PasidW] == '0 &&
                     root_valid_i[judged.pasid[PasidW-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {bad_page_q, bad_pasid_q} <= '0;
    end else if (pipe_valid_q[Stages-2]) begin
      bad_page_q  <= !canonical;
      bad_pasid_q <= !known;
    end
  end

  assign bad_page_o  = bad_page_q;
  assign bad_pasid_o = bad_pasid_q;

  // Of the request in this stage nothing else is judged.
  logic unused;
  assign unused = ^judged;

endmodule
