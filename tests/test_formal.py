"""The proofs that take seconds (formal/), a broken copy of the RTL that each of them must see, and what is refused.
All of them: `make formal`."""

import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "formal"))
import formal

ROWS = formal.wanted([], only_cheap=True)
LONG = [row for row in formal.wanted([], only_cheap=False) if not row.get("cheap")]


def run(*arguments):
    return subprocess.run([sys.executable, ROOT / "formal" / "formal.py", *arguments], cwd=ROOT, capture_output=True,
                          text=True, check=False)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_holds(row):
    result = formal.prove(row)
    assert result.held, formal.told(row, result)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_breaks_bark(row):
    """The counterexample fails again in Yosys's simulation, and is kept."""
    for broken in row["breaks"]:
        result = formal.prove(row, broken)
        assert result.trace is not None, broken["says"]
        assert "$enddefinitions" in result.trace.read_text()


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


def test_unknown_property_is_refused():
    done = run("--property", "nothing")
    assert done.returncode == 2
    assert done.stderr.startswith("formal: --property: nothing is none; allowed: ring, ")
