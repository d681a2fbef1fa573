"""What the figures must show: the two subcommands agree to the cycle, coalescing lowers page-table
accesses on every irregular kernel and slows no regular one, and the neighbourhood property."""

import csv

import pytest

from tests.harness.catalogue import CUTS, IRREGULAR, REGULAR
from tools.project import ROOT

DIFFER = {"command", "compared_cycles", "compared_state_writes"}  # and versions.verilator


def model(lockwalk, system, kernel, *options):
    run = lockwalk("model", "--system", system, "--workload", kernel, *CUTS[kernel], *options,
                   figures=True)
    assert run.status == 0, run.err[-2000:]
    return run.figures


BOTH_COMMANDS = [
    ("nha", "atax", ["--max-iters", "2"]),
    ("baseline", "nw", ["--max-launches", "6"]),
    ("nha", "mvt", ["--max-iters", "2", "--pasids", "4"]),
    ("stress_small", "random", ["--max-requests", "5000"]),
    ("stress_wide", "random", ["--max-requests", "5000"]),
    ("nha", "sequential", ["--max-requests", "5000"]),
    ("nha_mesc", "bicg", ["--max-iters", "1", "--max-requests", "3000", "--remap", "50"]),
    ("stress_mesc_parallel", "random", ["--max-requests", "5000"]),
    ("nha", "atax", ["--max-iters", "2", "--set", "data=1"]),
    ("stress_data", "lud", ["--size", "96"]),
    ("stress_l2", "lud", ["--size", "96"]),
    ("nha_mesc", "bfs", ["--max-requests", "3000", "--remap", "100", "--set", "data=1", "--set", "l2d_walks=1"]),
    ("ideal", "atax", ["--max-iters", "2", "--set", "data=1"]),
]
ALSO_RECORDED = [
    ("nha_power", "mvt", ["--max-iters", "2"]),
    ("mesc", "atax", ["--max-iters", "2", "--max-requests", "3000"]),
    ("thp", "srad", ["--max-requests", "3000"]),
    ("stress_mesc", "random", ["--max-requests", "5000"]),
    ("stress_headfirst", "random", ["--max-requests", "5000"]),
    ("power_gpu", "nw", ["--size", "2048", "--max-launches", "8", "--set", "data=1"]),
]


@pytest.mark.parametrize(("system", "workload", "options"), [
    *BOTH_COMMANDS, *(pytest.param(*row, marks=pytest.mark.recorded) for row in ALSO_RECORDED)])
def test_cosim_and_model_give_the_same_figures(lockwalk, system, workload, options):
    runs = [lockwalk(command, "--system", system, "--workload", workload, *options, figures=True)
            for command in ("cosim", "model")]
    figures = [{k: v for k, v in run.figures.items() if k not in DIFFER} for run in runs]
    assert [f["versions"].pop("verilator") is None for f in figures] == [False, True]
    assert figures[0] == figures[1]


def test_figures_describe_themselves(lockwalk, tmp_path):
    """From the figures alone the run can be made again: values, cuts, command line and revision."""
    run = lockwalk("model", "--system", "mesc", "--workload", "bfs", "--size", "400", "--max-launches", "3",
                   "--max-groups", "9", "--max-requests", "70", "--pasids", "2", "--remap", "7",
                   "--set", "walkers=3", "--mapping", "memhog:25", "--seed", "4", figures=True)
    first = run.figures
    assert first["cuts"] == {"max_requests": 70, "max_iters": 0, "max_launches": 3, "max_groups": 9}
    assert (first["processes"], first["seed"], first["size"]) == (2, 4, 400)
    assert [first["values"][key] for key in ("walkers", "mapping", "remaps", "subregions")] == [3, "memhog:25", 7, 1]
    keys = [line.split()[1] for line in lockwalk("systems", "--keys").out.splitlines()]
    assert list(first["values"]) == keys
    assert first["arguments"][:4] == ["--system", "mesc", "--workload", "bfs"]
    assert lockwalk(first["command"], *first["arguments"][:-2], figures=True).figures == first
    assert first["versions"]["revision"] is None or first["versions"]["revision"] in lockwalk("--version").out
    # The values as a system of one's own.
    shown = lockwalk("systems", "--show", "mesc", "--set", "walkers=3", "--set", "mapping=memhog:25")
    (tmp_path / "mine.ini").write_text(shown.out)
    own = lockwalk("model", "--system", tmp_path / "mine.ini", *first["arguments"][2:-2], figures=True).figures
    assert {**own, "system": "mesc", "arguments": 0} == {**first, "arguments": 0}


def test_every_system_can_be_shown(lockwalk, tmp_path):
    for path in (ROOT / "systems").glob("*.ini"):
        shown = lockwalk("systems", "--show", path.stem)
        (tmp_path / path.name).write_text(shown.out)
        again = lockwalk("systems", "--show", tmp_path / path.name)
        assert shown.status == again.status == 0 and shown.out == again.out and shown.out.count("=") > 70


def rate(tlb, digits, nothing):
    asked = tlb["hits"] + tlb["misses"] if tlb else 0
    return f"{tlb['hits'] / asked:.{digits}f}" if asked else nothing


def test_table_of_own_systems(lockwalk, tmp_path):
    """Rows of one's own systems, workloads and counters, the same as the figures of each run: relative to the first
    system's, and with a dash, or nothing in the CSV, for TLBs that nobody asked."""
    (tmp_path / "mine.ini").write_text("extends = stress_one\nmemory_latency = fixed:50\n")
    table, path = tmp_path / "t.csv", tmp_path / "mine.ini"
    run = lockwalk("table", "--systems", f"stress_one,{path}", "--workloads", "corr,random", "--counters",
                   "tlb_misses,idle_empty", "--max-requests", "100", "--csv", table)
    assert run.status == 0, run.err
    rows, printed, compared, base = list(csv.DictReader(table.open())), [], 0, None
    assert [(row["kernel"], row["system"]) for row in rows] == [
        ("corr", "stress_one"), ("corr", "mine"), ("random", "stress_one"), ("random", "mine")]
    for row, system in zip(rows, ["stress_one", path] * 2, strict=True):
        cut = ["--max-iters", "6", "--max-groups", "2"] if row["kernel"] == "corr" else []
        f = lockwalk("model", "--system", system, "--workload", row["kernel"], "--max-requests", "100", *cut,
                     figures=True).figures
        base = f if system == "stress_one" else base
        tlbs = [f["l1_tlb"], f["l2_tlb"], f["tlb"]]
        counters = [str(f["counters"]["tlb_misses"]), str(f["attribution"]["idle_empty"])]
        counted = [str(f[name]) for name in ("cycles", "requests", "page_table_accesses", "walks")]
        assert list(row.values()) == [row["kernel"], row["system"], *counted, f"{f['walk_latency_mean']:.3f}",
                                      *(rate(tlb, 6, "") for tlb in tlbs), *counters]
        printed.append([row["kernel"], row["system"], counted[1], counted[0], counted[2],
                        f"{f['page_table_accesses'] / base['page_table_accesses']:.3f}", counted[3],
                        f"{f['walk_latency_mean']:.1f}", *(rate(tlb, 2, "-") for tlb in tlbs),
                        f"{f['cycles'] / base['cycles']:.3f}", *counters])
        compared += f["cycles"]
    lines = run.out.splitlines()
    assert [line.split() for line in lines[2:6]] == printed
    assert lines[0].split()[-2:] == ["tlb_misses", "idle_empty"]
    assert list(rows[0]) == ["kernel", "system", "cycles", "requests", "page_table_accesses", "walks",
                             "walk_latency_mean",
                             "l1_hit_rate", "l2_hit_rate", "tlb_hit_rate", "tlb_misses", "idle_empty"]
    assert lines[-1].startswith(f"{compared} cycles compared, 0 mismatches; ")


@pytest.mark.parametrize("kernel", IRREGULAR)
def test_full_coalescing_lowers_page_table_accesses(lockwalk, kernel):
    base = model(lockwalk, "baseline", kernel)
    nha = model(lockwalk, "nha", kernel)
    assert nha["page_table_accesses"] < base["page_table_accesses"]


@pytest.mark.parametrize("kernel", REGULAR)
def test_regular_kernels_are_never_slower(lockwalk, kernel):
    base = model(lockwalk, "baseline", kernel)
    assert model(lockwalk, "nha", kernel)["cycles"] <= base["cycles"]
    assert model(lockwalk, "nha_leaf", kernel)["cycles"] <= base["cycles"]


def test_neighbourhood_share(lockwalk):
    """NHA's Figure 5: the share of leaf accesses whose 32 KiB neighbourhood another one in flight
    shares, about 0.4 on average over the irregular kernels, MVT near 0."""
    shares = {}
    for kernel in IRREGULAR:
        f = model(lockwalk, "baseline", kernel, "--neighbours")
        shares[kernel] = f["neighbours"] / f["requests"]
    mean = sum(shares.values()) / len(shares)
    assert shares["mvt"] < 0.1, shares
    assert 0.25 <= mean <= 0.55, shares


def test_second_lookups_spare_walks(lockwalk):
    """R5.26: of MESC's misses each walks or hits after all, and the tables are read less often."""
    plain, asked = (model(lockwalk, system, "atax") for system in ("mesc", "mesc_second"))
    counters = asked["counters"]
    assert 0 < counters["second_hits"] <= counters["second_lookups"]
    assert counters["tlb_misses"] == counters["walks"] + counters["second_hits"]
    assert asked["page_table_accesses"] < plain["page_table_accesses"]
    assert plain["counters"]["second_lookups"] == 0


def test_neighbours_are_counted_where_they_are_asked_for(lockwalk):
    """Else the JSON says that nobody counted them, and everything else is the same."""
    asked, plain = (model(lockwalk, "baseline", "atax", *options) for options in (["--neighbours"], []))
    assert asked.pop("neighbours") > 0 and plain.pop("neighbours") is None
    upper = asked.pop("upper_neighbours")
    assert upper["accesses"] > upper["met"] > 0 and plain.pop("upper_neighbours") is None
    assert {**asked, "arguments": 0} == {**plain, "arguments": 0}


def test_a_hit_every_cycle(lockwalk):
    run = lockwalk("cosim", "--system", "nha", "--workload", "repeat", "--max-requests", "20000",
                   figures=True)
    assert run.status == 0, run.err
    hits = run.figures["tlb"]["hits"]
    # All but the start-up: a transfer in every cycle once the first page is there.
    assert run.figures["cycles"] <= 20000 + 2000
    assert hits > 18000
