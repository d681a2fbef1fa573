"""The tables of docs/papers/ are those that papers/figures.py makes of the plans of papers/: their names and bars, what
the papers print, and means that are those of their rows. What is measured in them no test makes anew. And a picture is
its table's."""

import json
import re

import pytest
from PIL import Image

from papers import figures, pictures
from papers.plan import kernels_of, read_plan
from tools.project import ROOT
from tools.yaml_file import read

NEEDS = ["papers"]
DOCUMENTS = ROOT / "docs" / "papers"
ROUNDING = 0.001  # of three places: half a unit of the mean, and half a unit of its rows


def tables():
    """(plan, figure, what the heading says of it, lines of its table) of each figure of a plan that has a table."""
    for path in sorted((ROOT / "papers").glob("*.yaml")):
        text = (DOCUMENTS / path.name).with_suffix(".md").read_text()
        plan = read_plan(path)
        figures = {figure["figure"]: figure for figure in plan["figures"]}
        for part in re.split(r"^## ", text, flags=re.M)[1:]:
            name, _, says = part.partition("\n")[0].partition(": ")
            if name in figures:
                lines = re.search(r"(?:^\|.*\n)+", part, re.M)[0].splitlines()
                yield pytest.param(plan, figures[name], says, lines, id=f"{path.stem}-{name}")


def cells_of(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def number(cell):
    return float(cell.partition(" ")[0])


@pytest.mark.parametrize(("plan", "figure", "says", "lines"), list(tables()))
def test_a_table_is_its_figures(plan, figure, says, lines):
    assert says == figure["says"] and cells_of(lines[0])[1:] == list(figure["bars"])
    rows = {of: dict(zip(figure["bars"], cells, strict=True)) for of, *cells in map(cells_of, lines[2:])}
    classes = figure.get("of", list(plan["kernels"]))
    assert list(rows) == [*kernels_of(plan, classes), *classes]
    printed = {(bar, of): match[1] for of, row in rows.items() for bar, cell in row.items()
               if (match := re.search(r" \((.*)\)$", cell))}
    assert printed == {(row["bar"], row["of"]): f"{row['value']:g}" for row in figure["printed"]}
    for of in classes:
        for bar in figure["bars"]:
            values = [number(rows[kernel][bar]) for kernel in plan["kernels"][of]]
            assert number(rows[of][bar]) == pytest.approx(sum(values) / len(values), abs=ROUNDING * 1.01), (of, bar)


def test_each_document_is_of_its_paper():
    for path in (ROOT / "papers").glob("*.yaml"):
        title, = re.findall(r"^# (.*)$", (DOCUMENTS / path.name).with_suffix(".md").read_text(), re.M)
        assert title == read(path)["paper"]


def test_each_paper_has_tables():
    assert {case.values[0]["paper"] for case in tables()} == {
        read(path)["paper"] for path in (ROOT / "papers").glob("*.yaml")}


FIGURE = {"figure": "F", "says": "s", "value": "speed", "printed": [{"bar": "y", "of": "l", "value": 1.5}]}
FOUND = {"x": {"k": 1.0, "l": 2 / 3, "both": 5 / 6}, "y": {"k": None, "l": 2.0, "both": None}}


def test_a_picture_is_its_table(tmp_path, monkeypatch):
    """Two bars beside each other for each kernel, as high as their values, none where there is no value; and a line
    over the bar of which the paper prints something."""
    kept = []
    monkeypatch.setattr(figures.plt, "close", kept.append)
    figures.draw(FIGURE, FOUND, tmp_path / "figure.png")
    axis = kept[0].axes[0]
    bars = [(patch.get_x() + patch.get_width() / 2, patch.get_height()) for patch in axis.patches]
    assert bars == [pytest.approx(bar) for bar in [(-0.2, 1), (0.8, 2 / 3), (1.8, 5 / 6), (0.2, 0), (1.2, 2), (2.2, 0)]]
    line, = axis.lines
    assert list(line.get_xdata()) == pytest.approx([1, 1.4]) and list(line.get_ydata()) == [1.5, 1.5]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["k", "l", "both"]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["x", "y"]
    assert (axis.get_title(), axis.get_ylabel()) == ("F: s (black: the paper)", "speed")
    told = Image.open(tmp_path / "figure.png").text
    assert told["Title"] == "F" and json.loads(told["Description"]) == FOUND


def test_the_pictures_are_of_the_tables():
    """Each picture of a document says in its file what it shows: what a table of the same document has."""
    shown = {}
    for path in DOCUMENTS.glob("*.md"):
        title, _, text = path.read_text().partition("\n")
        shown |= {name: title.lstrip("# ") for name in re.findall(r"^!\[.*\]\((.*)\)$", text, re.M)}
    elsewhere = "mesc_figure_4.png"  # of a CSV (tests/program/test_contiguity.py)
    assert shown.keys() == {*pictures.PICTURES, elsewhere}
    del shown[elsewhere]
    of = {(case.values[0]["paper"], case.values[1]["figure"]): case.values[3] for case in tables()}
    for name, paper in shown.items():
        picture = Image.open(DOCUMENTS / name)
        lines = of[paper, picture.text["Title"]]
        rows = [cells_of(line) for line in lines[2:]]
        assert json.loads(picture.text["Description"]) == {
            bar: {row[0]: number(row[n]) for row in rows} for n, bar in enumerate(cells_of(lines[0])) if n > 0}, name


def beside_the_papers():
    """{(paper, figure, value, bar, of): (is it a mean, ours, the paper's)} of the tables, each of the papers' values
    once: of two bars of a figure that stand beside one value the first, and so of two tables of one bar."""
    found, known = {}, set()
    for plan, figure, _, lines in (case.values for case in tables()):
        rows = {of: dict(zip(figure["bars"], cells, strict=True)) for of, *cells in map(cells_of, lines[2:])}
        for row in figure["printed"]:
            of_bar = plan["paper"], figure["value"], row["bar"], row["of"], row["value"]
            of_figure = plan["paper"], figure["figure"], row["of"], row["value"]
            if of_bar not in known and of_figure not in known:
                known.update((of_bar, of_figure))
                found[plan["paper"], figure["figure"], figure["value"], row["bar"], row["of"]] = (
                    row["of"] in plan["kernels"], number(rows[row["of"]][row["bar"]]), row["value"])
    return found


def test_the_picture_at_a_glance_is_of_all_that_the_papers_print():
    picture = Image.open(DOCUMENTS / pictures.GLANCE)
    drawn = {tuple(place): (mean, ours, paper) for *place, mean, ours, paper in json.loads(picture.text["Description"])}
    assert drawn == beside_the_papers()


def test_the_next_pictures_are_of_the_tables():
    """What they are drawn from when a table has changed is what the tables have, and nothing of the papers is left
    out."""
    for case in tables():
        _, figure, _, lines = case.values
        file = case.id.partition("-")[0] + ".yaml"
        rows = {of: dict(zip(figure["bars"], cells, strict=True)) for of, *cells in map(cells_of, lines[2:])}
        assert pictures.table_of(pictures.document_of(file), figure["figure"]) == {
            bar: {of: number(row[bar]) for of, row in rows.items()} for bar in figure["bars"]}, case.id
    assert {tuple(place): (mean, ours, paper) for *place, mean, ours, paper in pictures.beside_the_papers()} == (
        beside_the_papers())


def test_the_picture_at_a_glance_is_of_its_values(tmp_path, monkeypatch):
    """Each value as many times the paper's as it is, in the line of its bar, means apart from kernels; what is zero
    lies at the left end. At the right the means: ours, and in brackets the paper's."""
    kept = []
    monkeypatch.setattr(figures.plt, "close", kept.append)
    found = [("A, by B (X 2018)", "Figure 1", "tlb_hits", "full", "mvt", False, 0.75, 0.5),
             ("A, by B (X 2018)", "Figure 1", "tlb_hits", "full", "hard", True, 0.25, 0.5),
             ("A, by B (X 2018)", "Figure 1", "tlb_hits", "full", "easy", True, 2.0, 1.0),
             ("C (Y 2024)", "Figure 2", "speed", "half", "nw", False, 0.0, 3.0)]
    pictures.draw_glance(found, tmp_path / "glance.png")
    axis = kept[0].axes[0]
    kernels, means = axis.collections
    assert kernels.get_offsets().tolist() == [[1.5, 0], [1 / 6, 1]] and kernels.get_label() == "a kernel"
    assert means.get_offsets().tolist() == [[0.5, 0], [2, 0]] and means.get_label() == "a mean"
    assert [(text.get_text(), text.get_position()[1]) for text in axis.texts] == [("0.25 (0.5), 2 (1)", 0), ("", 1)]
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "A Figure 1, full: tlb hits", "C Figure 2, half: speed"]
    grey, = axis.patches
    assert (grey.get_x(), grey.get_x() + grey.get_width()) == pytest.approx((1 / 1.1, 1.1))
    assert axis.get_xscale() == "log" and axis.yaxis_inverted()
    assert axis.get_xlim()[0] == pytest.approx(1 / 6)
    assert json.loads(Image.open(tmp_path / "glance.png").text["Description"]) == [list(row) for row in found]


def times_off(ours, paper):
    return max(ours / paper, paper / ours) if ours > 0 else float("inf")


def test_what_stands_beside_that_picture():
    """How many of the papers' values ours are near, and which means are further off than a factor of two."""
    section = re.search(r"^## At a glance\n(.*?)(?=^## |\Z)", (ROOT / "docs" / "papers.md").read_text(), re.M | re.S)[1]
    found = beside_the_papers().values()
    near = [[sum(times_off(ours, paper) <= times for mean, ours, paper in found if mean or not only_means)
             for times in (1.1, 1.25, 2)] for only_means in (False, True)]
    counts = [int(count) for count in re.findall(r"\b(\d+)\b", section.partition("\n\n![")[0])]
    assert counts == [len(found), *near[0], sum(mean for mean, *_ in found), *near[1]]
    rows = [cells_of(line) for line in re.findall(r"^\|.*$", section, re.M)[2:]]
    far = {(ours, paper) for mean, ours, paper in found if mean and times_off(ours, paper) > 2}
    assert len(rows) == len(far)
    for row in rows:
        assert any(float(row[1]) == pytest.approx(ours, rel=1e-3) and float(row[2]) == pytest.approx(paper, rel=5e-3)
                   for ours, paper in far), row


def test_four_digits():
    """Of what is measured, in the CSV."""
    rows = figures.rows_of({"paper": "P"}, FIGURE, FOUND)
    assert [row["measured"] for row in rows] == ["1", "0.6667", "0.8333", "", "2", ""]
