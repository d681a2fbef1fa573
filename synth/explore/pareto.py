"""Collects the points of an exploration (synth/explore/Snakefile): a CSV, and a picture of area against cycles saved, a
panel a GPU, with the points that no other of the panel beats in both.

    pareto.py FOLDER TO.csv TO.png --workloads NAME .. --panel TITLE POINT .. [--panel ..]

The first point of a panel is what the others are relative to."""

import argparse
import csv
import json
import math
import sys
from itertools import pairwise
from pathlib import Path

# Where a label may stand, in points from its mark, the nearest first.
PLACES = [(dx, dy, side) for far in (1, 2, 3.2) for dx, dy, side in
          ((5, -2, "left"), (-5, -2, "right"), (4, 4, "left"), (4, -9, "left"), (-4, 4, "right"),
           (-4, -9, "right"), (0, 6, "center"), (0, -12, "center"))
          for dx, dy in [(dx * far, (dy + 2) * far - 2)]]


def arguments():
    parser = argparse.ArgumentParser(prog="pareto.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    for name, meaning in (("folder", "with a folder a point"), ("csv", "to write"), ("picture", "to write")):
        parser.add_argument(name, type=Path, help=meaning)
    parser.add_argument("--workloads", nargs="+", required=True, metavar="NAME",
                        help="whose cycles each point's folder has")
    parser.add_argument("--panel", nargs="+", action="append", required=True, metavar="WORD",
                        help="a title, then names of points")
    return parser.parse_args()


def read(folder, panel, name, workloads):
    report = json.loads((folder / name / "area.json").read_text())
    best = report["best"]
    runs = {w: json.loads((folder / name / f"{w}.json").read_text())["cycles"] for w in workloads}
    return {"panel": panel, "system": report["system"], "settings": " ".join(report["settings"]),
            "library": report["library"], "area_um2": round(best["area"]), "kge": round(best["kge"], 1),
            "flip_flop_bits": best["flops"], "sram_bits": best["sram_bits"],
            **{f"{w}_cycles": cycles for w, cycles in runs.items()}}


def compare(points, workloads):
    """Adds what each point saves of the first one's cycles in percent, and whether it is on the front."""
    for p in points:
        logs = [math.log(p[f"{w}_cycles"] / points[0][f"{w}_cycles"]) for w in workloads]
        p["cycles_saved_percent"] = round(100 * (1 - math.exp(sum(logs) / len(logs))), 1)
    for p in points:
        p["on_front"] = int(not any(
            q["area_um2"] <= p["area_um2"] and q["cycles_saved_percent"] >= p["cycles_saved_percent"] and
            place(q) != place(p) for q in points))


def place(point):
    return point["area_um2"], point["cycles_saved_percent"]


def label(point):
    """The settings as one reads them; the system where there are none."""
    words = [s.replace("_entries", "").replace("tlb_", "").replace("=", " ") for s in point["settings"].split()]
    return ", ".join(words) or point["system"]


def put(text, taken):
    """Where a label is now, which has taken the first place where it covers nothing of what is taken and is within its
    axis, or the one where it covers least."""
    from matplotlib.transforms import Bbox

    inside = text.axes.get_window_extent()

    def box(at):
        text.set(position=at[:2], horizontalalignment=at[2])
        return text.get_window_extent()

    def covered(at):
        own = box(at)
        over = [Bbox.intersection(own, other) for other in taken]
        return (sum(o.width * o.height for o in over if o) +
                1e6 * (not inside.contains(*own.min) or not inside.contains(*own.max)))

    return box(min(PLACES, key=covered))


def draw_panel(axis, points, colours):
    import matplotlib.transforms

    for system in dict.fromkeys(p["system"] for p in points):
        own = [p for p in points if p["system"] == system]
        axis.scatter([p["kge"] for p in own], [p["cycles_saved_percent"] for p in own], s=22,
                     color=colours[system], label=system, zorder=3)
    front = sorted((p["kge"], p["cycles_saved_percent"]) for p in points if p["on_front"])
    axis.step(*zip(*front, strict=True), where="post", color="0.6", lw=1, zorder=1, label="Pareto front")
    axis.set(title=points[0]["panel"], xlabel="area (kGE)", ylabel=f"cycles saved of {points[0]['system']} (%)")
    axis.margins(0.15, 0.1)
    axis.grid(color="0.92", zorder=0)
    axis.legend(fontsize=7, loc="lower right")
    axis.figure.tight_layout()
    axis.figure.draw_without_rendering()
    # What no label may cover, if it can: marks, the line, the legend, and the labels before it.
    marks = axis.transData.transform([(p["kge"], p["cycles_saved_percent"]) for p in points])
    corners = axis.transData.transform(front)
    taken = [matplotlib.transforms.Bbox([mark - 5, mark + 5]) for mark in marks]
    for one, other in pairwise(corners):
        taken += [matplotlib.transforms.Bbox([one - 1, (other[0], one[1] + 1)]),
                  matplotlib.transforms.Bbox([(other[0] - 1, one[1]), other + 1])]
    taken.append(axis.get_legend().get_window_extent())
    for p in points:
        text = axis.annotate(label(p), (p["kge"], p["cycles_saved_percent"]), xytext=(0, 0), fontsize=6.5,
                             textcoords="offset points", color=colours[p["system"]])
        taken.append(put(text, taken))


def draw(panels, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    systems = dict.fromkeys(p["system"] for points in panels for p in points)
    colours = {system: f"C{n}" for n, system in enumerate(systems)}
    figure, axes = plt.subplots(1, len(panels), figsize=(6 * len(panels), 5), squeeze=False)
    for axis, points in zip(axes[0], panels, strict=True):
        draw_panel(axis, points, colours)
    figure.savefig(path, dpi=120)


def main():
    options = arguments()
    panels = [[read(options.folder, title, name, options.workloads) for name in names]
              for title, *names in options.panel]
    for points in panels:
        compare(points, options.workloads)
    with options.csv.open("w", newline="") as file:
        writer = csv.DictWriter(file, panels[0][0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(p for points in panels for p in points)
    draw(panels, options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
