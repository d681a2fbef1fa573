# The RTL, built by Verilator: the unit in its bench, or one module alone.

# ------------------------------------------------------------------ one RTL build
# make rtl R=folder OPTIONS="-GLevels=4 ..." PROBES=0|1 [RUNS=short|tests] [FLAVOR=debian] [NETLIST=folder]

# PROBES=1 is the build whose registers can be written (--inject) and whose waves can (--waves): code
# that every other run would only wait for.
# RUNS says how long it will run. tests: compiled in a third of the time, two thirds slower. short: for some
# thousand cycles, where all the wait is for the compiler. In both loops stay loops, but for 5.006.

# NETLIST=folder builds the netlist in it (synth/) in the RTL's place; assertions bind to the RTL alone.

# OWN=files.f builds a design of one's own in the RTL's place: without checkers, and what Verilator warns
# of is no error.

# FLAVOR=debian builds with Debian's Verilator 5.006, which wants loops over arrays unrolled.
ifeq ($(FLAVOR),debian)
VERILATOR  := env -u VERILATOR_ROOT /usr/bin/verilator --unroll-count 4096 --unroll-stmts 1000000
VINCLUDE   := /usr/share/verilator/include
else
VROOT      := $(abspath $(firstword $(wildcard .venv/lib/python3*/site-packages/verilator)))
# Verilator takes a quarter less time with this heap, where it is installed (./setup.sh).
TCMALLOC   := $(firstword $(wildcard /usr/lib/*-linux-gnu/libtcmalloc_minimal.so.4))
# The program itself: the script around it takes a tenth of the time that it takes for a module.
VERILATOR  := ulimit -s unlimited 2>/dev/null; $(if $(TCMALLOC),LD_PRELOAD=$(TCMALLOC)) VERILATOR_ROOT=$(VROOT) \
  $(VROOT)/bin/verilator_bin
VINCLUDE   := $(VROOT)/include
endif
ifdef NETLIST
RTL_FILES  := rtl/pkg/lockwalk_pkg.sv $(NETLIST)/iommu.sv $(NETLIST)/cells.v $(NETLIST)/netlist.v
TB_FILES   := tb/lockstep_tb.sv
REGISTERS  := synth/netlist/netlist.vlt
else
RTL_FILES  := $(addprefix rtl/,$(shell cat rtl/files.f))
RTL_TYPES  := $(sort $(wildcard rtl/pkg/*.svh))
TB_FILES   := $(sort $(wildcard tb/*.sv))
REGISTERS  := $(if $(filter 1,$(PROBES)),tb/registers_writable.vlt,tb/registers.vlt)
endif
ifdef OWN
# What it was made from the last time, as Verilator lists it; headers too.
RTL_FILES  := $(OWN) $(shell sed -n 's/^.*: //p' $(R)/Vlockstep_tb__ver.d 2>/dev/null)
RTL_TYPES  :=
TB_FILES   := tb/lockstep_tb.sv
OWN_READ   := -I$(dir $(OWN))pkg -F $(OWN) -Wno-fatal
endif
# A netlist's waves show the unit's ports (synth/netlist/netlist.vlt).
TRACED     := $(if $(NETLIST)$(filter 1,$(PROBES)),1)
RTL_O_tests := -O1
RTL_O_short := -O0
RTL_O      := $(or $(if $(NETLIST),-O1),$(RTL_O_$(RUNS)),-O2)
# What Verilator merges of logic, a netlist has merged.
MERGING    := $(if $(NETLIST),-fno-dfg)
LOOPS      := $(if $(filter short tests,$(RUNS)),$(if $(FLAVOR),,--unroll-count 1))
RTL_CFLAGS := -std=gnu++17 -fPIC -march=$(ARCH) -Idpi/fst -I$(VINCLUDE) -I$(VINCLUDE)/vltstd -I. -I$(GEN)
# clang compiles what Verilator writes in half of gcc's time, to code that is faster by a tenth, where it is installed
# (./setup.sh) and no other compiler is asked for.
CLANG      := $(if $(filter override,$(origin CXX)),,$(wildcard /usr/bin/clang++))
RTL_CXX    := $(or $(CLANG),$(CXX))
BY         := $(lastword $(notdir $(RTL_CXX)))
# Verilator's own files, once for all builds of a flavor, and its headers, once for each level they are
# compiled at: reading them is most of what a small file costs.
V_RUN      := $(B)/rtl/runtime$(FLAVOR)
RUNTIME    := $(patsubst %,$(V_RUN)/%.o,verilated verilated_dpi verilated_fst_c verilated_threads)
HEADERS    := $(patsubst %,$(V_RUN)/$(BY)%/headers.h.gch,-O0 -O1 -O2)
# What Verilator calls slow runs once, before the first cycle: nothing there is worth a compiler's time. It is compiled
# as one file, and so are all that are small, as reading the headers is most of what each of them costs.
# (1: the folder, 2: more files.)
gather      = sed 's/.*/\#include "&"/' >$(1)/$(2) && ls $(1)/$(2)
UNITS       = { ls $(1)/V*__Slow.cpp | $(call gather,$(1),all__Slow.cpp) && \
  { find $(1) -name 'V*.cpp' ! -name '*__Slow.cpp' -size -64k && ls $(2); } | sort | $(call gather,$(1),all__small.cpp) && \
  find $(1) -name 'V*.cpp' ! -name '*__Slow.cpp' ! -size -64k | sort; }
# (1: the folder, 2: the level of the rest, 3: more options.)
COMPILE     = xargs -P$(shell nproc) -I{} sh -c 'case {} in *__Slow.cpp) o=-O0;; *) o=$(2);; esac; \
  $(RTL_CXX) $(RTL_CFLAGS) $$o $(3) -include $(V_RUN)/$(BY)$$o/headers.h -I$(1) -c {} \
  -o $(1)/$$(basename {} .cpp).o'
# What Verilator wrote on a full disk is cut, and it does not say so: the next make has it write anew.
anew        = { rm -f $(1)/verilated.stamp; exit 1; }
# One make at a time in the folder that all builds share.
SHARED      = mkdir -p $(V_RUN) && flock $(V_RUN)/lock $(MAKE) -s --no-print-directory rtl-runtime \
  FLAVOR=$(FLAVOR)

rtl: $(R)/librtl.so
rtl-runtime: $(RUNTIME) $(HEADERS)

$(V_RUN)/%.o: $(VINCLUDE)/%.cpp dpi/fst/fstcpp/fstcpp_assertion.h
	$(CXX) $(RTL_CFLAGS) -O2 -c -o $@ $<

# The headers' own templates are instantiated once: clang would do it anew in each file.
$(V_RUN)/%/headers.h.gch: $(VINCLUDE)/verilated.h
	@mkdir -p $(@D)
	printf '#include "%s.h"\n' verilated verilated_dpi verilated_syms verilated_sym_props >$(@:.gch=)
	$(RTL_CXX) $(RTL_CFLAGS) $(*:$(BY)%=%) $(if $(CLANG),-fpch-instantiate-templates) -x c++-header -o $@ \
	  $(@:.gch=)

$(R)/verilated.stamp: $(RTL_FILES) $(RTL_TYPES) $(TB_FILES) $(REGISTERS) mk/rtl.mk
	@mkdir -p $(R)
	rm -f $(R)/*.cpp $(R)/*.o
	$(VERILATOR) --cc $(if $(TRACED),--trace-fst --trace-max-array 1024 --trace-max-width 65536) --assert -O3 $(LOOPS) $(MERGING) --x-assign fast --x-initial unique -Wall \
	  --top-module lockstep_tb --Mdir $(R) $(call words_of,$(OPTIONS)) $(REGISTERS) $(or $(OWN_READ),-Irtl/pkg $(RTL_FILES)) \
	  $(TB_FILES)
	touch $@

$(R)/librtl.so: $(R)/verilated.stamp dpi/rtl_side.cpp dpi/rtl_api.h c_model/base/ports.h
	$(SHARED)
	set -o pipefail; $(call UNITS,$(R),dpi/rtl_side.cpp) \
	  | $(call COMPILE,$(R),$(RTL_O),$(if $(TRACED),-DLW_TRACED)) || $(call anew,$(R))
	$(RTL_CXX) -shared -o $@.part $(R)/*.o $(RUNTIME) -llz4 -lz -lpthread
	mv $@.part $@

# ------------------------------------------------------------------ one RTL module alone
# make module-rtl KEY=row OPTIONS="--top-module unified_tlb -GTlbWays=4 ..."

# With the checkers of the buses, which are bound to modules that a row may have.
MODULE_TB  := tb/axi_read_checker.sv tb/axi_lite_checker.sv

M          := $(B)/modules/$(KEY)
MODULE_VLT := tb/registers.vlt tests/modules/ports.vlt
# In the tests a row runs for half a second, and then compiling decides how long it takes.
MODULE_O   := $(if $(LOCKWALK_RUNS),-O0,-O1)
MODULE_RUN := $(patsubst %,$(V_RUN)/%.o,verilated verilated_threads)

module-rtl: $(M)/librtl.so

# Another set of options, and only that, is another build.
$(M)/options: FORCE
	@mkdir -p $(M)
	@echo $(call quoted,$(strip $(OPTIONS) $(MODULE_O))) | cmp -s - $@ || \
	  echo $(call quoted,$(strip $(OPTIONS) $(MODULE_O))) >$@

# The layout of its ports is what Verilator says (tests/modules/layout.py).
$(M)/verilated.stamp: $(RTL_FILES) $(RTL_TYPES) $(MODULE_TB) tb/axi_memory_checker.sv $(MODULE_VLT) tests/modules/layout.py $(M)/options
	rm -f $(M)/*.cpp $(M)/*.o
	$(VERILATOR) --cc -O3 --assert --x-assign fast --x-initial fast --quiet -Irtl/pkg --prefix Vmodule --Mdir $(M) \
	  $(call words_of,$(OPTIONS)) $(MODULE_VLT) $(RTL_FILES) $(MODULE_TB)
	$(VERILATOR) --json-only --quiet -Irtl/pkg --Mdir $(M) --json-only-output $(M)/tree.json \
	  $(call words_of,$(OPTIONS)) $(RTL_FILES)
	.venv/bin/python tests/modules/layout.py $(M)/tree.json $(M)/layout.h
	touch $@

$(M)/librtl.so: $(M)/verilated.stamp tests/modules/module_rtl.cpp tests/modules/module_rtl.h \
  dpi/rtl_api.h
	$(SHARED)
	set -o pipefail; $(call UNITS,$(M),tests/modules/module_rtl.cpp) \
	  | $(call COMPILE,$(M),$(MODULE_O),-I$(M)) || $(call anew,$(M))
	$(RTL_CXX) -shared -o $@.part $(M)/*.o $(MODULE_RUN) -lpthread
	mv $@.part $@

# ------------------------------------------------------------------ the checkers alone, each in a bench
# build/checkers/run +CHECKER=case [+bad=1] (tests/checkers)

BENCHES     := $(B)/checkers
BENCH_FILES := rtl/pkg/lockwalk_pkg.sv $(filter-out tb/axi_%,$(wildcard tb/*_checker.sv)) \
  $(wildcard tests/checkers/*.sv)

# Verilator leaves out a bind to a module that it does not have: here all of them. No bench uses all that the package
# has, nor each the number of the cycle, and an assertion that is off in reset looks like a synchronous use of it.
$(BENCHES)/verilated.stamp: $(BENCH_FILES) $(RTL_TYPES) mk/rtl.mk
	@mkdir -p $(@D)
	rm -f $(@D)/*.cpp $(@D)/*.o
	$(VERILATOR) --cc -O3 --unroll-count 1 --assert --quiet -Wall -Wno-UNUSED -Wno-SYNCASYNCNET \
	  --top-module checkers_top --Mdir $(@D) -Irtl/pkg $(BENCH_FILES)
	touch $@

$(BENCHES)/run: $(BENCHES)/verilated.stamp tests/checkers/run.cpp
	$(SHARED)
	set -o pipefail; $(call UNITS,$(@D),tests/checkers/run.cpp) | $(call COMPILE,$(@D),-O0,-I$(@D)) || $(call anew,$(@D))
	$(RTL_CXX) -o $@.part $(@D)/*.o $(MODULE_RUN) -lpthread
	mv $@.part $@
