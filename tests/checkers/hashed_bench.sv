// The checker of the walks of hashed tables: walker 1 of two walks for PASID 5 in region 9, and its
// line carries the tag of that. It may read nine times, as the unit has four levels.
module hashed_bench
  import lockwalk_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Walkers = 2;
  localparam int unsigned Most    = 9;

  walker_state_e      state  [Walkers];
  where_e             where  [Walkers];
  logic [Walkers-1:0] started, own_line, scanned;
  logic [2:0]         level  [Walkers];
  logic [35:0]        node   [Walkers];
  logic [8:0]         contig [Walkers];
  logic [3:0]         pasid  [Walkers];
  logic [35:0]        vpn    [Walkers];
  logic [47:0]        tag;
  logic [7:0][63:0]   line;
  logic               ends_ok, found;
  where_e             found_where;

  always_comb begin
    state       = '{WalkerIdle, WalkerMem};
    where       = '{default: WhereRadix};
    started     = 2'b10;
    own_line    = '0;
    scanned     = '0;
    level       = '{default: 3'd1};
    node        = '{default: 36'd8};
    contig      = '{default: '0};
    pasid       = '{4'd0, 4'd5};
    vpn         = '{36'd0, {27'd9, 9'd511}};
    tag         = {1'b1, 11'd5, 36'd9};
    ends_ok     = 1'b0;
    found       = 1'b0;
    found_where = WhereRadix;
    case (what_i)
      "tag_carried of the region": begin
        where[1]   = WhereHome;
        scanned[1] = cycle_i == 1;
        ends_ok    = 1'b1;
        tag[0]     = !bad_i;
      end
      "tag_carried of the PASID": begin
        where[1]   = WhereCached;
        scanned[1] = cycle_i == 1;
        ends_ok    = 1'b1;
        tag[36]    = !bad_i;
      end
      "tag_carried at all": begin
        where[1]   = WhereKnown;
        scanned[1] = cycle_i == 1;
        ends_ok    = 1'b1;
        tag[47]    = !bad_i;
      end
      "tag_carried by an OK": begin
        where[1]   = WhereKnown;
        scanned[1] = cycle_i == 1;
        ends_ok    = bad_i;
        tag        = '0;
      end
      "tag_carried in a slot": begin
        where[1]   = bad_i ? WhereHome : WhereVictim;
        scanned[1] = cycle_i == 1;
        ends_ok    = 1'b1;
        tag        = '0;
      end
      "tag_carried and not in a bucket": begin
        where[1]   = WhereSteps;
        level[1]   = 3'd2;
        scanned[1] = cycle_i == 1;
        ends_ok    = bad_i;
      end
      "where_fits: LOOKUP has its own line": begin
        where[1]    = WhereLookup;
        state[1]    = WalkerPwcReq;
        own_line[1] = !bad_i;
      end
      "where_fits: LOOKUP until there is a result": begin
        where[1]    = WhereLookup;
        state[1]    = bad_i ? WalkerReq : WalkerPwcWait;
        own_line[1] = 1'b1;
      end
      "where_fits: STEPS at level 2": begin
        where[1] = WhereSteps;
        level[1] = bad_i ? 3'd1 : 3'd2;
      end
      "where_fits: HOME at level 1": begin
        where[1] = WhereHome;
        level[1] = bad_i ? 3'd2 : 3'd1;
      end
      "where_fits: CACHED at level 1": begin
        where[1] = WhereCached;
        level[1] = bad_i ? 3'd2 : 3'd1;
      end
      "where_fits: HOME looks nothing up": begin
        where[1] = WhereHome;
        state[1] = bad_i ? WalkerPwcReq : WalkerReq;
      end
      "where_fits: CACHED waits for no lookup": begin
        where[1] = WhereCached;
        state[1] = bad_i ? WalkerPwcWait : WalkerCam;
      end
      "where_fits: KNOWN at level 1": begin
        where[1] = WhereKnown;
        level[1] = bad_i ? 3'd2 : 3'd1;
      end
      "where_fits: KNOWN with a step": begin
        where[1] = WhereKnown;
        state[1] = WalkerPwcReq;
        node[1]  = bad_i ? 36'd8 : 36'd7;
      end
      "where_fits: KNOWN with a step until it has its slot": begin
        where[1] = WhereKnown;
        state[1] = bad_i ? WalkerPwcWait : WalkerReq;
      end
      "where_fits of each walker": begin
        started  = 2'b11;
        state[0] = WalkerReq;
        where[1] = WhereSteps;
        level[1] = bad_i ? 3'd1 : 3'd2;
      end
      "where_fits: RADIX looks nothing up": state[1] = bad_i ? WalkerPwcReq : WalkerReq;
      "where_fits: VICTIM waits for no lookup": begin
        where[1] = WhereVictim;
        state[1] = bad_i ? WalkerPwcWait : WalkerMem;
      end
      "where_fits: seven of them": where[1] = bad_i ? where_e'(7) : WhereRadix;
      "where_fits until RESP": begin
        where[1] = WhereSteps;
        state[1] = bad_i ? WalkerMem : WalkerResp;
      end
      "where_fits once started": begin
        where[1]   = WhereSteps;
        started[1] = bad_i;
      end
      "contig_known of a slot": begin
        where[1]  = bad_i ? WhereHome : WhereCached;
        contig[1] = 9'd1;
      end
      "contig_known of a table": begin
        where[1]  = bad_i ? WhereVictim : WhereRadix;
        contig[1] = 9'd256;
      end
      "contig_known once started": begin
        where[1]   = WhereHome;
        contig[1]  = 9'd1;
        started[1] = bad_i;
      end
      "walk_ends in a hashed table": begin
        where[1]   = WhereVictim;
        scanned[1] = cycle_i < Most || (cycle_i == Most && bad_i);
      end
      "walk_ends in a radix table": scanned[1] = cycle_i < Most || (cycle_i == Most && bad_i);
      "walk_ends before another": begin
        where[1]   = WhereVictim;
        scanned[1] = 1'b1;
        started[1] = cycle_i % 8 != 0 || bad_i;
      end
      "lookup_leads to no step without a bucket": begin
        state[1]    = WalkerPwcWait;
        where[1]    = WhereLookup;
        own_line[1] = 1'b1;
        found       = 1'b1;
        found_where = bad_i ? WhereKnown : WhereCached;
      end
      "lookup_leads somewhere": begin
        state[1]    = WalkerPwcWait;
        where[1]    = WhereLookup;
        own_line[1] = 1'b1;
        found       = 1'b1;
        found_where = bad_i ? WhereVictim : WhereHome;
      end
      "lookup_leads by a result": begin
        state[1]    = WalkerPwcWait;
        where[1]    = WhereLookup;
        own_line[1] = 1'b1;
        found       = bad_i;
      end
      "lookup_leads from a bucket to its slot": begin
        state[1]    = WalkerPwcWait;
        where[1]    = WhereKnown;
        node[1]     = 36'd3;
        found       = 1'b1;
        found_where = bad_i ? WhereHome : WhereKnown;
      end
      "lookup_leads to the bucket after a home": begin
        state[1]    = WalkerPwcWait;
        where[1]    = WhereSteps;
        level[1]    = 3'd2;
        found       = 1'b1;
        found_where = bad_i ? WhereCached : WhereSteps;
      end
      default: ;
    endcase
    line = '0;
    for (int unsigned j = 0; j < 8; j++) line[j][62:57] = tag[6*j+:6];
  end

  hashed_checker #(
    .VpnW(36), .PasidW(4), .PfnW(36), .Walkers(Walkers), .Hashes(1'b1), .SlotPages(512)
  ) u_checker (
    .clk_i,
    .rst_ni,
    .state_q     (state),
    .started_q   (started),
    .own_line_q  (own_line),
    .where_q     (where),
    .level_q     (level),
    .node_q      (node),
    .contig_q    (contig),
    .vpn_q       (vpn),
    .pasid_q     (pasid),
    .scanned,
    .line,
    .ends_ok,
    .found,
    .found_walker(1'b1),
    .found_where
  );

endmodule
