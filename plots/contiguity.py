"""Draws MESC's Figure 4 from the CSV of `lockwalk contiguity`: for each mapping and working set the
share of contiguous regions by size (bars) and what they cover (dashed). The CSV stands in the picture's file too."""

import io
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from tools import csv_file, output
from tools.refusal import Parser, Refusal, guarded

COLUMNS = {"mapping": str, "mib": int, "scope": str, "region_share": float, "cumulative_cover": float,
           "subregion_cover": float}


def read(path):
    """{mapping: {mib: [row, ..]}} in the file's order."""
    tables = {}
    for row in csv_file.read(path, "table of contiguity", COLUMNS, "what `lockwalk contiguity --csv` writes"):
        tables.setdefault(row["mapping"], {}).setdefault(int(row["mib"]), []).append(row)
    return tables


def draw(axis, mapping, by_size):
    cover = axis.twinx()
    width = 0.8 / len(by_size)
    for n, (mib, rows) in enumerate(sorted(by_size.items())):
        places = [i + n * width for i in range(len(rows))]
        axis.bar(places, [float(r["region_share"]) for r in rows], width, color=f"C{n}",
                 label=f"{mib} MiB ({100 * float(rows[0]['subregion_cover']):.0f} % in subregions)")
        cover.plot(places, [float(r["cumulative_cover"]) for r in rows], "--", color=f"C{n}")
    names = [r["scope"] for r in next(iter(by_size.values()))]
    axis.set_xticks(range(len(names)), names, rotation=60, fontsize=6)
    axis.set_ylim(0, 1.05)
    cover.set_ylim(0, 1.05)
    axis.set_title(mapping, fontsize=9)
    axis.legend(fontsize=6, loc="center right")


def main():
    parser = Parser(prog="contiguity.py", description=__doc__)
    parser.add_argument("table", metavar="FROM.csv")
    parser.add_argument("picture", metavar="TO.png")
    wanted = parser.parse_args()
    if Path(wanted.picture).suffix not in ("", ".png"):
        raise Refusal(f"TO.png: is {wanted.picture}; allowed: a name that ends in .png")
    output.spare("TO.png", wanted.picture, {"FROM.csv": wanted.table})
    tables = read(wanted.table)
    columns = min(3, len(tables))
    lines = -(-len(tables) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4 * columns, 3.2 * lines), squeeze=False)
    for axis in axes.flat[len(tables):]:
        axis.axis("off")
    for axis, (mapping, by_size) in zip(axes.flat, tables.items(), strict=False):
        draw(axis, mapping, by_size)
    figure.supxlabel("pages of a contiguous region", fontsize=9)
    figure.supylabel("share of regions (bars), cumulative cover of the footprint (dashed)", fontsize=9)
    figure.tight_layout()
    text, picture = Path(wanted.table).read_text(encoding="utf-8"), io.BytesIO()
    figure.savefig(picture, format="png", dpi=120, metadata={"Description": text})
    output.write("TO.png", wanted.picture, picture.getvalue())


if __name__ == "__main__":
    sys.exit(guarded(main, "lockwalk"))
