"""The program for long runs, built by what it did in short ones (`make profiled`): it gives the same figures. That is a
recorded run's to show, since it is built twice; the gate sees that what it is trained by can be run."""

import json
import re
import subprocess

import pytest

from tests.harness.make import made
from tests.harness.program import LOCKWALK
from tools.project import ROOT

PROFILED = ROOT / "build" / "profiled" / "lockwalk"

# Two that it was trained by, made shorter; the rest are ways through the program that it was not.
RUNS = [
    "model --system nha --workload sequential --max-requests 20000 --stages",
    "model --system mesc --workload atax --max-iters 1 --set data=1 --set dram=mesc_1ghz",
    "model --system full_colt --workload hotspot --max-groups 64 --set pte_cache_kib=8 --set dram=ddr3_1600",
    "model --system stress_shared_both --workload phases --max-requests 5000",
    "model --system baseline --stream tests/data/streams/loop.champsim --through tlbs",
    "cosim --system stress_small --workload random --max-requests 3000",
]


def make_profiled():
    """About a minute of processor time, most of it linking; nothing where it is up to date."""
    made("profiled", lock="profiled.lock")


def figures(program, run, path):
    """The whole JSON of a run, which names the path too."""
    done = subprocess.run([program, *run.split(), "--json", path], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(path.read_text())


def was_trained(part):
    """Whether the training has run most functions of a source. What it has not run gcc takes for rare, and builds small
    and far away."""
    counts = subprocess.run(["gcov-dump", PROFILED.parent / "obj" / f"{part}.gcda"], capture_output=True, text=True,
                            check=True)
    functions = [line for line in counts.stdout.splitlines() if "COUNTERS arcs" in line]
    return sum("all zero" not in line for line in functions) > len(functions) / 2


TRAINING = re.findall('"(.+?)"', (ROOT / "mk" / "c.mk").read_text().partition("\nTRAINING ")[2].partition("\n\n")[0])


@pytest.mark.parametrize("run", TRAINING)
def test_training_can_be_run(run):
    done = subprocess.run([LOCKWALK, *run.split()], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.recorded
def test_profiled(tmp_path):
    """One test, since of two both workers would wait for the build."""
    make_profiled()
    for run in RUNS:
        plain = figures(LOCKWALK, run, tmp_path / "figures.json")
        assert plain["cycles"] > 0
        assert figures(PROFILED, run, tmp_path / "figures.json") == plain, run
    for part in ("c_model/iommu", "sim/environment/environment", "oracle/oracle", "dpi/session", "dpi/state_net"):
        assert was_trained(part), part
