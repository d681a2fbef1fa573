"""Streams of one's own through the whole program: what is mapped, which way they go, and when; in lockstep and on the
twin alone."""

import gzip
import lzma
import re
import struct

import pytest

from tools.project import ROOT

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
        assert run.figures["provocations"]["page_changes"] > 0


@pytest.mark.parametrize(("options", "asked", "unasked"), [
    (["--workload", "random", "--system", "stress_small", "--max-requests", "2000"],
     {"not_present", "permission", "noncanonical", "memory_error"}, set()),
    (["--workload", "phases", "--set", "bad_requests=50", "--max-requests", "2000"],
     {"unknown_pasid", "reserved"}, set()),
    (["--workload", "mvt", "--max-requests", "2000"], set(), set()),
    (["--workload", "mvt", "--max-requests", "2000", "--remap", "2000", "--set", "near_changes=100"],
     {"not_present"}, set()),
    (["--workload", "mvt", "--max-requests", "2000", "--set", "memory_errors=30"], {"memory_error"}, set()),
    (["--stream", OWN, "--map", "arrays", "--set", "memory_errors=30"], {"memory_error"}, {"not_present"}),
    (["--stream", OWN, "--map", "arrays", "--remap", "100"], set(), {"not_present"}),
    (["--stream", OWN, "--map", "arrays", "--set", "root_changes=1"], {"not_present"}, set()),
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


def timed_stream(path):
    """Sources and cycles, with pauses and pages that come again."""
    path.write_text("".join(f"{i % 3} {0x7F0000000 + i * i % 97:#x} {'rw'[i % 5 == 0]} "
                            f"{i * 7 + i // 100 * 20000} {i % 4}\n" for i in range(400)))
    return path


@pytest.mark.parametrize("way", ["unit", "tlbs"])
@pytest.mark.parametrize("system", ["nha", "nha_power"])
def test_lockstep_of_both_ways(lockwalk, tmp_path, system, way):
    stream = timed_stream(tmp_path / "timed.stream")
    runs = [lockwalk(command, "--system", system, "--stream", stream, "--through", way, "--remap", "20", figures=True)
            for command in ("cosim", "model")]
    differ = {"command", "versions", "compared_cycles", "compared_state_writes"}
    figures = [{k: v for k, v in run.figures.items() if k not in differ} for run in runs]
    assert runs[0].status == 0, runs[0].err
    assert figures[0] == figures[1]
    assert figures[0]["cycles"] > 60000


def test_only_what_took_part_is_printed(lockwalk, tmp_path):
    stream = timed_stream(tmp_path / "timed.stream")
    for options, printed in [(["--stream", stream], []), (["--stream", stream, "--through", "tlbs"], ["L1", "L2"]),
                             (["--stream", stream, "--through", "tlbs", "--system", "colt"], ["L1"]),
                             (["--workload", "mvt", "--max-requests", "50"], ["L1", "L2"])]:
        run = lockwalk("model", *options, figures=True)
        rates = re.search("TLB hit rates +(.*)", run.out)[1]
        assert re.findall("[A-Za-z]+[0-9]?", rates) == [*printed, "unified"]
        for name in ("L1", "L2"):
            assert (run.figures[f"{name.lower()}_tlb"] is None) == (name not in printed)
        assert (run.figures["translations"] is None) == (not printed)
        assert (run.figures["wave_instructions"] is None) == ("--stream" in options)


def test_the_tlbs_ask_the_unit_less(lockwalk, tmp_path):
    stream = timed_stream(tmp_path / "timed.stream")
    straight, through = (lockwalk("model", "--stream", stream, "--through", way, figures=True).figures
                         for way in ("unit", "tlbs"))
    assert straight["requests"] == through["translations"] == 400
    assert through["l2_tlb"]["misses"] >= through["requests"] > 0
    assert sum(through["l1_tlb"].values()) == 400
    assert through["requests"] < 300


def issues(lockwalk, tmp_path, text, *options):
    """The cycles of the requests, from the first in which the unit could be asked."""
    stream, log = tmp_path / "s.stream", tmp_path / "s.log"
    stream.write_text(text)
    assert lockwalk("model", "--stream", stream, "--log", log, *options).status == 0
    events = re.findall(r"cycle (\d+) +(\w+)", log.read_text())
    boot = sum(what == "control" for _, what in events)
    return [int(cycle) - boot for cycle, what in events if what == "request"]


def test_cycles(lockwalk, tmp_path):
    text = "0 1 r\n2 2 r 100\n1 3 r 50\n0 4 r 9000000\n"
    assert issues(lockwalk, tmp_path, text) == [0, 100, 101, 9000000]
    assert issues(lockwalk, tmp_path, text, "--max-requests", "2") == [0, 100]


def test_a_long_pause_is_no_hang(lockwalk, tmp_path):
    """Where cycles are not left out, the program sees that nothing happens for longer than it would allow the unit."""
    late = 4500000
    first, second = issues(lockwalk, tmp_path, f"0 1 r\n0 2 r {late}\n", "--set", "request_gap=1")
    assert first < 10 and late <= second < late + 10


@pytest.mark.parametrize("dram", ["none", "ddr3_1600"])
@pytest.mark.parametrize("options", [["--workload", "random", "--max-requests", "1000"], ["--stream", OWN],
                                     ["--stream", OWN, "--through", "tlbs"]])
def test_no_walk_of_a_stream_reads_through_the_l2(lockwalk, options, dram):
    """A stream has no GPU, and so no L2 data cache: `l2d_walks` changes nothing, to the cycle."""
    figures = []
    for walks in (0, 1):
        run = lockwalk("model", *options, "--set", "data=1", "--set", f"dram={dram}", "--set", f"l2d_walks={walks}",
                       figures=True)
        assert run.status == 0, run.err
        assert run.figures["values"].pop("l2d_walks") == walks
        assert run.figures.pop("arguments")
        figures.append(run.figures)
    assert figures[0] == figures[1]
    assert figures[0]["cycles"] > 0 and figures[0]["page_table_accesses"] > 0


LOOP = DATA / "loop.champsim"


def accesses(records):
    """Those of ChampSim's records, as lines of a stream, by the format's own words."""
    for fields in struct.iter_unpack("<Q8B2Q4Q", records):
        yield from (f"0 {va >> 12:#x} r\n" for va in fields[11:15] if va)
        yield from (f"0 {va >> 12:#x} w\n" for va in fields[9:11] if va)


@pytest.mark.parametrize("way", ["unit", "tlbs"])
@pytest.mark.parametrize(("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_champsim(lockwalk, tmp_path, way, ending, pack):
    trace, stream = tmp_path / f"loop{ending}", tmp_path / "loop.stream"
    trace.write_bytes(pack(LOOP.read_bytes()))
    stream.write_text("".join(accesses(LOOP.read_bytes())))
    one, other = (lockwalk("model", "--stream", path, "--through", way, figures=True) for path in (trace, stream))
    assert one.status == 0, one.err
    assert one.figures.pop("workload") == str(trace) and other.figures.pop("workload") == str(stream)
    assert one.figures.pop("arguments") != other.figures.pop("arguments")
    assert one.figures == other.figures
    assert one.figures["requests"] == (24 if way == "unit" else 8)


def test_champsim_in_lockstep(lockwalk):
    run = lockwalk("cosim", "--stream", LOOP, figures=True)
    assert run.status == 0 and run.figures["checked"] == 24, run.err


@pytest.mark.parametrize(("bytes_", "said"), [
    (1000, "is truncated: 40 bytes are left after 15 records of 64 bytes"),
    (63, "is truncated: 63 bytes are left after 0 records of 64 bytes"),
    (5, "holds a NUL byte"),
])
def test_champsim_cut(lockwalk, tmp_path, bytes_, said):
    trace = tmp_path / "cut.champsim"
    trace.write_bytes(LOOP.read_bytes()[:bytes_])
    json = tmp_path / "out.json"
    run = lockwalk("model", "--stream", trace, "--json", json)
    assert run.status == 2 and said in run.err and "cut.champsim" in run.err, run.err
    assert run.err.count("\n") == 1 and not json.exists()


REFUSED = [
    (["--map", "touched"], "--map: goes with --stream or --trace"),
    (["--map", "/nope", "--stream", str(OWN)], "/nope: cannot open it"),
    (["--map", "arrays", "--trace", "tests/data/trace"], "--map: \"arrays\" is for --stream"),
    (["--stream", "/dev/null"], "/dev/null: is a pipe or a device"),
    (["--trace", str(LOOP)], "holds the records of a ChampSim trace, which --stream takes"),
    (["--through", "tlbs"], "--through: goes with --stream"),
    (["--through", "gpu", "--stream", str(OWN)], "--through: \"gpu\" is not allowed; unit or tlbs is"),
    (["--map", str(OWN), "--stream", str(OWN)], "own.stream:2: count 'r' is not allowed"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_refusal(lockwalk, arguments, said):
    run = lockwalk("model", *arguments)
    assert run.status == 2 and said in run.err, run.out + run.err
    assert run.err.startswith("lockwalk: ") and run.err.count("\n") == 1, run.err


@pytest.mark.parametrize(("line", "way", "said"), [
    ("0 1 r 0 64", "unit", "source '64' is not allowed: 0 to 63"),
    ("0 1 r 0 8", "tlbs", "source '8' is not allowed: 0 to 7"),
    ("16 1 r", "tlbs", "pasid '16' is not allowed: 0 to 15"),
])
def test_what_the_system_has_not(lockwalk, tmp_path, line, way, said):
    stream = tmp_path / "s.stream"
    stream.write_text(f"0 1 r\n{line}\n")
    run = lockwalk("model", "--stream", stream, "--through", way)
    assert run.status == 2 and f"s.stream:2: {said}" in run.err, run.err
