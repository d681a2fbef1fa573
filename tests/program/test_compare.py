"""What `lockwalk compare` prints of two runs, in which each figure is another number, worked out by hand."""

import copy
import json
import random

import pytest

from tests.program.test_stages import STAGES

ONE = {
    "command": "model", "system": "one", "workload": "w", "size": 4, "seed": 1, "processes": 1, "cuts": {}, "map": None,
    "partial": None, "verdict": "equal", "cycles": 200, "requests": 10,
    "values": {"walkers": 8, "mapping": "random", "levels": 4, "gone": 1},
    "counters": {"cycles": 200, "requests": 10, "walks": 8, "faults": 0, "tlb_hits": 5, "same": 3, "early": 9},
    "attribution": {"idle_empty": 40, "memory": 7},
}
TWO = {
    **ONE, "system": "two", "cycles": 150, "requests": 12,
    "values": {"walkers": 16, "mapping": "contiguous", "levels": 4, "new": 2},
    "counters": {"cycles": 150, "requests": 12, "walks": 6, "faults": 4, "tlb_hits": 15, "same": 3, "late": 9},
    "attribution": {"idle_empty": 50, "memory": 7},
}
FIGURES = [
    "  walkers: 8, 16", '  mapping: "random", "contiguous"', "  gone: 1, none", "  new: none, 2",
    "  cycles                        200          150          -50    -25.0%",
    "  requests                       10           12           +2    +20.0%",
    "  walks                           8            6           -2    -25.0%",
    "  faults                          0            4           +4",
    "  tlb_hits                        5           15          +10   +200.0%",
    "  early                           9            0           -9   -100.0%",
    "  late                            0            9           +9",
    "  idle_empty                     40           50          +10    +25.0%",
]


def stages(requests, **cycles):
    """Each request is in each stage, for the cycles of all of them that are given."""
    of = {name: {"requests": requests, "cycles": cycles.get(name, 0)} for name in STAGES}
    return {"whole": {"requests": requests, "cycles": sum(cycles.values())}, "stages": of}


def compare(lockwalk, folder, one, two):
    for name, run in (("a", one), ("b", two)):
        (folder / f"{name}.json").write_text(json.dumps(run))
    return lockwalk("compare", folder / "a.json", folder / "b.json")


def test_figures(lockwalk, tmp_path):
    """What only one run has is told too, whichever it is."""
    run = compare(lockwalk, tmp_path, ONE, {**TWO, "stages": stages(1)})
    head = f"w: {tmp_path}/a.json on one, {tmp_path}/b.json on two"
    last = f"no stages in {tmp_path}/a.json; `--stages` has a run count them"
    assert run.status == 0 and run.out.splitlines() == [head, *FIGURES, last]


def test_stages(lockwalk, tmp_path):
    """A request takes 20 cycles less: 5 more in `line`, 25 less in `walker`, which makes the difference, 250 cycles of
    the first run's 10 requests; a stage that only one run is in is there, one that none is in is not."""
    one = {**ONE, "stages": stages(10, walker=400, line=100, level_5=30)}
    two = {**TWO, "stages": stages(12, walker=180, line=180, pwc=36)}
    lines = compare(lockwalk, tmp_path, one, two).out.splitlines()
    assert lines[len(FIGURES) + 1:] == [
        "cycles of a request, in the mean of all",
        "  walker                       40.0         15.0        -25.0",
        "  line                         10.0         15.0         +5.0",
        "  pwc                           0.0          3.0         +3.0",
        "  level_5                       3.0          0.0         -3.0",
        "  whole                        53.0         33.0        -20.0",
        "the difference is made in walker: -25.0 of -20.0 cycles a request, -250 in all requests of the first run",
    ]
    lines = compare(lockwalk, tmp_path, two, one).out.splitlines()
    assert lines[-1] == ("the difference is made in walker: +25.0 of +20.0 cycles a request, +300 in all requests "
                         "of the first run")


def test_the_stage_of_a_small_difference(lockwalk, tmp_path):
    """Of a whole that grows it is one that grows, though another shrinks by more; of one that stays the largest."""
    def said(**cycles):
        two = {**ONE, "stages": stages(10, **cycles)}
        return compare(lockwalk, tmp_path, {**ONE, "stages": stages(10, walker=90, line=50, look=20)}, two).out
    assert "is made in line: +5.0 of +1.0 cycles a request, +50 in all" in said(walker=50, line=100, look=20)
    assert "is made in walker: -5.0 of +0.0 cycles a request, -50 in all" in said(walker=40, line=70, look=50)
    assert said(walker=90, line=50, look=20).endswith("\nno stage makes a difference\n")


def test_other_work(lockwalk, tmp_path):
    """What the GPU was to do must be the same in each of its parts, and both runs must have gone well."""
    for key, value in {"workload": "v", "size": 5, "seed": 2, "processes": 2, "cuts": {"max_iters": 1}, "map": "arrays",
                       "partial": {"unit": "lines"}}.items():
        two = {**copy.deepcopy(ONE), key: value}
        run = compare(lockwalk, tmp_path, ONE, two)
        assert run.status == 2 and f"is of other work than {tmp_path}/a.json: its {key} is " in run.err, key
    run = compare(lockwalk, tmp_path, {**ONE, "verdict": "oracle"}, ONE)
    assert run.status == 2 and run.err.startswith(f"lockwalk: {tmp_path}/a.json: its run ended")


@pytest.mark.parametrize(("change", "named"), [
    ({"cycles": -1}, "its cycles is"),
    ({"counters": {"walks": 1.5}}, "its counter walks is"),
    ({"counters": {"walks": None}}, "its counter walks is"),
    ({"attribution": {"memory": "7"}}, "its attribution memory is"),
    ({"stages": {"whole": {"requests": -1}}}, "its requests in stage whole is"),
    ({"stages": {"stages": {"line": {"cycles": []}}}}, "its cycles in stage line is"),
])
def test_a_count_that_is_none(change, named, lockwalk, tmp_path):
    run = compare(lockwalk, tmp_path, ONE, {**ONE, **change})
    assert run.status == 2
    assert run.err == f"lockwalk: {tmp_path}/b.json: {named} no count; allowed: a whole number from 0 on\n"


def test_names_do_not_move_the_cursor(lockwalk, tmp_path):
    red = {**ONE, "system": "\x1b[31m", "counters": {"\x1b[7m": 1}, "values": {"\x1b[9m": "\x1b[5m"}}
    run = compare(lockwalk, tmp_path, ONE, red)
    assert run.status == 0 and "\x1b" not in run.out and run.out.count("\\x1b") == 3


def broken(random_, thing):
    """With one thing in it, drawn, of another kind or gone."""
    kinds = [None, True, -1, 1.5, 2**63 - 1, "", "\x1b\u00e9", [], {}, [[{}]]]
    if not isinstance(thing, dict) or not thing or random_.random() < 0.2:
        return random_.choice(kinds)
    key = random_.choice(list(thing))
    if random_.random() < 0.1:
        return {name: value for name, value in thing.items() if name != key}
    return {**thing, key: broken(random_, thing[key])}


def test_random_input(lockwalk, tmp_path):
    """Whatever a file holds, it is compared or refused in one sentence that names it."""
    random_ = random.Random(1)
    ends = set()
    (tmp_path / "a.json").write_text(json.dumps(ONE))
    for _ in range(300):
        text = json.dumps(broken(random_, {**ONE, "stages": stages(10, walker=400, line=100)}))
        if random_.random() < 0.3:
            at = random_.randrange(len(text))
            text = text[:at] + random_.choice(["", "\0", '"', "}", "9" * 30, "\ud7ff"]) + text[at + 1:]
        (tmp_path / "b.json").write_text(text)
        run = lockwalk("compare", tmp_path / "a.json", tmp_path / "b.json")
        ends.add(run.status)
        sentence = run.err.startswith(f"lockwalk: {tmp_path}/b.json") and run.err.count("\n") == 1
        assert (run.status, run.err) == (0, "") or (run.status == 2 and sentence and run.out == ""), (text, run.err)
    assert ends == {0, 2}
