"""What pytest hands to every test that asks for it: the program, and running it for its JSON."""

import json
import subprocess

import pytest

from tests.harness.catalogue import RECORDED
from tests.harness.program import LOCKWALK
from tools.project import ROOT


def pytest_collection_modifyitems(config, items):
    """What is marked `recorded` is left out of the gate."""
    left = [] if RECORDED else [item for item in items if item.get_closest_marker("recorded")]
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=left)


class Run:
    """One finished run of the program."""

    def __init__(self, done, figures):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr
        self.figures = figures


@pytest.fixture
def lockwalk(tmp_path):
    """Calls build/lockwalk; with figures=True also reads what it wrote with --json."""

    def call(*arguments, figures=False, cwd=ROOT):
        command = [str(LOCKWALK), *(a if isinstance(a, bytes) else str(a) for a in arguments)]
        path = tmp_path / "figures.json"
        if figures:
            command += ["--json", str(path)]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
        return Run(done, json.loads(path.read_text()) if figures and path.exists() else None)

    return call
