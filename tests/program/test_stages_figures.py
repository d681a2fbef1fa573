"""The figures of stages (docs/json.md) against a count of the same requests by the log of a window, and the table that
is printed against both; the names of kernels in them."""

import math

import pytest

from tests.program.test_stages import STAGES, STRESS, read_kanata
from tools.project import ROOT


def counted(times):
    """The exact figures of these times; of the quantiles the numbers that so many do not pass, for `near`."""
    times, powers = sorted(times), {}
    for time in times:
        first = 0 if time == 0 else 1 << (time.bit_length() - 1)
        powers[first] = powers.get(first, 0) + 1
    quantiles = {f"p{percent}": times[math.ceil(percent * len(times) / 100) - 1] if times else 0
                 for percent in (50, 90, 99)}
    return {"requests": len(times), "cycles": sum(times), "mean": sum(times) / len(times) if times else 0.0,
            "max": times[-1] if times else 0, "histogram": [list(pair) for pair in sorted(powers.items())]}, quantiles


def near(figures, times):
    """Sums, means, maxima and histograms are exact, quantiles so below 64 cycles, and else up to 3.2 % above."""
    exact, quantiles = counted(times)
    assert {key: figures[key] for key in exact} == exact
    for name, value in quantiles.items():
        assert value <= figures[name] <= (value if value < 64 else 1.032 * value), (name, figures)


@pytest.mark.parametrize("arguments", [
    [*STRESS[:-1], "1500"],
    ["--system", "nha", "--workload", "mvt", "--max-iters", "1"],
])
def test_counted_by_the_window(lockwalk, tmp_path, arguments):
    run = lockwalk("model", *arguments, "--stages", "--konata", tmp_path / "k", "--trace-to", "999999999", figures=True)
    answered = [request for request in read_kanata((tmp_path / "k").read_text()) if request["answered"]]
    assert len(answered) > 500
    stages = run.figures["stages"]
    near(stages["whole"], [request["left"] - request["taken"] for request in answered])
    for name in STAGES:
        times = [sum(to - since for stage, since, to in request["stages"] if stage == name) for request in answered]
        near(stages["stages"][name], [time for time in times if time > 0])


def mean(cycles, requests):
    return cycles / requests if requests else 0.0


def stage_of(part, name):
    return part["whole"] if name == "whole" else part["stages"][name]


def table(part, title):
    """The lines of a part: the last three columns are cycles in the stage, in the mean of all of that way."""
    ways = [part["ways"][way] for way in ("hit", "walk", "told")]
    hits, walks, told = (way["whole"]["requests"] for way in ways)
    yield f"  {title:<20} {hits} hits, {walks} walks, {told} told by another's walk, in cycles".split()
    yield "stage requests cycles share mean p50 p90 p99 max of a hit a walk a told".split()
    for name in [*STAGES, "whole"]:
        figures = stage_of(part, name)
        if figures["cycles"] or name == "whole":
            yield [name, str(figures["requests"]), str(figures["cycles"]),
                   f"{100 * mean(figures['cycles'], part['whole']['cycles']):.1f}%", f"{figures['mean']:.1f}",
                   *(str(figures[key]) for key in ("p50", "p90", "p99", "max")),
                   *(f"{mean(stage_of(way, name)['cycles'], way['whole']['requests']):.1f}" for way in ways)]


@pytest.mark.parametrize(("arguments", "kernels"), [
    (STRESS, 0),
    (["--system", "nha", "--workload", "atax", "--max-iters", "2"], 2),
    (["--system", "nha", "--workload", "nw", "--max-launches", "1"], 1),
])
def test_the_table_is_that_of_the_json(lockwalk, arguments, kernels):
    """One of all requests, and where there are several kernels one of each."""
    run = lockwalk("model", *arguments, "--stages", figures=True)
    stages = run.figures["stages"]
    assert len(stages["kernels"]) == kernels
    parts = [(stages, "stages"), *((kernel, kernel["kernel"]) for kernel in stages["kernels"] if kernels > 1)]
    expected = [row for part, title in parts for row in table(part, title)]
    assert [line.split() for line in run.out[run.out.index("  stages "):].splitlines()] == expected


def test_a_kernel_whose_name_cannot_be_printed(lockwalk, tmp_path):
    """Its bytes stand as \\xNN in the JSON and in the table."""
    for path in (ROOT / "tests" / "data" / "trace").iterdir():
        text = path.read_bytes()
        (tmp_path / path.name).write_bytes(text.replace(b"-kernel name = ", b"-kernel name = a\xff\x01"))
    run = lockwalk("model", "--system", "nha", "--trace", tmp_path, "--stages", figures=True)
    assert run.status == 0, run.err
    names = [kernel["kernel"] for kernel in run.figures["stages"]["kernels"]]
    assert len(names) > 1 and all(name.startswith("a\\xff\\x01") for name in names)
    assert all(f"\n  {name} " in run.out for name in names)
