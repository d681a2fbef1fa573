# OpenSTA: the worst path of each group, and power. Figures go to stdout behind lines "== NAME" (timing.py
# reads them).
source $::env(CONSTRAINTS)

set registers_out [all_registers -clock_pins]
# OpenSTA counts no clock gate among the registers: its enable is an end of paths as their data is.
set enables [expr {$::env(GATE) eq "" ? "" : [get_pins -quiet */$::env(GATE)]}]
set registers_in [concat [all_registers -data_pins] $enables]
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
puts "== unclocked"
check_setup -verbose -no_clock -unconstrained_endpoints
# What the clock costs each register and gate, with nothing else that changes.
puts "== clock"
set_power_activity -global -activity 0
report_power -instances [concat [all_registers -cells] [get_cells -quiet -of_objects $enables]] -digits 6
puts "== power"
set_power_activity -global -activity $::env(ACTIVITY)
report_power
puts "== every"
# The worst path to each register and output, a line each; the count is more than any netlist has endpoints.
if {$::env(EVERY)} {
  report_checks -path_delay max -format summary -group_count 10000000 -endpoint_count 1 -digits 4
}
puts "== end"
exit
