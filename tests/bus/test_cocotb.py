"""The RTL on its buses against cocotbext-axi's AXI4 memory and AXI4-Lite manager, written by others: walks over the
narrowest and the widest bus (examples/cocotb), with the checkers of the buses bound."""

import os
import subprocess
import sys

import pytest

from tests.harness.mutants import break_copy
from tools.project import ROOT

NEEDS = ["bus"]


def walk(folder, width, rtl=ROOT / "rtl"):
    """The finished run of both tests of cocotb_walks.py."""
    command = [sys.executable, ROOT / "examples" / "cocotb" / "run.py", "--width", str(width), "--rtl", rtl, "--build",
               folder / "build"]
    return subprocess.run(command, cwd=folder, env={**os.environ, "WALKS_SEED": "1"}, capture_output=True, text=True,
                          check=False)


@pytest.mark.parametrize("width", [pytest.param(64, marks=pytest.mark.recorded), 512])
def test_walks(width, tmp_path):
    done = walk(tmp_path, width)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "2 run, 0 failed" in done.stdout


@pytest.mark.recorded
def test_wrong_place_of_a_beat_barks(tmp_path):
    """A mistake that RTL and twin could share: beats in the wrong half of the line."""
    break_copy(tmp_path, "rtl/bus/axi_reader.sv", "part_q[r_id_i][beat] <= r_data_i",
               "part_q[r_id_i][~beat] <= r_data_i")
    done = walk(tmp_path, 64, tmp_path / "rtl")
    assert done.returncode != 0
    assert "FAIL" in done.stdout
