"""Each net of the lockstep barks: flip one bit on either side, and the report names structure, index,
field and cycle, says which side is wrong where an answer is, and writes waves."""

import itertools
import re

import pytest

from tests.harness.catalogue import RECORDED
from tools.project import ROOT

RULES = "".join(path.read_text() for path in (ROOT / "docs" / "architecture").glob("*.md"))
RUN = ["cosim", "--system", "stress_small", "--workload", "random", "--max-requests", "1000"]
MESC_RUN = ["cosim", "--system", "stress_mesc", *RUN[3:]]
HASHED_RUN = ["cosim", "--system", "stress_hashed", *RUN[3:]]

FLIPS = [
    "TLB[{i}].PFN.3@{c}", "TLB[{i}].TAG.2@{c}", "TLB_RANK[{i}].RANK.0@{c}", "BUFFER[{i}].VPN.4@{c}",
    "BUFFER[{i}].CL.0@{c}", "BUFFER[{i}].PL.1@{c}", "STORED_PTE[{i}].STORED_FRAME.5@{c}",
    "MISS_QUEUE[{i}].QUEUED_VPN.3@{c}",
    "BUFFER[{i}].DONE.0@{c}", "PWST[{i}].NODE.2@{c}", "PWST[{i}].LEVEL.0@{c}",
    "PWC[{i}].NODE.1@{c}", "PWC_RANK[{i}].RANK.0@{c}", "COUNTER[{i}].COUNT.7@{c}",
    "WALK_MEMORY[0].REQ_LINE.0@{c}", "BUFFER_RING[0].TAIL.0@{c}",
    "MISS[0].MISS_VPN.3@{c}", "BUFFER_CONTROL[0].READING_SLOT.0@{c}",
    "BUFFER[{i}].BATCH.0@{c}", "BUFFER[{i}].LINE.1@{c}", "BUFFER[{i}].POSITION.0@{c}",
    "STORE[{i}].STORED_PERM.0@{c}", "STORE_CONTROL[0].STORE_TAIL.0@{c}", "STORE_CONTROL[0].STORE_OPEN.0@{c}",
    "BUFFER_RING[0].OPEN.0@{c}", "ORDER[{i}].AHEAD.0@{c}",
    "PWST[{i}].TRIED.0@{c}", "ANSWER[0].ANSWER_BASE.3@{c}", "FILL[0].FILL_PFN.2@{c}",
    "TLB_FOUND[0].FOUND_PFN.1@{c}", "RESPONSE[0].WALK_USED.0@{c}",
    "BUFFER[{i}].NEAR_LEVEL.0@{c}", "BUFFER[{i}].NEAR_CLAIM.0@{c}", "SEARCH[0].SEARCH_VPN.3@{c}",
    "SEARCH_LINE[{i}].SEARCH_USER.0@{c}", "SEARCH_LINE[{i}].SEARCH_FRAME.2@{c}",
    "UPDATE[0].UPDATE_LEVEL.0@{c}", "UPDATE_LINE[{i}].UPDATE_KIND.1@{c}",
    "UPDATE_LINE[{i}].UPDATE_LEAF.0@{c}", "READ[0].READ_VALID.0@{c}", "BUFFER_CONTROL[0].LOOK_LINE.0@{c}",
    "PWC_KEY[0].KEY_VPN.2@{c}", "PWC_RESULT[0].RESULT_NODE.1@{c}",
    "PWC_FILL[0].PWC_FILL_PARENT.3@{c}",
    "RESPONSE[0].LAST.0@{c}", "INVALIDATION[0].EPOCH.0@{c}", "ROOT[{i}].ROOT_FRAME.1@{c}",
]
# Subregion entries live in the partition: of the four ways of a set the last two.
MESC_FLIPS = [
    "TLB[{i}].CLASS.0@{c}", "TLB[{p}].LENGTH.1@{c}", "TLB_FOUND[0].FIRST.0@{c}",
    "TLB_RANGE[0].RANGE_FIRST.0@{c}", "ANSWER[0].ANSWER_CONTIG.3@{c}", "FILL[0].FILL_LENGTH.1@{c}",
    "SEARCH_LINE[{i}].SEARCH_CONTIG.8@{c}", "UPDATE_LINE[{i}].UPDATE_CONTIG.2@{c}",
    "BUFFER_CONTROL[0].LOOK_POSITION.1@{c}", "PWC_RESULT[0].RESULT_CONTIG.0@{c}",
    "STORED_PTE[{i}].STORED_CONTIG.8@{c}", "PWST[{i}].CONTIG.3@{c}", "PWC[{i}].CONTIG.0@{c}",
    "CHECK[0].MAP.2@{c}", "CHECK[0].BITS.4@{c}", "HEAD[{i}].HEAD_PFN.6@{c}",
    "CHECK_QUEUE[0].JOB_LIVE.0@{c}", "MSC[{i}].MAP.1@{c}", "MSC[{i}].TAG.0@{c}",
    "MSC_RANK[{i}].RANK.0@{c}",
]
HASHED_FLIPS = ["STEP_CACHE[{i}].STEPS.3@{c}", "HASH[0].SUM_PLACE.20@{c}", "PWC_KEY[0].KEY_STEP.1@{c}",
                "PWST[{i}].WHERE.0@{c}", "STORED_PTE[{i}].STORED_SIZE.0@{c}", "TABLE[{i}].VICTIM_FRAME.2@{c}"]
SIDES = ["--inject", "--inject-twin"]


def one_of_each(flips):
    """One bit of each structure: that every other is seen says tests/unit/dpi/test_state_net.c."""
    return list({flip.split("[")[0]: flip for flip in flips}.values())


# One is compared with the other: the gate flips a bit on one side, in turn, a recorded run on both.
RUNS = [(run, flip, side) for run, flips in ((RUN, FLIPS), (MESC_RUN, MESC_FLIPS), (HASHED_RUN, HASHED_FLIPS))
        for number, flip in enumerate(flips if RECORDED else one_of_each(flips))
        for side in (SIDES if RECORDED else [SIDES[number % 2]])]


def first_difference(err):
    return re.search(r"^  (\w+\[\d+\]\.\w+) +rtl", err, re.M)


@pytest.mark.parametrize(("run", "flip", "option"), RUNS, ids=[f"{flip} {side}" for _, flip, side in RUNS])
def test_flip_is_named(lockwalk, option, run, flip):
    command = run
    # An entry that is valid at the time: try places until the flip can be seen, in its own cycle (one
    # that the cycle itself uses up, as a BATCH that becomes READY, shows in the next, elsewhere).
    for index, cycle in itertools.product(range(2), (1000, 3000, 4000, 5003, 7777, 9001, 11111, 12345,
                                                    15001)):
        spec = flip.format(i=index, p=2 + index, c=cycle)
        run = lockwalk(*command, "--max-cycles", cycle + 200, option, spec)
        if run.status == 1 and f"MISMATCH in cycle {cycle}\n" in run.err:
            break
    assert run.status == 1, f"{spec} went unseen"
    named = re.match(r"(\w+\[\d+\]\.\w+)\.\d+@(\d+)", spec)
    assert f"MISMATCH in cycle {named.group(2)}" in run.err
    # All differing registers stand in the report; the flipped one is the only one in its cycle.
    assert first_difference(run.err).group(1) == named.group(1)
    assert "reproduce: " in run.err and spec in run.err
    file, rule = re.search(r" twin 0x\w+ +(rtl/\S+\.sv), (R\d+\.\d+|chapter \d+)", run.err).groups()
    field = named.group(1).split(".")[1].lower()
    assert re.search(rf"\b({field}_q|u_{field})\b", (ROOT / file).read_text()), f"{file} has no {field}"
    assert rule.startswith("chapter") or f"**{rule}**" in RULES
    assert re.search(r"^waves of the RTL: .*\.fst$", run.err, re.M)
    assert re.search(r"^waves of both sides: .*\.vcd; `gtkwave .*\.gtkw` opens what differs$", run.err, re.M)


@pytest.mark.parametrize(("option", "wrong", "right"), [
    ("--inject", "RTL", "C twin"), ("--inject-twin", "C twin", "RTL")])
def test_oracle_says_who_is_wrong(lockwalk, option, wrong, right):
    for cycle in range(3000, 9000, 511):
        run = lockwalk(*RUN, option, f"PWST[0].VPN.0@{cycle}")
        if f"{wrong} is WRONG" in run.err:
            break
    assert f"{wrong} is WRONG" in run.err
    assert re.search(rf"{right} answers all \d+ requests", run.err)


def test_oracle_says_who_was_wrong_long_ago(lockwalk, tmp_path):
    """The entry of the TLB is flipped 25000 cycles before the page is asked for again."""
    stream = tmp_path / "again.stream"
    stream.write_text("0 0x10 r 100\n0 0x10 r 30000\n")
    calm = [word for key in ("invalidations", "remaps", "feature_changes") for word in ("--set", f"{key}=0")]
    run = lockwalk(*RUN[:3], *calm, "--stream", stream, "--inject-twin", "TLB[0].PFN.3@5000")
    assert "MISMATCH in cycle 5000\n" in run.err
    said = re.search(r"  C twin is WRONG: in cycle (\d+): ", run.err)
    assert said and int(said[1]) > 30000, run.err
    assert re.search(r"  RTL answers all 2 requests to the run's end in cycle \d+ rightly\n", run.err)


def test_a_flip_that_no_net_sees_is_told(lockwalk):
    """In cycle 5 the TLB holds nothing: of an entry that is not valid only that is compared (R0.5)."""
    run = lockwalk(*RUN, "--inject-twin", "TLB[5].PFN.1@5")
    assert run.status == 0 and " 0 mismatches\n  flip                 seen by no net, " in run.out
    assert "\n  flip " not in lockwalk(*RUN).out


def test_last_events_of_one_request(lockwalk):
    """Not of those that had its id before it: a request is transferred once."""
    run = lockwalk(*RUN, "--inject-twin", "BUFFER[3].PL.1@5000")
    part = run.err[run.err.index("last events of request "):run.err.index("last events:")]
    assert run.status == 1 and part.count("request    id ") == 1, run.err


@pytest.mark.parametrize(("net", "options", "said"), [
    ("ports", ["--inject", "RESPONSE[0].OUT_PFN.1@{c}"], "ports that differ"),
    ("state", ["--inject", "TLB_RANK[1].RANK.0@{c}"], "registers that differ"),
    ("oracle", ["--inject-twin", "PWST[0].VPN.0@{c}"], "oracle: "),
    # The same flip on both sides: equal to each other, and both wrong.
    ("ports,state,oracle",
     ["--inject", "PWST[0].VPN.0@{c}", "--inject-twin", "PWST[0].VPN.0@{c}"], "oracle: "),
])
def test_each_net_barks_by_itself(lockwalk, net, options, said):
    for cycle in range(3000, 24000, 307):
        run = lockwalk(*RUN, "--nets", net, *[o.format(c=cycle) for o in options])
        if run.status == 1:
            break
    assert run.status == 1 and said in run.err, run.err[-2000:]
