"""Which registers of a finished mapping end the worst paths: for each register or output of the source, its
bits together, the worst slack at a period, how many bits fail, and where the worst path starts.

    paths.py DIR [--period NS]

DIR is what synthesis.py wrote to; the default period is what its netlist was mapped for. Worst first."""

import re
import sys
from pathlib import Path

from synth.cells.technology import Technology
from synth.timing import timing
from tools import json_file
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

LINE = re.compile(r"^(\S+) \(.*?\) +(\S+) \(.*?\) +(-?[\d.]+)$", re.M)


def source_pin(pin):
    """The source's name of a pin or port; a register's pin is its register."""
    return timing.source_name(pin.rpartition("/")[0] or pin)


def periods(text, unit, period):
    """{register's or output's bit: the shortest period in seconds at which it holds}, by what timing.tcl prints
    at a period; a path from or to a port has the share IO of it outside."""
    found = {}
    for start, end, slack in LINE.findall(text):
        inside = 1.0 if "/" in start and "/" in end else 1.0 - timing.IO
        name = source_pin(end)
        name = name if name.endswith("]") else f"{name}[0]"
        found[name] = max(found.get(name, 0.0), period - float(slack) * unit / inside)
    return found


def groups(text, unit):
    """[{"end", "slack_s", "from", "failing", "endpoints"}] of timing.tcl's output, worst first."""
    found = {}
    for start, end, slack in LINE.findall(text):
        name = re.sub(r"(\[\d+\])+$", "", source_pin(end))
        row = found.setdefault(name, {"end": name, "slack_s": float("inf"), "failing": 0,
                                      "endpoints": 0})
        row["endpoints"] += 1
        row["failing"] += float(slack) < 0
        if float(slack) * unit < row["slack_s"]:
            row.update({"slack_s": float(slack) * unit, "from": source_pin(start)})
    return sorted(found.values(), key=lambda row: row["slack_s"])


def main():
    parser = Parser(prog="paths.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("folder", metavar="DIR", help="of `make synth`")
    parser.add_argument("--period", type=float, metavar="NS", help="[that of the mapping]")
    options = parser.parse_args()
    if options.period is not None and not 0.01 <= options.period <= 1000:
        raise Refusal(f"--period is {options.period:g}; allowed: 0.01..1000")
    folder = Path(options.folder)
    file, allowed = folder / "report.json", "what `make synth` has written into DIR"
    report = json_file.read(file, allowed)
    try:
        best, liberty, _ = report["best"], report["liberty"], report["best"]["stem"]
    except (KeyError, TypeError) as error:
        raise Refusal(f"{file}: is no report of `make synth`; allowed: {allowed}") from error
    timing.version()
    technology = Technology(liberty, ROOT / "build" / "synth")
    period = options.period * 1e-9 if options.period else best["target_s"]
    netlist_file = folder / f"{Path(best['stem']).name}.v"
    rows = groups(timing.run(netlist_file, technology, period, every=True)["every"], technology.seconds)
    print(f"{report['system']} at {period * 1e9:.3f} ns: {sum(row['failing'] for row in rows)} of "
          f"{sum(row['endpoints'] for row in rows)} endpoints fail")
    print(f"{'slack ns':>9} {'fail':>6} {'of':>6}  {'to':50} from")
    for row in rows:
        print(f"{row['slack_s'] * 1e9:9.3f} {row['failing']:6d} {row['endpoints']:6d}  {row['end']:50} "
              f"{row['from']}")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
