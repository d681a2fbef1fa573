"""Runs the tests with pytest on all cores and ends with the one line `N passed, N failed`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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
    import pytest

    os.chdir(ROOT)
    # Most builds of the tests run for seconds: for them the compiler is the longer wait.
    os.environ["LOCKWALK_RUNS"] = "tests"
    subprocess.run(["./build/lockwalk", "--version"], check=False)
    tally = Tally()
    selected = sys.argv[1:] or ["tests"]
    status = pytest.main(["-q", "-n", str(os.cpu_count() or 1), "--dist", "worksteal",
                          "-p", "no:cacheprovider", "--durations=40", "--durations-min=10", *selected], plugins=[tally])
    if tally.skipped:
        print(f"{tally.skipped} skipped")
    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
    return 0 if status == 0 and tally.failed == 0 and tally.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
