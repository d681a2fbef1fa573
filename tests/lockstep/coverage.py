"""What the stress runs reach of the unit, in one table: `make coverage`, and the gate of `make test`.

The runs are those of the lockstep (catalogue.py), here of the twin alone, which reaches the same.
A point that none of them reaches stands in coverage.yaml with its reason; one that stands there and
is reached is out of date."""

import fnmatch
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.harness.catalogue import STRESS
from tools.project import ROOT
from tools.yaml_file import read

LOCKWALK = ROOT / "build" / "lockwalk"
UNREACHED = Path(__file__).resolve().parent / "coverage.yaml"


def reached_by(system, workload, seed, options, folder):
    """The counts of one run, by point."""
    path = Path(folder) / f"{system}-{workload}-{seed}.json"
    subprocess.run([LOCKWALK, "model", "--system", system, "--workload", workload, "--seed", str(seed),
                    *options, "--no-progress", "--coverage", path],
                   check=True, capture_output=True)
    return json.loads(path.read_text())


def total(runs=None):
    """{point: cycles} over the runs: (system, workload, seeds, options) each."""
    runs = STRESS if runs is None else runs
    counts = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(reached_by, system, workload, seed, options, folder)
                for system, workload, seeds, options in runs for seed in seeds]
        for job in jobs:
            for point, count in job.result().items():
                counts[point] = counts.get(point, 0) + count
    return counts


def reasons(path=UNREACHED):
    """{pattern: why no test reaches the points of that name}"""
    return read(path)


def wrong(counts, listed):
    """Sentences: points neither reached nor listed, listed and reached, patterns that name none."""
    said = []
    for point, count in counts.items():
        patterns = [p for p in listed if fnmatch.fnmatchcase(point, p)]
        if count == 0 and not patterns:
            said.append(f"no test reaches \"{point}\", and coverage.yaml gives no reason")
        if count != 0 and patterns:
            said.append(f"\"{point}\" is reached {count} times; coverage.yaml says it is not")
    return said + [f"coverage.yaml: \"{pattern}\" names no point"
                   for pattern in listed if not fnmatch.filter(counts, pattern)]


def print_table(counts, listed):
    group = None
    for point, count in counts.items():
        name, _, rest = point.partition(": ")
        if name != group:
            print(f"\n{name}")
            group = name
        why = [listed[p] for p in listed if fnmatch.fnmatchcase(point, p)]
        print(f"  {rest:<48} {count:>12}{'  ' + why[0] if why else ''}")
    reached = sum(count != 0 for count in counts.values())
    print(f"\n{reached} of {len(counts)} points reached")


def main():
    counts = total()
    listed = reasons()
    print_table(counts, listed)
    said = wrong(counts, listed)
    print("\n".join(said), end="\n" if said else "")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
