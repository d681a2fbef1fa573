# Lockwalk's front door. `make help` lists the targets.
#
# Everything built lies below build/; the RTL is built once for each set of hardware parameters
# (build/rtl/KEY), which build/lockwalk asks for by itself (target rtl).

SHELL      := /bin/bash
CC         := gcc
CXX        := g++
SYSTEM     ?= nha
SEED       ?= 1
B          := build
ARCH       ?= native

CFLAGS     := -std=c11 -O3 -march=$(ARCH) -flto=auto -g -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Ic_model -Idpi -Iapp
# make SANITIZE=1 B=build/sanitized: the C side under ASan and UBSan.
ifeq ($(SANITIZE),1)
CFLAGS     += -O1 -fno-lto -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS    += -fno-lto -fsanitize=address,undefined
endif
LDFLAGS    += -O3 -march=$(ARCH) -flto=auto
LDLIBS     := -linih -ljansson -larchive -ldl -lm
C_SOURCES  := $(wildcard c_model/*.c c_model/*/*.c)
SOURCES    := $(C_SOURCES) $(wildcard dpi/*.c) $(wildcard app/*.c)
OBJECTS    := $(SOURCES:%.c=$(B)/obj/%.o)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))

.DEFAULT_GOAL := help
.PHONY: run build test lint bench contiguity synth area synth-record synth-power synth-delta fpga explore equivalence netlists cosim cosim-module model unit rtl rtl-runtime module-rtl setup help clean FORCE

setup: ; @./setup.sh

build: setup ## build the program (build/lockwalk)
	@$(MAKE) -s --no-print-directory $(B)/lockwalk

run: build ## the main job: kernels on systems in lockstep, and what coalescing saves
	@$(B)/lockwalk --version
	@$(B)/lockwalk table

bench: build ## speeds and cycles a translation, as ratios of one run
	@$(B)/lockwalk bench

# What cosim and model take over from make's variables.
RUN_OPTIONS = --system $(SYSTEM) --seed $(SEED) $(if $(TRACE),--trace $(TRACE)) \
  $(if $(STREAM),--stream $(STREAM)) $(if $(WORKLOAD),--workload $(WORKLOAD)) \
  $(if $(SIZE),--size $(SIZE)) $(if $(MAX_REQUESTS),--max-requests $(MAX_REQUESTS)) \
  $(if $(JSON),--json $(JSON)) $(foreach s,$(SET),--set $(s)) $(OPTIONS)

cosim: build ## SYSTEM=nha WORKLOAD=mvt SIZE=512 SEED=1 [WAVES=f.fst]: one run in lockstep
	@$(B)/lockwalk cosim $(RUN_OPTIONS) $(if $(WAVES),--waves $(WAVES))

model: build ## the same on the C twin alone
	@$(B)/lockwalk model $(RUN_OPTIONS)

MODULE     ?= unified_tlb
CYCLES     ?= 1000000
cosim-module: setup ## MODULE=unified_tlb SEED=1 CYCLES=1000000 [INJECT=..]: one module in lockstep
	@mkdir -p $(B)/modules
	@flock $(B)/modules/lock $(MAKE) -s --no-print-directory $(B)/modules/lockstep
	@options="$$($(B)/modules/lockstep --options '$(MODULE)')" || exit 2; \
	  mkdir -p $(B)/modules/'$(MODULE)' && flock $(B)/modules/'$(MODULE)'/lock $(MAKE) -s \
	  --no-print-directory module-rtl KEY='$(MODULE)' OPTIONS="$$options"
	@$(B)/modules/lockstep '$(MODULE)' '$(SEED)' '$(CYCLES)' $(B)/modules/'$(MODULE)'/librtl.so \
	  $(if $(INJECT),'$(INJECT)')

MAPPINGS   ?= pagemap memhog:0 memhog:25 memhog:50 memhog:75 buddy:25
SIZES      ?= 32 128 512
contiguity: build ## contiguous regions of working sets (MESC's Figure 4): build/contiguity.csv, .png
	@./setup.sh plots
	@rm -f $(B)/contiguity.csv
	@for m in $(MAPPINGS); do for n in $(SIZES); do \
	  $(B)/lockwalk contiguity --mapping $$m --size $$n --csv $(B)/contiguity.csv || exit 2; echo; \
	done; done
	@.venv/bin/python plots/contiguity.py $(B)/contiguity.csv $(B)/contiguity.png
	@echo "$(B)/contiguity.csv, $(B)/contiguity.png"

synth: build ## SYSTEM=nha [LIBERTY=file.lib[.gz]] [PERIOD=ns] [TRIALS=n] [WAVES=f.fst]: area, Fmax, power
	@./setup.sh synth
	@.venv/bin/python synth/synth.py --system '$(SYSTEM)' $(if $(LIBERTY),--liberty '$(LIBERTY)') \
	  $(if $(PERIOD),--period '$(PERIOD)') $(if $(TRIALS),--trials '$(TRIALS)') \
	  $(if $(WAVES),--waves '$(WAVES)') \
	  $(foreach s,$(SET),--set $(s)) $(OPTIONS)

area: build ## SYSTEM=nha [LIBERTY=file.lib[.gz]]: area alone, by module, in a fraction of the time
	@./setup.sh synth
	@.venv/bin/python synth/area.py --system '$(SYSTEM)' $(if $(LIBERTY),--liberty '$(LIBERTY)') \
	  $(foreach s,$(SET),--set $(s)) $(OPTIONS)

synth-record: synth ## the same, kept in synth/history.csv: TECHNIQUE=".." ACCEPTED=yes|no WHY=".."
	@.venv/bin/python synth/history.py --report '$(B)/synth/$(SYSTEM)/report.json' \
	  --technique '$(TECHNIQUE)' --accepted '$(ACCEPTED)' --why '$(WHY)'

synth-power: setup ## SYSTEM=nha WAVES=f.fst: the power of its netlist by the activity of a run
	@.venv/bin/python synth/power.py '$(B)/synth/$(SYSTEM)' $(if $(WAVES),--waves '$(WAVES)')

synth-delta: setup ## FROM=build/synth/a TO=build/synth/b: what one system costs more than another
	@.venv/bin/python synth/delta.py '$(FROM)/report.json' '$(TO)/report.json' $(OPTIONS)

fpga: build ## SYSTEM=stress_small [OPTIONS="--module M"]: each module on an iCE40: LUTs, Fmax (build/fpga)
	@./setup.sh fpga
	@.venv/bin/python synth/fpga.py $(if $(filter-out undefined default file,$(origin SYSTEM)),--system '$(SYSTEM)') \
	  $(foreach s,$(SET),--set $(s)) $(OPTIONS)

explore: build ## area against cycles over systems and sizes [EXPLORE=mine.yaml] [LIBERTY=..]: build/explore
	@./setup.sh synth
	@.venv/bin/snakemake -q rules -s synth/Snakefile --configfile '$(or $(EXPLORE),synth/explore.yaml)' \
	  $(if $(LIBERTY),--config liberty='$(LIBERTY)') --cores 2

equivalence: build ## SYSTEM=stress_small [LIBERTY=..] [OPTIONS="--module M"]: RTL = netlist, proven
	@./setup.sh synth
	@.venv/bin/python synth/equivalence.py $(if $(filter-out undefined default file,$(origin SYSTEM)),--system '$(SYSTEM)') \
	  $(if $(LIBERTY),--liberty '$(LIBERTY)') $(OPTIONS)

# All but the one of paper size, whose netlist takes Verilator 18 GB and half an hour.
STRESS     ?= $(filter-out stress_wide,$(basename $(notdir $(wildcard systems/stress_*.ini))))
netlists: build ## the netlist of each stress system in lockstep with the twin [STRESS="stress_small .."] [LIBERTY=..]
	@./setup.sh synth
	@for s in $(STRESS); do \
	  .venv/bin/python synth/synth.py --system $$s --no-modules --trials 1 $(if $(LIBERTY),--liberty '$(LIBERTY)') >/dev/null && \
	  $(B)/lockwalk cosim --system $$s --workload random --max-requests 5000 --netlist $(B)/synth/$$s $(OPTIONS) || exit 1; \
	done

test: build ## all tests; the last line is `N passed, N failed`
	@./setup.sh checks
	@./setup.sh synth
	@./setup.sh fpga
	@.venv/bin/python tests/run.py $(TESTS)

lint: build ## Verilator (both), Verible, Yosys's slang, clang-format, clang-tidy
	@./setup.sh checks
	@.venv/bin/python tests/run.py tests/test_lint.py

help: ## this
	@echo "Lockwalk: a GPU's IOMMU in SystemVerilog and in C, in lockstep."
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | column -t -s '|'

clean:
	rm -rf $(B)

# ------------------------------------------------------------------ the program

$(B)/lockwalk: $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# ------------------------------------------------------------------ unit tests (cmocka)

unit: $(UNIT_TESTS)

# All but the tests, linked and optimised once for all of them.
$(B)/unit/program.o: $(filter-out $(B)/obj/app/main.o,$(OBJECTS))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -r -flinker-output=nolto-rel -o $@.part $^
	mv $@.part $@

$(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/unit/program.o
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

# ------------------------------------------------------------------ module lockstep (tests/modules)

MODULE_OBJECTS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/modules/*.c))

$(B)/modules/lockstep: $(MODULE_OBJECTS) \
  $(patsubst %.c,$(B)/obj/%.o,$(wildcard c_model/*.c c_model/common/*.c))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(OBJECTS:.o=.d) $(MODULE_OBJECTS:.o=.d) $(wildcard $(B)/obj/tests/unit/*.d)

# ------------------------------------------------------------------ one RTL build
# make rtl R=folder OPTIONS="-GLevels=4 ..." PROBES=0|1 [RUNS=short|tests] [FLAVOR=debian] [NETLIST=folder]

# PROBES=1 is the build whose registers can be written (--inject) and whose waves can (--waves): code
# that every other run would only wait for.
# RUNS says how long it will run. tests: compiled in two thirds of the time, a seventh slower. short: for
# some thousand cycles, where all the wait is for the compiler; loops stay loops, but for 5.006.

# NETLIST=folder builds the netlist in it (synth/) in the RTL's place; assertions bind to the RTL alone.

# FLAVOR=debian builds with Debian's Verilator 5.006, which wants loops over arrays unrolled.
ifeq ($(FLAVOR),debian)
VERILATOR  := env -u VERILATOR_ROOT /usr/bin/verilator --unroll-count 4096 --unroll-stmts 1000000
VINCLUDE   := /usr/share/verilator/include
else
VROOT      := $(abspath $(firstword $(wildcard .venv/lib/python3*/site-packages/verilator)))
VERILATOR  := VERILATOR_ROOT=$(VROOT) $(VROOT)/bin/verilator
VINCLUDE   := $(VROOT)/include
endif
ifdef NETLIST
RTL_FILES  := rtl/lockwalk_pkg.sv $(NETLIST)/iommu.sv $(NETLIST)/cells.v $(NETLIST)/netlist.v
TB_FILES   := tb/lockstep_tb.sv
REGISTERS  := synth/netlist.vlt
else
RTL_FILES  := $(addprefix rtl/,$(shell cat rtl/files.f))
TB_FILES   := $(sort $(wildcard tb/*.sv))
REGISTERS  := $(if $(filter 1,$(PROBES)),tb/registers_writable.vlt,tb/registers.vlt)
endif
# A netlist's waves show the unit's ports (synth/netlist.vlt).
TRACED     := $(if $(NETLIST)$(filter 1,$(PROBES)),1)
RTL_O_tests := -O1
RTL_O_short := -O0
RTL_O      := $(or $(if $(NETLIST),-O1),$(RTL_O_$(RUNS)),-O2)
LOOPS      := $(if $(filter short,$(RUNS)),$(if $(FLAVOR),,--unroll-count 1))
RTL_CFLAGS := -std=gnu++17 -fPIC -march=$(ARCH) -I$(VINCLUDE) -I$(VINCLUDE)/vltstd -Ic_model -Idpi
# Verilator's own files, once for all builds of a flavor, and its headers, once for each level they are
# compiled at: reading them is most of what a small file costs.
V_RUN      := $(B)/rtl/runtime$(FLAVOR)
RUNTIME    := $(patsubst %,$(V_RUN)/%.o,verilated verilated_dpi verilated_fst_c verilated_threads)
HEADERS    := $(patsubst %,$(V_RUN)/%/headers.h.gch,-O0 -O1 -O2)
# What Verilator calls slow runs once, before the first cycle: nothing there is worth a compiler's time.
# (1: the folder, 2: the level of the rest, 3: more options.)
COMPILE     = xargs -P2 -I{} sh -c 'case {} in *__Slow.cpp) o=-O0;; *) o=$(2);; esac; \
  $(CXX) $(RTL_CFLAGS) $$o $(3) -include $(V_RUN)/$$o/headers.h -I$(1) -c {} \
  -o $(1)/$$(basename {} .cpp).o'
# One make at a time in the folder that all builds share.
SHARED      = mkdir -p $(V_RUN) && flock $(V_RUN)/lock $(MAKE) -s --no-print-directory rtl-runtime \
  FLAVOR=$(FLAVOR)

rtl: $(R)/librtl.so
rtl-runtime: $(RUNTIME) $(HEADERS)

$(V_RUN)/%.o: $(VINCLUDE)/%.cpp
	$(CXX) $(RTL_CFLAGS) -O2 -c -o $@ $<

$(V_RUN)/%/headers.h.gch: $(VINCLUDE)/verilated.h
	@mkdir -p $(@D)
	printf '#include "%s.h"\n' verilated verilated_dpi verilated_syms verilated_sym_props >$(@:.gch=)
	$(CXX) $(RTL_CFLAGS) $* -x c++-header -o $@ $(@:.gch=)

$(R)/verilated.stamp: $(RTL_FILES) $(TB_FILES) $(REGISTERS) Makefile
	@mkdir -p $(R)
	rm -f $(R)/*.cpp $(R)/*.o
	$(VERILATOR) --cc $(if $(TRACED),--trace-fst --trace-max-array 1024 --trace-max-width 65536) --assert -O3 $(LOOPS) --x-assign fast --x-initial unique -Wall \
	  --top-module lockstep_tb --Mdir $(R) $(OPTIONS) $(REGISTERS) $(RTL_FILES) $(TB_FILES)
	touch $@

$(R)/librtl.so: $(R)/verilated.stamp dpi/rtl_side.cpp dpi/rtl_api.h c_model/ports.h
	$(SHARED)
	set -e -o pipefail; ls $(R)/V*.cpp dpi/rtl_side.cpp \
	  | $(call COMPILE,$(R),$(RTL_O),$(if $(TRACED),-DLW_TRACED))
	$(CXX) -shared -o $@.part $(R)/*.o $(RUNTIME) -llz4 -lz -lpthread
	mv $@.part $@

# ------------------------------------------------------------------ one RTL module alone
# make module-rtl KEY=row OPTIONS="--top-module unified_tlb -GTlbWays=4 ..."

M          := $(B)/modules/$(KEY)
MODULE_VLT := tb/registers.vlt tests/modules/ports.vlt
MODULE_RUN := $(patsubst %,$(V_RUN)/%.o,verilated verilated_threads)

module-rtl: $(M)/librtl.so

# Another set of options, and only that, is another build.
$(M)/options: FORCE
	@mkdir -p $(M)
	@echo '$(OPTIONS)' | cmp -s - $@ || echo '$(OPTIONS)' >$@

$(M)/verilated.stamp: $(RTL_FILES) $(MODULE_VLT) $(M)/options
	rm -f $(M)/*.cpp $(M)/*.o
	$(VERILATOR) --cc -O3 --x-assign fast --x-initial fast --quiet --prefix Vmodule --Mdir $(M) \
	  $(OPTIONS) $(MODULE_VLT) $(RTL_FILES)
	touch $@

# A row runs for a second or two, so compiling decides how long it takes: -O1.
$(M)/librtl.so: $(M)/verilated.stamp tests/modules/module_rtl.cpp tests/modules/module_rtl.h \
  dpi/rtl_api.h
	$(SHARED)
	set -e -o pipefail; ls $(M)/V*.cpp tests/modules/module_rtl.cpp \
	  | $(call COMPILE,$(M),-O1)
	$(CXX) -shared -o $@.part $(M)/*.o $(MODULE_RUN) -lpthread
	mv $@.part $@
