"""Bash completes commands, options, and names of systems, workloads, comparisons, counters and keys: the script is
sourced, and what it offers for a line is held against what the program itself lists."""

import re
import shlex
import subprocess

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

SOURCE = subprocess.run([str(LOCKWALK), "completion", "bash"], capture_output=True, text=True, check=True).stdout


def complete(line, source=SOURCE):
    """The words that are offered at the end of the line; = is a word of its own, as bash has it."""
    words = [part for word in line.split(" ") for part in (re.split("(=)", word) if "=" in word else [word])]
    if "=" in words and words[-1] == "":
        words.pop()
    quoted = " ".join(map(shlex.quote, words))
    script = (f"{source}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
              f"_lockwalk {shlex.quote(str(LOCKWALK))}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
    done = subprocess.run(["bash", "--norc", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return {word for word in done.stdout.split("\n") if word}


def listed(*arguments, column=0):
    out = subprocess.run([str(LOCKWALK), *arguments], capture_output=True, text=True, check=True).stdout
    return {line.split()[column] for line in out.splitlines()}


def options(command):
    out = subprocess.run([str(LOCKWALK), command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  (--\S+)", out, re.M))


COMMANDS = set(re.findall(r"^  (\S+)", subprocess.run([str(LOCKWALK), "--help"], capture_output=True, text=True,
                                                      check=True).stdout, re.M))
LINES = {
    "lockwalk ": COMMANDS | {"--help", "--version"},
    "lockwalk co": {"cosim", "contiguity", "compare", "completion"},
    "lockwalk cosim --sy": {"--system"},
    "lockwalk cosim --max-": {"--max-requests", "--max-iters", "--max-launches", "--max-groups", "--max-cycles"},
    "lockwalk bench --sys": set(),
    "lockwalk cosim --workload mv": {"mvt", "mvt_f32"},
    "lockwalk cosim --workload ": listed("workloads"),
    "lockwalk systems --show nha_": {name for name in listed("systems") if name.startswith("nha_")},
    "lockwalk cosim --system=nha_w": {"nha_walkers32"},
    "lockwalk cosim --workload=": listed("workloads"),
    "lockwalk table ": {"nha", "mesc"},
    "lockwalk table --systems nha,mesc_h": {"nha,mesc_headfirst"},
    "lockwalk table --counters pwc_": {"pwc_lookups", "pwc_hits"},
    "lockwalk model --set walk_q": {"walk_queue="},
    "lockwalk model --set ": {f"{key}=" for key in listed("systems", "--keys", column=1)},
    "lockwalk model --through ": {"unit", "tlbs"},
    "lockwalk model --stream tests/data/streams/own.": {"tests/data/streams/own.stream", "tests/data/streams/own.map"},
    "lockwalk trace-info tests/data/trace6": {"tests/data/trace6"},
    "lockwalk model --seed ": set(),
    "lockwalk completion ": {"bash"},
    "lockwalk nope ": set(),
}


@pytest.mark.parametrize("line", LINES)
def test_line(line):
    assert complete(line) == LINES[line]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_option(command):
    assert complete(f"lockwalk {command} --") == options(command)


def test_the_systems_are_those_that_are_there():
    assert {path.stem for path in (ROOT / "systems").glob("*.ini")} <= complete("lockwalk cosim --system ")


def test_every_name_is_completed():
    """A new option whose value is a name has a list of names in the table."""
    values = dict(re.findall(r"^    (--\S+)\) echo '(.*)' ;;$", SOURCE, re.M))
    for command in COMMANDS:
        out = subprocess.run([str(LOCKWALK), command, "--help"], capture_output=True, text=True, check=True).stdout
        for option, value in re.findall(r"^  (--\S+) (\S+)", out, re.M):
            if option != "--nets" and re.search("NAME|LIST|KEY", value):
                assert "@" in values[option], option


def test_a_broken_script_barks():
    assert complete("lockwalk cosim --sy", SOURCE.replace(" --system ", " --sistem ")) != LINES["lockwalk cosim --sy"]
    assert complete("lockwalk table --systems nha,mesc_h", SOURCE.replace(" LIST'", "'")) == set()
