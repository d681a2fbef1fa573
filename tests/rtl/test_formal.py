"""The proofs that take seconds (formal/), a broken copy of the RTL that each of them must see, and what is refused.
All of them: `make formal`."""

import re
import subprocess
import sys

import pytest
import yaml

from formal import formal
from tools.project import ROOT

ROWS = formal.wanted([], only_cheap=True)
FILES = list(dict.fromkeys(row["file"] for row in ROWS))
BREAKS = {name: [(row, broken) for row in ROWS if row["file"] == name for broken in row["breaks"]] for name in FILES}
LONG = [row for row in formal.wanted([], only_cheap=False) if not row.get("cheap")]


def run(*arguments):
    return subprocess.run([sys.executable, ROOT / "formal" / "formal.py", *arguments], cwd=ROOT, capture_output=True,
                          text=True, check=False)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_holds(row):
    result = formal.prove(row)
    assert result.held, formal.told(row, result)


@pytest.mark.parametrize("name", FILES)
def test_breaks_bark(name):
    """The counterexample fails again in Yosys's simulation, and is kept. Of the assertions that have a name each fails
    at one of the breaks: what none of them violates may say nothing."""
    failing = set()
    for row, broken in BREAKS[name]:
        result = formal.prove(row, broken)
        assert result.trace is not None, broken["says"]
        assert "$enddefinitions" in result.trace.read_text()
        failing |= result.failing
    assert formal.asserted_in(name) - failing == set()


def test_assertions_have_names():
    """A name asks for a break."""
    for path in (ROOT / "formal").glob("*.sv"):
        assert len(formal.asserted_in(path.name)) == path.read_text().count("assert property"), path.name


@pytest.mark.parametrize("row", LONG, ids=[row["name"] for row in LONG])
def test_long_ones_can_be_read(row):
    """Their proofs take minutes; that they fit the ports and names of the RTL is seen at once."""
    formal.read(row)


def test_every_property_has_a_break():
    rows = formal.wanted([], only_cheap=False)
    broken = {row["file"] for row in rows if row.get("breaks")}
    assert broken == {row["file"] for row in rows}


def test_what_a_break_changes_is_there():
    """Those of the long proofs too, which only `make formal` makes."""
    for row in formal.wanted([], only_cheap=False):
        for broken in row.get("breaks", []):
            assert (ROOT / broken["file"]).read_text().count(broken["text"]) == 1, broken["says"]


ASSUMPTION = re.compile(r"(?:\b(\w+)\s*:\s*)?\bassume property")


def assumptions(folder):
    """[(file, label)] of all assumptions in its files; the label is empty where there is none."""
    return [(path.name,
             label) for path in sorted(folder.glob("*.sv")) for label in ASSUMPTION.findall(path.read_text())]


def unanswered(row):
    """What the row of an assumption names and is not there."""
    proofs = {proof["name"] for proof in formal.wanted([], only_cheap=False)}
    lost = [name for name in row.get("proved", []) if name not in proofs]
    for name in row.get("watched", []):
        checker, _, label = name.partition(".")
        path = ROOT / "tb" / f"{checker}_checker.sv"
        if not path.exists() or not re.search(rf"\b{label} : assert property", path.read_text()):
            lost.append(name)
    asked = (ROOT / "docs/architecture/00-guarantees.md").read_text().partition("## What the unit asks")[2]
    return lost + [row[key] for key in ("asked",) if key in row and row[key] not in asked.partition("\n## ")[0]]


def test_every_assumption_is_answered_for():
    """What is assumed by a proof and is not so would make it worthless: somebody must notice."""
    rows = yaml.safe_load((ROOT / "formal" / "assumptions.yaml").read_text())
    found = assumptions(ROOT / "formal")
    assert [(row["file"], row["assumption"]) for row in rows] == found and len(set(found)) == len(found)
    assert all(row.keys() & {"watched", "proved", "asked", "chosen"} for row in rows)
    assert [lost for row in rows for lost in unanswered(row)] == []


def test_an_assumption_that_nobody_answers_for_shows(tmp_path):
    (tmp_path / "a.sv").write_text("  known : assume property (@(posedge clk_i) a);\n  assume property (b);\n")
    assert assumptions(tmp_path) == [("a.sv", "known"), ("a.sv", "")]
    assert unanswered({"watched": ["pwc.told", "pwc.gone", "none.told"], "proved": ["ring", "rung"],
                       "asked": "each line request is forgotten"}) == [
        "rung", "pwc.gone", "none.told", "each line request is forgotten"]


def test_nothing_to_prove_is_refused():
    done = run("--property", LONG[0]["name"], "--cheap")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"formal: --cheap: {LONG[0]['name']} takes longer than seconds; allowed: ring, ")


def test_unknown_property_is_refused():
    done = run("--property", "nothing")
    assert done.returncode == 2
    assert done.stderr.startswith("formal: --property: nothing is none; allowed: ring, ")
