"""Modules of rtl/prim and broken copies of them, at all their points in one Verilated library: a Verilator's run
and a compiler's cost more than all the cycles."""

import ctypes
import hashlib
import os
import random
import re
import subprocess
from pathlib import Path

from tests.harness.make import alone, made
from tests.prim.models import BROKEN, CLOCKED, MODELS, WITHIN, flat, size
from tools.project import ROOT

PRIM = ROOT / "rtl" / "prim"
PACKAGE = ROOT / "rtl" / "pkg"
BUILD = ROOT / "build" / "prim"
HARNESS = ROOT / "tests" / "prim" / "prim_run.cpp"
VERILATOR = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))
RUNTIME = ROOT / "build" / "rtl" / "runtime"
SEED = 1


def source(module, number):
    """A broken copy, with what is within it, under names of their own."""
    broken = BROKEN[number]
    names = [module, *WITHIN.get(module, [])]
    texts = {name: (PRIM / f"{name}.sv").read_text() for name in names}
    assert texts[broken.file].count(broken.text) == 1, f"{broken.file}.sv has not one '{broken.text}'"
    texts[broken.file] = texts[broken.file].replace(broken.text, broken.wrong)
    for name in names:
        for other in names:
            texts[other] = re.sub(rf"\b{name}(?= #\(|\n)", f"{name}_{number}", texts[other])
    return "".join(texts.values())


def words(width):
    return -(-width // 32)


class Top:
    """The top module: it has one input and one output of whole 32-bit words for each module and point."""

    def __init__(self):
        self.body, self.input, self.output = [], {}, {}  # (module, point) and (module, point, number or None)
        self.in_words = self.out_words = 0
        for module, model in MODELS.items():
            for point in range(len(model.points)):
                self.input[module, point] = self.in_words
                self.in_words += words(size(model(**model.points[point]).inputs))
                self.instance(module, point, None)
        for number, broken in enumerate(BROKEN):
            self.instance(broken.module, broken.point, number)

    def instance(self, module, point, number):
        kind = MODELS[module]
        model = kind(**kind.points[point])
        name = f"u{len(self.output)}"
        connections = [".clk_i"] if module in CLOCKED else []
        for widths, bus, base in ((model.inputs, "in_i", self.input[module, point]),
                                  (model.outputs, "out_o", self.out_words)):
            place = base * 32
            for port, width in widths.items():
                total = size({port: width})
                part = f"{bus}[{place}+:{total}]"
                if port in getattr(kind, "unpacked", ()):
                    each, count = width
                    self.body += [f"  logic [{each - 1}:0] {name}_{port} [{count}];",
                                  f"  for (genvar n = 0; n < {count}; n++) begin : {name}_gen_{port}",
                                  f"    assign {name}_{port}[n] = {bus}[{place}+n*{each}+:{each}];",
                                  "  end"]
                    part = f"{name}_{port}"
                connections.append(f".{port}({part})")
                place += total
        self.output[module, point, number] = self.out_words
        self.out_words += words(size(model.outputs))
        values = ", ".join(f".{k}({v})" for k, v in kind.points[point].items())
        copy = module if number is None else f"{module}_{number}"
        self.body.append(f"  {copy} #({values}) {name} ({', '.join(connections)});")

    def text(self):
        return "\n".join(["module prim_top (", "  input logic clk_i,",
                          f"  input logic [{self.in_words * 32 - 1}:0] in_i,",
                          f"  output logic [{self.out_words * 32 - 1}:0] out_o", ");", *self.body, "endmodule", ""])


def library(top):
    """The library's `run`. Workers of one test run share it: the first builds it, and again when a text differs."""
    texts = {"prim_top.sv": top.text(),
             "broken.sv": "".join(source(b.module, n) for n, b in enumerate(BROKEN))}
    files = [PACKAGE / "lockwalk_pkg.sv", *sorted(PRIM.glob("*.sv"))]
    headers = sorted(PACKAGE.glob("*.svh"))
    key = hashlib.sha256("".join([VERILATOR.as_posix(), Path(__file__).read_text(), HARNESS.read_text(),
                                  *texts.values(), *(f.read_text() for f in [*files, *headers])]).encode()).hexdigest()
    built, stamp = BUILD / "libprim.so", BUILD / "stamp"
    with alone("prim/lock"):
        if not stamp.exists() or stamp.read_text() != key:
            stamp.unlink(missing_ok=True)
            for old in BUILD.glob("*.cpp"):
                old.unlink()
            for name, text in texts.items():
                (BUILD / name).write_text(text)
            build([*files, BUILD / "broken.sv", BUILD / "prim_top.sv"], built)
            stamp.write_text(key)
    return ctypes.CDLL(str(built)).run


def build(files, built):
    made("rtl-runtime", lock="rtl/runtime/lock")
    # Loops stay loops and the compiler does nothing clever: it takes longer than all the cycles. The bench's ports
    # are wider than what a primitive has; the primitives are linted with the unit (tests/house/test_lint.py).
    subprocess.run([str(VERILATOR / "bin" / "verilator"), "--cc", "-O3", "--unroll-count", "1", "--quiet",
                    "-Wno-lint", "--prefix", "Vprim", "--top-module", "prim_top", "--Mdir", str(BUILD),
                    f"-I{PACKAGE}", *map(str, files)],
                   env={**os.environ, "VERILATOR_ROOT": str(VERILATOR)}, check=True)
    include = VERILATOR / "include"
    subprocess.run(["g++", "-std=gnu++17", "-O0", "-fPIC", "-shared", f"-I{include}", f"-I{include / 'vltstd'}",
                    f"-I{BUILD}", "-o", str(built), *map(str, sorted(BUILD.glob("V*.cpp"))), str(HARNESS),
                    str(RUNTIME / "verilated.o"), str(RUNTIME / "verilated_threads.o"), "-lpthread"],
                   check=True)


class Results:
    """What each instance has given, cycle by cycle, beside what its model says."""

    def __init__(self):
        top = Top()
        self.cycles, self.expected = {}, {}
        for module, kind in MODELS.items():
            for point, parameters in enumerate(kind.points):
                model = kind(**parameters)
                cycles = list(model.cycles(random.Random(f"{SEED} {module} {point}")))
                self.cycles[module, point] = cycles
                self.expected[module, point] = [flat(model.outputs, model.step(**cycle)) for cycle in cycles]
        count = max(map(len, self.cycles.values()))
        given = bytearray(4 * top.in_words * count)
        for (module, point), cycles in self.cycles.items():
            widths = MODELS[module](**MODELS[module].points[point]).inputs
            length = 4 * words(size(widths))
            for n, cycle in enumerate(cycles):
                at = 4 * (top.in_words * n + top.input[module, point])
                given[at:at + length] = flat(widths, cycle)[0].to_bytes(length, "little")
        taken = bytearray(4 * top.out_words * count)
        run = library(top)
        run((ctypes.c_char * len(given)).from_buffer(given), ctypes.c_uint(top.in_words),
            (ctypes.c_char * len(taken)).from_buffer(taken), ctypes.c_uint(top.out_words), ctypes.c_uint(count))
        self.top, self.taken = top, bytes(taken)

    def mismatch(self, module, point, number=None):
        """None, or a sentence on the first cycle in which an instance differs from its model."""
        kind = MODELS[module]
        widths = kind(**kind.points[point]).outputs
        length = 4 * words(size(widths))
        for n, (wanted, mask) in enumerate(self.expected[module, point]):
            at = 4 * (self.top.out_words * n + self.top.output[module, point, number])
            found = int.from_bytes(self.taken[at:at + length], "little") & mask
            if found != wanted:
                return (f"{module} {kind.points[point]}, cycle {n}, inputs {self.cycles[module, point][n]}: "
                        f"outputs {list(widths)} are {found:#x}, by the model {wanted:#x}")
        return None
