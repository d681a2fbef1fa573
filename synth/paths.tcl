# OpenSTA: the worst path to each register and output, a line each (paths.py reads them). The count is more
# than any netlist here has endpoints.
source $::env(CONSTRAINTS)

puts "== paths"
report_checks -path_delay max -format summary -group_count 10000000 -endpoint_count 1 -digits 4
puts "== end"
exit
