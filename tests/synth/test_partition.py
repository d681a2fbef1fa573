"""How a netlist is cut into parts and put together again (synth/netlist/partition.py), each step by hand: which gates
are before which registers, which registers go together, what stands between the parts, and the buffers before them."""

import re
from types import SimpleNamespace

import pytest

from synth.netlist import partition

NEEDS = ["synth"]


def cell(kind, name, **pins):
    return f"  cell {kind} {name}\n" + "".join(f"    connect \\{pin} {net}\n" for pin, net in pins.items()) + "  end\n"


# n1 = !a is before both bits of x_q and, by n2, before y_q; n3 before y_q alone; out_o is an alias of n3; the macro
# takes n1 too, and the clock gate n2, as its enable.
FLAT = "".join([
    "module \\top\n", "  wire input 1 \\a\n", "  wire output 2 \\out_o\n", "  wire width 2 \\x_q\n",
    cell("$_AND_", "$g2", A="$n1", B="\\y_q", Y="$n2"), cell("$_NOT_", "$g1", A="\\a", Y="$n1"),
    cell("$_OR_", "$g3", A="$n2", B="\\x_q [1]", Y="$n3"),
    *(cell("\\DFF", f"$f{n}", D="$n1", CLK="\\clk_i", Q=f"\\x_q [{n}]") for n in range(2)),
    cell("\\DFF", "$f2", D="$n3", CLK="\\y_q.gate0", Q="\\y_q"),
    cell("\\ICG", "$y_q.gate0", GATE="$n2", CLK="\\clk_i", GCLK="\\y_q.gate0"),
    cell("\\ram", "\\u_ram", address="{ 1'0 $n1 }"),
    "  connect \\out_o $n3\n", "end\n"])


def test_what_is_before_a_register():
    flat = partition.Netlist(FLAT)
    assert [kind for kind, _ in flat.gates] == ["$_AND_", "$_NOT_", "$_OR_"]
    assert flat.drivers == {"$n2": 0, "$n1": 1, "$n3": 2} and flat.inputs == [[1], [], [0]]
    assert flat.ends == {"$n1": ["\\x_q [0]", "\\x_q [1]", "\\u_ram.\\address [0]"], "$n2": ["\\y_q.gate0"],
                         "$n3": ["\\y_q", "\\out_o"]}
    users, groups = flat.users()
    assert sorted(map(sorted, groups)) == [["$n1"], ["$n2"], ["$n3"]]
    one, two, three = (1 << groups.index([net]) for net in ("$n1", "$n2", "$n3"))
    assert users == [two | three, one | two | three, three]


@pytest.mark.parametrize(("chunk", "expected"), [(512, [["$n0", "$n1"], ["$n2", "$n3"]]),
                                                 (1, [["$n0"], ["$n1"], ["$n2", "$n3"]])])
def test_bits_of_a_register_stay_together(chunk, expected, monkeypatch):
    """But for the bits of a very wide one; a clock gate's enable goes with the register that it is named after."""
    monkeypatch.setattr(partition, "CHUNK", chunk)
    text = "module \\top\n" + "".join(cell("$_NOT_", f"$g{n}", A="\\a", Y=f"$n{n}") for n in range(4))
    bits = ["\\x_q [0]", "\\x_q [1]", "\\y_q"]
    text += "".join(cell("\\DFF", f"$f{n}", D=f"$n{n}", Q=bit) for n, bit in enumerate(bits))
    text += cell("\\ICG", "$y_q.gate0", GATE="$n3") + "end\n"
    assert sorted(map(sorted, partition.Netlist(text).users()[1])) == expected


def test_gates_in_order():
    """Each after what drives it; of some roots only what they need."""
    flat = partition.Netlist(FLAT)
    assert flat.order() == [1, 0, 2] and flat.order([1]) == [1] and flat.order([0]) == [1, 0]


def test_the_sources_fanout():
    """Of nets that have a name in the source, the most loads first; what is a tool's own has none."""
    text = "module \\top\n" + "".join(cell("$_AND_", f"$g{n}", A="\\wide_q [3]", B="$n0" if n else "\\b", Y=f"\\y{n}")
                                      for n in range(3)) + "end\n"
    assert partition.Netlist(text).fanout() == [("wide_q[3]", 3), ("b", 1)]
    assert partition.Netlist(text).fanout(1) == [("wide_q[3]", 3)]


@pytest.mark.parametrize(("limit", "parts"), [(19, [1, 2, 4]), (20, [3, 4]), (24, [3, 4]), (25, [7])])
def test_groups_that_go_together(limit, parts):
    """Two groups have ten gates in common and five of their own, the third has five: in all 25."""
    assert sorted(partition.merged({0b011: 10, 0b001: 5, 0b010: 5, 0b100: 5}, 3, limit)) == parts


def test_groups_that_share_most_go_together():
    """One gate in common counts more than that two groups are small: the small ones would go together first, and then
    with one of the others."""
    assert sorted(partition.merged({0b0001: 10, 0b0010: 10, 0b0011: 1, 0b0100: 1, 0b1000: 1}, 4, 21)) == [3, 12]


@pytest.mark.parametrize(("smallest", "parts"), [(5, [3]), (30, [3]), (14, [3])])
def test_parts_repeat_little(smallest, parts, monkeypatch):
    """Ten of twenty gates would be there twice: parts may be larger until no more than a tenth are."""
    monkeypatch.setattr(partition, "SMALLEST", smallest)
    assert partition.choose([0b11] * 10 + [0b01] * 5 + [0b10] * 5, 2) == parts


def test_parts_that_repeat_a_tenth(monkeypatch):
    """Of 20 gates two may be there twice, and three not."""
    monkeypatch.setattr(partition, "SMALLEST", 12)
    assert sorted(partition.choose([0b11] * 2 + [0b01] * 9 + [0b10] * 9, 2)) == [1, 2]
    assert partition.choose([0b11] * 3 + [0b01] * 9 + [0b10] * 8, 2) == [3]


def parts_of(flat, tmp_path, monkeypatch, chosen):
    """split() where these groups, by their nets, go together: what it gives, and its files."""
    groups = flat.users()[1]
    monkeypatch.setattr(partition, "choose", lambda *_: [sum(1 << groups.index([net]) for net in nets)
                                                         for nets in chosen])
    return partition.split(flat, tmp_path)


def test_split(tmp_path, monkeypatch):
    """Each part has what its ends need, whatever others have of it, and no more; the rest has the registers and an
    instance of each part. What part is before a register or output is by its name in the source."""
    rest, sizes, before, fanout = parts_of(partition.Netlist(FLAT), tmp_path, monkeypatch, [["$n1"], ["$n2", "$n3"]])
    one, two = tmp_path / "part0.il", tmp_path / "part1.il"
    assert sizes == {one: 1, two: 3}
    assert before == {"x_q[0]": one, "x_q[1]": one, "u_ram.\\address[0]": one, "y_q.gate0[0]": two, "y_q[0]": two,
                      "out_o[0]": two}
    assert sorted(fanout) == [("a", 1), ("x_q[1]", 1), ("y_q", 1)]
    assert one.read_text() == ("module \\part0\n  wire input 1 \\i0\n  wire output 2 \\o0\n"
                               + cell("$_NOT_", "$g0", A="\\i0", Y="\\o0") + "end\n")
    text = two.read_text()
    assert [kind for kind, *_ in partition.CELL.findall(text)] == ["$_AND_", "$_NOT_", "$_OR_"]
    assert sorted(re.findall(r"^  wire (input|output) \d+ (\S+)$", text, re.M)) == [
        ("input", "\\i0"), ("input", "\\i1"), ("input", "\\i2"), ("output", "\\o0"), ("output", "\\o1")]
    left = rest.read_text()
    assert "$_" not in left and left.count("cell \\DFF") == 3 and left.endswith("end\n")
    assert cell("\\part0", "$part0", i0="\\a", o0="$n1") in left
    instance = dict(partition.PIN.findall(dict(partition.INSTANCE.findall(left))["part1"]))
    assert sorted(instance.values()) == ["$n2", "$n3", "\\a", "\\x_q [1]", "\\y_q"]


# Two buffers, the second for loads above 1.1, and a flip-flop.
LIBRARY = SimpleNamespace(
    buffers=["SMALL", "LARGE"], register="DFF", flops={"DFF"},
    delays={"SMALL": {"pins": {"A": 1.0}, "output": "Y", "loads": [0, 10], "delays": [1, 11]},
            "LARGE": {"pins": {"A": 2.0}, "output": "Z", "loads": [0, 10], "delays": [2, 3]},
            "INV": {"pins": {"A": 0.5}, "output": "Y", "loads": [], "delays": []},
            "DFF": {"pins": {"D": 0.5, "CLK": 0.5}, "output": "Q", "loads": [], "delays": []}})


def joined(tmp_path, loads, limit, registers=0):
    """A net with so many loads in each part, and so many registers that take it: (its loads in the parts' instances,
    [(buffer, its input, its output)], the registers' nets)."""
    parts = []
    for n, count in enumerate(loads):
        parts.append(tmp_path / f"part{n}.mapped")
        parts[-1].write_text(f"module \\part{n}\n" + "".join(
            cell("\\INV", f"$c{i}", A="\\i0", Y=f"\\o{i}") for i in range(count)) + "end\n")
    rest = tmp_path / "rest.il"
    rest.write_text("module \\top\n" + "".join(cell(f"\\part{n}", f"$part{n}", i0="\\net") for n in range(len(loads)))
                    + "".join(cell("\\DFF", f"$f{n}", D="\\net", CLK="\\clk_i") for n in range(registers)) + "end\n")
    partition.join(rest, parts, LIBRARY, limit, tmp_path / "joined.il")
    text = (tmp_path / "joined.il").read_text()
    taken = {part: dict(partition.PIN.findall(body))["\\i0"] for part, body in partition.INSTANCE.findall(text)}
    cells = {name: (kind, dict(partition.PIN.findall(body))) for kind, name, body in partition.CELL.findall(text)}
    buffers = [(kind[1:], pins["\\A"], pins["\\Y" if kind == "\\SMALL" else "\\Z"])
               for kind, pins in cells.values() if kind[1:] in LIBRARY.buffers]
    wires = re.findall(r"^  wire (\S+)$", text, re.M)
    assert sorted(wires) == sorted(to for _, _, to in buffers)
    return list(taken.values()), buffers, [pins["\\D"] for kind, pins in cells.values() if kind == "\\DFF"]


def test_few_loads_in_all_parts(tmp_path):
    assert joined(tmp_path, [3, 2, 1], 6) == (["\\net"] * 3, [], [])


@pytest.mark.parametrize(("limit", "buffered"), [(9, [0]), (6, [0]), (5, [0, 1]), (3, [0, 1]), (2, [0, 1])])
def test_buffers_before_parts(tmp_path, limit, buffered):
    """Of ten loads in three parts: the part with most is first, and has one load in place of its five. A part with a
    single load gains nothing by a buffer."""
    taken, buffers, _ = joined(tmp_path, [5, 4, 1], limit)
    assert taken == [f"$part_buffer{n}" if n in buffered else "\\net" for n in range(3)]
    assert buffers == [("LARGE", "\\net", f"$part_buffer{n}") for n in buffered]


def test_a_buffer_fits_its_load(tmp_path):
    """Two loads of a half are one: the small buffer is the faster."""
    _, buffers, _ = joined(tmp_path, [2, 2], 2)
    assert [kind for kind, _, _ in buffers] == ["SMALL", "SMALL"]


@pytest.mark.parametrize(("registers", "limit", "kinds"), [(4, 3, ["SMALL"] * 2), (9, 3, ["LARGE"] * 3),
                                                           (5, 2, ["SMALL"] * 4)])
def test_buffers_fit_registers(tmp_path, registers, limit, kinds):
    """Two data pins of a half are a load of one, three of one and a half. A buffer before others has these alone for
    its load, and not all that is behind them."""
    assert [kind for kind, _, _ in joined(tmp_path, [], limit, registers)[1]] == kinds


@pytest.mark.parametrize(("registers", "count"), [(3, 0), (4, 2), (7, 3), (9, 3), (10, 5), (27, 12), (28, 14)])
def test_buffers_before_registers(tmp_path, registers, count):
    """Trees with at most three loads on each net, and no more buffers than that takes."""
    _, buffers, nets = joined(tmp_path, [], 3, registers)
    assert len(buffers) == count and len(nets) == registers
    loads = {}
    for net in [*nets, *(source for _, source, _ in buffers)]:
        loads[net] = loads.get(net, 0) + 1
    assert max(loads.values()) <= 3 and set(loads) == {"\\net", *(to for _, _, to in buffers)}
