"""The proofs that take seconds (formal/), a broken copy of the RTL that each of them must see, and what is refused.
All of them: `make formal`."""

import json
import re
import subprocess
import sys

import pytest
import yaml

from formal import formal
from tools.project import ROOT
from tools.refusal import Refusal

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


def engine(monkeypatch, folder, said, inputs=1, asserts=(["\\b.told"],)):
    """In place of Yosys a design with so many inputs, of which one is named, and these assertions; in place of ABC one
    that says these words, one after the other. What ABC was asked for is returned."""
    asked = []

    def yosys(_, log):
        names = {"input_count": inputs, "inputs": [1], "seqs": [], "inits": [], "asserts": asserts}
        log.with_suffix(".ywa").write_text(json.dumps(names))

    def abc(script, _):
        asked.append(script)
        return said[len(asked) - 1]

    monkeypatch.setattr(formal, "BUILD", folder)
    monkeypatch.setattr(formal, "yosys", yosys)
    monkeypatch.setattr(formal, "abc", abc)
    return asked


BOUNDED = {**ROWS[0], "engine": "bmc", "depth": 12, "limit": 7}
FOR_ALL_TIME = {**ROWS[0], "engine": "pdr"}


@pytest.mark.parametrize(("row", "said", "held", "told"), [
    (FOR_ALL_TIME, "Property proved.  Time = 1.00 sec", True, "proved"),
    (FOR_ALL_TIME, "Reached timeout (120 seconds).", False, f"{ROWS[0]['name']} is not proved in time"),
    (FOR_ALL_TIME, "No output asserted in 12 frames.", False, f"{ROWS[0]['name']} is not proved in time"),
    (FOR_ALL_TIME, "", False, f"{ROWS[0]['name']} is not proved in time"),
    (BOUNDED, "No output asserted in 12 frames.", True, "depth 12"),
    (BOUNDED, "No output asserted in 13 frames.", True, "depth 13"),
    (BOUNDED, "No output asserted in 11 frames.", False, f"{ROWS[0]['name']} is shown to depth 11 of 12 in time"),
    (BOUNDED, "", False, f"{ROWS[0]['name']} is shown to depth 0 of 12 in time"),
], ids=lambda part: part if isinstance(part, str) else "")
def test_what_the_engine_says(row, said, held, told, monkeypatch, tmp_path):
    """A row holds as far as it says, or does not: what has run out of time proves nothing."""
    asked = engine(monkeypatch, tmp_path, [said])
    result = formal.prove(row)
    assert (result.held, formal.told(row, result)) == (held, told)
    assert ("; pdr -T 120; " if row is FOR_ALL_TIME else "; bmc3 -F 12 -T 7; ") in asked[0]


def test_what_is_solved_before_the_engine_is_asked_again(monkeypatch, tmp_path):
    """With less done before, so that it is the engine that says it."""
    asked = engine(monkeypatch, tmp_path, ["All outputs solved", "Property proved."])
    assert formal.prove(FOR_ALL_TIME).held and ["scorr" in script for script in asked] == [True, False]


@pytest.mark.parametrize(("design", "sentence"), [
    ({"inputs": 2}, "something in the design is driven by nobody"),
    ({"asserts": []}, "nothing is asserted"),
])
def test_nothing_is_proved_of_such_a_design(design, sentence, monkeypatch, tmp_path):
    engine(monkeypatch, tmp_path, ["Property proved."], **design)
    with pytest.raises(Refusal, match=f"^{FOR_ALL_TIME['name']}: {sentence}"):
        formal.prove(FOR_ALL_TIME)


def called(monkeypatch, *arguments):
    """The exit status of formal.py with these arguments, in this process."""
    monkeypatch.setattr(sys, "argv", ["formal.py", "--jobs", "1", *arguments])
    return formal.main()


@pytest.mark.parametrize(("held", "status", "last"), [
    ((True, True), 0, "2 hold, 0 do not"), ((True, False), 1, "1 hold, 1 do not"),
    ((False, False), 1, "0 hold, 2 do not")])
def test_the_table_and_its_status(held, status, last, monkeypatch, capsys):
    """Status 0 where every row holds, else 1; a row each, by its name."""
    names = [row["name"] for row in ROWS[:2]]
    results = {name: formal.Result(is_held, 20, 3.4, None, "fails") for name, is_held in zip(names, held, strict=True)}
    monkeypatch.setattr(formal, "prove", lambda row: results[row["name"]])
    assert called(monkeypatch, *(word for name in names for word in ("--property", name))) == status
    head, *rows, end = capsys.readouterr().out.splitlines()
    assert head.split() == ["property", "engine", "result", "time", "configuration"] and end == last
    for line, row, is_held in zip(rows, ROWS, held, strict=False):
        said = ["depth", "20"] if is_held else [row["name"], "fails"]
        assert line.split()[:6] == [row["name"], row["engine"], *said, "3", "s"]
        assert line.endswith(f"  {formal.configuration(row)}")


@pytest.mark.parametrize(("seen", "status"), [(True, 0), (False, 1)])
def test_breaks_and_their_status(seen, status, monkeypatch, capsys, tmp_path):
    """A break that nobody sees is one that leaves no run behind it, whatever the engine has said besides."""
    row = next(row for row in ROWS if len(row["breaks"]) > 1)
    first, *others = row["breaks"]
    monkeypatch.setattr(formal, "prove", lambda _, broken: formal.Result(
        False, 9, 1.0, tmp_path if seen or broken != first else None))
    assert called(monkeypatch, "--breaks", "--property", row["name"]) == status
    lines = capsys.readouterr().out.splitlines()
    said = "seen in cycle 9" if seen else "NOT SEEN"
    assert lines[0] == f"{row['name']}: {first['file']}: {first['says']}: {said}, 1 s"
    assert lines[-1] == f"{len(others) + seen} breaks seen, {1 - seen} not" and len(lines) == len(others) + 2


@pytest.mark.parametrize(("failing", "status", "told"), [
    (formal.asserted_in("lru.sv"), 0, []), (formal.asserted_in("lru.sv") - {"latest_is_first"}, 1,
                                            ["lru.sv: latest_is_first: no break violates it"])])
def test_what_no_break_violates_is_told(failing, status, told, monkeypatch, capsys, tmp_path):
    """Where all rows of a file are asked for; the other rows may have the break of an assertion."""
    rows = [row for row in formal.wanted([], only_cheap=False) if row["file"] == "lru.sv"]
    monkeypatch.setattr(formal, "prove", lambda *_: formal.Result(False, 9, 1.0, tmp_path, "", frozenset(failing)))
    assert called(monkeypatch, "--breaks", *(word for row in rows for word in ("--property", row["name"]))) == status
    assert [line for line in capsys.readouterr().out.splitlines() if "violates" in line] == told


def test_the_only_assertion_is_the_one_that_fails(monkeypatch, tmp_path):
    """However deep it is: no engine is asked once more, which might not come as far in its time."""
    monkeypatch.setattr(formal, "abc", None)
    assert formal.failing(tmp_path, ["told", "told"], 79) == {"told"}


def test_no_processes_are_refused():
    done = run("--jobs", "0")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "formal: --jobs is 0; allowed: 1 and more\n")
