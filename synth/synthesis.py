"""What a system costs: area, timing and power by synthesis (`make synth SYSTEM=nha`).

    synthesis.py [--system NAME] [--set KEY=VALUE ..] [--liberty FILE] [--period NS] [--trials N]
             [--activity A] [--waves FILE] [--out DIR] [--no-modules]

Writes DIR/report.txt, report.json, netlist.v with its cells.v and iommu.sv, and, with modules, area.png. Status 0, or 2
with one sentence."""

import concurrent.futures
import json
import sys
import time
from pathlib import Path

from synth import activity, command, power, report
from synth.cells.technology import Technology
from synth.netlist import netlist
from synth.timing import paths, timing
from tools import claim
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

BUILD = ROOT / "build" / "synth"
# Of the search for the shortest period: its end, its bound, and the next target while all were held. A trial of more
# than SMALL gates takes minutes.
WITHIN = 0.02
SMALL = 150_000
TRIALS, STEP = 6, 0.85
LARGE_TRIALS, LARGE_STEP = 2, 0.9


def folder_of(options):
    return Path(options.out or BUILD / claim.name_of(options.system, options.set))


def options_of():
    """Who reads the report takes them too, and finds it by them."""
    parser = Parser(prog="synthesis.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    command.add_design(parser, "nha")
    command.add_liberty(parser)
    parser.add_argument("--period", type=float, default=4.0, metavar="NS",
                        help="the period that the first trial maps for [4.0]")
    parser.add_argument("--trials", type=int, metavar="N",
                        help="at most so many mappings in search of the shortest period ["
                        f"{TRIALS} up to {SMALL} gates, then {LARGE_TRIALS}]")
    parser.add_argument("--activity", type=float, default=0.1, metavar="A",
                        help="transitions of a net in a cycle, for power [0.1]")
    parser.add_argument("--waves", metavar="FILE",
                        help="the activity is that of the registers in this run of the system (FST)")
    parser.add_argument("--out", metavar="DIR", help="[build/synth/SYSTEM, and its settings]")
    parser.add_argument("--no-modules", action="store_true", help="no area by module (faster)")
    return parser


def arguments():
    options = options_of().parse_args()
    for name, value, good, allowed in (
            ("--period", options.period, 0.01 <= options.period <= 1000, "0.01..1000"),
            ("--trials", options.trials or 0, options.trials is None or 1 <= options.trials <= 10,
             "1..10"),
            ("--activity", options.activity, 0 <= options.activity <= 2, "0..2")):
        if not good:
            raise Refusal(f"{name} is {value:g}; allowed: {allowed}")
    return options


def search(first, bound, trial, step):
    """Looks for the shortest period in at most `bound` trials: [figures], a trial a target in seconds.

    A period that some netlist holds, and a target that none held, close in on each other by bisection;
    the first targets are `step` times the shortest period reached, until one is not held."""
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
        target = (missed + held) / 2 if missed > 0 else step * held
    return done


class Mapping:
    """Maps a Cut for one target after the other, and keeps of each part the fastest mapping so far: a part that
    holds the next target is not mapped again."""

    def __init__(self, whole, technology, options, out, bound):
        self.whole, self.technology, self.options, self.out = whole, technology, options, out
        self.last = bound - 1
        self.files, self.periods = {}, {}

    def trial(self, n, target):
        """The figures of the netlist for a target in seconds."""
        stem, start = self.out / f"trial{n}", time.monotonic()
        kept = {part: file for part, file in self.files.items() if self.periods[part] <= target}
        parts = netlist.mapped(self.whole, self.technology, stem, target, kept)
        figures = timing.analyse(f"{stem}.v", self.technology, target, self.options.activity,
                                 every=n < self.last)
        figures.update(target_s=target, stem=str(stem), mapped_parts=len(parts) - len(kept),
                       parts=len(parts), **report.areas(stem, self.technology))
        every, clock = figures.pop("every"), figures.pop("clock")
        figures["power"] = power.charged(figures["power"], clock, power.guessed(clock["gates"], self.options.activity))
        if n < self.last:
            self.learn(parts, every, target)
        figures["seconds"] = time.monotonic() - start
        print(f"synth: {self.options.system}: {report.trial(figures)}", file=sys.stderr)
        return figures

    def learn(self, parts, text, target):
        """Takes over the parts that are faster now, by the slowest path of each."""
        slowest = dict.fromkeys(parts, 0.0)
        for end, period in paths.periods(text, self.technology.seconds, target).items():
            part = self.whole.before.get(end)
            if part is not None:
                slowest[part] = max(slowest[part], period)
        for part, file in parts.items():
            if slowest[part] < self.periods.get(part, float("inf")):
                self.files[part], self.periods[part] = file, slowest[part]


def modules(generic, technology, out):
    """Area by module, from a run that keeps the hierarchy (and so optimises across no boundary)."""
    netlist.mapped_modules(generic, technology, out / "modules")
    return report.module_areas(report.module_cells(out / "modules.stat.json", technology), technology)


def main():
    options = arguments()
    versions = {"OpenSTA": timing.version(), "Yosys": netlist.version()}
    revision = netlist.revision()  # of the RTL that is read now
    technology = Technology(options.liberty, BUILD)
    if options.waves:
        activity.Waves(options.waves)  # a file that is none is refused before the minutes of mapping
    parameters = netlist.parameters(options.system, options.set)
    out = claim.taken(folder_of(options))
    start = time.monotonic()
    generic = netlist.generic(parameters, BUILD)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        by_module = None if options.no_modules else pool.submit(modules, generic, technology, out)
        whole = netlist.cut(generic, technology, out / "cut")
        bound, step = ((TRIALS, STEP) if sum(whole.sizes.values()) <= SMALL else
                       (LARGE_TRIALS, LARGE_STEP))
        bound = options.trials or bound
        mapping = Mapping(whole, technology, options, out, bound)
        done = search(options.period * 1e-9, bound, mapping.trial, step)
        by_module = by_module.result() if by_module else []
    best = max(done, key=lambda figures: figures["fmax_hz"])
    figures = {"system": options.system, "settings": options.set, "parameters": parameters,
               "revision": revision, "versions": versions,
               "library": technology.name, "liberty": str(technology.source),
               "nand2_area": technology.nand2, "gate": technology.gate and technology.gate.cell,
               "activity": options.activity, "activity_run": None,
               "best": best,
               "trials": done, "trials_allowed": bound, "modules": by_module,
               "fanout": timing.fanout(best["stem"] + ".v", technology), "source_fanout": whole.fanout,
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
