"""Draws the pictures of docs/papers.md from its tables (`.venv/bin/python papers/pictures.py`), when one has changed."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "synth"))

import figures
from plan import check
from plan_file import read

PICTURES = {  # in docs/: the plan in papers/, and which of its figures
    "nha_figure_9.png": ("nha.yaml", "Figure 9"),
    "mesc_figure_10.png": ("mesc.yaml", "Figure 10"),
    "power_speed.png": ("power.yaml", "Speed"),
    "fshpt_figure_13.png": ("fshpt.yaml", "Figure 13"),
    "fshpt_figure_16.png": ("fshpt.yaml", "Figure 16"),
    "fshpt_mesc_accesses.png": ("fshpt_mesc.yaml", "Accesses"),
}


def table_of(text, paper, figure):
    """{bar: {kernel or class: value}} of the table of a figure in the document, without what the paper prints."""
    section = re.search(rf"^## {re.escape(paper)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    part = re.search(rf"^### {re.escape(figure)}: .*?\n\n((?:\|.*\n)+)", section, re.M)[1]
    bars, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines())
    return {bar: {row[0]: float(row[n].partition(" ")[0]) if row[n] else None for row in rows}
            for n, bar in enumerate(bars) if n > 0}


def main():
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    for name, (file, title) in PICTURES.items():
        plan = read(ROOT / "papers" / file)
        check(plan, file)
        figure = next(figure for figure in plan["figures"] if figure["figure"] == title)
        figures.draw(figure, table_of(text, plan["paper"], title), ROOT / "docs" / name)


if __name__ == "__main__":
    main()
