// The checker of the queue of contiguity checks: a ring of five places, whose head is the last one,
// so that the second job is in place 0.
module check_queue_bench
  import lockwalk_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Places = 5;

  logic              push, pop;
  logic [2:0]        count;
  logic [Places-1:0] live;
  logic [3:0]        job_pasid [Places];
  logic [7:0]        job_vsn   [Places];
  check_state_e      state;

  always_comb begin
    {push, pop} = '0;
    count       = 3'd2;
    live        = '1;
    job_pasid   = '{default: 4'd1};
    job_vsn     = '{8'd16, 8'd17, 8'd18, 8'd19, 8'd20};
    state       = CheckIdle;
    case (what_i)
      "depth": count = bad_i ? 3'd6 : 3'd5;
      "push into a full queue": begin
        push  = 1'b1;
        count = bad_i ? 3'd5 : 3'd4;
      end
      "pop from an empty queue": begin
        pop   = 1'b1;
        count = bad_i ? 3'd0 : 3'd1;
      end
      "once with one VSN": job_vsn[0] = bad_i ? 8'd20 : 8'd21;
      "once, not next to each other": begin
        count      = 3'd3;
        job_vsn[1] = bad_i ? 8'd20 : 8'd21;
      end
      "once of one address space": begin
        job_vsn[0]   = 8'd20;
        job_pasid[0] = bad_i ? 4'd1 : 4'd2;
      end
      "once with JOB_LIVE": begin
        job_vsn[0] = 8'd20;
        live[0]    = bad_i;
      end
      "once in the queue": begin
        job_vsn[0] = 8'd20;
        count      = bad_i ? 3'd2 : 3'd1;
      end
      "not_under_way with one VSN": begin
        state      = CheckLookup;
        job_vsn[0] = bad_i ? 8'd32 : 8'd33;
      end
      "not_under_way of one address space": begin
        state        = CheckInsert;
        job_vsn[0]   = 8'd32;
        job_pasid[0] = bad_i ? 4'd1 : 4'd2;
      end
      "not_under_way with JOB_LIVE": begin
        state      = CheckJoin;
        job_vsn[0] = 8'd32;
        live[0]    = bad_i;
      end
      "not_under_way in the queue": begin
        state      = CheckRead;
        job_vsn[0] = 8'd32;
        count      = bad_i ? 3'd2 : 3'd1;
      end
      "not_under_way after IDLE": begin
        job_vsn[0] = 8'd32;
        state      = bad_i ? CheckLookup : CheckIdle;
      end
      "not_under_way before DRAIN": begin
        job_vsn[0] = 8'd32;
        state      = bad_i ? CheckRead : CheckDrain;
      end
      default: ;
    endcase
  end

  check_queue_checker #(
    .CheckQueue(Places), .PasidW(4), .VsnW(8), .HeadW(3), .CountW(3)
  ) u_checker (
    .clk_i,
    .rst_ni,
    .push_i       (push),
    .pop_i        (pop),
    .queue_head_q (3'd4),
    .queue_count_q(count),
    .job_live_q   (live),
    .job_pasid_q  (job_pasid),
    .job_vsn_q    (job_vsn),
    .state,
    .pasid        (4'd1),
    .vsn          (8'd32)
  );

endmodule
