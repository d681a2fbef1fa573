"""What cocotb runs (run.py): walks of the unit in the memory of cocotbext-axi, which knows AXI4 and
nothing of this project, its registers reached by cocotbext-axi's AXI4-Lite manager."""

import itertools
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiRamRead, AxiReadBus, AxiResp

PRESENT, WRITABLE, USER = 1, 2, 4
OK, NOT_PRESENT, PERMISSION = 0, 3, 6
ROOT, REQUESTS, ACCESSES, BUS_STATUS = 0x4000, 0x808, 0x838, 0x18


class Tables:
    """Page tables of four levels in the memory's bytes: page n of a PASID to a random frame."""

    def __init__(self, memory):
        self.memory, self.nodes = memory, itertools.count(1)
        self.frames, self.roots = {}, {}

    def word(self, address):
        return int.from_bytes(self.memory.read(address, 8), "little")

    def map(self, pasid, page, frame, rights):
        node = self.roots.setdefault(pasid, next(self.nodes))
        for level in (4, 3, 2):
            place = node * 4096 + (page >> 9 * (level - 1) & 511) * 8
            if not self.word(place) & PRESENT:
                self.memory.write(place, (next(self.nodes) << 12 | PRESENT | WRITABLE | USER).to_bytes(8, "little"))
            node = self.word(place) >> 12
        self.memory.write(node * 4096 + (page & 511) * 8, (frame << 12 | rights).to_bytes(8, "little"))
        self.frames[pasid, page] = (frame, rights)

    def expected(self, pasid, page, access):
        frame, rights = self.frames.get((pasid, page), (0, 0))
        if not rights & PRESENT:
            return NOT_PRESENT, 0
        return (PERMISSION, 0) if access == 1 and not rights & WRITABLE else (OK, frame)


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 2, unit="ns").start())
    for name in ("req_valid", "req_id", "req_pasid", "req_page", "req_access"):
        getattr(dut, name).value = 0
    dut.rsp_ready.value = 1
    memory = AxiRamRead(AxiReadBus.from_prefix(dut, "m"), dut.clk, dut.rst_n, reset_active_level=False, size=2**20)
    control = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s"), dut.clk, dut.rst_n, reset_active_level=False)
    dut.rst_n.value = 0
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst_n.value = 1
    for _ in range(2):
        await RisingEdge(dut.clk)
    return memory, control


async def take_responses(dut, waiting, answers):
    while True:
        await FallingEdge(dut.clk)
        if dut.rsp_valid.value == 1:
            request = waiting.pop(int(dut.rsp_id.value))
            answers.append((request, (int(dut.rsp_kind.value), int(dut.rsp_pfn.value))))


async def offer(dut, identifier, pasid, page, access):
    dut.req_valid.value = 1
    dut.req_id.value, dut.req_pasid.value = identifier, pasid
    dut.req_page.value, dut.req_access.value = page, access
    while True:
        await FallingEdge(dut.clk)
        taken = dut.req_ready.value == 1
        await RisingEdge(dut.clk)
        if taken:
            break
    dut.req_valid.value = 0


def pauses(rng):
    while True:
        yield rng.random() < 0.3


@cocotb.test()
async def walks(dut):
    """Many walks at once, under back-pressure: every answer is that of the tables, each request is answered once."""
    rng = random.Random(int(os.environ.get("WALKS_SEED", "1")))
    memory, control = await start(dut)
    tables = Tables(memory)
    pages = [rng.getrandbits(35) for _ in range(4)]
    pages += [page ^ rng.getrandbits(4) for page in pages for _ in range(6)]
    for pasid, page in itertools.product(range(2), pages):
        if rng.random() < 0.8:
            tables.map(pasid, page, rng.getrandbits(36), PRESENT | USER | (WRITABLE if rng.random() < 0.7 else 0))
    for pasid, node in tables.roots.items():
        reply = await control.write(ROOT + 8 * pasid, (1 << 63 | node).to_bytes(8, "little"))
        assert reply.resp == AxiResp.OKAY
    await control.write(0, (2).to_bytes(8, "little"))
    memory.ar_channel.set_pause_generator(pauses(random.Random(1)))
    memory.r_channel.set_pause_generator(pauses(random.Random(2)))
    waiting, answers, count = {}, [], 400
    cocotb.start_soon(take_responses(dut, waiting, answers))
    for n in range(count):
        while n % 64 in waiting:
            await RisingEdge(dut.clk)
        request = (rng.randrange(2), rng.choice(pages), rng.randrange(2))
        waiting[n % 64] = request
        await with_timeout(offer(dut, n % 64, *request), 20, "us")
    for _ in range(4000):
        await RisingEdge(dut.clk)
        if not waiting:
            break
    assert not waiting and len(answers) == count
    for request, answer in answers:
        assert answer == tables.expected(*request), (request, answer)
    assert int.from_bytes((await control.read(REQUESTS, 8)).data, "little") == count
    assert int.from_bytes((await control.read(ACCESSES, 8)).data, "little") > 4
    assert int.from_bytes((await control.read(BUS_STATUS, 8)).data, "little") == 0 and dut.bus_error.value == 0


@cocotb.test()
async def refusals(dut):
    """What is no access of a register is answered SLVERR."""
    _, control = await start(dut)
    assert (await control.read(0x7ff8, 8)).resp == AxiResp.SLVERR
    assert (await control.write(0x10, bytes(8))).resp == AxiResp.SLVERR
    assert (await control.write(0, bytes(4))).resp == AxiResp.SLVERR  # half of WSTRB
    assert (await control.write(0, bytes(8))).resp == AxiResp.OKAY
