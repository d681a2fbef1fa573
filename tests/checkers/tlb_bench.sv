// The checker of the unified TLB of two sets and four ways, in a unit with subregions (the ways 2
// and 3 are their partition), in one with runs and in one with neither. The fill is one of set 1,
// whose entries are 4 to 7.
module tlb_bench (
  input logic        clk_i,
  input logic        rst_ni,
  input string       what_i,
  input logic        bad_i,
  input int unsigned cycle_i
);

  localparam int unsigned Ways    = 4;
  localparam int unsigned Entries = 8;
  localparam int unsigned TagW    = 35;

  logic            found, fill_valid, filled, filled_runs, filled_plain;
  logic [1:0]      size;
  logic [2:0]      links, links_of_run, links_of_plain;
  logic [Ways-1:0] look, ranges, same;
  logic [Ways-1:0][1:0] rank;
  logic [Entries-1:0]   valid, of_range;
  logic [3:0]      pasid  [Entries];
  logic [TagW-1:0] tag    [Entries];
  logic [2:0]      length [Entries];

  always_comb begin
    {fill_valid, filled, filled_runs, filled_plain} = '0;
    {links, links_of_run, links_of_plain} = '0;
    found    = 1'b1;
    size     = '0;
    look     = '0;
    ranges   = '0;
    same     = '0;
    rank     = {2'd0, 2'd3, 2'd1, 2'd2};
    valid    = '0;
    of_range = '0;
    pasid    = '{default: '0};
    tag      = '{default: TagW'(8)};  // frame 1
    length   = '{default: '0};
    case (what_i)
      "single_hit":   look   = bad_i ? 4'b1010 : 4'b1000;
      "single_range": ranges = bad_i ? 4'b1010 : 4'b0010;
      "single_entry": begin
        fill_valid = 1'b1;
        same       = bad_i ? 4'b0011 : 4'b0001;
      end
      "single_entry of a fill": begin
        fill_valid = bad_i;
        same       = '1;
      end
      "links without COLT":        links_of_plain = bad_i ? 3'd7 : 3'd0;
      "links of a subregion":      links = bad_i ? 3'd6 : 3'd7;
      "links of a run, the first": links_of_run = bad_i ? 3'd3 : 3'd2;
      "links of a run, the last":  links_of_run = bad_i ? 3'd6 : 3'd2;
      "links of 4 KiB": begin
        links = 3'd7;
        size  = bad_i ? 2'd1 : 2'd0;
      end
      "links of what is found": begin
        links = 3'd7;
        found = !bad_i;
      end
      "permutation": begin
        filled  = cycle_i == 1;
        rank[3] = bad_i ? 2'd3 : 2'd0;
      end
      "permutation, none between left out": begin
        filled  = cycle_i == 1;
        rank[1] = bad_i ? 2'd3 : 2'd1;
      end
      "permutation of a fill": begin
        filled  = cycle_i == 1 && bad_i;
        rank[3] = 2'd3;
      end
      "no_page_twice": begin
        filled = cycle_i == 1;
        valid  = 8'b0011_0000;
        tag[5] = bad_i ? TagW'(8) : TagW'(9);
      end
      "no_page_twice, whichever page is the higher": begin
        filled = cycle_i == 1;
        valid  = 8'b0011_0000;
        tag[4] = TagW'(10);
        tag[5] = bad_i ? TagW'(10) : TagW'(9);
      end
      "no_page_twice, whoever is beside": begin
        filled = cycle_i == 1;
        valid  = 8'b0111_0000;
        tag[5] = bad_i ? TagW'(8) : TagW'(9);
        tag[6] = TagW'(10);
      end
      "no_page_twice in two runs, whoever is beside": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b0111_0000;
        of_range    = '1;
        tag[5]      = bad_i ? TagW'(8) : TagW'(9);
        tag[6]      = TagW'(10);
      end
      "no_page_twice in two runs, past another": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b0111_0000;
        of_range    = '1;
        tag[5]      = TagW'(10);
        tag[6]      = bad_i ? TagW'(8) : TagW'(9);
      end
      "no_page_twice in one address space": begin
        filled   = cycle_i == 1;
        valid    = 8'b0110_0000;
        pasid[5] = bad_i ? 4'd0 : 4'd1;
      end
      "no_page_twice in one class": begin
        filled   = cycle_i == 1;
        valid    = 8'b1100_0000;
        of_range = {bad_i, 7'b100_0000};
      end
      "no_page_twice by what is valid": begin
        filled = cycle_i == 1;
        valid  = {bad_i, 7'b100_0000};
      end
      "no_page_twice in two subregion entries": begin
        filled    = cycle_i == 1;
        valid     = 8'b1100_0000;
        of_range  = '1;
        length[6] = 3'd2;
        tag[7]    = bad_i ? TagW'(10) : TagW'(11);
      end
      "no_page_twice, whichever way is the longer one": begin
        filled    = cycle_i == 1;
        valid     = 8'b1100_0000;
        of_range  = '1;
        tag[6]    = bad_i ? TagW'(10) : TagW'(11);
        length[7] = 3'd2;
      end
      "no_page_twice behind the first subregions of a frame": begin
        filled    = cycle_i == 1;
        valid     = 8'b1100_0000;
        of_range  = '1;
        tag[6]    = TagW'(12);
        length[6] = 3'd2;
        tag[7]    = bad_i ? TagW'(14) : TagW'(15);
      end
      "no_page_twice behind the first, whichever way is the longer one": begin
        filled    = cycle_i == 1;
        valid     = 8'b1100_0000;
        of_range  = '1;
        tag[6]    = bad_i ? TagW'(14) : TagW'(15);
        tag[7]    = TagW'(12);
        length[7] = 3'd2;
      end
      "no_page_twice in two subregion entries of a frame": begin
        filled   = cycle_i == 1;
        valid    = 8'b1100_0000;
        of_range = '1;
        tag[7]   = bad_i ? TagW'(8) : TagW'(24);
      end
      "no_page_twice in two runs": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b0011_0000;
        of_range    = '1;
        length[4]   = 3'd1;
        tag[5]      = bad_i ? TagW'(9) : TagW'(10);
      end
      "no_page_twice in two runs of a group": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b1001_0000;
        of_range    = '1;
        tag[7]      = bad_i ? TagW'(8) : TagW'(12);
      end
      "in_place: a subregion entry in the partition": begin
        filled   = cycle_i == 1;
        valid    = bad_i ? 8'b0010_0000 : 8'b0100_0000;
        of_range = '1;
      end
      "in_place: a subregion entry in the set of its frame": begin
        filled   = cycle_i == 1;
        valid    = 8'b1000_0000;
        of_range = '1;
        tag[7]   = bad_i ? TagW'(16) : TagW'(24);
      end
      "in_place: a subregion entry within its frame": begin
        filled    = cycle_i == 1;
        valid     = 8'b1000_0000;
        of_range  = '1;
        tag[7]    = TagW'(14);
        length[7] = bad_i ? 3'd2 : 3'd1;
      end
      "in_place: a subregion entry far beyond its frame": begin
        filled    = cycle_i == 1;
        valid     = 8'b1000_0000;
        of_range  = '1;
        tag[7]    = TagW'(15);
        length[7] = bad_i ? 3'd3 : 3'd0;
      end
      "in_place: a regular entry is of one page": begin
        filled    = cycle_i == 1;
        valid     = 8'b1000_0000;
        length[7] = {2'd0, bad_i};
      end
      "in_place: all entries are runs": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b0001_0000;
        of_range[4] = !bad_i;
      end
      "in_place: a run within its group": begin
        filled_runs = cycle_i == 1;
        valid       = 8'b0001_0000;
        of_range    = '1;
        tag[4]      = TagW'(10);
        length[4]   = bad_i ? 3'd2 : 3'd1;
      end
      "in_place: no subregion entry without subregions": begin
        filled_plain = cycle_i == 1;
        valid        = 8'b0100_0000;
        of_range[6]  = bad_i;
      end
      default: ;
    endcase
  end

  tlb_checker #(
    .PasidW(4), .TlbEntries(Entries), .TlbWays(Ways), .TlbPartition(2), .TagW(TagW),
    .Subregions(1'b1), .Runs(1'b0), .Colt(1'b1), .PlaceW(3)
  ) u_subregions (
    .clk_i,
    .rst_ni,
    .found,
    .found_first  (3'd1),
    .found_length (3'd1),
    .dec_size_o   (size),
    .dec_links_o  (links),
    .look_match   (look),
    .range_match  (ranges),
    .fill_valid_i (fill_valid),
    .fill_same    (same),
    .place_valid_q(filled),
    .place_set_q  (1'b1),
    .place_touched(rank),
    .valid_q      (valid),
    .class_q      (of_range),
    .pasid_q      (pasid),
    .tag_q        (tag),
    .length_q     (length)
  );

  tlb_checker #(
    .PasidW(4), .TlbEntries(Entries), .TlbWays(Ways), .TlbPartition(2), .TagW(TagW),
    .Subregions(1'b0), .Runs(1'b1), .Colt(1'b1), .PlaceW(2)
  ) u_runs (
    .clk_i,
    .rst_ni,
    .found,
    .found_first  (2'd1),
    .found_length (2'd1),
    .dec_size_o   (size),
    .dec_links_o  (links_of_run),
    .look_match   (look),
    .range_match  (ranges),
    .fill_valid_i (fill_valid),
    .fill_same    (same),
    .place_valid_q(filled_runs),
    .place_set_q  (1'b1),
    .place_touched(rank),
    .valid_q      (valid),
    .class_q      (of_range),
    .pasid_q      (pasid),
    .tag_q        (tag),
    .length_q     (length)
  );

  tlb_checker #(
    .PasidW(4), .TlbEntries(Entries), .TlbWays(Ways), .TlbPartition(2), .TagW(TagW),
    .Subregions(1'b0), .Runs(1'b0), .Colt(1'b0), .PlaceW(3)
  ) u_plain (
    .clk_i,
    .rst_ni,
    .found,
    .found_first  (3'd1),
    .found_length (3'd1),
    .dec_size_o   (size),
    .dec_links_o  (links_of_plain),
    .look_match   (look),
    .range_match  (ranges),
    .fill_valid_i (fill_valid),
    .fill_same    (same),
    .place_valid_q(filled_plain),
    .place_set_q  (1'b1),
    .place_touched(rank),
    .valid_q      (valid),
    .class_q      (of_range),
    .pasid_q      (pasid),
    .tag_q        (tag),
    .length_q     (length)
  );

endmodule
