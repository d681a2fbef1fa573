"""The sweep of `make explore`: what its file may hold, checked before anything is run.

    sweep.py [--sweep FILE] [--liberty FILE.lib[.gz]]

FILE is as synth/explore/explore.yaml. Runs synth/explore/Snakefile with it on this machine; a cluster by `--profile
tools/slurm`."""

import sys
from pathlib import Path

from tools import claim, workflow
from tools.plan_file import POINT, ask, once
from tools.project import ROOT
from tools.refusal import Parser, Refusal, guarded
from tools.schema import TEXT, fits, keys, many
from tools.yaml_file import read

DEFAULT = ROOT / "synth" / "explore" / "explore.yaml"
PANEL = keys({"points": many(POINT, 1), "title": TEXT}, ("points", "title"))
KINDS = {"liberty": TEXT, "out": TEXT, "panels": many(PANEL, 1), "workloads": many(TEXT, 1)}


def name_of(point):
    """The folder of a point."""
    return claim.name_of(point["system"], point.get("set", []))


def check(sweep, file):
    """Keys and their kinds; the list of the points."""
    fits(sweep, keys(KINDS, ("liberty", "panels", "workloads")), file)
    once([workload.split()[0] for workload in sweep["workloads"]], f"{file}: workloads")
    points = []
    for n, panel in enumerate(sweep["panels"], 1):
        once([name_of(point) for point in panel["points"]], f"{file}: panel {n}")
        points += panel["points"]
    folders = {}
    for point in points:
        if folders.setdefault(name_of(point), point) != point:
            raise Refusal(f"{file}: points: \"{name_of(point)}\" is the folder of two that differ")
    once([panel["title"] for panel in sweep["panels"]], f"{file}: panels")
    return points


def load(file):
    """The sweep in a file, with what it does not name as in the default one; every system, setting and workload of
    it is there."""
    sweep = read(file)
    fits(sweep, keys(KINDS), file)
    sweep = {**read(DEFAULT), **sweep}
    points = check(sweep, file)
    for point in points:
        ask(file, "systems", "--parameters", "--system", point["system"],
            *(word for value in point.get("set", []) for word in ("--set", value)))
    for workload in sweep["workloads"]:
        cut = [] if "--max-requests" in workload else ["--max-requests", "1"]
        ask(file, "model", *cut, "--workload", *workload.split())
    return sweep


def main():
    parser = Parser(prog="sweep.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--sweep", default=str(DEFAULT), metavar="FILE", help="[synth/explore/explore.yaml]")
    parser.add_argument("--liberty", metavar="FILE", help="plain or gzip [the sweep's]")
    options = parser.parse_args()
    sweep = load(options.sweep)
    liberty = options.liberty or sweep["liberty"]
    if not Path(liberty).is_file():
        raise Refusal(f"liberty: {liberty}: cannot be read; allowed: a .lib file, plain or gzip")
    workflow.run("synth/explore/Snakefile", "build/explore.lock", "--configfile", options.sweep, "--config",
                 f"liberty={liberty}")


if __name__ == "__main__":
    sys.exit(guarded(main))
