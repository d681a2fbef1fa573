"""Streams of one's own through the whole program: what is mapped, in lockstep and on the twin alone."""

import pytest
from conftest import ROOT

DATA = ROOT / "tests" / "data" / "streams"
OWN = DATA / "own.stream"


def faults(run):
    """The kinds of faults that a run has met, with their counts."""
    assert run.status == 0, run.err[-3000:]
    return {kind: n for kind, n in run.figures["faults"].items() if n}


@pytest.mark.parametrize("command", ["model", "cosim"])
@pytest.mark.parametrize(("options", "met"), [
    ([], {}),
    (["--map", "touched", "--system", "nha_power"], {}),
    (["--map", DATA / "own.map"], {"not_present": 2}),
    (["--map", "arrays"], {"not_present": 20}),
])
def test_what_is_mapped(lockwalk, command, options, met):
    run = lockwalk(command, "--stream", OWN, *options, figures=True)
    assert faults(run) == met
    assert run.figures["responses"] == run.figures["checked"] == 20
    assert run.figures["unasked_faults"] == sum(met.values())
    assert ("faults that nobody asked for" in run.err) == (met != {})


@pytest.mark.parametrize(("line", "met"), [
    ("0 0x7fb02d600 2 4K rw", {"not_present": 14}),
    ("0 0x7fb02d700 8 4K r", {"not_present": 7}),
    ("0 0x7fb02da00 8 4K r", {"not_present": 11, "permission": 5}),
    ("3 0x7fb02d700 8 4K r", {"not_present": 16}),
])
def test_a_map_of_ones_own(lockwalk, tmp_path, line, met):
    """Of the 16 accesses of address space 0, and none of the others."""
    stream = tmp_path / "zero.stream"
    stream.write_text("".join(text for text in OWN.open() if text.startswith("0 ")))
    ranges = tmp_path / "own.map"
    ranges.write_text(line + "\n")
    run = lockwalk("model", "--stream", stream, "--map", ranges, figures=True)
    assert faults(run) == met
    assert run.figures["map"] == str(ranges)


def test_a_trace_mapped_by_a_file(lockwalk, tmp_path):
    ranges = tmp_path / "trace.map"
    ranges.write_text("0 0x7f0000000 0x100 4K rwx\n")
    trace = ROOT / "tests" / "data" / "trace"
    run = lockwalk("model", "--trace", trace, "--set", "lanes=32", "--map", ranges, figures=True)
    assert set(faults(run)) == {"not_present"}
    assert 0 < run.figures["faults"]["not_present"] < run.figures["requests"]


@pytest.mark.parametrize("system", ["nha", "mesc", "stress_mesc", "stress_wide"])
def test_an_os_at_work_beside_a_map(lockwalk, system):
    """What a map gives frames or fewer rights stays; the answers are right, whatever else changes."""
    for ranges in ("touched", DATA / "own.map"):
        run = lockwalk("model", "--system", system, "--remap", "300", "--stream", OWN, "--map", ranges,
                       "--set", "request_gap=90", figures=True)
        assert run.status == 0 and run.figures["checked"] == 20, run.err[-3000:]


@pytest.mark.parametrize(("options", "asked", "unasked"), [
    (["--workload", "random", "--system", "stress_small", "--max-requests", "2000"],
     {"not_present", "permission", "noncanonical", "memory_error"}, set()),
    (["--workload", "phases", "--set", "bad_requests=50", "--max-requests", "2000"], {"unknown_pasid", "reserved"}, set()),
    (["--workload", "mvt", "--max-requests", "2000"], set(), set()),
    (["--workload", "mvt", "--max-requests", "2000", "--remap", "2000", "--set", "near_changes=100"],
     {"not_present"}, set()),
    (["--workload", "mvt", "--max-requests", "2000", "--set", "memory_errors=30"], {"memory_error"}, set()),
    (["--stream", OWN, "--map", "arrays", "--set", "memory_errors=30"], {"memory_error"}, {"not_present"}),
    (["--stream", OWN, "--map", "arrays", "--remap", "1"], {"not_present"}, set()),
    (["--stream", OWN, "--set", "pasids=2"], set(), set()),
])
def test_faults_that_nobody_asked_for(lockwalk, options, asked, unasked):
    run = lockwalk("model", *options, figures=True)
    met = faults(run)
    assert asked | unasked <= set(met)
    assert run.figures["unasked_faults"] == sum(met[kind] for kind in unasked)
    assert run.err.count("nobody asked for") == bool(unasked)
    assert all(f" {met[kind]} {kind}" in run.err for kind in unasked)


def test_unknown_pasids_are_not_asked_for(lockwalk, tmp_path):
    stream = tmp_path / "far.stream"
    stream.write_text("0 1 r\n77 1 r\n0 0x800000000 r\n")
    run = lockwalk("model", "--stream", stream, figures=True)
    assert faults(run) == {"unknown_pasid": 1, "noncanonical": 1}
    assert "2 of 3 responses are faults that nobody asked for: 1 noncanonical, 1 unknown_pasid" in run.err


REFUSED = [
    (["--map", "touched"], "--map: goes with --stream or --trace"),
    (["--map", "/nope", "--stream", str(OWN)], "/nope: cannot open it"),
    (["--map", "arrays", "--trace", "tests/data/trace"], "--map: \"arrays\" is for --stream"),
    (["--map", str(OWN), "--stream", str(OWN)], "own.stream:2: count 'r' is not allowed"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_refusal(lockwalk, arguments, said):
    run = lockwalk("model", *arguments)
    assert run.status == 2 and said in run.err, run.out + run.err
    assert run.err.startswith("lockwalk: ") and run.err.count("\n") == 1, run.err
