"""What the programs in Python say of a file that they cannot take (tools/): one sentence, with the place in the file,
what is wrong there, and what is allowed."""

import pytest

from tools import csv_file, json_file, yaml_file
from tools.plan_file import memory_of, once
from tools.refusal import Refusal
from tools.schema import ABOVE_ZERO, NUMBER, PAIR, TEXT, TEXTS, WORDS, each, fits, keys, many, or_null

NEEDS = ["papers"]
POINT = keys({"name": TEXT, "area": NUMBER}, ("name",))
SCHEMA = keys({"points": many(POINT, 2), "size": ABOVE_ZERO, "pair": PAIR, "options": each(WORDS),
               "kinds": each(TEXTS, 1), "rest": or_null(POINT)}, ("size",))


def refused(call, *arguments):
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    return str(refusal.value)


@pytest.mark.parametrize(("thing", "said"), [
    ([], "f: is no mapping; allowed: one with the keys points, size, pair, options, kinds, rest"),
    ({}, "f: lacks size"),
    ({"sise": 1}, 'f: has no key "sise"; allowed: points, size, pair, options, kinds, rest'),
    ({"size": 0}, "f: size is 0; allowed: a number above 0"),
    ({"size": "1"}, "f: size is no number"),
    ({"size": True}, "f: size is no number"),
    ({"size": float("nan")}, "f: size is nan; allowed: a finite number"),
    ({"size": 1, "pair": [0, float("-inf")]}, "f: pair 2 is -inf; allowed: a finite number"),
    ({"size": 1, "points": [{"name": "a"}]}, "f: points has 1 elements; allowed: 2 and more"),
    ({"size": 1, "points": [{"name": "a"}, {"name": 5}]}, "f: point 2, name is no text"),
    ({"size": 1, "points": [{"name": "a"}, {"name": "\t"}]}, "f: point 2, name is an empty text"),
    ({"size": 1, "points": [{"area": 1}, {"name": "a"}]}, "f: point 1 lacks name"),
    ({"size": 1, "pair": [1]}, "f: pair has 1 elements; allowed: 2 and more"),
    ({"size": 1, "pair": [1, 2, 3]}, "f: pair has 3 elements; allowed: up to 2"),
    ({"size": 1, "options": {"a": "'b"}}, "f: options, a is no text that a shell would take (No closing quotation)"),
    ({"size": 1, "options": {"a": 1}}, "f: options, a is no text"),
    ({"size": 1, "kinds": {}}, "f: kinds holds nothing"),
    ({"size": 1, "kinds": {3: []}}, "f: kinds has the key 3, which is no text"),
    ({"size": 1, "rest": 3}, "f: rest is no mapping or null; allowed: one with the keys name, area"),
    # What is wrong higher up is said first.
    ({"size": 0, "points": [{"name": 1}, {"name": "b"}]}, "f: size is 0; allowed: a number above 0"),
], ids=str)
def test_a_thing_that_does_not_fit(thing, said):
    assert refused(fits, thing, SCHEMA, "f") == said


def test_a_thing_that_fits():
    fits({"size": 0.5, "points": [{"name": "a"}, {"name": "b", "area": 0}], "pair": [1, 2], "options": {"a": ""},
          "kinds": {"b": []}, "rest": None}, SCHEMA, "f")


@pytest.mark.parametrize(("text", "said"), [
    ("a: 1\nb: 2026-02-30\n", ':2: is no YAML ("2026-02-30" is no timestamp)'),
    ("a: 0x_\n", ':1: is no YAML ("0x_" is no int)'),
    ("a: !!bool maybe\n", ':1: is no YAML ("maybe" is no bool)'),
    ("a: !!timestamp x\n", ':1: is no YAML ("x" is no timestamp)'),
    ("a: 1\nb: \0\n", ": is no YAML (unacceptable character #x0000: special characters are not allowed)"),
    ("a:\n  b: 1\n  c: 2\n  b: 3\n", ':4: is no YAML (the key "b" stands there twice)'),
], ids=ascii)
def test_no_yaml(text, said, tmp_path):
    path = tmp_path / "plan.yaml"
    path.write_text(text)
    assert refused(yaml_file.read, path) == f"{path}{said}"


@pytest.mark.parametrize(("content", "said"), [
    (None, "cannot be read (No such file or directory)"),
    (b'{"a": 1', "is no JSON (Expecting ',' delimiter: line 1 column 8 (char 7))"),
    (b"[" * 100000, "is no JSON (it nests too deeply)"),
], ids=["missing", "cut", "deep"])
def test_no_json(content, said, tmp_path):
    path = tmp_path / "run.json"
    if content is not None:
        path.write_bytes(content)
    assert refused(json_file.read, path, "what a run writes") == f"{path}: {said}; allowed: what a run writes"


@pytest.mark.parametrize(("text", "said"), [
    (None, "cannot be read (No such file or directory); allowed: what a run writes"),
    (b"name,n,share\n\xff,1,1\n",
     "is no CSV ('utf-8' codec can't decode byte 0xff in position 13: invalid start byte); allowed: what a run writes"),
    (b"", 'is no table, it has no column "name"; allowed: what a run writes'),
    (b"name,n,share\n", 'is no table, it has no column "name"; allowed: what a run writes'),
    (b"name,share\na,1\n", 'is no table, it has no column "n"; allowed: what a run writes'),
    (b"name,n,share\na,1,1\nb,2\n", "row 2 has more or fewer cells than there are columns; allowed: a cell of each"),
    (b"name,n,share\na,1,1,1\n", "row 1 has more or fewer cells than there are columns; allowed: a cell of each"),
    (b"name,n,share\na,1,1\nb,1.5,1\n", 'row 2, n is "1.5"; allowed: a whole number'),
    (b"name,n,share\na," + b"9" * 400 + b",1\n", f'row 1, n is "{"9" * 400}"; allowed: a whole number'),
    (b"name,n,share\na,1,half\n", 'row 1, share is "half"; allowed: a number'),
    (b"name,n,share\na,1,nan\n", 'row 1, share is "nan"; allowed: a number'),
    (b"name,n,share\na,1,inf\n", 'row 1, share is "inf"; allowed: a number'),
])
def test_no_csv(text, said, tmp_path):
    path = tmp_path / "table.csv"
    if text is not None:
        path.write_bytes(text)
    kinds = {"name": str, "n": int, "share": float}
    assert refused(csv_file.read, path, "table", kinds, "what a run writes") == f"{path}: {said}"


def test_a_csv(tmp_path):
    """Its cells as they stand there, and a column that nobody has asked for too."""
    (tmp_path / "table.csv").write_text("n,name,more\n-1,a,x\n2,,\n")
    assert csv_file.read(tmp_path / "table.csv", "table", {"name": str, "n": int}, "") == [
        {"n": "-1", "name": "a", "more": "x"}, {"n": "2", "name": "", "more": ""}]


def test_a_name_stands_there_once():
    once(["a", "b"], "f: points")
    assert refused(once, ["a", "b", "c", "b"], "f: points") == 'f: points: "b" stands there twice'


@pytest.mark.parametrize(("dram", "files"), [
    ("none", []), ("gddr6", ["systems/dram/gddr6.ini"]), ("/tmp/own.ini", ["/tmp/own.ini"])])
def test_the_timing_of_a_memory(dram, files):
    """A run is another one if that file has changed; a memory that is no DRAM has none."""
    assert memory_of(f"[memory]\ndram_of = x\ndram = {dram}\nclock_mhz = 1\n") == files
