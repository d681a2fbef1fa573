# Lockwalk's front door. `make help` lists the targets.
#
# Everything built lies below build/; the RTL is built once for each set of hardware parameters
# (build/rtl/KEY), which build/lockwalk asks for by itself (target rtl).

SHELL      := /bin/bash

include mk/variables.mk

CC         := gcc
CXX        := g++
SYSTEM     ?= nha
SEED       ?= 1
B          := build
GEN        := build/gen
ARCH       ?= native

.DEFAULT_GOAL := help
.PHONY: run build profiled man lib install test lint coverage mutation formal bench contiguity report results synth area synth-record synth-power synth-delta fpga explore equivalence netlists contract regmap cosim cosim-module model unit rtl rtl-runtime module-rtl setup help clean FORCE

setup: ; @./setup.sh

# As many jobs as there are processors, where make was not told how many.
JOBS        = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

# Two makes in one tree build one after the other.
ALONE       = mkdir -p $(B) && flock $(B)/make.lock

build: setup ## build the program (build/lockwalk)
	@$(ALONE) $(MAKE) -s --no-print-directory $(JOBS) $(B)/lockwalk

profiled: build ## the same, faster by what it has been seen to do, for long runs: build/profiled/lockwalk
	@$(ALONE) $(MAKE) -s --no-print-directory $(JOBS) $(B)/profiled/lockwalk

run: build ## the main job: kernels on systems in lockstep, and what coalescing saves
	@$(B)/lockwalk --version
	@$(B)/lockwalk table

bench: profiled ## speeds and cycles a translation, as ratios of one run
	@$(B)/profiled/lockwalk bench

# An option of a program, where the variable of that name was given; settings, and what else a program takes.
option      = $(if $($2),--$1 $(call quoted,$($2)))
SETTINGS    = $(addprefix --set ,$(call words_of,$(SET))) $(call words_of,$(OPTIONS))
# What cosim and model take over from make's variables.
RUN_OPTIONS = $(call option,system,SYSTEM) $(call option,seed,SEED) $(call option,trace,TRACE) \
  $(call option,stream,STREAM) $(call option,workload,WORKLOAD) $(call option,size,SIZE) \
  $(call option,max-requests,MAX_REQUESTS) $(call option,json,JSON) $(SETTINGS)

cosim: build ## SYSTEM=nha WORKLOAD=mvt SIZE=512 SEED=1 [WAVES=f.fst]: one run in lockstep
	@$(B)/lockwalk cosim $(RUN_OPTIONS) $(call option,waves,WAVES)

model: build ## the same on the C twin alone
	@$(B)/lockwalk model $(RUN_OPTIONS)

man: build ## the manual page, made from the program's options: build/lockwalk.1 (man -l reads it)
	@$(B)/lockwalk man >$(B)/lockwalk.1.$$$$ && mv $(B)/lockwalk.1.$$$$ $(B)/lockwalk.1
	@echo "$(B)/lockwalk.1"

MAPPINGS   ?= pagemap memhog:0 memhog:25 memhog:50 memhog:75 buddy:25
SIZES      ?= 32 128 512
contiguity: build ## contiguous regions of working sets (MESC's Figure 4): build/contiguity.csv, .png
	@./setup.sh plots
	@rm -f $(B)/contiguity.csv.part
	@for m in $(call words_of,$(MAPPINGS)); do for n in $(call words_of,$(SIZES)); do \
	  $(B)/lockwalk contiguity --mapping "$$m" --size "$$n" --csv $(B)/contiguity.csv.part || exit 2; echo; \
	done; done
	@mv $(B)/contiguity.csv.part $(B)/contiguity.csv
	@.venv/bin/python plots/contiguity.py $(B)/contiguity.csv $(B)/contiguity.png
	@echo "$(B)/contiguity.csv, $(B)/contiguity.png"

OUT        ?= $(B)/report.html
report: build ## RUN=a.json [AGAINST=b.json], or SWEEP=docs/exploration.csv, [OUT=f.html]: one page with pictures
	@./setup.sh plots
	@.venv/bin/python plots/report.py $(call option,run,RUN) $(call option,against,AGAINST) \
	  $(call option,sweep,SWEEP) $(call option,out,OUT)

# The plan is checked before the long build.
results: build ## PLAN=papers/nha.yaml [OPTIONS=--quick]: what a paper prints, measured, with pictures: build/results
	@./setup.sh papers
	@.venv/bin/python papers/results.py --check $(call option,plan,PLAN) $(SETTINGS)
	@$(ALONE) $(MAKE) -s --no-print-directory $(JOBS) $(B)/profiled/lockwalk
	@.venv/bin/python papers/results.py --program $(B)/profiled/lockwalk $(call option,plan,PLAN) $(SETTINGS)

help: ## this
	@echo "Lockwalk: a GPU's IOMMU in SystemVerilog and in C, in lockstep."
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' Makefile mk/lib.mk mk/synth.mk mk/tests.mk mk/fuzz.mk | column -t -s $$'\t'

clean:
	rm -rf $(B)

include mk/c.mk mk/rtl.mk mk/lib.mk mk/synth.mk mk/tests.mk mk/fuzz.mk
