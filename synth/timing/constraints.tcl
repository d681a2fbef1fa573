# OpenSTA: the netlist and its constraints, which timing.tcl judges it by. Values come by the
# environment.
#
# The clock and the reset are ideal (no tree is built before placement); inputs arrive and outputs are
# taken `IO` of the period away from the edge.
foreach liberty $::env(LIBERTIES) { read_liberty $liberty }
read_verilog $::env(NETLIST)
link_design $::env(TOP)

set period $::env(PERIOD)
create_clock -name clk -period $period [get_ports clk_i]
set inputs [list]
foreach port [all_inputs] {
  set name [get_property $port full_name]
  if {$name != "clk_i" && $name != "rst_ni"} { lappend inputs $port }
}
set_input_delay [expr $::env(IO) * $period] -clock clk $inputs
set_output_delay [expr $::env(IO) * $period] -clock clk [all_outputs]
set_driving_cell -lib_cell $::env(DRIVER) $inputs
set_load $::env(LOAD) [all_outputs]
set_false_path -from [get_ports rst_ni]
