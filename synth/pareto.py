"""Collects the points of an exploration (synth/Snakefile): a CSV, and area against cycles with the points
that no other beats in both.

    pareto.py FOLDER TO.csv TO.png POINT .."""

import csv
import json
import sys
from pathlib import Path

FIELDS = ["point", "system", "settings", "library", "area_um2", "kge", "state_bits", "fmax_mhz", "cycles",
          "page_table_accesses", "on_front"]


def read(folder, name):
    report = json.loads((folder / name / "report.json").read_text())
    run = json.loads((folder / name / "cycles.json").read_text())
    best = report["best"]
    return {"point": name, "system": report["system"], "settings": " ".join(report["settings"]),
            "library": report["library"], "area_um2": round(best["area"]),
            "kge": round(best["kge"], 1), "state_bits": best["flops"],
            "fmax_mhz": round(best["fmax_hz"] / 1e6, 1), "cycles": run["cycles"],
            "page_table_accesses": run["page_table_accesses"]}


def mark_front(points):
    for p in points:
        p["on_front"] = int(not any(
            q["area_um2"] <= p["area_um2"] and q["cycles"] <= p["cycles"] and
            (q["area_um2"], q["cycles"]) != (p["area_um2"], p["cycles"]) for q in points))


def draw(points, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(8, 5.5))
    for n, system in enumerate(sorted({p["system"] for p in points})):
        own = [p for p in points if p["system"] == system]
        axis.scatter([p["kge"] for p in own], [p["cycles"] / 1e3 for p in own], color=f"C{n}",
                     label=system)
    for p in points:
        axis.annotate(p["settings"], (p["kge"], p["cycles"] / 1e3), fontsize=5,
                      xytext=(3, 3), textcoords="offset points")
    front = sorted((p["kge"], p["cycles"] / 1e3) for p in points if p["on_front"])
    axis.step([x for x, _ in front], [y for _, y in front], where="post", color="0.5", lw=0.8,
              label="Pareto front")
    axis.set_xlabel("area (kGE)")
    axis.set_ylabel("cycles (thousands)")
    axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    folder, to_csv, to_png, *names = sys.argv[1:]
    points = [read(Path(folder), name) for name in names]
    mark_front(points)
    with open(to_csv, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(points)
    draw(points, to_png)
    return 0


if __name__ == "__main__":
    sys.exit(main())
