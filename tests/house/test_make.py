"""What is odd on make's command line is refused, or reaches the program as the text that it is; nothing is made or
taken away elsewhere, and no target does more than it was asked for."""

import re
import shutil
import subprocess

import pytest

from tests.harness.make import make
from tests.harness.run import TESTS, files_of, needs
from tools.project import ROOT


def small_project(folder):
    """What make reads before it builds anything."""
    shutil.copytree(ROOT / "mk", folder / "mk")
    for name in ("Makefile", "setup.sh"):
        shutil.copy(ROOT / name, folder / name)
    return folder


REFUSED = [
    (["SYSTM=nha"], "make help takes no SYSTM; allowed: "),
    (["cosim", "SYSTM=nha"], "make cosim takes no SYSTM; allowed: "),
    (["model", "WAVES=f.fst"], "make model takes no WAVES; allowed: "),
    (["build", "test", "SEEDS=3"], "make build test takes no SEEDS; allowed: "),
    (["build/lockwalk", "SYSTM=nha"], "takes no SYSTM; allowed: "),
    (["tests"], 'there is no target "tests"'),
    (["/librtl.so"], 'there is no target "/librtl.so"'),
    (["rtl"], "make rtl needs R"),
    (["module-rtl", "OPTIONS=x"], "make module-rtl needs KEY"),
    (["synth-delta", "FROM=a"], "make synth-delta needs TO"),
    (["synth-record", "TECHNIQUE=a", "WHY=b"], "make synth-record needs ACCEPTED"),
    (["clean", "B=/tmp"], 'B is "/tmp"; allowed: build, or a folder below it'),
    (["clean", "B=build/../docs"], 'B is "build/../docs"; allowed: '),
    (["model", "B=build;touch x"], 'B is "build;touch x"; allowed: '),
    (["model", "CC=gcc;touch x"], 'CC is "gcc;touch x"; allowed: '),
    (["model", "SYSTEM=nha\ntouch x"], "SYSTEM has more than one line"),
    (["test", "TESTS=tests/nope.py"], 'TESTS names "tests/nope.py", which is not there'),
    (["test", "TESTS=nope"], 'TESTS names "nope", which is not there'),
    (["test", "TESTS=-x nope"], 'TESTS names "nope", which is not there'),
    (["test", "LOCKSTEP_SEEDS=many"], 'LOCKSTEP_SEEDS is "many"; allowed: '),
    (["synth-power"], "make synth-power needs WAVES"),
    (["cosim-module", "CYCLES=0"], "CYCLES is 0; allowed: 1 and more"),
    (["area", "OPTIONS=--frob"], "synth: unrecognized arguments: --frob; `area.py --help` says what is allowed"),
    (["synth", "PERIOD=x"], "synth: argument --period: invalid float value: 'x'; `synthesis.py --help` says"),
    (["formal", "OPTIONS=--jobs 0"], "formal: --jobs is 0; allowed: 1 and more"),
    (["formal", "OPTIONS=--jobs x"], "formal: argument --jobs: invalid int value: 'x'; `formal.py --help` says"),
    (["mutation", "MUTANTS=x"], 'mutation: argument --mutants: is "x"; allowed: a whole number from 1 on'),
    (["lint", "FILE=README.md"], 'FILE is "README.md"; allowed: '),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[" ".join(map(repr, a)) for a, _ in REFUSED])
def test_refusal(arguments, said):
    done = make(*arguments)
    assert done.returncode == 2 and said in done.stderr, done.stderr
    said_of_make = re.findall(r"^make: \*\*\*.*\n", done.stderr, re.M)
    assert done.stderr.count("\n") == 1 + len(said_of_make), done.stderr
    assert not (ROOT / "x").exists()


# What a shell or make itself would run.
TOUCH = ["nha; touch stray", "`touch stray`", "$(touch stray)", "$(shell touch stray)", "a' ; touch stray '", "a\"b",
         "a && touch stray", "> stray", "${stray}", "a#b", "a b"]


@pytest.mark.parametrize("text", TOUCH)
def test_values_are_text(text):
    done = make("-s", "model", f"SYSTEM={text}")
    assert done.returncode == 2 and f"lockwalk: {ROOT}/systems/{text}.ini: cannot be read" in done.stderr, done.stderr
    done = make("-s", "model", SYSTEM=text)  # by the environment
    assert f"/{text}.ini: cannot be read" in done.stderr, done.stderr
    done = make("-s", "model", f"SET={text.replace(' ', '')}", "SYSTEM=nope")
    assert done.returncode == 2 and "nope.ini: cannot be read" in done.stderr, done.stderr
    done = make("-s", "cosim-module", f"MODULE={text}")
    assert f"MODULE '{text}' is not known" in done.stderr, done.stderr
    assert not (ROOT / "stray").exists()


def unquoted(line):
    """A line of a recipe without what `quoted` and `words_of` have in hand, and without conditions."""
    line = re.sub(r"\$\(if \$\(\w+\),", "(", line)
    while found := re.search(r"\$\(call (?:quoted|words_of),", line):
        end, depth = found.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(line[end], 0)
            end += 1
        line = line[:found.start()] + line[end:]
    return line


def raw_values(text, values):
    return [line for line in text.replace("\\\n", " ").splitlines() if line.startswith("\t")
            if values & set(re.findall(r"\$[({](\w+)[)}]", unquoted(line)))]


def test_every_value_is_quoted():
    """No recipe hands a variable of the command line to a shell as it is."""
    names = re.findall(r"^(?:TAKES_\S+|RUNS_OF|SYNTH) *:= *(.*)$", (ROOT / "mk" / "variables.mk").read_text(), re.M)
    values = {name for line in names for name in line.split() if name.isupper()} - {
        "R", "KEY", "PROBES", "RUNS", "FLAVOR", "NETLIST"}  # plain names, which variables.mk sees to
    assert {"SYSTEM", "OPTIONS", "TECHNIQUE", "SEEDS"} <= values
    for path in (ROOT / "Makefile", *(ROOT / "mk").glob("*.mk")):
        assert raw_values(path.read_text(), values) == [], path
    assert raw_values("a:\n\t@b $(SYSTEM)\n\t@b '$(SYSTEM)' \\\n\t$(call quoted,$(or $(SEED),1))\n", values)[1:]
    assert raw_values("a:\n\t@b ${SYSTEM}\n", values)
    assert not raw_values("a:\n\t@b $(if $(SYSTEM),$(call words_of,$(SYSTEM))) $(B)\n", values)


@pytest.mark.parametrize("name", ["a b", "a'b", "a;b", "a:b", "a$b"])
def test_odd_folder(tmp_path, name):
    """With a blank in it make would build into, and clean, the folder `a` beside it."""
    folder = tmp_path / name
    folder.mkdir()
    small_project(folder)
    before = sorted(tmp_path.rglob("*"))
    for target in ("build", "cosim", "clean"):
        done = make(target, folder=folder)
        assert done.returncode == 2 and f"the folder {folder} has a blank or one of" in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_help_is_whole():
    """Each documented target stands in `make help` with its whole text."""
    lines = [line.split(maxsplit=2) for line in make("help").stdout.splitlines()[1:]]
    said = {line[1]: line[2] for line in lines if line[0] == "make"}
    written = {}
    for path in (ROOT / "Makefile", *(ROOT / "mk").glob("*.mk")):
        written |= dict(re.findall(r"^([a-z-]+):[^#\n]*## (.*)$", path.read_text(), re.M))
    assert said == written and "ACCEPTED=yes|no" in said["synth-record"]


def test_a_plan_is_checked_before_the_long_build():
    said = make("-n", "results", "PLAN=mine.yaml").stdout
    steps = re.findall(r"papers/results.py .*|\bB=build/profiled|/profiled/lockwalk$", said, re.M)
    assert steps[0].startswith("papers/results.py --check --plan 'mine.yaml'"), steps
    assert steps[-1].startswith("papers/results.py --program build/profiled/lockwalk --plan 'mine.yaml'"), steps


def test_needs():
    """One test file installs what it needs, and all of them all."""
    assert needs([]) == needs(["tests"]) == needs(["-k", "name"]) == [
        "browser", "bus", "checks", "fpga", "mutation", "papers", "plots", "regmap", "synth"]
    assert needs(["tests/program/test_refusals.py"]) == needs(["tests/unit/test_unit.py::test_unit", "-x"]) == []
    assert needs(["tests/synth/test_synth.py::test_delta"]) == ["fpga", "synth"]
    assert needs(["tests/papers"]) == ["papers"]
    words = ["-k", "tests", "-x", "tests/test_a.py::b", "nope", "--tb", "short", "-n0"]
    assert files_of(words) == ["tests/test_a.py", "nope"]
    tools = {"checks": r"clang-(?:tidy|format)|valgrind|\"mandoc\"|/usr/bin/verilator|\"debian\"", "fpga": "nextpnr",
             "synth": r"^from synth[ .]", "regmap": r"^ *from regmap",
             "bus": r"cocotb_tools", "browser": "chromium-headless", "plots": "plots\\b.*report",
             "papers": "papers/(?:results|figures)", "mutation": r"^from tests.mutation import campaign"}
    for path in sorted(TESTS.rglob("test_*.py")):
        for part, pattern in tools.items():
            if path.name != "test_make.py" and re.search(pattern, path.read_text(), re.M):
                assert part in needs([str(path)]), f"{path.name} uses what `./setup.sh {part}` installs"


def test_setup_knows_its_parts():
    done = subprocess.run(["./setup.sh", "chekcs"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and 'setup.sh has no part "chekcs"; allowed: ' in done.stderr


def test_lint_of_one_file(tmp_path):
    done = make("-s", "lint", "FILE=app/host/output.c")
    assert done.returncode == 0 and done.stdout == "app/host/output.c: clean\n"
    # A project of links, but for one file.
    for part in ROOT.iterdir():
        if part.name not in ("common", "tests"):
            (tmp_path / part.name).symlink_to(part)
    shutil.copytree(ROOT / "common", tmp_path / "common")
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("data", "unit"))
    with (tmp_path / "common" / "heap.c").open("a") as file:
        file.write("int  two;\n")
    done = subprocess.run([tmp_path / ".venv/bin/python", "tests/house/lint_one.py", "common/heap.c"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "common/heap.c: not clean" in done.stdout and "clang-format" in done.stdout


def test_other_flags_are_another_build():
    """An object is of the flags that were asked for last, and is not made anew by the same ones."""
    target = "build/flags/obj/common/number.o"
    times, checked = [], []
    for flags in ([], [], ["SANITIZE=1"]):
        assert make("-s", "B=build/flags", target, *flags).returncode == 0
        times.append((ROOT / target).stat().st_mtime_ns)
        symbols = subprocess.run(["gcc-nm", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        checked.append("__asan" in symbols)
    shutil.rmtree(ROOT / "build" / "flags")
    assert times[0] == times[1] < times[2] and checked == [False, False, True]
