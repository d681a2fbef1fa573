"""The commands of the guide and of docs/machine.md print what these say. A block is a shell session: lines with `$ ` are
commands, the others what they print, on stdout and then on stderr; `...` stands for anything within a line, and as a
line for any lines."""

import re
import shlex
import subprocess

import pytest
from conftest import LOCKWALK, ROOT

DOCUMENTS = [ROOT / "docs/guide.md", *sorted((ROOT / "docs/guide").glob("*.md")), ROOT / "docs/machine.md"]
GUIDE = "".join(path.read_text() for path in DOCUMENTS)


def sessions(text):
    """[(command, lines)] of all blocks that begin with a command."""
    found = []
    for block in re.findall(r"^```\n(\$ .*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *lines = part.splitlines()
            found.append((command, lines))
    return found


def matches(printed, said):
    """Whether the lines are those that the guide says, with any lines for `...`."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
                      for line in said)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def run(command, folder):
    """What it prints; `lockwalk` and `cat` only, files that it writes go to the folder."""
    name, *arguments = shlex.split(command)
    program = {"lockwalk": str(LOCKWALK), "cat": "cat"}[name]
    arguments = [a.replace("/tmp", str(folder), 1) if a.startswith("/tmp/") else a for a in arguments]
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).replace(str(folder), "/tmp").splitlines()


SECTIONS = {f"{path.stem}: {title.lstrip('# ')}": found for path in DOCUMENTS
            for title, _, text in (part.partition("\n") for part in re.split(r"^## ", path.read_text(), flags=re.M))
            if (found := sessions(text))}


# A section at a time: a later command may read what an earlier one has written.
@pytest.mark.parametrize("section", SECTIONS)
def test_guide(section, tmp_path):
    for command, said in SECTIONS[section]:
        printed = run(command, tmp_path)
        assert matches(printed, said), "\n".join([command, *printed])


def test_every_session_is_run():
    assert sum(map(len, SECTIONS.values())) == len(sessions(GUIDE)) > 20


def test_a_wrong_line_barks():
    assert matches(["a", "b", "c"], ["a", "...", "c"]) and matches(["a"], ["...", "a", "..."])
    assert matches(["one two"], ["o...w..."]) and not matches(["one two"], ["o...x..."])
    for said in (["a", "...", "d"], ["a", "c"], ["a", "b", "c", "d"], ["a", "b"]):
        assert not matches(["a", "b", "c"], said)
    assert sessions("```\n$ x y\n1\n2\n$ z\n```\n```\nno session\n```\n") == [("x y", ["1", "2"]), ("z", [])]
