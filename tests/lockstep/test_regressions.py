"""Seeds that failed once are run for ever (tests/regressions.list)."""

import shlex

import pytest

from tools.project import ROOT

LINES = [line for line in (ROOT / "tests" / "regressions.list").read_text().splitlines()
         if line and not line.startswith("#")]


@pytest.mark.parametrize("line", LINES)
def test_regression(lockwalk, line):
    run = lockwalk("cosim", *shlex.split(line))
    assert run.status == 0, run.err[-4000:]
