"""The checkers of the buses (tb/axi_*_checker.sv): each of their assertions is seen to bark, at a broken line of the
RTL, at a memory that does not keep to AXI, or at a manager that does not; and at an honest one none does. What no
checker can know the lockstep of the bridge with its twin sees."""

import ctypes
import re
import subprocess

import pytest

from tests.bus.sides import LOCKSTEP, OKAY, SLVERR, Checked, Manager, Memory, Requester, module_built
from tests.harness.mutants import Mutant
from tools.project import ROOT

READER, LITE = "axi_reader", "axi_lite_control"
# (module, the line as it is, the line broken, what the checker says)
BROKEN = [
    (READER, "if (may_load) ar_valid_q <= load;", "ar_valid_q <= load;", "R0.3: an offered burst changed"),
    (READER, "8'(Beats - 1)", "8'(Beats)", "R19.1: a burst of"),
    (READER, "3'($clog2(DataWidth / 8))", "3'($clog2(DataWidth / 8) - 1)", "R19.1: beats of"),
    (READER, "{ar_line_q, 6'b0}", "{ar_line_q, 6'h20}", "crosses 4 KiB"),
    (READER, "waiting_valid_q ? waiting_line_q : mem_req_i.line", "waiting_line_q", "which was not asked for"),
    (READER, "busy_q[next_tag] || (ar_valid_q", "(ar_valid_q", "R19.2: ID"),
    (READER, "assign r_ready_o       = 1'b1;", "assign r_ready_o       = !rsp_valid_q;", "R19.15: RREADY is low"),
    (READER, "|| beat_error || wrong_last;", "|| beat_error;", "R19.3: a line that is not whole"),
    (READER, "failed_q[r_id_i] || beat_error || wrong", "beat_error || wrong", "R19.3: a line that is not whole"),
    (READER, "completes && !unwanted_q[r_id_i] && !flush_i", "completes && !flush_i", "R19.7: a line for tag"),
    (LITE, "b_full_q  <= b_full_q ? !b_ready_i : writes;", "b_full_q  <= writes;", "an offered B changed"),
    (LITE, "r_full_q    <= r_full_q ? !r_ready_i : under_way_q[1];", "r_full_q    <= under_way_q[1];",
     "an offered R changed"),
    (LITE, "write_ready    = aw_full_q && w_full_q", "write_ready    = aw_full_q", "B without AW and W"),
    (LITE, "read_ready     = ar_full_q && !r_full_q", "read_ready     = !r_full_q", "R without AR"),
    (LITE, "Slverr = 2'b10", "Slverr = 2'b11", "neither OKAY nor SLVERR"),
    (LITE, "ctl_write_o = writes && write_is_legal", "ctl_write_o = writes", "R19.9: a write that is not"),
    (LITE, "        if (can_read(ar_addr_q)) begin", "        if (!of_status) begin", "R19.9: data with SLVERR"),
    (LITE, "writes         = write_ready && !(read_ready && last_write_q)",
     "writes         = write_ready && last_write_q", "R19.19: a write is not answered"),
    (LITE, "!(read_ready && last_write_q)", "!(read_ready && last_write_q) && under_way_q == '0",
     "R19.19: a write is not answered"),
    (LITE, "reads          = read_ready && !writes", "reads          = read_ready && writes",
     "R19.20: a read is not answered"),
]
# What only the twin knows.
DIFFERENT = [
    (READER, "part_q[r_id_i][beat] <= r_data_i", "part_q[r_id_i][beat ^ BeatW'(1)] <= r_data_i"),
    (READER, "known && r_resp_i == 2'b11", "known && r_resp_i == 2'b10"),
    (READER, "busy_q[waiting_tag_q] && over_q[waiting_tag_q] &&", "busy_q[waiting_tag_q] &&"),
    (READER, "ar_unwanted_q <= !load && (ar_unwanted_q || flush_i);", "ar_unwanted_q <= !load && ar_unwanted_q;"),
    (READER, "waiting_valid_q || ar_valid_q || |busy_q", "waiting_valid_q || ar_valid_q"),
    (LITE, "last_write_q <= writes;", "last_write_q <= 1'b0;"),
    (LITE, "(status_q & ~cleared) | events_i", "(status_q | events_i) & ~cleared"),
    (LITE, "32'(addr[13:3]) < Pasids", "32'(addr[13:3]) <= Pasids"),
    (LITE, "w_whole_q <= &w_strb_i;", "w_whole_q <= |w_strb_i;"),
]
ROW = {READER: "axi_reader_64", LITE: "axi_lite_control"}
# Cycles: all that the checkers say is printed; the other run ends with the first difference.
CHECKED, COMPARED = 5000, 40_000


def lockstep_of_mutant(folder, module, before, after):
    """A function that runs the lockstep of the module, broken so, with these options."""
    row = ROW[module]
    module_built(row)
    options = subprocess.run([LOCKSTEP, "--options", row], capture_output=True, text=True, check=True).stdout.strip()
    mutant = Mutant(folder, f"rtl/bus/{module}.sv", before, after)
    (folder / "tests" / "modules").symlink_to(ROOT / "tests" / "modules")
    mutant.run("make", "-s", "module-rtl", f"KEY={row}", f"OPTIONS={options}")
    library = str(folder / "build" / "modules" / row / "librtl.so")
    return lambda cycles, *options: subprocess.run([LOCKSTEP, row, "1", str(cycles), library, *options],
                                                   capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("module", "before", "after", "said"), BROKEN, ids=[row[3] for row in BROKEN])
def test_broken_rtl_barks(module, before, after, said, tmp_path):
    run = lockstep_of_mutant(tmp_path, module, before, after)
    done = run(CHECKED, "--checkers")
    assert done.returncode == 1
    assert said in done.stdout, set(re.findall(r"Assertion failed in \S+: (.*)", done.stdout))
    assert run(COMPARED).returncode == 1


@pytest.mark.parametrize(("module", "before", "after"), DIFFERENT, ids=[row[2] for row in DIFFERENT])
def test_lockstep_barks(module, before, after, tmp_path):
    done = lockstep_of_mutant(tmp_path, module, before, after)(COMPARED)
    assert done.returncode == 1
    assert "mismatch: module" in done.stdout


@pytest.mark.parametrize("row", ["axi_reader_64", "axi_lite_control"])
def test_whole_rtl_is_silent(row):
    """The same run of what is not broken."""
    module_built(row)
    run = [LOCKSTEP, row, "1", "5000",
           str(ROOT / "build" / "modules" / row / "librtl.so"), "--checkers"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Assertion" not in done.stdout


# ---------------------------------------------------------------- the other end of the buses

def walks(respond=None):
    """The RTL, after four walks in a memory that answers so."""
    side = Checked("iommu_axi_64")
    manager, memory, requester = Manager(side), Memory(side, 64), Requester(side)
    memory.respond = respond or memory.respond
    side.cycle()
    assert manager.write(0x4000, 1 << 63 | 5) == OKAY
    for page in range(4):
        requester.ask(0, page << 20)
    return side


def said_by(capfd):
    ctypes.CDLL(None).fflush(None)
    return capfd.readouterr().out


def test_honest_memory_is_silent(capfd):
    assert not walks().failed()
    assert "Assertion" not in said_by(capfd)


@pytest.mark.parametrize(("respond", "said"), [
    (lambda _id, _number, _resp, last: (1, last), "AXI: EXOKAY"),
    (lambda _id, number, resp, _last: (resp, number == 5), "AXI: RLAST is 1 with 3 beats left"),
    (lambda _id, number, resp, _last: (resp, number == 8), "AXI: RLAST is 0 with 1 beats left"),
    (lambda _id, number, resp, _last: (resp, number == 8), "AXI: a beat for ID"),
], ids=["exokay", "early", "late", "stray"])
def test_dishonest_memory_barks(respond, said, capfd):
    assert walks(respond).failed()
    assert said in said_by(capfd)


@pytest.mark.parametrize(("channel", "payload", "said"), [
    ("aw", "s_aw_addr_i", "an offered AW changed"),
    ("w", "s_w_data_i", "an offered W changed"),
    ("ar", "s_ar_addr_i", "an offered AR changed"),
])
@pytest.mark.parametrize("withdrawn", [False, True])
def test_fickle_manager_barks(channel, payload, said, withdrawn, capfd):
    """The first offer is taken and stays in its register, R being held up; the second one changes."""
    side = Checked("iommu_axi_64")
    for _ in range(3):
        side.cycle()
    side.set(f"s_{channel}_valid_i", 1)
    for _ in range(12):
        side.cycle()
    assert not side.failed()
    if withdrawn:
        side.set(f"s_{channel}_valid_i", 0)
    else:
        side.set(payload, 8)
    side.cycle()
    side.cycle()
    assert side.failed()
    assert said in said_by(capfd)


def test_refused_access_is_silent(capfd):
    side = Checked("iommu_axi_64")
    manager = Manager(side)
    assert manager.write(0x10, 0) == SLVERR
    assert manager.read(0x7ff8) == (0, SLVERR)
    assert not side.failed()
    assert "Assertion" not in said_by(capfd)
