"""The points at which a module and its netlist are compared as gates (synth/netlist/points.py): how two circuits become
one without registers, which registers are taken for the same, and what ABC then proves, on circuits of a few gates."""

import pytest

from synth import equivalence
from synth.netlist import points
from tools.refusal import Refusal

NEEDS = ["synth"]

COMPARED = """module \\equiv
  wire input 1 \\a
  wire output 2 \\y
  wire $r
  attribute \\keep 1
  cell $equiv $e1
    connect \\A \\gold_y
    connect \\B \\gate_y
    connect \\Y \\y
  end
  cell $equiv $e2
    connect \\A \\gold_q [1]
    connect \\B 1'0
    connect \\Y $r
  end
end
"""


@pytest.mark.parametrize(("reads", "read"), [(0, "\\gold_y"), (1, "\\gate_y")])
def test_two_sides(reads, read):
    """Both sides of each point are outputs, the last point at the top; what reads a point reads the side that is asked
    for, or the constant that the netlist has there. The module's own outputs are none."""
    text, count = points.side_by_side(COMPARED, reads)
    assert count == 2 and "$equiv" not in text and "wire output 2 \\y" not in text and "  wire \\y\n" in text
    assert f"  connect \\y {read}\n" in text and "  connect $r 1'0\n" in text
    assert "  connect \\side0 { \\gold_q [1] \\gold_y }\n" in text and "  connect \\side1 { 1'0 \\gate_y }\n" in text
    assert text.count("  wire width 2 output ") == 2 and text.endswith("end\n")


def test_a_point_that_is_written_otherwise():
    with pytest.raises(Refusal, match="a point of comparison is written as no other is"):
        points.side_by_side(COMPARED.replace("    connect \\A \\gold_y\n    connect \\B \\gate_y\n",
                                             "    connect \\B \\gate_y\n    connect \\A \\gold_y\n"), 0)


def test_a_graph(tmp_path):
    """Of ASCII AIGER: inputs, registers with what they load, outputs and gates, by their literals."""
    path = tmp_path / "x.aag"
    path.write_text("aag 5 2 1 2 2\n2\n4\n6 11 0\n8\n7\n8 2 4\n10 8 7\ni0 a\nc\nmade by hand\n")
    assert points.graph(path) == points.Graph([2, 4], {6: 11}, [8, 7], {8: (2, 4), 10: (8, 7)})
    for head in ("aig 5 2 1 2 2", "aag 5 2 1 2 2 1"):
        path.write_text(f"{head}\n2\n4\n6 11\n8\n7\n8 2 4\n10 8 7\n")
        with pytest.raises(Refusal, match=r"x\.aag: is no and-inverter graph of inputs, registers, outputs and gates"):
            points.graph(path)


def test_the_register_of_a_point():
    """That which alone is before it, but for inputs, and with few gates between."""
    chain = {100 + 2 * n: (98 + 2 * n, 2) for n in range(1, 70)}
    circuit = points.Graph([2], {4: 0, 6: 0, 100: 0}, [], {8: (4, 2), 10: (5, 9), 12: (4, 6), **chain})
    assert [circuit.near(literal) for literal in (4, 5, 8, 11, 2, 0, 12)] == [4, 4, 4, 4, None, None, None]
    assert circuit.near(100 + 2 * 50) == 100 and circuit.near(100 + 2 * 69) is None


def test_what_stands_for_a_register():
    """The lowest of those that are the same, or its complement, or a constant."""
    same = points.Same()
    assert same.join(8, 5) and same.of(8) == 5 and same.of(9) == 4 and same.of(4) == 4
    assert not same.join(9, 4) and not same.join(9, 5) and same.of(9) == 4  # its own complement it is not
    assert same.join(4, 3) and [same.of(literal) for literal in (4, 5, 8, 9)] == [3, 2, 2, 3]
    assert same.join(8, 1) and [same.of(literal) for literal in (2, 8, 4)] == [1, 1, 0]


# Registers 4 and 6 load the input and its complement, 8 the constant 1, 10 the input; 2 is the input.
REGISTERS = {4: 2, 6: 3, 8: 1, 10: 2}


@pytest.mark.parametrize(("rtl", "netlist", "joined", "loads"), [
    (4, 10, (10, 4), (2, 2)), (4, 7, (6, 5), (2, 2)), (8, 1, (8, 1), (1, 1)), (9, 0, (8, 1), (1, 1)),
    (4, 0, (4, 0), (2, 0))])
def test_registers_that_are_taken_for_the_same(rtl, netlist, joined, loads):
    """By a point of which either side is one: what they load is to be proven too, the other side's complemented where
    they are complements."""
    circuit = points.Graph([2], REGISTERS, [rtl, netlist], {})
    same, pairs = points.without_registers(circuit, 1)
    assert same.of(joined[0]) == joined[1] and pairs == [(rtl, netlist), loads]


def test_registers_behind_a_reset():
    """A gate between does not hide them, if both sides have the same; a point of two registers joins none, nor one of
    none, though it be 0 as it stands."""
    gates = {12: (4, 2), 14: (10, 2), 16: (10, 3), 18: (4, 6), 20: (2, 3)}
    for rtl, netlist, known in ((12, 14, True), (12, 16, False), (18, 10, False), (4, 20, False), (20, 0, False)):
        same, pairs = points.without_registers(points.Graph([2], REGISTERS, [rtl, netlist], gates), 1)
        assert (same.of(10) == 4) == known and len(pairs) == 1 + known and len(same.instead) == known


@pytest.mark.parametrize(("pairs", "joined", "count"), [
    ([(8, 10)], [], 1), ([(8, 12)], [], 0), ([(8, 11)], [], 0), ([(9, 11)], [], 1), ([(8, 10), (8, 12), (2, 2)], [], 2),
    ([(14, 0)], [], 1), ([(14, 1)], [], 0), ([(15, 1)], [], 1), ([(2, 6)], [], 0), ([(2, 6)], [(6, 2)], 1),
    ([(2, 7)], [(6, 3)], 1), ([(2, 6)], [(6, 3)], 0), ([(8, 16)], [], 0), ([(8, 16)], [(6, 2)], 1),
    ([(8, 18)], [], 0)], ids=str)
def test_what_is_proven(pairs, joined, count, tmp_path):
    """By ABC, of 8 = a & b, 10 = b & a, 12 = a & !b, 14 = a & !a, 18 = !a & b and, of the register 6, 16 = 6 & b: pairs
    that are equal for all inputs, and no others."""
    circuit = points.Graph([2, 4], {6: 0}, [], {8: (2, 4), 10: (4, 2), 12: (2, 5), 14: (2, 3), 16: (6, 4), 18: (3, 4)})
    same = points.Same()
    for pair in joined:
        same.join(*pair)
    path = tmp_path / "x.blif"
    points.write(circuit, same, pairs, path)
    assert points.proven(equivalence.PYOSYS / "yosys-abc", path, len(pairs), tmp_path / "log", 60) == count


def test_what_is_not_proven_in_time(tmp_path):
    """A program that says nothing, or takes too long, has proven nothing, whatever an earlier one has left."""
    path = tmp_path / "x.blif"
    (tmp_path / "x.left.blif").write_text(".names o0\n 0\n")
    points.write(points.Graph([2], {}, [], {}), points.Same(), [(2, 2)], path)
    assert points.proven("/bin/true", path, 1, tmp_path / "log", 60) == 0
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    assert points.proven(slow, path, 1, tmp_path / "log", 0.1) == 0
    assert (tmp_path / "log").read_text() == "ABC took more than 0.1 seconds\n"
