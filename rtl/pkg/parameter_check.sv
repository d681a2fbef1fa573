// The legal ranges of the hardware parameters (chapter 13): what is not legal does not elaborate.
module parameter_check #(
  parameter int unsigned Levels        = 0,
  parameter int unsigned PaWidth       = 0,
  parameter int unsigned Pasids        = 0,
  parameter int unsigned IdW           = 0,
  parameter int unsigned SrcW          = 0,
  parameter int unsigned TlbEntries    = 0,
  parameter int unsigned TlbWays       = 0,
  parameter int unsigned TlbLatency    = 0,
  parameter int unsigned TlbPartition  = 0,
  parameter int unsigned TlbBimodal    = 0,
  parameter int unsigned HitQueue      = 0,
  parameter int unsigned MissQueue     = 0,
  parameter int unsigned WalkQueue     = 0,
  parameter int unsigned BufferEntries = 0,
  parameter int unsigned Lines         = 0,
  parameter int unsigned Walkers       = 0,
  parameter int unsigned PwcOrg        = 0,
  parameter int unsigned PwcEntries    = 0,
  parameter int unsigned PwcWays       = 0,
  parameter int unsigned PwcLatency    = 0,
  parameter bit          Coalesce      = 1'b0,
  parameter bit          Subregions    = 1'b0,
  parameter bit          ParLookup     = 1'b0,
  parameter int unsigned MscEntries    = 0,
  parameter int unsigned MscWays       = 0,
  parameter int unsigned CheckQueue    = 0,
  parameter bit          HeadFirst     = 1'b0,
  parameter int unsigned Colt          = 0,
  parameter int unsigned SlotPages     = 0,
  parameter bit          Pages64K      = 1'b0,
  parameter bit          SecondLookup  = 1'b0
) ();

  function automatic bit power_of_two(int unsigned n);
    return n != 0 && (n & (n - 1)) == 0;
  endfunction

  localparam int unsigned Sets    = TlbEntries / TlbWays;
  localparam int unsigned MscSets = MscEntries / MscWays;
  localparam bit          Hashes  = PwcOrg == 2;

  if (Levels != 4 && Levels != 5) begin : gen_levels
    $fatal(1, "Levels is %0d; allowed: 4, 5", Levels);
  end
  if (PaWidth < 32 || PaWidth > 52) begin : gen_pa_width
    $fatal(1, "PaWidth is %0d; allowed: 32..52", PaWidth);
  end
  if (!power_of_two(Pasids) || Pasids < 2 || Pasids > 256) begin : gen_pasids
    $fatal(1, "Pasids is %0d; allowed: a power of two in 2..256", Pasids);
  end
  if (IdW < 1 || IdW > 16) begin : gen_id_w
    $fatal(1, "IdW is %0d; allowed: 1..16", IdW);
  end
  if (SrcW < 1 || SrcW > 16) begin : gen_src_w
    $fatal(1, "SrcW is %0d; allowed: 1..16", SrcW);
  end
  if (!power_of_two(TlbWays) || TlbWays < 2 || TlbWays > 16) begin : gen_tlb_ways
    $fatal(1, "TlbWays is %0d; allowed: a power of two in 2..16", TlbWays);
  end
  if (TlbEntries % TlbWays != 0 || !power_of_two(Sets) || Sets > 256) begin : gen_tlb_entries
    $fatal(1, "TlbEntries is %0d; allowed: TlbWays times a power of two in 1..256", TlbEntries);
  end
  if (TlbLatency < 1 || TlbLatency > 8) begin : gen_tlb_latency
    $fatal(1, "TlbLatency is %0d; allowed: 1..8", TlbLatency);
  end
  if (TlbPartition > TlbWays) begin : gen_tlb_partition
    $fatal(1, "TlbPartition is %0d; allowed: 0..TlbWays", TlbPartition);
  end
  if (TlbBimodal > 8) begin : gen_tlb_bimodal
    $fatal(1, "TlbBimodal is %0d; allowed: 0..8", TlbBimodal);
  end
  if (HitQueue < 1 || HitQueue > 64) begin : gen_hit_queue
    $fatal(1, "HitQueue is %0d; allowed: 1..64", HitQueue);
  end
  if (MissQueue < 1 || MissQueue > 64) begin : gen_miss_queue
    $fatal(1, "MissQueue is %0d; allowed: 1..64", MissQueue);
  end
  if (WalkQueue < 1 || WalkQueue > 64) begin : gen_walk_queue
    $fatal(1, "WalkQueue is %0d; allowed: 1..64", WalkQueue);
  end
  if (!power_of_two(BufferEntries) || BufferEntries < 4 ||
      BufferEntries > 512) begin : gen_buffer_entries
    $fatal(1, "BufferEntries is %0d; allowed: a power of two in 4..512", BufferEntries);
  end
  if (!power_of_two(Lines) || Lines < 4 || Lines > 64) begin : gen_lines
    $fatal(1, "Lines is %0d; allowed: a power of two in 4..64", Lines);
  end
  if (Walkers < 1 || Walkers > 32) begin : gen_walkers
    $fatal(1, "Walkers is %0d; allowed: 1..32", Walkers);
  end
  if (PwcOrg > 2 || (Hashes && (HeadFirst || Colt != 0))) begin : gen_pwc_org
    $fatal(1, "PwcOrg is %0d; allowed: 0 (level), 1 (address), 2 (steps) with HeadFirst=0, Colt=0",
           PwcOrg);
  end
  if (!power_of_two(PwcEntries) || PwcEntries < 2 ||
      PwcEntries > ((PwcOrg == 1) ? 1024 : 64)) begin : gen_pwc_entries
    $fatal(1, "PwcEntries is %0d; allowed: a power of two in 2..64 (1024 by address)", PwcEntries);
  end
  if (!power_of_two(PwcWays) || PwcWays < 2 || PwcWays > 16 ||
      (PwcOrg == 1 && PwcWays > PwcEntries)) begin : gen_pwc_ways
    $fatal(1, "PwcWays is %0d; allowed: a power of two in 2..16 (by address PwcEntries)", PwcWays);
  end
  if (PwcLatency < (Hashes ? 4 : 1) || PwcLatency > 8) begin : gen_pwc_latency
    $fatal(1, "PwcLatency is %0d; allowed: 1..8, with PwcOrg=2 4..8", PwcLatency);
  end
  if (!power_of_two(MscWays) || MscWays < 2 || MscWays > 16) begin : gen_msc_ways
    $fatal(1, "MscWays is %0d; allowed: a power of two in 2..16", MscWays);
  end
  if (MscEntries % MscWays != 0 || !power_of_two(MscSets) || MscSets > 256) begin : gen_msc_entries
    $fatal(1, "MscEntries is %0d; allowed: MscWays times a power of two in 1..256", MscEntries);
  end
  if (CheckQueue < 1 || CheckQueue > 16) begin : gen_check_queue
    $fatal(1, "CheckQueue is %0d; allowed: 1..16", CheckQueue);
  end
  if (HeadFirst && (!Subregions || Coalesce || Colt != 0)) begin : gen_head_first
    $fatal(1, "HeadFirst is 1; allowed: 0, or 1 with Subregions=1, Coalesce=0 and Colt=0");
  end
  if (SlotPages != 512 &&
      (SlotPages != 8 || !Hashes || Levels != 4 || Subregions)) begin : gen_slot_pages
    $fatal(1, "SlotPages is %0d; allowed: 512, or 8 with PwcOrg=2, Levels=4 and Subregions=0",
           SlotPages);
  end
  if (Pages64K && (Subregions || Colt != 0)) begin : gen_pages_64k
    $fatal(1, "Pages64K is 1; allowed: 0, or 1 with Subregions=0 and Colt=0");
  end
  if (Colt > 2 || (Colt == 2 && Subregions)) begin : gen_colt
    $fatal(1, "Colt is %0d; allowed: 0, 1, or 2 with Subregions=0", Colt);
  end

  // Serial or in parallel, with second lookups or without: all are legal.
  logic unused;
  assign unused = ParLookup ^ SecondLookup;

endmodule
