# OpenSTA: the constraints, and the worst path of each group. Values come by the environment, figures
# go to stdout behind lines "== NAME" (timing.py reads them).
#
# The clock and the reset are ideal (no tree is built before placement); inputs arrive and outputs are
# taken `IO` of the period away from the edge.
read_liberty $::env(LIBERTY)
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

set registers_out [all_registers -clock_pins]
set registers_in [all_registers -data_pins]
set format "-path_delay max -format full -fields {slew capacitance net fanout} -digits 4"
puts "== reg2reg"
eval report_checks -from {$registers_out} -to {$registers_in} $format
puts "== in2reg"
eval report_checks -from {$inputs} -to {$registers_in} $format
puts "== reg2out"
eval report_checks -from {$registers_out} -to {[all_outputs]} $format
puts "== summary"
report_wns
report_tns
puts "== power"
set_power_activity -global -activity $::env(ACTIVITY)
report_power
puts "== end"
exit
