"""The C side: clean under AddressSanitizer and UndefinedBehaviourSanitizer in every system, and in the small ones
under valgrind's memcheck."""

import subprocess

import pytest

from tests.harness.program import build_program
from tools.project import ROOT

NEEDS = ["checks"]

# All who look on, too.
ONLOOKERS = ["--stages", "--konata", "/dev/null", "--perfetto", "/dev/null", "--coverage", "/dev/null"]
SYSTEMS = sorted(p.stem for p in (ROOT / "systems").glob("*.ini"))


def workload(system, requests=2000):
    if system.startswith("stress"):
        return ["--workload", "random", "--max-requests", str(requests)]
    return ["--workload", "atax", "--max-iters", "1", "--max-requests", "600"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_sanitizers(system):
    program = build_program("sanitized", "SANITIZE=1")
    done = subprocess.run([program, "model", "--system", system, *workload(system), *ONLOOKERS], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]


# Slower than the sanitizers: one small system of each kind, which together reach every part of the unit; the gate has
# those whose C is most another's. Their pages lie as the operating system finds them soonest.
@pytest.mark.parametrize("system", [
    "stress_small", "stress_full_colt", "stress_hashed", "stress_shared", "stress_data", "stress_dram",
    *(pytest.param(system, marks=pytest.mark.recorded)
      for system in ("stress_address", "stress_five", "stress_mesc", "stress_sram"))])
def test_valgrind(system):
    program = build_program("valgrind", "SANITIZE=memcheck")
    done = subprocess.run(["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", program,
                           "model", "--system", system, *workload(system, 100), "--set", "mapping=contiguous",
                           *ONLOOKERS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
