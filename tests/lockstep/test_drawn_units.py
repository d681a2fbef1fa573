"""Units that are no system's, drawn from all that chapter 13 allows, in lockstep under the stress of a system: sizes
that no system has are read from one document by both sides too."""

import random
import subprocess

import pytest

from tests.harness.catalogue import RECORDED, SEEDS
from tests.harness.program import LOCKWALK
from tests.harness.systems import hardware_ranges

NEEDS = ["checks"]

# By what they do around the unit; a drawn unit has their settings, and may have other hardware.
STRESS = ["stress_small", "stress_address", "stress_mesc", "stress_full_colt", "stress_hashed", "stress_hashed_lines"]
# What a run needs of the machine around the unit, so that its arrays fit into the least memory.
CALM = {"few_pages": 16, "processes": 2}
FEW = (1, 2, 3, 4, 5, 8, 13, 16, 32)
MOST = 64  # entries, walkers and places, so that it is compiled in seconds
BY_ADDRESS = {"tlb_entries": 512, "msc_entries": 512, "pasids": 256}  # which cost no logic an entry


def values_of(key, lowest, highest):
    most = min(highest, max(lowest, BY_ADDRESS.get(key, MOST)))
    return [value for value in {lowest, most, *FEW} if lowest <= value <= most]


def drawn(seed):
    """A stress system and what is changed of it: about half of the hardware, until it is a unit."""
    draw = random.Random(seed)
    system = draw.choice(STRESS)
    known = {key: values_of(key, *span) for key, span in hardware_ranges().items()}
    if "hashed" in system:  # its tables want more frames in a row than 32 bits have
        known["pa_width"].remove(32)
    while True:
        changed = {key: draw.choice(sorted(known[key])) for key in sorted(known) if draw.random() < 0.5}
        sets = [word for key, value in {**changed, **CALM}.items() for word in ("--set", f"{key}={value}")]
        asked = [str(LOCKWALK), "systems", "--parameters", "--system", system, *sets]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return system, sets


@pytest.mark.parametrize("seed", range(1, 1 + (5 * SEEDS if RECORDED else 2)))
def test_a_drawn_unit(lockwalk, monkeypatch, seed):
    monkeypatch.setenv("LOCKWALK_RUNS", "short")
    system, sets = drawn(seed)
    run = lockwalk("cosim", "--system", system, *sets, "--workload", "random", "--max-requests", "1500", "--seed", seed,
                   figures=True)
    assert run.status == 0, run.err[-4000:]
    assert run.figures["compared_cycles"] == run.figures["cycles"] > 1500
    assert run.figures["requests"] == run.figures["responses"] == 1500
