"""Formal equivalence of RTL and netlist, module by module, with Yosys (`make equivalence SYSTEM=..`).

For each module of the source (its children flattened into it) the RTL as read is compared with what the
flow maps it to, the library's cells standing as their liberty says. Registers keep their names, so each is a point of
comparison: what lies between is proven by ABC as gates (points.py), or else by Yosys's SAT. Clock gates stand as what
they do in simulation, of which Yosys makes enables of the registers behind them again (`formalff -declockgate`): which
level of the clock opens a gate's latch it does not ask. Where that leaves points, since it does not know which states
can be, or takes too long, the outputs are proven equal in every cycle after a reset, by ABC. Prints a row a module:
proven, how many of its points are not, or that the time limit came first. Status 0 where every module is proven, else
1."""

import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from synth import command
from synth.cells.technology import Technology
from synth.netlist import netlist, points
from tools import claim
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

BUILD = ROOT / "build" / "synth"
PYOSYS = next((ROOT / ".venv").glob("lib/python3*/site-packages/pyosys"))
# Put together of the others, or (parameter_check) without logic: nothing of their own to compare.
NOTHING_OWN = ("iommu", "walk_engine", "parameter_check")


def instances(parameters, folder):
    """{module: its first instance's name in the design}."""
    gold = folder / "gold.il"
    netlist.run_steps([*netlist.read(parameters, macros=False), "proc", "opt_clean",
                       f"write_rtlil {gold}"], folder / "gold.log")
    names = re.findall(r"^module (\\\S+)$", gold.read_text(), re.M)
    first = {}
    for name in sorted(names):
        first.setdefault(name.lstrip("\\").split("$")[0], name)
    return gold, first


def wanted(names, modules, system):
    """The modules asked for, all where none is."""
    unknown = [m for m in names if m not in modules]
    if unknown:
        raise Refusal(f"--module: {unknown[0]} is no module of {system}; allowed: "
                      f"{', '.join(sorted(modules))}")
    return names or list(modules)


def both(module, name, gold, technology, folder):
    """The steps that make the module `gold` of the source and `gate` of what the flow maps it to."""
    library = f"-liberty {technology.path}"
    avoid = " ".join(f"-dont_use {cell}" for cell in technology.dont_use)
    models = [f"read_liberty -ignore_miss_func {technology.path}"]
    if technology.gate:
        model = folder / f"{module}.clock_gate.v"
        netlist.write_whole(model, technology.gate.model())
        models.append(f"read_verilog -overwrite {model}")
    return [
        f"read_rtlil {gold}", f"hierarchy -top {name}", "flatten", f"rename {name} gold",
        # Registers that are constant go on both sides, since one that is gone cannot be compared.
        "opt -nodffe -nosdff", "design -save gold",
        *netlist.GENERIC[1:], *netlist.gates(technology), f"dfflibmap {avoid} {library}",
        f"abc {avoid} {library} -script {netlist.CELLS / 'abc_area.script'}", "opt_clean",
        "rename gold gate", *models, "hierarchy -top gate", "flatten", "proc", "opt_clean",
        "formalff -declockgate", "design -save gate", "design -reset",
        "design -copy-from gold -as gold gold", "design -copy-from gate -as gate gate"]


def as_gates(module, steps, folder, limit):
    """As by_points: by ABC, on the gates between registers."""
    return points.prove(steps, folder / module, PYOSYS / "yosys-abc", limit)


def by_points(module, steps, folder, limit):
    """(points, points not proven); None where the time came first. By Yosys, on the cells of the source."""
    log = folder / f"{module}.log"
    ended = netlist.run_steps([
        *steps, "async2sync", "opt_clean", "equiv_make gold gate equiv", "hierarchy -top equiv",
        "opt_clean", "equiv_simple", "equiv_induct -seq 3", "equiv_status"], log, limit)
    if not ended:
        return None
    found = re.findall(r"Found (\d+) \$equiv cells in equiv:\s*Of those cells (\d+) are proven and "
                       r"(\d+) are unproven", log.read_text())
    if not found or int(found[-1][0]) == 0:
        raise Refusal(f"{module}: Yosys compared nothing (log: {log})")
    return int(found[-1][0]), int(found[-1][2])


def bench(gold, name):
    """Verilog of both side by side on the same inputs, reset in the first cycle: their outputs are the same in all
    others."""
    text = gold.read_text()
    text = text[re.search(rf"^module \\{re.escape(name.lstrip(chr(92)))}$", text, re.M).start():]
    ports = re.findall(r"^  wire (?:width (\d+) )?(?:offset \d+ )?(input|output) \d+ (?:signed )?\\(\S+)$",
                       text[:text.index("\nend\n")], re.M)
    inputs = [(port, f"[{int(width or 1) - 1}:0]") for width, way, port in ports
              if way == "input" and port not in ("clk_i", "rst_ni")]
    outputs = [(port, f"[{int(width or 1) - 1}:0]") for width, way, port in ports if way == "output"]
    clocks = [(port, {"clk_i": "clk_i", "rst_ni": "running"}[port]) for _, _, port in ports if port in
              ("clk_i", "rst_ni")]
    sides = [f"  {side} {side} (" + ", ".join(
        [f".{port}({value})" for port, value in clocks] + [f".{port}({port})" for port, _ in inputs] +
        [f".{port}({side}_{port})" for port, _ in outputs]) + ");" for side in ("gold", "gate")]
    return "\n".join([
        "module bench (" + ", ".join(["input clk_i", *(f"input {width} {port}" for port, width in inputs)]) + ");",
        *(f"  wire {width} {side}_{port};" for port, width in outputs for side in ("gold", "gate")),
        *sides, "  reg running = 1'b0;", "  always @(posedge clk_i) running <= 1'b1;",
        "  always @* if (running) assert (" + " && ".join(f"gold_{p} === gate_{p}" for p, _ in outputs) + ");",
        "endmodule", ""])


def from_reset(module, name, gold, steps, folder, limit):
    """Whether the outputs are proven equal in every cycle after a reset, with zero in what has none: ABC finds the
    registers that are equal or always constant (scorr), or proves what is left (pdr)."""
    log = folder / f"{module}.reset.log"
    top, aiger = folder / f"{module}.bench.sv", folder / f"{module}.aig"
    netlist.write_whole(top, bench(gold, name))
    ended = netlist.run_steps([
        *steps, f"read_verilog -formal {top}", "hierarchy -top bench", "proc", "flatten", "async2sync",
        "chformal -lower", "opt -full", "opt_clean", "setundef -undriven -zero", "memory_map -formal", "techmap",
        "opt -fast", "setundef -zero", "setundef -init -zero", "formalff -clk2ff", "simplemap", "dffunmap", "aigmap",
        "opt_clean -purge", f"write_aiger -I -B -zinit -no-startoffset {aiger}"], log, limit)
    if not ended:
        return False
    done = subprocess.run(
        [PYOSYS / "yosys-abc", "-c", f"read_aiger {aiger}; fold; strash; dc2; scorr; print_stats; pdr -T {limit}"],
        capture_output=True, text=True, check=False)
    log.write_text(log.read_text() + done.stdout)
    return "All outputs solved" in done.stdout or "Property proved" in done.stdout


def check(module, name, gold, technology, folder, limit):
    """(module, what is proven in words, is it equivalent, seconds)."""
    start = time.monotonic()
    steps = both(module, name, gold, technology, folder)
    found = None
    for prove in (as_gates, by_points):
        found = prove(module, steps, folder, limit) or found
        if found and found[1] == 0:
            return module, f"{found[0]} points, all proven", True, time.monotonic() - start
    if from_reset(module, name, gold, steps, folder, limit):
        return module, "outputs proven from reset on", True, time.monotonic() - start
    verdict = f"{found[0]} points, {found[1]} not proven" if found else "does not converge in time"
    return module, verdict, False, time.monotonic() - start


def main():
    parser = Parser(prog="equivalence.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    command.add_design(parser, "stress_small")
    command.add_liberty(parser)
    command.add_modules(parser)
    parser.add_argument("--limit", type=float, default=300, metavar="S",
                        help="seconds for each step of a module's proof [300]")
    options = parser.parse_args()
    if not 1 <= options.limit <= 100_000:
        raise Refusal(f"--limit is {options.limit:g}; allowed: 1..100000")
    technology = Technology(options.liberty, BUILD)
    parameters = netlist.parameters(options.system, options.set)
    folder = claim.taken(BUILD / "equivalence" / claim.name_of(options.system, options.set))
    gold, modules = instances(parameters, folder)
    names = wanted(options.module or [m for m in modules if m not in NOTHING_OWN], modules,
                   options.system)
    with ThreadPoolExecutor(netlist.AT_ONCE) as pool:
        rows = pool.map(lambda m: check(m, modules[m], gold, technology, folder, options.limit),
                        names)
        bad = 0
        for module, verdict, equivalent, seconds in rows:
            bad += not equivalent
            print(f"{module:26} {verdict}, {seconds:.0f} s", flush=True)
    print(f"{len(names) - bad} modules equivalent, {bad} not proven")
    return 0 if bad == 0 else 1


if __name__ == "__main__":
    sys.exit(guarded(main))
