"""What the pictures of reports and of `make contiguity` show (plots/): bars as high as their figures and in their
places, points where they belong, each under its name."""

import sys

import pytest
from matplotlib import pyplot as plt
from PIL import Image

from plots import contiguity, pictures, report_pages
from tools.project import ROOT
from tools.refusal import guarded

NEEDS = ["plots"]


@pytest.fixture
def drawn(monkeypatch):
    """The axis that the next picture of a report is drawn on."""
    kept = []
    monkeypatch.setattr(pictures, "svg", lambda figure, name: kept.append((figure.axes[0], name)) or "an svg")
    yield lambda: kept[-1][0]
    plt.close("all")


def labels(axis, which):
    return [label.get_text() for label in getattr(axis, f"get_{which}ticklabels")()]


def legend(axis):
    return [text.get_text() for text in axis.get_legend().get_texts()]


def test_bars_are_behind_each_other(drawn):
    """A part that is nowhere is left out; each begins where the one before it ends. The first line is the upper one."""
    pictures.bars("b", [("all", {"tlb": 1.0, "cam": 0.0, "walker": 4.0}),
                        ("hit", {"tlb": 2.0, "cam": 0.0, "walker": 0.0})], "cycles")
    axis = drawn()
    assert [(bar.get_x(), bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in axis.patches] == [
        pytest.approx(bar) for bar in [(0, 1, 0), (0, 2, 1), (1, 4, 0), (2, 0, 1)]]
    assert labels(axis, "y") == ["all", "hit"] and legend(axis) == ["tlb", "walker"] and axis.yaxis_inverted()
    colours = [bar.get_facecolor() for bar in axis.patches]
    assert colours[0] == colours[1] != colours[2] == colours[3] and axis.get_xlabel() == "cycles"


def test_histograms_are_beside_each_other(drawn):
    """By all beginnings that any of them has, in order; where one has none nothing stands."""
    pictures.histogram("h", {"A": [[4, 7], [16, 2]], "B": [[0, 1], [4, 5]]}, "cycles")
    axis = drawn()
    assert labels(axis, "x") == ["0..", "4..", "16.."] and legend(axis) == ["A", "B"]
    assert [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axis.patches] == [
        pytest.approx(bar) for bar in [(0, 0), (1, 7), (2, 2), (0.4, 1), (1.4, 5), (2.4, 0)]]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("cycles", "requests")


def test_columns_are_of_the_banks(drawn):
    """Of a run each bank's reads, in their order; of two runs it says whose they are."""
    memory = {"reads": 9, "row_hits": 1, "row_misses": 2, "row_conflicts": 3, "wait_cycles": 4,
              "banks": [{"reads": 5}, {"reads": 0}, {"reads": 4}]}
    runs = [{"workload": "mvt", "system": "nha", "seed": 3, "memory": None},
            {"workload": "mvt", "system": "thp", "seed": 3, "memory": memory}]
    section, = report_pages.memory_section(runs)
    axis = drawn()
    assert [bar.get_height() for bar in axis.patches] == [5, 0, 4] and axis.get_ylabel() == "reads"
    assert axis.get_xlabel() == "bank, mvt on thp, seed 3" and section["rows"] == [
        ["mvt on thp, seed 3", "9", "1", "2", "3", "4"]]
    assert report_pages.memory_section(runs[:1]) == []


def test_points_lie_at_their_area_and_cycles(drawn):
    """Those of the front have their name and another colour."""
    pictures.scatter("s", [(11.5, 0.0, "baseline", False), (12.0, 30.5, "nha", True)], "area, mm2", "cycles saved, %")
    axis = drawn()
    points, = axis.collections
    assert points.get_offsets().tolist() == [[11.5, 0], [12, 30.5]]
    plain, front = points.get_facecolors().tolist()
    assert plain != front and [(text.get_text(), text.xy) for text in axis.texts] == [("nha", (12, 30.5))]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("area, mm2", "cycles saved, %")


def part(requests, **cycles):
    whole = {"requests": requests, "cycles": sum(cycles.values()), "histogram": [[1, requests]]}
    stages = {name: {"requests": requests, "cycles": value} for name, value in cycles.items()}
    return {"whole": whole, "stages": stages}


def test_whose_cycles_a_picture_of_stages_has():
    """The mean of all requests of a part: of all, of those answered in one way, of each kernel; of a part without
    requests nothing is drawn."""
    run = {"stages": {**part(10, tlb=20, walker=100),
                      "ways": {"hit": part(6, tlb=12, walker=0), "told": part(0, tlb=0, walker=0),
                               "walk": part(4, tlb=8, walker=100)},
                      "kernels": [{**part(8, tlb=16, walker=4), "kernel": "k1"}]}}
    parts = report_pages.parts_of(run)
    assert [(label, report_pages.means(one)) for label, one in parts] == [
        ("all", {"tlb": 2, "walker": 10}), ("hit", {"tlb": 2, "walker": 0}), ("walk", {"tlb": 2, "walker": 25}),
        ("k1", {"tlb": 2, "walker": 0.5})]
    assert [report_pages.whole_mean(one) for _, one in parts] == [12, 2, 27, 2.5]


CSV = """\
mapping,mib,scope,regions,region_share,pages,cumulative_cover,subregion_cover,frame_cover
buddy:25,8,1-256,3,0.75,512,0.5,0.938,0.25
buddy:25,8,257-512,1,0.25,512,1.0,0.938,0.25
contiguous,8,1-256,0,0.0,0,0.0,1.0,1.0
contiguous,8,257-512,1,1.0,512,1.0,1.0,1.0
buddy:25,4,1-256,1,0.125,16,0.0625,0.062,0.0
buddy:25,4,257-512,7,0.875,240,1.0,0.062,0.0
"""


def test_contiguity_is_drawn_of_its_table(tmp_path):
    """docs/guide.md: MESC's Figure 4. For each mapping bars of the share of regions by their size, the smaller working
    set first, a line of what they cover, and the share in subregions in percent."""
    path = tmp_path / "c.csv"
    path.write_text(CSV)
    tables = contiguity.read(path)
    assert {mapping: list(by_size) for mapping, by_size in tables.items()} == {"buddy:25": [8, 4], "contiguous": [8]}
    figure, axis = plt.subplots()
    contiguity.draw(axis, "buddy:25", tables["buddy:25"])
    cover = next(other for other in figure.axes if other is not axis)
    assert [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axis.patches] == [
        pytest.approx(bar) for bar in [(0, 0.125), (1, 0.875), (0.4, 0.75), (1.4, 0.25)]]
    assert [list(line.get_ydata()) for line in cover.lines] == [[0.0625, 1], [0.5, 1]]
    assert [line.get_color() for line in cover.lines] == ["C0", "C1"]
    assert legend(axis) == ["4 MiB (6 % in subregions)", "8 MiB (94 % in subregions)"]
    assert labels(axis, "x") == ["1-256", "257-512"] and axis.get_title() == "buddy:25"
    assert axis.get_ylim() == cover.get_ylim() == (0, 1.05)
    plt.close(figure)


@pytest.mark.parametrize(("words", "said"), [
    (["c.csv"], "the following arguments are required: TO.png; `contiguity.py --help` says what is allowed"),
    (["/nope.csv", "/nope.png"],
     "/nope.csv: cannot be read (No such file or directory); allowed: what `lockwalk contiguity --csv` writes"),
    (["docs/exploration.csv", "/nope.png"], "docs/exploration.csv: is no table of contiguity, it has no column "
     "\"mapping\"; allowed: what `lockwalk contiguity --csv` writes"),
    (["docs/papers/at_a_glance.png", "docs/../docs/papers/at_a_glance.png"],
     "TO.png: docs/../docs/papers/at_a_glance.png is the file of FROM.csv too; allowed: another"),
    (["docs/papers/mesc_figure_4.csv", "c.svg"], "TO.png: is c.svg; allowed: a name that ends in .png"),
    (["docs/papers/mesc_figure_4.csv", "/nope/c.png"],
     "TO.png: /nope/c.png cannot be written (No such file or directory)"),
])
def test_contiguity_is_refused(words, said, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["contiguity.py", *words])
    assert guarded(contiguity.main, "lockwalk") == 2 and capsys.readouterr().err == f"lockwalk: {said}\n"


def test_contiguity_is_written(tmp_path, monkeypatch):
    """With its table in the file."""
    (tmp_path / "c.csv").write_text(CSV)
    monkeypatch.setattr(sys, "argv", ["contiguity.py", str(tmp_path / "c.csv"), str(tmp_path / "c.png")])
    assert guarded(contiguity.main, "lockwalk") is None
    assert Image.open(tmp_path / "c.png").text["Description"] == CSV
