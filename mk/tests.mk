# The tests: all of them, proofs, the C unit tests (cmocka), and the lockstep of one module.

test: setup ## all tests [TESTS=tests/synth] [LOCKSTEP_SEEDS=n]; the last line is `N passed, N failed`
	@LOCKSTEP_SEEDS=$(call quoted,$(LOCKSTEP_SEEDS)) .venv/bin/python tests/harness/run.py $(call words_of,$(TESTS))

lint: build ## [FILE=rtl/iommu.sv]: Verilator (both), Verible, Yosys's slang, clang-format, clang-tidy, Ruff, ShellCheck
	@./setup.sh checks
	@.venv/bin/python $(if $(FILE),tests/house/lint_one.py $(call quoted,$(FILE)),\
	  tests/harness/run.py tests/house/test_lint.py)

coverage: build ## what the stress runs reach of the unit, in one table; tests/lockstep/coverage.yaml says why not
	@.venv/bin/python tests/lockstep/coverage.py

MUTANTS    ?= 100
mutation: build ## MUTANTS=100 SEED=1 [PART=sim/memory]: lines of the twin, or of PART (rtl, tb, ...), changed at random, and who notices
	@./setup.sh mutation
	@.venv/bin/python tests/mutation/campaign.py $(call option,part,PART) $(call option,mutants,MUTANTS) \
	  $(call option,seed,SEED) $(SETTINGS)

# The tests that assert, but not the lockstep: who compares two sides runs a line without knowing what it should do.
LINES_OF   := c_model oracle sim common
lines: setup ## the lines of the C side that no unit test runs: a file each, how many, and which
	@./setup.sh mutation
	@find $(B)/lines -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) -s --no-print-directory B=$(B)/lines PROFILE=lines unit
	@find $(B)/lines/unit -type f -name 'test_*' -print0 | LW_TEST_DATA=tests/data xargs -0 -n1 -P$$(nproc) \
	  sh -c '"$$0" >/dev/null 2>&1 || echo "$$0: fails" >&2'
	@.venv/bin/gcovr --root . --object-directory $(B)/lines/obj $(LINES_OF:%=--filter %/) --sort uncovered-number $(B)/lines/obj

formal: setup ## proofs and bounded proofs of formal/ [OPTIONS="--property NAME", --cheap, --breaks]
	@.venv/bin/python formal/formal.py $(SETTINGS)

MODULE     ?= unified_tlb
CYCLES     ?= 1000000
cosim-module: setup ## MODULE=unified_tlb SEED=1 CYCLES=1000000 [INJECT=..]: one module in lockstep
	@mkdir -p $(B)/modules
	@flock $(B)/modules/lock $(MAKE) -s --no-print-directory $(B)/modules/lockstep
	@options="$$($(B)/modules/lockstep --options $(call quoted,$(MODULE)))" || exit 2; \
	  mkdir -p $(B)/modules/$(call quoted,$(MODULE)) && flock $(B)/modules/$(call quoted,$(MODULE))/lock $(MAKE) -s \
	  --no-print-directory module-rtl KEY=$(call quoted,$(MODULE)) OPTIONS="$$options"
	@$(B)/modules/lockstep $(call quoted,$(MODULE)) $(call quoted,$(SEED)) $(call quoted,$(CYCLES)) \
	  $(B)/modules/$(call quoted,$(MODULE))/librtl.so $(if $(INJECT),$(call quoted,$(INJECT)))

regmap: setup ## C header, SV addresses and pages of the registers on a bus (regmap/control.rdl): build/regmap
	@./setup.sh regmap
	@.venv/bin/python regmap/regmap.py $(B)/regmap

# ------------------------------------------------------------------ unit tests

UNIT_TESTS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(shell find tests/unit -name 'test_*.c'))

unit: $(UNIT_TESTS)

# All but the tests, linked and optimised once for all of them. Static names that the compiler has shared between its
# parts are hidden, and a test's own of the same name would meet them. With the sanitizers it is a library: what they add
# would take most of the time to link, once for each test. So it is where lines are counted, by one counter for each.
PROGRAM    := $(B)/unit/$(if $(filter 1,$(SANITIZE))$(filter lines,$(PROFILE)),libprogram.so,program.o)

$(B)/unit/program.o: $(filter-out $(B)/obj/app/main.o,$(OBJECTS))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -r -flinker-output=nolto-rel -o $@.part $^
	objcopy --localize-hidden $@.part $@.hidden
	mv $@.hidden $@
	@rm $@.part

$(B)/unit/libprogram.so: $(filter-out $(B)/obj/app/main.o,$(OBJECTS))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -shared -o $@ $^ $(LDLIBS)

# Make would take what it needs in between away, and another make wait for it again.
.SECONDARY: $(UNIT_TESTS:$(B)/unit/%=$(B)/obj/tests/unit/%.o)

$(B)/unit/%: $(B)/obj/tests/unit/%.o $(PROGRAM)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -Wl,-rpath,$(abspath $(B)/unit) -o $@ $^ $(LDLIBS) -lcmocka

# The side of lib/lockwalk_ref.sv in C, which is no part of the program.
$(B)/unit/lib/test_lockwalk_ref: $(B)/unit/lib/lockwalk_ref.o

$(B)/unit/lib/lockwalk_ref.o: lib/lockwalk_ref.c $(FLAGS) | $(STATE)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -isystem $(VINCLUDE)/vltstd -MMD -MP -c -o $@ $<

-include $(call headers_of,unit $(B)/unit/%,$(UNIT_TESTS:$(B)/unit/%=$(B)/obj/tests/unit/%.d) \
  $(B)/unit/lib/lockwalk_ref.d)

# ------------------------------------------------------------------ short of memory

# The program with an allocation that fails (tests/short_of_memory); for SANITIZE=1, whose sanitizers see what is done then.
$(B)/short_of_memory: $(OBJECTS) $(B)/obj/tests/short_of_memory/failing_allocations.o
	$(CC) $(LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -o $@ $^ $(LDLIBS)

# ------------------------------------------------------------------ module lockstep

MODULE_OBJECTS := $(call objects,$(call c_files,tests/modules))

$(B)/modules/lockstep: $(MODULE_OBJECTS) \
  $(call objects,$(call c_files,common c_model) dpi/places.c dpi/injection.c) $(CATALOGUE) $(PLACES)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(call headers_of,$(B)/modules/%,$(MODULE_OBJECTS:.o=.d))

# ------------------------------------------------------------------ contract tester

SEEDS      ?= 1..1000
contract: setup ## SEEDS=1..1000 CYCLES=20000 [OPTIONS=..]: the twin's ports and tables against the document, under random software
	@mkdir -p $(B)/contract
	@flock $(B)/contract/lock $(MAKE) -s --no-print-directory $(B)/contract/contract
	@$(B)/contract/contract $(call option,seeds,SEEDS) $(SETTINGS) \
	  --cycles $(call quoted,$(if $(filter file,$(origin CYCLES)),20000,$(CYCLES)))

CONTRACT_OBJECTS := $(call objects,$(call c_files,tests/contract))

$(B)/contract/contract: $(CONTRACT_OBJECTS) $(B)/unit/program.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(call headers_of,$(B)/contract/%,$(CONTRACT_OBJECTS:.o=.d))

# ------------------------------------------------------------------ the unit on its buses

# The twin as a library, for tests that drive it and the RTL alike (tests/bus).
BUS_SOURCES := tests/bus/twin.c $(filter-out tests/modules/lockstep.c,$(call c_files,tests/modules common c_model)) \
  dpi/places.c dpi/injection.c $(GEN)/state/registers.c $(GEN)/state/places.c

$(B)/bus/libtwin.so: $(BUS_SOURCES) $(shell find common c_model tests/modules -name '*.h') $(FLAGS) $(STATE)
	@mkdir -p $(@D)
	$(CC) $(filter-out -flto=auto -O3,$(CFLAGS)) -O1 -fPIC -shared -Wl,-z,defs -o $@.part $(BUS_SOURCES) $(LDLIBS)
	@mv $@.part $@
