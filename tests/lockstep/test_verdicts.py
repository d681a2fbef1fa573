"""What is around the unit finds by itself what is wrong: a run broken on purpose ends with exit status
1, a sentence, and a verdict of the right kind."""

import pytest

STRESS = ["--system", "stress_small", "--workload", "random", "--max-requests", "2000"]
QUIET = ["--set", "invalidations=0", "--set", "remaps=0"]
# Pages, each a walk of five reads that take two million cycles, late as they are.
SLOW = ["--system", "stress_five", "--workload", "sequential", "--max-requests", "3",
        "--set", "pwc_enable=0", "--set", "memory_latency=fixed:1000000", "--set", "late_lines=10000",
        "--set", "late_cycles=1000000"]


@pytest.mark.parametrize(("options", "verdict", "sentence"), [
    ([*STRESS, "--set", "longest_wait=100"], "hang", "hangs: it waits for its answer since cycle"),
    # A request that the unit forgets, once all the others are answered.
    ([*STRESS, *QUIET, "--set", "longest_wait=1000000000", "--inject-twin", "BUFFER[2].VALID.0@500"], "hang",
     "no instruction, translation, line of data, request, response or read for 4000000 cycles: "
     "the unit hangs, it owes"),
    # A completion that nobody asked for.
    ([*STRESS, *QUIET, "--inject-twin", "INVALIDATION[0].STATE.1@3000"], "oracle",
     "inv_done is high, and no invalidation is under way"),
    # A request that the unit forgets and takes anew under another name.
    ([*STRESS, *QUIET, "--inject-twin", "BUFFER[2].VALID.0@5300"], "oracle", "not in flight"),
])
def test_verdict(lockwalk, options, verdict, sentence):
    run = lockwalk("model", *options, figures=True)
    assert run.status == 1
    assert run.figures["verdict"] == verdict
    assert run.figures["mismatches"] == 1
    assert sentence in run.err


# Many errors, among requests whose regions share slots of a hashed table.
SHARED_SLOTS = ["--system", "stress_hashed", "--workload", "random", "--max-requests", "6000", *(
    word for setting in ("walkers=17", "buffer_entries=64", "lines=8", "pages_64k=1", "page_size=4", "home_first=0",
                         "memory_errors=10", "few_pages=24", "region_moves=400", "response_not_ready=90",
                         "memory_reorder=1", "silent_changes=200", "remaps=0", "invalidations=0", "outstanding=16",
                         "id_w=4", "memory_latency=fixed:1", "slow_memories=2", "slow_phase=400")
    for word in ("--set", setting))]


@pytest.mark.parametrize("seed", [1, 10, 31, 48])
def test_an_answer_does_not_take_the_error_of_another(lockwalk, seed):
    run = lockwalk("model", *SHARED_SLOTS, "--seed", seed, figures=True)
    assert run.status == 0, run.err
    assert run.figures["faults"]["memory_error"] > 100


@pytest.mark.parametrize(("options", "kind"), [
    (["--system", "ideal", "--workload", "gramschm", "--size", "400"], "nobody asks the unit"),
    ([*SLOW, "--set", "longest_wait=1000000000"], "a walk takes ten million cycles, and no read of it four"),
])
def test_what_goes_on_is_no_hang(lockwalk, options, kind):
    run = lockwalk("model", *options, figures=True)
    assert run.status == 0, f"{kind}: {run.err}"
    assert run.figures["verdict"] == "equal"
    assert run.figures["cycles"] > 4_000_000


def test_a_run_ends_where_it_ends(lockwalk):
    """Cycles are left out up to whatever comes next in the run, never beyond its end."""
    kernel = ["--system", "nha", "--workload", "atax", "--max-iters", "1"]
    run, longer = (lockwalk("model", *kernel, *more, figures=True).figures for more in ([], ["--max-cycles", "900000"]))
    assert {**run, "arguments": 0} == {**longer, "arguments": 0}
    assert run["cycles"] < 100000


def test_table_names_the_verdict(lockwalk, tmp_path):
    """And the command that tells more: whole kernels run on the twin alone."""
    system = tmp_path / "hasty.ini"
    system.write_text("extends = baseline\n[checks]\nlongest_wait = 5\n")
    run = lockwalk("table", "--systems", system, "--workloads", "nw", "--size", "64", "--whole")
    assert run.status == 1
    assert run.err == 'lockwalk: nw on hasty: the verdict is "hang"; `lockwalk model` tells more\n'


def test_lockstep_names_a_hang(lockwalk):
    """The report of the lockstep says `hang`, not `oracle`."""
    run = lockwalk("cosim", *STRESS, "--set", "longest_wait=100", "--nets", "ports,state,oracle",
                   "--inject", "COUNTER[0].COUNT.47@999999999", figures=True)
    assert run.status == 1
    assert run.figures["verdict"] == "hang"
    assert "\nhang: request " in run.err and "\noracle: " not in run.err


def test_good_run_checks_each_response(lockwalk):
    run = lockwalk("model", *STRESS, figures=True)
    assert run.status == 0
    assert run.figures["verdict"] == "equal"
    assert run.figures["checked"] == run.figures["responses"] == 2000
    assert 0 < run.figures["longest_wait"] < 100000


@pytest.mark.parametrize(("side", "cycles", "wrong"), [("--inject", 10000, "RTL is WRONG"),
                                                       ("--inject-twin", 60000, "")])
def test_how_long_a_side_is_looked_at(lockwalk, side, cycles, wrong):
    """docs/guide/mismatch.md: for 10,000 cycles after a mismatch, and for 60,000 where neither side was wrong in them.
    Which way was used last says nothing of an answer; the RTL's assertions hear of it, the twin has none."""
    run = lockwalk("cosim", *STRESS[:-1], "20000", side, "TLB_RANK[0].RANK.0@500", "--no-progress")
    said = run.out + run.err
    assert run.status == 1 and "MISMATCH in cycle 500\n" in said
    assert said.count(" rightly; the look ends there\n") == (1 if wrong else 2)
    assert said.count(f"up to cycle {500 + cycles} rightly") == (1 if wrong else 2) and wrong in said
