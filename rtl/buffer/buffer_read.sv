// The two read ports of the IOMMU buffer: an entry for a walker that looks at it (R5.18), and the answer of an entry
// that leaves (R10.2).
//
// Combinational: the widest multiplexers of the unit, and nothing but these. The index of an entry is its slot;
// CL, PL, permissions and accesses are bit planes.
`include "lockwalk_types.svh"

module buffer_read
  import lockwalk_pkg::*;
#(
  parameter int unsigned VpnW    = 36,
  parameter int unsigned PfnW    = 36,
  parameter int unsigned PasidW  = 4,
  parameter int unsigned IdW     = 12,
  parameter int unsigned SrcW    = 6,
  parameter int unsigned Entries = 256,
  parameter int unsigned Lines   = 16,
  localparam int unsigned SlotW = $clog2(Entries),
  localparam int unsigned LineW = $clog2(Lines),
  localparam type key_t    = `LW_KEY_T(VpnW, PasidW),
  localparam type learnt_t = `LW_LEARNT_T(PfnW),
  localparam type entry_t  = `LW_ENTRY_T(VpnW, PasidW, IdW, SrcW),
  localparam type result_t = `LW_RESULT_T(VpnW, PasidW, PfnW, IdW, SrcW)
) (
  input  logic [IdW-1:0]          id_i     [Entries],
  input  logic [SrcW-1:0]         src_i    [Entries],
  input  logic [PasidW-1:0]       pasid_i  [Entries],
  input  logic [VpnW-1:0]         vpn_i    [Entries],
  input  logic [1:0][Entries-1:0] access_i,
  input  logic [Entries-1:0]      done_i,
  input  logic [Entries-1:0]      stale_i,
  input  logic [2:0][Entries-1:0] cl_i,
  input  logic [2:0][Entries-1:0] pl_i,
  input  logic [LineW-1:0]        line_i     [Entries],
  input  logic [2:0]              position_i [Entries],
  input  logic [Entries-1:0]      near_i,  // to the operation in update (R5.19)
  // For a walker; which PTE of the line store it has learnt.
  input  logic [SlotW-1:0]        read_slot_i,
  output logic [LineW-1:0]        read_line_o,
  output logic [2:0]              read_position_o,
  output entry_t                  read_o,
  // For an answer; what it has learnt.
  input  logic                    reading_i,
  input  logic [SlotW-1:0]        reading_slot_i,
  input  learnt_t                 reading_learnt_i,
  output result_t                 reading_o
);

  assign read_o = '{
    id:     id_i[read_slot_i],
    src:    src_i[read_slot_i],
    key:    '{pasid: pasid_i[read_slot_i], vpn: vpn_i[read_slot_i]},
    access: {access_i[1][read_slot_i], access_i[0][read_slot_i]},
    done:   done_i[read_slot_i],
    stale:  stale_i[read_slot_i],
    cl:     {cl_i[2][read_slot_i], cl_i[1][read_slot_i], cl_i[0][read_slot_i]},
    pl:     {pl_i[2][read_slot_i], pl_i[1][read_slot_i], pl_i[0][read_slot_i]},
    changing: near_i[read_slot_i]
  };

  assign reading_o = '{
    valid:  reading_i,
    stale:  stale_i[reading_slot_i],
    id:     id_i[reading_slot_i],
    src:    src_i[reading_slot_i],
    key:    '{pasid: pasid_i[reading_slot_i], vpn: vpn_i[reading_slot_i]},
    access: {access_i[1][reading_slot_i], access_i[0][reading_slot_i]},
    kind:   lockwalk_pkg::KindOk,  // R9.5
    level:  reading_learnt_i.links[vpn_i[reading_slot_i][2]],
    base:   reading_learnt_i.frame,
    size:   reading_learnt_i.size,
    perm:   reading_learnt_i.perm,
    contig: reading_learnt_i.contig
  };

  assign read_line_o     = line_i[read_slot_i];
  assign read_position_o = position_i[read_slot_i];

endmodule
