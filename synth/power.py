"""The power of a netlist that is there, by the activity of a run (`make synth-power SYSTEM=nha WAVES=f.fst`).

    power.py DIR --waves FILE

DIR is that of a report of `make synth`; FILE what `lockwalk cosim --waves` wrote for the same system. Writes the
figures into DIR/report.json and report.txt."""

import argparse
import json
import sys
from pathlib import Path

import activity
import netlist
import report
import timing
from refusal import Refusal, guarded
from technology import Technology


def measure(figures, waves, technology):
    """Gives a report's figures the power at the activity of a run."""
    best = figures["best"]
    run = activity.measured(waves, best["stem"] + ".v", technology)
    best["power"] = timing.analyse(best["stem"] + ".v", technology, best["target_s"],
                                   run["activity"])["power"]
    figures.update(activity=run["activity"], activity_run=run)


def main():
    parser = argparse.ArgumentParser(prog="power.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("folder", metavar="DIR", help="of `make synth`")
    parser.add_argument("--waves", metavar="FILE", required=True,
                        help="of `make cosim SYSTEM=.. WAVES=f.fst`, the same system")
    options = parser.parse_args()
    folder = Path(options.folder)
    try:
        figures = json.loads((folder / "report.json").read_text())
        liberty = figures["liberty"]
    except (OSError, ValueError, KeyError) as error:
        raise Refusal(f"{folder}: has no report of `make synth` ({error})") from error
    timing.version()
    measure(figures, options.waves, Technology(liberty, netlist.ROOT / "build" / "synth"))
    (folder / "report.json").write_text(json.dumps(figures, indent=1) + "\n")
    (folder / "report.txt").write_text(report.text(figures))
    print(report.power(figures))
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
