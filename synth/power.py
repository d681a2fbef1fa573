"""The power of a netlist that is there, by the activity of a run (`make synth-power SYSTEM=nha WAVES=f.fst`).

    power.py DIR --waves FILE

DIR is that of a report of `make synth`; FILE what `lockwalk cosim --waves` wrote for the same system. Writes the
figures into DIR/report.json and report.txt."""

import json
import sys
from pathlib import Path

from synth import activity, report
from synth.cells.technology import Technology
from synth.netlist import enables
from synth.timing import timing
from tools import claim, json_file, output
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

SYNTHESISED = "what `make synth` has written into DIR"


def guessed(gates, rate):
    """{clock gate: the share of cycles that it is open} where no run says it: what is loaded is new in one of two
    bits, so twice the transitions."""
    return dict.fromkeys(gates, min(1.0, 2 * rate))


def charged(power, clock, shares):
    """OpenSTA's power of a netlist, in which each clock gate lets the clock through in all cycles, for gates that do
    so in a share of them. A gate's own energy counts in every cycle: its clock pin is before it."""
    gates = clock["gates"]
    flops_w = sum((1 - shares[gate]) * row["flops_w"] for gate, row in gates.items())
    net_w = sum((1 - shares[gate]) * row["net_w"] for gate, row in gates.items())
    power = {name: dict(row) for name, row in power.items()}
    for name, part, spared in (("sequential", "internal_w", flops_w), ("combinational", "switching_w", net_w)):
        for row in (power[name], power["total"]):
            row[part] -= spared
            row["total_w"] -= spared
    power["clock"] = {**_parts(clock), "total_w": clock["total_w"] - flops_w - net_w}
    flops = power["clock"]["flops"]
    opened = sum(shares[gate] * row["flops"] for gate, row in gates.items())
    power["clock"]["open"] = opened / flops if flops else 1.0
    return power


def _parts(clock):
    """Of the clock's power what goes to flip-flops without a gate and to the gates themselves, and how many gates and
    flip-flops behind them there are."""
    rows = clock["gates"].values()
    gated = sum(row["flops_w"] + row["net_w"] + row["own_w"] for row in rows)
    return {"free_w": clock["total_w"] - gated, "gates_w": sum(row["own_w"] for row in rows), "gates": len(rows),
            "flops": sum(row["flops"] for row in rows)}


def measure(figures, waves, technology):
    """Gives a report's figures the power at the activity of a run."""
    best = figures["best"]
    stem = Path(best["stem"])
    waves = activity.Waves(waves)
    run = activity.measured(waves, f"{stem}.v", technology)
    shares, run["unknown_gates"] = enables.shares(stem.parent / "cut" / "enables.json", waves)
    found = timing.analyse(f"{stem}.v", technology, best["target_s"], run["activity"])
    best["power"] = charged(found["power"], found["clock"], shares)
    figures.update(activity=run["activity"], activity_run=run)


def main():
    parser = Parser(prog="power.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("folder", metavar="DIR", help="of `make synth`")
    parser.add_argument("--waves", metavar="FILE", required=True,
                        help="of `make cosim SYSTEM=.. WAVES=f.fst`, the same system")
    options = parser.parse_args()
    folder = Path(options.folder)
    file = folder / "report.json"
    figures = json_file.read(file, SYNTHESISED)
    try:
        liberty, _ = figures["liberty"], figures["best"]["stem"]
    except (KeyError, TypeError) as error:
        raise Refusal(f"{file}: is no report of `make synth`; allowed: {SYNTHESISED}") from error
    timing.version()
    claim.taken(folder)
    measure(figures, options.waves, Technology(liberty, ROOT / "build" / "synth"))
    output.write("DIR", file, json.dumps(figures, indent=1) + "\n")
    output.write("DIR", folder / "report.txt", report.text(figures))
    print(report.power(figures), report.clock(figures), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
