"""The GPU's data path in whole runs (docs/machine.md): what it counts adds up, without it none of its keys matters,
ideal translation asks nothing of the unit, and what cannot be is refused. That cosim and model give the same figures
with it, one in every cycle and one only where something happens, is in test_figures.py."""

import csv

import pytest

from tests.harness.catalogue import REGULAR

CAUSES = ["issue", "alu", "tlb", "unit", "data_cache", "data_memory"]


def model(lockwalk, system, kernel, *options):
    run = lockwalk("model", "--system", system, "--workload", kernel, *options, figures=True)
    assert run.status == 0, run.err[-2000:]
    return run


@pytest.mark.parametrize(("system", "kernel", "options"), [
    ("nha", "atax", ["--max-iters", "2", "--set", "data=1"]),
    ("ideal16", "mvt", ["--max-iters", "2", "--set", "data=1"]),
    ("mesc", "bfs", ["--size", "400", "--set", "data=1"]),
    ("baseline", "mvt", ["--max-iters", "3", "--pasids", "3", "--set", "data=1", "--set", "issue_period=4"]),
    ("nha", "atax", ["--max-iters", "4", "--max-requests", "3000", "--set", "data=1"]),
    ("stress_data", "covar", ["--size", "40"]),
    ("stress_data", "lud", ["--size", "96", "--pasids", "2"]),
])
def test_what_is_counted_adds_up(lockwalk, system, kernel, options):
    run = model(lockwalk, system, kernel, *options)
    data, cycles = run.figures["data"], run.figures["wave_cycles"]
    assert sum(cycles[cause] for cause in CAUSES) == cycles["waves"] > 0
    assert len(cycles) == len(CAUSES) + 1
    cut = "--max-requests" in options  # what is under way then stays there
    looked_up = data["l1"]["hits"] + data["l1"]["misses"] + data["l1"]["stores"]
    assert looked_up <= data["lines"] if cut else looked_up == data["lines"]
    assert data["l2"]["stores"] <= data["l1"]["stores"] if cut else data["l2"]["stores"] == data["l1"]["stores"]
    pieces = run.figures["values"]["data_line"] // 64
    assert data["memory_reads"] <= pieces * (data["l2"]["misses"] + data["l2"]["stores"] - data["l2"]["store_hits"])
    assert data["memory_writes"] <= pieces * data["l2"]["writebacks"]
    assert data["l1"]["writebacks"] == 0
    assert "lines of data" in run.out and "wave cycles" in run.out


@pytest.mark.parametrize(("system", "kernel", "options"), [
    ("nha", "atax", ["--max-iters", "2", "--set", "data=1"]),
    ("baseline16", "mvt_f32", ["--max-iters", "2", "--set", "data=1", "--set", "dram=mesc_1ghz"]),
    ("stress_l2", "lud", ["--size", "96"]),
])
def test_page_walks_through_the_l2(lockwalk, system, kernel, options):
    """Every read of the unit is looked up in the L2, and only what it has not is read from memory, as page walks'."""
    run = model(lockwalk, system, kernel, *options, "--set", "l2d_walks=1")
    f = run.figures
    data, walks = f["data"], f["data"]["walks"]
    assert walks["hits"] + walks["misses"] == f["page_table_accesses"] > 0 < walks["hits"]
    assert walks["hits"] <= data["l2"]["hits"] and walks["misses"] <= data["l2"]["misses"]
    pieces = f["values"]["data_line"] // 64
    assert 0 < walks["memory_reads"] <= pieces * walks["misses"] and walks["memory_reads"] <= data["memory_reads"]
    if f["memory"] is not None:
        dram = f["memory"]["dram"]
        assert dram["walks"]["reads"] == walks["memory_reads"]
        assert dram["data"]["reads"] == data["memory_reads"] - walks["memory_reads"]
    assert "page walks in the L2 hit rate" in run.out
    if system != "stress_l2":  # which asks for it itself
        assert model(lockwalk, system, kernel, *options).figures["data"]["walks"] is None


def test_the_cpu_takes_lines_of_tables_from_the_l2(lockwalk):
    """The L2 holds all lines of the tables. With an OS at work it reads again those that were written."""
    reads = [model(lockwalk, "baseline", "mvt", "--max-iters", "2", "--set", "data=1", "--set", "l2d_walks=1",
                   "--remap", remaps).figures["data"]["walks"]["memory_reads"] for remaps in ("0", "1000")]
    assert 0 < reads[0] < reads[1], reads


def test_without_it_its_keys_change_nothing(lockwalk):
    keys = {"data_line": 96, "l1d_kib": 7, "l1d_mshrs": 1, "crossbar_latency": 99, "l2d_ways": 3, "data_latency": 9}
    settings = [part for key, value in keys.items() for part in ("--set", f"{key}={value}")]
    for system in ("nha", "mesc"):
        plain = model(lockwalk, system, "atax", "--max-iters", "2").figures
        other = model(lockwalk, system, "atax", "--max-iters", "2", *settings).figures
        assert plain["data"] is None and plain["wave_cycles"] is None
        assert {**plain, "values": 0, "arguments": 0} == {**other, "values": 0, "arguments": 0}


@pytest.mark.parametrize("system", ["ideal", "ideal16"])
def test_ideal_translation_asks_nothing(lockwalk, system):
    run = model(lockwalk, system, "atax", "--max-iters", "4")
    f = run.figures
    assert f["requests"] == f["responses"] == f["page_table_accesses"] == f["walks"] == 0
    assert f["l1_tlb"] is None and f["l2_tlb"] is None and f["tlb"] == {"hits": 0, "misses": 0}
    assert f["wave_instructions"] > 0 and f["translations"] > f["wave_instructions"]
    assert "TLB hit rates        unified -" in run.out
    with_data = model(lockwalk, system, "atax", "--max-iters", "4", "--set", "data=1").figures
    assert with_data["cycles"] > f["cycles"]
    assert with_data["wave_cycles"]["unit"] == 0


def test_an_ideal_row_of_the_table(lockwalk, tmp_path):
    path = tmp_path / "table.csv"
    run = lockwalk("table", "--systems", "nha,ideal", "--workloads", "atax", "--max-iters", "1", "--csv", path)
    assert run.status == 0, run.err[-2000:]
    row = next(line.split() for line in run.out.splitlines() if line.split()[1:2] == ["ideal"])
    assert row[2] == "0" and row[8:11] == ["-", "-", "-"]
    rows = {r["system"]: r for r in csv.DictReader(path.open())}
    assert list(rows["ideal"].values())[-3:] == ["", "", ""] and all(rows["nha"].values())


@pytest.mark.parametrize("kernel", REGULAR)
def test_translation_hardly_matters_to_regular_kernels(lockwalk, kernel):
    """NHA's finding: a regular kernel gains next to nothing, here from ideal translation over NHA's, once data takes
    its time. Groups enough that the first touch of each page does not decide."""
    options = ["--max-launches", "1", "--max-groups", "512", "--set", "data=1"]
    ideal, nha = (model(lockwalk, system, kernel, *options).figures["cycles"] for system in ("ideal", "nha"))
    assert ideal <= nha < 1.2 * ideal


@pytest.mark.parametrize(("settings", "sentence"), [
    (["data=2"], "--set: data is \"2\"; allowed: a whole number in 0..1"),
    (["schedule=2"], "--set: schedule is \"2\"; allowed: a whole number in 0..1"),
    (["issue_period=0"], "--set: issue_period is \"0\"; allowed: a whole number in 1..64"),
    (["data=1", "data_line=96"], "data_line is 96; allowed: 64, 128"),
    (["data=1", "l1d_kib=48"], "l1d_kib is 48, 768 lines; allowed: l1d_ways (16) times a power of two"),
    (["l2d_walks=2"], "--set: l2d_walks is \"2\"; allowed: a whole number in 0..1"),
    (["l2d_walks=1"], "l2d_walks is 1; allowed: 0, because data is 0"),
    (["data=1", "l2d_walks=1", "dram=ddr3_1600", "pte_cache_kib=8"],
     "pte_cache_kib is 8; allowed: 0, because l2d_walks is 1"),
    (["data=1", "l2d_ways=3"], "l2d_kib is 4096, 65536 lines; allowed: l2d_ways (3) times a power of two"),
])
def test_what_cannot_be_is_refused(lockwalk, settings, sentence):
    options = [part for setting in settings for part in ("--set", setting)]
    run = lockwalk("model", "--system", "nha", "--workload", "atax", "--max-iters", "1", *options)
    assert run.status == 2 and sentence in run.err and run.err.count("\n") == 1


@pytest.mark.parametrize("command", [["model", "--workload", "random"], ["systems", "--parameters"]])
def test_no_such_gpu(lockwalk, command):
    """Refused too where nothing goes through it."""
    run = lockwalk(*command, "--system", "nha", "--set", "data=1", "--set", "l2d_kib=100")
    assert (run.status, run.out) == (2, "")
    assert run.err == "lockwalk: --set: l2d_kib is 100, 1600 lines; allowed: l2d_ways (16) times a power of two\n"
