"""What the flow takes from a library (synth/cells/technology.py): of a small one of made-up cells, which of them are
what, by their functions and areas and not by their names."""

import gzip

import pytest

from synth.cells.technology import Technology
from tools.refusal import Refusal

NEEDS = ["synth"]

TABLE = 'timing () {{ related_pin : "{0}"; cell_rise (t) {{ values ("{1}, {1}", "{2}, {2}"); }} }}'


def gate(function, *inputs):
    pins = "".join(f"pin ({name}) {{ direction : input; capacitance : 0.5; }}\n    " for name in inputs)
    return (f"{pins}\n    pin (Y) {{ direction : output; function : \"{function}\"; "
            f"{TABLE.format(inputs[0], 2, 6)} }}")


def register(table=True, delay=3.0):
    timing = TABLE.format("C", delay, 9) if table else ""
    return ('ff (IQ, IQN) { clocked_on : "C"; next_state : "D"; }\n'
            "    pin (D) { direction : input; capacitance : 0.5; }\n    pin (C) { direction : input; clock : true; "
            f'capacitance : 0.5; }}\n    pin (Q) {{ direction : output; function : "IQ"; {timing} }}')


def latch(enable="E", data="D", more="", function="IQ"):
    return (f'latch (IQ, IQN) {{ enable : "{enable}"; data_in : "{data}"; {more} }}\n'
            "    pin (D) { direction : input; capacitance : 0.5; timing () { related_pin : \"E\"; timing_type : "
            'setup_falling; rise_constraint (scalar) { values ("1"); } } }\n'
            "    pin (E) { direction : input; capacitance : 0.5; }\n"
            f'    pin (Q) {{ direction : output; function : "{function}"; }}')


CELLS = {  # name: (area, body)
    "one": (2, gate("(!A)", "A")), "two": (3, gate("A'", "A")), "three": (9, gate("!A", "A")),
    "four": (5, gate("A", "A")), "five": (4, gate("A", "A")), "six__probe": (1, gate("A", "A")),
    "seven": (7, gate("!(A&B)", "A", "B")), "eight": (6, gate("(!A)|(!B)", "A", "B")),
    "nine": (1, gate("!(A|B)", "A", "B")), "ten": (3, gate("A&(!B)", "A", "B")), "eleven": (8, gate("A&B", "A", "B")),
    "nine_dly": (1, gate("!(A&B)", "A", "B")),
    "small_ff": (10, register(table=False)), "ff": (12, register()), "large_ff": (14, register(delay=1.0)),
    "low": (2, latch("!E")), "low_too": (2, latch("E'")), "high": (6, latch("(E)")), "wide": (11, latch()),
    "turned": (1, latch(data="!D")), "cleared": (1, latch(more='clear : "D";')),
    "masked": (1, latch(function="IQ&E")),
}


def liberty(cells):
    bodies = "".join(f"  cell ({name}) {{\n    area : {area}; cell_leakage_power : 1;\n    {body}\n  }}\n"
                     for name, (area, body) in cells.items())
    return ('library (made_up) {\n  time_unit : "10ps";\n  capacitive_load_unit (1, ff);\n  nom_voltage : 1.0;\n'
            "  lu_table_template (t) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;\n"
            '    index_1 ("0, 4"); index_2 ("1, 2"); }\n' + bodies + "}\n")


@pytest.fixture
def technology(tmp_path):
    path = tmp_path / "made_up.lib"
    path.write_text(liberty(CELLS))
    return Technology(path, tmp_path / "build")


def test_which_cells_are_what(technology):
    """Inverters and buffers by area, the smallest first; of cells that are not to be used none is taken."""
    assert technology.inverters == ["one", "two", "three"] and technology.buffers == ["five", "four"]
    assert technology.dont_use == ["nine_dly", "six__probe"]
    assert technology.flops == {"small_ff", "ff", "large_ff"} and technology.latches == {
        "low", "low_too", "high", "wide", "turned", "cleared", "masked"}
    assert technology.areas == {**{name: area for name, (area, _) in CELLS.items()}, "clock_gate": 6 + 2 + 8}
    assert technology.outputs["ten"] == {"Y"} and technology.outputs["ff"] == {"Q"}


def test_one_gate_equivalent(technology):
    """The smallest two-input NAND that may be used, whatever its function is written as."""
    assert technology.nand2 == 6


def test_the_register_that_stands_for_all(technology):
    """The smallest with delay tables; its time without a load is in seconds."""
    assert technology.register == "ff" and technology.flop_delay == pytest.approx(3 * 10e-12)


def test_what_drives_the_inputs(technology):
    assert technology.driving_cell == "two"


def test_of_what_a_clock_gate_is_made(technology):
    """The smallest latch that is open while its enable is 1, the smallest inverter and the smallest AND."""
    assert technology.gate.cell == "clock_gate" and technology.gate.area == CELLS["high"][0] + 2 + 8


def test_a_clock_gate_by_what_a_library_says(tmp_path):
    """A cell's leakage is 0 where it says none; without a voltage nothing of it can be said."""
    path = tmp_path / "made_up.lib"
    text = liberty(CELLS)
    path.write_text(text.replace("cell_leakage_power : 1;", "", 1))  # the smallest inverter's
    gate = Technology(path, tmp_path).gate
    assert "cell_leakage_power : 2;" in gate.liberty
    path.write_text(text.replace("nom_voltage : 1.0;", ""))
    with pytest.raises(Refusal, match=r"made_up\.lib: has no nom_voltage; allowed: a liberty with one, or with"):
        Technology(path, tmp_path)


def test_units(technology):
    assert (technology.name, technology.seconds, technology.farads) == ("made_up", pytest.approx(1e-11), 1e-15)


def test_where_the_plain_file_is(tmp_path):
    """A plain one where it is; one in a gzip in the folder, by its content, so that two of a name are two."""
    plain, build = tmp_path / "x.lib", tmp_path / "build"
    plain.write_text(liberty(CELLS))
    assert Technology(plain, build).path == plain and not build.exists()
    plain.rename(tmp_path / "x.liberty")
    assert Technology(tmp_path / "x.liberty", build).path.name == "x.liberty.lib"  # by which OpenSTA knows it
    kept = []
    for n, cells in enumerate((CELLS, {**CELLS, "more": CELLS["one"]})):
        (tmp_path / str(n)).mkdir()
        source = tmp_path / str(n) / "x.lib.gz"
        source.write_bytes(gzip.compress(liberty(cells).encode()))
        kept.append(Technology(source, build).path)
    assert [path.name for path in kept] == ["x.lib", "x.lib"] and kept[0] != kept[1]
    assert kept[0].read_text() == liberty(CELLS)
