"""`lockwalk hashed` (docs/guide.md): what it prints and what it writes as JSON add up, the sizes are the paper's, and
collisions, evictions and the victim buffer are reached."""

import json
import re
import subprocess

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

RUNS = {
    "alone": ["--workload", "atax", "--size", "14640"],
    "four": ["--workload", "gesummv", "--size", "10240", "--pasids", "4"],
    "remote": ["--workload", "nw", "--size", "8448", "--local", "66"],
    "one_to_one": ["--workload", "nw", "--size", "8448", "--local", "66", "--factor", "100"],
    "roomy": ["--workload", "nw", "--size", "8448", "--local", "66", "--factor", "150"],
    "tiny": ["--workload", "lud"],
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """{name: (what is printed, the JSON)}"""
    folder = tmp_path_factory.mktemp("hashed")
    found = {}
    for name, options in RUNS.items():
        path = folder / f"{name}.json"
        run = subprocess.run([str(LOCKWALK), "hashed", *options, "--json", str(path)], cwd=ROOT, capture_output=True,
                             text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        found[name] = run.stdout, json.loads(path.read_text())
    return found


@pytest.mark.parametrize("name", RUNS)
def test_what_is_counted_adds_up(runs, name):
    out, f = runs[name]
    entries = f["local_entries"] + f["remote_entries"]
    driver = f["driver"]
    assert f["command"] == "hashed" and f["wrong"] == 0
    assert sum(f["steps"]) == entries <= f["max_entries"]
    assert f["load_factor"] == entries / f["slots"] and f["threshold"] == f["max_entries"] / f["slots"]
    # the power of two that is nearest to 0.4, by ratio
    assert f["slots"] == 8 or 0.4 / 2**0.5 <= f["max_local"] / f["slots"] <= 0.4 * 2**0.5
    assert f["groups"] / f["step_places"] <= 0.01
    evicted = driver["remote_evictions"] + driver["chain_evictions"] + driver["unplaced"] + driver["over_threshold"]
    assert f["victim_regions"] == evicted - driver["recalls"]
    assert driver["entries"] == entries + driver["remote_evictions"] + driver["chain_evictions"]
    assert driver["found"] + driver["entries"] + f["victim_pages"] >= f["pages"]
    # a walk reads the bucket and a slot, or the bucket and four levels
    assert f["accesses"] == 2 * f["pages"] + 3 * f["victim_pages"]
    assert f"{f['slots']} slots, {4 * f['slots']} KiB" in out and " 0 wrong" in out
    steps = re.search(r"^entries  ((?: +\d+){8})$", out, re.M)
    assert [int(n) for n in steps[1].split()] == f["steps"]


@pytest.mark.parametrize("name", RUNS)
def test_what_is_printed(runs, name):
    """The JSON's figures, rounded: a slot is 4 KiB, a line of the step table 64 bytes, a region 2 MiB."""
    out, f = runs[name]
    processes = "process" if f["processes"] == 1 else "processes"
    local, remote, driver = f["local_entries"], f["remote_entries"], f["driver"]
    done = "".join(f" {what} {count}" for what, count in driver.items() if count)
    assert [re.sub(" +", " ", line) for line in out.splitlines()] == [
        f"{f['workload']}, {f['processes']} {processes}: {f['pages']} pages, {f['pages'] / 256:.1f} MiB, of them "
        f"{f['local_pages']} local",
        f"table {f['slots']} slots, {4 * f['slots']} KiB, "
        f"{100 * 4 * f['slots'] / (2048 * f['max_local']):.2f} % of the GPU's memory",
        f"entries {local} local, {remote} remote: load factor {(local + remote) / f['slots']:.3f}; full at "
        f"{f['max_entries']}, {f['max_entries'] / f['slots']:.3f}",
        f"step table {f['step_places'] // 4 * 64 // 1024} KiB; {f['groups']} of {f['step_places']} places: load factor "
        f"{f['groups'] / f['step_places']:.3f}",
        f"victim buffer {f['victim_regions']} regions, {f['victim_nodes']} nodes",
        "step 0 1 2 3 4 5 6 7", f"entries {' '.join(map(str, f['steps']))}",
        f"driver{done}; {f['words']} words written",
        f"accesses a walk {f['accesses'] / f['pages']:.3f}, with the home slot first "
        f"{f['home_first_accesses'] / f['pages']:.3f}; in the victim buffer {f['victim_pages']} pages",
        f"walks {f['wrong']} wrong"]


@pytest.mark.parametrize("name", RUNS)
def test_the_home_slot_first(runs, name):
    """A walk to an entry in its home slot reads that alone; one to another place the bucket and the slot too, or the
    four levels of the victim buffer. A slot has 512 pages at most."""
    _, f = runs[name]
    further = f["home_first_accesses"] - f["pages"] - 5 * f["victim_pages"]
    assert 0 <= further <= 2 * 512 * sum(f["steps"][1:])
    assert f["local_pages"] == pytest.approx(f["pages"] * f["local_percent"] / 100, abs=f["processes"])


def test_the_papers_size(runs):
    """2.5 entries of 4 KiB for each 2 MiB are 0.49 % of memory: the paper's 0.5 (section 2.4)."""
    out, f = runs["alone"]
    assert f["slots"] == 1024 and 0.395 < f["load_factor"] < 0.405 and 0.475 < f["threshold"] < 0.485
    assert "4096 KiB, 0.49 %" in out


def test_collisions_are_reached(runs):
    """A table without collisions cannot pass for one."""
    assert sum(runs["four"][1]["steps"][1:]) > 0 and runs["four"][1]["home_first_accesses"] > runs["four"][1]["pages"]


def test_the_factor_decides_what_is_evicted(runs):
    """m = 1.5 holds all pages of a working set of 150 %, m = 1 no remote ones (section 5.3)."""
    kept = {name: runs[name][1]["remote_entries"] for name in ("one_to_one", "remote", "roomy")}
    assert kept["one_to_one"] == 0 < kept["remote"] < kept["roomy"]
    assert runs["one_to_one"][1]["driver"]["over_threshold"] > 0
    assert runs["remote"][1]["driver"]["remote_evictions"] > 0
    assert runs["roomy"][1]["victim_pages"] < runs["remote"][1]["victim_pages"] < runs["one_to_one"][1]["victim_pages"]
