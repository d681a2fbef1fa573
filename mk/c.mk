# The program, in C: every folder with C sources but the tests.

CFLAGS     := -std=c11 -O3 -march=$(ARCH) -flto=auto -g -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -I.
# make SANITIZE=1 B=build/sanitized: the C side under ASan and UBSan.
ifeq ($(SANITIZE),1)
CFLAGS     += -O1 -fno-lto -fsanitize=address,undefined -fno-sanitize-recover=all
LDFLAGS    += -fno-lto -fsanitize=address,undefined
endif
LDFLAGS    += -O3 -march=$(ARCH) -flto=auto
LDLIBS     := -linih -ljansson -larchive -ldl -lm

# The C sources of a folder and of those in it.
c_files     = $(sort $(wildcard $(addsuffix /*.c,$(1)) $(addsuffix /*/*.c,$(1))))
objects     = $(patsubst %.c,$(B)/obj/%.o,$(1))
OBJECTS    := $(call objects,$(call c_files,common c_model oracle sim dpi app))

$(B)/lockwalk: $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)
