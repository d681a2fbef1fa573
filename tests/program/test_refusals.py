"""Bad input gets one sentence that names the option, file or line and what is allowed; exit status 2;
nothing half-written."""

import socket

import pytest

from tools.project import ROOT

ELEVEN = sorted(path.stem for path in (ROOT / "systems").glob("*.ini"))[:11]

ALLOWED = [
    (["frob"], "\"frob\" is no command"),
    (["--help", "cosim"], "\"cosim\": nothing may stand behind --help"),
    (["cosim", "--frob"], "--frob: cosim has no such option"),
    (["cosim", "-ab"], "-ab: cosim has no such option"),
    (["cosim", "-s"], "-s: cosim has no such option"),
    (["model", "--stream", "a", "--stream", "b"],
     "--stream: it stands twice; allowed: once, only --set may be repeated"),
    (["model", "--seed", "1", "--seed=1"], "--seed: it stands twice"),
    (["systems", "--system", "nha", "--show", "mesc"], "--system and --show: only one of them at a time"),
    (["systems", "--show", "nha", "--set", "mapping=foo"], "--set: mapping is \"foo\"; allowed: contiguous,"),
    (["model", "--stream", ""], "--stream: the name of the file is empty"),
    (["model", "--system", ""], "--system: the name of the file is empty"),
    (["model", "--energy", "systems"], "systems: is a folder, a text file is needed"),
    (["compare", "systems", "README.md"], "systems: is a folder; allowed: a file of --json"),
    (["systems", "--keys=3"], "--keys=3: --keys takes no value"),
    (["model", "--", "operand"], "\"operand\": model takes no such operand"),
    (["cosim", "operand"], "takes no such operand"),
    (["cosim", "--size"], "a value is missing"),
    (["cosim", "--size", "0"], "--size: \"0\" is not allowed"),
    (["cosim", "--size", "-3"], "--size: \"-3\" is not allowed"),
    (["cosim", "--seed", "x"], "--seed: \"x\" is not allowed"),
    (["model", "--seed", "9223372036854775808"], "it takes a whole number in 0..9223372036854775807"),
    (["cosim", "--pasids", "999"], "--pasids: \"999\" is not allowed"),
    (["model", "--pasids", "200"], "--pasids"),
    (["model", "--system", "nope"], "systems/nope.ini: cannot be read"),
    (["model", "--system", "/nope.ini"], "/nope.ini: cannot be read"),
    (["model", "--workload", "nope"], "--workload: \"nope\" is no workload; `lockwalk workloads` lists them"),
    (["model", "--workload", "mvt", "--trace", "x"], "only one of them"),
    (["model", "--set", "walkers"], "not KEY=VALUE"),
    (["model", *["--set", "walkers=8"] * 65], "--set: at most 64 of them"),
    (["model", "--stream", "tests/data/streams/own.stream", "--through", "tlbs", "--set", "ideal_translation=1"],
     "ideal_translation is 1; allowed: 0, because a stream goes through the GPU's TLBs"),
    (["model", "--set", "frob=1"], "there is no key \"frob\""),
    (["model", "--set", "walkers=99"], "walkers is \"99\"; allowed: a whole number in 1..32"),
    (["model", "--set", "walkers=many"], "walkers is \"many\""),
    (["model", "--set", "buffer_entries=100"], "buffer_entries is 100"),
    (["model", "--set", "tlb_ways=3"], "tlb_ways is 3"),
    (["model", "--set", "lanes=48"], "lanes is 48"),
    (["model", "--set", "tlb_partition=17"], "tlb_partition is \"17\"; allowed: a whole number in 0..16"),
    (["model", "--system", "mesc", "--set", "tlb_ways=4"], "tlb_partition is 8, legal is 0 to tlb_ways (4)"),
    (["model", "--set", "msc_entries=100"], "msc_entries is 100, legal is a power of two"),
    (["model", "--set", "msc_entries=4"], "msc_entries is 4, legal is msc_ways (8) times"),
    (["model", "--set", "msc_ways=3"], "msc_ways is 3"),
    (["model", "--set", "head_first=1"], "head_first is 1, legal is 0 unless subregions is 1"),
    (["model", "--remap", "99999"], "--remap: remaps is \"99999\""),
    (["cosim", "--inject", "MSC[0].MAP.0@1"], "--inject: this system has no MSC.MAP"),
    (["contiguity", "--mapping", "tidy"], "mapping is \"tidy\"; allowed: contiguous,"),
    (["contiguity", "--mapping", "pagemap:/nope"], "/nope"),
    (["contiguity", "--size", "100000"], "--size is 100000 MiB; allowed: 1..65536"),
    (["contiguity", "--mapping", "random", "--csv", "/nope/f.csv"], "--csv: /nope/f.csv cannot be written"),
    (["hashed", "--workload", "nope"], "nope"),
    (["hashed", "--workload", "random"], "random"),
    (["hashed", "--size", "100000000"], "size"),
    (["hashed", "--local", "0"], "--local: \"0\" is not allowed; it takes a whole number in 1..100"),
    (["hashed", "--factor", "99"], "--factor: \"99\" is not allowed; it takes a whole number in 100..1000"),
    (["hashed", "--pasids", "256", "--size", "16384"], "--size or --pasids: "),
    (["hashed", "--json", "/nope/f.json"], "--json: /nope/f.json cannot be written"),
    (["hashed", "--system", "nha"], "--system: hashed has no such option"),
    (["table", "frob"], "\"frob\" is no comparison; allowed: nha, mesc"),
    (["table", "--systems", "nha,nope"], "systems/nope.ini: cannot be read"),
    (["table", "--systems", "nha,"], "--systems: \"nha,\" is no list; allowed: names, a comma between two"),
    (["table", "--systems", "nha,mesc,systems/nha.ini"], "--systems: two are called nha; allowed: names that differ"),
    (["table", "--systems", ""], "--systems: \"\" is no list"),
    (["table", "--systems", ",".join(ELEVEN)], "--systems: names too many; allowed: 10"),
    (["table", "--workloads", "mvt,nope"], "--workloads: \"nope\" is no workload; `lockwalk workloads` lists them"),
    (["table", "--counters", "walks,nope"], "--counters: \"nope\" is none; allowed: "),
    (["table", "--csv", "/nope/f.csv"], "--csv: /nope/f.csv cannot be written"),
    (["table", "--whole", "--max-iters", "3"], "--whole: the kernels are not cut; allowed without --max-requests, "),
    (["model", "--whole"], "--whole: model has no such option"),
    (["model", "--set", "memory_latency=soon"], "--set: memory_latency is \"soon\"; allowed: fixed:L, "),
    (["model", "--mapping", "tidy"], "tidy"),
    (["model", "--mapping", "buddy:99"], "buddy"),
    (["model", "--mapping", "pagemap:/nope"], "/nope"),
    (["model", "--trace", "/nope"], "/nope"),
    (["model", "--stream", "/nope"], "/nope"),
    (["model", "--workload", "mvt", "--size", "100000000"], "size"),
    (["model", "--json", "/nope/f.json"], "--json: /nope/f.json cannot be written"),
    (["model", "--log", "/nope/f.log"], "--log: /nope/f.log cannot be written"),
    (["cosim", "--waves", "/nope/f.fst"], "--waves: /nope/f.fst cannot be written"),
    (["cosim", "--waves", "/dev/full"], "--waves: /dev/full is no regular file"),
    (["model", "--json", "/tmp"], "--json: /tmp cannot be written"),
    (["model", "--json", ""], "--json: the name of the file is empty"),
    # What would move a terminal's cursor or colour it is shown by its number, letters are shown as they are.
    (["model", "--system", "\x1b[31mrot\n\x7fmü\u0085.ini"],
     "\\x1b[31mrot\\x0a\\x7fmü\\xc2\\x85.ini: cannot be read"),
    (["model", "--system", b"m\xfc\xc0\xaf.ini"], "m\\xfc\\xc0\\xaf.ini: cannot be read"),
    (["cosim", "--inject", "frob"], "--inject: \"frob\" is not"),
    (["cosim", "--inject", "TLB[9999].PFN.0@1"], "--inject: TLB has entries"),
    (["model", "--inject-twin", "PWST[0].TRIED.1@1"], "--inject-twin: PWST has entries 0..7 here, and TRIED bits 0..0"),
    (["cosim", "--inject", "PWST[0].TRIED.0@1", "--inject", "PWST[1].TRIED.0@1"], "--inject: it stands twice"),
    (["model", "--max-requests", "100", "--inject-twin", "PWST[0].TRIED.0@99999999"],
     "cycles, so the flip in cycle 99999999 never took place"),
    (["model", "--max-requests", "100", "--max-cycles", "50", "--inject-twin", "PWST[0].TRIED.0@50"],
     "--inject-twin: the run has 50 cycles, so the flip in cycle 50 never took place; allowed: a cycle below"),
    (["model", "--max-requests", "100", "--max-cycles", "50", "--waves", "build/late.vcd", "--waves-from", "50"],
     "--waves-from: the run has 50 cycles, so nothing is there from cycle 50 on; allowed: a cycle below"),
    (["model", "--max-requests", "100", "--max-cycles", "50", "--konata", "build/late.k", "--trace-from", "50"],
     "--trace-from: the run has 50 cycles, so nothing is there from cycle 50 on; allowed: a cycle below"),
    (["table", "--systems", "nha,baseline", "--workloads", "mvt,nw", "--size", "17", "--whole"],
     "size 17 is not allowed for nw: a multiple of 16"),
    (["model", "--workload", "random", "--size", "3"],
     "--size: has no effect on random; it is for kernels, sequential"),
    (["model", "--workload", "sequential", "--max-iters", "3"], "--max-iters: has no effect on sequential"),
    (["model", "--workload", "phases", "--pasids", "3"], "--pasids: has no effect on phases"),
    (["model", "--stream", "/nope", "--max-launches", "3"], "--max-launches: has no effect on a request stream"),
    (["model", "--trace", "tests/data/trace", "--size", "3"], "--size: has no effect on a trace"),
    (["model", "--workload", "random", "--max-requests", "50", "--resets", "20"],
     " of 20 resets took place; allowed: "),
    (["model", "--json", "build/same", "--log", "build/../build/same"], "--json: build/same is the file of --log too"),
    (["cosim", "--waves", "README.md", "--stream", "./README.md"], "--waves: README.md is the file of --stream too"),
    (["model", "--log", "systems/nha.ini", "--system", "systems/nha.ini"], "is the file of --system too"),
    (["table", "--csv", "README.md"], "--csv: README.md does not begin with this command's columns"),
    (["contiguity", "--size", "1", "--mapping", "random", "--csv", "README.md"], "--csv: README.md does not begin"),
    (["model", "--energy", "/nope.ini"],
     "/nope.ini: cannot be read (No such file or directory); allowed for --energy: "),
    (["model", "--energy", "systems/nha.ini"], "systems/nha.ini:1: extends stands above all sections"),
    (["model", "--json", "build/same", "--energy", "build/../build/same"],
     "--json: build/same is the file of --energy too"),
    (["table", "--energy", "systems/energy/cacti_32nm.ini"], "--energy: table has no such option"),
    (["cosim", "--random-start", "0"], "--random-start: \"0\" is not allowed"),
    (["cosim", "--nets", "ports,frob"], "--nets: \"ports,frob\" is not a list"),
    (["cosim", "--nets", ""], "--nets: names none; allowed: ports, state, oracle"),
    (["cosim", "--nets", "ports,"], "--nets: \"ports,\" is not a list"),
    (["model", "--trace-from", "7"], "--trace-from: goes with --konata or --perfetto"),
    (["model", "--trace-to", "7"], "--trace-to: goes with --konata or --perfetto"),
    (["model", "--konata", "build/k", "--trace-from", "7", "--trace-to", "6"],
     "--trace-to: cycle 6 is before --trace-from, 7"),
    (["model", "--konata", "/nope/k"], "--konata: /nope/k cannot be written"),
    (["cosim", "--perfetto", "/nope/p"], "--perfetto: /nope/p cannot be written"),
    (["model", "--konata", "build/same", "--perfetto", "build/same"], "--konata: build/same is the file of --perfetto"),
    (["compare"], "compare: takes two files"),
    (["compare", "README.md"], "compare: takes two files"),
    (["compare", "/nope", "README.md"], "/nope: cannot be read as JSON"),
    (["compare", "README.md", "README.md"], "README.md:1: is no JSON"),
    (["compare", "a", "b", "c"], "\"c\": compare takes no such operand"),
    (["systems", "--keys", "--parameters"], "--keys, --show and --parameters: only one of them"),
    (["systems", "--set", "walkers=3"], "--set: has no effect here"),
    (["systems", "--show", "nope"], "systems/nope.ini: cannot be read"),
    (["trace-info"], "names no file"),
    (["completion"], "completion: \"\" is no shell that it knows; allowed: bash"),
    (["completion", "fish"], "completion: \"fish\" is no shell that it knows; allowed: bash"),
    (["trace-info", "/nope"], "/nope"),
]


@pytest.mark.parametrize(("arguments", "said"), ALLOWED, ids=[" ".join(map(repr, a)) for a, _ in ALLOWED])
def test_refusal(lockwalk, arguments, said):
    run = lockwalk(*arguments)
    assert run.status == 2, run.out + run.err
    assert said in run.err
    assert run.err.startswith("lockwalk: ") and run.err.count("\n") == 1, run.err


STREAMS = [
    ("0 1\n", 1), ("0 1 r\n0 zz r\n", 2), ("0 1 q\n", 1), ("9999999999 1 r\n", 1),
    ("0 0x10000000000000 r\n", 1), ("0 1 r extra\n", 1), ("0 1 r 0xffffffffff\n0 1 r 0x10000000000\n", 2),
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


@pytest.mark.parametrize("text", ["# nothing\n", "\n\n"])
def test_stream_without_requests(lockwalk, tmp_path, text):
    path = tmp_path / "none.stream"
    path.write_text(text)
    run = lockwalk("model", "--stream", path)
    assert run.status == 2 and run.err == f"lockwalk: {path}: has no request; allowed: one or more\n"


def test_table_refuses_before_it_runs(lockwalk, tmp_path):
    """No row stands beside the refusal, on stdout or in the CSV."""
    csv = tmp_path / "t.csv"
    run = lockwalk("table", "--systems", "nha", "--workloads", "mvt,nw", "--size", "17", "--whole", "--csv", csv)
    assert run.status == 2 and run.out == "" and not csv.exists()


SYSTEMS = [
    ("walkers = 99\n", ":1: walkers is \"99\""),
    ("extends = nha\n\n[hardware]\nfrob = 1\n", ":4: there is no key"),
    ("walkers = 2\nextends = nha\n", ":2: extends must stand before"),
    ("this is no line\n", ":1: not a line"),
    ("extends = nope\n", "nope.ini: cannot be read"),
    ("walkers = 2\n", "mine.ini: levels is not set (levels of the page table), nor in a system that it extends"),
    ("extends = nha\n[gpu]\nwalkers = 2\n", ":3: walkers stands in section [gpu]; allowed: [hardware], or above"),
    ("extends = nha\n[hardwear]\nwalkers = 2\n",
     ":2: there is no section [hardwear]; allowed: [hardware], [settings], "),
    ("extends = nha\n[phases]\n[fases]  # no key\n", ":3: there is no section [fases]; allowed: [hardware], "),
    ("[hardware]\nextends = nha\n", ":2: extends stands in section [hardware]; allowed: above all sections"),
    ("extends = nha\n[hardware]\nwalkers = 2\n# or\nwalkers = 4\n", ":5: walkers stands in line 3 already"),
    ("extends = nha\nextends = mesc\n", ":2: extends stands in line 1 already"),
    ("summary = a\nsummary = b\n", ":2: summary stands in line 1 already"),
    ("extends = nha\nsummary = a\n  walkers = 4\n", ":3: the line begins with a blank"),
    (f"summary = {'long' * 40}\n", ":1: the summary is too long; allowed: 127 characters"),
    ("extends = nha\n[hardware]\ncoalesce = 0\n", ": mode is 2; allowed: 0, because coalesce is 0"),
    ("extends = nha\n[hardware]\ntlb_entries = 100\n", "mine.ini:3: tlb_entries is 100, legal is"),
    ("extends = nha\nlanes = 48\n", "mine.ini:2: lanes is 48; allowed: 32, 64"),
    ("extends = nha\nl2_entries = 100\n", "mine.ini:2: l2_entries is 100; allowed: l2_ways"),
    ("extends = nha\nmapping = foo\n", "mine.ini:2: mapping is \"foo\"; allowed: contiguous,"),
    ("extends = nha\nsubregion_enable = 1\n", "mine.ini:2: subregion_enable is 1; allowed: 0, because subregions is 0"),
    ("extends = nha\ncolt_enable = 1\n", "colt_enable is 1; allowed: 0, because colt is 0"),
    ("extends = nha\nwalkers = 4\0 5\n", ":2: the line holds a NUL byte: a text file is needed"),
    ("extends = /nope/base.ini\n", ":1: /nope/base.ini: cannot be read"),
    ("extends = mine.ini\n", "mine.ini:1: more than 8 systems extend each other; is it a circle?"),
    ("\x1b[31mred = 1\n", ":1: there is no key \"\\x1b[31mred\""),
]


@pytest.mark.parametrize(("text", "said"), SYSTEMS)
def test_bad_system(lockwalk, tmp_path, text, said):
    path = tmp_path / "mine.ini"
    path.write_text(text)
    run = lockwalk("model", "--system", path)
    assert run.status == 2
    assert said in run.err, run.err
    assert run.err.count("\n") == 1


def test_table_reads_its_systems_before_it_runs_one(lockwalk, tmp_path):
    path = tmp_path / "mine.ini"
    path.write_text("extends = nha\nmemory_latency = soon\n")
    run = lockwalk("table", "--systems", f"baseline,{path}", "--workloads", "mvt", "--max-iters", "1")
    assert run.status == 2 and run.out == ""
    assert run.err.startswith(f"lockwalk: {path}:2: memory_latency is \"soon\"; allowed: "), run.err


READ_TOO = [
    (["--mapping", "pagemap:f"], "f", "json", "the pagemap of mapping"),
    (["--set", "dram=d.ini"], "d.ini", "log", "the timing file of dram"),
    (["--system", "top.ini"], "base.ini", "log", "a file of --system"),
    (["--trace", "."], "kernel-1.traceg", "log", "a kernel of --trace"),
    (["--trace", "."], "kernelslist.g", "json", "the list of --trace"),
]


@pytest.mark.parametrize(("arguments", "file", "option", "what"), READ_TOO, ids=[row[3] for row in READ_TOO])
def test_what_is_read_is_not_written(lockwalk, tmp_path, arguments, file, option, what):
    """Nor through a link, and before anything is read to its end: no file needs to be good."""
    for name, text in (("f", "5\n"), ("d.ini", "x\n"), ("top.ini", "extends = base.ini\n"),
                       ("base.ini", "extends = nha\n"), ("kernelslist.g", "kernel-1.traceg\n"),
                       ("kernel-1.traceg", "-\n")):
        (tmp_path / name).write_text(text)
    before = (tmp_path / file).read_text()
    (tmp_path / "link").symlink_to(file)
    for name in (file, "link"):
        run = lockwalk("model", *arguments, f"--{option}", name, cwd=tmp_path)
        assert run.status == 2
        assert run.err == f"lockwalk: --{option}: {name} is {what} too; allowed: another\n"
    assert (tmp_path / file).read_text() == before


def test_extends_a_path(lockwalk, tmp_path):
    """From the folder of the file that it stands in, whatever the program's is."""
    (tmp_path / "below").mkdir()
    (tmp_path / "base.ini").write_text("extends = nha\n  # a comment may be indented\n\t\nwalkers = 3\n")
    (tmp_path / "below" / "mine.ini").write_text("extends = ../base.ini\nsummary = mine\n[hardware]\nlines = 8\n")
    run = lockwalk("systems", "--parameters", "--system", tmp_path / "below" / "mine.ini")
    assert run.status == 0 and "-GWalkers=3" in run.out and "-GLines=8" in run.out and "-GCoalesce=1" in run.out
    run = lockwalk("systems", "--parameters", "--system", "mine.ini", cwd=tmp_path / "below")
    assert run.status == 0 and "-GWalkers=3" in run.out, run.err


def test_odd_name_of_a_system(lockwalk, tmp_path):
    path = tmp_path / "\x1b[31mrot.ini"
    path.write_text("extends = stress_small\n")
    run = lockwalk("model", "--system", path, "--workload", "random", "--max-requests", "50")
    assert run.status == 0 and run.out.startswith("random on \\x1b[31mrot, size")


def test_own_stream_and_system(lockwalk, tmp_path):
    stream = tmp_path / "mine.stream"
    stream.write_text("".join(f"{p} {0x7F0000000 + v} r\n" for v in range(600) for p in (0, 1)))
    system = tmp_path / "mine.ini"
    system.write_text("extends = stress_small\n[os]\ninvalidations = 0\nremaps = 0\n")
    run = lockwalk("cosim", "--system", system, "--stream", stream, figures=True)
    assert run.status == 0, run.err
    assert run.figures["responses"] == 1200


def test_binary_stream(lockwalk, tmp_path):
    path = tmp_path / "bad.stream"
    path.write_bytes(b"0 1 r\n\x1b]0;title\x07 \x80\xff\x00\n")
    run = lockwalk("model", "--stream", path)
    assert run.status == 2
    assert "bad.stream:2: " in run.err and run.err.count("\n") == 1
    assert run.err.strip("\n").isprintable(), repr(run.err)


def test_what_cannot_be_opened_is_not_corrupt(lockwalk, tmp_path):
    """A socket is there and cannot be opened, not even by root."""
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(tmp_path / "s"))
        for arguments in (["--trace", "s"], ["--mapping", "pagemap:s"]):
            run = lockwalk("model", *arguments, cwd=tmp_path)
            assert run.status == 2 and run.err == "lockwalk: s: cannot open it: No such device or address\n"


@pytest.mark.parametrize("seed", ["010", "0010"])
def test_numbers_are_decimal(lockwalk, seed):
    run = lockwalk("model", "--system", "stress_one", "--workload", "sequential", "--max-requests", "50", "--seed",
                   seed, "--size", seed, "--set", f"outstanding={seed}", figures=True)
    assert run.status == 0 and (run.figures["seed"], run.figures["size"]) == (10, 10)


@pytest.mark.parametrize(("name", "value"), [("LOCKWALK_VERILATOR", "debain"), ("LOCKWALK_RUNS", "shrot")])
def test_misspelt_environment(lockwalk, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    run = lockwalk("cosim", "--system", "stress_small", "--max-requests", "5")
    assert run.status == 2 and run.err.startswith(f"lockwalk: {name} is \"{value}\"; allowed: "), run.err


def test_csv_goes_on(lockwalk, tmp_path):
    """Rows are added below the same columns; not to a row that was cut."""
    path = tmp_path / "c.csv"
    for rows in (1, 2):
        assert lockwalk("contiguity", "--size", "1", "--mapping", "random", "--csv", path).status == 0
        text = path.read_text()
        assert text.count("mapping,mib") == 1 and text.count(",>") == rows
    path.write_text(text[:-5])
    run = lockwalk("contiguity", "--size", "1", "--mapping", "random", "--csv", path)
    assert run.status == 2 and "ends within a row" in run.err and path.read_text() == text[:-5]


def test_no_command(lockwalk):
    run = lockwalk()
    assert run.status == 2 and run.out == "" and "lockwalk COMMAND" in run.err


def test_help_lists_every_command(lockwalk):
    run = lockwalk("--help")
    assert run.status == 0 and lockwalk("-h").out == run.out
    for command in ("cosim", "model", "systems", "workloads", "trace-info", "table", "bench",
                    "contiguity", "hashed", "compare", "man", "completion"):
        assert command in run.out
        help_of_it = lockwalk(command, "--help")
        assert help_of_it.status == 0 and lockwalk(command, "-h").out == help_of_it.out


def test_every_system_is_listed(lockwalk):
    listed = {line.split()[0] for line in lockwalk("systems").out.splitlines()}
    assert listed == {path.stem for path in (ROOT / "systems").glob("*.ini")}
