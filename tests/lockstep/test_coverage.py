"""The gate of functional coverage: every point is reached by a stress run or listed with its reason."""

import json

from tests.lockstep.coverage import reasons, total, wrong


def reached(counts):
    return sum(count != 0 for count in counts.values())


def test_gate():
    """The gate, and that it barks: at a point that is not reached, one that is listed and reached, a
    pattern that names none. In one test, so that the runs take place once."""
    counts = total()
    listed = reasons()
    assert wrong(counts, listed) == []
    point = next(point for point, count in counts.items() if count)
    assert wrong({**counts, point: 0}, listed) == [
        f"no test reaches \"{point}\", and coverage.yaml gives no reason"]
    assert wrong(counts, {**listed, point: "no reason"}) == [
        f"\"{point}\" is reached {counts[point]} times; coverage.yaml says it is not"]
    assert wrong(counts, {**listed, "no such point": "no reason"}) == [
        "coverage.yaml: \"no such point\" names no point"]
    # Hits alone leave most points open.
    few = total([("stress_small", "repeat", range(1, 2), ["--max-requests", "200"])])
    assert few.keys() == counts.keys()
    assert reached(few) < reached(counts) / 2


def test_each_reason_says_why():
    for pattern, why in reasons().items():
        assert len(why.split()) > 5, f"coverage.yaml: {pattern}: no reason"


def test_counts_are_the_runs_own(lockwalk, tmp_path):
    """Asking changes no figure, and what is counted twice is counted alike."""
    run = ["model", "--system", "stress_mesc", "--workload", "phases", "--max-requests", "2000"]
    path = tmp_path / "coverage.json"
    plain = lockwalk(*run, figures=True)
    asked = lockwalk(*run, "--coverage", path, figures=True)
    assert asked.figures.pop("arguments")[:-4] == plain.figures.pop("arguments")[:-2]
    assert plain.figures == asked.figures
    assert "points reached" in asked.out
    counts = json.loads(path.read_text())
    figures = asked.figures

    def sum_of(prefix):
        return sum(count for point, count in counts.items() if point.startswith(prefix))

    assert sum_of("answer") == figures["responses"]
    for kind, answers in figures["faults"].items():
        assert sum_of(f"answer x level or links: {kind.upper()} x ") == answers
    assert sum_of("contiguity check x invalidation: MSC hit") == figures["counters"]["msc_hits"]
    assert sum_of("contiguity check x invalidation: merged") == figures["counters"]["checks_merged"]
