"""The modules on an FPGA, each by itself: LUTs, registers, RAMs and Fmax on an iCE40 HX8K (`make fpga`).

    fpga.py [--system NAME] [--set KEY=VALUE ..] [--module M ..] [--out DIR]

A module (its children in it) has more ports than the package pins, so it stands in a wrapper of registers: a
shift register gives all its inputs, and all its outputs are added to another. Fmax is of module and wrapper,
so paths to and from ports count; the LUTs and registers are the module's own. A module that does not fit
with its wrapper is listed with its LUTs; one that cannot for its registers alone is not mapped, so it has no
LUTs. Writes DIR/fpga.txt and fpga.json."""

import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from synth import command, equivalence
from synth.netlist import netlist
from tools import claim
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

BUILD = ROOT / "build" / "fpga"
DEVICE, PACKAGE, CELLS = "hx8k", "ct256", 7680  # a cell has a LUT of four inputs and a register
SEED, TARGET_MHZ = 1, 100
SHARED = ("clk_i", "rst_ni")
REGISTER = re.compile(r"^  cell \$\w*ff\w* .*\n(?:    .*\n)*?    parameter \\WIDTH (\d+)$", re.M)
PORT = re.compile(r"^  wire (?:width (\d+) )?(input|output) \d+ \\(\S+)$", re.M)
KINDS = {"luts": r"SB_LUT4", "registers": r"SB_DFF\w*", "rams": r"SB_RAM40_4K\w*"}

WRAPPER = """module wrapper (input clk_i, input rst_ni, input first, output last);
  reg [{inputs}:0] given;
  reg [{outputs}:0] kept;
  wire [{outputs}:0] result;
  always @(posedge clk_i) begin
    given <= {{given, first}};
    kept <= {{kept, given[{inputs}]}} ^ result;
  end
  assign last = kept[{outputs}];
  unit u_unit ({ports});
endmodule
"""


def version():
    if shutil.which("nextpnr-ice40") is None:
        raise Refusal("nextpnr-ice40 is missing; `./setup.sh fpga` installs Debian's package nextpnr-ice40")
    done = subprocess.run(["nextpnr-ice40", "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"Version (\S+)\)", done.stdout + done.stderr)
    return found[1] if found else "unknown"


def wrapper(text):
    """The wrapper of a module that stands in RTLIL, and how many registers it has."""
    taken, places = {"input": 0, "output": 0}, []
    for width, direction, name in PORT.findall(text):
        if name in SHARED:
            places.append(f".{name}({name})")
            continue
        low = taken[direction]
        taken[direction] += int(width or 1)
        bus = "given" if direction == "input" else "result"
        places.append(f".{name}({bus}[{taken[direction] - 1}:{low}])")
    if min(taken.values()) == 0:
        return None, 0
    return WRAPPER.format(inputs=taken["input"] - 1, outputs=taken["output"] - 1,
                          ports=", ".join(places)), sum(taken.values())


def measure(module, name, gold, folder):
    """{"module", "luts", "registers", "rams", "wrapper", "fmax_hz" or None where it does not fit}; None
    for a module without inputs or outputs."""
    unit, stem = folder / f"{module}.il", folder / module
    netlist.run_steps([f"read_rtlil {gold}", f"hierarchy -top {name}", "flatten -noscopeinfo",
                       f"rename {name} unit", f"write_rtlil {unit}"], folder / f"{module}.unit.log")
    around, registers = wrapper(unit.read_text())
    if around is None:
        return None
    own = sum(int(width) for width in REGISTER.findall(unit.read_text()))
    row = {"module": module, "luts": None, "registers": own, "rams": 0, "wrapper": registers, "fmax_hz": None}
    if own + registers > CELLS:
        return row
    source = stem.with_suffix(".v")
    source.write_text(around)
    netlist.run_steps([f"read_rtlil {unit}", f"read_verilog {source}", "hierarchy -top wrapper",
                       "synth_ice40 -noflatten -top wrapper", f"tee -q -o {stem}.stat.json stat -json",
                       "flatten -noscopeinfo", "opt_clean -purge", f"write_json {stem}.json"],
                      stem.with_suffix(".log"))
    types = json.loads(Path(f"{stem}.stat.json").read_text())["modules"]["\\unit"]["num_cells_by_type"]
    row |= {kind: sum(n for cell, n in types.items() if re.fullmatch(pattern, cell))
            for kind, pattern in KINDS.items()}
    if row["luts"] + registers <= CELLS:
        row["fmax_hz"] = place(stem)
    return row


def place(stem):
    """Fmax after place and route in Hz; None where it does not fit."""
    report = Path(f"{stem}.report.json")
    report.unlink(missing_ok=True)
    done = subprocess.run(["nextpnr-ice40", f"--{DEVICE}", "--package", PACKAGE, "--json", f"{stem}.json",
                           "--freq", str(TARGET_MHZ), "--seed", str(SEED), "--report", str(report),
                           "--timing-allow-fail", "-q"], capture_output=True, text=True, check=False)
    Path(f"{stem}.place.log").write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        if re.search(r"[Uu]nable to (?:find a placement|place)|failed to place|too many", done.stderr):
            return None
        errors = re.findall(r"^ERROR: (.*)$", done.stderr, re.M)
        raise Refusal(f"nextpnr-ice40 failed: {errors[0] if errors else 'no error line'} "
                      f"(log: {stem}.place.log)")
    clocks = json.loads(report.read_text())["fmax"]
    return 1e6 * min(clock["achieved"] for clock in clocks.values())


def text(figures):
    lines = [f"{figures['system']} {' '.join(figures['settings'])}".strip() +
             f" at revision {figures['revision']}, module by module on an iCE40 {DEVICE.upper()} "
             f"({CELLS} cells of a LUT4 and a register)",
             ", ".join(f"{tool} {v}" for tool, v in figures["versions"].items()), "",
             f"{'module':28} {'LUTs':>7} {'regs':>7} {'RAMs':>5} {'MHz':>7}"]
    for row in figures["modules"]:
        fmax = f"{row['fmax_hz'] / 1e6:7.1f}" if row["fmax_hz"] else (
            f"   does not fit, with {row['wrapper']} registers of its wrapper")
        luts = "-" if row["luts"] is None else row["luts"]
        lines.append(f"{row['module']:28} {luts:>7} {row['registers']:7d} {row['rams']:5d} {fmax}")
    return "\n".join([*lines, ""])


def main():
    parser = Parser(prog="fpga.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    command.add_design(parser, "stress_small")
    command.add_modules(parser)
    parser.add_argument("--out", metavar="DIR", help="[build/fpga/SYSTEM, and its settings]")
    options = parser.parse_args()
    versions = {"nextpnr-ice40": version(), "Yosys": netlist.version()}
    parameters = netlist.parameters(options.system, options.set)
    out = claim.taken(options.out or BUILD / claim.name_of(options.system, options.set))
    work = out / "work"
    work.mkdir(parents=True, exist_ok=True)
    gold, modules = equivalence.instances(parameters, work)
    wanted = equivalence.wanted(options.module, modules, options.system)
    with ThreadPoolExecutor(netlist.AT_ONCE) as pool:
        rows = list(pool.map(lambda m: measure(m, modules[m], gold, work), wanted))
    figures = {"system": options.system, "settings": options.set, "revision": netlist.revision(),
               "versions": versions, "device": DEVICE, "seed": SEED,
               "modules": sorted((row for row in rows if row),
                                 key=lambda row: (-(row["luts"] or CELLS), -row["registers"]))}
    (out / "fpga.json").write_text(json.dumps(figures, indent=1) + "\n")
    (out / "fpga.txt").write_text(text(figures))
    print(text(figures), end="")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
