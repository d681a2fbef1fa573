"""Who would notice a broken line: lines changed at random, one at a time, and what barks (`make mutation`).

A change is one of universalmutator's for C (an operator, a constant, a condition, a statement that goes), drawn by a
seed; those that the compiler refuses, or makes the same code of, are drawn again. One of the twin is judged twice. In
the lockstep, where the RTL is whole, a change that no run notices is of a corner that no stream reaches; so is one of
the RTL, which only the lockstep judges. Without the RTL, as if both sides were broken alike: the contract tester, the
unit tests and the oracle, which know the document and the papers and not the other side. Of the machine around the unit
(sim) and of the oracle, which RTL and twin share, the lockstep cannot know better: their unit tests judge them, and so
they do what compares the two (dpi). The checkers of the unit (tb) are judged by their benches: what a changed one lets
pass, or barks at. What nobody notices is printed with its line: it changes nothing that anybody was promised, or it
names a test that is missing."""

import argparse
import contextlib
import difflib
import io
import json
import os
import random
import re
import shutil
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from universalmutator import mutator

from tests.mutation.benches import Bench, CheckerBench, RtlBench, changed
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded

# Lines of these may be changed, or of folders in them: sources with this ending.
PARTS = {"c_model": "*.c", "sim": "*.c", "oracle": "*.c", "dpi": "*.c", "rtl": "*.sv", "tb": "*_checker.sv"}
RULES = ["universal.rules", "c_like.rules", "c.rules"]
JUDGES = {"lockstep": "in the lockstep", "without_rtl": "without the RTL", "unit_tests": "by the unit tests",
          "benches": "by the checkers' benches"}
# What only declares has a change of its width that nobody sees; a wrong one Verilator's lint refuses. What only says
# a sentence checks nothing.
DECLARES = re.compile(r"\s*((logic|input|output|parameter|localparam|typedef|function|module|import|for|end)\b|//)"
                      r"|.*\$error")


def changes_of(path):
    """[(number of the line, the line as it would be)] of a source."""
    lines = path.read_text().splitlines(keepends=True)
    with contextlib.redirect_stdout(io.StringIO()):
        drawn = mutator.mutants_regexp(lines, ruleFiles=RULES, ignorePatterns=[])
    return [(number, line) for number, line, *_ in drawn
            if path.suffix == ".c" or not DECLARES.match(lines[number - 1])]


class Campaign:
    """Changes in the order in which they are drawn, until so many have been judged."""

    def __init__(self, options, file):
        self.options = options
        self.file = file  # a line for each as it is judged
        self.lock = threading.Lock()
        sources = sorted(path.relative_to(ROOT) for path in sources_of(Path(options.part)))
        self.drawn = [(file, *change) for file in sources for change in changes_of(ROOT / file)]
        random.Random(options.seed).shuffle(self.drawn)
        self.records = []

    def next(self):
        with self.lock:
            return self.drawn.pop() if self.drawn and len(self.records) < self.options.mutants else None

    def add(self, record):
        with self.lock:
            self.records.append(record)
            try:
                print(json.dumps(record), file=self.file, flush=True)
            except OSError as error:
                self.drawn = []  # the others end too, with what they are at
                raise not_written(self.options, error) from error
            if sys.stderr.isatty():
                print(f"\r{len(self.records)} of {self.options.mutants}", end="", file=sys.stderr)

    def work(self, folder):
        part = self.options.part
        other = {"rtl": RtlBench, "tb": CheckerBench}.get(Path(part).parts[0])
        bench = other(folder) if other is not None else Bench(folder, part, self.options.judge)
        while (change := self.next()) is not None:
            file, number, line = change
            noticed = bench.judge(file, number, line)
            if noticed is not None:
                self.add({"file": str(file), "line": number, "becomes": line, **noticed})


def difference(record):
    whole = (ROOT / record["file"]).read_text()
    lines = difflib.unified_diff(whole.splitlines(), changed(whole, record["line"], record["becomes"]).splitlines(),
                                 n=2, lineterm="")
    return "\n".join(f"    {line}" for line in list(lines)[2:])


def kind_of(who):
    """Of the systems of the lockstep each one, of the unit tests and the oracle's runs all together."""
    return next((kind for kind in ("unit test", "oracle", "bench") if who.startswith(kind)), who)


def not_noticed(record):
    """Where nobody notices the change: a sentence's end, or None."""
    where = [words for key, words in JUDGES.items() if key in record and record[key] is None]
    return " and not ".join(where) or None


def print_summary(part, records):
    print(f"{len(records)} changes of {part}, one at a time; who noticed first")
    for key, words in JUDGES.items():
        if not any(key in record for record in records):
            continue
        kinds = Counter(kind_of(record[key]) for record in records if record[key] is not None)
        print(f"  {words:<24} {kinds.total():>5}")
        for kind, count in kinds.most_common():
            print(f"    {kind:<22} {count:>5}")
    for record in records:
        where = not_noticed(record)
        if where is not None:
            print(f"\n{record['file']}:{record['line']}: not noticed {where}\n{difference(record)}")


def sources_of(part):
    """Without the checkers of the buses, which have no bench of their own."""
    return [path for path in (ROOT / part).rglob(PARTS[part.parts[0]]) if not path.name.startswith("axi_")
            or part.parts[0] != "tb"]


def folder_of_sources(text):
    part = Path(text)
    if part.parts[:1] not in [(top,) for top in PARTS] or ".." in part.parts or not sources_of(part):
        raise argparse.ArgumentTypeError(f"is \"{text}\"; allowed: {', '.join(PARTS)} or a folder of sources in one")
    return part.as_posix()


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"is \"{text}\"; allowed: a whole number from 1 on")
    return int(text)


def not_written(options, error):
    return Refusal(f"--json: {options.json} cannot be written ({error.strerror}); allowed: a file")


def main():
    parser = Parser(prog="campaign.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--part", type=folder_of_sources, default="c_model", metavar="FOLDER",
                        help="whose lines are changed: c_model, sim, oracle, dpi, rtl, tb or a folder in one [c_model]")
    parser.add_argument("--mutants", type=positive, default=100,
                        help="so many changes, and those that are under way by then [100]")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn [1]")
    parser.add_argument("--judge", choices=["lockstep", "without_rtl"],
                        help="of c_model: only in the lockstep, or only without the RTL [both]")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="side by side [one on each processor]")
    parser.add_argument("--json", default=str(ROOT / "build" / "mutation.jsonl"), metavar="FILE",
                        help="a line for each change as it is judged [build/mutation.jsonl]")
    options = parser.parse_args()
    if options.judge and Path(options.part).parts[0] != "c_model":
        raise Refusal(f"--judge: {options.part} has one judge alone; allowed: with --part c_model")
    try:
        file = open(options.json, "w", encoding="utf-8")
    except OSError as error:
        raise not_written(options, error) from error
    folder = ROOT / "build" / "mutation"
    shutil.rmtree(folder, ignore_errors=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        campaign = Campaign(options, file)
        for job in [pool.submit(campaign.work, folder / str(number)) for number in range(options.jobs)]:
            job.result()
    file.close()
    print_summary(options.part, campaign.records)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main, "mutation"))
