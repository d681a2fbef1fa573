"""The summary that a run prints: each of its figures is that of the JSON of the same run."""

import json

import pytest

RUNS = {
    "kernel": ["--system", "nha", "--workload", "atax", "--max-iters", "1"],
    "stress": ["--system", "stress_small", "--workload", "random", "--max-requests", "300"],
    "tlbs": ["--system", "nha", "--stream", "tests/data/streams/timed.stream", "--through", "tlbs"],
    "cut": ["--system", "baseline", "--workload", "mvt", "--max-iters", "2", "--max-requests", "3000"],
    "two_levels": ["--system", "nha_mesc", "--workload", "bicg", "--max-iters", "1", "--seed", "3"],
}


def rate(tlb):
    return tlb["hits"] / (tlb["hits"] + tlb["misses"])


def summary(f):
    """The lines by docs/json.md's names; the walkers' cycles are parts of the cycles of all walkers."""
    size = f", size {f['size']}" if f["size"] else ""
    walks, responses = f["counters"]["walks"], f["responses"]
    tlbs = [("L1", f["l1_tlb"]), ("L2", f["l2_tlb"]), ("unified", f["tlb"])]
    of_all = f["cycles"] * f["values"]["walkers"]
    causes = "".join(f" {name} {100 * value / of_all:.1f}%" for name, value in f["attribution"].items())
    return [
        f"{f['workload']} on {f['system']}{size}, seed {f['seed']}",
        f"  cycles               {f['cycles']}",
        f"  requests, responses  {f['requests']}, {responses} ({f['cycles'] / responses:.2f} cycles each)",
        f"  page-table accesses  {f['page_table_accesses']}",
        f"  walks                {walks}, coalesced answers {f['counters']['coalesced_answers']}, mean walk latency "
        f"{f['walk_latency_mean']:.1f} cycles",
        f"  TLB hit rates        {', '.join(f'{name} {rate(tlb):.3f}' for name, tlb in tlbs if tlb)}",
        f"  faults               {sum(f['faults'].values())}",
        f"  walker cycles       {causes}",
    ]


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_figures_of_the_json(lockwalk, options):
    run = lockwalk("model", *options, figures=True)
    assert run.status == 0, run.err
    assert run.out.splitlines()[:8] == summary(run.figures)


def test_since_the_last_reset(lockwalk):
    """What began anew with the last reset is of the cycles since: the unit's own count of them."""
    run = lockwalk("model", *RUNS["stress"], "--resets", "3", figures=True)
    f, since = run.figures, run.figures["counters"]["cycles"]
    assert run.status == 0 and f["resets"] == 3 and 0 < since < f["cycles"]
    lines = summary({**f, "cycles": since})
    lines[1] = (f"  cycles               {f['cycles']}, {since} of them since the last of 3 resets; so is all that is "
                "counted below")
    assert run.out.splitlines()[:8] == lines


def test_requests_without_a_response(lockwalk):
    """Of a run that ends with requests under way the cycles are those of each response."""
    run = lockwalk("model", *RUNS["kernel"], "--set", "longest_wait=1000", figures=True)
    assert run.status == 1 and run.figures["verdict"] == "hang"
    assert run.figures["requests"] > run.figures["responses"] > 0
    assert run.out.splitlines()[:8] == summary(run.figures)


def test_what_has_been_compared(lockwalk):
    run = lockwalk("cosim", *RUNS["stress"], figures=True)
    f = run.figures
    assert run.status == 0 and f["compared_state_writes"] > f["compared_cycles"] > 0
    compared = (f"  compared             {f['compared_cycles']} cycles, {f['compared_state_writes']} register values, "
                "0 mismatches")
    lines = summary(f)
    assert run.out.splitlines()[:9] == [*lines[:2], compared, *lines[2:]]


def test_points_reached(lockwalk, tmp_path):
    """A point is reached that held in a cycle at least."""
    path = tmp_path / "coverage.json"
    run = lockwalk("model", *RUNS["stress"], "--coverage", path)
    counts = json.loads(path.read_text()).values()
    reached = sum(count > 0 for count in counts)
    assert 0 < reached < len(counts)
    assert f"  coverage             {reached} of {len(counts)} points reached\n" in run.out


def test_faults_that_nobody_asked_for(lockwalk, tmp_path):
    """Of six responses three find no page there, and one may not write; each kind stands with its number."""
    (tmp_path / "own.stream").write_text("".join(f"0 {page} {access}\n" for page, access in [
        ("0x100", "r"), ("0x100", "w"), ("0x200", "r"), ("0x300", "r"), ("0x400", "r"), ("0x101", "r")]))
    (tmp_path / "own.map").write_text("0 0x100 2 4K r\n")
    run = lockwalk("model", "--system", "nha", "--stream", tmp_path / "own.stream", "--map", tmp_path / "own.map",
                   figures=True)
    assert run.status == 0 and run.figures["unasked_faults"] == 4
    assert run.err == ("lockwalk: 4 of 6 responses are faults that nobody asked for: 3 not_present, 1 permission; "
                       "--map says what a stream or trace has mapped\n")
