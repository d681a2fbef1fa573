"""The house's arrows run one way: who may include whom, and what the oracle may call."""

import ast
import graphlib
import re
import subprocess

import pytest

from tools.project import ROOT

FOLDERS = ["common", "oracle", "c_model", "sim", "dpi", "lib", "app"]
# A folder knows itself and these.
MAY_KNOW = {
    "common": set(),
    "oracle": {"common"},
    "c_model": {"common", "state"},
    "sim": {"common", "oracle", "c_model"},
    "dpi": {"common", "oracle", "c_model", "sim", "state"},
    "lib": {"common", "c_model", "sim"},
    "app": {"common", "oracle", "c_model", "sim", "dpi", "state"},
}
# What sim may know of the twin: the ports and parameters of the unit that it surrounds.
PORTS = {"c_model/base/ports.h", "c_model/base/params.h", "c_model/iommu.h"}
# Within the twin a module knows base/, where the structs of all ports are, and its own folder. These pass between
# modules what leaves one for another, as in the RTL, or find registers by name.
TWIN = {"base", "front", "buffer", "walk", "reach", "host", "bus"}
JOINS = {
    "c_model/iommu.c": TWIN,
    "c_model/iommu_axi.c": TWIN,
    "c_model/iommu_axi.h": TWIN,
    "c_model/iommu_parts.h": TWIN,
    "c_model/registers.c": TWIN,
    "c_model/walk/walk_engine.h": {"base", "walk", "buffer", "reach"},
    "c_model/walk/walk_engine.c": {"base", "walk", "buffer", "reach"},
}
# Within sim/: what a room knows beside itself. The machine is put together in environment/, which knows them all.
MACHINE = {
    "files": set(),
    "memory": set(),
    "system": set(),
    "workloads": {"files"},
    "frames": {"files"},
    "tables": {"frames", "memory", "workloads"},
    "kernels": {"workloads"},
    "traces": {"files", "workloads"},
    "gpu": {"memory", "traces", "workloads"},
    "os": {"files", "frames", "memory", "system", "tables", "workloads"},
    "energy": {"gpu", "memory", "system"},
    "environment": {"files", "gpu", "kernels", "memory", "os", "system", "tables", "traces", "workloads"},
}
# Within the program: what a run asks of its host, what the command line says, what is told of a run, the commands.
PROGRAM = {
    "host": {"host"},
    "options": {"host", "options"},
    "reports": {"host", "options", "reports"},
    "commands": {"host", "options", "reports", "commands"},
    "bench": {"host", "options", "reports", "commands", "bench"},
}
INCLUDE = re.compile(r'^ *# *include "([^"]+)"', re.M)
WHOLE_PATH = re.compile(r"[a-z_]+/[\w/]+\.h")  # from the project's root, as every header of ours is named


def includes(root=ROOT):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            for header in INCLUDE.findall(path.read_text()):
                yield str(path.relative_to(root)), header


def wrong_arrow(file, header):
    """One sentence, or None."""
    if not WHOLE_PATH.fullmatch(header):
        return f"{file} includes {header}; allowed: a path from the project's root"
    folder, target = file.split("/")[0], header.split("/")[0]
    if folder != target and target not in MAY_KNOW[folder]:
        return f"{file} includes {header}; {folder}/ may know {sorted(MAY_KNOW[folder])}"
    if folder == "sim" and target == "c_model" and header not in PORTS:
        return f"{file} includes {header}; sim/ may know {sorted(PORTS)} of the twin"
    if folder == "c_model" and target == "c_model":
        return wrong_in_twin(file, header)
    if folder == target == "sim":
        return wrong_in_machine(file, header)
    if folder == target == "app" and file.count("/") == 2:
        return wrong_in_program(file, header)
    return None


def wrong_in_machine(file, header):
    room, other = file.split("/")[1], header.split("/")[1]
    wrong = other not in MACHINE[room] | {room}
    return f"{file} includes {header}; of the machine's folders it may know {sorted(MACHINE[room])}" if wrong else None


def wrong_in_program(file, header):
    known = PROGRAM[file.split("/")[1]]
    wrong = header != "app/versions.h" and header.split("/")[1] not in known
    return f"{file} includes {header}; of the program's folders it may know {sorted(known)}" if wrong else None


def wrong_in_twin(file, header):
    top = file.count("/") == 1
    known = JOINS.get(file, set() if top else {"base", file.split("/")[1]})
    other = header.split("/")[1]
    # The unit as a whole is known only to those that stand beside it.
    wrong = other not in known | {"base"} if header.count("/") == 2 else not top
    return f"{file} includes {header}; of the twin's folders it may know {sorted(known)}" if wrong else None


def test_arrows_run_one_way():
    wrong = [sentence for pair in includes() if (sentence := wrong_arrow(*pair))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("file", "header"), [
    ("common/heap.c", "oracle/oracle.h"),
    ("oracle/oracle.c", "sim/tables/page_table.h"),
    ("oracle/oracle.c", "c_model/base/ports.h"),
    ("c_model/iommu.c", "sim/system/system.h"),
    ("sim/gpu/gpu.c", "c_model/walk/page_walkers.h"),
    ("sim/gpu/gpu.c", "dpi/session.h"),
    ("dpi/session.c", "app/options/options.h"),
    ("sim/files/text_source.c", "sim/traces/trace.h"),
    ("sim/memory/dram.c", "sim/system/system.h"),
    ("sim/frames/frame_buddy.c", "sim/tables/page_table.h"),
    ("sim/tables/hashed_table.c", "sim/os/address_space.h"),
    ("sim/kernels/nw.c", "sim/traces/trace.h"),
    ("sim/gpu/gpu.c", "sim/environment/environment.h"),
    ("app/host/output.c", "app/options/options.h"),
    ("app/options/options.c", "app/reports/json.h"),
    ("app/reports/json.c", "app/commands/table_plan.h"),
    ("app/commands/table.c", "app/bench/bench_run.h"),
    ("lib/lockwalk_ref.c", "dpi/session.h"),
    ("c_model/base/pte.c", "c_model/host/control.h"),
    ("c_model/host/control.c", "c_model/front/unified_tlb.h"),
    ("c_model/front/admission.c", "c_model/buffer/iommu_buffer.h"),
    ("c_model/buffer/iommu_buffer.c", "c_model/walk/page_walkers.h"),
    ("c_model/reach/contiguity.c", "c_model/walk/page_walkers.h"),
    ("c_model/walk/page_walkers.c", "c_model/iommu.h"),
    ("c_model/walk/page_walkers.c", "c_model/buffer/iommu_buffer.h"),
    ("c_model/walk/walk_engine.c", "c_model/front/unified_tlb.h"),
    ("c_model/front/unified_tlb.c", "c_model/host/invalidation.h"),
])
def test_a_wrong_arrow_barks(file, header):
    assert wrong_arrow(file, header)


def symbols(folder, *options):
    objects = sorted(str(p) for p in (ROOT / "build" / "obj" / folder).rglob("*.o"))
    assert objects
    done = subprocess.run(["gcc-nm", "-P", *options, *objects], capture_output=True, text=True, check=True)
    return {line.split()[0] for line in done.stdout.splitlines() if len(line.split()) > 1}


def test_oracle_calls_nobody():
    """The third opinion shares no code with either side, nor with what builds the page tables."""
    undefined = symbols("oracle", "--undefined-only")
    ours = {name for name in undefined if name.startswith("lw_")}
    assert ours <= symbols("oracle", "--defined-only") | symbols("common", "--defined-only"), ours
    for folder in ("c_model", "sim"):
        assert not undefined & symbols(folder, "--defined-only")


def objects():
    """{source file: its object}, of what is there of the program's files."""
    made = ROOT / "build" / "obj"
    found = {f"{path.relative_to(made).with_suffix('.c')}": path for path in sorted(made.rglob("*.o"))}
    return {file: path for file, path in found.items() if file.split("/")[0] in FOLDERS and (ROOT / file).is_file()}


def names_in(found):
    """({name: the file that defines it}, {(file, name that another one defines)})."""
    done = subprocess.run(["gcc-nm", "-A", "-P", *map(str, found.values())], capture_output=True, text=True, check=True)
    lines = [line.partition(": ")[::2] for line in done.stdout.splitlines()]
    files = {str(path): file for file, path in found.items()}
    symbols = [(files[path], *rest.split()[:2]) for path, rest in lines]
    home = {name: file for file, name, kind in symbols if kind in "TDBR"}
    return home, {(file, name) for file, name, kind in symbols if kind == "U" and home.get(name, file) != file}


def calls(found):
    """{file: the others that define what it calls or reads}."""
    home, used = names_in(found)
    asked = {file: set() for file in found}
    for file, name in used:
        asked[file].add(home[name])
    return asked


def circle(asked):
    """Files that call each other in one, or None."""
    try:
        graphlib.TopologicalSorter(asked).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def test_no_files_call_each_other():
    """Who looks for the one that stands below need not look back."""
    asked = calls(objects())
    assert "c_model/iommu.c" in asked["dpi/session.c"] and len(asked) > 200
    assert circle(asked) is None


# What no other file of the program asks for. Through these tests look at what the program keeps to itself; and the twin
# on its buses is driven by tests alone, as in a simulator of one's own.
FOR_TESTS = {
    "lw_iommu_axi_init", "lw_iommu_axi_reset", "lw_iommu_axi_show", "lw_iommu_axi_step", "lw_walkers_but_victims",
    "lw_walkers_flying", "lw_hash_number", "lw_state_net_bits", "lw_oracle_in_flight", "lw_wait_bound",
    "lw_frame_allocator_available", "lw_frame_allocator_in_use", "lw_gpu_run_of", "lw_vertex_new", "lw_vertex_ops",
    "lw_dram_watch", "lw_dram_timing_key_at", "lw_line_port_new_with", "lw_address_spaces_reserved",
    "lw_os_agent_frames_kept", "lw_contiguity_find", "lw_page_table_nodes",
}


def test_nothing_is_dead():
    """What no other file asks for is its file's own, or tests look through it."""
    home, used = names_in(objects())
    alone = {name for name in home if name.startswith("lw_")} - {name for _, name in used}
    assert alone == FOR_TESTS
    text = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.[ch]"))
    unseen = {name for name in FOR_TESTS if not re.search(rf"\b{name}\b", text)}
    assert unseen == {"lw_walkers_but_victims"}  # of the header's lw_walkers_in_flight, through which tests look


# RTL with flip-flops whose twin is part of another file, or a header alone; a memory is an array in its module's
# struct.
PART_OF = {
    "buffer/buffer_ring": "buffer/iommu_buffer.h", "front/tlb_fill": "front/unified_tlb.c",
    "front/tlb_pipe": "front/unified_tlb.c", "front/tlb_ranks": "front/unified_tlb.c",
    "front/tlb_sweep": "front/unified_tlb.c", "walk/lookup_pipe": "walk/lookup_pipe.h",
    "walk/walker_order": "walk/page_walkers.h",
}
ARRAYS = {"prim/sram", "prim/sram_macro"}


def rules_in(path):
    return set(re.findall(r"\bR\d+\.\d+", path.read_text()))


def test_each_state_has_its_twin():
    """In a file of the same name, or in one that PART_OF names, which cites a rule of the RTL's."""
    state = {str(path.relative_to(ROOT / "rtl").with_suffix("")): path for path in (ROOT / "rtl").rglob("*.sv")
             if "always_ff" in path.read_text()}
    assert state.keys() >= {"front/admission", *PART_OF, *ARRAYS}
    for name in state.keys() - ARRAYS:
        twin = ROOT / "c_model" / PART_OF.get(name, f"{name}.c")
        assert twin.is_file(), f"rtl/{name}.sv has flip-flops; nothing says where their twin is"
        assert name not in PART_OF or rules_in(state[name]) & rules_in(twin), f"{twin} cites no rule of rtl/{name}.sv"


def test_a_circle_barks():
    assert set(circle({"a.c": {"b.c"}, "b.c": {"c.c", "d.c"}, "c.c": {"a.c"}, "d.c": set()})) == {"a.c", "b.c", "c.c"}


# The programs in Python: what each folder of theirs knows beside itself. Within synth/ the commands stand on the rooms.
PYTHON_FOLDERS = {
    "tools": set(),
    "formal": {"tools"},
    "papers": {"tools"},
    "plots": {"tools"},
    "regmap": set(),
    "state": {"tools"},
    "synth": {"synth.cells", "synth.explore", "synth.netlist", "synth.timing", "tools"},
    "synth.cells": {"tools"},
    "synth.netlist": {"synth.cells", "tools"},
    "synth.timing": {"synth.cells", "synth.netlist", "tools"},
    "synth.explore": {"tools"},
}
# A folder of tests knows what it tests and what all tests share, and no other folder of tests.
SHARED = {"tests": {"tests.harness", "tools"}, "tests.harness": {"tools"}}
PYTHON_FOLDERS |= {f"tests.{folder.name}": {"tests.harness", *PYTHON_FOLDERS}
                   for folder in (ROOT / "tests").iterdir() if any(folder.glob("*.py"))} | SHARED


def python_files():
    return {str(path.relative_to(ROOT).with_suffix("")).replace("/", "."): path
            for top in PYTHON_FOLDERS if "." not in top for path in sorted((ROOT / top).rglob("*.py"))}


def imports(text, modules):
    """The project's modules that this one asks for."""
    asked = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            asked |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            asked |= {alias.name for alias in node.names}
    return asked & modules


def wrong_import(module, other):
    folder, target = module.rpartition(".")[0], other.rpartition(".")[0]
    wrong = target not in PYTHON_FOLDERS[folder] | {folder}
    return f"{module} imports {other}; {folder} may know {sorted(PYTHON_FOLDERS[folder])}" if wrong else None


def test_python_runs_one_way():
    files = python_files()
    asked = {module: imports(path.read_text(), set(files)) for module, path in files.items()}
    assert "tests.harness.make" in asked["tests.bus.sides"]
    assert "tools.refusal" in asked["formal.formal"] and "synth.netlist.netlist" in asked["synth.area"]
    assert circle(asked) is None
    wrong = [sentence for module in asked for other in asked[module] if (sentence := wrong_import(module, other))]
    assert not wrong, "\n".join(wrong)


def test_a_wrong_import_barks():
    modules = {"tools.refusal", "synth.area", "papers.plan", "synth.cells.delays"}
    assert wrong_import("tests.papers.test_papers", "tests.synth.synthesis")
    assert wrong_import("tests.harness.make", "tests.bus.sides") and wrong_import("papers.plan", "tests.harness.make")
    assert not wrong_import("tests.synth.test_synth", "synth.cells.delays")
    text = ("import json, papers.plan\nfrom synth import (report,\n    area)\n"
            "if x:\n    from tools.refusal import Refusal\n")
    assert imports(text, modules) == {"papers.plan", "synth.area", "tools.refusal"}
    assert wrong_import("papers.plan", "synth.area") and wrong_import("synth.cells.delays", "synth.area")
    assert not wrong_import("synth.area", "synth.cells.delays") and not wrong_import("papers.plan", "tools.refusal")


def test_largest_files():
    """A file fits one thought."""
    limit = 400
    large = {}
    for folder in [*FOLDERS, "rtl"]:
        for path in (ROOT / folder).rglob("*.*"):
            lines = len(path.read_text().splitlines())
            if lines > limit:
                large[str(path.relative_to(ROOT))] = lines
    assert not large, large
