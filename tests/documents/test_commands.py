"""The commands that README.md, CONTRIBUTING.md and the guide name are there and take what they are given. Nothing long
is run: make ends where it has read its files, `lockwalk` where it has read its command line."""

import re
import shlex
import subprocess

import pytest

from tests.harness.make import make
from tests.harness.program import LOCKWALK
from tools.project import ROOT

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/guide.md",
             *(f"docs/guide/{path.name}" for path in sorted((ROOT / "docs/guide").glob("*.md")))]
# Words that stand for what the reader has, with one that will do.
STANDS_FOR = {"N": "1", "FILE": "README.md", "NAME": "nha", "TRACE": "tests/data/trace6", "SPEC": "TLB[3].PFN.1@500"}
# These commands take no longer than a test may.
QUICK = ["--help", "--version", "systems", "registers", "workloads", "man", "completion"]
VARIABLES = set(re.findall(r"\b[A-Z][A-Z_]+\b", " ".join(re.findall(
    r"^(?:TAKES_\S+|RUNS_OF|SYNTH) *:= *(.*)$", (ROOT / "mk" / "variables.mk").read_text(), re.M))))


def commands(text):
    """What stands as code in a text: each span within a paragraph, and each line of a block without its prompt."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.M | re.S)
    lines = [line.removeprefix("$ ").split(" #")[0] for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [" ".join(code.split()).removeprefix("build/") for code in lines + spans]


def plain(command):
    """The words without what says that some may be left out or that others may follow."""
    command = re.sub(r"\[([^\],=\s]+), [^\]]*\]", r"\1", command)  # one of these: the first
    command = re.sub(r"(?<=\s)\[([^\]]*)\]", r"\1", command)
    return [STANDS_FOR.get(word, word) for word in shlex.split(command) if word not in ("...", "..")]


def help_of(*command):
    return subprocess.run([str(LOCKWALK), *command], capture_output=True, text=True, check=True).stdout


NAMES = {word: {line.split()[0] for line in help_of(list_).splitlines()}
         for word, list_ in {"SYSTEM": "systems", "WORKLOAD": "workloads"}.items()}
COMMANDS = re.findall(r"^  (\S+)", help_of("--help"), re.M)


def wrong_make(words, folder):
    """A sentence where make does not know the target or a variable, or a value of one is the name of nothing."""
    last = folder / "last.mk"
    last.write_text("$(error all is read)\n")
    said = make("-f", "Makefile", "-f", str(last), *words).stderr
    if "all is read" not in said:
        return said
    for name, value in (word.split("=", 1) for word in words if "=" in word):
        if value not in NAMES.get(name, {value}):
            return f"{name}={value}: there is none"
        if name in ("TESTS", "FILE") and not (ROOT / value).exists():
            return f"{name}={value}: there is no such file"
    return None


def wrong_lockwalk(words):
    """A sentence where the program does not take these words; --help keeps it from running the command."""
    for command in COMMANDS if words[:1] == ["COMMAND"] else [None]:
        asked = words if command is None else [command, *words[1:]]
        quick = asked[0] in QUICK
        done = subprocess.run([str(LOCKWALK), *asked, *([] if quick else ["--help"])], cwd=ROOT, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            return done.stderr
    return None


def test_options_stand_with_their_commands():
    """In the tables of a run's options each is one of `cosim`, or of the commands that its row names."""
    found = 0
    for path, section in (("guide.md", "What a run writes"), ("guide/mismatch.md", "Trying the lockstep itself")):
        text = (ROOT / "docs" / path).read_text().split(f"## {section}")[1].split("\n## ")[0]
        for names, meaning in re.findall(r"^\| (`--.*?) \| (.*) \|$", text, re.M):
            for command in re.findall(r"`lockwalk (\w+)`", meaning) or ["cosim"]:
                taken = re.findall(r"^  (--\S+)", help_of(command, "--help"), re.M)
                assert set(re.findall(r"`(--[\w-]+)", names)) <= set(taken), (command, names)
                found += 1
    assert found > 15


OPTIONS = {option for command in COMMANDS for option in re.findall(r"^  (--\S+)", help_of(command, "--help"), re.M)}


def wrong(command, folder):
    """A sentence, or None where the command is right or is none."""
    if re.match(r"(make|lockwalk)\b(?!:| [A-Z]+$)", command) and " " in command:
        name, *words = plain(command)
        return wrong_make(words, folder) if name == "make" else wrong_lockwalk(words)
    if re.match(r"--[a-z]", command):
        unknown = {word.split("=")[0] for word in plain(command) if word.startswith("--")} - OPTIONS
        return f"no command has {unknown}" if unknown else None
    if (variable := re.match(r"([A-Z_]{2,})=\S", command)) and variable[1] not in VARIABLES:
        return f"no target takes {variable[1]}"
    if found := re.search(r"^\.venv/bin/python .*?(\S+\.py)\b", command):
        return None if (ROOT / found[1]).exists() else f"there is no {found[1]}"
    return None


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_are_taken(document, tmp_path):
    found = dict.fromkeys(commands((ROOT / document).read_text()))
    assert sum(command.startswith(("make ", "lockwalk ")) for command in found) > 1, "the commands are not found"
    refused = {command: sentence for command in found if (sentence := wrong(command, tmp_path))}
    assert refused == {}


@pytest.mark.parametrize("text", [
    "`make tset`", "`make cosim SISTEM=nha`", "`make\ncosim SYSTEM=nah`", "`make model [WAVES=f.fst]`",
    "`make synth-delta`",
    "`make cosim WORKLOAD=mtv`", "`make test TESTS=tests/test_nope.py`", "`lockwalk cosin --help`", "`TSETS=a`",
    "`lockwalk model --sedd 1`", "`lockwalk model --seed x`", "```\n$ lockwalk bench --seed 1\n```\n",
    "`--injekt SPEC`",
    "`lockwalk systems --show nah`", "`.venv/bin/python -m pytest -q tests/test_nope.py`",
    "```\nmake rnu  # all\n```\n",
])
def test_a_wrong_command_barks(text, tmp_path):
    assert [wrong(command, tmp_path) for command in commands(text)] != [None]


@pytest.mark.parametrize("text", [
    "`make model ...`", "`make cosim SYSTEM=nha [WAVES=f.fst]`", "`lockwalk table [nha, mesc]`", "`--remap N`",
    "`lockwalk systems [--keys]`", "`lockwalk COMMAND --help`", "`build/lockwalk`", "`makes`",
    "`make fpga [OPTIONS=\"--module M\"]`",
])
def test_a_right_command_is_taken(text, tmp_path):
    assert [wrong(command, tmp_path) for command in commands(text)] == [None]
