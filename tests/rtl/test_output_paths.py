"""R0.3: no output of the unit depends on an input of the same cycle, in Yosys's netlist of it: the lockstep, which
looks at the outputs before it sets the inputs, would not see such a path."""

import pytest

from tests.harness.mutants import break_copy
from tests.harness.rtl_by_yosys import yosys
from tools.project import ROOT

SYSTEMS = ["stress_small", "stress_address", "stress_mesc_parallel", "stress_full_colt", "stress_hashed_mesc",
           "stress_second"]
# What holds a value from one cycle to the next, as Yosys calls it.
REGISTERS = ",".join(f"${name}" for name in ("dff", "dffe", "adff", "adffe", "sdff", "sdffe", "sdffce", "aldff",
                                             "mem_v2"))


def paths(top, system, rtl=ROOT / "rtl"):
    """The inputs that an output depends on."""
    printed = yosys(top, system, [f"select -list o:* %ci*:-{REGISTERS} i:* %i"], rtl)
    listed = printed.rpartition("select -list")[2]
    return {line.split("/")[1] for line in listed.splitlines() if line.startswith(f"{top}/")}


@pytest.mark.parametrize(("top", "system"), [*(("iommu", system) for system in SYSTEMS), ("iommu_axi", SYSTEMS[0])])
def test_no_output_depends_on_an_input(top, system):
    assert paths(top, system) == set()


def test_a_path_is_found(tmp_path):
    break_copy(tmp_path, "rtl/front/admission.sv", "assign req_ready_o =", "assign req_ready_o = req_valid_i &&")
    assert "req_valid_i" in paths("iommu", SYSTEMS[0], tmp_path / "rtl")
