"""The RTL as a netlist, by Yosys: first of generic gates (once for each set of parameters), then of a
library's cells, by timing-driven ABC with buffer trees (fanout.py) on nets of large fan-out.

Yosys runs in a process of its own for each step (`python netlist.py JOB.json`), so that its memory and
its output are the step's alone and two steps can run side by side."""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path

from synth.cells import clock_gate, delays
from synth.netlist import enables, partition, sram
from tools import claim, machine
from tools.project import ROOT
from tools.refusal import Refusal

CELLS = ROOT / "synth" / "cells"

# As Yosys's `synth`, without what this RTL has no use for (state machine extraction; arrays are flip-flops or
# come as macros). Passes by name: `opt` repeats them until nothing changes, which at the paper's sizes is
# most of the time of a synthesis.
GATES = ["opt_expr", "opt_merge", "opt_dff", "opt_clean"]
# What is constant or unused by the parameters, told from module to module; four times, since what walk_engine's
# children say reaches the counters by way of iommu.
ACROSS = ["proc", *["opt_expr", "opt_dff -nodffe -nosdff", "opt_clean", "opt_hier"] * 4]
GENERIC = ["proc", "opt_expr", "opt_merge -nomux", "opt_muxtree", "opt_reduce", "opt_merge",
           "opt_dff -nodffe -nosdff", "opt_clean", "opt_expr", "opt_muxtree", "opt_reduce",
           "opt_dff -nodffe -nosdff", "wreduce", "peepopt", "opt_clean", "alumacc", "opt_share",
           "opt_expr -full", "opt_merge -nomux", "opt_muxtree", "opt_reduce -full", "opt_merge", "opt_dff",
           "opt_clean", "bmuxmap -pmux", "opt_merge", "techmap", *GATES]
# The module that has most of the gates at the paper's sizes: it and all the others are done side by side.
LARGEST = "iommu_buffer*"

CHOICES_UP_TO = 140_000  # gates of a part on which ABC's dch ends in some minutes
UNROLLED = 100_000  # turns of a loop: a buffer of 512 with eight PTEs each has more than slang's own limit
AT_ONCE = machine.side_by_side()
PROCESSES = threading.Semaphore(AT_ONCE)  # of Yosys, each of them alone on a core
FANOUT = 12  # loads that a net keeps without a buffer
SHORT = 1.25  # a path's delay by OpenSTA to that by ABC: set-up times, registers' loads, slews (nha: 1.16)


def parameters(system, settings=()):
    """The system's RTL parameters, as {Name: value}; what a system is only lockwalk knows."""
    command = [str(ROOT / "build" / "lockwalk"), "systems", "--parameters", "--system", system]
    for setting in settings:
        command += ["--set", setting]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refusal("build/lockwalk is missing; `make build` makes it") from None
    if done.returncode != 0:
        raise Refusal(done.stderr.strip().removeprefix("lockwalk: "))
    return dict(word.removeprefix("-G").split("=") for word in done.stdout.split())


def version():
    import importlib.metadata

    return importlib.metadata.version("pyosys")


def revision():
    """The commit, with a + where the tree differs from it."""
    done = subprocess.run(["git", "describe", "--always", "--dirty=+", "--abbrev=8"], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def rtl_files():
    return [ROOT / "rtl" / name for name in (ROOT / "rtl" / "files.f").read_text().split()]


def rtl_types():
    """What the RTL's files include."""
    return sorted((ROOT / "rtl" / "pkg").glob("*.svh"))


def read(parameters, top="iommu", macros=True):
    """The Yosys commands that read the RTL, its modules kept, and with `macros` these as black boxes."""
    values = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    files = " ".join(map(str, rtl_files()))
    boxes = f"--blackboxed-module {sram.MODULE} " if macros else ""
    return [f"read_slang -I {ROOT / 'rtl' / 'pkg'} --keep-hierarchy --no-implicit-memories "
            f"--unroll-limit={UNROLLED} {boxes}--top {top} "
            f"{values} {files}",
            f"hierarchy -top {top}"]


def generic(parameters, build, top="iommu"):
    """The path of the RTLIL of generic gates, module by module; made where it is not there for this RTL."""
    key = hashlib.sha256(json.dumps(
        [parameters, top, ACROSS, GENERIC, LARGEST,
         [f.read_text() for f in [*rtl_types(), *rtl_files()]]]).encode())
    path = build / "generic" / (key.hexdigest()[:16] + ".il")
    with claim.waited(path.with_suffix(".lock")):
        if not path.exists():
            make_generic(parameters, path, top)
    return path


def make_generic(parameters, path, top):
    halves = [path.with_suffix(f".part{n}") for n in range(2)]
    chosen = [f"select {LARGEST}", f"select * {LARGEST} %d"]

    def make(half, select):
        source = half.with_suffix(f"{half.suffix}.read")
        run_steps([*read(parameters, top), f"write_rtlil {source}", *ACROSS, select, *GENERIC,
                   f"write_rtlil -selected {half}"], half.with_suffix(f"{half.suffix}.log"))
        refuse_unset(source)
        source.unlink()
        refuse_latches(half)

    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(make, halves, chosen))
        part = path.with_suffix(".part")
        part.write_text("".join(half.read_text() for half in halves))
        part.rename(path)
    finally:
        for half in halves:
            half.unlink(missing_ok=True)


LATCH = re.compile(r"^  cell (?:\$a?dlatch|\$dlatchsr|\$sr|\$_(?:DLATCH|DLATCHSR|SR)_\w*) .*\n(?:    .*\n)*?"
                   r"    connect \\Q (.*)$", re.M)


UNSET = re.compile(r"^  cell \$buf .*\n(?:    .*\n)*?    connect \\A \d+'[01x]*x[01x]*\n    connect \\Y (.*)$",
                   re.M)


def refuse_unset(source):
    """Every signal has a value: of a register that only its reset sets, slang's reader says that it has none, and Yosys
    would take for it what makes the logic smaller."""
    found = UNSET.findall(source.read_text())
    if found:
        raise Refusal(f"signals of the RTL without a value: {len(found)}, the first {found[0].lstrip(chr(92))}; "
                      "allowed: none (a register that never changes is a constant, and no register)")


def refuse_latches(source):
    """The design has registers alone: a latch is a value that someone forgot to give."""
    found = LATCH.findall(source.read_text())
    if found:
        raise Refusal(f"latches in the RTL: {len(found)}, the first {found[0].lstrip(chr(92))}; allowed: "
                      "none")


def abc_script(template, technology, out, picoseconds):
    """ABC's script with its values in place: {D} the period, {FANOUT} the call of fanout.py."""
    before, after, job = (out.with_suffix(f".fanout.{end}") for end in ("in", "out", "json"))
    after.unlink(missing_ok=True)
    job.write_text(json.dumps({
        "from": str(before), "to": str(after), "library": technology.delays, "limit": FANOUT,
        "buffers": technology.buffers, "register": technology.register}))
    script = out.with_suffix(".abc")
    script.write_text(template.read_text().replace("{D}", f"-D {picoseconds}").replace(
        "{FANOUT}", f"write_blif {before}\n!{sys.executable} {CELLS / 'fanout.py'} {job}\n"
        f"read_blif {after}"))
    return script


def abc(technology, out, target, template):
    """The Yosys command that maps by ABC for a period of `target` seconds."""
    # ABC sees the logic between registers: the period is without their own time. It stops sizing where its
    # own estimate holds the period, so it is given a shorter one.
    register = technology.delays[technology.register]
    logic = (target - delays.delay(register, 0.0) * technology.seconds) / SHORT
    picoseconds = max(1, round(logic * 1e12))
    constraints = out.with_suffix(".constr")
    # To ABC the netlist ends at registers, which are its inputs and outputs.
    load = max(register["pins"].values())
    constraints.write_text(f"set_driving_cell {technology.buffers[0]}\nset_load {load:g}\n")
    script = abc_script(template, technology, out, picoseconds)
    return f"abc {cells(technology)} -D {picoseconds} -constr {constraints} -script {script}"


def cells(technology):
    """The library, and what is not to be used of it, as Yosys's commands take them."""
    return " ".join([*(f"-dont_use {cell}" for cell in technology.dont_use),
                     f"-liberty {technology.path}"])


def gates(technology):
    """The Yosys commands that gate the clock of registers with an enable, where the library can."""
    return [*GATES, *technology.gate.steps()] if technology.gate else []


@dataclass
class Cut:
    """A flat netlist of generic gates, cut into parts (partition.py): the files, what stands between the parts,
    which part is before a register or output, the source's largest fan-outs, and the macros."""

    folder: Path
    top: str
    rest: Path
    sizes: dict
    before: dict
    fanout: list
    macros: list


def cut(source, technology, folder, top="iommu"):
    """Makes `source` flat and cuts it."""
    folder.mkdir(parents=True, exist_ok=True)
    flat = folder / "flat.il"
    run_steps([f"read_rtlil {source}", f"hierarchy -top {top}", "flatten -noscopeinfo", *GATES,
               *gates(technology), f"dfflibmap {cells(technology)}", "opt_clean -purge", f"write_rtlil {flat}"],
              folder / "flat.log")
    text, macros = sram.placed(clock_gate.named(flat.read_text(), technology.gate), technology, FANOUT)
    flat.unlink()
    whole = partition.Netlist(text)
    enables.write(whole, technology.gate, folder / "enables.json")
    return Cut(folder, top, *partition.split(whole, folder), macros)


def mapped(whole, technology, out, target, kept=None):
    """Maps the parts of a Cut for a period of `target` seconds, side by side, but for those in `kept`: {part:
    its file}. Writes OUT.v, OUT.netlist.v, OUT.stat.json and, of the macros, OUT.macros.*; returns {part: its
    file} of all."""
    parts = dict(kept or {})
    folder = out.with_suffix(".parts")
    folder.mkdir(exist_ok=True)

    def map_part(source):
        script = CELLS / ("abc.script" if whole.sizes[source] <= CHOICES_UP_TO else "abc_large.script")
        to = folder / f"{source.stem}.mapped"
        run_steps([f"read_rtlil {source}", abc(technology, to, target, script), "clean",
                   f"write_rtlil {to}"], to.with_suffix(".log"))
        parts[source] = to

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        # The largest first, so that all processes end at nearly one time.
        list(pool.map(map_part, sorted((part for part in whole.sizes if part not in parts),
                                       key=whole.sizes.get, reverse=True)))
    rest = folder / "joined.il"
    partition.join(whole.rest, parts.values(), technology, FANOUT, rest)
    sram.write(whole.macros, technology, out)
    clock_gate.liberty(technology, out)
    top = whole.top
    steps = [*(f"read_rtlil {path}" for path in (rest, *parts.values())), f"hierarchy -top {top}",
             "flatten", "setundef -zero", "opt_clean -purge",
             counted(technology, out),
             # For simulation, with ports as they are; and for OpenSTA, with a port a bit.
             f"rename {top} {top}_netlist", f"write_verilog -noattr {out}.netlist.v",
             f"rename {top}_netlist {top}", "splitnets -ports", "opt_clean -purge",
             # Yosys must know the cells' outputs to name cells after the wires they drive.
             f"read_liberty -lib {technology.path}"]
    steps += [f"read_liberty -lib {path}" for path in liberties(out)]
    steps += ["rename -wire -suffix _reg", f"write_verilog -noattr -noexpr -nohex -nodec {out}.v"]
    run_steps(steps, out.with_suffix(".log"))
    return parts


def liberties(stem):
    """The liberty files that a mapped netlist has beside the library: of its macros and clock gates."""
    return [path for path in map(stem.with_suffix, (".macros.lib", ".gates.lib")) if path.exists()]


def area_steps(technology, out):
    """The Yosys commands that map generic gates for area alone, each module by itself; ABC's files stand
    beside OUT."""
    out.parent.mkdir(parents=True, exist_ok=True)
    return [*gates(technology), f"dfflibmap {cells(technology)}", "opt_expr", "opt_clean",
            abc(technology, out, 1e-6, CELLS / "abc_area.script"), "clean"]


def counted(technology, out):
    """The Yosys command that writes OUT.stat.json: the cells of each module."""
    return f"tee -q -o {out}.stat.json stat -json -hierarchy -liberty {technology.path}"


def mapped_modules(source, technology, out, top="iommu"):
    """Maps `source` module by module for area alone: writes OUT.stat.json."""
    run_steps([f"read_rtlil {source}", f"hierarchy -top {top}", *area_steps(technology, out),
               counted(technology, out)], out.with_suffix(".log"))


def cell_models(figures, technology, path):
    """What a netlist's cells do, by the library's liberty, and its macros, as Verilog for simulation."""
    gate = technology.gate
    names = " ".join(sorted(set(figures["cell_types"]) - {gate and gate.cell}))
    run_steps([f"read_liberty -ignore_miss_func {technology.path}",
               f"select {names}", f"write_verilog -noattr -selected {path}"], path.with_suffix(".log"))
    models = [gate.model()] if gate else []
    if figures["macros"]:
        models.append(Path(f"{figures['stem']}.macros.v").read_text())
    path.write_text("".join([path.read_text(), *models]))


def wrapper(path):
    """A module with rtl/iommu.sv's parameters and ports around the netlist, which has the parameters'
    values built in: so the lockstep's bench takes either."""
    source = (ROOT / "rtl" / "iommu.sv").read_text()
    header = source[source.index("module iommu\n"):source.index("\n);\n") + 4]
    path.write_text(f"{header}\n  iommu_netlist u_netlist (.*);\n\nendmodule\n")


def write_whole(path, text):
    """Writes a file that others may read or write at the same time: they see all of it or none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    part.write_text(text)
    part.rename(path)


def run_steps(steps, log, limit=None):
    """Runs Yosys commands in a process of their own; returns whether they ended, which none does that takes more than
    `limit` seconds. Of lists of commands each is run in a process of its own, one after the other: what it gives
    depends on its commands alone, where in one process Yosys would number its names, and so order its gates, by all
    that it has read before."""
    log.parent.mkdir(parents=True, exist_ok=True)
    job = log.with_suffix(".job.json")
    job.write_text(json.dumps(steps))
    with PROCESSES, log.open("w") as file:
        try:
            done = subprocess.run([sys.executable, __file__, str(job)], stdout=file, check=False,
                                  stderr=subprocess.STDOUT, timeout=limit)
        except subprocess.TimeoutExpired:
            return False
    if done.returncode != 0:
        lines = [line for line in log.read_text(errors="replace").splitlines() if "ERROR" in line]
        raise Refusal(f"Yosys failed: {lines[-1] if lines else 'no error line'} (log: {log})")
    return True


def work(job):
    from pyosys import libyosys as yosys

    steps = json.loads(job.read_text())
    for alone in (step for step in steps if isinstance(step, list)):
        # Yosys is loaded once, and has done nothing yet.
        child = os.fork()
        if child == 0:
            run(yosys, alone)
            sys.exit(0)
        if os.waitpid(child, 0)[1] != 0:
            sys.exit(1)
    run(yosys, [step for step in steps if isinstance(step, str)])


def run(yosys, steps):
    design = yosys.Design()
    for step in steps:
        design.run_pass(step)


if __name__ == "__main__":
    work(Path(sys.argv[1]))
