"""The C unit tests (cmocka), plain and under AddressSanitizer and UndefinedBehaviourSanitizer."""

import os
import subprocess

import pytest
from conftest import ROOT

UNIT = ROOT / "tests" / "unit"
TESTS = sorted(str(p.relative_to(UNIT).with_suffix("")) for p in UNIT.rglob("test_*.c"))
BUILDS = {"plain": ["B=build"], "sanitized": ["B=build/sanitized", "SANITIZE=1"]}


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("name", TESTS)
def test_unit(name, build):
    folder = BUILDS[build][0].removeprefix("B=")
    binary = f"{folder}/unit/{name}"
    # One make at a time in a build folder.
    made = subprocess.run(["flock", f"build/{build}.lock", "make", "-s", *BUILDS[build], binary],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    done = subprocess.run([binary], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, "LW_TEST_DATA": "tests/data", "LOCKWALK_RUNS": "short"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
