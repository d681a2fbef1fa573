// The hash unit of hashed tables (chapter 21): where in its table a region lies, or its group in the step table
// (R20.6, R20.7). Behind the compare of the step cache it has three stages: what is hashed is chosen (R21.4), the
// products are made, and their sum (R21.5). What follows from the sum, the frame (R21.6), is combinational.
// What the step cache says of a region's contiguity goes along.
//
// All arithmetic is modulo 2^27 and works on places, of which the highest bits are the slot or the bucket: so a hash
// and a step are added before either is cut to the size of the table.
//
// Contract: a stage is loaded by its `valid`, else it stays. The lookup is the key's, with what the step cache says of
// it; the registers of the tables are as they stand in the cycle that loads the stage.
`include "lockwalk_types.svh"

module table_hash
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW       = 36,
  parameter int unsigned PfnW       = 36,
  parameter int unsigned PasidW     = 4,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned SlotPages  = 512,
  localparam int unsigned Pasids = 2 ** PasidW,
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type roots_t  = `LW_ROOTS_T(Pasids, PfnW),
  localparam type tables_t = `LW_TABLES_T(Pasids, PfnW)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  roots_t             roots_i,
  input  tables_t            tables_i,
  input  logic               home_first_i,
  // A lookup that is compared; one whose products are made; one whose sum is.
  input  logic               choose_i,
  input  key_t               key_i,
  input  where_e             where_i,
  input  logic [2:0]         step_i,         // the walker's, with WHERE KNOWN
  input  logic               hit_i,
  input  logic [2:0]         hit_step_i,
  input  logic [ContigW-1:0] hit_contig_i,
  input  logic               multiply_i,
  input  logic               add_i,
  // Where the lookup behind the sum leads.
  output where_e             where_o,
  output logic [PfnW-1:0]    node_o,
  output logic [5:0]         bucket_o,
  output logic [ContigW-1:0] contig_o
);

  localparam int unsigned PlaceW    = 27;
  localparam int unsigned RegionLsb = region_lsb(SlotPages);
  localparam int unsigned GroupLsb  = group_lsb(SlotPages);

  where_e             chosen_where_q, chosen_where;
  logic [2:0]         chosen_step_q, chosen_step;
  logic [PlaceW-1:0]  chosen_number_q;
  logic [4:0]         chosen_log_q;
  logic [PfnW-1:0]    chosen_frame_q;
  logic [ContigW-1:0] chosen_contig_q, chosen_contig;

  where_e             product_where_q;
  logic [PlaceW-1:0]  product_low_q, product_high_q, product_offset_q;
  logic [4:0]         product_log_q;
  logic [PfnW-1:0]    product_frame_q;
  logic [ContigW-1:0] product_contig_q;

  where_e             sum_where_q;
  logic [PlaceW-1:0]  sum_place_q;
  logic [4:0]         sum_log_q;
  logic [PfnW-1:0]    sum_frame_q;
  logic [ContigW-1:0] sum_contig_q;

  // ---------------------------------------------------------------- the choice (R21.4)

  // K of R20.6, as far as it counts modulo 2^27.
  function automatic logic [PlaceW-1:0] folded(logic [35:0] number, logic [PasidW-1:0] pasid);
    return number[26:0] ^ {9'b0, number[35:27], 9'b0} ^ (PlaceW'(pasid) << 18);
  endfunction

  logic              of_group;  // it goes to the step table
  logic [35:0]       region, group;
  logic [PlaceW-1:0] region_number, group_number;

  assign region        = 36'(key_i.vpn[VpnW-1:RegionLsb]);
  assign group         = 36'(key_i.vpn[VpnW-1:GroupLsb]);
  assign region_number = folded(region, key_i.pasid);
  assign group_number  = folded(group, key_i.pasid);

  // Whether there is a hit is known last.
  always_comb begin
    chosen_where  = where_i;
    chosen_step   = '0;
    chosen_contig = '0;
    if (where_i == WhereKnown) chosen_step = step_i;
    if (where_i == WhereLookup) begin
      chosen_where  = hit_i ? WhereCached : home_first_i ? WhereHome : WhereSteps;
      chosen_step   = hit_step_i & {3{hit_i}};
      chosen_contig = hit_contig_i & {ContigW{Subregions && hit_i}};
    end
  end

  assign of_group = chosen_where == WhereSteps;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      chosen_where_q  <= WhereRadix;
      chosen_step_q   <= '0;
      chosen_number_q <= '0;
      chosen_log_q    <= '0;
      chosen_frame_q  <= '0;
      chosen_contig_q <= '0;
    end else if (choose_i) begin
      chosen_where_q  <= chosen_where;
      chosen_step_q   <= chosen_step;
      chosen_number_q <= of_group ? group_number : region_number;
      chosen_log_q    <= of_group ? tables_i.step_log[key_i.pasid] :
                                    tables_i.table_log[key_i.pasid];
      chosen_frame_q  <= of_group ? tables_i.step_frame[key_i.pasid] : roots_i.frame[key_i.pasid];
      chosen_contig_q <= chosen_contig;
    end
  end

  // ---------------------------------------------------------------- the products (R21.5)

  // MULTIPLIER (R20.6) is 0x4F1BBCD, in two halves of six and five signed digits each.
  function automatic logic [PlaceW-1:0] times_low(logic [PlaceW-1:0] n);  // x 0x3BCD
    return (n << 14) - (n << 10) - (n << 6) + (n << 4) - (n << 2) + n;
  endfunction

  function automatic logic [PlaceW-1:0] times_high(logic [PlaceW-1:0] n);  // x 0x13C6 x 2^14
    return (n << 26) + (n << 24) - (n << 20) + (n << 17) - (n << 15);
  endfunction

  // How far a number of this many bits is from the top of a place, and four more: that is the complement of how many
  // they are. Numbers of 27 bits and more fill the place.
  function automatic logic [4:0] above(logic [4:0] log);
    return (log >= 5'd28) ? 5'd4 : ~log;
  endfunction

  logic [20:0]       offset_slots;
  logic [PlaceW-1:0] offset;

  assign offset_slots = (21'(tables_i.stride) & {21{chosen_step_q[0]}}) +
                        ((21'(tables_i.stride) & {21{chosen_step_q[1]}}) << 1) +
                        ((21'(tables_i.stride) & {21{chosen_step_q[2]}}) << 2);
  assign offset       = PlaceW'(((PlaceW + 4)'(offset_slots) << above(chosen_log_q)) >> 4);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      product_where_q  <= WhereRadix;
      product_low_q    <= '0;
      product_high_q   <= '0;
      product_offset_q <= '0;
      product_log_q    <= '0;
      product_frame_q  <= '0;
      product_contig_q <= '0;
    end else if (multiply_i) begin
      product_where_q  <= chosen_where_q;
      product_low_q    <= times_low(chosen_number_q);
      product_high_q   <= times_high(chosen_number_q);
      product_offset_q <= offset;
      product_log_q    <= chosen_log_q;
      product_frame_q  <= chosen_frame_q;
      product_contig_q <= chosen_contig_q;
    end
  end

  // ---------------------------------------------------------------- their sum (R21.5)

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_where_q  <= WhereRadix;
      sum_place_q  <= '0;
      sum_log_q    <= '0;
      sum_frame_q  <= '0;
      sum_contig_q <= '0;
    end else if (add_i) begin
      sum_where_q  <= product_where_q;
      sum_place_q  <= product_low_q + product_high_q + product_offset_q;
      sum_log_q    <= product_log_q;
      sum_frame_q  <= product_frame_q;
      sum_contig_q <= product_contig_q;
    end
  end

  // ---------------------------------------------------------------- where that is (R21.6, R20.1, R20.8)

  localparam int unsigned FrameW = (PfnW < 31) ? 31 : PfnW;

  logic [PlaceW-1:0] place;  // the number of the slot, or of the bucket
  logic [30:0]       low, ones;  // what it replaces in the frame: by these bits
  logic [FrameW-1:0] frame, node;

  assign place = PlaceW'({sum_place_q, 4'b0} >> above(sum_log_q));

  always_comb begin
    for (int unsigned b = 0; b < 31; b++) low[b] = 5'(b) < sum_log_q;
    ones = 31'(place);
    // A frame holds 64 buckets, or as many slots that are lines.
    if (sum_where_q == WhereSteps || slot_is_line(SlotPages)) begin
      low  = low >> 6;
      ones = ones >> 6;
    end
    frame = FrameW'(sum_frame_q);
    node  = (frame & ~FrameW'(low)) | FrameW'(ones);
  end

  assign where_o  = sum_where_q;
  assign node_o   = node[PfnW-1:0];
  assign bucket_o = place[5:0];
  assign contig_o = sum_contig_q;

  // Where a table is larger than memory only what memory has of a frame is asked; and of the roots their frames, of a
  // page its region, of the registers those of this unit.
  logic unused;
  assign unused = ^{node, roots_i.valid, key_i.vpn[RegionLsb-1:0], tables_i.hashed,
                    tables_i.victim_valid, tables_i.victim_frame};

endmodule
