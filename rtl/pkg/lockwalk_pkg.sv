// Names that every module shares: kinds of answers, states, counters (docs/architecture/).
package lockwalk_pkg;

  // R1.9
  typedef enum logic [3:0] {
    KindOk           = 4'd0,
    KindNonCanonical = 4'd1,
    KindUnknownPasid = 4'd2,
    KindNotPresent   = 4'd3,
    KindReserved     = 4'd4,
    KindMisaligned   = 4'd5,
    KindPermission   = 4'd6,
    KindMemoryError  = 4'd7
  } kind_e;

  // R7.1
  typedef enum logic [2:0] {
    WalkerIdle    = 3'd0,
    WalkerRead    = 3'd1,
    WalkerPwcReq  = 3'd2,
    WalkerPwcWait = 3'd3,
    WalkerCam     = 3'd4,
    WalkerReq     = 3'd5,
    WalkerMem     = 3'd6,
    WalkerResp    = 3'd7
  } walker_state_e;

  // R4.4: what uses the CAM port of the IOMMU buffer in a cycle.
  typedef enum logic [1:0] {
    CamNone    = 2'd0,
    CamScan    = 2'd1,
    CamAdvance = 2'd2,
    CamCommit  = 2'd3
  } cam_op_e;

  // Chapter 11
  typedef enum logic [2:0] {
    InvIdle     = 3'd0,
    InvMark     = 3'd1,
    InvSweep    = 3'd2,
    InvSettle   = 3'd3,
    InvWalks    = 3'd4,
    InvQueues   = 3'd5,
    InvComplete = 3'd6
  } inv_state_e;

  typedef enum logic [1:0] {
    InvPage  = 2'd0,
    InvRange = 2'd1,
    InvPasid = 2'd2,
    InvAll   = 2'd3
  } inv_type_e;

  // R1.11: what one PTE of level 1 answers.
  typedef enum logic [1:0] {
    ReachLine      = 2'd0,
    ReachSubregion = 2'd1,
    ReachFrame     = 2'd2
  } reach_e;

  // Chapter 21: in what a walker reads. WhereHome, WhereCached and WhereKnown are slots of a hashed table.
  typedef enum logic [2:0] {
    WhereRadix  = 3'd0,
    WhereVictim = 3'd1,
    WhereLookup = 3'd2,
    WhereHome   = 3'd3,
    WhereCached = 3'd4,
    WhereSteps  = 3'd5,
    WhereKnown  = 3'd6
  } where_e;

  // R16.3
  typedef enum logic [2:0] {
    CheckIdle    = 3'd0,
    CheckLookup  = 3'd1,
    CheckRead    = 3'd2,
    CheckJoin    = 3'd3,
    CheckFill    = 3'd4,
    CheckInsert  = 3'd5,
    CheckDrain   = 3'd6,
    CheckCompare = 3'd7
  } check_state_e;

  // R12.2
  typedef struct packed {
    logic       home_first;
    logic       colt_enable;
    logic       subregion_enable;
    logic       pl_skips_pwc;
    logic       pwc_enable;
    logic [1:0] mode;
  } features_t;

  // How far a walk of a hashed table has come (R21.2, R21.8, R21.9); zero in a unit that has none.
  typedef struct packed {
    where_e     where;
    logic       retried;  // its probe goes on behind a slot with another tag (R21.9)
    logic [5:0] bucket;   // the line in the frame of its bucket, or of its slot that is a line
  } hashed_walk_t;

  // What a cycle adds to the counters of hashed tables (R21.17).
  typedef struct packed {
    logic step_read;
    logic table_read;
    logic victim_walk;
    logic victim_read;
    logic tag_miss;
    logic step_retry;
  } hashed_counts_t;

  // What does not depend on the request in the verdict on one PTE (R1.6); US, RW and NX are judged
  // with the access of each request that shares the line.
  typedef struct packed {
    logic [3:0] kind;  // KindOk, or the fault that every access would take
    logic       user;
    logic       leaf;
    logic [1:0] perm;  // {not NX, RW}
  } verdict_t;

  // What an operation of the CAM claims for the access that follows it (R4.5).
  typedef struct packed {
    logic       valid;
    logic [2:0] level;
    reach_e     reach;
    logic [1:0] perm;
  } claim_t;

  // The line register holds the line of a subregion's head (R16.7): of which place, or an error; and in a unit with
  // hashed tables the tag that it carries, and whether the head says another size than 4 KiB (R16.15).
  typedef struct packed {
    logic        valid;
    logic [2:0]  place;
    logic        error;
    logic        sized;
    logic [47:0] tag;
  } head_line_t;

  // What happens to one page walker in a cycle (chapter 7).
  typedef struct packed {
    logic picked;     // it is given an entry
    logic asked;      // it asks for its entry again
    logic taken;      // it takes the entry that was read
    logic in_vain;    // it has looked at its entry in vain
    logic gave_back;  // it gives its entry back
    logic committed;  // its walk starts
    logic second_hit;   // its entry's page is in the unified TLB after all (R5.28)
    logic second_miss;  // ... is not
    logic entered;    // its lookup enters the page walk cache
    logic found;      // the page walk cache has its result
    logic advanced;   // its walk is past the page walk cache, as the CAM knows unless it is stale
    logic loaded;     // its read is in the memory request register
    logic scanned;    // its line is there
    logic answered;   // its answer is taken
    logic marked;     // there is a mark
    logic met;        // ... which meets it
  } walker_event_t;

  // R19.11: what memory and interconnect have done wrong, or said to have gone wrong, in a cycle.
  typedef struct packed {
    logic decode_error;
    logic slave_error;
    logic bad_id;
    logic bad_last;
  } bus_events_t;

  parameter int unsigned PasidPortW = 20;
  parameter int unsigned PageW      = 52;
  parameter int unsigned Counters   = 42;
  parameter int unsigned CounterW   = 48;
  parameter int unsigned SramWords  = 64;  // of an array from which on it is a macro (R14.4)
  parameter int unsigned ContigW    = 9;  // R1.10: {AC, C7..C0}

  // The contiguity bits of a group's 16 regions, those of region 0 lowest (R20.27); zero in a unit that has none.
  typedef struct packed {
    logic [15:0]      ac;
    logic [15:0][7:0] c;
  } step_contigs_t;

  // R12.5
  typedef enum int unsigned {
    CntCycles            = 0,
    CntRequests          = 1,
    CntResponses         = 2,
    CntTlbHits           = 3,
    CntTlbMisses         = 4,
    CntFaults            = 5,
    CntWalks             = 6,
    CntPageTableAccesses = 7,
    CntPwcLookups        = 8,
    CntPwcHits           = 9,
    CntCoalescedAnswers  = 10,
    CntCoalescedLevels   = 11,
    CntGivenBack         = 12,
    CntInvalidations     = 13,
    CntRequestStalls     = 14,
    CntStrayLines        = 15,
    CntWaiting           = 16,
    CntSameNeighbourhood = 17,
    CntMscLookups        = 18,  // R14.3: 18 to 25 with subregions only
    CntMscHits           = 19,
    CntHeadReads         = 20,
    CntSubregionHits     = 21,
    CntSubregionFills    = 22,
    CntJoined            = 23,
    CntChecksMerged      = 24,
    CntChecksDropped     = 25,
    CntStepReads         = 26,  // R14.3: 26 to 31 with hashed tables only
    CntTableReads        = 27,
    CntVictimWalks       = 28,
    CntVictimReads       = 29,
    CntTagMisses         = 30,
    CntStepRetries       = 31,
    CntIdleEmpty         = 32,
    CntIdleHeld          = 33,
    CntIdlePick          = 34,
    CntPwc               = 35,
    CntCam               = 36,
    CntMemoryPort        = 37,
    CntMemory            = 38,
    CntResponseQueue     = 39,
    CntSecondLookups     = 40,  // R14.3: with second lookups only
    CntSecondHits        = 41
  } counter_e;

  // R1.4, R1.5
  function automatic logic grants(logic [1:0] perm, logic [1:0] access);
    return access[1] ? perm[1] : (!access[0] || perm[0]);
  endfunction

  // R1.6: the kind for one access, from what the PTE says to all of them.
  function automatic logic [3:0] judge(logic [3:0] kind, logic user, logic [1:0] perm,
                                       logic [1:0] access);
    if (kind != KindOk) return kind;
    if (!user || !grants(perm, access)) return KindPermission;
    return KindOk;
  endfunction

  // R21.9: whether a walker reads a slot of a hashed table.
  function automatic logic is_slot(where_e where);
    return where == WhereHome || where == WhereCached || where == WhereKnown;
  endfunction

  // R20.32: the lowest bit of a VPN that is part of the number of a region, and of that of a group of 16 regions.
  function automatic int unsigned region_lsb(int unsigned slot_pages);
    return $clog2(slot_pages);
  endfunction

  function automatic int unsigned group_lsb(int unsigned slot_pages);
    return region_lsb(slot_pages) + 4;
  endfunction

  // R20.31: a slot is a line, not a frame.
  function automatic bit slot_is_line(int unsigned slot_pages);
    return slot_pages == 8;
  endfunction

  // R20.3. The rest of a PTE is for who judges it.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [47:0] carried_tag(logic [7:0][63:0] line);
  /* verilator lint_on UNUSEDSIGNAL */
    logic [47:0] tag;
    for (int unsigned j = 0; j < 8; j++) tag[6*j+:6] = line[j][62:57];
    return tag;
  endfunction

  // R1.11, for the place of a page in its frame (VPN[8:6]).
  function automatic reach_e reach_of(logic [2:0] level, logic [ContigW-1:0] contig,
                                      logic [2:0] place);
    if (level != 3'd1) return ReachLine;
    if (contig[ContigW-1]) return ReachFrame;
    return contig[4'(place)] ? ReachSubregion : ReachLine;
  endfunction

  // Which of a VPN's segments must be equal for a neighbourhood: those that lie above it (R1.2). From
  // level 2 down to the line level 1 has three, for the three reaches.
  typedef struct packed {
    logic [5:2] above;  // the segment that level k adds to the neighbourhood of level k+1
    logic       frame;
    logic       subregion;
    logic       line;
  } segments_t;

  // The bits in which two VPNs differ; those of four levels have zeros above.
  typedef logic [44:0] differing_t;

  function automatic segments_t segments_of(logic [2:0] level, reach_e reach);
    segments_t segments;
    for (int unsigned k = 2; k <= 5; k++) segments.above[k] = 3'(k) >= level;
    segments.frame     = level == 3'd1;
    segments.subregion = level == 3'd1 && reach != ReachFrame;
    segments.line      = level == 3'd1 && reach == ReachLine;
    return segments;
  endfunction

  // R1.2. The three lowest bits only choose a PTE within its line: they are part of a VPN, and not asked.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic is_near(differing_t differs, segments_t segments);
  /* verilator lint_on UNUSEDSIGNAL */
    return (!segments.frame || differs[11:9] == '0) &&
           (!segments.subregion || differs[8:6] == '0) &&
           (!segments.line || differs[5:3] == '0) &&
           (!segments.above[2] || differs[20:12] == '0) &&
           (!segments.above[3] || differs[29:21] == '0) &&
           (!segments.above[4] || differs[38:30] == '0) &&
           (!segments.above[5] || differs[44:39] == '0);
  endfunction

  // R9.1
  function automatic logic takes_part(logic coalesce, logic [1:0] mode, logic [2:0] level);
    return coalesce && (mode[1] || (mode == 2'd1 && level == 3'd1));
  endfunction

endpackage
