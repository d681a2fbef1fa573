"""The commands of the guide and of docs/machine.md print what these say. A block is a shell session: lines with `$ `
are commands, the others what they print, on stdout and then on stderr; `...` stands for anything within a line, and as
a line for any lines."""

import re
import shlex
import subprocess

import pytest

from tests.harness.program import LOCKWALK
from tools.project import ROOT

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


def rows(section):
    """The cells of the rows of the guide's table in a section."""
    text = re.split(rf"^## {section}$", (ROOT / "docs/guide.md").read_text(), flags=re.M)[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in re.findall(r"^\| `.*$", text, re.M)]


def output(*words):
    return subprocess.run([str(LOCKWALK), *map(str, words)], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout


def test_kernels():
    """The default sizes are those of `lockwalk workloads`, the footprints those of the pages that `lockwalk hashed`
    places, and whoever is listed is a kernel."""
    listed = dict(re.findall(r"^(\w+) .*; default (\d+):", output("workloads"), re.M))
    said = {}
    for kernels, _, size, footprint, _ in rows("Kernels"):
        names, mib = re.findall(r"`(\w+)`", kernels), footprint.split(", ")
        sizes = re.findall(r"\b\d+\b", size.split("(")[0])
        for i, name in enumerate(names):
            said[name] = sizes[i % len(sizes)], float(mib[i % len(mib)])
    assert {name: size for name, (size, _) in said.items()} == listed
    for name, (_, mib) in said.items():
        placed = re.search(r" pages, ([\d.]+) MiB", output("hashed", "--workload", name))[1]
        assert float(placed) == pytest.approx(mib, abs=0.051), name  # a page at the end of an array may be a part of it


@pytest.mark.parametrize("system", sorted(path.stem for path in (ROOT / "systems").glob("stress_*.ini")))
def test_hits_of_drawn_streams(system):
    """In the stress systems `random` hits in less than a tenth of its lookups, `phases` in an eighth to a half."""
    rates = {stream: float(re.search(r"TLB hit rates .*unified ([\d.]+)", output(
        "model", "--system", system, "--workload", stream, "--max-requests", 10000))[1])
        for stream in ("random", "phases")}
    assert rates["random"] < 0.1 and 0.125 <= rates["phases"] <= 0.5


def test_every_session_is_run():
    """Each line with a prompt is one of a session, whatever block it stands in."""
    assert sum(map(len, SECTIONS.values())) == len(re.findall(r"^\$ ", GUIDE, re.M)) > 20


def test_a_wrong_line_barks():
    assert matches(["a", "b", "c"], ["a", "...", "c"]) and matches(["a"], ["...", "a", "..."])
    assert matches(["one two"], ["o...w..."]) and not matches(["one two"], ["o...x..."])
    for said in (["a", "...", "d"], ["a", "c"], ["a", "b", "c", "d"], ["a", "b"]):
        assert not matches(["a", "b", "c"], said)
    assert sessions("```\n$ x y\n1\n2\n$ z\n```\n```\nno session\n```\n") == [("x y", ["1", "2"]), ("z", [])]
