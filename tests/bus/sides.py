"""The unit on its buses as a test sees it: the RTL (a row of the module lockstep) or the twin, by the names of the
pins in rtl/iommu_axi.sv; and what is at the other end of its buses: a manager of AXI4-Lite, an AXI4 memory."""

import ctypes
import re
import subprocess

from tests.harness.make import made, make
from tools.project import ROOT

OKAY, SLVERR, DECERR = 0, 2, 3
LOCKSTEP = ROOT / "build" / "modules" / "lockstep"


class Register(ctypes.Structure):
    """lw_rtl_register (dpi/rtl_api.h)"""

    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_uint32), ("entries", ctypes.c_uint32),
                ("stride", ctypes.c_uint32), ("bits", ctypes.c_uint32)]


class Port(ctypes.Structure):
    """lw_module_port (tests/modules/module_rtl.h)"""

    _fields_ = [("name", ctypes.c_char_p), ("of", ctypes.c_char_p), ("lsb", ctypes.c_uint32),
                ("width", ctypes.c_uint32), ("count", ctypes.c_uint32), ("stride", ctypes.c_uint32),
                ("input", ctypes.c_bool), ("at", Register)]


class Functions(ctypes.Structure):
    """lw_module_rtl_functions, as far as it is used here"""

    _fields_ = [("create", ctypes.CFUNCTYPE(ctypes.c_void_p)),
                ("destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("reset", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("settle", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("edge", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("port", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(Port))),
                ("find", ctypes.c_void_p), ("failed", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p))]


def module_built(row):
    """The RTL of a row of tests/modules alone, as a library, and LOCKSTEP, which knows the row."""
    done = make("-s", "cosim-module", f"MODULE={row}", "CYCLES=1")
    assert done.returncode == 0, done.stdout + done.stderr


class Side:
    """Pins by name; `cycle` ends the cycle."""

    def __init__(self):
        self.now = 0
        self.watchers = []  # called with the side in each cycle, when its outputs are there

    def set(self, name, value):
        at, size = self.place(name)
        ctypes.memmove(at, value.to_bytes(size, "little"), size)

    def get(self, name):
        return int.from_bytes(ctypes.string_at(*self.place(name)), "little")

    def settle(self):
        self._settle(self.handle)

    def cycle(self):
        """The inputs are as they were set: the clock's edge."""
        self.settle()
        for watcher in self.watchers:
            watcher(self)
        self.settle()
        self._edge(self.handle)
        self.now += 1


class Rtl(Side):
    def __init__(self, row):
        super().__init__()
        library = ctypes.CDLL(str(self.library(row)))
        library.lw_module_rtl_library.restype = ctypes.POINTER(Functions)
        functions = library.lw_module_rtl_library().contents
        self._settle, self._edge, self._failed = functions.settle, functions.edge, functions.failed
        self.handle = functions.create()
        self.places, port, n = {}, Port(), 0
        while functions.port(self.handle, n, ctypes.byref(port)):
            self.places[port.name.decode()] = (port.at.data, port.at.bytes)
            n += 1

    @staticmethod
    def library(row):
        module_built(row)
        return ROOT / "build" / "modules" / row / "librtl.so"

    def place(self, name):
        return self.places[name]

    def failed(self):
        """Whether a checker of tb/ has barked; its words are on standard output."""
        return self._failed(self.handle)


class Checked(Rtl):
    """With the checker of an honest memory too."""

    @staticmethod
    def library(row):
        Rtl.library(row)
        key = f"{row}_checked"
        options = (ROOT / "build" / "modules" / row / "options").read_text().strip()
        made("module-rtl", f"KEY={key}", f"OPTIONS={options} tb/axi_memory_checker.sv", lock=f"modules/{key}/lock")
        return ROOT / "build" / "modules" / key / "librtl.so"


class Twin(Side):
    def __init__(self, row):
        super().__init__()
        made("build/bus/libtwin.so", lock="bus/lock")
        library = ctypes.CDLL(str(ROOT / "build" / "bus" / "libtwin.so"))
        library.bus_twin_new.restype = library.bus_twin_pin.restype = ctypes.c_void_p
        library.bus_twin_new.argtypes = [ctypes.c_char_p]
        library.bus_twin_pin.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_size_t)]
        for function in (library.bus_twin_settle, library.bus_twin_edge):
            function.argtypes, function.restype = [ctypes.c_void_p], None
        self._settle, self._edge = library.bus_twin_settle, library.bus_twin_edge
        self.handle = library.bus_twin_new(row.encode())
        self.pin, self.places = library.bus_twin_pin, {}
        assert self.handle

    def place(self, name):
        if name not in self.places:
            size = ctypes.c_size_t()
            at = self.pin(self.handle, name.encode(), ctypes.byref(size))
            assert at, f"the twin has no pin {name}"
            self.places[name] = (at, size.value)
        return self.places[name]


def parameters(row):
    """The RTL's parameters of a row, as numbers."""
    module_built(row)
    options = subprocess.run([LOCKSTEP, "--options", row], capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in re.findall(r"-G(\w+)=(\d+)", options)}


class Manager:
    """Of AXI4-Lite: whole accesses, one at a time."""

    LIMIT = 40

    def __init__(self, side):
        self.side = side

    def transfer(self, valid, ready):
        """Holds valid up until it has been taken."""
        self.side.set(valid, 1)
        for _ in range(self.LIMIT):
            self.side.settle()
            taken = self.side.get(ready)
            self.side.cycle()
            if taken:
                self.side.set(valid, 0)
                return
        raise AssertionError(f"{valid} is not taken")

    def answer(self, valid, ready, *names):
        self.side.set(ready, 1)
        for _ in range(self.LIMIT):
            self.side.settle()
            found = [self.side.get(name) for name in names] if self.side.get(valid) else None
            self.side.cycle()
            if found:
                self.side.set(ready, 0)
                return found
        raise AssertionError(f"no {valid}")

    def write(self, address, value, strobe=0xff, data_first=False):
        """Its BRESP."""
        def address_part():
            self.side.set("s_aw_addr_i", address)
            self.transfer("s_aw_valid_i", "s_aw_ready_o")

        def data_part():
            self.side.set("s_w_data_i", value)
            self.side.set("s_w_strb_i", strobe)
            self.transfer("s_w_valid_i", "s_w_ready_o")

        for part in (data_part, address_part) if data_first else (address_part, data_part):
            part()
        return self.answer("s_b_valid_o", "s_b_ready_i", "s_b_resp_o")[0]

    def read(self, address):
        """(RDATA, RRESP)"""
        self.side.set("s_ar_addr_i", address)
        self.transfer("s_ar_valid_i", "s_ar_ready_o")
        return tuple(self.answer("s_r_valid_o", "s_r_ready_i", "s_r_data_o", "s_r_resp_o"))


class Memory:
    """An AXI4 subordinate with the words of `words` (by address / 8), `latency` cycles from the transfer of an AR to
    its first beat; the beats of several bursts take turns. `respond` may change a beat: (id, number, resp, last)."""

    def __init__(self, side, width, latency=10):
        self.side, self.width, self.latency = side, width, latency
        self.words, self.bursts, self.asked, self.turn = {}, [], [], 0
        self.respond = lambda identifier, number, resp, last: (resp, last)
        side.watchers.append(self.work)

    def work(self, side):
        side.set("m_ar_ready_i", 1)
        ready = [burst for burst in self.bursts if burst["from"] <= side.now]
        side.set("m_r_valid_i", int(bool(ready)))
        if ready:
            self.turn += 1
            self.beat(side, ready[self.turn % len(ready)])
        if side.get("m_ar_valid_o"):
            address, count = side.get("m_ar_addr_o"), side.get("m_ar_len_o") + 1
            assert address % 64 == 0 and count * self.width == 512
            self.asked.append(address)
            self.bursts.append({"id": side.get("m_ar_id_o"), "address": address, "beat": 0, "count": count,
                                "from": side.now + self.latency})

    def beat(self, side, burst):
        words = self.width // 64
        first = burst["address"] // 8 + burst["beat"] * words
        value = sum(self.words.get(first + n, 0) << (64 * n) for n in range(words))
        resp, last = self.respond(burst["id"], burst["beat"], OKAY, burst["beat"] == burst["count"] - 1)
        for name, given in (("m_r_id_i", burst["id"]), ("m_r_data_i", value), ("m_r_resp_i", resp),
                            ("m_r_last_i", int(last))):
            side.set(name, given)
        burst["beat"] += 1
        if last or burst["beat"] >= 2 * burst["count"]:
            self.bursts.remove(burst)


class Requester:
    """Asks for one page at a time."""

    def __init__(self, side):
        self.side = side
        side.set("rsp_ready_i", 1)

    def ask(self, pasid, page, access=0, source=0, limit=2000):
        """(kind, level, frame, cycles until the response)"""
        side = self.side
        for name, value in (("req_pasid_i", pasid), ("req_page_i", page), ("req_access_i", access),
                            ("req_src_i", source), ("req_valid_i", 1)):
            side.set(name, value)
        began = side.now
        taken = False
        for _ in range(limit):
            side.settle()
            if side.get("rsp_valid_o"):
                found = tuple(side.get(f"rsp_{name}_o") for name in ("kind", "level", "pfn"))
                side.cycle()
                return (*found, side.now - 1 - began)
            taken = taken or side.get("req_ready_o")
            side.cycle()
            if taken:
                side.set("req_valid_i", 0)
        raise AssertionError(f"no answer for page {page:#x}")
