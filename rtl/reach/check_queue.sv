// The contiguity checks that wait (R16.2): a ring of jobs (R14.1), each as a scan has asked for it.
//
// Whoever asks is told whether a job of the same subregion waits already, and whether there is a place at all; what
// follows from that is the check's to decide (contiguity.sv), as is when the job at the head begins (R16.3).
//
// Contract: a push needs a place that is free at the beginning of the cycle, and a pop a job. A mark takes JOB_LIVE
// from the jobs whose PASID it meets (R16.11), but for the one that is popped in its cycle: that one the check ends. A
// scan that the mark meets asks for nothing, so no job that is pushed in its cycle is one of these (R11.7).
`include "lockwalk_types.svh"

module check_queue
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter int unsigned CheckQueue = 8,
  parameter bit          Hashes     = 1'b0,
  localparam type mark_t  = `LW_MARK_T(PasidW),
  localparam type check_t = `LW_CHECK_T(VpnW, PasidW, PfnW)
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  mark_t  mark_i,     // R16.11
  input  check_t check_i,    // that a scan asks for
  output logic   is_same_o,  // a job that waits has its PASID and VSN, and JOB_LIVE
  output logic   is_full_o,
  input  logic   push_i,
  output logic   is_empty_o,
  output check_t job_o,      // at the head; valid: it is live
  input  logic   pop_i
);

  localparam int unsigned VsnW   = VpnW - 6;
  localparam int unsigned HeadW  = (CheckQueue == 1) ? 1 : $clog2(CheckQueue);
  localparam int unsigned CountW = $clog2(CheckQueue + 1);

  logic [HeadW-1:0]      queue_head_q;
  logic [CountW-1:0]     queue_count_q;
  logic [CheckQueue-1:0] job_live_q;
  logic [PasidW-1:0]     job_pasid_q    [CheckQueue];
  logic [VsnW-1:0]       job_vsn_q      [CheckQueue];
  logic [7:0]            job_bits_q     [CheckQueue];
  logic [PfnW-1:0]       job_node_q     [CheckQueue];
  logic [PfnW-1:0]       job_pfn_q      [CheckQueue];
  logic [1:0]            job_perm_q     [CheckQueue];
  logic [1:0]            job_pte_perm_q [CheckQueue];
  logic [CheckQueue-1:0] job_tagged_q;

  // ---------------------------------------------------------------- places (R14.1)

  logic [CheckQueue-1:0] used;  // at the beginning of the cycle
  logic [HeadW-1:0]      tail, head_d;
  logic [CountW-1:0]     count_d;

  ring #(
    .Places(CheckQueue)
  ) u_ring (
    .head_i (queue_head_q),
    .count_i(queue_count_q),
    .push_i,
    .pop_i,
    .tail_o (tail),
    .used_o (used),
    .head_o (head_d),
    .count_o(count_d)
  );

  assign is_empty_o = queue_count_q == '0;
  assign is_full_o  = 32'(queue_count_q) == CheckQueue;

  // ---------------------------------------------------------------- jobs

  logic [CheckQueue-1:0] same;  // R16.2
  logic [CheckQueue-1:0] ends;  // R16.11

  for (genvar p = 0; p < CheckQueue; p++) begin : gen_job
    logic leaves;

    assign leaves  = pop_i && queue_head_q == HeadW'(p);
    assign same[p] = used[p] && job_live_q[p] && job_pasid_q[p] == check_i.pasid &&
                     job_vsn_q[p] == check_i.vsn;
    assign ends[p] = used[p] && !leaves && `LW_MEETS(mark_i, job_pasid_q[p]);
  end

  assign is_same_o = |same;

  assign job_o = '{
    valid:    !is_empty_o && job_live_q[queue_head_q],
    pasid:    job_pasid_q[queue_head_q],
    vsn:      job_vsn_q[queue_head_q],
    bits:     job_bits_q[queue_head_q],
    node:     job_node_q[queue_head_q],
    pfn:      job_pfn_q[queue_head_q],
    perm:     job_perm_q[queue_head_q],
    pte_perm: job_pte_perm_q[queue_head_q],
    of_slot:  job_tagged_q[queue_head_q]
  };

  // ---------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_head_q  <= '0;
      queue_count_q <= '0;
      job_live_q    <= '0;
      job_tagged_q  <= '0;
      for (int unsigned p = 0; p < CheckQueue; p++) begin
        job_pasid_q[p]    <= '0;
        job_vsn_q[p]      <= '0;
        job_bits_q[p]     <= '0;
        job_node_q[p]     <= '0;
        job_pfn_q[p]      <= '0;
        job_perm_q[p]     <= '0;
        job_pte_perm_q[p] <= '0;
      end
    end else begin
      queue_head_q  <= head_d;
      queue_count_q <= count_d;
      job_live_q    <= job_live_q & ~ends;
      if (push_i) begin
        job_live_q[tail]     <= 1'b1;
        job_pasid_q[tail]    <= check_i.pasid;
        job_vsn_q[tail]      <= check_i.vsn;
        job_bits_q[tail]     <= check_i.bits;
        job_node_q[tail]     <= check_i.node;
        job_pfn_q[tail]      <= check_i.pfn;
        job_perm_q[tail]     <= check_i.perm;
        job_pte_perm_q[tail] <= check_i.pte_perm;
        job_tagged_q[tail]   <= Hashes && check_i.of_slot;
      end
    end
  end

  // The check looks at whether a scan asks at all.
  logic unused;
  assign unused = check_i.valid ^ (!Hashes && check_i.of_slot);

endmodule
