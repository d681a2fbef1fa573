// The checker of the contiguity check, with its queue and with HEAD_FIRST=1. The places 1 to 4 are
// contiguous, the job's own is 2, so that it needs the heads 1, 3 and 4; MAP joins 1 to 3.
module contiguity_bench
  import lockwalk_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam logic [7:0]  Need = 8'b0001_1010;
  localparam logic [47:0] Tag  = {1'b1, 11'd5, 36'd9};  // of PASID 5 and frame 9

  check_state_e state, state_of_head_first;
  logic         mark, of_slot, taken, is_error, sized, join_valid;
  logic [29:0]  vsn, join_vsn;
  logic [7:0]   bits, asked, got, ok;
  logic [6:0]   map;
  logic [47:0]  tag;
  logic [2:0]   join_length;

  always_comb begin
    state               = CheckIdle;
    state_of_head_first = CheckIdle;
    {mark, of_slot, taken, is_error, sized, join_valid} = '0;
    vsn         = {27'd9, 3'd2};
    bits        = 8'b0001_1110;
    asked       = '0;
    got         = '0;
    ok          = 8'b0000_0110;
    map         = 7'b000_0110;
    tag         = Tag;
    join_vsn    = {27'd9, 3'd1};
    join_length = 3'd2;
    case (what_i)
      "heads that were asked for": begin
        state = CheckRead;
        asked = 8'b0000_0010;
        got   = bad_i ? 8'b0000_1010 : asked;
      end
      "heads that are needed": begin
        state = CheckRead;
        asked = bad_i ? 8'b0000_0100 : 8'b0000_0010;
      end
      "heads that were asked for, drained": begin
        state = CheckDrain;
        asked = 8'b0000_0010;
        got   = bad_i ? 8'b0000_1000 : 8'b0000_0010;
      end
      "heads that were needed, drained": begin
        state = CheckDrain;
        asked = bad_i ? 8'b0010_0000 : 8'b0000_0010;
      end
      "all_heads before the compares": begin
        state = CheckJoin;
        got   = bad_i ? Need & 8'b0000_1111 : Need;
      end
      "all_heads before the fill": begin
        state = CheckFill;
        got   = bad_i ? '0 : Need;
      end
      "whole_head": begin
        state    = CheckRead;
        taken    = 1'b1;
        is_error = bad_i;
      end
      "whole_head if it counts": begin
        state    = CheckRead;
        taken    = 1'b1;
        is_error = 1'b1;
        ok[1]    = bad_i;
      end
      "whole_head of a job that reads": begin
        state    = bad_i ? CheckRead : CheckLookup;
        taken    = 1'b1;
        is_error = 1'b1;
      end
      "whole_head of a job that still wants it": begin
        state    = bad_i ? CheckRead : CheckDrain;
        taken    = 1'b1;
        is_error = 1'b1;
      end
      "of_region, not of a frame above": begin
        state   = CheckRead;
        taken   = 1'b1;
        of_slot = 1'b1;
        tag[1]  = bad_i;
      end
      "of_region with the tag's frame": begin
        state  = CheckRead;
        taken  = 1'b1;
        of_slot = 1'b1;
        tag[0] = Tag[0] ^ bad_i;
      end
      "of_region with the tag's PASID": begin
        state   = CheckRead;
        taken   = 1'b1;
        of_slot  = 1'b1;
        tag[36] = Tag[36] ^ bad_i;
      end
      "of_region with a tag": begin
        state   = CheckRead;
        taken   = 1'b1;
        of_slot  = 1'b1;
        tag[47] = !bad_i;
      end
      "of_region of 4 KiB": begin
        state  = CheckRead;
        taken  = 1'b1;
        of_slot = 1'b1;
        sized  = bad_i;
      end
      "of_region from a hashed table": begin
        state  = CheckRead;
        taken  = 1'b1;
        of_slot = bad_i;
        tag    = '0;
      end
      "worth_it beside a contiguous place": begin
        state = CheckLookup;
        bits  = bad_i ? 8'b0111_0100 : 8'b0111_0110;
      end
      "worth_it of a contiguous place": begin
        state = CheckCompare;
        bits  = bad_i ? 8'b0001_1010 : 8'b0001_1110;
      end
      "worth_it of the first place": begin
        state    = CheckLookup;
        vsn[2:0] = 3'd0;
        bits     = bad_i ? 8'b1000_0001 : 8'b1000_0011;
      end
      "worth_it of the last place": begin
        state    = CheckLookup;
        vsn[2:0] = 3'd7;
        bits     = bad_i ? 8'b1000_0001 : 8'b1100_0001;
      end
      "worth_it of a job": begin
        state = bad_i ? CheckLookup : CheckIdle;
        bits  = '0;
      end
      "joined in its frame": begin
        state          = CheckInsert;
        join_valid     = 1'b1;
        join_vsn[29:3] = bad_i ? 27'd8 : 27'd9;
      end
      "joined to a place below": begin
        state       = CheckInsert;
        vsn[2:0]    = bad_i ? 3'd2 : 3'd3;
        map         = 7'b000_1000;
        join_valid  = 1'b1;
        join_vsn[2:0] = 3'd3;
        join_length = 3'd1;
      end
      "joined to a place above": begin
        state       = CheckInsert;
        vsn[2:0]    = bad_i ? 3'd3 : 3'd2;
        map         = 7'b000_0010;
        join_valid  = 1'b1;
        join_length = 3'd1;
      end
      "joined within the frame": begin
        state         = CheckInsert;
        bits          = 8'b1100_0000;
        vsn[2:0]      = 3'd7;
        map           = 7'b100_0000;
        join_valid    = 1'b1;
        join_vsn[2:0] = 3'd6;
        join_length   = bad_i ? 3'd2 : 3'd1;
      end
      "all_that_joins above": begin
        state       = CheckInsert;
        join_valid  = 1'b1;
        join_length = bad_i ? 3'd1 : 3'd2;
      end
      "all_that_joins below": begin
        state         = CheckInsert;
        join_valid    = 1'b1;
        join_vsn[2:0] = bad_i ? 3'd2 : 3'd1;
        join_length   = bad_i ? 3'd1 : 3'd2;
      end
      "all_that_joins from the first place on": begin
        state         = CheckInsert;
        bits          = 8'b0000_0111;
        map           = 7'b000_0011;
        join_valid    = 1'b1;
        join_vsn[2:0] = bad_i ? 3'd1 : 3'd0;
        join_length   = bad_i ? 3'd1 : 3'd2;
      end
      "all_that_joins to the last place": begin
        state         = CheckInsert;
        bits          = 8'b1110_0000;
        vsn[2:0]      = 3'd7;
        map           = 7'b110_0000;
        join_valid    = 1'b1;
        join_vsn[2:0] = bad_i ? 3'd6 : 3'd5;
        join_length   = bad_i ? 3'd1 : 3'd2;
      end
      "all_that_joins, no more above": begin
        state       = CheckInsert;
        join_valid  = 1'b1;
        join_length = bad_i ? 3'd3 : 3'd2;
      end
      "all_that_joins, no more below": begin
        state         = CheckInsert;
        join_valid    = 1'b1;
        join_vsn[2:0] = bad_i ? 3'd0 : 3'd1;
        join_length   = bad_i ? 3'd3 : 3'd2;
      end
      "all_that_joins of contiguous places": begin
        state      = CheckInsert;
        map        = 7'b000_1110;
        bits[4]    = bad_i;
        join_valid = 1'b1;
      end
      "all_that_joins, if any does": begin
        state         = CheckInsert;
        map           = '0;
        join_valid    = bad_i;
        join_vsn[2:0] = 3'd2;
        join_length   = '0;
      end
      "all_that_joins in INSERT": begin
        state      = bad_i ? CheckFill : CheckInsert;
        got        = Need;
        join_valid = 1'b1;
      end
      "no_reads with HEAD_FIRST": state_of_head_first = bad_i ? CheckRead : CheckJoin;
      "no_reads of the MSC with HEAD_FIRST": state_of_head_first = bad_i ? CheckFill : CheckInsert;
      "no_reads to drain with HEAD_FIRST": state_of_head_first = bad_i ? CheckDrain : CheckIdle;
      "drain_unmarked": begin
        state = CheckDrain;
        mark  = bad_i;
      end
      "drain_unmarked as other states": begin
        state = bad_i ? CheckDrain : CheckLookup;
        mark  = 1'b1;
      end
      default: ;
    endcase
  end

  contiguity_checker #(.VsnW(30), .PasidW(4), .HeadFirst(1'b0)) u_checker (
    .clk_i,
    .rst_ni,
    .mark_valid_i     (mark),
    .state_q          (state),
    .vsn_q            (vsn),
    .bits_q           (bits),
    .asked_q          (asked),
    .got_q            (got),
    .need             (Need),
    .map_q            (map),
    .pasid_q          (4'd5),
    .tagged_q         (of_slot),
    .head_line_taken_o(taken),
    .head_line_place_i(3'd1),
    .head_line_error_i(is_error),
    .head_line_sized_i(sized),
    .head_line_tag_i  (tag),
    .head_ok_d        (ok),
    .join_valid_o     (join_valid),
    .join_vsn_o       (join_vsn),
    .join_length_o    (join_length)
  );

  contiguity_checker #(.VsnW(30), .PasidW(4), .HeadFirst(1'b1)) u_head_first (
    .clk_i,
    .rst_ni,
    .mark_valid_i     (1'b0),
    .state_q          (state_of_head_first),
    .vsn_q            (vsn),
    .bits_q           (bits),
    .asked_q          ('1),
    .got_q            ('1),
    .need             (Need),
    .map_q            (map),
    .pasid_q          (4'd5),
    .tagged_q         (1'b0),
    .head_line_taken_o(1'b0),
    .head_line_place_i(3'd0),
    .head_line_error_i(1'b0),
    .head_line_sized_i(1'b0),
    .head_line_tag_i  ('0),
    .head_ok_d        ('1),
    .join_valid_o     (1'b0),
    .join_vsn_o       ('0),
    .join_length_o    ('0)
  );

endmodule
