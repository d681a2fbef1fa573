"""The contract tester (tests/contract): the twin known by its ports alone, and what its tables hold, against the
document."""

import re
import subprocess

import pytest

from tests.harness.catalogue import RECORDED
from tests.harness.make import made
from tools.project import ROOT

PARTS = 8
RUNS = 100  # of each part; together about twelve seconds of one core
PROGRAM = "build/contract/contract"

# The stress systems whose hardware is another's but for settings are left out.
BESIDE = ["small", "one", "address", "five", "leaf", "wide", "mesc", "mesc_parallel", "sram", "headfirst", "colt",
          "full_colt", "shared_address", "hashed", "hashed_five", "hashed_mesc", "hashed_lines", "second"]
BESIDE_RUNS = 100 if RECORDED else 4

# Each lie that the unit's ports can be made to tell, and the check that must find it.
LIES = [("pfn", "answer"), ("perm", "answer"), ("size", "answer"), ("kind", "answer"), ("level", "answer"),
        ("fields", "answer"), ("id", "answer"), ("canonical", "answer"), ("stale", "answer"),
        ("oldfault", "oldfault"), ("rootless", "rootless"), ("rooted", "rootless"), ("links", "links"),
        ("error", "error"), ("stale", "owner"), ("freed", "freed"), ("lost", "starved"), ("held", "starved"),
        ("ready", "starved"), ("shut", "starved"), ("undone", "starved"), ("id", "port"), ("twice", "port"),
        ("done", "port"), ("tag", "port"), ("payload", "port"), ("line", "port"), ("record", "record"),
        ("stale", "contents")]

# Each lie about the tables, the parameters under which its kind of content is there, and what the judge of that content
# says: one judge would else find the lies for all the others.
UNEXPLAINED = "which no values? explains? that the "
RUNS_ONLY, SUBREGIONS = "COLT=2", "SUBREGIONS=1 COLT=0 HEAD_FIRST=0"
TABLE_LIES = [
    ("tlb", "", rf"TLB\[\d+\] holds {{CLASS=0 .*, {UNEXPLAINED}words"),
    *[(lie, shape, sentence) for shape in (RUNS_ONLY, SUBREGIONS) for lie, sentence in (
        ("range", rf"TLB\[\d+\] holds {{CLASS=1 .*, {UNEXPLAINED}words"),
        ("length", rf"TLB\[\d+\] holds {{CLASS=1 .*, {UNEXPLAINED}words"),
        ("doublerange", r"TLB\[\d+\] holds {CLASS=1 .* {CLASS=1 .*}: one page twice"))],
    ("double", "", r"TLB\[\d+\] holds {CLASS=0 .* {CLASS=0 .*}: one page twice"),
    ("partition", f"{SUBREGIONS} TLB_PARTITION=1", r"TLB\[\d+\] holds {CLASS=1 .*} outside the partition of 1 ways"),
    *[(lie, f"PWC_ORG={org}", sentence) for org, kind in ((0, "table of level"), (1, "address")) for lie, sentence in (
        ("pwc", rf"PWC\[\d+\] holds {{.*: {kind} .*}}, {UNEXPLAINED}"),
        ("doublepwc", rf"PWC\[\d+\] holds {{.*: {kind} .*}} and .*: one key twice"),
        ("pwcrank", r"PWC_RANK\[.*\] have no permutation"))],
    *[(lie, "PWC_ORG=2", r"STEP_CACHE\[\d+\] holds {.*}, and the step table ")
      for lie in ("steps", "stepac", "steplow", "stephigh")],
    ("msc", SUBREGIONS, rf"MSC\[\d+\] holds {{.*}}, {UNEXPLAINED}heads"),
    ("mscnode", SUBREGIONS, rf"MSC\[\d+\] holds {{.*}}, {UNEXPLAINED}words"),
    ("doublemsc", SUBREGIONS, r"MSC\[\d+\] and MSC\[\d+\] hold .*: one key twice"),
    ("mscrank", SUBREGIONS, r"MSC_RANK\[.*\] have no permutation"),
    ("buffer", "", rf"BUFFER\[\d+\] holds {{.*}}, {UNEXPLAINED}words"),
    ("bufferlevel", "", rf"BUFFER\[\d+\] holds {{.* DONE=0 .*}}, {UNEXPLAINED}words"),
    ("bufferdone", "", rf"BUFFER\[\d+\] holds {{.* DONE=1 .*}}, {UNEXPLAINED}words"),
    ("picked", "", r"BUFFER\[\d+\] is PICKED, and 0 walkers"),
    ("picked", "", r"BUFFER\[\d+\] is not valid and PICKED, and 1 walkers"),
    ("walker", "", rf"PWST\[\d+\] holds {{STATE=[1-6] .*}}, {UNEXPLAINED}words"),
    ("walkeranswer", "", rf"PWST\[\d+\] holds {{STATE=7 .*}}, {UNEXPLAINED}words"),
    ("rank", "", r"TLB_RANK\[.*\] have no permutation")]


@pytest.fixture(scope="module")
def contract():
    made(PROGRAM, lock="contract/lock")

    def call(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.mark.parametrize("part", range(PARTS))
def test_contract_holds(contract, part):
    status, out, err = contract("--seeds", f"{part * RUNS + 1}..{(part + 1) * RUNS}")
    assert status == 0, out[-8000:] + err
    assert f"contract: {RUNS} runs, " in out


def test_contents_hold(contract):
    """The tables looked at every few cycles; the other runs look at each inv_done, and seldom else."""
    status, out, err = contract("--seeds", "10001..10300", "--contents", 3)
    assert status == 0, out[-8000:] + err
    assert "contract: 300 runs, " in out


@pytest.mark.parametrize("system", BESIDE)
def test_rtl_beside(contract, system):
    """The RTL meets what the lockstep's operating system never does, and is the twin's equal there too."""
    status, out, err = contract("--system", f"stress_{system}", "--seeds", f"1..{BESIDE_RUNS}")
    assert status == 0, out[-8000:] + err
    assert f"contract: {BESIDE_RUNS} runs, " in out


def test_a_difference_is_found(contract):
    status, out, _ = contract("--system", "stress_small", "--seeds", 1, "--lie", "flip", "--only", "lockstep")
    assert status == 1
    assert re.match(r"contract: seed 1, cycle 1999, check lockstep: "
                    r"BUFFER_RING\.TAIL\[0\] is 0x(\d) in the RTL, 0x(?!\1)\d in the twin\n", out)
    assert out.splitlines()[2].endswith(" --system stress_small --lie flip --only lockstep")


def test_without_contents(contract):
    status, out, _ = contract("--seeds", "1..2", "--cycles", 1000, "--contents", 0)
    assert status == 0
    assert "           0 looks into the unit's tables\n" in out


@pytest.mark.parametrize(("seeds", "looked_at"), [(199, False), (200, True)])
def test_what_never_happened_is_told(contract, seeds, looked_at):
    """In runs of a hundred cycles what is rare does not happen, which from 200 runs on is an end of its own."""
    status, out, _ = contract("--seeds", f"1..{seeds}", "--cycles", 100)
    missing = re.findall(r"^ +0 (.+)$", out, re.MULTILINE)
    assert missing and "runs failed" not in out
    told = re.findall(r"^contract: never happened, so nothing is known about it: (.+)$", out, re.MULTILINE)
    assert told == (missing if looked_at else [])
    assert status == (1 if looked_at else 0)


def found_again(contract, report):
    """Whether the command that a report names leads to the same one."""
    command = report[2].removeprefix("  again: ").split()
    assert command[0] == PROGRAM
    status, out, _ = contract(*command[1:])
    return status == 1 and out.splitlines()[:3] == report


@pytest.mark.parametrize(("lie", "check"), LIES)
def test_a_lie_is_found(contract, lie, check):
    status, out, _ = contract("--seeds", "1..100", "--failures", 1, "--lie", lie, "--only", check)
    assert status == 1
    assert f", check {check}: " in out
    assert found_again(contract, out.splitlines()[:3])


@pytest.mark.parametrize(("lie", "settings", "sentence"), TABLE_LIES,
                         ids=[" ".join(row[:2]).strip() for row in TABLE_LIES])
def test_a_lie_is_found_by_its_judge(contract, lie, settings, sentence):
    values = [word for setting in settings.split() for word in ("--set", setting)]
    status, out, _ = contract("--seeds", "1..40", "--failures", 40, "--lie", lie, "--only", "contents", *values)
    assert status == 1
    lines = out.splitlines()
    found = [at for at, line in enumerate(lines) if re.search(f", check contents: {sentence}", line)]
    assert found, f"no judge has said {sentence}"
    assert found_again(contract, lines[found[0]:found[0] + 3])


def named(text, first, last):
    """What a paragraph of --help lists from one word to another."""
    return set(re.findall(r"\w+", text.partition(first)[2].partition(last)[0]))


def test_every_lie_and_check_is_tried(contract):
    """The lie flip and the check lockstep are test_a_difference_is_found's."""
    _, out, _ = contract("--help")
    of_ports = named(out, "falsified; LIE is ", "; or its registers: ")
    of_tables = named(out, "; or its registers: ", ";\n") - {"or"}
    assert of_ports == {lie for lie, _ in LIES}
    assert of_tables == {lie for lie, _, _ in TABLE_LIES}
    assert named(out, "the checks that count: ", " [all]") == {check for _, check in LIES} | {"lockstep"}
    sources = [path.read_text() for path in (ROOT / "tests/contract").glob("*liar_unit.c")]
    assert of_ports | of_tables == {name for text in sources for name in re.findall(r'\{"(\w+)", ', text)}


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--seeds", "9..1"], '--seeds: "9..1" is not allowed; it takes A..B with A not above B, or A'),
    (["--cycles", "9"], '--cycles: "9" is not allowed; it takes a whole number in 100..1000000000'),
    (["--cycles"], "--cycles: a value is missing"),
    (["--only", "nothing"], '--only: "nothing" is not a list of what --help names there'),
    (["--without", "rain"], '--without: "rain" is not a list of what --help names there'),
    (["--set", "WALKERS"], '--set: "WALKERS" is not NAME=VALUE of a parameter of chapter 13'),
    (["--set", "WALKERS=0"], "walkers is 0, legal is 1 to 32"),
    (["--set", "PASIDS=32"], "PASIDS is 32; the tester takes 2 to 16"),
    (["--set", "WALKERS=2", "--system", "nha"], "--set: with --system all parameters are those of the system"),
    (["--system", "no"], "systems/no.ini: cannot be read (No such file or directory); `lockwalk systems` lists those "
     "there are"),
    (["--lie", "white"], '--lie: "white" is no lie; --help lists them'),
    (["--lies"], "--lies: there is no such option; --help lists them"),
    (["seeds"], "seeds: there is no such option; --help lists them"),
])
def test_bad_usage(contract, arguments, sentence):
    status, out, err = contract(*arguments)
    assert (status, out, err) == (2, "", f"contract: {sentence}\n")


def test_help(contract):
    status, out, _ = contract("--help")
    assert status == 0
    assert all(f"--{option}" in out for option in ("seeds", "cycles", "only", "without", "set", "failures", "lie",
                                                    "contents", "system"))


def test_a_run_is_reproducible(contract):
    first, second = (contract("--seeds", "1..5", "--cycles", 3000) for _ in range(2))
    assert first == second
