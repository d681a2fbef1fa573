"""The RTL has no x at its ports, and is the twin, in a simulator of four states too."""

import re

import pytest

from tests.harness.mutants import break_copy
from tests.rtl.four_state import replay

ALSO_RECORDED = ["stress_address", "stress_mesc_parallel"]
RUN = ["--workload", "random", "--max-requests", "40"]


@pytest.mark.parametrize("system", ["stress_one", "stress_hashed_mesc", *(
    pytest.param(system, marks=pytest.mark.recorded) for system in ALSO_RECORDED)])
def test_no_x_reaches_a_port(lockwalk, tmp_path, system):
    *differences, end = replay(lockwalk, system, tmp_path, *RUN)
    assert differences == []
    assert int(re.fullmatch(r"(\d+) cycles, 0 differences", end)[1]) > 700


def test_an_x_is_found(lockwalk, tmp_path):
    """A count that its reset forgets stays x, and so does what depends on it."""
    break_copy(tmp_path, "rtl/front/admission.sv", "      miss_used_q <= '0;\n", "")
    differences = replay(lockwalk, "stress_one", tmp_path, *RUN, rtl=tmp_path / "rtl")
    assert "cycle 0: req_ready is x, the twin says 1" in differences
