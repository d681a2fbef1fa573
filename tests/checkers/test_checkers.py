"""The checkers of the unit (tb/*_checker.sv, but those of the buses): each alone in a bench of tests/checkers, where
each of their assertions is silent on what its rule allows and barks at the least that it forbids, and no other does.

A case of a bench is named by its assertion and by what is special about it. It runs twice, as it should and with
+bad=1, and the two differ in one thing."""

import re
import subprocess

import pytest

from tests.harness.checkers import BARK, BENCH, CASES, SOURCES, assertions, cases, code
from tests.harness.make import made
from tools.project import ROOT


def unprovoked(source, bench):
    """The assertions of a checker that no case of its bench provokes."""
    return set(assertions(source)) - {label for label, _ in cases(bench)}


@pytest.fixture(scope="module")
def barks():
    """Runs a case, or none, and gives {(checker, assertion)} that have barked."""
    made("build/checkers/run", lock="checkers/lock")

    def call(*arguments):
        done = subprocess.run([str(ROOT / "build" / "checkers" / "run"), *arguments], capture_output=True, text=True,
                              check=True)
        found = BARK.findall(done.stdout)
        assert len(found) == done.stdout.count("Assertion failed"), done.stdout
        return set(found)

    return call


def test_every_assertion_is_provoked():
    assert set(BENCH) == set(SOURCES)
    for checker, source in SOURCES.items():
        assert not unprovoked(source, BENCH[checker]), f"tb/{checker}_checker.sv"


def test_every_assertion_has_a_name_of_its_own():
    for checker, source in SOURCES.items():
        labels = assertions(source)
        assert labels and "" not in labels and len(set(labels)) == len(labels), f"tb/{checker}_checker.sv"


def test_every_case_is_of_an_assertion():
    assert [case for case in CASES if case[1] not in assertions(SOURCES[case[0]])] == []
    assert len(set(CASES)) == len(CASES)


def unbound(source, modules):
    """What is wrong with a checker's bind: the module does not exist, or a port is held at a number."""
    module, ports = re.search(r"^bind (\w+) .*? \((\n.*?)\n\);", code(source), re.M | re.S).groups()
    said = [] if module in modules else [module]
    return said + [port for port, value in re.findall(r"\.(\w+) *\((.*)\)", ports)
                   if not re.search(r"(?<!')\b[a-z]", value)]


def test_every_checker_watches_its_module():
    """No port of a bind is held at a number: what it watches would never happen."""
    modules = set(re.findall(r"^module (\w+)", "".join(path.read_text() for path in (ROOT / "rtl").rglob("*.sv")),
                             re.M))
    for checker, source in SOURCES.items():
        assert unbound(source, modules) == [], f"tb/{checker}_checker.sv"
    bind = ("bind ring some_checker #(\n  .N(1)\n) u (\n"
            "  .clk_i,\n  .a(1'b0),\n  .b('0),\n  .c(a_q[3:0]),\n  .d(x && y)\n);\n")
    assert unbound(bind, modules) == ["a", "b"] and unbound(bind.replace("ring", "gone"), modules) == ["gone", "a", "b"]


def test_an_assertion_without_a_case_shows():
    source = "  here : assert property (@(posedge clk_i) a)\n  // gone : assert property (b)\n"
    bench = '    case (what_i)\n      "here, as ever": a = !bad_i;\n      "here": begin\n'
    assert cases(bench) == [("here", "here, as ever"), ("here", "here")]
    assert unprovoked(source, bench) == set()
    assert unprovoked(source + "  new_one : assert property (c)\n", bench) == {"new_one"}
    assert unprovoked(source + "  always_comb assert (c);\n", bench) == {""}


def test_nothing_barks_at_rest(barks):
    assert barks() == set()


@pytest.mark.parametrize(("checker", "label", "name"), CASES, ids=[f"{case[0]}-{case[2]}" for case in CASES])
def test_barks_at_what_is_forbidden(barks, checker, label, name):
    assert barks(f"+{checker}={name}") == set(), "what is allowed"
    assert barks(f"+{checker}={name}", "+bad=1") == {(checker, label)}
