"""Bad input gets one sentence that names the option, file or line and what is allowed; exit status 2;
nothing half-written."""

import pytest
from conftest import ROOT

ALLOWED = [
    (["frob"], "\"frob\" is no command"),
    (["cosim", "--frob"], "no such option"),
    (["cosim", "operand"], "takes no such operand"),
    (["cosim", "--size"], "a value is missing"),
    (["cosim", "--size", "0"], "--size: \"0\" is not allowed"),
    (["cosim", "--size", "-3"], "--size: \"-3\" is not allowed"),
    (["cosim", "--seed", "x"], "--seed: \"x\" is not allowed"),
    (["cosim", "--pasids", "999"], "--pasids: \"999\" is not allowed"),
    (["model", "--pasids", "200"], "--pasids"),
    (["model", "--system", "nope"], "systems/nope.ini: cannot be read"),
    (["model", "--system", "/nope.ini"], "/nope.ini: cannot be read"),
    (["model", "--workload", "nope"], "nope"),
    (["model", "--workload", "mvt", "--trace", "x"], "only one of them"),
    (["model", "--set", "walkers"], "not KEY=VALUE"),
    (["model", "--set", "frob=1"], "there is no key \"frob\""),
    (["model", "--set", "walkers=99"], "walkers is \"99\"; allowed: a whole number in 1..32"),
    (["model", "--set", "walkers=many"], "walkers is \"many\""),
    (["model", "--set", "buffer_entries=100"], "BUFFER_ENTRIES is 100"),
    (["model", "--set", "tlb_ways=3"], "TLB_WAYS is 3"),
    (["model", "--set", "lanes=48"], "lanes is 48"),
    (["model", "--set", "tlb_partition=17"], "tlb_partition is \"17\"; allowed: a whole number in 0..16"),
    (["model", "--system", "mesc", "--set", "tlb_ways=4"], "TLB_PARTITION is 8, legal is 0 to TLB_WAYS (4)"),
    (["model", "--set", "msc_entries=100"], "MSC_ENTRIES is 100, legal is a power of two"),
    (["model", "--set", "msc_entries=4"], "MSC_ENTRIES is 4, legal is MSC_WAYS (8) times"),
    (["model", "--set", "msc_ways=3"], "MSC_WAYS is 3"),
    (["model", "--set", "head_first=1"], "HEAD_FIRST is 1, legal is 0 unless SUBREGIONS is 1"),
    (["model", "--remap", "99999"], "--remap: remaps is \"99999\""),
    (["cosim", "--inject", "MSC[0].MAP.0@1"], "--inject: this system has no MSC.MAP"),
    (["contiguity", "--mapping", "tidy"], "frame policy 'tidy' is not one of"),
    (["contiguity", "--mapping", "pagemap:/nope"], "/nope"),
    (["contiguity", "--size", "100000"], "--size is 100000 MiB; allowed: 1..65536"),
    (["contiguity", "--mapping", "random", "--csv", "/nope/f.csv"], "--csv: /nope/f.csv cannot be written"),
    (["table", "frob"], "\"frob\" is no comparison; allowed: nha, mesc"),
    (["table", "--csv", "/nope/f.csv"], "--csv: /nope/f.csv cannot be written"),
    (["model", "--set", "memory_latency=soon"], "soon"),
    (["model", "--mapping", "tidy"], "tidy"),
    (["model", "--mapping", "buddy:99"], "buddy"),
    (["model", "--mapping", "pagemap:/nope"], "/nope"),
    (["model", "--trace", "/nope"], "/nope"),
    (["model", "--stream", "/nope"], "/nope"),
    (["model", "--workload", "mvt", "--size", "100000000"], "size"),
    (["model", "--json", "/nope/f.json"], "--json: /nope/f.json cannot be written"),
    (["model", "--log", "/nope/f.log"], "--log: /nope/f.log cannot be written"),
    (["cosim", "--waves", "/nope/f.fst"], "--waves: /nope/f.fst cannot be written"),
    (["cosim", "--inject", "frob"], "--inject: \"frob\" is not"),
    (["cosim", "--inject", "TLB[9999].PFN.0@1"], "--inject: TLB has entries"),
    (["cosim", "--random-start", "0"], "--random-start: \"0\" is not allowed"),
    (["cosim", "--nets", "ports,frob"], "--nets: \"ports,frob\" is not a list"),
    (["trace-info"], "names no file"),
    (["trace-info", "/nope"], "/nope"),
]


@pytest.mark.parametrize(("arguments", "said"), ALLOWED, ids=[" ".join(a) for a, _ in ALLOWED])
def test_refusal(lockwalk, arguments, said):
    run = lockwalk(*arguments)
    assert run.status == 2, run.out + run.err
    assert said in run.err
    assert run.err.startswith("lockwalk: ") and run.err.count("\n") == 1, run.err


STREAMS = [
    ("0 1\n", 1), ("0 1 r\n0 zz r\n", 2), ("0 1 q\n", 1), ("9999999999 1 r\n", 1),
    ("0 0x10000000000000 r\n", 1), ("0 1 r extra\n", 1),
]


@pytest.mark.parametrize(("text", "line"), STREAMS)
def test_bad_stream(lockwalk, tmp_path, text, line):
    path = tmp_path / "bad.stream"
    path.write_text(text)
    json = tmp_path / "out.json"
    run = lockwalk("model", "--stream", path, "--json", json)
    assert run.status == 2
    assert f"bad.stream:{line}: " in run.err and run.err.count("\n") == 1
    assert not json.exists()


SYSTEMS = [
    ("walkers = 99\n", ":1: walkers is \"99\""),
    ("extends = nha\n\n[hardware]\nfrob = 1\n", ":4: there is no key"),
    ("walkers = 2\nextends = nha\n", ":2: extends must stand before"),
    ("this is no line\n", ":1: not a line"),
    ("extends = nope\n", "nope.ini: cannot be read"),
    ("walkers = 2\n", "is not set"),
]


@pytest.mark.parametrize(("text", "said"), SYSTEMS)
def test_bad_system(lockwalk, tmp_path, text, said):
    path = tmp_path / "mine.ini"
    path.write_text(text)
    run = lockwalk("model", "--system", path)
    assert run.status == 2
    assert said in run.err or (said == "is not set" and "allowed" in run.err), run.err
    assert run.err.count("\n") == 1


def test_own_stream_and_system(lockwalk, tmp_path):
    stream = tmp_path / "mine.stream"
    stream.write_text("".join(f"{p} {0x7F0000000 + v} r\n" for v in range(600) for p in (0, 1)))
    system = tmp_path / "mine.ini"
    system.write_text("extends = stress_small\n[os]\ninvalidations = 0\nremaps = 0\n")
    run = lockwalk("cosim", "--system", system, "--stream", stream, figures=True)
    assert run.status == 0, run.err
    assert run.figures["responses"] == 1200


def test_help_lists_every_command(lockwalk):
    run = lockwalk("--help")
    assert run.status == 0
    for command in ("cosim", "model", "systems", "workloads", "trace-info", "table", "bench",
                    "contiguity"):
        assert command in run.out
        assert lockwalk(command, "--help").status == 0


def test_every_system_is_listed(lockwalk):
    listed = lockwalk("systems").out
    for path in (ROOT / "systems").glob("*.ini"):
        assert path.stem in listed
