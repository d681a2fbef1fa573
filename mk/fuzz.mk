# The fuzzers of the program's input files (tests/fuzz): each is a reader of sim/ with libFuzzer, which comes with clang,
# and the sanitizers.

SECONDS    ?= 60
fuzz: setup ## [READER=stream] SECONDS=60 SEED=1: random input for each reader of files, and what it does not keep to
	@./setup.sh checks
	@.venv/bin/python tests/fuzz/fuzzing.py $(call option,reader,READER) $(call option,seconds,SECONDS) \
	  $(call option,seed,SEED)

FUZZERS      := $(patsubst tests/fuzz/fuzz_%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
# What a reader is made of; the linker takes what it needs of it.
FUZZED       := common c_model/base sim/files sim/workloads sim/frames sim/memory sim/system sim/energy sim/tables \
  sim/traces sim/os oracle
FUZZ_OBJECTS := $(patsubst %.c,$(B)/fuzz/obj/%.o,$(call c_files,$(FUZZED)) tests/fuzz/fuzz.c)
FUZZ_FLAGS   := -std=c11 -O1 -g1 -D_GNU_SOURCE -I. -I$(GEN) -Wall -Wextra -Wpedantic -Werror \
  -fsanitize=address,undefined -fno-sanitize-recover=all

fuzzers: $(FUZZERS)

$(B)/fuzz/obj/%.o: %.c | $(STATE)
	@mkdir -p $(@D)
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(B)/fuzz/readers.a: $(FUZZ_OBJECTS)
	@rm -f $@
	ar rcs $@ $^

.SECONDARY: $(FUZZERS:$(B)/fuzz/%=$(B)/fuzz/obj/tests/fuzz/fuzz_%.o)

$(B)/fuzz/%: $(B)/fuzz/obj/tests/fuzz/fuzz_%.o $(B)/fuzz/readers.a
	clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS) -lm

-include $(call headers_of,fuzzers $(B)/fuzz/%,$(wildcard $(B)/fuzz/obj/*/*.d $(B)/fuzz/obj/*/*/*.d))
