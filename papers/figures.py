"""A paper's figures from its runs (papers/Snakefile): figures.csv, a row a bar and kernel or class, with what the paper
prints of it; figures.md, the same to read; a picture a figure.

    figures.py PLAN FOLDER [--kernels KERNEL ..] [--points POINT ..]"""

import csv
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from papers.plan import VALUES, folder_of, kernels_of, narrow, read_plan
from tools import json_file
from tools.refusal import Parser, Refusal, guarded
from tools.schema import NUMBER, TEXT, fits, keys

WRITTEN = "what `lockwalk model --json` has written"
RUN = keys({"verdict": TEXT, "unasked_faults": NUMBER}, ("verdict", "unasked_faults"), more=True)
COLUMNS = ["paper", "figure", "value", "bar", "of", "measured", "printed"]


def read_run(path):
    """A run's JSON. One that did not end well, or has faults that nobody asked for, measures something else."""
    run = json_file.read(path, WRITTEN)
    fits(run, RUN, path)
    if run["verdict"] != "equal":
        raise Refusal(f"{path}: its run ended with the verdict \"{run['verdict']}\"; allowed: equal")
    if run["unasked_faults"] != 0:
        raise Refusal(f"{path}: its run has {run['unasked_faults']} faults that nobody asked for; allowed: none")
    return run


class Runs:
    """The runs' JSON, each read once."""

    def __init__(self, folder):
        self.folder, self.known = folder, {}

    def path(self, point, kernel):
        return self.folder / folder_of(point) / f"{kernel}.json"

    def __call__(self, point, kernel):
        path = self.path(point, kernel)
        if path not in self.known:
            self.known[path] = read_run(path)
        return self.known[path]


def bar_of(value, runs, points, kernel):
    """One kernel's bar; None where the run has no such value."""
    try:
        return value.of(*(runs(point, kernel) for point in points))
    except (KeyError, TypeError) as error:
        raise Refusal(f"{runs.path(points[0], kernel)}: has not what the figures are made of ({error}); allowed: "
                      f"{WRITTEN}, in each of the folders of {', '.join(points)}") from error


def mean(values):
    """The arithmetic mean, as papers mean it where they say no other; None where a value is missing."""
    return None if None in values or not values else sum(values) / len(values)


def measured(plan, figure, runs):
    """{bar: {kernel or class: value}}"""
    value, found = VALUES[figure["value"]], {}
    for bar, points in figure["bars"].items():
        found[bar] = {kernel: bar_of(value, runs, points, kernel) for kernel in kernels_of(plan, figure.get("of"))}
        for name in figure.get("of", plan["kernels"]):
            found[bar][name] = mean([found[bar][kernel] for kernel in plan["kernels"][name]])
    return found


def rows_of(plan, figure, found):
    printed = {(row["bar"], row["of"]): row["value"] for row in figure["printed"]}
    for bar, values in found.items():
        for of, number in values.items():
            cells = [plan["paper"], figure["figure"], figure["value"], bar, of,
                     "" if number is None else f"{number:.4g}", printed.get((bar, of), "")]
            yield dict(zip(COLUMNS, cells, strict=True))


def cell(number):
    return "-" if number is None else f"{number:.3f}"


def table(figure, found):
    """Lines of Markdown: kernels down, bars across; what the paper prints behind its value, in brackets."""
    printed = {(row["bar"], row["of"]): row for row in figure["printed"]}
    lines = [f"### {figure['figure']}: {figure['says']}", "", f"| | {' | '.join(found)} |",
             "|---" * (len(found) + 1) + "|"]
    for of in next(iter(found.values())):
        cells = [cell(values[of]) + (f" ({printed[bar, of]['value']:g})" if (bar, of) in printed else "")
                 for bar, values in found.items()]
        lines.append(f"| {of} | {' | '.join(cells)} |")
    notes = [f"{row['bar']}, {row['of']}: {row['note']}" for row in figure["printed"] if "note" in row]
    return [*lines, "", *([f"({'; '.join(notes)})", ""] if notes else [])]


def draw(figure, found, path):
    """Bars of a kernel beside each other; a line where the paper has its value. What is drawn stands in the file
    too."""
    groups, width = list(next(iter(found.values()))), 0.8 / len(found)
    picture, axis = plt.subplots(figsize=(max(6, 0.75 * len(groups)), 3))
    for n, (bar, values) in enumerate(found.items()):
        places = [i + (n - (len(found) - 1) / 2) * width for i in range(len(groups))]
        axis.bar(places, [values[group] or 0 for group in groups], width, label=bar)
        for row in figure["printed"]:
            if row["bar"] == bar:
                place = places[groups.index(row["of"])]
                axis.plot([place - width / 2, place + width / 2], [row["value"]] * 2, color="black", lw=2)
    axis.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)
    axis.set_ylabel(figure["value"].replace("_", " "))
    axis.set_title(f"{figure['figure']}: {figure['says']} (black: the paper)", fontsize=9, pad=20)
    axis.legend(fontsize=7, frameon=False, ncols=8, loc="lower left", bbox_to_anchor=(0, 1))
    picture.tight_layout()
    picture.savefig(path, dpi=120, bbox_inches="tight",
                    metadata={"Title": figure["figure"], "Description": json.dumps(found)})
    plt.close(picture)


def arguments():
    parser = Parser(prog="figures.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("plan")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kernels", nargs="*", default=[])
    parser.add_argument("--points", nargs="*", default=[])
    return parser.parse_args()


def main():
    wanted = arguments()
    file, folder = wanted.plan, wanted.folder
    plan = read_plan(file)
    every = kernels_of(plan)
    narrow(plan, file, wanted.kernels, wanted.points)
    runs, rows = Runs(folder), []
    lines = [f"## {plan['paper']}", "", "Ours; in brackets what the paper prints. Means are arithmetic.", ""]
    left_out = [kernel for kernel in every if kernel not in kernels_of(plan)]
    if left_out:
        lines += [f"Not measured here, and in no mean: {', '.join(left_out)}.", ""]
    values = [measured(plan, figure, runs) for figure in plan["figures"]]  # all, before anything is written
    for n, (figure, found) in enumerate(zip(plan["figures"], values, strict=True), 1):
        rows += rows_of(plan, figure, found)
        lines += table(figure, found)
        draw(figure, found, folder / f"figure_{n}.png")
    (folder / "figures.md").write_text("\n".join(lines))
    with (folder / "figures.csv").open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    print(f"{folder}: figures.md, figures.csv and {len(plan['figures'])} pictures")


if __name__ == "__main__":
    sys.exit(guarded(main, "results"))
