"""What a system costs in area alone (`make area SYSTEM=nha`): in a fraction of the time of synthesis.py, for sweeps.

    area.py [--system NAME] [--set KEY=VALUE ..] [--liberty FILE] [--processes N] [--out DIR]

Writes DIR/area.txt and area.json. Status 0, or 2 with one sentence."""

import json
import sys
import time
from dataclasses import asdict

from synth import command, modules, report
from synth.cells.technology import Technology
from synth.netlist import netlist, sram
from tools import claim
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

BUILD = ROOT / "build" / "synth"
# Arrays are one macro where they are told the same words: which they are shows where the design is flat.
ARRAYS = ["flatten -noscopeinfo", "opt_expr", "opt_merge", "opt_clean", f"select t:{sram.MODULE}"]


def arguments():
    parser = Parser(prog="area.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    command.add_design(parser, "nha")
    command.add_liberty(parser)
    parser.add_argument("--processes", type=int, default=netlist.AT_ONCE, metavar="N",
                        help="of Yosys side by side; a sweep has its points side by side "
                        f"[{netlist.AT_ONCE}: what there are processors and memory for]")
    parser.add_argument("--out", metavar="DIR", help="[build/synth/SYSTEM, and its settings]")
    options = parser.parse_args()
    if not 1 <= options.processes <= netlist.AT_ONCE:
        raise Refusal(f"--processes is {options.processes}; allowed: 1..{netlist.AT_ONCE}")
    return options


def arrays(rtl, technology):
    """The memory macros of a design."""
    if f"cell \\{sram.MODULE} " not in rtl.read_text():
        return []
    flat = rtl.with_suffix(".arrays.il")
    netlist.run_steps([f"read_rtlil {rtl}", "hierarchy -top iommu", *ARRAYS, f"write_rtlil -selected {flat}"],
                      flat.with_suffix(".log"))
    return list(sram.arrays(flat.read_text(), technology).values())


def main():
    options = arguments()
    revision = netlist.revision()  # of the RTL that is read now
    technology = Technology(options.liberty, BUILD)
    parameters = netlist.parameters(options.system, options.set)
    out = claim.taken(options.out or BUILD / claim.name_of(options.system, options.set))
    start = time.monotonic()
    rtl = out / "area.il"
    netlist.run_steps([*netlist.read(parameters), *netlist.ACROSS, f"write_rtlil {rtl}"], out / "area.log")
    netlist.refuse_latches(rtl)
    cells, mapped = modules.mapped(rtl.read_text(), technology, BUILD / "areas", out, options.processes)
    rows = report.module_areas(cells, technology)
    macros = [asdict(macro) for macro in arrays(rtl, technology)]
    figures = {"system": options.system, "settings": options.set, "parameters": parameters,
               "revision": revision, "versions": {"Yosys": netlist.version()},
               "library": technology.name, "liberty": str(technology.source),
               "nand2_area": technology.nand2, "gate": technology.gate and technology.gate.cell,
               "best": report.estimate(rows, macros, technology), "modules": rows,
               "mapped": mapped, "seconds": time.monotonic() - start}
    text = report.estimate_text(figures)
    netlist.write_whole(out / "area.txt", text)
    netlist.write_whole(out / "area.json", json.dumps(figures, indent=1) + "\n")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
