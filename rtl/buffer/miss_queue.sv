// The misses that wait in front of the IOMMU buffer: the miss queue and, behind it, the insertion register, whose
// miss enters the buffer as soon as its slot is free (R4.8, R4.12).
//
// A miss that is decided goes straight into the insertion register if that is free and nobody waits before it. The
// admission guarantees a place for every miss (R2.1). A mark finds the misses here as it finds the entries of the
// buffer: one whose PASID has no root becomes stale, also if it moves on in that cycle (R4.10).
`include "lockwalk_types.svh"

module miss_queue
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW      = 36,
  parameter int unsigned PasidW    = 4,
  parameter int unsigned IdW       = 12,
  parameter int unsigned SrcW      = 6,
  parameter int unsigned MissQueue = 16,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type mark_t = `LW_MARK_T(PasidW),
  localparam type miss_t = `LW_MISS_T(VpnW, PasidW, IdW, SrcW)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  mark_t             mark_i,         // R11.2
  input  logic [Pasids-1:0] roots_valid_i,
  input  miss_t             miss_i,         // that is decided in this cycle
  output miss_t             miss_o,         // in the insertion register
  input  logic              insert_i,       // ... which enters the buffer in this cycle
  output logic              leaves_o,       // one enters the insertion register (R2.1)
  output logic              any_stale_o     // R11.5
);

  localparam int unsigned HeadW  = (MissQueue == 1) ? 1 : $clog2(MissQueue);
  localparam int unsigned CountW = $clog2(MissQueue + 1);

  logic                 miss_valid_q;
  logic [IdW-1:0]       miss_id_q;
  logic [SrcW-1:0]      miss_src_q;
  logic [PasidW-1:0]    miss_pasid_q;
  logic [VpnW-1:0]      miss_vpn_q;
  logic [1:0]           miss_access_q;
  logic                 miss_stale_q;
  logic [HeadW-1:0]     miss_head_q;
  logic [CountW-1:0]    miss_count_q;
  logic [IdW-1:0]       queued_id_q     [MissQueue];
  logic [SrcW-1:0]      queued_src_q    [MissQueue];
  logic [PasidW-1:0]    queued_pasid_q  [MissQueue];
  logic [VpnW-1:0]      queued_vpn_q    [MissQueue];
  logic [1:0]           queued_access_q [MissQueue];
  logic [MissQueue-1:0] queued_stale_q;

  // ---------------------------------------------------------------- who moves on (R4.8)

  logic any_queued, is_free, push, pop;

  assign any_queued = miss_count_q != '0;
  assign is_free    = !miss_valid_q || insert_i;
  assign pop        = is_free && any_queued;
  assign push       = miss_i.valid && !(is_free && !any_queued);
  assign leaves_o   = is_free && (any_queued || miss_i.valid);

  logic [HeadW-1:0]     tail, head_d;
  logic [CountW-1:0]    count_d;
  logic [MissQueue-1:0] used;

  ring #(
    .Places(MissQueue)
  ) u_ring (
    .head_i (miss_head_q),
    .count_i(miss_count_q),
    .push_i (push),
    .pop_i  (pop),
    .tail_o (tail),
    .used_o (used),
    .head_o (head_d),
    .count_o(count_d)
  );

  // ---------------------------------------------------------------- whom a mark makes stale (R4.10)

  logic                 miss_stale;  // as the mark of this cycle leaves them
  logic [MissQueue-1:0] queued_stale;

  assign miss_stale = miss_stale_q || (miss_valid_q && !roots_valid_i[miss_pasid_q] &&
                                       `LW_MEETS(mark_i, miss_pasid_q));

  for (genvar p = 0; p < MissQueue; p++) begin : gen_stale
    assign queued_stale[p] = queued_stale_q[p] ||
                             (used[p] && !roots_valid_i[queued_pasid_q[p]] &&
                              `LW_MEETS(mark_i, queued_pasid_q[p]));
  end

  // ---------------------------------------------------------------- registers

  miss_t next;  // what the insertion register gets

  always_comb begin
    next = miss_i;
    if (any_queued) begin
      next.id     = queued_id_q[miss_head_q];
      next.src    = queued_src_q[miss_head_q];
      next.key    = '{pasid: queued_pasid_q[miss_head_q], vpn: queued_vpn_q[miss_head_q]};
      next.access = queued_access_q[miss_head_q];
      next.stale  = queued_stale[miss_head_q];
    end
    next.valid = leaves_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      miss_valid_q  <= 1'b0;
      miss_id_q     <= '0;
      miss_src_q    <= '0;
      miss_pasid_q  <= '0;
      miss_vpn_q    <= '0;
      miss_access_q <= '0;
      miss_stale_q  <= 1'b0;
      miss_head_q   <= '0;
      miss_count_q  <= '0;
    end else begin
      miss_head_q  <= head_d;
      miss_count_q <= count_d;
      miss_stale_q <= miss_stale;
      if (is_free) miss_valid_q <= next.valid;
      if (next.valid) begin
        miss_id_q     <= next.id;
        miss_src_q    <= next.src;
        miss_pasid_q  <= next.key.pasid;
        miss_vpn_q    <= next.key.vpn;
        miss_access_q <= next.access;
        miss_stale_q  <= next.stale;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queued_stale_q <= '0;
      for (int unsigned p = 0; p < MissQueue; p++) begin
        queued_id_q[p]     <= '0;
        queued_src_q[p]    <= '0;
        queued_pasid_q[p]  <= '0;
        queued_vpn_q[p]    <= '0;
        queued_access_q[p] <= '0;
      end
    end else begin
      queued_stale_q <= queued_stale;
      if (push) begin
        queued_id_q[tail]     <= miss_i.id;
        queued_src_q[tail]    <= miss_i.src;
        queued_pasid_q[tail]  <= miss_i.key.pasid;
        queued_vpn_q[tail]    <= miss_i.key.vpn;
        queued_access_q[tail] <= miss_i.access;
        queued_stale_q[tail]  <= miss_i.stale;
      end
    end
  end

  assign miss_o = '{
    valid:  miss_valid_q,
    id:     miss_id_q,
    src:    miss_src_q,
    key:    '{pasid: miss_pasid_q, vpn: miss_vpn_q},
    access: miss_access_q,
    stale:  miss_stale
  };

  assign any_stale_o = (miss_valid_q && miss_stale_q) || |(used & queued_stale_q);

endmodule
