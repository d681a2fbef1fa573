"""The file of `make explore`: what is wrong with it is one sentence, before anything is made; the house's own is
right."""

import json
import re
import subprocess
import sys

import pytest
import yaml

from synth.explore.sweep import check, load
from tools.plan_file import parameters_of
from tools.project import ROOT

NEEDS = ["synth"]

GOOD = """\
workloads: [mvt --max-iters 1]
panels:
  - title: one
    points:
      - {system: stress_one}
      - {system: stress_one, set: [walkers=2]}
"""
WRONG = [
    ("panels:", "panles:", ' has no key "panles"; allowed: liberty, out, panels, workloads'),
    ("workloads:", "workload:", ' has no key "workload"; allowed: '),
    ("workloads: [mvt --max-iters 1]", "workloads: []", ": workloads has 0 elements; allowed: 1 and more"),
    ("title: one", "tilte: one", ': panel 1 has no key "tilte"; allowed: points, title'),
    ("set:", "sett:", ': panel 1, point 2 has no key "sett"; allowed: set, system'),
    ("[walkers=2]", "{walkers: 2}", ": panel 1, point 2, set is no list"),
    ("walkers=2", "walkers=99", ": --set: walkers is \"99\"; allowed: "),
    ("walkers=2", "wakers=2", ": --set: there is no key \"wakers\""),
    (", set: [walkers=2]", "", ': panel 1: "stress_one" stands there twice'),
    (GOOD, GOOD + "  - {title: two, points: [{system: systems/stress_one.ini}]}\n",
     ': points: "stress_one" is the folder of two that differ'),
    ("{system: stress_one}", "{system: stress_wun}", "systems/stress_wun.ini: cannot be read"),
    ("{system: stress_one}", "stress_one", ": panel 1, point 1 is no mapping; allowed: "),
    ("mvt", "mtv", ': --workload: "mtv" is no workload; '),
    ("mvt", "mvt ; touch stray", ': ";": model takes no such operand'),
    ("--max-iters 1", "--max-iter x", ": --max-iters: \"x\" is not allowed"),
    ("{system: stress_one}", "{system: [stress_one]}", ": panel 1, point 1, system is no text"),
    ("title: one", "title: 1", ": panel 1, title is no text"),
    (GOOD, GOOD + "panels: []\n", ":7: is no YAML (the key \"panels\" stands there twice)"),
    ("[mvt", "[[mvt]", ":1: is no YAML ("),
    (GOOD, "", " is no mapping; allowed: "),
    (GOOD, "[" * 100000, ": is no YAML (it nests too deeply)"),
    (GOOD, "\xff", " is no mapping; allowed: "),
]


def run(*arguments):
    return subprocess.run([sys.executable, "synth/explore/sweep.py", *arguments], cwd=ROOT, capture_output=True,
                          text=True, check=False)


@pytest.mark.parametrize(("before", "after", "said"), WRONG, ids=[repr(after)[:40] for _, after, _ in WRONG])
def test_wrong_sweep(tmp_path, before, after, said):
    path = tmp_path / "mine.yaml"
    assert before in GOOD
    path.write_text(GOOD.replace(before, after))
    done = run("--sweep", path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"synth: {path}") and said in done.stderr, done.stderr
    assert not (ROOT / "stray").exists()


@pytest.mark.parametrize("arguments", [["--sweep", "/nope"], ["--liberty", "/nope"]], ids=" ".join)
def test_missing_file(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert re.search(r"/nope: cannot be read(?: \(No such file or directory\))?; allowed: ", done.stderr), done.stderr
    assert done.stderr.count("\n") == 1


def test_right_sweep(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    default = yaml.safe_load((ROOT / "synth" / "explore" / "explore.yaml").read_text())
    assert load(path) == {**default, **yaml.safe_load(GOOD)}
    assert len(check(default, "explore.yaml")) > 20


def test_a_point_is_of_all_that_it_is_made_from(tmp_path):
    """Its area of the RTL's files and the library, its cycles of its memory's timing: what changes is made anew."""
    path, out = tmp_path / "mine.yaml", tmp_path / "out"
    path.write_text(GOOD.replace("set: [walkers=2]", "set: [dram=stress]"))
    snakemake = [ROOT / ".venv" / "bin" / "snakemake", "-s", "synth/explore/Snakefile", "--dry-run", "--nolock",
                 "--configfile"]
    library = yaml.safe_load((ROOT / "synth" / "explore" / "explore.yaml").read_text())["liberty"]
    done = subprocess.run([*snakemake, path, "--config", f"out={out}"], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    inputs = {rule: said.split(f"rule {rule}:")[1:] for rule in ("area", "cycles")}
    for job in inputs["area"]:
        files = job.partition("input: ")[2].partition("\n")[0].split(", ")
        rtl = {str(file.relative_to(ROOT)) for file in (ROOT / "rtl").rglob("*") if file.is_file()}
        assert {*rtl, library} == set(files)
    files = {job.partition("input: ")[2].partition("\n")[0] for job in inputs["cycles"]}
    assert files == {"build/lockwalk", "build/lockwalk, systems/dram/stress.ini"}


def test_cycles_are_of_their_values(tmp_path):
    """A system's file may change by itself: the same command measures its points anew."""
    path, system, out = tmp_path / "mine.yaml", tmp_path / "mine.ini", tmp_path / "out"
    path.write_text(GOOD.replace("{system: stress_one}", f"{{system: {system}}}"))
    snakemake = [ROOT / ".venv" / "bin" / "snakemake", "-s", "synth/explore/Snakefile", "--nolock", "--cores", "1",
                 "--configfile", path, "--config", f"out={out}", "--", out / "mine" / "mvt.json"]

    def measure(walkers):
        system.write_text(f"extends=stress_one\nwalkers={walkers}\n")
        done = subprocess.run(snakemake, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        figures = json.loads((out / "mine" / "mvt.json").read_text())
        return figures["cycles"], "rule cycles:" in done.stderr

    (one, first), (two, anew) = measure(1), measure(2)
    assert first and anew and one > two


def test_parameters_are_those_of_the_rtl():
    """An area is measured anew where these change."""
    def of(pair):
        return parameters_of("--system", "stress_one", "--set", pair)

    assert of("walkers=1") != of("walkers=2")
    assert of("l1_latency=1") == of("l1_latency=2")
