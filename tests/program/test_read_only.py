"""From a project that cannot be written, what is built runs; what is not, or is too old, is one sentence."""

import os
import re
import shutil
import subprocess

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

RUN = ["cosim", "--system", "stress_small", "--workload", "random", "--max-requests", "300"]
# For root the permissions of files hold only without this capability.
PREFIX = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []


def build_name():
    """The folder of the system's RTL below build/rtl (dpi/rtl_library.c)."""
    done = subprocess.run([LOCKWALK, "systems", "--parameters", "--system", "stress_small"], capture_output=True,
                          text=True,
                          check=True)
    runs = os.environ.get("LOCKWALK_RUNS", "")
    return "_".join(re.findall(r"=(\d+)", done.stdout)) + (f"-{runs}" if runs else "")


@pytest.fixture
def project(tmp_path):
    """All is linked but build/, which is as after a run, and cannot be written when `run` runs."""
    built = subprocess.run([LOCKWALK, *RUN], cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for part in ROOT.iterdir():
        if part.name not in ("build", "tests", ".git"):
            (tmp_path / part.name).symlink_to(part)
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    rtl = tmp_path / "build" / "rtl"
    rtl.mkdir(parents=True)
    (tmp_path / "build" / "gen").symlink_to(ROOT / "build" / "gen")
    (rtl / "runtime").symlink_to(ROOT / "build" / "rtl" / "runtime")
    shutil.copy(LOCKWALK, tmp_path / "build" / "lockwalk")
    shutil.copytree(ROOT / "build" / "rtl" / build_name(), rtl / build_name())
    return tmp_path


def run(project, *arguments):
    parts = [project, project / "build", *(project / "build").rglob("*")]
    modes = {path: path.stat().st_mode for path in parts if not path.is_symlink()}
    for path, mode in modes.items():
        path.chmod(mode & 0o555)
    try:
        return subprocess.run([*PREFIX, project / "build" / "lockwalk", *arguments], cwd="/", capture_output=True,
                              text=True, check=False)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def test_what_is_built_runs(project):
    done = run(project, *RUN)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert " 0 mismatches" in done.stdout


def test_mismatch_says_who_is_wrong(project):
    """Without waves: there is no place for them."""
    done = run(project, *RUN, "--inject-twin", "COUNTER[0].COUNT.7@1000")
    assert done.returncode == 1 and "RTL answers all" in done.stderr and "\nwaves:" not in done.stderr, done.stderr


def test_shrinking_has_no_place(project):
    done = run(project, "shrink", *RUN[1:])
    assert done.returncode == 2
    assert done.stderr == f"lockwalk: {project}/build/shrunk cannot be made (Permission denied)\n"


def test_what_is_too_old_does_not(project):
    library = project / "build" / "rtl" / build_name() / "librtl.so"
    os.utime(library, (0, 0))
    done = run(project, *RUN)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "the RTL is older than its sources, and cannot be built there (Permission denied)" in done.stderr


def test_what_is_not_built_does_not(project):
    done = run(project, *RUN, "--set", "walkers=3")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "the RTL is not there, and cannot be built there (Permission denied)" in done.stderr
