"""RTL and C twin in lockstep over the catalogue: every port and register in every cycle, every
response against the oracle, and the sum of compared cycles."""

import fcntl
import json

import pytest

from tests.harness.catalogue import ALONE, COMPARED, RUNS
from tests.harness.systems import setting
from tools.project import ROOT

NEEDS = ["checks"]

TALLY = ROOT / "build" / "compared.json"
NAMES = ["-".join((system, workload, str(seed))) for system, workload, seed, _ in RUNS]


def record(name, cycles):
    """Adds a run to the tally that the workers share."""
    with open(TALLY, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        tally = json.loads(file.read() or "{}")
        tally[name] = cycles
        file.seek(0)
        file.truncate()
        file.write(json.dumps(tally))
    return sum(tally.get(n, 0) for n in NAMES), all(n in tally for n in NAMES)


@pytest.mark.parametrize(("system", "workload", "seed", "options"), RUNS, ids=NAMES)
def test_lockstep(lockwalk, monkeypatch, system, workload, seed, options):
    if system in ALONE:
        monkeypatch.setenv("LOCKWALK_RUNS", "short")
    run = lockwalk("cosim", "--system", system, "--workload", workload, "--seed", seed, *options,
                   figures=True)
    assert run.status == 0, run.err[-4000:]
    f = run.figures
    assert f["mismatches"] == 0
    assert f["requests"] == f["responses"] == f["checked"] > 0
    assert f["compared_cycles"] == f["cycles"]
    # R12.6: every cycle of every walker has exactly one cause.
    walkers = int(setting(system, "walkers"))
    assert sum(f["attribution"].values()) == walkers * f["counters"]["cycles"]
    total, complete = record(f"{system}-{workload}-{seed}", f["compared_cycles"])
    if complete:
        assert total >= COMPARED, f"{total} cycles compared, {COMPARED - total} too few"


def test_every_system_runs():
    """But for `make bench`'s, whose RTL runs there."""
    systems = {path.stem for path in (ROOT / "systems").glob("*.ini")}
    missing = {s for s in systems - {run[0] for run in RUNS} if not s.startswith("bench_")}
    # What is ideal about them is the GPU's: their RTL and its requests are those of the others.
    assert missing <= {"ideal", "ideal16", "power_gpu_ideal"}, sorted(missing)


@pytest.mark.parametrize("system", ["stress_small", "stress_five", "stress_sram", "stress_full_colt", "stress_hashed"])
def test_random_start(lockwalk, system):
    """R0.2: whatever stands in what has no reset, nobody sees it."""
    run = lockwalk("cosim", "--system", system, "--workload", "random", "--max-requests", "5000",
                   "--random-start", "7", figures=True)
    assert run.status == 0, run.err[-4000:]
    assert run.figures["mismatches"] == 0
    assert run.figures["compared_cycles"] == run.figures["cycles"]
    assert run.figures["compared_state_writes"] == 0  # so it was taken: registers are not compared then


@pytest.mark.recorded
def test_debian_verilator(lockwalk, monkeypatch):
    """The same lockstep on Debian's Verilator 5.006, which unrolls every loop: of the smallest unit."""
    monkeypatch.setenv("LOCKWALK_VERILATOR", "debian")
    monkeypatch.setenv("LOCKWALK_RUNS", "short")
    run = lockwalk("cosim", "--system", "stress_one", "--workload", "random",
                   "--max-requests", "4000", figures=True)
    assert run.status == 0, run.err[-4000:]
    assert run.figures["versions"]["verilator"].startswith("5.006")
