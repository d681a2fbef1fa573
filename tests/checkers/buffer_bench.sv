// The buffer's checker: entry 0 of four waits, with CL=1, on the access of walker 1 at level 1.
`include "lockwalk_types.svh"

module buffer_bench
  import lockwalk_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Entries = 4;
  localparam int unsigned Walkers = 2;
  localparam type mark_t   = `LW_MARK_T(4);
  localparam type flight_t = `LW_FLIGHT_T(36, 4);

  mark_t                   mark;
  logic                    insert;
  logic [Entries-1:0]      valid, picked, done, batch, alone;
  logic [2:0][Entries-1:0] cl;
  logic [3:0]              pasid [Entries];
  logic [35:0]             vpn   [Entries];
  logic [1:0][Entries-1:0] access;
  logic [2:0]              search_level, update_level;
  logic [Entries-1:0]      near_search, near_update;
  flight_t [Walkers-1:0]   flight;
  logic [Walkers-1:0]      in_cam;

  always_comb begin
    mark         = '0;
    insert       = 1'b0;
    valid        = 4'b0001;
    picked       = '0;
    done         = '0;
    batch        = '0;
    alone        = '0;
    cl           = '0;
    cl[0][0]     = 1'b1;
    pasid        = '{default: 4'd3};
    vpn          = '{default: '0};
    access       = '0;
    search_level = 3'd1;
    update_level = 3'd1;
    near_search  = '0;
    near_update  = '0;
    in_cam       = '0;
    flight       = '0;
    flight[1]    = '{valid: 1'b1, key: '{pasid: 4'd3, vpn: '0}, level: 3'd1, perm: '0,
                     reach: ReachLine};
    case (what_i)
      "room": begin
        insert   = 1'b1;
        valid[2] = bad_i;
      end
      "room for an insertion": begin
        insert   = bad_i;
        valid[2] = 1'b1;
      end
      "alone_waits_for_none on an access": alone[0] = bad_i;
      "alone_waits_for_none while it is there": begin
        alone[0] = 1'b1;
        valid[0] = bad_i;
      end
      "alone_waits_for_none of level 2": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        flight[1].level = 3'd2;
        alone[0]        = bad_i;
      end
      "alone_waits_for_none of level 4": begin
        {cl[2][0], cl[0][0]} = 2'b10;
        flight[1].level = 3'd4;
        alone[0]        = bad_i;
      end
      "cl_never_stale without an access": flight[1].valid = !bad_i;
      "cl_never_stale of a valid entry": begin
        flight   = '0;
        valid[0] = bad_i;
      end
      "cl_never_stale with CL": begin
        flight   = '0;
        cl[0][0] = bad_i;
      end
      "cl_never_stale in one address space": pasid[0]        = bad_i ? 4'd4 : 4'd3;
      "cl_never_stale at another level":     flight[1].level = bad_i ? 3'd2 : 3'd1;
      "cl_never_stale of a write": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        flight[1].level      = 3'd2;
        access[0][0]         = 1'b1;
        flight[1].perm[0]    = !bad_i;
      end
      "cl_never_stale of a fetch": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        flight[1].level      = 3'd2;
        access[1][0]         = 1'b1;
        flight[1].perm[1]    = !bad_i;
      end
      "cl_never_stale of a write in a subregion": begin
        access[0][0]      = 1'b1;
        flight[1].reach   = ReachSubregion;
        flight[1].perm[0] = !bad_i;
      end
      "cl_never_stale of a write before an advance": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        access[0][0]         = 1'b1;
        in_cam[1]            = !bad_i;
        flight[1].level      = 3'd2;
      end
      "cl_never_stale beside a line":        vpn[0]          = bad_i ? 36'd8 : 36'd7;
      "cl_never_stale beside a subregion": begin
        flight[1].reach = ReachSubregion;
        vpn[0]          = bad_i ? 36'd64 : 36'd63;
      end
      "cl_never_stale beside a frame": begin
        flight[1].reach = ReachFrame;
        vpn[0]          = bad_i ? 36'd512 : 36'd511;
      end
      "cl_never_stale beside a line of level 2": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        flight[1].level = 3'd2;
        vpn[0]          = bad_i ? 36'd4096 : 36'd4095;
      end
      "cl_never_stale beside a line of level 2, which no subregion widens": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        flight[1].level = 3'd2;
        flight[1].reach = ReachSubregion;
        vpn[0]          = bad_i ? 36'd4096 : 36'd4095;
      end
      "cl_never_stale beside a line of level 4": begin
        {cl[2][0], cl[0][0]} = 2'b10;
        flight[1].level = 3'd4;
        vpn[0]          = bad_i ? 36'h4000_0000 : 36'h3fff_ffff;
      end
      "cl_never_stale before an advance": begin
        {cl[1][0], cl[0][0]} = 2'b10;
        in_cam[1] = !bad_i;
      end
      "cl_never_stale by one level before an advance": begin
        {cl[1][0], cl[0][0]} = bad_i ? 2'b11 : 2'b10;
        in_cam[1] = 1'b1;
      end
      "cl_never_stale below, before an advance": begin
        flight[1].level = bad_i ? 3'd2 : 3'd1;
        in_cam[1]       = 1'b1;
      end
      "cl_never_stale after a release in search": begin
        flight         = '0;
        near_search[0] = !bad_i;
      end
      "cl_never_stale after a release of its level in search": begin
        flight         = '0;
        near_search[0] = 1'b1;
        search_level   = bad_i ? 3'd2 : 3'd1;
      end
      "cl_never_stale after a release in update": begin
        flight         = '0;
        near_update[0] = !bad_i;
      end
      "cl_never_stale after a release of its level in update": begin
        flight         = '0;
        near_update[0] = 1'b1;
        update_level   = bad_i ? 3'd2 : 3'd1;
      end
      "cl_never_stale after a release below it in search": begin
        flight               = '0;
        {cl[1][0], cl[0][0]} = 2'b10;
        near_search[0]       = 1'b1;
        search_level         = bad_i ? 3'd1 : 3'd2;
      end
      "cl_never_stale after a release below it in update": begin
        flight               = '0;
        {cl[1][0], cl[0][0]} = 2'b10;
        near_update[0]       = 1'b1;
        update_level         = bad_i ? 3'd1 : 3'd2;
      end
      "cl_never_stale after a mark": begin
        flight = '0;
        mark   = '{valid: !bad_i, all: 1'b1, one: 1'b0, pasid: '0};
      end
      "cl_never_stale after a mark of another": begin
        flight = '0;
        mark   = '{valid: 1'b1, all: 1'b0, one: 1'b1, pasid: bad_i ? 4'd2 : 4'd3};
      end
      "cl_never_stale after a mark of nobody": begin
        flight = '0;
        mark   = '{valid: 1'b1, all: 1'b0, one: !bad_i, pasid: 4'd3};
      end
      "answers_done": begin
        batch[3] = 1'b1;
        valid[3] = 1'b1;
        done[3]  = !bad_i;
      end
      "answers_done of a valid entry": begin
        batch[3] = 1'b1;
        valid[3] = !bad_i;
        done[3]  = 1'b1;
      end
      "answers_done of nobody who walks": begin
        batch[3]  = 1'b1;
        valid[3]  = 1'b1;
        done[3]   = 1'b1;
        picked[3] = bad_i;
      end
      default: ;
    endcase
  end

  buffer_checker #(.VpnW(36), .PasidW(4), .BufferEntries(Entries), .Walkers(Walkers)) u_checker (
    .clk_i,
    .rst_ni,
    .mark_i      (mark),
    .insert_o    (insert),
    .tail        (2'd2),
    .valid_q     (valid),
    .picked_q    (picked),
    .done_q      (done),
    .batch_q     (batch),
    .alone_q     (alone),
    .cl_q        (cl),
    .pasid_q     (pasid),
    .vpn_q       (vpn),
    .access_q    (access),
    .search_level,
    .near_level_d(near_search),
    .update_level,
    .near_level_q(near_update),
    .flight_i    (flight),
    .in_cam
  );

endmodule
