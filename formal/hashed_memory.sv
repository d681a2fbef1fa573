// What memory holds for the proofs of R20.26, whose page tables are an adversary's but for where they lie. The two
// highest bits of a frame name its area:
//
//   00  slots of hashed tables: a line says anything, but its frames lie in the area of the watched PASID's victim
//       buffer if it carries the tag (R20.2, R20.3) of the watched PASID and region, and elsewhere if not
//   01  buckets of step tables: a line says anything
//   1p  the victim buffer or radix table of PASID p, and its pages: a line names frames of its own area
//
// So the frame of an OK tells on what it rests: for the watched region it must lie in the area 1p of its PASID. All
// other lines name frames elsewhere, or may.
module hashed_memory #(
  parameter int unsigned TagW      = 1,
  parameter int unsigned SlotPages = 512,
  localparam int unsigned RegionW = 36 - $clog2(SlotPages)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               pasid_i,       // the watched one
  input logic [RegionW-1:0] region_i,
  input logic               asked_i,       // a line is asked for
  input logic [TagW-1:0]    asked_tag_i,
  input logic [25:0]        asked_line_i,
  input logic               comes_i,       // a line comes
  input logic [TagW-1:0]    comes_tag_i,
  input logic [511:0]       comes_data_i
);

  logic [1:0]  area_q [2**TagW];  // in which the line lies that is asked for, by tag
  logic [1:0]  area;
  logic [47:0] tag, carried;
  logic [7:0]  right;

  always_ff @(posedge clk_i) begin
    if (asked_i) area_q[asked_tag_i] <= asked_line_i[25:24];
  end

  assign area = area_q[comes_tag_i];
  assign tag  = {1'b1, 10'b0, pasid_i, 36'(region_i)};

  for (genvar j = 0; j < 8; j++) begin : gen_right
    logic [1:0] frame;

    assign frame          = comes_data_i[64*j+30+:2];
    assign carried[6*j+:6] = comes_data_i[64*j+57+:6];

    always_comb begin
      unique case (area)
        2'b00:   right[j] = (frame == {1'b1, pasid_i}) == (carried == tag);
        2'b01:   right[j] = 1'b1;
        default: right[j] = frame == area;
      endcase
    end
  end

  frame_tells : assume property (@(posedge clk_i) disable iff (!rst_ni) !comes_i || &right);

endmodule
