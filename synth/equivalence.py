"""Formal equivalence of RTL and netlist, module by module, with Yosys (`make equivalence SYSTEM=..`).

For each module of the source (its children flattened into it) the RTL as read is compared with what the
flow maps it to, the library's cells standing as their liberty says. Registers keep their names, so each
is a point of comparison and what lies between is proven by SAT. Clock gates stand as what they do in simulation, of
which Yosys makes enables of the registers behind them again (`formalff -declockgate`): which level of the clock opens
a gate's latch it does not ask. Prints a row a module: proven, how many of its points are not, or that the time limit
came first. Status 0 where every module is proven, else 1."""

import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import command
import netlist
from refusal import Parser, Refusal, guarded
from technology import Technology

BUILD = netlist.ROOT / "build" / "synth"
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


def check(module, name, gold, technology, folder, limit):
    """(module, points, points not proven or None for all of them too late, seconds)."""
    log = folder / f"{module}.log"
    library = f"-liberty {technology.path}"
    avoid = " ".join(f"-dont_use {cell}" for cell in technology.dont_use)
    models = [f"read_liberty -ignore_miss_func {technology.path}"]
    if technology.gate:
        model = folder / "clock_gate.v"
        netlist.write_whole(model, technology.gate.model())
        models.append(f"read_verilog -overwrite {model}")
    start = time.monotonic()
    times = netlist.run_steps([
        f"read_rtlil {gold}", f"hierarchy -top {name}", "flatten", f"rename {name} gold",
        # Registers that are constant go on both sides, since one that is gone cannot be compared.
        "opt -nodffe -nosdff", "design -save gold",
        *netlist.GENERIC[1:], *netlist.gates(technology), f"dfflibmap {avoid} {library}",
        f"abc {avoid} {library} -script {netlist.HERE / 'abc_area.script'}", "opt_clean",
        "rename gold gate", *models, "hierarchy -top gate", "flatten", "proc", "opt_clean",
        "formalff -declockgate", "design -save gate", "design -reset",
        "design -copy-from gold -as gold gold", "design -copy-from gate -as gate gate",
        "async2sync", "opt_clean", "equiv_make gold gate equiv", "hierarchy -top equiv",
        "opt_clean", "equiv_simple", "equiv_induct -seq 3", "equiv_status"], log, limit)
    if times is None:
        return module, 0, None, time.monotonic() - start
    found = re.findall(r"Found (\d+) \$equiv cells in equiv:\s*Of those cells (\d+) are proven and "
                       r"(\d+) are unproven", log.read_text())
    if not found or int(found[-1][0]) == 0:
        raise Refusal(f"{module}: Yosys compared nothing (log: {log})")
    return module, int(found[-1][0]), int(found[-1][2]), time.monotonic() - start


def main():
    parser = Parser(prog="equivalence.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    command.add_design(parser, "stress_small")
    command.add_liberty(parser)
    command.add_modules(parser)
    parser.add_argument("--limit", type=float, default=300, metavar="S",
                        help="seconds for a module [300]")
    options = parser.parse_args()
    technology = Technology(options.liberty, BUILD)
    folder = BUILD / "equivalence" / Path(options.system).stem
    folder.mkdir(parents=True, exist_ok=True)
    gold, modules = instances(netlist.parameters(options.system, options.set), folder)
    names = wanted(options.module or [m for m in modules if m not in NOTHING_OWN], modules,
                   options.system)
    with ThreadPoolExecutor(2) as pool:
        rows = pool.map(lambda m: check(m, modules[m], gold, technology, folder, options.limit),
                        names)
        bad = 0
        for module, points, unproven, seconds in rows:
            bad += unproven != 0
            verdict = ("does not converge in time" if unproven is None else
                       f"{points} points, " + (f"{unproven} not proven" if unproven else "all proven"))
            print(f"{module:26} {verdict}, {seconds:.0f} s", flush=True)
    print(f"{len(names) - bad} modules equivalent, {bad} not proven")
    return 0 if bad == 0 else 1


if __name__ == "__main__":
    sys.exit(guarded(main))
