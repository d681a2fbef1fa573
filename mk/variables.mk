# What make is told on the command line: which variables each target takes, as plain text. Anything else is a slip,
# and is refused before another run than the one that was meant.

BUILDING             := ARCH B CC CXX PROFILE SANITIZE
RUNS_OF              := SYSTEM SEED TRACE STREAM WORKLOAD SIZE MAX_REQUESTS JSON SET OPTIONS
SYNTH                := SYSTEM LIBERTY PERIOD TRIALS WAVES SET OPTIONS
TAKES_help           :=
TAKES_setup          :=
TAKES_clean          :=
TAKES_build          :=
TAKES_profiled       :=
TAKES_man            :=
TAKES_lib            :=
TAKES_install        := PREFIX DESTDIR
TAKES_run            :=
TAKES_bench          :=
TAKES_cosim          := $(RUNS_OF) WAVES
TAKES_model          := $(RUNS_OF)
TAKES_contiguity     := MAPPINGS SIZES
TAKES_report         := RUN AGAINST SWEEP OUT
TAKES_results        := PLAN OPTIONS
TAKES_synth          := $(SYNTH)
TAKES_area           := SYSTEM LIBERTY SET OPTIONS
TAKES_synth-record   := $(SYNTH) TECHNIQUE ACCEPTED WHY
TAKES_synth-power    := SYSTEM WAVES
TAKES_synth-delta    := FROM TO OPTIONS
TAKES_fpga           := SYSTEM SET OPTIONS
TAKES_explore        := EXPLORE LIBERTY
TAKES_equivalence    := SYSTEM LIBERTY OPTIONS
TAKES_netlists       := STRESS LIBERTY OPTIONS
TAKES_test           := TESTS LOCKSTEP_SEEDS
TAKES_lint           := FILE
TAKES_coverage       :=
TAKES_lines          :=
TAKES_mutation       := PART MUTANTS SEED OPTIONS
TAKES_formal         := OPTIONS
TAKES_fuzz           := READER SECONDS SEED
TAKES_fuzzers        :=
TAKES_cosim-module   := MODULE SEED CYCLES INJECT
TAKES_contract       := SEEDS CYCLES OPTIONS
TAKES_unit           :=
TAKES_regmap         :=
TAKES_rtl            := R OPTIONS PROBES RUNS FLAVOR NETLIST OWN
TAKES_rtl-runtime    := FLAVOR
TAKES_module-rtl     := KEY OPTIONS
# What a target cannot do without, so that it ends before it begins.
NEEDS_synth-record   := TECHNIQUE ACCEPTED WHY
NEEDS_synth-power    := WAVES
NEEDS_synth-delta    := FROM TO
NEEDS_rtl            := R
NEEDS_module-rtl     := KEY
# What stands in the names of files and in commands as it is: plain names, some of them several.
NAMES                := ARCH B PROFILE SANITIZE R KEY PROBES RUNS FLAVOR NETLIST OWN
COMMANDS             := CC CXX

TARGETS   := $(patsubst TAKES_%,%,$(filter TAKES_%,$(.VARIABLES)))
VARIABLES := $(sort $(BUILDING) $(foreach t,$(TARGETS),$(TAKES_$t)))
GOALS     := $(or $(MAKECMDGOALS),help)
# The lists of headers that objects were made of ($2), for goals that make these objects ($1): make reads them longer
# than anything else.
headers_of = $(if $(filter $1,$(GOALS)),$2)

empty     :=
space     := $(empty) $(empty)
tab       := $(empty)	$(empty)
hash      := \#
define newline


endef
# Characters that are not in $1 as they are: make or a shell would take them for something else.
ODD       := ' " ` \ $$ ; & | < > ( ) [ ] { } * ? ! ~ % = : , $(hash)
has_odd    = $(strip $(foreach c,$(ODD),$(findstring $c,$1)))
has_blank  = $(strip $(foreach c,space tab newline,$(if $(findstring $($c),$1),$c)))
# One word of a shell, and each of several words, whatever is in them.
quoted     = '$(subst ','\'',$1)'
words_of   = $(foreach w,$1,$(call quoted,$w))

ifneq ($(call has_odd,$(CURDIR))$(call has_blank,$(CURDIR)),)
$(error the folder $(CURDIR) has a blank or one of $(ODD) in its path, which make cannot build in; move the project)
endif

# Names are looked at once, by the first make: another target of it gets what the first one was told.
ifeq ($(MAKELEVEL),0)
UNKNOWN   := $(firstword $(filter-out $(TARGETS) $(or $(value B),build)/%,$(GOALS)))
ifneq ($(UNKNOWN),)
$(error there is no target "$(UNKNOWN)"; `make help` lists them)
endif
# A file below build/ is made of anything that a target takes.
TAKEN     := $(BUILDING) $(foreach g,$(GOALS),$(if $(filter $g,$(TARGETS)),$(TAKES_$g),$(VARIABLES)))
TOLD      := $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v))
UNKNOWN   := $(firstword $(filter-out $(TAKEN) MAKEFLAGS,$(TOLD)))
ifneq ($(UNKNOWN),)
$(error make $(GOALS) takes no $(UNKNOWN); allowed: $(sort $(TAKEN)))
endif
endif
LACKING   := $(firstword $(foreach g,$(GOALS),$(foreach v,$(NEEDS_$g),$(if $(strip $(value $v)),,$v))))
ifneq ($(LACKING),)
$(error make $(GOALS) needs $(LACKING))
endif

# From here on a variable is the text that was given, also where that looks like make's own `$(..)`.
is_told    = $(filter command environment,$(firstword $(origin $1)))
define as_text
$(if $(findstring $(newline),$(value $1)),$(error $1 has more than one line))
override $1 := $$(value $1)
endef
$(foreach v,$(VARIABLES),$(if $(call is_told,$v),$(eval $(call as_text,$v))))

ODD_NAME  := $(firstword $(foreach v,$(NAMES),$(if $(call has_odd,$($v))$(call has_blank,$($v)),$v)) \
  $(foreach v,$(COMMANDS),$(if $(call has_odd,$(subst =,,$(subst :,,$($v)))),$v)))
ifneq ($(ODD_NAME),)
$(error $(ODD_NAME) is "$($(ODD_NAME))"; allowed: a name without blanks and without $(ODD))
endif
# `make clean` takes it away.
ifneq ($(filter-out build build/%,$(B))$(findstring ..,$(B)),)
$(error B is "$(B)"; allowed: build, or a folder below it)
endif
