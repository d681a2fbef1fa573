"""The C unit tests (cmocka), under AddressSanitizer and UndefinedBehaviourSanitizer; the optimised build is what all
other tests run."""

import os
import subprocess

import pytest
from conftest import ROOT

UNIT = ROOT / "tests" / "unit"
TESTS = sorted(str(p.relative_to(UNIT).with_suffix("")) for p in UNIT.rglob("test_*.c"))
FOLDER = "build/sanitized"


@pytest.mark.parametrize("name", TESTS)
def test_unit(name):
    binary = f"{FOLDER}/unit/{name}"
    # One make at a time in a build folder, so that it takes the cores of those who wait for it.
    made = subprocess.run(["flock", "build/sanitized.lock", "make", "-s", f"-j{os.cpu_count() or 1}", f"B={FOLDER}",
                           "SANITIZE=1", binary], cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    done = subprocess.run([binary], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, "LW_TEST_DATA": "tests/data", "LOCKWALK_RUNS": "short"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
