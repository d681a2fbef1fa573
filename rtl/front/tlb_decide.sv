// What the TLB decides on a request, from what its lookup has found (R3.2, R3.3, R3.15, R3.16), or on a second lookup
// (R5.28).
//
// Combinational. A request is a fault if its page number is not canonical or its PASID has no page table
// (R3.32); else it is a hit if an entry was found, else a miss. A range's page lies as far above the frame of its first
// page as the page looked up lies above that (R3.9). A second lookup is a hit where a request would be one, else a
// miss: its page number is canonical, and it is no fault.
`include "lockwalk_types.svh"

module tlb_decide
  import lockwalk_pkg::*;
#(
  parameter int unsigned PfnW       = 36,
  parameter int unsigned IdW        = 12,
  parameter int unsigned SrcW       = 6,
  parameter int unsigned WayW       = 4,
  parameter int unsigned PlaceW     = 3,
  parameter bit          Subregions = 1'b0,
  parameter int unsigned Colt       = 0,
  parameter int unsigned WalkerW    = 3,
  localparam bit          Runs   = Colt == 2,
  localparam int unsigned PageBits = Runs ? 0 : 6,  // of a page within a place of a range
  localparam type request_t = `LW_REQUEST_T(IdW, SrcW),
  localparam type decided_t = `LW_DECIDED_T(IdW, SrcW, PfnW),
  localparam type found_t   = `LW_TLB_FOUND_T(WayW, PlaceW, PfnW),
  localparam type second_end_t = `LW_SECOND_END_T(WalkerW)
) (
  input  logic              colt_enable_i,
  input  logic              valid_i,        // there is a lookup
  input  logic              second_i,       // ... a second one, of this walker
  input  logic [WalkerW-1:0] walker_i,
  input  request_t          request_i,
  input  logic              bad_page_i,
  input  logic              bad_pasid_i,
  input  found_t            found_i,
  input  logic              range_i,        // what was found is a range
  output decided_t          decided_o,
  output second_end_t       second_o
);

  logic              decidable;  // no fault comes before the entries
  logic              hit, linked;
  logic [PfnW-1:0]   pfn;
  logic [2:0]        links;

  assign decidable = valid_i && !bad_page_i && !bad_pasid_i;
  assign hit       = decidable && found_i.valid;

  if (Subregions || Runs) begin : gen_offset
    localparam logic [PfnW-1:0] PageMask = PfnW'((1 << PageBits) - 1);

    logic [PlaceW-1:0] distance;
    logic [PfnW-1:0]   offset;

    assign distance = request_i.page[PageBits+:PlaceW] - found_i.first;
    assign offset   = (PfnW'(distance) << PageBits) | (PfnW'(request_i.page) & PageMask);
    assign pfn      = found_i.pfn + (range_i ? offset : '0);
  end else begin : gen_no_offset
    assign pfn = found_i.pfn;

    // A regular entry has no pages before the one asked for.
    logic unused;
    assign unused = ^found_i.first;
  end

  // R3.15: a subregion goes on throughout its groups; a run says how far. No regular entry does.
  assign linked = Colt != 0 && hit && range_i && colt_enable_i && found_i.size == 2'd0;

  if (Runs) begin : gen_run_links
    logic [1:0] last;

    assign last = found_i.first + found_i.length;
    for (genvar i = 0; i < 3; i++) begin : gen_link
      assign links[i] = linked && found_i.first <= 2'(i) && 2'(i) < last;
    end
  end else begin : gen_subregion_links
    assign links = {3{linked}};

    // A whole group lies within a subregion, however many of those follow.
    logic unused;
    assign unused = ^found_i.length;
  end

  // Of a fault all that a hit says is zero (R3.3).
  assign decided_o = '{
    valid:     valid_i && !second_i,
    hit:       hit && !second_i,
    miss:      decidable && !found_i.valid && !second_i,
    subregion: Subregions && hit && range_i && !second_i,
    kind:      bad_page_i ? KindNonCanonical : (bad_pasid_i ? KindUnknownPasid : KindOk),
    request:   request_i,
    pfn:       hit ? pfn : '0,
    size:      hit ? found_i.size : '0,
    perm:      hit ? found_i.perm : '0,
    links:     links
  };

  assign second_o = '{hit: hit && second_i, miss: valid_i && second_i && !hit, walker: walker_i};

  // The way of a hit is asked where its rank moves.
  logic unused_found;
  assign unused_found = ^found_i.way;

endmodule
