"""What a system costs: area, timing and power by synthesis (`make synth SYSTEM=nha`).

    synth.py [--system NAME] [--set KEY=VALUE ..] [--liberty FILE] [--period NS] [--trials N]
             [--activity A] [--waves FILE] [--out DIR] [--no-modules]

Writes DIR/report.txt, report.json, netlist.v and area.png. Status 0, or 2 with one sentence."""

import argparse
import concurrent.futures
import json
import sys
import time
from pathlib import Path

import activity
import netlist
import power
import report
import timing
from refusal import Refusal, guarded
from technology import DEFAULT, Technology

ROOT = netlist.ROOT
BUILD = ROOT / "build" / "synth"
# Of the search for the shortest period: its end, its bound, and the next target while all were held.
WITHIN = 0.02
TRIALS = 6
STEP = 0.85


def arguments():
    parser = argparse.ArgumentParser(prog="synth.py", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--system", default="nha", help="a name of `lockwalk systems` [nha]")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="change a value of the system; repeatable")
    parser.add_argument("--liberty", default=str(DEFAULT), metavar="FILE",
                        help="plain or gzip [Debian's osu018]")
    parser.add_argument("--period", type=float, default=4.0, metavar="NS",
                        help="the period that the first trial maps for [4.0]")
    parser.add_argument("--trials", type=int, metavar="N",
                        help=f"at most so many mappings in search of the shortest period [{TRIALS}, or 1 "
                        f"above {netlist.LARGE} generic cells]")
    parser.add_argument("--activity", type=float, default=0.1, metavar="A",
                        help="transitions of a net in a cycle, for power [0.1]")
    parser.add_argument("--waves", metavar="FILE",
                        help="the activity is that of the registers in this run of the system (FST)")
    parser.add_argument("--out", metavar="DIR", help="[build/synth/SYSTEM]")
    parser.add_argument("--no-modules", action="store_true", help="no area by module (faster)")
    options = parser.parse_args()
    for name, value, good, allowed in (
            ("--period", options.period, 0.01 <= options.period <= 1000, "0.01..1000"),
            ("--trials", options.trials or 0, options.trials is None or 1 <= options.trials <= 10,
             "1..10"),
            ("--activity", options.activity, 0 <= options.activity <= 2, "0..2")):
        if not good:
            raise Refusal(f"{name} is {value:g}; allowed: {allowed}")
    return options


def search(first, bound, trial):
    """Looks for the shortest period in at most `bound` trials: [figures], a trial a target in seconds.

    A period that some netlist holds, and a target that none held, close in on each other by bisection;
    the first targets fall until one is not held."""
    done, missed, target = [], 0.0, first
    while len(done) < bound:
        figures = trial(len(done), target)
        done.append(figures)
        if 1 / figures["fmax_hz"] > target:
            if any(figures["fmax_hz"] == other["fmax_hz"] for other in done[:-1]
                   if 1 / other["fmax_hz"] > target):
                break  # the mapper gives all it has below some target, which both missed
            missed = max(missed, target)
        held = min(1 / f["fmax_hz"] for f in done)
        if missed > 0 and held <= missed * (1 + WITHIN):
            break
        target = (missed + held) / 2 if missed > 0 else STEP * held
    return done


def mapping(generic, technology, options, out):
    """The function that maps for a target and gives the netlist's figures."""
    def trial(n, target):
        stem, start = out / f"trial{n}", time.monotonic()
        netlist.mapped(generic, technology, stem, target)
        figures = timing.analyse(f"{stem}.v", technology, target, options.activity)
        figures.update(target_s=target, stem=str(stem), seconds=time.monotonic() - start,
                       **report.areas(stem, technology))
        print(f"synth: {options.system}: {report.trial(figures)}", file=sys.stderr)
        return figures
    return trial


def modules(generic, technology, out):
    """Area by module, from a run that keeps the hierarchy (and so optimises across no boundary)."""
    netlist.mapped_modules(generic, technology, out / "modules")
    return report.module_areas(out / "modules.stat.json", technology)


def main():
    options = arguments()
    versions = {"OpenSTA": timing.version(), "Yosys": netlist.version()}
    revision = netlist.revision()  # of the RTL that is read now
    technology = Technology(options.liberty, BUILD)
    if options.waves:
        activity.Waves(options.waves)  # a file that is none is refused before the minutes of mapping
    parameters = netlist.parameters(options.system, options.set)
    out = Path(options.out) if options.out else BUILD / Path(options.system).stem
    start = time.monotonic()
    generic = netlist.generic(parameters, BUILD)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        by_module = None if options.no_modules else pool.submit(modules, generic, technology, out)
        bound = options.trials or (1 if netlist.is_large(generic) else TRIALS)
        done = search(options.period * 1e-9, bound, mapping(generic, technology, options, out))
        by_module = by_module.result() if by_module else []
    best = max(done, key=lambda figures: figures["fmax_hz"])
    figures = {"system": options.system, "settings": options.set, "parameters": parameters,
               "revision": revision, "versions": versions,
               "library": technology.name, "liberty": str(technology.source),
               "nand2_area": technology.nand2, "activity": options.activity, "activity_run": None,
               "best": best,
               "trials": done, "trials_allowed": bound, "modules": by_module,
               "fanout": timing.fanout(best["stem"] + ".v", technology),
               "state_bits": best["flops"], "seconds": time.monotonic() - start}
    if options.waves:
        power.measure(figures, options.waves, technology)
    text = report.text(figures)
    Path(best["stem"] + ".netlist.v").replace(out / "netlist.v")
    netlist.cell_models(best, technology, out / "cells.v")
    netlist.wrapper(out / "iommu.sv")
    (out / "report.json").write_text(json.dumps(figures, indent=1) + "\n")
    (out / "report.txt").write_text(text)
    if by_module:
        report.area_picture(figures, out / "area.png")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main))
