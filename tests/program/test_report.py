"""The HTML reports, opened in a real browser, which says what it shows: the same figures as the JSON, pictures that are
there and have their parts, nothing from elsewhere."""

import csv
import html
import json
import os
import re
import resource
import shutil
import stat
import subprocess
import sys
import threading
from argparse import Namespace
from html.parser import HTMLParser

import pytest

from plots.report import make as make_report
from tests.harness.make import make
from tools.project import ROOT
from tools.refusal import Refusal

NEEDS = ["browser", "plots"]
PYTHON = ROOT / ".venv" / "bin" / "python"
# What the browser is asked, in a copy of the page: the text that is visible, and each picture's size, place and text.
QUESTION = """<script>addEventListener("load", () => {
  const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; };
  const said = {text: document.body.innerText, title: document.title, width: document.documentElement.scrollWidth,
    rows: [...document.querySelectorAll("tr")].map(r => [...r.cells].map(c => c.innerText)),
    asked: performance.getEntriesByType("resource").length,
    pictures: [...document.querySelectorAll("svg")].map(s => ({box: box(s), section: s.closest("section").id,
      text: [...s.querySelectorAll("text")].map(t => t.textContent),
      shapes: [...s.querySelectorAll("path, use")].map(box).filter(b => b[2] > 1 && b[3] > 1).length}))};
  document.body.innerHTML = ""; const pre = document.createElement("pre"); pre.id = "said";
  pre.textContent = JSON.stringify(said); document.body.append(pre); });</script>"""


def shown(path):
    """What the browser shows of the page."""
    asked = path.with_suffix(".asked.html")
    asked.write_text(path.read_text().replace("</body>", f"{QUESTION}</body>"))
    done = subprocess.run(["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--window-size=1200,900",
                           f"--user-data-dir={path.parent / 'profile'}", "--dump-dom", asked.as_uri()],
                          capture_output=True, text=True, check=True, timeout=120)
    return json.loads(html.unescape(re.search(r'<pre id="said">(.*?)</pre>', done.stdout, re.S)[1]))


class Outside(HTMLParser):
    """What a page names of elsewhere, and its ids."""

    def __init__(self, text):
        super().__init__()
        self.named, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        links = [values.get(key) or "" for key in ("src", "href", "xlink:href")]
        self.named += [link for link in links if link and not link.startswith("#")]
        self.named += [tag] if tag in ("script", "link", "iframe", "object", "img") else []


def report(folder, *arguments):
    return subprocess.run([PYTHON, "plots/report.py", *map(str, arguments), "--out", folder / "report.html"], cwd=ROOT,
                          capture_output=True, text=True, check=False)


def page(folder, *arguments):
    """What the browser shows of the report, which needs nothing beside it."""
    done = report(folder, *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    path = folder / "report.html"
    text = path.read_text()
    outside = Outside(text)
    assert outside.named == [] and len(outside.ids) == len(set(outside.ids))
    assert not re.search(r"url\((?!#)|@import", text)
    seen = shown(path)
    assert seen["asked"] == 0 and seen["width"] <= 1200
    for picture in seen["pictures"]:
        left, _, width, height = picture["box"]
        assert left >= 0 and left + width <= 1200 and width > 500 and height > 100 and picture["shapes"] > 3
    return seen


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for walkers in (8, 16):
        subprocess.run([ROOT / "build" / "lockwalk", "model", "--workload", "atax", "--max-iters", "2", "--stages",
                        "--set",
                        f"walkers={walkers}", "--json", folder / f"{walkers}.json"], check=True, capture_output=True)
    return folder / "8.json", folder / "16.json"


def table(seen, head):
    """{first cell: the others} of the table whose first line begins so."""
    begin = next(n for n, row in enumerate(seen["rows"]) if row[:len(head)] == head)
    width = len(seen["rows"][begin])
    rows = {}
    for row in seen["rows"][begin + 1:]:
        if len(row) != width or row[0] == head[0]:
            break
        rows[row[0]] = row[1:]
    return rows


def test_run(runs, tmp_path):
    run = json.loads(runs[0].read_text())
    seen = page(tmp_path, "--run", runs[0])
    assert seen["title"] == "atax on nha, seed 1" and f"{run['cycles']:,} cycles" in seen["text"]
    stages = table(seen, ["stage", "requests", "cycles"])
    whole = run["stages"]["whole"]
    for name, figures in [*run["stages"]["stages"].items(), ("whole", whole)]:
        if figures["requests"]:
            assert stages[name] == [
                f"{figures['requests']:,}", f"{figures['cycles']:,}",
                f"{100 * figures['cycles'] / whole['cycles']:.1f} %",
                f"{figures['cycles'] / figures['requests']:,.1f}",
                *(f"{figures[key]:,}" for key in ("p50", "p90", "p99", "max"))]
    slowest, most = max(run["stages"]["stages"].items(), key=lambda stage: stage[1]["cycles"])
    assert (f"{run['cycles']:,} cycles, {run['requests']:,} requests; a request takes "
            f"{whole['cycles'] / whole['requests']:.1f} cycles, "
            f"{100 * most['cycles'] / whole['cycles']:.0f} % of them in {slowest}.") in seen["text"]
    walkers = sum(run["attribution"].values())
    assert table(seen, ["cause", "walker cycles", "share"]) == {
        name: [f"{value:,}", f"{100 * value / walkers:.1f} %"] for name, value in run["attribution"].items()}
    assert table(seen, ["run", "reads"]) == {"atax on nha, seed 1": [
        f"{run['memory'][key]:,}" for key in ("reads", "row_hits", "row_misses", "row_conflicts", "wait_cycles")]}
    counters = table(seen, ["counter", "value"])
    assert counters == {name: [f"{value:,}"] for name, value in run["counters"].items()}
    pictures = {picture["section"]: picture for picture in seen["pictures"]}
    assert list(pictures) == ["stages", "times", "memory"]
    assert {"all", "walk", "told", "atax_k1", "atax_k2", "walker", "level_1"} <= set(pictures["stages"]["text"])
    assert "Kernel atax_k2" in seen["text"]


def test_comparison(runs, tmp_path):
    one, two = (json.loads(path.read_text()) for path in runs)
    two["values"]["new"], two["counters"]["late"] = 2, 9  # as of another version
    (tmp_path / "two.json").write_text(json.dumps(two))
    seen = page(tmp_path, "--run", runs[0], "--against", tmp_path / "two.json")
    assert table(seen, ["key"]) == {"walkers": ["8", "16"], "new": ["null", "2"]}
    assert f"{one['cycles']:,} and {two['cycles']:,} cycles" in seen["text"]
    assert "The difference is made in walker: " in seen["text"]
    assert f"cycles ({100 * (two['cycles'] - one['cycles']) / one['cycles']:+.1f} %). " in seen["text"]
    stages = table(seen, ["stage, mean cycles", "A: nha", "B: nha", "B - A"])

    def mean(run, cycles):
        return cycles / run["stages"]["whole"]["requests"]

    for name in ("walker", "level_1", "whole"):
        cycles = [run["stages"]["stages"].get(name, run["stages"]["whole"])["cycles"] for run in (one, two)]
        first, second = mean(one, cycles[0]), mean(two, cycles[1])
        assert stages[name] == [f"{first:,.1f}", f"{second:,.1f}", f"{second - first:+,.1f}"]
    differ = table(seen, ["counter", "A: nha", "B: nha"])
    groups = [(one[group], two[group]) for group in ("counters", "attribution")]
    assert set(differ) == {name for first, second in groups for name in second
                           if first.get(name, 0) != second[name]}
    assert differ["late"] == ["0", "9", "+9"]
    assert differ["walks"] == [f"{one['counters']['walks']:,}", f"{two['counters']['walks']:,}",
                               f"{two['counters']['walks'] - one['counters']['walks']:+,}"]
    assert {"A: nha, all", "B: nha, all"} <= set(seen["pictures"][0]["text"])


def test_sweep(tmp_path):
    with (ROOT / "docs" / "exploration.csv").open() as file:
        rows = list(csv.DictReader(file))
    seen = page(tmp_path, "--sweep", "docs/exploration.csv")
    cells = [row for row in seen["rows"] if row[0] != "system"]
    assert [row[0] for row in cells] == [f"{row['system']} {row['settings']}".strip() for row in rows]
    kernels = [name for name in rows[0] if name.endswith("_cycles")]
    assert [row[1:] for row in cells] == [
        [f"{float(row['area_um2']) / 1e6:.3f}", f"{float(row['cycles_saved_percent']):.1f}",
         "yes" if row["on_front"] == "1" else "",
         *(f"{int(row[kernel]):,}" if row[kernel] else "" for kernel in kernels)]
        for row in rows]
    front = sum(row["on_front"] == "1" for row in rows)
    assert f"{len(rows)} points, with the cycles of each kernel; {front} of them are on the front" in seen["text"]
    assert len(seen["pictures"]) == len({row["panel"] for row in rows})
    front = [f"{row['system']} {row['settings']}".strip() for row in rows if row["on_front"] == "1"]
    assert set(front) <= {text for picture in seen["pictures"] for text in picture["text"]}


def test_names_cannot_write_the_page(runs, tmp_path):
    run = json.loads(runs[0].read_text())
    run["workload"] = run["stages"]["kernels"][0]["kernel"] = "<b onload=x>&amp;"
    (tmp_path / "odd.json").write_text(json.dumps(run))
    seen = page(tmp_path, "--run", tmp_path / "odd.json")
    assert seen["title"] == "<b onload=x>&amp; on nha, seed 1" and "Kernel <b onload=x>&amp;" in seen["text"]


@pytest.mark.parametrize(("old", "new"), [("<body>", '<body><img src="http://localhost:9/x.png">'),
                                          ("</h1>", "</h1><div style='width:2000px'>x</div>")])
def test_a_broken_page_barks(runs, tmp_path, old, new, monkeypatch):
    assert report(tmp_path, "--run", runs[0]).returncode == 0
    path = tmp_path / "report.html"
    path.write_text(path.read_text().replace(old, new))
    monkeypatch.setattr(sys.modules[__name__], "report", lambda *_: subprocess.CompletedProcess([], 0, "", ""))
    with pytest.raises(AssertionError):
        page(tmp_path)


@pytest.mark.parametrize(("arguments", "said"), [
    ([], "--run or --sweep: one of them says what the report is of"),
    (["--run", "README.md"], "README.md: is no JSON"),
    (["--run", "/nope"], "/nope: cannot be read (No such file or directory); allowed: what `lockwalk model --json` "),
    (["--sweep", "/nope"], "/nope: cannot be read (No such file or directory); allowed: what `make explore` writes"),
    (["--sweep", "README.md"], "README.md: is no sweep, it has no column \"panel\""),
    (["--sweep", "docs/exploration.csv", "--run", "a"], "--sweep: goes without --run and --against"),
    (["--frob"], "allowed"),
])
def test_refusals(tmp_path, arguments, said):
    done = report(tmp_path, *arguments)
    assert done.returncode == 2 and done.stdout == "" and list(tmp_path.iterdir()) == []
    assert done.stderr.startswith("lockwalk: ") and done.stderr.count("\n") == 1 and said in done.stderr, done.stderr


@pytest.mark.parametrize(("path", "value", "said"), [
    (["stages"], {"whole": 3}, ": stages lacks stages"),
    (["stages", "ways"], None, ": stages, ways is no mapping"),
    (["stages", "whole", "requests"], 0, ": stages, whole, requests is 0; allowed: a number above 0"),
    (["stages", "whole", "histogram"], [[1]], ": stages, whole, histogram 1 has 1 elements; allowed: 2 and more"),
    (["stages", "kernels"], [{"kernel": "k"}], ": stages, kernel 1 lacks stages"),
    (["memory"], {"reads": 1}, ": memory lacks row_hits"), (["counters"], [], ": counters is no mapping"),
    (["memory"], 5,
     ": memory is no mapping or null; allowed: one with the keys reads, row_hits, row_misses, row_conflicts, "
     "wait_cycles, banks"),
    (["attribution", "idle"], "x", ": attribution, idle is no number"),
    (["stages", "whole", "cycles"], 0, ": stages, whole, cycles is 0; allowed: a number above 0"),
    (["stages", "stages"], {}, ": stages, stages holds nothing"),
])
def test_refuses_what_is_no_run(runs, tmp_path, path, value, said):
    run = part = json.loads(runs[0].read_text())
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    (tmp_path / "a.json").write_text(json.dumps(run))
    done = report(tmp_path, "--run", tmp_path / "a.json")
    assert done.returncode == 2 and done.stderr == f"lockwalk: {tmp_path / 'a.json'}{said}\n"


SWEPT = "panel,system,settings,area_um2,cycles_saved_percent,on_front,mvt_cycles\n"


@pytest.mark.parametrize(("line", "said"), [
    ("p,nha,,1e6,3.5,1,many\n", "has a cell that is no number (invalid literal for int() with base 10: 'many')"),
    ("p,nha,,wide,3.5,1,9\n", 'row 1, area_um2 is "wide"; allowed: a number'),
    ("p,nha\n", "row 1 has more or fewer cells than there are columns; allowed: a cell of each"),
    ("p,nha,,1e6,3.5,1,9\np,nha,,1e6,3.5,1,9,8\n",
     "row 2 has more or fewer cells than there are columns; allowed: a cell of each"),
])
def test_refuses_what_is_no_sweep(tmp_path, line, said):
    path = tmp_path / "sweep.csv"
    path.write_text(SWEPT + line)
    with pytest.raises(Refusal) as refusal:
        make_report(Namespace(sweep=str(path), run=None, against=None))
    assert str(refusal.value) == f"{path}: {said}"


def test_refuses_what_nests_too_deeply(tmp_path):
    (tmp_path / "a.json").write_text("[" * 100000)
    done = report(tmp_path, "--run", tmp_path / "a.json")
    assert done.returncode == 2 and done.stderr == (
        f"lockwalk: {tmp_path / 'a.json'}: is no JSON (it nests too deeply); allowed: what `lockwalk model --json` and "
        "`cosim --json` write\n")


def test_refuses_runs_that_do_not_fit(runs, tmp_path):
    run = json.loads(runs[0].read_text())
    for change, said in [({"seed": 2}, "is of other work than"), ({"stages": None}, "has no stages"),
                         ({"cuts": {}}, "its cuts is {}")]:
        (tmp_path / "b.json").write_text(json.dumps({**run, **change}))
        done = report(tmp_path, "--run", runs[0], "--against", tmp_path / "b.json")
        assert done.returncode == 2 and said in done.stderr and not (tmp_path / "report.html").exists()


SWEEP = "docs/exploration.csv"


def written(out, *arguments, **options):
    """The report of a sweep, into this file."""
    return subprocess.run([PYTHON, "plots/report.py", *(arguments or ["--sweep", SWEEP]), "--out", out], cwd=ROOT,
                          **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}, text=True, check=False)


def test_what_is_read_is_not_written_over(runs, tmp_path):
    own = {"--run": tmp_path / "a.json", "--against": tmp_path / "b.json", "--sweep": tmp_path / "c.csv"}
    for path, source in zip(own.values(), [*runs, ROOT / SWEEP], strict=True):
        shutil.copy(source, path)
    before = {path: path.read_text() for path in own.values()}
    both = ["--run", own["--run"], "--against", own["--against"]]
    (tmp_path / "link").symlink_to("b.json")
    for arguments, out, option in ((both[:2], own["--run"], "--run"), (both, tmp_path / "link", "--against"),
                                   (["--sweep", own["--sweep"]], f"{tmp_path}/../{tmp_path.name}/c.csv", "--sweep")):
        done = written(out, *arguments)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr == f"lockwalk: --out: {out} is the file of {option} too; allowed: another\n"
    assert {path: path.read_text() for path in own.values()} == before and len(list(tmp_path.iterdir())) == 4


def test_a_device_stays_one(tmp_path):
    full = tmp_path / "full"  # a link: as root, a program that replaces what it writes to would take the device away
    full.symlink_to("/dev/full")
    done = written(full)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"lockwalk: --out: {full} cannot be written (No space left on device)\n"
    assert full.is_symlink() and stat.S_ISCHR(full.stat().st_mode) and list(tmp_path.iterdir()) == [full]


def test_a_fifo_stays_one(tmp_path):
    fifo, read = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)
    reader.start()
    done = written(fifo)
    reader.join(timeout=10)
    assert done.returncode == 0 and stat.S_ISFIFO(fifo.stat().st_mode), done.stderr
    assert read[0].startswith("<!DOCTYPE html>") and read[0].endswith("</html>") and list(tmp_path.iterdir()) == [fifo]


def test_a_file_is_replaced_whole(tmp_path):
    """Behind a link, with the permissions that it had; where the disk is full it stays as it was."""
    link, target = tmp_path / "link", tmp_path / "folder" / "target"
    target.parent.mkdir()
    link.symlink_to("folder/target")
    assert written(link).returncode == 0 and target.read_text().endswith("</html>")
    target.chmod(0o640)
    whole = target.read_text()
    done = written(link, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert (done.returncode, done.stderr) == (2, f"lockwalk: --out: {link} cannot be written (File too large)\n")
    assert target.read_text() == whole
    target.write_text("old")
    assert written(link).returncode == 0 and target.read_text() == whole
    assert link.is_symlink() and list(target.parent.iterdir()) == [target]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_where_stdout_goes(tmp_path):
    """What stood there before it stays."""
    with open(tmp_path / "out", "w", encoding="utf-8") as out:
        out.write("before\n")
        out.flush()
        assert written("/proc/self/fd/1", stdout=out).returncode == 0
    text = (tmp_path / "out").read_text()
    assert text.startswith("before\n<!DOCTYPE html>") and text.endswith("</html>/proc/self/fd/1\n")


def test_make_report(runs, tmp_path):
    done = make("-s", "report", f"RUN={runs[0]}", f"OUT={tmp_path}/r.html")
    assert done.returncode == 0 and (tmp_path / "r.html").exists(), done.stderr
    assert done.stdout.splitlines()[-1] == f"{tmp_path}/r.html"
