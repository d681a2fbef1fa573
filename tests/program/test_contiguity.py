"""What `lockwalk contiguity` prints and writes as CSV (MESC's Figure 4 and Table II): of a working set whose regions
are known, by hand."""

import csv
import re

import pytest
from PIL import Image

from tools.project import ROOT

NEEDS = ["papers"]

SCOPES = ["1-256", "257-512", "513-768", "769-1024", "1025-1280", "1281-1536", "1537-1792", "1793-2048", ">2048"]
COLUMNS = ["mapping", "mib", "scope", "regions", "region_share", "pages", "cumulative_cover", "subregion_cover",
           "frame_cover"]
TABLE_II = {int(mib): shares for mib, *shares in re.findall(
    r"^\| (\d+) MiB \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", (ROOT / "docs" / "papers" / "mesc.md").read_text(), re.M)}


def lines_of(out):
    return [line.split() for line in out.splitlines()]


def test_known_regions(lockwalk, tmp_path):
    """1024 pages: regions of 100 and 156, which hold one and two whole subregions of 64 pages, one of 256, the next
    four subregions, and one of 512, which is a frame of 2 MiB."""
    frames, at = [], 0
    for pages in (100, 156, 256, 512):
        at += 1000  # far from what was before
        frames += range(at, at + pages)
        at += pages
    (tmp_path / "frames").write_text("".join(f"{frame}\n" for frame in frames))
    mapping = f"pagemap:{tmp_path}/frames"
    run = lockwalk("contiguity", "--mapping", mapping, "--size", "4", "--csv", tmp_path / "c.csv")
    assert run.status == 0 and run.err == "", run.err
    lines = run.out.splitlines()
    assert lines[0] == f"{mapping}, a working set of 4 MiB"
    assert lines_of(run.out)[1:-1] == [
        ["pages", "regions", "share", "cover", "cumulative"],
        ["1-256", "3", "0.750", "0.500", "0.500"], ["257-512", "1", "0.250", "0.500", "1.000"],
        *([scope, "0", "0.000", "0.000", "1.000"] for scope in SCOPES[2:])]
    assert lines[-1] == ("longest region 512 pages; contiguous subregions cover 93.8 % of the footprint, contiguous "
                         "2 MiB frames 50.0 %")
    rows = list(csv.reader((tmp_path / "c.csv").open()))
    ends = ["0.937500", "0.500000"]
    assert rows == [COLUMNS, [mapping, "4", "1-256", "3", "0.750000", "512", "0.500000", *ends],
                    [mapping, "4", "257-512", "1", "0.250000", "512", "1.000000", *ends],
                    *([mapping, "4", scope, "0", "0.000000", "0", "1.000000", *ends] for scope in SCOPES[2:])]
    # A second working set is added behind the first.
    assert lockwalk("contiguity", "--mapping", "contiguous", "--size", "1", "--csv", tmp_path / "c.csv").status == 0
    more = list(csv.reader((tmp_path / "c.csv").open()))
    assert more[:10] == rows and more[10] == ["contiguous", "1", "1-256", "1", "1.000000", "256", "1.000000",
                                              "1.000000",
                                              "0.000000"]
    assert len(more) == 19


@pytest.mark.parametrize(("mib", "scope"), [(1, "1-256"), (2, "257-512"), (8, "1793-2048"), (9, ">2048")])
def test_one_region(lockwalk, mib, scope):
    """Frames in a row are one region, which all pages are in."""
    out = lockwalk("contiguity", "--mapping", "contiguous", "--size", mib).out
    assert [line for line in lines_of(out)[2:-1] if line[1] != "0"] == [[scope, "1", "1.000", "1.000", "1.000"]]
    assert f"longest region {256 * mib} pages; " in out


def test_defaults_and_seed(lockwalk):
    """This process's own frames and 128 MiB where nothing else is asked for; another seed leaves other regions."""
    assert lockwalk("contiguity", "--mapping", "contiguous").out.startswith("contiguous, a working set of 128 MiB\n")
    own = lockwalk("contiguity", "--size", "1")  # or a sentence, where Linux does not tell them
    assert own.out.startswith("pagemap, a working set of 1 MiB\n") if own.status == 0 else "pagemap" in own.err
    one, same, other = (lockwalk("contiguity", "--mapping", "memhog:25", "--size", "32", "--seed", seed).out
                        for seed in ("1", "1", "2"))
    assert one == same != other


@pytest.mark.parametrize("mib", [32, 128, 512])
def test_table_ii(lockwalk, tmp_path, mib):
    """docs/papers/mesc.md: the share in contiguous subregions, the mean of ten seeds, after memhog."""
    for taken, said in zip((25, 50, 75), TABLE_II[mib], strict=True):
        path = tmp_path / f"{taken}.csv"
        for seed in range(1, 11):
            lockwalk("contiguity", "--mapping", f"memhog:{taken}", "--size", mib, "--seed", seed, "--csv", path)
        covers = [float(row["subregion_cover"]) for row in csv.DictReader(path.open()) if row["scope"] == ">2048"]
        assert len(covers) == 10 and f"{sum(covers) / 10:.3f}" == said


def test_memory_that_nobody_has_used(lockwalk):
    """docs/machine.md and docs/papers/mesc.md: with nothing taken all subregions are contiguous, and frames of 2
    MiB."""
    said = lockwalk("contiguity", "--mapping", "memhog:0", "--size", "32").out
    assert "contiguous subregions cover 100.0 % of the footprint, contiguous 2 MiB frames 100.0 %" in said


def test_regions_grow_with_the_working_set(lockwalk):
    """docs/papers/mesc.md: after memhog with 25 % regions of more than 256 pages cover nothing of 32 MiB and three
    quarters of 512 MiB."""
    small, large = (lines_of(lockwalk("contiguity", "--mapping", "memhog:25", "--size", mib).out) for mib in (32, 512))
    assert float(small[2][3]) == 1 and 0.7 < 1 - float(large[2][3]) < 0.8


def test_figure_4_of_the_document(lockwalk, tmp_path):
    """docs/papers/mesc_figure_4.csv is what the program writes of its mappings and sizes, and the picture is drawn from
    it."""
    kept = ROOT / "docs" / "papers" / "mesc_figure_4.csv"
    with kept.open() as file:
        sets = list(dict.fromkeys((row["mapping"], row["mib"]) for row in csv.DictReader(file)))
    assert sets == [(f"memhog:{percent}", mib) for percent in (0, 25, 50, 75) for mib in ("32", "128", "512")]
    for mapping, mib in sets:
        assert lockwalk("contiguity", "--mapping", mapping, "--size", mib, "--csv", tmp_path / "c.csv").status == 0
    assert (tmp_path / "c.csv").read_text() == kept.read_text()
    assert Image.open(kept.with_suffix(".png")).text["Description"] == kept.read_text()
