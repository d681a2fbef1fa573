"""What the papers print, measured (papers/): the plans that are there, figures worked out by hand from made-up runs,
a whole small one, and what is refused."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
import yaml
from PIL import Image

from papers.plan import narrow, read_plan
from tools.project import ROOT

NEEDS = ["papers"]
PLANS = sorted((ROOT / "papers").glob("*.yaml"))
PLAN = {
    "paper": "A paper",
    "kernels": {"hard": ["mvt", "atax"], "easy": ["hotspot"]},
    "quick": dict.fromkeys(("mvt", "atax", "hotspot"), "--max-launches 1 --max-groups 1 --max-iters 1"),
    "points": {"a": {"system": "baseline"}, "b, two": {"system": "nha", "set": ["walkers=2"]}},
    "figures": [
        {"figure": "Figure 1", "says": "speed-up", "value": "speed", "bars": {"b": ["b, two", "a"]},
         "printed": [{"bar": "b", "of": "hard", "value": 2.5, "note": "read from its picture"}]},
        {"figure": "Figure 2", "says": "hits", "value": "l1_hits", "of": ["hard"], "bars": {"a": ["a"]}},
    ],
}


def write(folder, plan):
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(plan, sort_keys=False))
    return path


def python(*arguments):
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("plan", PLANS, ids=[plan.stem for plan in PLANS])
def test_plans_can_be_run(plan, tmp_path):
    """Every system, setting, kernel and option of a plan is one, whole and quick. Graphs are made small: one of the
    paper's size takes some seconds."""
    for path in PLANS:  # one may take its kernels from another
        text = re.sub(r"(graphbig_\w+: --size) \d+", r"\1 4096", path.read_text())
        (tmp_path / path.name).write_text(text)
    done = python("-c", f"from papers.plan import load; load('{tmp_path / plan.name}')")
    assert done.returncode == 0, done.stderr


def made_up(folder, point, kernel, **run):
    """A run that has ended well, with these figures."""
    (folder / point).mkdir(exist_ok=True)
    run = {"verdict": "equal", "unasked_faults": 0, **run}
    (folder / point / f"{kernel}.json").write_text(json.dumps(run))


def rows(folder):
    with (folder / "figures.csv").open() as file:
        return {(row["figure"], row["bar"], row["of"]): (row["measured"], row["printed"])
                for row in csv.DictReader(file)}


def test_figures_by_hand(tmp_path):
    made = {("a", "mvt"): (900, 1, 3), ("a", "atax"): (400, 1, 1), ("a", "hotspot"): (50, 0, 0),
            ("b__two", "mvt"): (300, 1, 1), ("b__two", "atax"): (200, 1, 1), ("b__two", "hotspot"): (100, 1, 1)}
    for (point, kernel), (cycles, hits, misses) in made.items():
        made_up(tmp_path, point, kernel, cycles=cycles, l1_tlb={"hits": hits, "misses": misses})
    done = python("papers/figures.py", write(tmp_path, PLAN), tmp_path)
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path) == {
        ("Figure 1", "b", "mvt"): ("3", ""), ("Figure 1", "b", "atax"): ("2", ""),
        ("Figure 1", "b", "hotspot"): ("0.5", ""), ("Figure 1", "b", "hard"): ("2.5", "2.5"),
        ("Figure 1", "b", "easy"): ("0.5", ""), ("Figure 2", "a", "mvt"): ("0.25", ""),
        ("Figure 2", "a", "atax"): ("0.5", ""), ("Figure 2", "a", "hard"): ("0.375", "")}
    text = (tmp_path / "figures.md").read_text()
    assert "| hard | 2.500 (2.5) |" in text and "(b, hard: read from its picture)" in text
    assert [Image.open(tmp_path / f"figure_{n}.png").text["Title"] for n in (1, 2)] == ["Figure 1", "Figure 2"]


def test_a_kernel_of_two_classes(tmp_path):
    """It runs once and has one row, and is in both means."""
    hits_of_all = {key: value for key, value in PLAN["figures"][1].items() if key != "of"}
    plan = {**PLAN, "kernels": {"hard": ["mvt", "atax"], "the paper's": ["atax", "hotspot"]}, "figures": [hits_of_all]}
    for kernel, hits in (("mvt", 3), ("atax", 2), ("hotspot", 0)):
        made_up(tmp_path, "a", kernel, l1_tlb={"hits": hits, "misses": 4 - hits})
    file = write(tmp_path, plan)
    done = python("papers/figures.py", file, tmp_path)
    assert done.returncode == 0, done.stderr
    assert {of: value for (_, _, of), (value, _) in rows(tmp_path).items()} == {
        "mvt": "0.75", "atax": "0.5", "hotspot": "0", "hard": "0.625", "the paper's": "0.25"}
    done = python("-c", f"""from papers.plan import kernels_of, read_plan
print(*kernels_of(read_plan('{file}')))""")
    assert done.stdout == "mvt atax hotspot\n", done.stderr


def test_energies_by_hand(tmp_path):
    """Of 1000 nJ 900 are memory's, of the other's 500 it is 300; in 2 us page walks take 340 nJ for 920."""
    made = {"a": (1000, 900, 20, 4000), "b__two": (500, 300, 40, 1000)}
    for point, (nj, memory, cam, cycles) in made.items():
        made_up(tmp_path, point, "mvt", cycles=cycles, values={"clock_mhz": 2000},
                energy={"nj": nj, "structures": {"memory": {"nj": memory}, "cam": {"nj": cam}}})
    kinds = ["energy", "energy_on_chip_halved", "energy_on_chip_doubled", "saved_power"]
    plan = {**PLAN, "kernels": {"hard": ["mvt"]}, "quick": {}, "energy": "systems/energy/cacti_32nm.ini", "figures": [
        {"figure": kind, "says": "energy", "value": kind, "bars": {"b": ["b, two", "a"]}} for kind in kinds]}
    done = python("papers/figures.py", write(tmp_path, plan), tmp_path)
    assert done.returncode == 0, done.stderr
    measured = [float(rows(tmp_path)[kind, "b", "mvt"][0]) for kind in kinds]
    assert measured == [0.5, pytest.approx(400 / 950, 1e-3), pytest.approx(700 / 1100, 1e-3), 290]


def test_shares_by_hand(tmp_path):
    """Of eight lines of memory six are page walks'; of twelve accesses to upper levels nine have met another."""
    dram = {"walks": {"reads": 6, "writes": 0}, "data": {"reads": 1, "writes": 1}}
    made = {"mvt": {"memory": {"dram": dram}, "upper_neighbours": {"accesses": 12, "met": 9}},
            "atax": {"memory": None, "upper_neighbours": {"accesses": 0, "met": 0}}}
    for kernel, run in made.items():
        made_up(tmp_path, "a", kernel, **run)
    kinds = ["walk_lines", "upper_neighbours"]
    plan = {**PLAN, "figures": [{"figure": kind, "says": "share", "value": kind, "of": ["hard"], "bars": {"a": ["a"]}}
                                for kind in kinds]}
    done = python("papers/figures.py", write(tmp_path, plan), tmp_path)
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path)
    assert [found[kind, "a", kernel][0] for kind in kinds for kernel in made] == ["0.75", "", "0.75", ""]


def test_misses_by_hand(tmp_path):
    """Of twelve pages three miss, for eight lines of data; without data there are no lines, without TLBs no misses."""
    made = {"mvt": {"l1_tlb": {"hits": 9, "misses": 3}, "data": {"lines": 8}, "in_flight": {"mean": 2.5, "max": 7}},
            "atax": {"l1_tlb": {"hits": 1, "misses": 1}, "data": None, "in_flight": {"mean": 1.0, "max": 1}},
            "hotspot": {"l1_tlb": None, "data": {"lines": 8}, "in_flight": {"mean": 0.0, "max": 0}}}
    for kernel, run in made.items():
        made_up(tmp_path, "a", kernel, **run)
    kinds = ["l1_misses", "l1_misses_a_line", "in_flight_mean", "in_flight_max"]
    plan = {**PLAN, "figures": [{"figure": kind, "says": "misses", "value": kind, "bars": {"a": ["a"]}}
                                for kind in kinds]}
    done = python("papers/figures.py", write(tmp_path, plan), tmp_path)
    assert done.returncode == 0, done.stderr
    found = rows(tmp_path)
    assert [[found[kind, "a", kernel][0] for kernel in made] for kind in kinds] == [
        ["0.25", "0.5", ""], ["0.375", "", ""], ["2.5", "1", "0"], ["7", "1", "0"]]
    assert found["l1_misses_a_line", "a", "hard"][0] == ""  # no mean of what is left


def test_each_bar_is_under_its_name():
    """Kernels down, bars across, in the plan's order; a row of the CSV has the value's name, and notes follow below."""
    done = python("-c", """from papers.figures import rows_of, table
figure = {'figure': 'F', 'says': 's', 'value': 'speed', 'printed': [
    {'bar': 'y', 'of': 'k', 'value': 4.5, 'note': 'one'}, {'bar': 'x', 'of': 'k', 'value': 3},
    {'bar': 'x', 'of': 'l', 'value': 7, 'note': 'two'}]}
found = {'x': {'k': 1.0, 'l': 5.0}, 'y': {'k': 2.0, 'l': 6.0}}
rows = rows_of({'paper': 'P'}, figure, found)
print(*table(figure, found), *(','.join(map(str, row.values())) for row in rows), sep='\\n')
""")
    assert done.stdout.splitlines() == [
        "### F: s", "", "| | x | y |", "|---|---|---|", "| k | 1.000 (3) | 2.000 (4.5) |", "| l | 5.000 (7) | 6.000 |",
        "",
        "(y, k: one; x, l: two)", "", "P,F,speed,x,k,1,3", "P,F,speed,x,l,5,7", "P,F,speed,y,k,2,4.5",
        "P,F,speed,y,l,6,"]


@pytest.mark.parametrize(("value", "counted"), [("l1_hits", False), ("neighbours", True), ("upper_neighbours", True)])
def test_a_plan_asks_for_what_its_figures_need(value, counted, tmp_path):
    plan = {**PLAN, "figures": [{**PLAN["figures"][1], "value": value}]}
    done = python("-c", f"""from papers.plan import load, options
print(options(load('{write(tmp_path, plan)}'), 'mvt', True))""")
    assert done.returncode == 0, done.stderr
    assert ("'--neighbours'" in done.stdout) == counted


def test_what_a_run_does_not_have_is_left_open(tmp_path):
    """A stream past the TLBs has no hits in them: no zero stands there, and no mean of what is left."""
    plan = {**PLAN, "figures": PLAN["figures"][1:]}
    for kernel, tlb in (("mvt", None), ("atax", {"hits": 1, "misses": 1})):
        made_up(tmp_path, "a", kernel, l1_tlb=tlb)
    assert python("papers/figures.py", write(tmp_path, plan), tmp_path).returncode == 0
    assert {of: value for (_, _, of), (value, _) in rows(tmp_path).items()} == {"mvt": "", "atax": "0.5", "hard": ""}
    text = (tmp_path / "figures.md").read_text()
    assert "| mvt | - |" in text and "| atax | 0.500 |" in text and "| hard | - |" in text


def test_some_kernels_and_points(tmp_path):
    """A kernel that is left out is in no mean and is named; a bar of another point is not there, nor its figure."""
    made_up(tmp_path, "a", "mvt", cycles=900, l1_tlb={"hits": 1, "misses": 3})
    plan = write(tmp_path, PLAN)
    done = python("papers/figures.py", plan, tmp_path, "--kernels", "mvt", "--points", "a")
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path) == {("Figure 2", "a", "mvt"): ("0.25", ""), ("Figure 2", "a", "hard"): ("0.25", "")}
    assert "Not measured here, and in no mean: atax, hotspot." in (tmp_path / "figures.md").read_text()


def test_what_is_printed_of_some(tmp_path):
    """Of a kernel that is there, and of a class that is there whole: a mean of a part is another one. What is printed
    of another bar is not there, nor a bar of another point, nor a class without kernels."""
    printed = [{"bar": bar, "of": of, "value": n} for n, (bar, of) in enumerate(
        [("x", "mvt"), ("x", "atax"), ("x", "hard"), ("x", "easy"), ("y", "mvt"), ("x", "hotspot")], 1)]
    figure = {"figure": "F", "says": "hits", "value": "l1_hits", "bars": {"x": ["a"], "y": ["b, two"]},
              "printed": printed}

    def left(kernels, points):
        plan = read_plan(write(tmp_path, {**PLAN, "figures": [figure]}))
        narrow(plan, "plan.yaml", kernels, points)
        found, = plan["figures"]
        return plan["kernels"], list(found["bars"]), [row["value"] for row in found["printed"]]

    assert left([], []) == (PLAN["kernels"], ["x", "y"], [1, 2, 3, 4, 5, 6])
    assert left(["mvt"], []) == ({"hard": ["mvt"]}, ["x", "y"], [1, 5])
    assert left(["hotspot", "mvt"], ["a"]) == ({"hard": ["mvt"], "easy": ["hotspot"]}, ["x"], [1, 4, 6])
    assert left(["atax", "mvt"], ["b, two"]) == ({"hard": ["mvt", "atax"]}, ["y"], [5])


@pytest.mark.parametrize("run, sentence", [
    ({"verdict": "interrupted"}, "its run ended with the verdict \"interrupted\"; allowed: equal"),
    ({"unasked_faults": 3}, "its run has 3 faults that nobody asked for; allowed: none"),
    (None, "cannot be read (No such file or directory); allowed: what `lockwalk model --json` has written"),
    ({"verdict": None}, "verdict is no text"),
    ({"l1_tlb": {"hits": 1}}, "has not what the figures are made of ('misses'); allowed: what `lockwalk model --json` "
                              "has written, in each of the folders of a"),
    ([], "is no mapping; allowed: one with the keys verdict, unasked_faults"),
])
def test_a_run_that_is_none(run, sentence, tmp_path):
    """No figure is made of a run that has not ended well, nor of what is left without it; nor are those before it."""
    figures = [{**PLAN["figures"][1], "of": [of]} for of in ("easy", "hard")]
    for kernel in ("hotspot", "mvt"):
        made_up(tmp_path, "a", kernel, l1_tlb={"hits": 1, "misses": 1})
    if isinstance(run, dict):
        made_up(tmp_path, "a", "atax", **{"l1_tlb": {"hits": 1, "misses": 1}, **run})
    elif run is not None:
        (tmp_path / "a" / "atax.json").write_text(json.dumps(run))
    done = python("papers/figures.py", write(tmp_path, {**PLAN, "figures": figures}), tmp_path)
    assert done.returncode == 2 and done.stderr == f"results: {tmp_path}/a/atax.json: {sentence}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "plan.yaml"]


@pytest.mark.parametrize("words, sentence", [
    (["--kernels", "mvt", "bfs"], "--kernels: \"bfs\" is none; allowed: \"mvt\", \"atax\", \"hotspot\""),
    (["--points", "b"], "--points: \"b\" is none; allowed: \"a\", \"b, two\""),
    (["--kernels", "hotspot", "--points", "a"], "no figure of it is made of these kernels and points alone"),
])
def test_some_are_refused(words, sentence, tmp_path):
    plan = write(tmp_path, PLAN)
    done = python("papers/results.py", "--plan", str(plan), *words)
    assert done.returncode == 2 and done.stderr == f"results: {plan}: {sentence}\n"


def measure(plan, *options):
    done = python("papers/results.py", "--plan", str(plan), "--quick", *options)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def test_whole(tmp_path):
    """Runs and figures by Snakemake, of one kernel and then of all. What has run does not run again, unless the values
    of its system have changed, in whichever file they stand, or the timing of its memory."""
    walks, timing = tmp_path / "walks.ini", tmp_path / "timing.ini"
    walks.write_text("extends = baseline\n[hardware]\nwalkers = 8\n")
    timing.write_text((ROOT / "systems" / "dram" / "stress.ini").read_text())
    (tmp_path / "b.ini").write_text(f"extends = {walks}\n")
    (tmp_path / "c.ini").write_text(f"extends = stress_dram\n[memory]\ndram = {timing}\n")
    systems = {"a": "baseline", "b, two": f"{tmp_path}/b.ini", "c": f"{tmp_path}/c.ini"}
    third = {"figure": "Figure 3", "says": "speed-up", "value": "speed", "bars": {"c": ["c", "a"]}}
    plan = {**PLAN, "points": {point: {"system": system} for point, system in systems.items()},
            "figures": [*PLAN["figures"], third]}
    path = write(tmp_path, plan).rename(tmp_path / f"{tmp_path.name}.yaml")
    out = ROOT / "build" / "results" / f"{tmp_path.name}_quick"
    runs = {point: out / point / "mvt.json" for point in ("a", "b__two", "c")}
    shutil.rmtree(out, ignore_errors=True)  # an earlier test run's
    measure(path, "--kernels", "mvt", "--points", "a", "b, two", "c")
    assert {of: printed for (figure, _, of), (_, printed) in rows(out).items() if figure == "Figure 1"} == {
        "mvt": "", "hard": ""}  # what is printed is of all kernels of the class
    kept = runs["a"].stat().st_mtime_ns
    before = {point: json.loads(run.read_text())["cycles"] for point, run in runs.items()}

    walks.write_text("extends = baseline\n[hardware]\nwalkers = 1\n")
    timing.write_text(timing.read_text().replace("tCL = 5", "tCL = 12"))
    assert measure(path) == f"build/results/{out.name}: figures.md, figures.csv and 3 pictures\n"
    after = {point: json.loads(run.read_text())["cycles"] for point, run in runs.items()}
    assert runs["a"].stat().st_mtime_ns == kept
    assert after["b__two"] > before["b__two"] and after["c"] != before["c"]
    assert rows(out)["Figure 1", "b", "mvt"][0] == f"{after['a'] / after['b__two']:.4g}"
    assert rows(out)["Figure 1", "b", "hard"][1] == "2.5"


def test_figures_are_of_their_plan(tmp_path):
    """What a plan says is printed can change by itself, and how a figure is made of its runs."""
    plan = write(tmp_path, PLAN)
    done = python("-m", "snakemake", "-s", "papers/Snakefile", "--dry-run", "--nolock", "--config", f"plan={plan}",
                  f"out={tmp_path}/out", "quick=1")
    assert done.returncode == 0, done.stderr
    job = (done.stdout + done.stderr).split("rule figures:")[1]
    made_of = job.partition("input: ")[2].partition("\n")[0].split(", ")
    assert {str(plan), "papers/figures.py", "papers/plan.py"} <= set(made_of)


def test_resumes_after_a_kill(tmp_path):
    """A second one is refused while the first runs, and goes on where that was killed."""
    cut = {**PLAN["quick"], "mvt": "--max-launches 1 --max-iters 8"}
    plan = write(tmp_path, {**PLAN, "options": cut, "quick": {}}).rename(tmp_path / f"{tmp_path.name}.yaml")
    out = ROOT / "build" / "results" / tmp_path.name
    shutil.rmtree(out, ignore_errors=True)  # an earlier test run's
    measure = ["papers/results.py", "--plan", str(plan)]
    with subprocess.Popen([sys.executable, *measure], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as first:
        while not out.exists() and first.poll() is None:
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGSTOP)  # so that it does not end meanwhile
        refused = python(*measure)
        os.killpg(first.pid, signal.SIGKILL)
    assert first.returncode == -signal.SIGKILL
    assert refused.returncode == 2
    assert refused.stderr == (f"results: build/results/{out.name}.lock is held: the same is being measured already; "
                              "allowed: once it has ended\n")
    assert not (out / "figures.md").exists()
    done = python(*measure)
    assert done.returncode == 0 and (out / "figures.md").exists(), done.stderr


def broken(**change):
    return {**PLAN, **change}


def figure(**change):
    return broken(figures=[{**PLAN["figures"][0], **change}])


@pytest.mark.parametrize("plan, sentence", [
    ({}, "is no mapping; allowed: one with the keys paper"),
    (broken(colour=1), "has no key \"colour\"; allowed: paper, kernels"),
    (broken(points={}), ": points holds nothing"),
    (broken(points={**PLAN["points"], "b: two": {"system": "nha"}}),
     "points, by their folders: \"b__two\" stands there twice"),
    (broken(options={"bfs": ""}), "options of \"bfs\": allowed: a text, of one of mvt, atax, hotspot"),
    (broken(points={"a": {"system": "none"}}), "\"b, two\" is no point; allowed: a"),
    (broken(points={**PLAN["points"], "a": {"system": "no"}}), "systems/no.ini: cannot be read"),
    (broken(set=["walkers=0"]), "walkers is \"0\"; allowed: a whole number in 1..32"),
    (broken(kernels={"hard": ["mvt", "atax"], "easy": ["hotpot"]}, quick={}), "hotpot"),
    (broken(quick={"mvt": "--max-iters x"}), "--max-iters"),
    (broken(long={"mvt": "--max-iters y"}), "--max-iters: \"y\" is not allowed"),
    (figure(value="energy"), "figure 1: value \"energy\" needs a table of energies, by the plan's key energy"),
    (broken(energy=7), "energy is no text"),
    (broken(energy="systems/energy/none.ini"), "systems/energy/none.ini: cannot be read"),
    (broken(quick=None), ": quick is no mapping"),
    (broken(options=None), ": options is no mapping"),
    (broken(options={"mvt": "--size 'open"}),
     ": options, mvt is no text that a shell would take (No closing quotation)"),
    (broken(points={"a": {"system": 5}}), ": points, a, system is no text"),
    (broken(points={"a": {"system": ["nha"]}}), ": points, a, system is no text"),
    (broken(points={1: {"system": "nha"}}), ": points has the key 1, which is no text"),
    (figure(value=["speed"]), ": figure 1, value is no text"),
    (figure(printed=None), ": figure 1, printed is no list"),
    (broken(figures=[]), ": figures has 0 elements; allowed: 1 and more"),
    (figure(says=" "), ": figure 1, says is an empty text"),
    (figure(value="beauty"), "figure 1: value \"beauty\" is none; allowed: speed, accesses"),
    (figure(of=["odd"]), "figure 1: of \"odd\" is no class; allowed: hard, easy"),
    (figure(bars={"b": ["a"]}), "bar \"b\" has 1 points; allowed: 2 for speed"),
    (figure(printed=[{"bar": "c", "of": "hard", "value": 1}]), "printed 1: bar \"c\" is none; allowed: b"),
    (figure(printed=[{"bar": "b", "of": "bfs", "value": 1}]), "printed 1: of \"bfs\" is none; allowed: hard, easy"),
    (figure(of=["easy"], printed=[{"bar": "b", "of": "mvt", "value": 1}]),
     "printed 1: of \"mvt\" is none; allowed: easy, hot"),
    (figure(printed=[{"bar": "b", "of": "hard", "value": value} for value in (1, 2)]),
     "figure 1, printed: \"b, hard\" stands there twice"),
    (broken(kernels={"hard": ["mvt", "atax", "mvt"], "easy": ["hotspot"]}),
     "kernels, hard: \"mvt\" stands there twice"),
    (broken(kernels={"mvt": ["mvt", "atax"], "easy": ["hotspot"]}), ": kernels: \"mvt\" stands there twice"),
    (figure(printed=[{"bar": "b", "of": "hard", "value": -1}]),
     "figure 1, printed 1, value is -1; allowed: a number above 0"),
])
def test_refused(plan, sentence, tmp_path):
    path = write(tmp_path, plan)
    if not plan:
        path.write_text("- a list\n")
    done = python("papers/results.py", "--plan", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"results: {path}") and sentence in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("content", "said"), [
    (None, ": cannot be read (No such file or directory); allowed: a file of YAML"),
    (b"a: b\n\xff", ": is no text in UTF-8 (byte 6); allowed: a file of YAML"),
    (b"[" * 100000, ": is no YAML (it nests too deeply)")], ids=["missing", "bytes", "deep"])
def test_no_yaml(content, said, tmp_path):
    path = tmp_path / "plan.yaml"
    if content is not None:
        path.write_bytes(content)
    done = python("papers/results.py", "--plan", str(path))
    assert (done.returncode, done.stderr) == (2, f"results: {path}{said}\n")


@pytest.mark.parametrize("program", ["/nonexistent", "papers", "README.md"])
def test_a_program_that_is_none(program, tmp_path):
    done = python("papers/results.py", "--plan", write(tmp_path, PLAN), "--program", program)
    assert done.returncode == 2
    assert done.stderr == f"results: --program: {program} cannot be run; allowed: a lockwalk that is built\n"


def test_a_run_that_fails_is_heard(tmp_path):
    """Off a terminal too: what the program says, and which command of the workflow it was."""
    program = tmp_path / "fails"
    program.write_text("#!/bin/sh\necho 'fails: a word' >&2\nexit 3\n")
    program.chmod(0o755)
    plan = write(tmp_path, PLAN).rename(tmp_path / f"{tmp_path.name}.yaml")
    done = python("papers/results.py", "--plan", plan, "--kernels", "mvt", "--points", "a", "--program", program)
    assert done.returncode == 1 and "fails: a word\n" in done.stderr, done.stderr
    assert f"{program} model --system baseline --workload mvt" in done.stderr
    assert "non-zero exit status 3" in done.stderr and "Building DAG" not in done.stderr


def test_only_a_check(tmp_path):
    """It says nothing of a right plan, and measures nothing."""
    plan = write(tmp_path, PLAN).rename(tmp_path / f"{tmp_path.name}.yaml")
    done = python("papers/results.py", "--plan", plan, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (ROOT / "build" / "results" / f"{tmp_path.name}.lock").exists()


def test_a_key_that_stands_there_twice(tmp_path):
    path = write(tmp_path, PLAN)
    line = path.read_text().count("\n") + 1
    path.write_text(path.read_text() + "points: {a: {system: nha}}\n")
    done = python("papers/results.py", "--plan", path)
    assert done.returncode == 2
    assert done.stderr == f"results: {path}:{line}: is no YAML (the key \"points\" stands there twice)\n"


def test_a_plan_that_is_not_there():
    done = python("papers/results.py", "--plan", "papers/none.yaml")
    assert done.returncode == 2 and done.stderr.startswith("results: papers/none.yaml: cannot be read")
