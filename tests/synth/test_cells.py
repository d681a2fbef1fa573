"""What the flow reads of a library's cells and what it makes of them, each from a few lines so that it is worked out by
hand: delays by load, trees of buffers, and a clock gate that is put together of other cells."""

import re
from types import SimpleNamespace

import pytest

from synth.cells import clock_gate, delays, fanout

NEEDS = ["synth"]

SLEW_FIRST = """  lu_table_template (t) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("1, 2, 3"); index_2 ("0, 10"); }
"""
LOAD_FIRST = """  lu_table_template (t) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
    index_1 ("0, 10"); index_2 ("1, 2, 3"); }
"""
CELL = """  cell (NAND) {{
    pin (A) {{ direction : input; capacitance : 0.5; }}
    pin (B) {{ direction : input; capacitance : 0.25; }}
    pin (Y) {{ direction : output;
      timing () {{ cell_rise (t) {{ {} }} cell_fall (t) {{ {} }} }} }}
  }}
"""


@pytest.mark.parametrize(("template", "rise", "fall", "loads"), [
    (SLEW_FIRST, '"1, 2", "3, 7", "9, 9"', '"0, 0", "4, 6", "9, 9"', [0, 10]),
    (LOAD_FIRST, '"1, 3, 9", "2, 7, 9"', '"0, 4, 9", "0, 6, 9"', [0, 10]),
    (SLEW_FIRST, '"1, 2", "3, 7", "9, 9"', '"0, 0", "4, 6", "9, 9"', [5, 20]),
], ids=["slew first", "load first", "own loads"])
def test_delays_of_a_cell(template, rise, fall, loads):
    """At the middle slew the slower of rise and fall at each load, whichever axis is the first; a table's own loads go
    before its template's. All that is no input is an output."""
    own = "" if loads == [0, 10] else f'index_2 ("{loads[0]}, {loads[1]}"); '
    text = template + CELL.format(f"{own}values ({rise});", f"{own}values ({fall});")
    assert delays.read(text) == {"NAND": {"pins": {"A": 0.5, "B": 0.25}, "output": "Y", "loads": loads,
                                          "delays": [4, 7]}}


@pytest.mark.parametrize("variable", ["input_net_transition", "total_output_net_capacitance"])
def test_cells_without_delays(variable):
    """By load and slew: tables of one variable are none of these, and a cell without tables takes no time."""
    text = f"  lu_table_template (t) {{ variable_1 : {variable}; index_1 (\"1, 2\"); }}\n"
    cells = delays.read(text + CELL.format('values ("1, 2");', 'values ("3, 4");'))
    assert cells["NAND"]["loads"] == cells["NAND"]["delays"] == [] and delays.delay(cells["NAND"], 7) == 0


@pytest.mark.parametrize(("load", "delay"), [(0, 1), (5, 3), (10, 5), (20, 7), (30, 9), (40, 11)])
def test_delay_by_load(load, delay):
    """Between two loads of the table by their line, behind its end by the last one."""
    assert delays.delay({"loads": [0, 10, 30], "delays": [1, 5, 9]}, load) == delay


def test_a_delay_is_not_negative():
    assert delays.delay({"loads": [10, 20], "delays": [1, 5]}, 0) == 0


def cell(pin, first, slope):
    """A buffer or driver: the capacitance of its pin, and its delay into no load and by each unit more."""
    return {"pins": {"A": pin}, "output": "Y", "loads": [0.0, 100.0], "delays": [first, first + 100 * slope]}


# A small buffer that is soon slow, and a large one that burdens what drives it.
LIBRARY = {"SMALL": cell(1.0, 1.0, 1.0), "LARGE": cell(4.0, 2.0, 0.1)}


def load_of(way, capacitance=1.0, gate=0):
    return fanout.Load(way, capacitance, gate, "A", ())


def trees(limit=3):
    return fanout.Trees(LIBRARY, ["SMALL", "LARGE"], limit)


@pytest.mark.parametrize(("load", "name"), [(1.4, "SMALL"), (1.5, "LARGE")])
def test_the_fastest_buffer(load, name):
    """Its own delay, and what its input costs the buffer before it, a tenth for each unit: 1 + load + 0.1 for the small
    one and 2 + load / 10 + 0.4 for the large one, alike at 1.44."""
    model = LIBRARY[name]
    assert trees().buffer(load) == (name, "A", model["pins"]["A"], pytest.approx(delays.delay(model, load)))


def leaves(loads, depth=0):
    """(gate, buffers before it, its way by the tree's own count) of all below."""
    for load in loads:
        if load.loads:
            yield from leaves(load.loads, depth + 1)
        else:
            yield load.cell, depth


def test_a_tree_of_loads_that_are_alike():
    """Of eight loads under at most three: the first buffer takes the two that do not divide, the others three each."""
    root = trees().grow([load_of(0.0, gate=n) for n in range(8)])
    assert len(root) == 3 and sorted(len(tree.loads) for tree in root) == [2, 3, 3]
    assert sorted(leaves(root)) == [(n, 1) for n in range(8)]
    for tree in root:  # LARGE into two or three
        assert (tree.cell, tree.capacitance, tree.way) == ("LARGE", 4.0, pytest.approx(2 + 0.1 * len(tree.loads)))


def test_urgent_loads_are_near_the_root():
    """Those with the longest way stay where they are, and outputs, which have a name, do too."""
    loads = [load_of(0.0, gate=n) for n in range(6)] + [load_of(100.0, gate=6), fanout.Load(0.0, 1.0, None, None, ())]
    root = trees().grow(loads)
    found = dict(leaves(root))
    assert found[6] == 0 and found[None] == 0 and min(found[n] for n in range(6)) == 1
    assert set(found) == {*range(7), None}


@pytest.mark.parametrize(("way", "depths"), [(6.0, [1, 1, 1, 1]), (7.0, [0, 1, 2, 2])])
def test_a_buffer_counts_three_times(way, depths):
    """Of four loads under two at most the first two are merged, behind a buffer of 2.2. Two others that are urgent by
    less than three times that are merged with each other, and not with it."""
    root = trees(limit=2).grow([load_of(0.0, gate=0), load_of(0.0, gate=1), load_of(way, gate=2), load_of(way, gate=3)])
    assert sorted(depth for _, depth in leaves(root)) == depths


def test_few_loads_are_left_alone():
    loads = [load_of(0.0, gate=n) for n in range(3)]
    assert trees().grow(loads) is loads


def test_a_driver_is_relieved_of_what_is_not_urgent():
    """A driver of a unit of time for each of load: of one urgent pin and three slow ones of three units each it is 20
    to the end of the longest way, with the three behind a buffer (4 of load) 15, with two of them 18."""
    urgent, slow = load_of(10.0, 1.0, gate=0), [load_of(0.0, 3.0, gate=n) for n in (1, 2, 3)]
    root = trees().relieve([*slow, urgent], cell(1.0, 0.0, 1.0))
    assert root[0] == urgent and dict(leaves(root)) == {0: 0, 1: 1, 2: 1, 3: 1}
    assert trees().relieve([urgent, load_of(0.0, 0.1, gate=1)], cell(1.0, 0.0, 1.0))[1].loads == ()
    output = fanout.Load(0.0, 5.0, None, None, ())
    root = trees().relieve([*slow, output], cell(1.0, 0.0, 1.0))
    assert dict(leaves(root)) == {None: 0, 1: 1, 2: 1, 3: 1}


def network(tmp_path, text, register=None):
    path = tmp_path / "in.blif"
    path.write_text(text)
    return fanout.Network(fanout.Blif(path), LIBRARY, trees(), register or cell(1.0, 5.0, 0.0))


def test_critical_nets(tmp_path):
    """The register 5, then three gates of 1 + 1 and the output's register: a, x, y and z are on the longest path; b and
    w, of one gate, are in no path of four fifths of it."""
    found = network(tmp_path, """.model netlist
.inputs a b
.outputs z w
.gate SMALL A=a Y=x
.gate SMALL A=x Y=y
.gate SMALL A=y Y=z
.gate SMALL A=b Y=w
.end
""")
    found.grow()
    assert found.critical(0.2) == {"a", "x", "y", "z"}  # 11; the other is 7
    assert found.critical(0.4) == {"a", "x", "y", "z", "b", "w"}
    assert [load.way for load in found.roots["a"]] == [6.0]  # three gates to go, each 1 and 1 for its load


def test_a_way_through_a_tree(tmp_path):
    """Of a's four gates two are behind a buffer, which takes 2.2: they take 9.2 in all, where b's two gates take 9."""
    gates = "".join(f".gate SMALL A=a Y=y{n}\n" for n in range(4))
    found = network(tmp_path, f""".model netlist
.inputs a b
.outputs y0 y1 y2 y3 z
{gates}.gate SMALL A=b Y=x
.gate SMALL A=x Y=z
.end
""")
    found.grow()
    late = {f"y{gate}" for gate, depth in leaves(found.roots["a"]) if depth}
    assert len(late) == 2 and found.critical(0.01) == {"a", *late}
    found.connect()
    nets = [pins["A"] for _, pins in found.blif.gates[:4]]
    name, pins = found.blif.gates[6]
    assert sorted(nets) == ["a", "a", "fanout6", "fanout6"] and (name, pins) == ("LARGE", {"A": "a", "Y": "fanout6"})


def test_drivers_of_critical_nets_are_relieved(tmp_path):
    """And no others: of a's loads the two of 4 each, with less to go, are moved behind a buffer."""
    text = """.model netlist
.inputs a
.outputs y0 y1 z
.gate LARGE A=a Y=y0
.gate LARGE A=a Y=y1
.gate SMALL A=a Y=x
.gate SMALL A=x Y=y
.gate SMALL A=y Y=z
.end
"""
    for critical, depths in (({"a"}, {0: 1, 1: 1, 2: 0}), ({"x"}, {0: 0, 1: 0, 2: 0})):
        found = network(tmp_path, text, register=cell(1.0, 5.0, 1.0))
        found.grow(critical)
        assert dict(leaves(found.roots["a"])) == depths


def test_blif_of_something_else(tmp_path):
    with pytest.raises(SystemExit, match=r'fanout.py: .*in.blif: does not know ".latch a b"'):
        network(tmp_path, ".model netlist\n.inputs a\n.outputs b\n.latch a b\n.end\n")


PARTS = {
    "INV": 'area : 2; cell_leakage_power : 0.5; pin (A) { direction : input; } '
           'internal_power () { rise_power (t) { values ("1, 2, 9"); } fall_power (t) { values ("3, 4, 9"); } }',
    "AND": 'area : 4; cell_leakage_power : 0.25; internal_power () { rise_power (t) { values ("5, 6, 7"); } }',
    "LATCH": 'latch (IQ, IQN) { data_in : "D"; enable : "E"; } area : 0; cell_leakage_power : 1; '
             'timing () { timing_type : setup_falling; rise_constraint (t) { values ("0, 1, 2"); } '
             'fall_constraint (t) { values ("0, 3, 4"); } } '
             'timing () { timing_type : hold_falling; rise_constraint (t) { values ("0, 99, 99"); } } '
             'internal_power () { rise_power (t) { values ("0, 8, 9"); } }'}


def test_a_clock_gate_put_together():
    """A latch, open while the clock is low, and an AND: the clock's pin is the inverter's and one of the AND's, the
    enable's the latch's; a latch without an area has three fifths of a flip-flop's."""
    library = SimpleNamespace(
        inverters=["INV"], register="DFF", areas={"INV": 2.0, "AND": 4.0, "LATCH": 0.0, "DFF": 10.0},
        delays={"INV": {"pins": {"A": 0.5}}, "AND": {"pins": {"A": 0.75, "B": 0.25}},
                "LATCH": {"pins": {"D": 0.125, "E": 2.0}}})
    header = "/* a licence */ library (small) {\n  nom_voltage : 3;\n"
    latch = ("LATCH", "D", "E")
    gate = clock_gate._composed(header, PARTS, library, latch, "AND")
    assert (gate.cell, gate.enable, gate.clock, gate.output, gate.area) == ("clock_gate", "GATE", "CLK", "GCLK", 12)
    assert gate.liberty.startswith("library (clock_gate) {\n  nom_voltage : 3;") and "licence" not in gate.liberty
    assert gate.liberty.count("{") == gate.liberty.count("}")
    pins = dict(re.findall(r"pin \((\w+)\) \{(.*?)(?=\n  pin|\n\}\n)", gate.liberty, re.S))
    capacitances = {pin: re.findall(r"capacitance : ([\d.]+)", body) for pin, body in pins.items()}
    assert capacitances == {"CLK": ["0.75"], "GATE": ["0.125"], "GCLK": []}
    values = {pin: {kind: float(n) for kind, n in re.findall(r"(\w+) \(scalar\) \{ values \(\"(.*?)\"\)", body)}
              for pin, body in pins.items()}
    # The inverter's edge takes 3, the latch's 8, and the load between them 2 * 3 * 3 / 2.
    assert values["CLK"] == {"rise_power": 20, "fall_power": 20}
    assert values["GATE"] == {"rise_constraint": 3, "fall_constraint": 3}
    assert values["GCLK"]["rise_power"] == 6 and values["GCLK"]["cell_rise"] == 0
    assert "area : 12;" in gate.liberty and "cell_leakage_power : 1.75;" in gate.liberty


@pytest.mark.parametrize(("registers", "name"), [
    (["\\a_q [1]", "\\b_q [5]", "\\b_q [2]", "$made [0]", "$made [1]", "$made [3]"], "b_q.gate2"),
    (["\\a_q [1]", "\\b_q"], "b_q.gate0"), (["$made [7]", "$made [4]"], "$made.gate7")])
def test_the_name_of_a_clock_gate(registers, name):
    """By the register of the source that has most bits behind it, and their lowest; where none is of the source, by
    the first."""
    assert clock_gate._name(registers) == name


def test_the_smallest_clock_gate_is_taken():
    """Of those of the right kind that may be used; with a latch but no AND there is none."""
    kind = 'clock_gating_integrated_cell : "{}"; area : {}; pin (E) {{ clock_gate_enable_pin : true; }} ' \
           'pin (C) {{ clock_gate_clock_pin : true; }} pin (G) {{ clock_gate_out_pin : true; }}'
    cells = {"WIDE": kind.format("latch_posedge", 9), "SMALL": kind.format("latch_posedge", 7),
             "LOW": kind.format("latch_negedge", 1), "NOT_USED": kind.format("latch_posedge", 2)}
    text = "library (x) {\n" + "".join(f"  cell ({name}) {{\n    {body.replace('pin (', f'{chr(10)}    pin (')}\n  }}\n"
                                       for name, body in cells.items()) + "}\n"
    library = SimpleNamespace(dont_use=["NOT_USED"])
    gate = clock_gate.find(text, library, None, None)
    assert (gate.cell, gate.enable, gate.clock, gate.output, gate.area, gate.liberty) == ("SMALL", "E", "C", "G", 7, "")
    assert clock_gate.find("library (x) {\n  cell (INV) {\n  }\n}\n", library, ("LATCH", "D", "E"), None) is None
