"""Main memory as a DRAM (systems/dram): a run does not depend on whether idle cycles are left out, its figures agree
with each other, and a file that cannot be a memory's is refused."""

import pytest

from tools.project import ROOT

DDR3 = ROOT / "systems" / "dram" / "ddr3_1600.ini"

# What only the lockstep has: it compares, and leaves no cycle out.
COMPARING = {"command", "arguments", "versions", "compared_cycles", "compared_state_writes"}


@pytest.mark.parametrize(("system", "options"), [
    ("nha", ["--set", "dram=ddr3_1600", "--workload", "atax", "--max-iters", "1"]),
    ("nha", ["--set", "dram=mesc_1ghz", "--set", "clock_mhz=700", "--workload", "nw", "--max-launches", "4"]),
    ("stress_small", ["--set", "dram=stress", "--set", "clock_mhz=700", "--set", "feature_changes=0",
                      "--workload", "random", "--max-requests", "3000"]),
    ("baseline", ["--set", "dram=ddr3_1600", "--set", "pte_cache_kib=8", "--set", "data=1", "--workload", "atax",
                  "--max-iters", "1"]),
    ("baseline", ["--set", "dram=ddr3_1600", "--set", "l2d_walks=1", "--set", "data=1", "--workload", "atax",
                  "--max-iters", "1"]),
], ids=["ddr3", "mesc", "stress", "pte_cache", "l2d_walks"])
def test_idle_cycles_change_nothing(lockwalk, system, options):
    """The twin alone leaves out what is idle; in lockstep there is every cycle."""
    runs = [lockwalk(command, "--system", system, *options, figures=True) for command in ("model", "cosim")]
    assert [run.status for run in runs] == [0, 0], runs[1].err[-4000:]
    model, cosim = ({key: value for key, value in run.figures.items() if key not in COMPARING} for run in runs)
    assert model == cosim
    assert runs[0].figures["compared_cycles"] == 0 and runs[1].figures["compared_cycles"] == model["cycles"] > 0


def test_figures(lockwalk):
    """Every line that the walkers read is read once, and takes the bus for 4 clocks of 2.5 cycles each."""
    run = lockwalk("model", "--system", "nha", "--set", "dram=ddr3_1600", "--workload", "atax", "--max-iters", "2",
                   figures=True)
    memory = run.figures["memory"]
    dram = memory["dram"]
    ways = [memory[key] for key in ("row_hits", "row_misses", "row_conflicts")]
    assert sum(ways) == memory["reads"] == dram["walks"]["reads"] == run.figures["page_table_accesses"]
    assert len(memory["banks"]) == 2 * 2 * 16 and memory["reads"] == sum(bank["reads"] for bank in memory["banks"])
    assert dram["data"] == {"reads": 0, "read_cycles_mean": 0.0, "writes": 0} and dram["forwarded"] == 0
    assert abs(dram["bus_percent"] - 100 * 10 * memory["reads"] / 2 / run.figures["cycles"]) < 0.1
    assert 15 * 2.5 <= dram["walks"]["read_cycles_mean"] < 100
    assert 0 < dram["refreshes"] <= 4 * (run.figures["cycles"] // (6240 * 2.5) + 1)
    assert "DRAM                 data buses used" in run.out


@pytest.mark.parametrize("path", sorted(DDR3.parent.glob("*.ini")), ids=lambda path: path.stem)
def test_every_memory(lockwalk, path):
    """Each file there is can be run with, and is told of in docs/machine.md."""
    run = lockwalk("model", "--system", "nha", "--set", f"dram={path.stem}", "--workload", "random", "--max-requests",
                   "500", figures=True)
    assert run.status == 0, run.err
    assert run.figures["memory"]["dram"]["walks"]["reads"] == run.figures["memory"]["reads"] > 0
    assert f"| `{path.stem}` |" in (ROOT / "docs" / "machine.md").read_text()


def test_cache_of_page_table_lines(lockwalk):
    """Every walk's read is looked up in it, and only those that miss reach the DRAM; without one it is refused."""
    options = ["--system", "baseline", "--workload", "nw", "--max-launches", "8", "--set", "pte_cache_kib=64"]
    run = lockwalk("model", *options, "--set", "dram=ddr3_1600", figures=True)
    memory = run.figures["memory"]
    cache = memory["pte_cache"]
    assert cache["hits"] > 0 and cache["hits"] + cache["misses"] == run.figures["page_table_accesses"]
    assert 0 < memory["dram"]["walks"]["reads"] <= cache["misses"]
    assert "page-table lines     hit rate" in run.out
    run = lockwalk("model", *options)
    assert run.status == 2 and run.err == "lockwalk: --set: pte_cache_kib is 64; allowed: 0, because dram is none\n"


def test_no_dram_is_as_before(lockwalk):
    run = lockwalk("model", "--system", "nha", "--workload", "mvt", "--max-iters", "1", figures=True)
    assert run.figures["memory"]["dram"] is None and "DRAM" not in run.out
    assert run.figures["values"]["dram"] == "none" and run.figures["values"]["clock_mhz"] == 2000


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ("tRAS = 28", "tRAS = 3", "mine.ini:LINE: tRAS is 3; allowed: at least 11 (tRCD)"),
    ("tRAS = 28", "tRASS = 3", "mine.ini:LINE: there is no key \"tRASS\"; docs/machine.md lists those"),
    ("tRAS = 28", "", "mine.ini: tRAS is not set (from opening a row to closing it)"),
    ("banks = 16", "banks = 12", "mine.ini:LINE: banks is \"12\"; allowed: a power of two in 1..64"),
])
def test_refusals(lockwalk, tmp_path, old, new, sentence):
    text = DDR3.read_text()
    (tmp_path / "mine.ini").write_text(text.replace(f"\n{old}\n", f"\n{new}\n"))
    run = lockwalk("model", "--system", "nha", "--set", f"dram={tmp_path}/mine.ini")
    assert run.status == 2 and run.err.count("\n") == 1 and run.err.startswith("lockwalk: ")
    line = text.splitlines().index(old) + 1
    assert sentence.replace("LINE", str(line)) in run.err


def test_where_a_file_is_found(lockwalk, tmp_path):
    """By name beside the systems; by path from the folder of the system file that names it."""
    (tmp_path / "mine.ini").write_text(DDR3.read_text())
    (tmp_path / "system.ini").write_text("extends = nha\ndram = mine.ini\n")
    run = lockwalk("model", "--system", tmp_path / "system.ini", "--workload", "mvt", "--max-iters", "1", figures=True)
    named = lockwalk("model", "--system", "nha", "--set", "dram=ddr3_1600", "--workload", "mvt", "--max-iters", "1",
                     figures=True)
    assert run.status == named.status == 0 and run.figures["memory"] == named.figures["memory"]
    run = lockwalk("model", "--system", "nha", "--set", "dram=nope")
    assert run.status == 2 and "allowed for dram: none" in run.err
    assert "systems/dram/nope.ini: cannot be read" in run.err
