"""The benches of the campaign (campaign.py): copies of the project in which one line after the other is changed, each
with those that judge it."""

import functools
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.harness.catalogue import STRESS_SYSTEMS
from tests.harness.checkers import BARK, CASES
from tests.harness.mutants import BUILD, Copy, Judged
from tests.harness.program import made
from tests.harness.systems import parameters_of
from tools.project import ROOT

LOCKSTEP_REQUESTS, ORACLE_REQUESTS = 3000, 8000
PATIENCE = 120  # seconds: a change may hang what it is in
# Of the RTL: on so many systems that a change reaches, as a build takes half a minute; first on these, each of another
# organisation: what is hashed tables' alone is there in other words, and does the same, in every system without them.
RTL_SYSTEMS = 5
RTL_FIRST = ["stress_small", "stress_address", "stress_mesc", "stress_full_colt", "stress_hashed"]
RTL_RUNS = [["random", "--max-requests", "3000", "--resets", "3"], ["phases", "--max-requests", "4000"]]
# What joins the unit to buses is in no system: rows of tests/modules, of each width and shape.
BUS_ROWS = ["axi_reader_64", "axi_reader_512", "axi_reader_one", "axi_lite_control", "axi_lite_control_five",
            "iommu_axi_64", "iommu_axi_512"]
BUS_CYCLES = 20000


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


class CheckerBench:
    """A copy of the project in which one line of the checkers after the other is changed; their benches judge."""

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.copy = Copy(folder, "tb", in_c=False)
        self.folder = folder
        shutil.copytree(ROOT / "tests" / "checkers", folder / "tests" / "checkers")
        (folder / "tests" / "unit").mkdir()  # where the Makefile looks for unit tests
        self.top = folder / "tests" / "checkers" / "checkers_top.sv"
        self.known = {}  # {checker: what its code has been}

    def code_of(self, checker):
        """Of what Verilator makes of it and its bench, and of no other; None where it refuses it."""
        whole = (ROOT / "tests" / "checkers" / "checkers_top.sv").read_text()
        self.top.write_text(re.sub(r" *`BENCH\((\w+)\)\n", lambda b: b[0] if b[1] == checker else "", whole))
        made = self.copy.run("make", "-s", "build/checkers/verilated.stamp", status=(0, 2))
        if made.returncode != 0:
            return None
        made = sorted((self.folder / "build" / "checkers").glob("V*.cpp"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in made)).hexdigest()

    def barks(self, *arguments):
        """{(checker, assertion)} that bark; None where the bench has to be ended."""
        try:
            done = subprocess.run([self.folder / "build" / "checkers" / "run", *arguments], capture_output=True,
                                  text=True, check=False, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        return set(BARK.findall(done.stdout)) if done.returncode == 0 else None

    def in_the_bench(self, checker):
        """The first case that notices, or None."""
        self.copy.run("make", "-s", "build/checkers/run")
        if self.barks() != set():
            return "bench, at rest"
        for _, label, name in (case for case in CASES if case[0] == checker):
            if self.barks(f"+{checker}={name}") != set() or \
                    self.barks(f"+{checker}={name}", "+bad=1") != {(checker, label)}:
                return f"bench, {name}"
        return None

    def judge(self, file, number, line):
        """What noticed the change; None where it is none."""
        path, checker = self.folder / file, file.stem.removesuffix("_checker")
        whole = path.read_text()
        try:
            if checker not in self.known:
                self.known[checker] = {self.code_of(checker)}
            path.write_text(changed(whole, number, line))
            code = self.code_of(checker)
            if code is None or code in self.known[checker]:
                return None
            self.known[checker].add(code)
            return {"benches": self.in_the_bench(checker)}
        finally:
            path.write_text(whole)


def is_of_a_bus(file):
    return file.parent.name == "bus" or file.name == "iommu_axi.sv"


class RtlBench:
    """A copy of the project in which one line of the RTL after the other is changed; the lockstep judges."""

    BUILDS = "build/mutated"
    BUILD_PATIENCE = 600  # seconds: the compiler's are among them

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.copy = Copy(folder, "rtl", in_c=False)
        (folder / "tests" / "unit").mkdir()  # where the Makefile looks for unit tests
        (folder / "tests" / "modules").symlink_to(ROOT / "tests" / "modules")
        self.folder = folder
        self.known = {}  # {system or row: what its code has been}

    def verilated(self, to, *variables):
        """Of what Verilator makes of the RTL as it is now; None where it refuses it."""
        made = self.copy.run("make", "-s", *variables, f"{to}/verilated.stamp", status=(0, 2))
        if made.returncode != 0:
            return None
        written = sorted((self.folder / to).glob("V*.cpp"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in written)).hexdigest()

    @functools.cached_property
    def rows(self):
        """The program that runs them."""
        made("build/modules/lockstep", lock="modules/lock")
        return ROOT / "build/modules/lockstep"

    def row_variables(self, row):
        done = subprocess.run([self.rows, "--options", row], capture_output=True, text=True, check=True)
        return [f"KEY={row}", f"OPTIONS={done.stdout.strip()}"]

    def code_of(self, subject):
        if subject in BUS_ROWS:
            return self.verilated(f"build/modules/{subject}", *self.row_variables(subject))
        to = f"{self.BUILDS}/{subject}"
        options = " ".join(f"-G{parameter}" for parameter in parameters_of(subject))
        return self.verilated(to, f"R={to}", f"OPTIONS={options}", "RUNS=short")

    def in_lockstep(self, subject):
        """Whether a run of a system, or of a row, notices."""
        return self.row_differs(subject) if subject in BUS_ROWS else self.system_differs(subject)

    def row_differs(self, row):
        self.copy.run("make", "-s", "module-rtl", *self.row_variables(row))
        ended = status(self.folder, PATIENCE, self.rows, row, 1, BUS_CYCLES, f"build/modules/{row}/librtl.so")
        assert ended in (None, 0, 1), f"{row}: exit status {ended}"
        return ended != 0

    def system_differs(self, system):
        for run in RTL_RUNS:
            ended = status(self.folder, self.BUILD_PATIENCE, "build/lockwalk", "cosim", "--no-progress", "--system",
                           system, "--workload", *run, LOCKWALK_RUNS="short")
            assert ended in (None, 0, 1), f"{system}: exit status {ended}"
            if ended != 0:
                return True
        return False

    @staticmethod
    def systems():
        return sorted((system for system, _, _ in STRESS_SYSTEMS), key=lambda system: system not in RTL_FIRST)

    def judge(self, file, number, line):
        """What noticed the change; None where no system, or row, has it."""
        path = self.folder / file
        whole = path.read_text()
        reached = 0
        try:
            for subject in BUS_ROWS if is_of_a_bus(file) else self.systems():
                path.write_text(whole)
                if subject not in self.known:
                    self.known[subject] = {self.code_of(subject)}
                path.write_text(changed(whole, number, line))
                code = self.code_of(subject)
                if code is None:
                    return None
                if code in self.known[subject]:
                    continue
                self.known[subject].add(code)
                if self.in_lockstep(subject):
                    return {"lockstep": subject}
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
            subprocess.run(["objcopy", "--strip-debug", self.folder / BUILD / "obj" / file.with_suffix(".o"),
                            bare.name],
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
