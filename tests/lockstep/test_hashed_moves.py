"""Regions of hashed tables move under walks of every kind: the stream reaches what chapter 21 says of steps that have
become wrong, and of entries that were planted, and every answer is right."""

import pytest

RUN = ["model", "--system", "stress_hashed", "--workload", "random", "--seed", "1"]
COUNTED = ["step_reads", "table_reads", "victim_walks", "victim_reads", "tag_misses", "step_retries"]
DONE = ["moves", "evictions", "recalls", "settled"]
LACKS = ["no_victim_buffer", "step_table_outside", "table_outside"]
SYSTEMS = ["stress_hashed", "stress_hashed_five", "stress_hashed_off", "stress_hashed_mesc", "stress_hashed_lines"]
# Of planted entries alone: no page is mapped anew or moved, and every process has a hashed table.
ALONE = [option for key in ["region_moves=0", "remaps=0", "silent_changes=0", "hashed_tables=1"]
         for option in ["--set", key]]


def test_walks_meet_moves(lockwalk):
    run = lockwalk(*RUN, "--max-requests", "10000", figures=True)
    assert run.status == 0, run.err[-2000:]
    counters, driver = run.figures["counters"], run.figures["hashed_table"]
    assert [name for name in COUNTED if counters[name] == 0] == []
    assert [name for name in DONE if driver[name] == 0] == []
    assert run.figures["checked"] == run.figures["responses"] == 10000 and run.figures["mismatches"] == 0
    # R21.9: a retry is of a slot with another tag, and such a slot is a line of the table.
    assert counters["step_retries"] <= counters["tag_misses"] <= counters["table_reads"]
    assert counters["pwc_hits"] <= counters["pwc_lookups"]
    assert counters["victim_walks"] <= counters["victim_reads"]


@pytest.mark.parametrize("workload", ["random", "phases"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_walks_meet_what_is_planted(lockwalk, system, workload):
    """Bad sizes and reserved bits are nobody's but the planter's, and so are wrong steps where nothing moves."""
    run = lockwalk("model", "--system", system, "--workload", workload, "--seed", "1", "--max-requests", "10000",
                   *ALONE, figures=True)
    assert run.status == 0, run.err[-2000:]
    counters, faults = run.figures["counters"], run.figures["faults"]
    assert [run.figures["hashed_table"][name] for name in DONE] == [0] * len(DONE)
    assert counters["step_retries"] > 0
    assert [kind for kind in ("not_present", "reserved", "misaligned", "permission") if faults[kind] == 0] == []
    assert run.figures["checked"] == run.figures["responses"] == 10000 and run.figures["mismatches"] == 0


@pytest.mark.parametrize("workload", ["random", "phases"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_walks_meet_what_is_missing(lockwalk, system, workload):
    """R20.14: each fault of a table that lacks a part, and none where every part is there."""
    met = dict.fromkeys(LACKS, 0)
    for seed in ("1", "2"):
        run = lockwalk("model", "--system", system, "--workload", workload, "--seed", seed, "--max-requests", "5000",
                       figures=True)
        assert run.status == 0, run.err[-2000:]
        for name in LACKS:
            met[name] += run.figures["hashed_table"][name]
    assert [name for name in LACKS if met[name] == 0] == []
    run = lockwalk("model", "--system", system, "--workload", workload, "--seed", "1", "--max-requests", "5000",
                   "--set", "pasids=4", figures=True)
    assert run.status == 0, run.err[-2000:]
    assert [run.figures["hashed_table"][name] for name in LACKS] == [0, 0, 0]


def test_only_moves_make_steps_wrong(lockwalk):
    """Where nothing moves and nothing is planted a step is right: what the tests above count comes from these."""
    for changes in ([], ["--set", "region_moves=0"]):
        run = lockwalk("model", "--system", "stress_hashed", "--workload", "sequential", "--size", "4096",
                       "--max-requests", "10000", *changes, figures=True)
        assert run.status == 0, run.err[-2000:]
        assert (run.figures["counters"]["step_retries"] == 0) == (changes != [])
    assert [run.figures["hashed_table"][name] for name in DONE] == [0] * len(DONE)
