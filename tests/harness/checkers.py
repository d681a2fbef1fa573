"""The checkers of the unit (tb/*_checker.sv, but those of the buses) and their benches in tests/checkers: which
assertions and cases they have, and what one says that barks."""

import re

from tools.project import ROOT

BENCHES = ROOT / "tests" / "checkers"
SOURCES = {path.name.removesuffix("_checker.sv"): path.read_text()
           for path in sorted((ROOT / "tb").glob("*_checker.sv")) if not path.name.startswith("axi_")}
BARK = re.compile(r"Assertion failed in TOP\.checkers_top\.u_(\w+)\.\w+\.(\w+): ")


def code(text):
    """Without comments."""
    return re.sub(r"//.*|/\*.*?\*/", "", text)


def assertions(text):
    """The labels of a checker's assertions; the empty one of one that has none."""
    return [label or "" for label in re.findall(r"(?:\b(\w+)\s*:\s*)?\bassert\b", code(text))]


def cases(text):
    """[(assertion, whole name)] of a bench."""
    return [(name.split(" ")[0].rstrip(":,"), name) for name in re.findall(r'^ +"([^"]+)": ', code(text), re.M)]


BENCH = {path.name.removesuffix("_bench.sv"): path.read_text() for path in sorted(BENCHES.glob("*_bench.sv"))}
CASES = [(checker, label, name) for checker, text in BENCH.items() for label, name in cases(text)]
