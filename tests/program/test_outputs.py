"""What a run writes is whole, or one sentence says that it is not and the status is not 0; what is no regular file is
written to and stays what it is; a run that is interrupted closes its files and says where it stood."""

import json
import os
import resource
import signal
import stat
import subprocess
import threading

import pytest

from tests.harness.program import LOCKWALK, project_of_links
from tools.project import ROOT

STRESS = ["--system", "stress_small", "--workload", "random", "--max-requests", "300"]
ENDLESS = [*STRESS[:-1], "100000000"]


def run(*arguments, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([LOCKWALK, *map(str, arguments)], text=True, check=False, cwd=ROOT, **options)


def small_files():
    """As on a disk that is full after 20 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


def assert_one_sentence(done, said):
    assert done.returncode == 2
    assert done.stderr.startswith("lockwalk: ") and done.stderr.count("\n") == 1, done.stderr
    assert said in done.stderr, done.stderr


@pytest.mark.parametrize(("command", "option"), [("cosim", "waves"), ("model", "log")])
def test_full_disk(tmp_path, command, option):
    assert run(command, *STRESS, f"--{option}", tmp_path / "file").returncode == 0  # the RTL is built
    done = run(command, *STRESS, f"--{option}", tmp_path / "file", preexec_fn=small_files)
    assert_one_sentence(done, f"--{option}: {tmp_path / 'file'} could not be written to its end")


@pytest.mark.parametrize("option", ["json", "coverage", "konata", "perfetto"])
def test_full_disk_leaves_the_old_file(tmp_path, option):
    path = tmp_path / "file"
    path.write_text("old")
    done = run("model", *STRESS, f"--{option}", path,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert_one_sentence(done, f"--{option}: {path} could not be written to its end")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("option", ["json", "log", "coverage", "konata", "perfetto"])
def test_full_device(tmp_path, option):
    device = tmp_path / "full"  # a link: as root, a program that replaces what it writes to would take the device away
    device.symlink_to("/dev/full")
    done = run("model", *STRESS, f"--{option}", device)
    assert_one_sentence(done, f"--{option}: {device} could not be written to its end (No space left on device)")
    assert device.is_symlink() and stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize("command", [["model", *STRESS], ["systems"], ["--help"]], ids=lambda c: c[0])
def test_full_stdout(command):
    with open("/dev/full", "w") as full:
        assert_one_sentence(run(*command, stdout=full), "standard output could not be written to its end")


def test_closed_stdout(tmp_path):
    """The figures do not go into the file that is opened first."""
    done = run("model", *STRESS, "--log", tmp_path / "log", preexec_fn=lambda: os.close(1))
    assert_one_sentence(done, "standard output could not be written to its end")
    assert "page-table accesses" not in (tmp_path / "log").read_text()


def test_json_through_a_link(tmp_path):
    link, target = tmp_path / "link", tmp_path / "folder" / "target"
    target.parent.mkdir()
    link.symlink_to("folder/target")
    for _ in range(2):  # a target that is not there, and one that is
        assert run("model", *STRESS, "--json", link).returncode == 0
        assert link.is_symlink() and json.loads(target.read_text())["verdict"] == "equal"
        target.chmod(0o640)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("option", ["json", "log"])
def test_fifo(tmp_path, option):
    fifo, read = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
    reader.start()
    done = run("model", *STRESS, f"--{option}", fifo)
    reader.join(timeout=10)
    assert done.returncode == 0 and stat.S_ISFIFO(fifo.stat().st_mode)
    assert read[0].startswith("{" if option == "json" else "  cycle")


def test_json_to_stdout(tmp_path):
    """The summary before it stays, also where stdout is a file."""
    with open(tmp_path / "out", "w") as out:
        assert run("model", *STRESS, "--json", "/proc/self/fd/1", stdout=out).returncode == 0
    text = (tmp_path / "out").read_text()
    assert text.startswith("random on stress_small") and json.loads(text[text.index("{"):])["verdict"] == "equal"


def test_odd_bytes_in_json(tmp_path):
    """JSON is UTF-8, whatever the name of a file is."""
    stream = os.fsencode(tmp_path) + b"/m\xfc.stream"
    with open(stream, "w") as file:
        file.write("0 0x10000 r\n")
    path = tmp_path / "figures.json"
    done = subprocess.run([LOCKWALK, "model", "--system", "stress_small", "--stream", stream, "--json", path],
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(path.read_text())["workload"].endswith("/m\\xfc.stream")


def interrupt(signal_number, *arguments):
    # A background job ignores SIGINT, and so would what it starts.
    heard = ["env", f"--default-signal={signal_number}", LOCKWALK]
    with subprocess.Popen([*heard, *map(str, arguments), "--progress"], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as running:
        while "requests" not in running.stderr.read(1000):  # it runs
            assert running.poll() is None
        running.send_signal(signal_number)
        out, err = running.communicate(timeout=30)
    return running.returncode, out, err.rsplit("\033[K", maxsplit=1)[-1]


def test_interrupt(tmp_path):
    assert run("cosim", *STRESS, "--waves", tmp_path / "w.fst").returncode == 0  # the RTL is built
    waves, figures, log = tmp_path / "w.fst", tmp_path / "f.json", tmp_path / "log"
    files = ["--waves", waves, "--json", figures, "--log", log]
    status, out, err = interrupt(signal.SIGINT, "cosim", *ENDLESS, *files)
    assert status == 128 + signal.SIGINT
    read = json.loads(figures.read_text())
    assert read["verdict"] == "interrupted" and read["cycles"] > 0 and read["mismatches"] == 0
    assert err == (f"lockwalk: random on stress_small: interrupted in cycle {read['cycles']}, after "
                   f"{read['responses']} responses\n")
    assert f"cycles               {read['cycles']}\n" in out
    assert log.read_text().endswith("\n")
    # Verilator's writer leaves the header for the end; an FST file begins with one of 329 bytes and holds the end.
    header = waves.read_bytes()[:25]
    assert header[:9] == bytes([0, *(329).to_bytes(8, "big")])
    assert int.from_bytes(header[17:25], "big") >= 2 * read["cycles"]


def assert_interrupted(number, *command):
    """One sentence, however many runs there were."""
    status, _, err = interrupt(number, *command)
    assert status == 128 + number and ": interrupted in cycle " in err and err.count("\n") == 1


def test_interrupt_of_the_twin():
    assert_interrupted(signal.SIGTERM, "model", *ENDLESS)


@pytest.fixture(scope="module", name="side_by_side")
def _side_by_side():
    """Two runs that do not end, each in a process of its own; their RTL is built."""
    command = ["table", "--systems", "stress_small,stress_off", "--workloads", "random", "--jobs", "2"]
    assert run(*command, "--max-requests", "10").returncode == 0
    return [*command, *ENDLESS[-2:]]


def test_interrupt_of_runs_side_by_side(side_by_side):
    assert_interrupted(signal.SIGINT, *side_by_side)


def test_run_that_dies_is_named(side_by_side):
    """Of runs side by side one that the system ends (for want of memory, as a rule) has its sentence."""
    with subprocess.Popen([LOCKWALK, *side_by_side, "--progress"], cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while "requests" not in running.stderr.read(100):
            assert running.poll() is None
        first = subprocess.run(["pgrep", "-o", "-P", str(running.pid)], capture_output=True, text=True, check=True)
        os.kill(int(first.stdout), signal.SIGKILL)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 2
    assert err.endswith("lockwalk: random on stress_small: its process was ended by signal 9\n")


def test_reproduction(tmp_path):
    """The command that a report begins with does it again, from any folder and whatever a name holds."""
    folder = tmp_path / "it's here; $(touch stray)"
    folder.mkdir()
    (folder / "mine.ini").write_text("extends = stress_small\n")
    done = subprocess.run([LOCKWALK, "cosim", "--system", "mine.ini", *STRESS[2:], "--nets", "state,oracle",
                           "--inject-twin", "COUNTER[0].COUNT.7@1000"], cwd=folder, capture_output=True, text=True,
                          check=False)
    command = done.stderr.split("reproduce: ", maxsplit=1)[1].splitlines()[0]
    assert "--nets state,oracle" in command
    again = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == again.returncode == 1
    # Whichever run needs an RTL that is not there yet says that it builds it.
    reports = ["".join(line for line in run.stderr.splitlines(True) if "building the RTL" not in line)
               for run in (done, again)]
    assert reports[0] == reports[1] and "MISMATCH in cycle 1000" in reports[1]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_regression_is_not_kept_on_a_full_disk(tmp_path):
    (tmp_path / "tests" / "unit").mkdir(parents=True)
    program = project_of_links(tmp_path, "tests")
    kept = tmp_path / "tests" / "regressions.list"
    kept.write_text("# before\n" * 2222)
    before = kept.read_text()
    done = subprocess.run([program, "cosim", *STRESS, "--set", "longest_wait=100", "--keep"], capture_output=True,
                          text=True, check=False, preexec_fn=small_files)
    assert done.returncode == 1 and "kept in " not in done.stderr, done.stderr
    assert f"lockwalk: --keep: {kept} could not be written to its end (File too large)\n" in done.stderr
    assert kept.read_text() == before


def test_regressions_are_kept_once(tmp_path):
    """In a project of links, whose list is its own."""
    (tmp_path / "tests" / "unit").mkdir(parents=True)  # where the Makefile looks for unit tests
    program = project_of_links(tmp_path, "tests")
    hang = ["cosim", *STRESS, "--set", "longest_wait=100"]
    for keep, kept in ((False, False), (True, True), (True, False)):
        done = subprocess.run([program, *hang, *(["--keep"] if keep else [])],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 1 and ("kept in " in done.stderr) == kept, done.stderr
    kept = (tmp_path / "tests" / "regressions.list").read_text()
    assert kept == "--system stress_small --workload random --seed 1 --max-requests 300 --set longest_wait=100\n"
