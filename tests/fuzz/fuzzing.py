"""Random input for the readers of the program's files (`make fuzz`): for each libFuzzer changes files that are good,
keeps what reaches new code, and stops at what a reader does not keep to (tests/fuzz/fuzz_*.c). What it stops at it
keeps in tests/fuzz/found/, which `make test` reads again."""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.harness.make import alone, make
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

FOUND = ROOT / "tests" / "fuzz" / "found"
# Files to begin with.
SEEDS = {
    "address_map": ["tests/fuzz/seeds/address_map/*"],
    "dram": ["systems/dram/*.ini"],
    "energy": ["systems/energy/*.ini"],
    "frames": ["tests/fuzz/seeds/frames/*"],
    "kernel_trace": ["tests/data/trace/*.traceg*", "tests/data/trace6/*.traceg*"],
    "stream": ["tests/data/streams/*", "tests/data/requests.stream"],
    "system": ["systems/*.ini"],
    "trace_list": ["tests/data/trace/kernelslist.g", "tests/data/trace6/kernelslist.g"],
}
LONGEST = 65536  # bytes of an input


@dataclass(frozen=True)
class Result:
    runs: int
    reached: int  # edges of the reader's code, as libFuzzer counts them
    broken: str  # what it did not keep to; "" where it kept to all
    found: list  # inputs that it stopped at


def build():
    with alone("fuzz/lock"):
        done = make("-s", "fuzzers")
    if done.returncode != 0:
        raise Refusal(f"the fuzzers cannot be built: {done.stderr.strip()}")


def start(reader, arguments):
    """The fuzzer, with a folder for the files that it hands to its reader. Memory that a reader asks for in vain is its
    own to refuse, not the end of the fuzzer."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [ROOT / "build" / "fuzz" / reader, *arguments], cwd=ROOT, capture_output=True, text=True, errors="replace",
            check=False, env={**os.environ, "FUZZ_FOLDER": folder, "ASAN_OPTIONS": "allocator_may_return_null=1"})


def seeds(reader):
    """The files from which a fuzzer begins; each pattern has some."""
    found = [sorted(path for path in ROOT.glob(pattern) if path.is_file()) for pattern in SEEDS[reader]]
    if not all(found):
        raise Refusal(f"{reader}: {SEEDS[reader][found.index([])]} names no file")
    return sorted(path for paths in found for path in paths)


def fuzz(reader, corpus, keep, limit, seed=1):
    """Runs one fuzzer within a limit of libFuzzer's (-runs=N, -max_total_time=N). What reaches new code goes to
    `corpus`, what it stops at to `keep`; each is a folder."""
    corpus.mkdir(parents=True, exist_ok=True)
    keep.mkdir(parents=True, exist_ok=True)
    before = set(keep.iterdir())
    with tempfile.TemporaryDirectory() as begin:
        for n, path in enumerate(seeds(reader)):
            (Path(begin) / f"{n}").write_bytes(path.read_bytes())
        done = start(reader, [limit, f"-seed={seed}", f"-max_len={LONGEST}", "-timeout=20", "-rss_limit_mb=4096",
                              "-print_final_stats=1", f"-artifact_prefix={keep}/", corpus, begin])
    result = told(done, sorted(set(keep.iterdir()) - before))
    if not any(keep.iterdir()):
        keep.rmdir()
    return result


def again(reader, inputs):
    """What the fuzzer says of inputs that are there."""
    return told(start(reader, inputs), [])


def told(done, found):
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    reached = re.findall(r"cov: (\d+)", done.stderr)
    broken = re.search(r"fuzz: broken: .*|ERROR: .*|SUMMARY: .*|.*runtime error: .*", done.stderr)
    return Result(int(runs[1]) if runs else 0, int(reached[-1]) if reached else 0,
                  "" if done.returncode == 0 else broken[0] if broken else done.stderr[-1000:], found)


def main():
    parser = Parser(prog="fuzzing.py", description=__doc__)
    parser.add_argument("--reader", metavar="NAME", help=f"this one alone, of {', '.join(sorted(SEEDS))} [all]")
    parser.add_argument("--seconds", type=int, default=60, help="for each [60]")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn [1]")
    told_to = parser.parse_args()
    if told_to.reader is not None and told_to.reader not in SEEDS:
        raise Refusal(f"--reader: \"{told_to.reader}\" is none; allowed: {', '.join(sorted(SEEDS))}")
    if told_to.seconds < 1 or told_to.seed < 1:
        raise Refusal("--seconds and --seed: allowed: whole numbers from 1 on")
    build()
    print("reader          inputs  code reached")
    bad = 0
    for reader in [told_to.reader] if told_to.reader else sorted(SEEDS):
        result = fuzz(reader, ROOT / "build" / "fuzz" / "corpus" / reader, FOUND / reader,
                      f"-max_total_time={told_to.seconds}", told_to.seed)
        print(f"{reader:13}{result.runs:9}{result.reached:14}  {result.broken}", flush=True)
        for path in result.found:
            print(f"  {path.relative_to(ROOT)}")
        bad += result.broken != ""
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(guarded(main, "fuzz"))
