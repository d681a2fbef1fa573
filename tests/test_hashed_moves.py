"""Regions of hashed tables move under walks of every kind: the stream reaches what chapter 21 says of steps that have
become wrong, and every answer is right."""

RUN = ["model", "--system", "stress_hashed", "--workload", "random", "--seed", "1"]
COUNTED = ["step_reads", "table_reads", "victim_walks", "victim_reads", "tag_misses", "step_retries"]
DONE = ["moves", "evictions", "recalls", "settled"]


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


def test_only_moves_make_steps_wrong(lockwalk):
    """Where nothing moves a step is right: what the test above counts comes from the moves."""
    run = lockwalk(*RUN, "--max-requests", "10000", "--set", "region_moves=0", figures=True)
    assert run.status == 0, run.err[-2000:]
    assert [run.figures["hashed_table"][name] for name in DONE] == [0] * len(DONE)
    assert run.figures["counters"]["step_retries"] == 0
