// The place of an entry in a set-associative table that is one array: set x ways + way.
//
// A module with such a table names the widths of its indices, entry, set and way, and gets the function. A
// package cannot hold it, for these widths are parameters of the unit (as those of lockwalk_types.svh are).
`ifndef LOCKWALK_TABLES_SVH
`define LOCKWALK_TABLES_SVH

`define LW_ENTRY_OF(EntryW, SetW, WayW) \
  function automatic logic [EntryW-1:0] entry_of(logic [SetW-1:0] set, logic [WayW-1:0] way); \
    return EntryW'((32'(set) << WayW) | 32'(way)); \
  endfunction

`endif
