"""R0.3: no output of the unit depends on an input of the same cycle, in Yosys's netlist of it: the lockstep, which looks
at the outputs before it sets the inputs, would not see such a path."""

import subprocess
import sys

import pytest
from conftest import ROOT, parameters_of
from mutants import break_copy

SYSTEMS = ["stress_small", "stress_address", "stress_mesc_parallel", "stress_full_colt", "stress_hashed_mesc",
           "stress_second"]
FIND = """
from pyosys import libyosys
design = libyosys.Design()
for step in ["read_slang -I {rtl}/pkg --unroll-limit=100000 --top {top} {options} {files}", "proc", "flatten",
             "select -list o:* %ci*:-{registers} i:* %i"]:
    design.run_pass(step)
"""
# What holds a value from one cycle to the next, as Yosys calls it.
REGISTERS = ",".join(f"${name}" for name in ("dff", "dffe", "adff", "adffe", "sdff", "sdffe", "sdffce", "aldff", "mem_v2"))



def paths(top, system, rtl=ROOT / "rtl"):
    """The inputs that an output depends on."""
    files = " ".join(str(rtl / name) for name in (rtl / "files.f").read_text().split())
    script = FIND.format(top=top, options=" ".join(f"-G {option}" for option in parameters_of(system)), files=files,
                         rtl=rtl, registers=REGISTERS)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    listed = done.stdout.rpartition("select -list")[2]
    return {line.split("/")[1] for line in listed.splitlines() if line.startswith(f"{top}/")}


@pytest.mark.parametrize(("top", "system"), [*(("iommu", system) for system in SYSTEMS), ("iommu_axi", SYSTEMS[0])])
def test_no_output_depends_on_an_input(top, system):
    assert paths(top, system) == set()


def test_a_path_is_found(tmp_path):
    break_copy(tmp_path, "rtl/front/admission.sv", "assign req_ready_o =", "assign req_ready_o = req_valid_i &&")
    assert "req_valid_i" in paths("iommu", SYSTEMS[0], tmp_path / "rtl")
