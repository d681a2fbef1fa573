# The C twin as a library for others: liblockwalk, its headers, lockwalk_ref.sv and the systems.

PREFIX     ?= /usr/local
LIB        := $(B)/lib
LIB_C      := $(call c_files,common c_model) $(addprefix sim/system/,system.c system_file.c) \
  lib/lockwalk_ref.c $(GEN)/state/registers.c
LIB_PARTS  := $(patsubst %.c,$(LIB)/%.o,$(LIB_C))
LIB_CFLAGS := $(CFLAGS) -fPIC -fno-semantic-interposition -isystem $(VINCLUDE)/vltstd
# What a user's file includes, and what these include.
HEADERS_H  := lib/lockwalk.h c_model/iommu.h $(addprefix c_model/base/,catalogue.h moves.h params.h ports.h watch.h) \
  common/error.h sim/system/system.h $(GEN)/state/registers.h
# The number that goes up when a program that was linked with the library must be linked anew.
ABI        := 0

lib: $(LIB)/liblockwalk.a $(LIB)/liblockwalk.so ## build/lib/liblockwalk.a, .so: the C twin for a simulator or bench of one's own

$(LIB)/%.o: %.c $(FLAGS) mk/lib.mk | $(STATE)
	@mkdir -p $(@D)
	$(CC) $(LIB_CFLAGS) -MMD -MP -c -o $@ $<

# One object, optimised as a whole; of its names only those in lib/exports are seen.
$(LIB)/lockwalk.o: $(LIB_PARTS) lib/exports
	$(CC) $(LDFLAGS) -fPIC -r -flinker-output=nolto-rel -o $@.part $(LIB_PARTS)
	objcopy --wildcard --keep-global-symbols=lib/exports $@.part $@
	@rm $@.part

$(LIB)/liblockwalk.a: $(LIB)/lockwalk.o
	@rm -f $@
	$(AR) rcs $@ $<

$(LIB)/liblockwalk.so: $(LIB)/lockwalk.o
	$(CC) -shared -Wl,-soname,liblockwalk.so.$(ABI) -Wl,-z,defs -o $@ $< -linih

-include $(call headers_of,lib install $(LIB)/%,$(LIB_PARTS:.o=.d))

# Headers keep their folders, below one that the pkg-config file names.
INSTALLED  := $(call quoted,$(DESTDIR)$(PREFIX))
install: lib ## PREFIX=/usr/local [DESTDIR=]: the library, its headers and pkg-config file, lockwalk_ref.sv, the RTL, the systems
	@case $(call quoted,$(PREFIX)) in /*) ;; *) \
	  echo 'lockwalk: PREFIX is "'$(call quoted,$(PREFIX))'"; allowed: a path from / on' >&2; exit 2;; esac
	@install -d $(INSTALLED)/lib/pkgconfig $(INSTALLED)/share/lockwalk/systems
	@install -m 644 $(LIB)/liblockwalk.a $(INSTALLED)/lib
	@install -m 755 $(LIB)/liblockwalk.so $(INSTALLED)/lib/liblockwalk.so.$(ABI)
	@ln -sf liblockwalk.so.$(ABI) $(INSTALLED)/lib/liblockwalk.so
	@for header in $(HEADERS_H); do \
	  place=$${header#$(GEN)/}; place=$${place#lib/}; \
	  install -D -m 644 "$$header" $(INSTALLED)/include/lockwalk/"$$place" || exit 2; done
	@install -m 644 lib/lockwalk_ref.sv $(INSTALLED)/share/lockwalk
	@cd rtl && find . -name '*.*' -type f -exec install -D -m 644 {} $(INSTALLED)/share/lockwalk/rtl/{} \;
	@install -m 644 systems/*.ini $(INSTALLED)/share/lockwalk/systems
	@prefix=$(call quoted,$(PREFIX)) version=$$(sed -n 's/#define LW_VERSION "\(.*\)"/\1/p' app/versions.h) \
	  awk '{ sub(/@PREFIX@/, ENVIRON["prefix"]); sub(/@VERSION@/, ENVIRON["version"]); print }' \
	  lib/lockwalk.pc.in >$(LIB)/lockwalk.pc
	@install -m 644 $(LIB)/lockwalk.pc $(INSTALLED)/lib/pkgconfig
	@echo "lockwalk: installed in "$(INSTALLED)
