"""Who would notice a broken line: lines changed at random, one at a time, and what barks (`make mutation`).

A change is one of universalmutator's for C (an operator, a constant, a condition, a statement that goes), drawn by a
seed; those that the compiler refuses, or makes the same code of, are drawn again. One of the twin is judged twice. In
the lockstep, where the RTL is whole, a change that no run notices is of a corner that no stream reaches; so is one of
the RTL, which only the lockstep judges. Without the RTL, as if both sides were broken alike: the contract tester, the
unit tests and the oracle, which know the document and the papers and not the other side. Of the machine around the unit
(sim) and of the oracle, which RTL and twin share, the lockstep cannot know better: their unit tests judge them. What
nobody notices is printed with its line: it changes nothing that anybody was promised, or it names a test that is
missing."""

import argparse
import contextlib
import difflib
import hashlib
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from universalmutator import mutator

from tests.harness.catalogue import STRESS_SYSTEMS
from tests.harness.mutants import BUILD, Copy, Judged
from tests.harness.systems import parameters_of
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

# Lines of these may be changed, or of folders in them: sources with this ending.
PARTS = {"c_model": "*.c", "sim": "*.c", "oracle": "*.c", "rtl": "*.sv"}
RULES = ["universal.rules", "c_like.rules", "c.rules"]
JUDGES = {"lockstep": "in the lockstep", "without_rtl": "without the RTL", "unit_tests": "by the unit tests"}
LOCKSTEP_REQUESTS, ORACLE_REQUESTS = 3000, 8000
PATIENCE = 120  # seconds: a change may hang what it is in
# Of the RTL: on so many systems that a change reaches, as a build takes half a minute.
RTL_SYSTEMS = 5
RTL_RUNS = [["random", "--max-requests", "3000", "--resets", "3"], ["phases", "--max-requests", "4000"]]
# What only declares has a change of its width that nobody sees; a wrong one Verilator's lint refuses.
DECLARES = re.compile(r"\s*(logic|input|output|parameter|localparam|typedef|function|module|import|for|end)\b")


def changes_of(path):
    """[(number of the line, the line as it would be)] of a source."""
    lines = path.read_text().splitlines(keepends=True)
    with contextlib.redirect_stdout(io.StringIO()):
        drawn = mutator.mutants_regexp(lines, ruleFiles=RULES, ignorePatterns=[])
    return [(number, line) for number, line, *_ in drawn
            if path.suffix == ".c" or not DECLARES.match(lines[number - 1])]


def changed(text, number, line):
    lines = text.splitlines(keepends=True)
    lines[number - 1] = line
    return "".join(lines)


def units(part):
    folder = ROOT / "tests" / "unit"
    return sorted(str(path.relative_to(folder).with_suffix("")) for path in (folder / part).rglob("test_*.c"))


def nearest_first(names, file):
    """The unit tests in the order in which they are asked about a file: those of its folder before the others."""
    return sorted(names, key=lambda name: Path(name).parent != file.parent)


def status(folder, patience, *command, **environment):
    """The exit status; None where it had to be ended."""
    try:
        return subprocess.run([*map(str, command)], cwd=folder, capture_output=True, check=False, timeout=patience,
                              env={**os.environ, **environment}).returncode
    except subprocess.TimeoutExpired:
        return None


class RtlBench:
    """A copy of the project in which one line of the RTL after the other is changed; the lockstep judges."""

    BUILDS = "build/mutated"
    BUILD_PATIENCE = 600  # seconds: the compiler's are among them

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.copy = Copy(folder, "rtl", in_c=False)
        (folder / "tests" / "unit").mkdir()  # where the Makefile looks for unit tests
        self.folder = folder
        self.known = {}  # {system: what its code has been}

    def code_of(self, system):
        """Of what Verilator makes of the RTL as it is now; None where it refuses it."""
        to = self.folder / self.BUILDS / system
        options = " ".join(f"-G{parameter}" for parameter in parameters_of(system))
        made = self.copy.run("make", "-s", f"R={self.BUILDS}/{system}", f"OPTIONS={options}", "RUNS=short",
                             f"{self.BUILDS}/{system}/verilated.stamp", status=(0, 2))
        if made.returncode != 0:
            return None
        return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(to.glob("V*.cpp")))).hexdigest()

    def in_lockstep(self, system):
        """Whether a run notices."""
        for run in RTL_RUNS:
            ended = status(self.folder, self.BUILD_PATIENCE, "build/lockwalk", "cosim", "--no-progress", "--system",
                           system, "--workload", *run, LOCKWALK_RUNS="short")
            assert ended in (None, 0, 1), f"{system}: exit status {ended}"
            if ended != 0:
                return True
        return False

    def judge(self, file, number, line):
        """What noticed the change; None where no system has it."""
        path = self.folder / file
        whole = path.read_text()
        reached = 0
        try:
            for system, _, _ in STRESS_SYSTEMS:
                path.write_text(whole)
                if system not in self.known:
                    self.known[system] = {self.code_of(system)}
                path.write_text(changed(whole, number, line))
                code = self.code_of(system)
                if code is None:
                    return None
                if code in self.known[system]:
                    continue
                self.known[system].add(code)
                if self.in_lockstep(system):
                    return {"lockstep": system}
                reached += 1
                if reached == RTL_SYSTEMS:
                    break
            return {"lockstep": None} if reached > 0 else None
        finally:
            path.write_text(whole)


class Bench:
    """A copy of the project in which one line after the other of a part is changed, and those that judge it."""

    def __init__(self, folder, part, judge=None):
        top = Path(part).parts[0]
        self.copy = Judged(folder, top)
        self.folder = folder
        self.units = units(top)
        self.judges, programs = {"unit_tests": self.by_unit_tests}, []
        if top == "c_model":
            both = {"lockstep": self.in_lockstep, "without_rtl": self.without_rtl}
            self.judges = {name: both[name] for name in ([judge] if judge else both)}
            programs = ["lockwalk", "contract/contract"]
        self.copy.make(*programs, *(f"unit/{name}" for name in self.units))
        self.code = {}

    def code_of(self, file):
        """Of the object of a source as it is now, without what is for debuggers; None where it is refused."""
        made = self.copy.make(f"obj/{file.with_suffix('.o')}", status=(0, 2))
        if made.returncode != 0:
            return None
        with tempfile.NamedTemporaryFile() as bare:
            subprocess.run(["objcopy", "--strip-debug", self.folder / BUILD / "obj" / file.with_suffix(".o"), bare.name],
                           check=True)
            return hashlib.sha256(Path(bare.name).read_bytes()).hexdigest()

    def passes(self, *command, **environment):
        return status(self.folder, PATIENCE, *command, LOCKWALK_RUNS="tests", **environment) == 0

    def lockwalk(self, command, system, requests):
        return self.passes(f"{BUILD}/lockwalk", command, "--system", system, "--workload", "random",
                           "--max-requests", requests, "--no-progress")

    def in_lockstep(self, _):
        """The first system whose lockstep notices, or None."""
        self.copy.make("lockwalk")
        return next((system for system, _, _ in STRESS_SYSTEMS
                     if not self.lockwalk("cosim", system, LOCKSTEP_REQUESTS)), None)

    def by_unit_tests(self, file):
        """The first unit test that notices, or None."""
        for _, names in itertools.groupby(nearest_first(self.units, file), key=lambda name: Path(name).parent):
            tests = [f"unit/{name}" for name in names]
            self.copy.make(*tests)
            for test in tests:
                if not self.passes(f"{BUILD}/{test}", **Judged.UNIT_TESTS):
                    return test.replace("/", " test ", 1)
        return None

    def without_rtl(self, file):
        """The first that notices of those who do not know the RTL, or None."""
        self.copy.make("contract/contract")
        if not self.passes(f"{BUILD}/contract/contract", "--seeds", "1..100", "--failures", "1"):
            return "contract tester"
        if (unit := self.by_unit_tests(file)) is not None:
            return unit
        return next((f"oracle, {system}" for system, _, _ in STRESS_SYSTEMS
                     if not self.lockwalk("model", system, ORACLE_REQUESTS)), None)

    def judge(self, file, number, line):
        """What noticed the change; None where it is none."""
        path = self.folder / file
        whole = path.read_text()
        self.code.setdefault(file, {self.code_of(file)})
        try:
            path.write_text(changed(whole, number, line))
            code = self.code_of(file)
            if code is None or code in self.code[file]:
                return None
            self.code[file].add(code)
            return {key: noticed(file) for key, noticed in self.judges.items()}
        finally:
            path.write_text(whole)


class Campaign:
    """Changes in the order in which they are drawn, until so many have been judged."""

    def __init__(self, options, file):
        self.options = options
        self.file = file  # a line for each as it is judged
        self.lock = threading.Lock()
        sources = sorted(path.relative_to(ROOT) for path in sources_of(Path(options.part)))
        self.drawn = [(file, *change) for file in sources for change in changes_of(ROOT / file)]
        random.Random(options.seed).shuffle(self.drawn)
        self.records = []

    def next(self):
        with self.lock:
            return self.drawn.pop() if self.drawn and len(self.records) < self.options.mutants else None

    def add(self, record):
        with self.lock:
            self.records.append(record)
            try:
                print(json.dumps(record), file=self.file, flush=True)
            except OSError as error:
                self.drawn = []  # the others end too, with what they are at
                raise not_written(self.options, error) from error
            if sys.stderr.isatty():
                print(f"\r{len(self.records)} of {self.options.mutants}", end="", file=sys.stderr)

    def work(self, folder):
        part = self.options.part
        bench = RtlBench(folder) if Path(part).parts[0] == "rtl" else Bench(folder, part, self.options.judge)
        while (change := self.next()) is not None:
            file, number, line = change
            noticed = bench.judge(file, number, line)
            if noticed is not None:
                self.add({"file": str(file), "line": number, "becomes": line, **noticed})


def difference(record):
    whole = (ROOT / record["file"]).read_text()
    lines = difflib.unified_diff(whole.splitlines(), changed(whole, record["line"], record["becomes"]).splitlines(),
                                 n=2, lineterm="")
    return "\n".join(f"    {line}" for line in list(lines)[2:])


def kind_of(who):
    """Of the systems of the lockstep each one, of the unit tests and the oracle's runs all together."""
    return next((kind for kind in ("unit test", "oracle") if who.startswith(kind)), who)


def not_noticed(record):
    """Where nobody notices the change: a sentence's end, or None."""
    where = [words for key, words in JUDGES.items() if key in record and record[key] is None]
    return " and not ".join(where) or None


def print_summary(part, records):
    print(f"{len(records)} changes of {part}, one at a time; who noticed first")
    for key, words in JUDGES.items():
        if not any(key in record for record in records):
            continue
        kinds = Counter(kind_of(record[key]) for record in records if record[key] is not None)
        print(f"  {words:<24} {kinds.total():>5}")
        for kind, count in kinds.most_common():
            print(f"    {kind:<22} {count:>5}")
    for record in records:
        where = not_noticed(record)
        if where is not None:
            print(f"\n{record['file']}:{record['line']}: not noticed {where}\n{difference(record)}")


def sources_of(part):
    return (ROOT / part).rglob(PARTS[part.parts[0]])


def folder_of_sources(text):
    part = Path(text)
    if part.parts[:1] not in [(top,) for top in PARTS] or ".." in part.parts or not any(sources_of(part)):
        raise argparse.ArgumentTypeError(f"is \"{text}\"; allowed: {', '.join(PARTS)} or a folder of sources in one")
    return part.as_posix()


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"is \"{text}\"; allowed: a whole number from 1 on")
    return int(text)


def not_written(options, error):
    return Refusal(f"--json: {options.json} cannot be written ({error.strerror}); allowed: a file")


def main():
    parser = Parser(prog="campaign.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--part", type=folder_of_sources, default="c_model", metavar="FOLDER",
                        help="whose lines are changed: c_model, sim, oracle, rtl or a folder in one [c_model]")
    parser.add_argument("--mutants", type=positive, default=100,
                        help="so many changes, and those that are under way by then [100]")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn [1]")
    parser.add_argument("--judge", choices=["lockstep", "without_rtl"],
                        help="of c_model: only in the lockstep, or only without the RTL [both]")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="side by side [one on each processor]")
    parser.add_argument("--json", default=str(ROOT / "build" / "mutation.jsonl"), metavar="FILE",
                        help="a line for each change as it is judged [build/mutation.jsonl]")
    options = parser.parse_args()
    if options.judge and Path(options.part).parts[0] != "c_model":
        raise Refusal(f"--judge: {options.part} has one judge alone; allowed: with --part c_model")
    try:
        file = open(options.json, "w", encoding="utf-8")
    except OSError as error:
        raise not_written(options, error) from error
    folder = ROOT / "build" / "mutation"
    shutil.rmtree(folder, ignore_errors=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        campaign = Campaign(options, file)
        for job in [pool.submit(campaign.work, folder / str(number)) for number in range(options.jobs)]:
            job.result()
    file.close()
    print_summary(options.part, campaign.records)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main, "mutation"))
