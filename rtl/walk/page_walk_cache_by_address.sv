// The page walk cache by PTE address (chapter 6; Power): set associative, tagged with the physical
// address of an upper-level PTE.
//
// TAG, NODE, PERM and CONTIG are in arrays that are told the set ahead (R6.7): the partial tag (R6.17) twice, since a
// lookup and a fill's place each read one in a cycle.
// Contract: a fill of a partial tag that is held overwrites its entry, so a set never hits twice.
`include "lockwalk_tables.svh"
`include "lockwalk_types.svh"

module page_walk_cache_by_address
  import lockwalk_pkg::*;
#(
  parameter int unsigned PaWidth    = 48,
  parameter int unsigned PwcEntries = 1024,
  parameter int unsigned PwcWays    = 8,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned LookAhead  = 2,  // cycles from told_look_set_i to the lookup
  localparam int unsigned PfnW    = PaWidth - 12,
  localparam int unsigned Sets    = PwcEntries / PwcWays,
  localparam int unsigned SetBits = $clog2(Sets),
  localparam int unsigned SetW    = (SetBits == 0) ? 1 : SetBits,
  localparam int unsigned AddrW   = PaWidth - 3,  // of a PTE
  localparam int unsigned TagW    = AddrW - SetBits,
  localparam int unsigned PartW   = (TagW < 12) ? TagW : 12,
  localparam int unsigned WayW    = $clog2(PwcWays),
  localparam int unsigned IndexW  = $clog2(PwcEntries),
  localparam type hit_t   = `LW_PWC_HIT_T(PfnW, IndexW),
  localparam type place_t = `LW_PWC_PLACE_T(IndexW)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [SetW-1:0]    told_look_set_i,  // of look_addr_i in LookAhead cycles
  input  logic [SetW-1:0]    told_fill_set_i,  // of fill_addr_i in two cycles
  input  logic               look_valid_i,
  input  logic [AddrW-1:0]   look_addr_i,
  input  logic [1:0]         look_access_i,
  input  logic [1:0]         look_perm_i,
  output hit_t               hit_o,          // its permissions are those of the PTE alone
  input  place_t             touch_i,        // R6.4
  input  logic               fill_valid_i,
  input  logic [AddrW-1:0]   fill_addr_i,
  output logic [IndexW-1:0]  fill_entry_o,   // its place
  input  logic               place_valid_i,  // written now
  input  logic [TagW-1:0]    place_tag_i,
  input  logic [PfnW-1:0]    place_node_i,
  input  logic [1:0]         place_perm_i,
  input  logic [ContigW-1:0] place_contig_i,
  input  logic [IndexW-1:0]  place_entry_i,
  input  logic               mark_i        // R6.6: all of it
);

  logic [PwcEntries-1:0] valid_q;
  logic [WayW-1:0]       rank_q [PwcEntries];

  `LW_ENTRY_OF(IndexW, SetW, WayW)

  // ---------------------------------------------------------------- arrays (R6.7)

  logic [SetW-1:0]                 place_set;
  logic [WayW-1:0]                 place_way;
  logic [PwcWays-1:0]              place_lanes;
  logic [PwcWays-1:0][TagW-1:0]    look_tag;
  logic [PwcWays-1:0][PartW-1:0]   fill_tag;
  logic [PwcWays-1:0][PfnW-1:0]    look_node;
  logic [PwcWays-1:0][1:0]         look_pte_perm;
  logic [PwcWays-1:0][ContigW-1:0] look_contig;

  assign place_set   = SetW'(place_entry_i >> WayW);
  assign place_way   = place_entry_i[WayW-1:0];
  assign place_lanes = place_valid_i ? PwcWays'(1) << place_way : '0;

  sram #(
    .Words(Sets),
    .Lanes(PwcWays),
    .Width(TagW),
    .Ahead(LookAhead)
  ) u_tag (
    .clk_i,
    .read_word_i  (told_look_set_i),
    .read_data_o  (look_tag),
    .write_lanes_i(place_lanes),
    .write_word_i (place_set),
    .write_data_i (place_tag_i)
  );

  sram #(
    .Words(Sets),
    .Lanes(PwcWays),
    .Width(PartW),
    .Ahead(2)
  ) u_fill_tag (
    .clk_i,
    .read_word_i  (told_fill_set_i),
    .read_data_o  (fill_tag),
    .write_lanes_i(place_lanes),
    .write_word_i (place_set),
    .write_data_i (place_tag_i[PartW-1:0])
  );

  sram #(
    .Words(Sets),
    .Lanes(PwcWays),
    .Width(PfnW),
    .Ahead(LookAhead)
  ) u_node (
    .clk_i,
    .read_word_i  (told_look_set_i),
    .read_data_o  (look_node),
    .write_lanes_i(place_lanes),
    .write_word_i (place_set),
    .write_data_i (place_node_i)
  );

  sram #(
    .Words(Sets),
    .Lanes(PwcWays),
    .Width(2),
    .Ahead(LookAhead)
  ) u_perm (
    .clk_i,
    .read_word_i  (told_look_set_i),
    .read_data_o  (look_pte_perm),
    .write_lanes_i(place_lanes),
    .write_word_i (place_set),
    .write_data_i (place_perm_i)
  );

  if (Subregions) begin : gen_contig
    sram #(
      .Words(Sets),
      .Lanes(PwcWays),
      .Width(ContigW),
      .Ahead(LookAhead)
    ) u_contig (
      .clk_i,
      .read_word_i  (told_look_set_i),
      .read_data_o  (look_contig),
      .write_lanes_i(place_lanes),
      .write_word_i (place_set),
      .write_data_i (place_contig_i)
    );
  end else begin : gen_no_contig
    assign look_contig = '0;

    // Without Subregions no PTE has bits of contiguity.
    logic unused;
    assign unused = ^place_contig_i;
  end

  // ---------------------------------------------------------------- lookup (R6.3)

  // The sets, one-hot and decoded a cycle early, as the arrays are told them (R6.7): of the lookup, of the fill that
  // gets its place, and of what is touched and written in the cycle after.
  logic [Sets-1:0]    look_at_q, fill_at_q, touch_at_q, place_at_q;
  logic [SetW-1:0]    next_look_set, next_fill_set_q;
  logic [SetW-1:0]    look_set, fill_set;
  logic [PwcWays-1:0] match, same, taken, ahead;
  logic [WayW-1:0]    look_way, way;

  assign look_set  = (SetBits == 0) ? '0 : look_addr_i[SetW-1:0];
  assign fill_set  = (SetBits == 0) ? '0 : fill_addr_i[SetW-1:0];

  if (LookAhead == 1) begin : gen_told_late
    assign next_look_set = told_look_set_i;
  end else begin : gen_told_early
    logic [SetW-1:0] told_word_q;

    always_ff @(posedge clk_i) told_word_q <= told_look_set_i;

    assign next_look_set = told_word_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {next_fill_set_q, look_at_q, fill_at_q, touch_at_q, place_at_q} <= '0;
    end else begin
      next_fill_set_q <= told_fill_set_i;
      look_at_q       <= (SetBits == 0) ? Sets'(1) : Sets'(1) << next_look_set;
      fill_at_q       <= (SetBits == 0) ? Sets'(1) : Sets'(1) << next_fill_set_q;
      if (look_valid_i) touch_at_q <= look_at_q;
      if (fill_valid_i) place_at_q <= fill_at_q;
    end
  end

  // A bit of VALID, or of a way's rank, in all sets, so that a tree of gates joins them, however many there are.
  logic [PwcWays-1:0]           look_taken, fill_taken;
  logic [PwcWays-1:0][WayW-1:0] fill_rank;

  for (genvar w = 0; w < PwcWays; w++) begin : gen_way
    logic [Sets-1:0]           taken_plane;
    logic [WayW-1:0][Sets-1:0] rank_plane;

    for (genvar s = 0; s < Sets; s++) begin : gen_set
      assign taken_plane[s] = valid_q[s*PwcWays+w];
      for (genvar b = 0; b < WayW; b++) begin : gen_bit
        assign rank_plane[b][s] = rank_q[s*PwcWays+w][b];
      end
    end

    assign look_taken[w] = |(taken_plane & look_at_q);
    assign fill_taken[w] = |(taken_plane & fill_at_q);
    for (genvar b = 0; b < WayW; b++) begin : gen_rank_bit
      assign fill_rank[w][b] = |(rank_plane[b] & fill_at_q);
    end
  end

  always_comb begin
    match    = '0;
    look_way = '0;
    hit_o    = '0;
    if (look_valid_i) begin
      for (int unsigned w = 0; w < PwcWays; w++) begin
        match[w] = look_taken[w] &&
                   look_tag[w] == look_addr_i[AddrW-1:SetBits] &&
                   grants(look_pte_perm[w] & look_perm_i, look_access_i);
        if (match[w]) begin
          look_way     |= WayW'(w);
          hit_o.node   |= look_node[w];
          hit_o.perm   |= look_pte_perm[w];
          hit_o.contig |= look_contig[w];
        end
      end
    end
    hit_o.valid = |match;
    hit_o.entry = entry_of(look_set, look_way);
  end

  // ---------------------------------------------------------------- fill and LRU (R6.4, R6.5, R6.17)

  logic [PwcWays-1:0][WayW-1:0] hit_touched, place_touched;
  logic                         place_same;  // one partial tag (R6.17)

  assign ahead      = (place_valid_i && place_set == fill_set) ? PwcWays'(1) << place_way : '0;
  assign place_same = place_tag_i[PartW-1:0] == fill_addr_i[SetBits+:PartW];

  always_comb begin
    same  = '0;
    taken = '0;
    if (fill_valid_i) begin
      for (int unsigned w = 0; w < PwcWays; w++) begin
        taken[w] = fill_taken[w];
        same[w]  = ahead[w] ? place_same :
                   taken[w] && fill_tag[w] == fill_addr_i[SetBits+:PartW];
      end
    end
  end

  fill_way #(
    .Ways(PwcWays)
  ) u_way (
    .same_i  (same),
    .valid_i (taken | ahead),
    .ahead_i (ahead),
    .rank_i  (fill_rank),
    .way_o   (way)
  );

  assign fill_entry_o = entry_of(fill_set, way);

  // A fill asks for the partial tag alone.
  logic unused;
  assign unused = ^fill_addr_i;

  lru_sets #(
    .Entries(PwcEntries),
    .Ways   (PwcWays)
  ) u_lru (
    .rank_i     (rank_q),
    .hit_i      (touch_i.valid),
    .hit_set_i  (touch_at_q),
    .hit_way_i  (touch_i.entry[WayW-1:0]),
    .fill_i     (place_valid_i),
    .fill_set_i (place_at_q),
    .fill_way_i (place_way),
    .hit_rank_o (hit_touched),
    .fill_rank_o(place_touched)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      for (int unsigned e = 0; e < PwcEntries; e++) begin
        rank_q[e] <= WayW'(e);
      end
    end else begin
      for (int unsigned s = 0; s < Sets; s++) begin
        for (int unsigned w = 0; w < PwcWays; w++) begin
          if (place_valid_i && place_at_q[s]) rank_q[s*PwcWays+w] <= place_touched[w];
          else if (touch_i.valid && touch_at_q[s]) rank_q[s*PwcWays+w] <= hit_touched[w];
        end
      end
      if (place_valid_i) valid_q[place_entry_i] <= 1'b1;
      if (mark_i) valid_q <= '0;
    end
  end

endmodule
