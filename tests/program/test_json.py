"""docs/json.md and the program name the same: each key that is written stands in its table, and each key that stands
there is written. What the figures are, tests/unit/app/reports/ and the tests of their parts say."""

import json
import re
import subprocess

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

DOCUMENT = (ROOT / "docs/json.md").read_text()

KERNEL = ["--system", "nha", "--workload", "mvt", "--size", "512", "--max-iters", "1", "--max-groups", "1",
          "--set", "data=1"]
RUNS = {
    "dram": [*KERNEL, "--set", "dram=ddr3_1600", "--set", "pte_cache_kib=8", "--neighbours", "--stages", "--energy",
             "systems/energy/cacti_32nm.ini"],
    "walks": [*KERNEL, "--set", "l2d_walks=1"],
    "hashed": ["--system", "stress_hashed", "--workload", "random", "--max-requests", "300"],
    "partial": ["--system", "nha", "--stream", "tests/data/cut/loop.champsim", "--partial"],
}


def written(path, *arguments):
    done = subprocess.run([LOCKWALK, *arguments, "--json", path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    return {name: written(folder / name, "model", *options) for name, options in RUNS.items()}


def tables(title):
    """[{key: what its row says}] of the tables in a section."""
    found = []
    section = re.split(rf"^#+ {title}$", DOCUMENT, flags=re.M)[1].split("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
        cells = [line.strip("|\n ").split(" | ", 1) for line in table.splitlines()[2:]]
        found.append({key: row for keys, row in cells for key in re.findall(r"`([^`]+)`", keys)})
    return found


ROWS = tables("The JSON of a run")[0]


def test_keys_of_a_run(runs):
    for figures in runs.values():
        assert set(figures) == set(ROWS)


@pytest.mark.parametrize(("run", "key", "others"), [
    ("dram", "cuts", []), ("dram", "versions", ["+", "model"]), ("dram", "waits", []), ("dram", "in_flight", []),
    ("dram", "upper_neighbours", ["--neighbours"]), ("partial", "partial", ["--partial"]),
    ("hashed", "hashed_table", ["local_share", "region_moves"]),
])
def test_keys_of_a_row(runs, run, key, others):
    """What such a key holds is named in its row, and nothing else is but these words."""
    assert set(re.findall(r"`([^`]+)`", ROWS[key])) - set(others) == set(runs[run][key])


def names_of(chapter, begins):
    """The second column of the tables below these words, as the JSON writes it."""
    below = (ROOT / "docs/architecture" / chapter).read_text().split(begins)[1]
    for row in re.findall(r"^\| (\d+) \| (\w+) \|", below.split("\n## ")[0], re.M):
        yield int(row[0]), row[1].lower()


def test_keys_of_the_contract(runs):
    """Counters in the order of R12.5 and R12.6, faults by the kinds of R1.9."""
    figures = runs["hashed"]
    counters = dict(names_of("12-control.md", "The table of counters"))
    assert list(figures["counters"]) == [counters[n] for n in sorted(counters)]
    attribution = dict(names_of("12-control.md", "The table of attribution"))
    assert list(figures["attribution"]) == [attribution[n] for n in sorted(attribution)]
    kinds = dict(names_of("01-addresses-and-ports.md", "The table of kinds"))
    assert list(figures["faults"]) == [kinds[n] for n in sorted(kinds) if kinds[n] != "ok"]
    machine = (ROOT / "docs/machine.md").read_text()
    causes = machine.split("| cause | the wave |")[1].split("\n\n")[0]
    assert set(runs["dram"]["wave_cycles"]) == {*re.findall(r"^\| `(\w+)`", causes, re.M), "waves"}


def test_keys_of_the_sections(runs):
    dram, walks = runs["dram"], runs["walks"]
    assert {frozenset(figures["provocations"]) for figures in runs.values()} == {frozenset(tables("Provocations")[0])}
    data, = tables("Data")
    for figures in (dram, walks):
        assert set(figures["data"]) == set(data)
        for cache in ("l1", "l2"):
            assert set(figures["data"][cache]) == set(re.findall(r"`(\w+)`", data["l1"]))
    assert dram["data"]["walks"] is None
    assert set(walks["data"]["walks"]) == set(re.findall(r"`(\w+)`", data["walks"]))
    energy, = tables("Energy")
    assert set(dram["energy"]) == set(energy)
    structures = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/machine.md").read_text().split(
        "| structure | reads | writes |")[1].split("\n\n")[0], re.M)
    assert set(dram["energy"]["structures"]) == set(structures)
    for name, part in dram["energy"]["structures"].items():
        assert set(part) == ({"read", "nj"} if name == "memory" else {"read", "write", "nj"})


def test_keys_of_memory(runs):
    memory, = tables("Memory")
    figures = runs["dram"]["memory"]
    below = {key.split(".")[1] for key in memory if "." in key}
    assert set(figures) == {key for key in memory if "." not in key}
    assert set(figures["dram"]) == below
    for user in ("walks", "data"):
        assert set(figures["dram"][user]) == set(re.findall(r"`(\w+)`", memory["dram.walks"]))
    counts = {"reads", "row_hits", "row_misses", "row_conflicts", "wait_cycles", "work_cycles"}
    assert all(set(bank) == counts | {"channel", "bank"} for bank in figures["banks"])
    assert set(figures["pte_cache"]) == {"hits", "misses"}
    assert runs["partial"]["memory"]["dram"] is None and runs["partial"]["memory"]["pte_cache"] is None
    assert runs["walks"]["memory"] is None and runs["hashed"]["memory"] is None


def test_keys_of_stages(runs):
    stages, parts = tables("Stages")
    figures = runs["dram"]["stages"]
    assert set(figures) == set(parts)
    names = {*(stages.keys() - {"level_5", "level_1"}), *(f"level_{k}" for k in range(1, 6))}
    assert set(figures["stages"]) <= names
    sentence = DOCUMENT.split("\nFigures are ")[1].split(":")[0]
    fields = set(re.findall(r"`(\w+)`", sentence))
    assert set(figures["whole"]) == fields and all(set(part) == fields for part in figures["stages"].values())
    assert set(figures["ways"]) == set(re.findall(r"`(\w+)`", parts["ways"])) - {"whole", "stages"}
    assert all(set(way) == {"whole", "stages"} for way in figures["ways"].values())
    assert all(set(kernel) == {"kernel", *parts} - {"kernels"} for kernel in figures["kernels"])


def test_keys_of_hashed_tables(tmp_path):
    table, = tables("Hashed tables")
    figures = written(tmp_path / "hashed", "hashed", "--workload", "lud")
    assert set(figures) == set(table)
    assert set(figures["driver"]) == set(re.findall(r"`(\w+)`", table["driver"]))
    assert len(figures["steps"]) == 8
