"""The C unit tests (cmocka), under AddressSanitizer and UndefinedBehaviourSanitizer; the optimised build is what all
other tests run."""

import os
import subprocess

import pytest

from tests.harness.make import made
from tools.project import ROOT

UNIT = ROOT / "tests" / "unit"
TESTS = sorted(str(p.relative_to(UNIT).with_suffix("")) for p in UNIT.rglob("test_*.c"))
FOLDER = "build/sanitized"


@pytest.fixture(scope="session")
def built(request):
    """Makes all that was asked for at once: only then has the compiler work for every core."""
    names = [item.callspec.params["name"] for item in request.session.items if item.name.startswith("test_unit[")]
    made(f"-j{os.cpu_count() or 1}", f"B={FOLDER}", "SANITIZE=1", *(f"{FOLDER}/unit/{name}" for name in names),
         lock="sanitized.lock")


@pytest.mark.parametrize("name", TESTS)
def test_unit(built, name):
    done = subprocess.run([f"{FOLDER}/unit/{name}"], cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, "LW_TEST_DATA": "tests/data", "LOCKWALK_RUNS": "tests"})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
