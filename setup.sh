#!/usr/bin/env bash
# Installs what is missing: Debian packages (as root) and the pinned Python tools in .venv; those that all need, and
# those of the parts named.
# Does nothing where all is there. One sentence and status 2 where something cannot be installed.
set -u
cd "$(dirname "$0")" || exit 2
# One at a time, where two makes begin in a new folder; what apt-get starts does not keep the lock.
exec 9<setup.sh && flock 9

for part; do
  case "$part" in
    checks | synth | fpga | plots | papers | regmap | bus | mutation | browser) ;;
    *)
      echo "lockwalk: setup.sh has no part \"$part\"; allowed: checks, synth, fpga, plots, papers, regmap, bus, mutation, browser" >&2
      exit 2
      ;;
  esac
done
asked() { case " $parts " in *" $1 "*) ;; *) return 1 ;; esac }
parts=$*

# package:file that shows that it is there. clang compiles what Verilator writes, to which tcmalloc is the heap: both are
# faster than what comes with gcc.
needs="gcc:/usr/bin/gcc g++:/usr/bin/g++ make:/usr/bin/make python3:/usr/bin/python3
libinih-dev:/usr/include/ini.h libjansson-dev:/usr/include/jansson.h
libarchive-dev:/usr/include/archive.h libcmocka-dev:/usr/include/cmocka.h
liblz4-dev:/usr/include/lz4.h zlib1g-dev:/usr/include/zlib.h
clang:/usr/bin/clang++ libtcmalloc-minimal4:/usr/lib/$(uname -m)-linux-gnu/libtcmalloc_minimal.so.4"
# What only the checks need (make lint, make test): formatters, analysers, libFuzzer, the lint of man pages, Debian's
# Verilator, Icarus Verilog.
asked checks && needs="$needs clang-format:/usr/bin/clang-format clang-tidy:/usr/bin/clang-tidy
libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-$(uname -m).a
valgrind:/usr/bin/valgrind verilator:/usr/bin/verilator
mandoc:/usr/bin/mandoc pkg-config:/usr/bin/pkg-config iverilog:/usr/bin/iverilog"
# What only synthesis needs: OpenSTA and a liberty file.
asked synth && needs="$needs opensta:/usr/bin/sta
qflow-tech-osu018:/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
# What only the figures on an FPGA need: place and route.
asked fpga && needs="$needs nextpnr-ice40:/usr/bin/nextpnr-ice40"
# What only the test of reports needs: a browser without windows, and without what it recommends.
browser=""
asked browser && browser=chromium-headless-shell:/usr/bin/chromium-headless-shell

missing=()
for need in $needs; do
  [ -e "${need#*:}" ] || missing+=("${need%%:*}")
done
[ -e "${browser#*:}" ] && browser=""
browser=${browser%%:*}
named="${missing[*]}${browser:+ $browser}"
if [ -n "$named" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "lockwalk: these packages are missing and cannot be installed without root: $named" >&2
    exit 2
  fi
  echo "setup: installing $named" >&2
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update -qq && { [ ${#missing[@]} = 0 ] || apt-get install -y -qq "${missing[@]}"; } &&
    { [ -z "$browser" ] || apt-get install -y -qq --no-install-recommends "$browser"; }; } >"$log" 2>&1 9<&-; then
    echo "lockwalk: apt-get could not install $named (log: $log)" >&2
    exit 2
  fi
  rm -f "$log"
fi

if ! cmp -s requirements.txt .venv/requirements.txt; then
  echo "setup: making .venv" >&2
  python3 -m venv .venv 2>/dev/null || {
    echo "lockwalk: python3 cannot make a virtual environment; the package python3-venv is missing" >&2
    exit 2
  }
  .venv/bin/pip install -q --no-compile --disable-pip-version-check -r requirements.txt || {
    echo "lockwalk: pip could not install requirements.txt into .venv" >&2
    exit 2
  }
  cp requirements.txt .venv/requirements.txt
fi
# The project's Python is found from its root by whatever runs in .venv, in whichever folder: `from tools.refusal import`.
# The line counts from the folder that it is in, so a .venv that is a link finds the project that it is linked into.
for packages in .venv/lib/python3*/site-packages; do
  [ -e "$packages/lockwalk.pth" ] || echo ../../../.. >"$packages/lockwalk.pth"
done
# What only pictures, only synthesis, only the papers' figures, only the register map, only tests with others'
# buses, and only broken lines of the twin need. Python compiles what it imports, which is a small part of what comes.
files=""
for part in plots synth papers regmap bus mutation; do
  folder=$part
  case "$part" in bus | mutation) folder=tests/$part ;; esac
  asked "$part" && ! cmp -s "$folder/requirements.txt" ".venv/$part.txt" && files="$files $part:$folder/requirements.txt"
done
if [ -n "$files" ]; then
  options=()
  for file in $files; do options+=(-r "${file#*:}"); done
  .venv/bin/pip install -q --no-compile --disable-pip-version-check "${options[@]}" || {
    echo "lockwalk: pip could not install ${options[*]} into .venv" >&2
    exit 2
  }
  for file in $files; do cp "${file#*:}" ".venv/${file%%:*}.txt"; done
fi
