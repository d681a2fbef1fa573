"""What is around the unit finds by itself what is wrong: a run broken on purpose ends with exit status
1, a sentence, and a verdict of the right kind."""

import pytest

STRESS = ["--system", "stress_small", "--workload", "random", "--max-requests", "2000"]
QUIET = ["--set", "invalidations=0", "--set", "remaps=0"]
# Twenty pages, each a walk of five reads that take two million cycles, late as they are.
SLOW = ["--system", "stress_five", "--workload", "sequential", "--max-requests", "20",
        "--set", "pwc_enable=0", "--set", "memory_latency=fixed:1000000", "--set", "late_lines=10000",
        "--set", "late_cycles=1000000"]


@pytest.mark.parametrize(("options", "verdict", "sentence"), [
    ([*STRESS, "--set", "longest_wait=100"], "hang", "hangs: it waits for its answer since cycle"),
    ([*SLOW, "--set", "longest_wait=1000000000"], "hang", "no request and no response for"),
    # A completion that nobody asked for.
    ([*STRESS, *QUIET, "--inject-twin", "INVALIDATION[0].STATE.1@3000"], "oracle",
     "inv_done is high, and no invalidation is under way"),
    # A request that the unit forgets and takes anew under another name.
    ([*STRESS, *QUIET, "--inject-twin", "BUFFER[2].VALID.0@5000"], "oracle", "not in flight"),
])
def test_verdict(lockwalk, options, verdict, sentence):
    run = lockwalk("model", *options, figures=True)
    assert run.status == 1
    assert run.figures["verdict"] == verdict
    assert run.figures["mismatches"] == 1
    assert sentence in run.err


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
