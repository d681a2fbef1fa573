"""What is read of a run's waves for the power of a netlist (synth/activity.py), from a few cycles that are written
here."""

from types import SimpleNamespace

import pylibfst
import pytest

from synth import activity
from tools.refusal import Refusal

NEEDS = ["synth"]

LIB, FFI = pylibfst.lib, pylibfst.ffi
UNIT = ["TOP", "lockstep_tb", "u_iommu"]


def write(path, signals, scope=UNIT, steps=21):
    """Waves of these signals, {name, or (scopes.., name): (width, {time: value})}, and a clock that is 1 from each odd
    step on."""
    writer = LIB.fstWriterCreate(str(path).encode(), 1)
    for name in scope:
        LIB.fstWriterSetScope(writer, LIB.FST_ST_VCD_MODULE, name.encode(), FFI.NULL)
    all_signals = {"clk_i": (1, {n: str(n % 2) for n in range(steps)}), **signals}
    handles = {}
    for key, (width, _) in all_signals.items():
        *scopes, name = key if isinstance(key, tuple) else (key,)
        for inner in scopes:
            LIB.fstWriterSetScope(writer, LIB.FST_ST_VCD_MODULE, inner.encode(), FFI.NULL)
        handles[key] = LIB.fstWriterCreateVar(writer, LIB.FST_VT_VCD_WIRE, LIB.FST_VD_IMPLICIT, width, name.encode(), 0)
        for _ in scopes:
            LIB.fstWriterSetUpscope(writer)
    for time in range(steps):
        LIB.fstWriterEmitTimeChange(writer, time)
        for key, (_, changes) in all_signals.items():
            if time in changes:
                LIB.fstWriterEmitValueChange(writer, handles[key], changes[time].encode())
    LIB.fstWriterClose(writer)
    return path


@pytest.fixture
def waves(tmp_path):
    """Ten cycles, whose edges are at 1, 3 .. 19. Verilator has an element of an array as a signal of its own, in a
    scope of the array's name."""
    return activity.Waves(write(tmp_path / "w.fst", {
        "a_q": (2, {0: "00", 4: "01", 8: "11", 12: "00"}),  # bit 0 changes at 4 and 12, bit 1 at 8 and 12
        "one_q": (1, {0: "x", 6: "1", 16: "0"}),
        ("data_q", "data_q[0]"): (2, {0: "00", 2: "01"}),
        ("data_q", "data_q[1]"): (2, {0: "00", 2: "10", 10: "00"}),
        ("u_child", "b_q"): (1, {0: "0", 1: "1"}),
    }))


def test_how_often_a_bit_changes(waves):
    """In a cycle. What is unknown is 0; a register of one bit is known by its name and as its bit 0."""
    assert waves.cycles == 10 and list(waves.edges) == list(range(1, 20, 2))
    expected = {"a_q[0]": 0.2, "a_q[1]": 0.2, "one_q": 0.2, "one_q[0]": 0.2, "u_child.b_q": 0.1}
    assert {name: waves.bits[name] for name in expected} == pytest.approx(expected)
    assert "a_q" not in waves.bits


def test_elements_of_an_array(waves):
    """As Yosys's slang reader numbers them: the first element at the top."""
    assert [waves.bits[f"data_q[{n}]"] for n in range(4)] == pytest.approx([0, 0.2, 0.1, 0])


def test_bits_before_edges(waves):
    """As a number whose bit 0 is the first; a change at an edge comes after it. Each question is answered for its own
    edges."""
    assert waves.sampled("a_q[0]", 0, 10) == 0b0000111100  # edges 5, 7, 9 and 11
    assert waves.sampled("a_q[0]", 2, 5) == 0b111 and waves.sampled("a_q[0]", 0, 3) == 0b100
    assert waves.sampled("u_child.b_q", 0, 3) == 0b110
    assert waves.sampled("one_q", 0, 10) == 0b0011111000
    assert waves.sampled("none_q", 0, 3) is None


MAPPED = """module iommu (clk_i);
  DFF \\a_q[0]_reg  (
    .D(n1),
    .Q(\\a_q[0] )
  );
  DFF \\u_child.b_q_reg  (
    .Q(\\u_child.b_q )
  );
  DFF \\lost_q_reg  (
    .Q(lost_q)
  );
  INV _1_ (
    .Q(\\a_q[1] )
  );
endmodule
"""


def test_activity_of_registers(waves, tmp_path):
    """The mean of those of the netlist's registers that the waves have."""
    (tmp_path / "x.v").write_text(MAPPED)
    assert activity.measured(waves, tmp_path / "x.v", SimpleNamespace(flops={"DFF"})) == {
        "waves": f"{tmp_path}/w.fst", "cycles": 10, "registers": 3, "matched": 2, "activity": pytest.approx(0.15)}


def test_waves_of_something_else(tmp_path):
    """Without the unit's clock, or with one that stands still, they are of no run."""
    for scope, steps in ((["TOP", "other"], 21), (UNIT, 1)):
        with pytest.raises(Refusal, match=r"w\.fst: has no waves of a lockstep run; allowed: what `lockwalk cosim "):
            activity.Waves(write(tmp_path / "w.fst", {}, scope, steps))
