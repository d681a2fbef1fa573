// Watches the queue of contiguity checks: nothing enters a full one or leaves an empty one, so it never holds more than
// its places (R16.2), and no subregion waits in it twice, or beside the job under way (R16.2).
//
// Which jobs are alike it finds by their keys, of each two of them, not by what the queue says of the one that is asked
// for. Places that are in use are those from the head on.
module check_queue_checker
  import lockwalk_pkg::*;
#(
  parameter int unsigned CheckQueue = 8,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned VsnW       = 30,
  parameter int unsigned HeadW      = 3,
  parameter int unsigned CountW     = 4
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  push_i,
  input logic                  pop_i,
  input logic [HeadW-1:0]      queue_head_q,
  input logic [CountW-1:0]     queue_count_q,
  input logic [CheckQueue-1:0] job_live_q,
  input logic [PasidW-1:0]     job_pasid_q [CheckQueue],
  input logic [VsnW-1:0]       job_vsn_q   [CheckQueue],
  input check_state_e          state,  // of the job under way
  input logic [PasidW-1:0]     pasid,
  input logic [VsnW-1:0]       vsn
);

  // Of the n-th job from the head on: its place, and whether one before it is of its subregion.
  logic [CheckQueue-1:0] again;
  logic [CheckQueue-1:0] under_way;  // ... is that of the job under way
  logic [HeadW-1:0]      a, b;

  always_comb begin
    again     = '0;
    under_way = '0;
    a         = '0;
    b         = '0;
    for (int unsigned n = 0; n < CheckQueue; n++) begin
      b            = HeadW'((32'(queue_head_q) + n) % CheckQueue);
      under_way[n] = n < 32'(queue_count_q) && job_live_q[b] && job_pasid_q[b] == pasid &&
                     job_vsn_q[b] == vsn && !(state inside {CheckIdle, CheckDrain});
      for (int unsigned m = 0; m < n; m++) begin
        a = HeadW'((32'(queue_head_q) + m) % CheckQueue);
        if (n < 32'(queue_count_q) && job_live_q[a] && job_live_q[b] &&
            job_pasid_q[a] == job_pasid_q[b] && job_vsn_q[a] == job_vsn_q[b]) begin
          again[n] = 1'b1;
        end
      end
    end
  end

  depth : assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(queue_count_q) <= CheckQueue)
  else $error("R16.2: %0d jobs in the queue", queue_count_q);

  push : assert property (@(posedge clk_i) disable iff (!rst_ni)
      !push_i || 32'(queue_count_q) < CheckQueue)
  else $error("R16.2: a job enters a full queue");

  pop : assert property (@(posedge clk_i) disable iff (!rst_ni) !pop_i || queue_count_q != '0)
  else $error("R16.3: a job leaves an empty queue");

  once : assert property (@(posedge clk_i) disable iff (!rst_ni) again == '0)
  else $error("R16.2: a subregion waits more than once");

  not_under_way : assert property (@(posedge clk_i) disable iff (!rst_ni) under_way == '0)
  else $error("R16.2: a subregion waits whose check is under way");

endmodule

// The job under way is that of the module around the queue.
bind check_queue check_queue_checker #(
  .CheckQueue(CheckQueue),
  .PasidW    (PasidW),
  .VsnW      (VsnW),
  .HeadW     (HeadW),
  .CountW    (CountW)
) u_checker (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .queue_head_q,
  .queue_count_q,
  .job_live_q,
  .job_pasid_q,
  .job_vsn_q,
  .state(contiguity.state_q),
  .pasid(contiguity.pasid_q),
  .vsn  (contiguity.vsn_q)
);
