"""One page of HTML of a run, of two runs, or of a sweep: nothing beside it is needed to read it.

    report.py --run A.json [--against B.json] --out FILE.html     what `lockwalk model --stages --json` has written
    report.py --sweep FILE.csv --out FILE.html                    what `make explore` has written"""

import argparse
import sys

from tools import csv_file, json_file, output
from tools.refusal import Parser, Refusal, guarded
from tools.schema import ABOVE_ZERO, ANY, NUMBER, PAIR, TEXT, each, fits, keys, many, or_null


def all_of(kinds):
    """These are read; what else a run has is not."""
    return keys(kinds, kinds, more=True)


FIGURES = dict.fromkeys(["requests", "cycles", "mean", "p50", "p90", "p99", "max"], NUMBER)
WHOLE = {**FIGURES, "histogram": many(PAIR)}
PART = {"stages": each(all_of(FIGURES)), "whole": all_of(WHOLE)}
BANKS = dict.fromkeys(["reads", "row_hits", "row_misses", "row_conflicts", "wait_cycles"], NUMBER)
RUN = {
    "command": TEXT, "system": TEXT, "workload": TEXT, "seed": NUMBER, "verdict": TEXT, "cycles": ABOVE_ZERO,
    "requests": NUMBER, "responses": NUMBER, "values": each(ANY), "counters": each(NUMBER), "attribution": each(NUMBER),
    "versions": all_of({"lockwalk": TEXT, "revision": ANY}),
    "memory": or_null(all_of({**BANKS, "banks": many(all_of({"reads": NUMBER}))})),
    "stages": or_null(all_of({"stages": each(all_of(FIGURES), 1),
                              "whole": all_of({**WHOLE, "requests": ABOVE_ZERO, "cycles": ABOVE_ZERO}),
                              "ways": each(all_of(PART)), "kernels": many(all_of({**PART, "kernel": TEXT}))})),
}
WRITTEN = "what `lockwalk model --json` and `cosim --json` write"
READ = ["run", "against", "sweep"]  # options that name a file
COLUMNS = {"panel": str, "system": str, "settings": str, "area_um2": float, "cycles_saved_percent": float,
           "on_front": int}


def read_run(path):
    run = json_file.read(path, WRITTEN)
    missing = next((key for key in RUN if not isinstance(run, dict) or key not in run), None)
    if missing is not None:
        raise Refusal(f"{path}: is no run, it has no \"{missing}\"; allowed: {WRITTEN}")
    if run["stages"] is None:
        raise Refusal(f"{path}: has no stages; allowed: what a run with --stages has written")
    fits(run, all_of(RUN), path)
    return run


def read_inputs(arguments):
    """The runs, one or two, and the rows of a sweep."""
    if arguments.sweep is not None:
        if arguments.run is not None or arguments.against is not None:
            raise Refusal("--sweep: goes without --run and --against")
        return [], csv_file.read(arguments.sweep, "sweep", COLUMNS, "what `make explore` writes")
    if arguments.run is None:
        raise Refusal("--run or --sweep: one of them says what the report is of")
    return [read_run(path) for path in (arguments.run, arguments.against) if path is not None], []


def make(arguments):
    runs, rows = read_inputs(arguments)
    from plots import report_pages as pages  # only now: matplotlib takes a second to load, which no refusal needs

    if rows:
        return pages.page(pages.sweep_report(rows, arguments.sweep), f"Made of {arguments.sweep}.")
    version = runs[0]["versions"]
    made = f"Lockwalk {version['lockwalk']}, revision {version['revision'] or 'unknown'}; made of {arguments.run}"
    if len(runs) == 1:
        return pages.page(pages.run_report(*runs), f"{made}.")
    paths = (arguments.run, arguments.against)
    return pages.page(pages.comparison_report(*runs, paths), f"{made} and {arguments.against}.")


def main():
    parser = Parser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in READ:
        parser.add_argument(f"--{name}", metavar="FILE")
    parser.add_argument("--out", metavar="FILE", required=True)
    arguments = parser.parse_args()
    output.spare("--out", arguments.out, {f"--{name}": getattr(arguments, name) for name in READ})
    output.write("--out", arguments.out, make(arguments))
    print(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(guarded(main, "lockwalk"))
