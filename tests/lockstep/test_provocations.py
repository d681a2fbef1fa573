"""The systems that provoke rare faults do provoke them, and the unit stands it."""

import pytest

SYSTEMS = ["stress_shared", "stress_shared_address", "stress_shared_mesc", "stress_shared_both", "stress_dram"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_all_is_provoked(lockwalk, system):
    run = lockwalk("model", "--system", system, "--workload", "random", "--max-requests", "60000",
                   figures=True)
    assert run.status == 0, run.err[-2000:]
    provoked = run.figures["provocations"]
    assert not [name for name, count in provoked.items() if count == 0]
    assert run.figures["waits"]["request"] <= run.figures["longest_wait"]
    assert run.figures["waits"]["memory"] >= 1500


def test_nothing_is_provoked_by_default(lockwalk):
    run = lockwalk("model", "--system", "nha", "--workload", "random", "--max-requests", "3000",
                   figures=True)
    assert run.status == 0, run.err[-2000:]
    assert set(run.figures["provocations"].values()) == {0}
