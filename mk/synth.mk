# Area, timing, power, and netlists.

# What synthesis.py is told, and who looks for its report.
SYNTH_OPTIONS = $(call option,system,SYSTEM) $(call option,liberty,LIBERTY) $(call option,period,PERIOD) \
  $(call option,trials,TRIALS) $(call option,waves,WAVES) $(SETTINGS)

synth: build ## SYSTEM=nha [LIBERTY=file.lib[.gz]] [PERIOD=ns] [TRIALS=n] [WAVES=f.fst]: area, Fmax, power
	@./setup.sh synth
	@.venv/bin/python synth/synthesis.py $(SYNTH_OPTIONS)

area: build ## SYSTEM=nha [LIBERTY=file.lib[.gz]]: area alone, by module, in a fraction of the time
	@./setup.sh synth
	@.venv/bin/python synth/area.py $(call option,system,SYSTEM) $(call option,liberty,LIBERTY) \
	  $(SETTINGS)

synth-record: synth ## the same, kept in synth/history.csv: TECHNIQUE=".." ACCEPTED=yes|no WHY=".."
	@.venv/bin/python synth/history.py $(SYNTH_OPTIONS) \
	  $(call option,technique,TECHNIQUE) $(call option,accepted,ACCEPTED) $(call option,why,WHY)

synth-power: setup ## SYSTEM=nha WAVES=f.fst: the power of its netlist by the activity of a run
	@.venv/bin/python synth/power.py $(call quoted,$(B)/synth/$(SYSTEM)) $(call option,waves,WAVES)

synth-delta: setup ## FROM=build/synth/a TO=build/synth/b: what one system costs more than another
	@.venv/bin/python synth/delta.py $(call quoted,$(FROM)) $(call quoted,$(TO)) $(SETTINGS)

fpga: build ## SYSTEM=stress_small [OPTIONS="--module M"]: each module on an iCE40: LUTs, Fmax (build/fpga)
	@./setup.sh fpga
	@.venv/bin/python synth/fpga.py $(if $(filter-out undefined default file,$(origin SYSTEM)),$(call option,system,SYSTEM)) \
	  $(SETTINGS)

explore: build ## area against cycles over systems and sizes [EXPLORE=mine.yaml] [LIBERTY=..]: build/explore
	@./setup.sh synth
	@.venv/bin/python synth/explore/sweep.py $(call option,sweep,EXPLORE) $(call option,liberty,LIBERTY)

equivalence: build ## SYSTEM=stress_small [LIBERTY=..] [OPTIONS="--module M"]: RTL = netlist, proven
	@./setup.sh synth
	@.venv/bin/python synth/equivalence.py $(if $(filter-out undefined default file,$(origin SYSTEM)),$(call option,system,SYSTEM)) \
	  $(call option,liberty,LIBERTY) $(SETTINGS)

# All but the one of paper size, whose netlist takes Verilator 18 GB and half an hour.
STRESS     ?= $(filter-out stress_wide,$(basename $(notdir $(wildcard systems/stress_*.ini))))
netlists: build ## the netlist of each stress system in lockstep with the twin [STRESS="stress_small .."] [LIBERTY=..]
	@./setup.sh synth
	@for s in $(call words_of,$(STRESS)); do \
	  .venv/bin/python synth/synthesis.py --system "$$s" --no-modules --trials 1 $(call option,liberty,LIBERTY) >/dev/null && \
	  $(B)/lockwalk cosim --system "$$s" --workload random --max-requests 5000 --netlist "$(B)/synth/$$s" $(SETTINGS) || exit 1; \
	done
