"""Runs the tests with pytest on all cores and ends with the one line `N passed, N failed`."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tools.project import ROOT

TESTS = ROOT / "tests"
NEEDS = re.compile(r"^NEEDS = \[(.*)\]$", re.M)
# The options of pytest after which a value stands, or may: of the long ones it may with each.
WITH_VALUE = re.compile(r"-[ckmnoprW]$|--[^=]+$")


def files_of(arguments):
    """The files and folders that are named among pytest's arguments: all words but options, and but what may be the
    value of one and does not look like a file."""
    words = [(before, word.split("::")[0]) for before, word in zip(["", *arguments], arguments, strict=False)
             if not word.startswith("-")]
    return [name for before, name in words if "/" in name or name.endswith(".py") or not WITH_VALUE.match(before)]


def needs(selected):
    """The parts of setup.sh that the selected tests name in their NEEDS."""
    paths = [ROOT / name for name in files_of(selected)]
    files = [file for path in paths or [TESTS] for file in (path.rglob("test_*.py") if path.is_dir() else [path])]
    listed = [found[1] for file in files if file.is_file() and (found := NEEDS.search(file.read_text()))]
    return sorted({part for parts in listed for part in re.findall(r"\w+", parts)})


def prepare(parts):
    """What the tests need is fetched while the program is built: one waits for the network, one for the compiler."""
    # The jobs of the make that runs the tests are not for this one to share.
    flags = re.sub(r"(^| )-?j\d*(?= |$)|--jobserver\S+", "", os.environ.get("MAKEFLAGS", ""))
    with subprocess.Popen(["make", "-s", "build"], env={**os.environ, "MAKEFLAGS": flags}) as build:
        fetched = subprocess.run(["./setup.sh", *parts], check=False).returncode
    return build.returncode == 0 and fetched == 0


class Tally:
    """Counts what pytest reports; with xdist the controller sees every worker's reports."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed += 1
        elif report.failed:
            self.failed += 1
        elif report.skipped:
            self.skipped += 1

    def pytest_collectreport(self, report):
        self.failed += report.failed


def main():
    os.chdir(ROOT)
    seeds = os.environ.get("LOCKSTEP_SEEDS", "")
    if not re.fullmatch(r"|[1-9]\d{0,5}", seeds):
        print(f"lockwalk: LOCKSTEP_SEEDS is \"{seeds}\"; allowed: a whole number from 1 on", file=sys.stderr)
        return 2
    for path in files_of(sys.argv[1:]):
        if not Path(path).exists():
            print(f"lockwalk: TESTS names \"{path}\", which is not there; allowed: files and folders, like tests/synth",
                  file=sys.stderr)
            return 2
    if not prepare(needs(sys.argv[1:])):
        return 2
    import pytest

    # Most builds of the tests run for seconds: for them the compiler is the longer wait.
    os.environ["LOCKWALK_RUNS"] = "tests"
    subprocess.run(["./build/lockwalk", "--version"], check=False)
    tally = Tally()
    selected = sys.argv[1:] or ["tests"]
    # A list of cases that has become empty is no test that was skipped.
    status = pytest.main(["-q", "-n", str(os.cpu_count() or 1), "--dist", "worksteal", "-p", "no:cacheprovider",
                          "-o", "empty_parameter_set_mark=fail_at_collect", "--durations=40", "--durations-min=10",
                          *selected], plugins=[tally])
    if tally.skipped:
        print(f"{tally.skipped} skipped")
    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
    return 0 if status == 0 and tally.failed == 0 and tally.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
