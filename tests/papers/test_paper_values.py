"""What a bar of a paper's figure is made of (papers/plan.py): each value worked out by hand from a made-up run in which
every figure is another number, and open where there is nothing to divide by."""

import pytest

from papers.plan import VALUES, options, settings

RUN = {
    "cycles": 1000, "requests": 400, "page_table_accesses": 120, "walks": 50, "walk_latency_mean": 90.0,
    "neighbours": 100,
    "counters": {"pwc_hits": 21, "pwc_lookups": 28, "victim_reads": 12},
    "hashed_table": {"live_cycles": 6000, "local": 16, "remote": 5, "victim_regions": 3},
    "tlb": {"hits": 30, "misses": 70}, "l1_tlb": {"hits": 8, "misses": 2},
}
OTHER = {"cycles": 1500, "page_table_accesses": 480, "walks": 60, "walk_latency_mean": 120.0}


def energies(nj, memory, cam):
    return {"nj": nj, "structures": {"memory": {"nj": memory}, "cam": {"nj": cam}}}


ALONE = {
    "accesses_a_walk": 2.4,  # 120 of 50
    "upper_reads": 1.4,  # each walk reads its leaf: 70 of 50
    "cache_hits": 0.75,  # 21 of 28
    "live_remote": 0.25,  # 6 of 24 regions in the mean of 1000 cycles
    "victim_reads": 0.1,  # 12 of 120
    "tlb_hits": 0.3,  # 30 of 100
    "l1_hits": 0.8,
    "l1_misses": 0.2,
    "neighbours": 0.25,  # 100 of 400
}


@pytest.mark.parametrize(("name", "value"), ALONE.items(), ids=ALONE)
def test_of_a_run(name, value):
    assert not VALUES[name].relative and VALUES[name].of(RUN) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("name", "value"), [("speed", 1.5), ("accesses", 0.25), ("walk_latency", 0.75)])
def test_of_two_runs(name, value):
    """A speed-up is in cycles of the other run; all else is a share of the other's."""
    assert VALUES[name].relative and VALUES[name].of(RUN, OTHER) == pytest.approx(value, rel=1e-12)


def test_power_that_walks_save():
    """270 nJ, of memory and CAM, in the 3 us that the other run takes at its clock."""
    run = {"cycles": 600, "values": {"clock_mhz": 1000}, "energy": energies(500, 100, 20)}
    other = {"cycles": 1500, "values": {"clock_mhz": 500}, "energy": energies(900, 300, 90)}
    assert VALUES["saved_power"].of(run, other) == pytest.approx(90, rel=1e-12)


@pytest.mark.parametrize(("name", "change"), [
    ("accesses_a_walk", {"walks": 0}), ("upper_reads", {"walks": 0}),
    ("cache_hits", {"counters": {"pwc_hits": 0, "pwc_lookups": 0}}),
    ("live_remote", {"hashed_table": {"live_cycles": 0, "local": 0, "remote": 0, "victim_regions": 0}}),
    ("victim_reads", {"page_table_accesses": 0}), ("tlb_hits", {"tlb": {"hits": 0, "misses": 0}}),
    ("neighbours", {"requests": 0}), ("live_remote", {"hashed_table": None}),
], ids=lambda part: part if isinstance(part, str) else "")
def test_nothing_to_divide_by(name, change):
    assert VALUES[name].of({**RUN, **change}) is None


def test_no_latency_of_no_walk():
    """A run in which nothing has walked has 0 in the JSON, which would pull a mean down."""
    none = {**RUN, "walk_latency_mean": 0.0}
    assert VALUES["walk_latency"].of(none, OTHER) is None and VALUES["walk_latency"].of(RUN, none) is None


def test_what_a_run_must_be_asked_to_count():
    """Energies want a table, neighbours the option that counts them."""
    assert {name for name, value in VALUES.items() if value.of_neighbours} == {"neighbours", "upper_neighbours"}
    assert {name for name, value in VALUES.items() if value.of_energy} == {
        "energy", "energy_on_chip_halved", "energy_on_chip_doubled", "saved_power"}


def test_what_a_run_is_told():
    """What holds of all points, then what holds of this one and so wins; a kernel's size, then its cut, which is
    that of a quick run or of a long one."""
    plan = {"set": ["data=1", "mapping=memhog:0"], "options": {"nw": "--size 64"}, "quick": {"nw": "--max-launches 3"},
            "long": {"mvt": "--max-iters 9"}, "energy": "table.ini", "figures": [{"value": "neighbours"}]}
    assert settings(plan, {"system": "thp", "set": ["mapping=contiguous"]}) == [
        "--system", "thp", "--set", "data=1", "--set", "mapping=memhog:0", "--set", "mapping=contiguous"]
    asked = ["--energy", "table.ini", "--neighbours"]
    assert options(plan, "nw", True) == ["--size", "64", "--max-launches", "3", *asked]
    assert options(plan, "nw", False) == ["--size", "64", *asked] and options(plan, "atax", True) == asked
    assert options(plan, "mvt", False) == ["--max-iters", "9", *asked] and options(plan, "mvt", True) == asked


def test_every_key_is_one_of_a_run(lockwalk):
    """The names above are those of docs/json.md, as a run writes them."""
    run = lockwalk("model", "--system", "fshpt", "--workload", "atax", "--max-iters", "1", "--neighbours",
                   figures=True).figures
    for key, value in RUN.items():
        assert key in run and set(value if isinstance(value, dict) else {}) <= set(
            run[key] if isinstance(run[key], dict) else {}), key
    assert run["walks"] == run["counters"]["walks"] and 0 < VALUES["accesses_a_walk"].of(run) < 5
