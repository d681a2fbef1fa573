# The program, in C: every folder with its sources; tests, lib/ and examples/ have files of their own.

CFLAGS     := -std=c11 -O3 -march=$(ARCH) -flto=auto -g -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I. -I$(GEN)
# make SANITIZE=1 B=build/sanitized: the C side under ASan and UBSan; SANITIZE=memcheck B=build/valgrind: for valgrind,
# which knows no AVX-512. Both are compiled for a run or two, and say no more of a place than its line.
ifeq ($(SANITIZE),1)
CFLAGS     += -O1 -g1 -fno-lto -fPIC -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS    += -fno-lto -fsanitize=address,undefined
endif
ifeq ($(SANITIZE),memcheck)
CFLAGS     += -O1 -g1 -fno-lto -march=x86-64-v2
endif
# make PROFILE=lines B=...: what counts how often each of its lines has run, for gcov.
# make PROFILE=count|use B=...: what counts how often each of its branches is taken, and what is built by such counts.
PROFILING  := $(if $(filter count,$(PROFILE)),-fprofile-generate) \
  $(if $(filter use,$(PROFILE)),-fprofile-use -Wno-missing-profile)
CFLAGS     += $(PROFILING)
LDFLAGS    += $(PROFILING) -O3 -march=$(ARCH) -flto=auto
ifeq ($(PROFILE),lines)
CFLAGS     += -O0 -fno-lto -fPIC --coverage
LDFLAGS    += -fno-lto --coverage
endif
LDLIBS     := -linih -ljansson -larchive -ldl -lm

# The C sources of a folder and of those in it.
c_files     = $(sort $(wildcard $(addsuffix /*.c,$(1)) $(addsuffix /*/*.c,$(1))))
objects     = $(patsubst %.c,$(B)/obj/%.o,$(1))
# What is made from state/registers.yaml, the same for every build. A file that comes out as it was
# keeps its time, so that a new meaning of a register does not build everything anew.

STATE      := $(addprefix $(GEN)/state/,registers.h registers.c places.c)
CATALOGUE  := $(B)/obj/$(GEN)/state/registers.o
PLACES     := $(B)/obj/$(GEN)/state/places.o
OBJECTS    := $(call objects,$(call c_files,common c_model oracle sim dpi app)) $(CATALOGUE) $(PLACES)

$(B)/lockwalk: $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@.part $^ $(LDLIBS)
	@mv $@.part $@

# The program for long runs, built by what it did in these short ones. One is a lockstep: without it gcc takes what only
# the lockstep runs for rare, and builds it small and far away; one counts stages of many requests for the same reason.
TRAINING   := "model --system nha --workload sequential --max-requests 100000" \
  "model --system nha --workload nw --max-launches 30 --stages" \
  "model --system nha --workload sequential --max-requests 50000 --stages" \
  "model --system baseline --workload atax --max-iters 2" \
  "model --system bench_chain --workload random --max-requests 100000" \
  "model --system nha_mesc --workload bfs --max-launches 5" \
  "model --system mesc --workload atax --max-iters 2 --set data=1 --set dram=mesc_1ghz" \
  "model --system baseline16 --workload covar --max-cycles 400000 --set data=1 --set dram=mesc_1ghz" \
  "cosim --system nha --workload sequential --max-requests 10000"

$(B)/profiled/lockwalk: $(B)/lockwalk
	@rm -rf $(B)/profiled
	@$(MAKE) B=$(B)/profiled PROFILE=count $@
	@for run in $(TRAINING); do LOCKWALK_RUNS=tests $@ $$run >/dev/null || exit 1; done
	@$(MAKE) B=$(B)/profiled PROFILE=use $@

$(GEN)/state/stamp: state/registers.yaml $(wildcard state/*.py) $(wildcard tools/*.py) $(wildcard rtl/*.sv rtl/*/*.sv)
	.venv/bin/python state/generate.py $(GEN)/state
	@touch $@

$(STATE): $(GEN)/state/stamp ;

# A copy of the project that is no repository keeps the revision that it was copied with.
REVISION   := $(GEN)/state/revision.h

$(REVISION): FORCE | $(GEN)/state/stamp
	@revision=; [ ! -e .git ] || revision=$$(git describe --always --dirty=+ --abbrev=8 --exclude='*' 2>/dev/null); \
	  if [ -n "$$revision" ] || [ ! -e $@ ]; then \
	    echo "#define LW_REVISION \"$$revision\"" >$@.$$$$; cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; fi

$(B)/obj/app/revision.o: $(REVISION)

# Other flags, and only they, are another build of everything.
FLAGS      := $(B)/obj/flags

$(FLAGS): FORCE
	@mkdir -p $(@D)
	@echo $(call quoted,$(CC) $(CFLAGS) $(LDFLAGS)) | cmp -s - $@ || echo $(call quoted,$(CC) $(CFLAGS) $(LDFLAGS)) >$@

$(B)/obj/%.o: %.c $(FLAGS) | $(STATE) $(REVISION)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(UNOPTIMISED) -MMD -MP -c -o $@ $<

# What a test asserts takes no time; to compile it does, most of all with the sanitizers' checks.
$(B)/obj/tests/unit/%.o: UNOPTIMISED := -O0

-include $(call headers_of,unit $(B)/%,$(OBJECTS:.o=.d))
