"""A design of one's own beside the twin (`--rtl`): a copy of the RTL with another replacement policy of the PWC, a
register under another name and a signal that nobody reads."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

ON = ["--system", "stress_small", "--workload", "random", "--max-requests", "2000", "--no-progress"]
PATCH = ROOT / "examples" / "own_rtl" / "fifo.patch"


def cosim(*arguments, **environment):
    return subprocess.run([str(LOCKWALK), "cosim", *map(str, arguments)], capture_output=True, text=True, check=False,
                          cwd=ROOT, env={"PATH": "/usr/bin:/bin", "LOCKWALK_RUNS": "tests", **environment})


@pytest.fixture(scope="module")
def design(tmp_path_factory):
    """The copy, and what its first run said."""
    folder = tmp_path_factory.mktemp("own") / "mine"
    shutil.copytree(ROOT / "rtl", folder)
    subprocess.run(["patch", "-s", "-d", str(folder), "-p1", "-i", str(PATCH)], check=True)
    pwc = folder / "walk" / "page_walk_cache.sv"
    text = pwc.read_text().replace("result_hit_q", "found_q")
    pwc.write_text(text.replace("\nendmodule", "\n  logic nobody;\n  assign nobody = 1'b1;\n\nendmodule"))
    return folder, cosim("--rtl", folder, *ON, "--nets", "oracle")


def test_another_policy_answers_rightly(design):
    """The oracle knows nothing of replacement."""
    _, first = design
    assert first.returncode == 0, first.stdout + first.stderr
    assert "  faults  " in first.stdout


def test_warnings_are_printed_once(design):
    """They do not end the build, and a build that is there says nothing."""
    folder, first = design
    assert re.search(r"^%Warning-UNUSEDSIGNAL: \S*page_walk_cache.sv:\d+:", first.stderr, re.M), first.stderr
    assert re.search(r"^lockwalk: Verilator's warnings in this design: [1-9]; all are in \S+/log$", first.stderr, re.M)
    again = cosim("--rtl", folder / "files.f", *ON, "--nets", "oracle")
    assert again.returncode == 0 and again.stderr == "" and again.stdout.replace("/files.f", "") == first.stdout


def test_what_differs_is_named(design):
    """The rank of an entry that was hit, in the cycle of the hit; and the register that the copy does not have."""
    folder, _ = design
    run = cosim("--rtl", folder, *ON)
    assert run.returncode == 1
    told = r"^  PWC_RANK\[\d+\]\.RANK +rtl 0x\w+ +twin 0x\w+ +rtl/walk/\w+.sv, R6.\d+"
    assert re.search(told, run.stderr, re.M), run.stderr
    assert re.search(rf"^reproduce: .* --rtl {re.escape(str(folder))} --max-cycles \d+$", run.stderr, re.M)
    assert re.search(r"^  registers +(\d+) of (\d+) compared; not in .*: PWC_RESULT.RESULT_HIT$", run.stdout, re.M)


def test_a_map_finds_a_register(design, tmp_path):
    folder, _ = design
    where = tmp_path / "registers.map"
    where.write_text("# another name, and what is left out\n"
                     "PWC_RESULT.RESULT_HIT  u_walk.gen_pwc.u_pwc.found_q\nPWC_RANK.RANK -\n")
    run = cosim("--rtl", folder, "--registers", where, *ON)
    assert re.search(r"compared; not in .*: PWC_RANK.RANK$", run.stdout, re.M), run.stdout + run.stderr
    assert "PWC_RANK" not in run.stderr


@pytest.mark.parametrize(("line", "said"), [
    ("PWC_RESULT.RESULT_HIT u_walk.gen_pwc.u_pwc.gone_q", "the design has no register u_walk.gen_pwc.u_pwc.gone_q"),
    ("PWC_RESULT.RESULT_HIT u_walk.gen_pwc.u_pwc.result_node_q",
     "has 1 elements of 36 bits; PWC_RESULT.RESULT_HIT has 1 of 1"),
    ("PWC_RESULT.NOTHING -", 'this system has no register "PWC_RESULT.NOTHING"'),
    ("PWC_RESULT.RESULT_HIT", "allowed: STRUCTURE.FIELD and instance.name, or - for none"),
    ("PWC_RANK.RANK -\nPWC_RANK.RANK -", "map:2: PWC_RANK.RANK stands in line 1 already"),
    ("PWC_RANK.RANK u_walk.", '"u_walk." is no instance.name'),
])
def test_a_wrong_map(design, line, said, tmp_path):
    where = tmp_path / "registers.map"
    where.write_text(f"{line}\n")
    run = cosim("--rtl", design[0], "--registers", where, *ON)
    assert run.returncode == 2 and run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith(f"lockwalk: {where}:") and said in run.stderr


def test_a_flip_wants_the_register(design):
    run = cosim("--rtl", design[0], *ON, "--inject", "PWC_RESULT[0].RESULT_HIT.0@500")
    assert run.returncode == 2 and "the design of --rtl has no PWC_RESULT.RESULT_HIT" in run.stderr


def test_shrinking(design, tmp_path):
    """What is left fails by the command that is printed, and does not with any of its requests or pages left out; the
    guide says how much it is."""
    folder, _ = design
    where = tmp_path / "registers.map"
    where.write_text("PWC_RESULT.RESULT_HIT u_walk.gen_pwc.u_pwc.found_q\n")
    run = subprocess.run([str(LOCKWALK), "shrink", "--rtl", str(folder), "--registers", str(where), *ON[:4],
                          "--max-requests", "3000"], cwd=ROOT, capture_output=True, text=True, check=False,
                         env={"PATH": "/usr/bin:/bin", "LOCKWALK_RUNS": "tests"})
    assert run.returncode == 0, run.stderr
    (requests, stream), (mapped, pages) = re.findall(r"^(\d+) (?:of 3000 requests|pages): (\S+)$", run.stdout, re.M)
    runs = re.search(r", after (\d+) runs; again:$", run.stdout, re.M)[1]
    guide = (ROOT / "docs" / "guide" / "mismatch.md").read_text()
    assert f"\nIt leaves {requests} of 3000 requests and {mapped} pages in {runs} runs, " in guide
    command = shlex.split(run.stdout.splitlines()[-1])
    assert command[:2] == [str(LOCKWALK), "cosim"] and command[command.index("--stream") + 1] == stream
    for file in (stream, pages):
        lines = Path(file).read_text().splitlines(keepends=True)
        assert 0 < len(lines) < 20
        kept = tmp_path / Path(file).name
        again = [str(kept) if word == file else word for word in command[2:]]
        kept.write_text("".join(lines))
        assert cosim(*again).returncode == 1
        for i in range(len(lines)):
            kept.write_text("".join(lines[:i] + lines[i + 1:]))
            assert cosim(*again).returncode != 1, f"{file}: line {i + 1} is not needed"


def test_each_run_is_shrunk_into_a_folder_of_its_own():
    """What a second one leaves does not change what the first one's command reads."""
    arguments = ["--system", "stress_small", "--workload", "random", "--inject-twin", "COUNTER[0].COUNT.7@90"]
    commands = []
    for requests in (40, 41):
        run = subprocess.run([str(LOCKWALK), "shrink", *arguments, "--max-requests", str(requests)], cwd=ROOT,
                             capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        commands.append(shlex.split(run.stdout.splitlines()[-1]))
    streams = {Path(command[command.index("--stream") + 1]) for command in commands}
    assert len(streams) == 2 and all(stream.exists() for stream in streams)


def test_what_a_run_does_not_fail_without_stays():
    """Pages that are remapped, by an option, without which no request would wait so long."""
    arguments = ["--system", "stress_mesc", "--workload", "random", "--max-requests", "100", "--remap", "1000",
                 "--set", "longest_wait=700"]
    run = subprocess.run([str(LOCKWALK), "shrink", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    command = shlex.split(run.stdout.splitlines()[-1])
    assert command[command.index("--remap") + 1] == "1000"
    assert cosim(*command[2:]).returncode == 1


def test_what_does_not_fail_is_not_shrunk():
    run = subprocess.run([str(LOCKWALK), "shrink", *ON], cwd=ROOT, capture_output=True, text=True, check=False,
                         env={"PATH": "/usr/bin:/bin", "LOCKWALK_RUNS": "tests"})
    assert run.returncode == 2 and run.stdout == ""
    assert re.search(r"^lockwalk: shrink: the run does not fail; allowed: [^\n]+\n\Z", run.stderr, re.M)


def test_the_first_error_is_shown(tmp_path):
    shutil.copytree(ROOT / "rtl", tmp_path / "mine")
    top = tmp_path / "mine" / "iommu.sv"
    top.write_text(top.read_text().replace("  assign req_fire = ", "  assign req_fire == "))
    run = cosim("--rtl", tmp_path / "mine", *ON)
    assert run.returncode == 2
    assert re.match(r"lockwalk: building .*\n"
                    r"lockwalk: the RTL could not be built: %Error: \S*iommu.sv:\d+:\d+: syntax error",
                    run.stderr), run.stderr


@pytest.mark.parametrize(("given", "said"), [
    ("nowhere", "nowhere cannot be read"), ("rtl/iommu.sv", "allowed: a folder with a files.f"),
    ("docs", "docs/files.f cannot be read"), ("a b", "allowed: a path of letters, digits")])
def test_wrong_designs(given, said, tmp_path):
    if " " in given:
        shutil.copytree(ROOT / "rtl", tmp_path / given)
        given = tmp_path / given
    run = cosim("--rtl", given, *ON)
    assert run.returncode == 2 and run.stderr.count("\n") == 1 and "--rtl: " in run.stderr and said in run.stderr


@pytest.mark.parametrize(("options", "said"), [
    (["--registers", "README.md"], "--registers: goes with --rtl"),
    (["--rtl", "rtl", "--netlist", "x"], "--rtl and --netlist: only one of them at a time"),
])
def test_options_that_do_not_go_together(options, said):
    run = cosim(*options, *ON)
    assert run.returncode == 2 and said in run.stderr
