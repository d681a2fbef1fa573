"""Draws the pictures of docs/papers/ from the tables there (`.venv/bin/python papers/pictures.py`), when one has
changed."""

import json
import re

from papers import figures
from papers.figures import plt
from papers.plan import read_plan
from tools.project import ROOT

FOLDER = ROOT / "docs" / "papers"  # a document for each plan, by its name
PICTURES = {  # in that folder: the plan in papers/, and which of its figures
    "nha_figure_9.png": ("nha.yaml", "Figure 9"),
    "mesc_figure_10.png": ("mesc.yaml", "Figure 10"),
    "power_speed.png": ("power.yaml", "Speed"),
    "fshpt_figure_13.png": ("fshpt.yaml", "Figure 13"),
    "fshpt_figure_16.png": ("fshpt.yaml", "Figure 16"),
    "fshpt_mesc_accesses.png": ("fshpt_mesc.yaml", "Accesses"),
    "beyond_accesses.png": ("beyond.yaml", "Both, accesses"),
}
GLANCE = "at_a_glance.png"
PLANS = ["nha.yaml", "mesc.yaml", "power.yaml", "fshpt.yaml"]  # those of papers, in the picture's order


def document_of(file):
    """The text of the document of a plan."""
    return (FOLDER / file).with_suffix(".md").read_text(encoding="utf-8")


def table_of(text, figure):
    """{bar: {kernel or class: value}} of the table of a figure in a document, without what the paper prints."""
    part = re.search(rf"^## {re.escape(figure)}: .*?\n\n((?:\|.*\n)+)", text, re.M)[1]
    bars, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines())
    return {bar: {row[0]: float(row[n].partition(" ")[0]) if row[n] else None for row in rows}
            for n, bar in enumerate(bars) if n > 0}


def plan_of(file):
    return read_plan(ROOT / "papers" / file)


def beside_the_papers():
    """[(paper, figure, what is measured, bar, kernel or class, is it a class, ours, the paper's)], all that the plans
    have of the papers' values.

    What a second table or bar holds against the same value, of another machine, is left out."""
    found, known = [], set()
    for plan, text in ((plan_of(file), document_of(file)) for file in PLANS):
        for figure in plan["figures"]:
            for row in figure["printed"]:
                value = row["of"], row["value"]
                same = {(plan["paper"], figure["value"], row["bar"], *value), (plan["paper"], figure["figure"], *value)}
                if not same & known:
                    known |= same
                    ours = table_of(text, figure["figure"])[row["bar"]][row["of"]]
                    found.append((plan["paper"], figure["figure"], figure["value"], row["bar"], row["of"],
                                  row["of"] in plan["kernels"], ours, row["value"]))
    return found


def draw_glance(found, path):
    """A line for each bar of a figure: how many times the paper's value ours is, of its means and of single kernels;
    what is zero here lies at the left end. Beside it both values of the means."""
    lines = list(dict.fromkeys(row[:4] for row in found))
    least, most = 1 / 6, 48
    picture, axis = plt.subplots(figsize=(8, 0.19 * len(lines) + 1))
    axis.axvspan(1 / 1.1, 1.1, color="#dddddd", lw=0)
    axis.axvline(1, color="black", lw=0.8)
    for of_class, style in [(False, {"s": 10, "color": "#888888"}), (True, {"s": 26, "color": "#c03020"})]:
        rows = [row for row in found if row[5] == of_class]
        axis.scatter([max(row[6] / row[7], least) for row in rows], [lines.index(row[:4]) for row in rows],
                     zorder=2 + of_class, clip_on=False, label="a mean" if of_class else "a kernel", **style)
    for place, line in enumerate(lines):
        means = [f"{row[6]:.3g} ({row[7]:g})" for row in found if row[:4] == line and row[5]]
        axis.text(most * 1.1, place, ", ".join(means), fontsize=7, va="center")
    labels = [f"{paper.split(' (')[0].split(',')[0]} {figure}, {bar}: {value.replace('_', ' ')}"
              for paper, figure, value, bar in lines]
    axis.set_yticks(range(len(lines)), labels, fontsize=7)
    axis.set_ylim(len(lines) - 0.5, -0.5)
    axis.set_xscale("log", base=2)
    axis.set_xlim(least, most)
    axis.set_xticks([1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32], ["1/4", "1/2", "1", "2", "4", "8", "16", "32"], fontsize=8)
    axis.grid(axis="y", lw=0.3)
    axis.set_xlabel("ours, of what the paper prints (grey: within a tenth); "
                    "at the right ours, and in brackets the paper's",
                    fontsize=8)
    axis.legend(fontsize=7, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
    picture.savefig(path, dpi=120, bbox_inches="tight", metadata={"Description": json.dumps(found)})
    plt.close(picture)


def main():
    for name, (file, title) in PICTURES.items():
        plan = plan_of(file)
        figure = next(figure for figure in plan["figures"] if figure["figure"] == title)
        figures.draw(figure, table_of(document_of(file), title), FOLDER / name)
    draw_glance(beside_the_papers(), FOLDER / GLANCE)


if __name__ == "__main__":
    main()
