"""Module lockstep: one RTL module alone against its part of the C twin (tests/modules)."""

import re
import subprocess

import pytest

from tests.harness.make import made
from tools.project import ROOT

ROWS = re.findall(r'^    \{"(\w+)", &lw_module', (ROOT / "tests/modules/catalogue.c").read_text(),
                  re.MULTILINE)
CYCLES = 12_000
# Outputs that are the same in all cycles of a row of which Verilator's options say this: of hardware that it does not
# have or has one of, a burst's shape on a bus, or what the module never says.
SILENT = [
    ("-GSubregions=0", r".*(\bcontigs?\b|\breach|subregion).*|contig_o|check_o\..*|join_\w+_o|head_\w+_o\b.*|"
                       r"told_fill_o\.span"),
    ("-GColt=0", r".*\.links"),
    ("-GSizes=0", r"line_o\.size"),
    ("-GSecondLookup=0", r"second_o\..*|decision_o\.hit"),
    ("-GHashes=0", r"tables_o\..*"),
    ("-GPwcOrg=[01]", r".*\.hashed\..*|step_\w+_o\b.*|hashed_counts_o\..*|check_o\.of_slot|head_line_o\.(sized|tag)"),
    ("-GPwcOrg=2", r"pwc_fill_o\.valid"),
    ("-GPwcOrg=[01] .*-GPages64K=0", r"line_o\.size"),
    ("-GCoalesce=0", r"(read|learnt|reading)_o\..*|ready_o|reading_epoch_o|same_neighbourhood_o"),
    ("-GWalkers=1", r"(.*\.|told_)?walker(_o)?|mem_req_o\.tag"),
    ("-GWalkerW=1", r".*\.walker"),
    ("-GTlbPartition=0", r"decided_o\.subregion|join_loads_o|fill_load_subregion_o"),
    ("-G(TlbPartition|Subregions)=0 .*-GColt=0", r"(told_)?fill_o\.(span|length)"),
    ("-GHeadFirst=1", r"head_line_taken_o|head_o\..*|msc_o\.(look|fill)|draining_o"),  # R16.13
    (r"-GDataWidth=\d+", r"(m_)?(ar_(len|size|burst|cache|prot)|r_ready)_o"),
    ("-GIds=1", r"mem_rsp_o\.tag|ar_id_o"),
    ("-GSets=1", r"sweep_o\.set_index"),
    ("--top-module iommu_buffer", r"reading_o\.(kind|level)|update_o\.position"),  # R9.5, R9.4
    ("--top-module page_walk_cache", r"result_o\.hashed"),
    ("--top-module step_lookup", r"result_o\.(perm|hashed\.retried)"),
]
PROGRAM = ROOT / "build/modules/lockstep"


def call(*command):
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def cosim_module(**variables):
    return call("make", "-s", "cosim-module", *(f"{k}={v}" for k, v in variables.items()))


@pytest.fixture(scope="module")
def program():
    """What `make cosim-module` runs, made once: make looks through all that it was made of each time."""
    made("build/modules/lockstep", lock="modules/lock")


def run_module(module, seed, cycles, *more):
    """As `make cosim-module`, behind the fixture."""
    folder = ROOT / "build/modules" / module
    status, options, err = call(PROGRAM, "--options", module)
    assert status == 0, err
    made("module-rtl", f"KEY={module}", f"OPTIONS={options.strip()}", lock=f"modules/{module}/lock")
    return call(PROGRAM, module, seed, cycles, folder / "librtl.so", *more)


@pytest.mark.parametrize("module", ROWS)
def test_module(program, module):
    """And each output says something: of one that is the same throughout little has been compared."""
    status, out, err = run_module(module, 1, CYCLES, "--shares")
    assert status == 0, out + err
    assert f"{module}, seed 1: {CYCLES} cycles" in out
    assert "0 mismatches" in out
    options = call(PROGRAM, "--options", module)[1]
    silent = "|".join(outputs for when, outputs in SILENT if re.search(f"{when} ", options))
    assert not [name for name in re.findall(r"^  (\S+) .* always the same$", out, re.MULTILINE)
                if not re.fullmatch(silent, name)]


def test_every_module_has_rows(program):
    """And those that the program runs are those that these tests find in its catalogue."""
    folder = ROOT / "tests/modules"
    declared = re.findall(r"^extern const lw_module (\w+);", (folder / "modules.h").read_text(), re.MULTILINE)
    defined = [name for path in folder.rglob("*.c")
               for name in re.findall(r"^const lw_module (\w+) = ", path.read_text(), re.MULTILINE)]
    used = re.findall(r'^    \{"\w+", &(\w+),', (folder / "catalogue.c").read_text(), re.MULTILINE)
    assert sorted(defined) == sorted(declared) == sorted(set(used))
    status, out, err = call(PROGRAM, "--list")
    assert status == 0 and out.split() == ROWS, err


def test_unknown_module():
    status, _, err = cosim_module(MODULE="nope")
    assert status != 0
    assert f"MODULE 'nope' is not known; allowed: {', '.join(ROWS)}\n" in err


@pytest.mark.parametrize("variable", ["SEED", "CYCLES"])
def test_not_a_number(variable):
    status, _, err = cosim_module(**{variable: "12x"})
    assert status != 0
    assert f"{variable} '12x' is not a number" in err


@pytest.mark.parametrize(("inject", "said"), [
    ("RANK", "\"RANK\" is not STRUCTURE[index].FIELD.bit@cycle"),
    ("TLB_RANK.RANK[9].0@5", "\"TLB_RANK.RANK[9].0@5\" is not STRUCTURE[index].FIELD.bit@cycle"),
    ("TLB_RANK[99].RANK.0@5", "TLB_RANK has entries 0.."),
    ("TLB_RANK[9].RANK.9@5", "TLB_RANK has entries 0..31 here, and RANK bits 0..1"),
    ("CONTROL[0].RDATA.0@5", "unified_tlb has no CONTROL"),
    ("TLB[0].LENGTH.0@5", "this system has no TLB.LENGTH"),
    ("TLB_RANK[9].RANK.0@50", "the run has 50 cycles; allowed: a cycle below"),
])
def test_inject_names_nothing(inject, said):
    status, _, err = cosim_module(MODULE="unified_tlb", INJECT=inject, CYCLES=50)
    assert status != 0
    assert f"lockwalk: INJECT: {said}" in err


# A flipped bit of the twin is found in its cycle, named, and found again by the command printed.
@pytest.mark.parametrize(("module", "flip"), [
    ("unified_tlb", "TLB_RANK[5].RANK.1@300"),
    ("unified_tlb_mesc_parallel", "TLB_INSERTIONS[0].INSERTIONS.1@300"),
    ("page_walkers", "PWST[1].STATE.1@300"),
    ("page_walkers", "PWST[1].NODE.3@365"),
    ("page_walkers", "WALK_MEMORY[0].REQ_LINE.0@300"),
    ("page_walkers", "LINE[6].LINE_DATA.63@300"),
    ("page_walkers_mesc", "PWST[1].CONTIG.3@350"),
    ("iommu_buffer_mesc", "STORED_PTE[3].STORED_CONTIG.2@300"),
    ("iommu_buffer", "STORE_CONTROL[0].STORE_TAIL.1@300"),
    ("iommu_buffer", "BUFFER[1].LINE.0@580"),
    ("page_walk_cache_by_level_mesc", "PWC[4].CONTIG.8@400"),
    ("unified_tlb_mesc", "TLB[6].LENGTH.1@300"),
    ("msc", "MSC_PLACE[0].WAY.0@300"),
    ("msc", "MSC_SWEEP[0].SWEPT_SET.0@300"),
    ("unified_tlb_mesc", "TLB_FOUND[0].FOUND_PFN.7@300"),
    ("unified_tlb_full_colt", "TLB_FOUND[0].FOUND_LENGTH.1@300"),
    ("iommu_buffer", "BUFFER_RING[0].TAIL.1@300"),
    ("miss_queue", "MISS[0].MISS_VPN.5@300"),
    ("miss_queue", "MISS_QUEUE[1].QUEUED_ACCESS.0@300"),
    ("iommu_buffer", "SEARCH[0].SEARCH_VPN.5@300"),
    ("iommu_buffer", "UPDATE_LINE[3].UPDATE_FRAME.7@300"),
    ("page_walkers", "READ[0].READ_VPN.4@300"),
    ("page_walk_cache_by_level", "PWC_RESULT[0].RESULT_NODE.2@300"),
    ("page_walk_cache_by_address", "PWC_FILL[0].PWC_FILL_VPN.1@300"),
    ("answer_port", "FILL[0].FILL_PFN.3@300"),
    ("answer_port_mesc", "ANSWER[0].ANSWER_CONTIG.8@300"),
    ("answer_port", "ANSWER[0].ANSWER_EPOCH.0@300"),
    ("admission", "ADMISSION[0].MISS_USED.0@300"),
    ("unified_tlb", "PLACE[0].PLACE_VPN.3@300"),
    ("unified_tlb_mesc", "PLACE[0].PLACE_DROP.2@300"),
    ("iommu_buffer", "BUFFER_CONTROL[0].READY_SLOT.1@300"),
    ("iommu_buffer", "BUFFER_RING[0].OPEN.0@300"),
    ("iommu_buffer", "BUFFER[3].NEAR_POSITION.0@580"),
    ("page_walkers", "PWST[1].TRIED.0@365"),
    ("page_walkers", "ASK[0].ASK_SLOT.0@300"),
    ("page_walkers", "READ[0].READ_NEAR.0@300"),
    ("page_walk_cache_by_level", "PWC_PLACE[0].PWC_PLACE_ENTRY.1@300"),
    ("page_walk_cache_by_address", "PWC_PLACE[0].PWC_PLACE_NODE.1@300"),
    ("page_walk_cache_by_address_macro", "PWC[1].NODE.1@950"),
    ("response_queue", "RESPONSE[0].WALK_USED.0@300"),
    ("unified_tlb_mesc", "TLB_RANGE[0].RANGE_PFN.7@300"),
    ("msc", "MSC[6].MAP.2@600"),
    ("msc_macro", "MSC[6].TAG.3@600"),
    ("msc", "MSC_SWEEP[0].SWEEP_SET.0@600"),
    ("control", "CONTROL[0].ADDR.7@300"),
    ("contiguity", "CHECK[0].MAP.6@300"),
    ("contiguity", "CHECK_QUEUE[1].JOB_LIVE.0@300"),
    ("contiguity", "CHECK_RING[0].QUEUE_COUNT.1@300"),
    ("contiguity", "HEAD[2].HEAD_PFN.5@300"),
    ("contiguity_headfirst", "HEAD[7].HEAD_OK.0@300"),
    ("page_walkers_hashed", "PWST[1].WHERE.1@350"),
    ("step_lookup", "STEP_CACHE[2].STEPS.7@300"),
    ("step_lookup", "PWC_PIPE[1].PIPE_WALKER.0@300"),
    ("table_hash", "HASH[0].SUM_PLACE.3@300"),
])
def test_bark(program, module, flip):
    status, out, _ = run_module(module, 4, 1000, flip)
    first, second = out.splitlines()[:2]
    cycle = int(flip.partition("@")[2])
    assert status != 0
    assert first == f"make cosim-module MODULE={module} SEED=4 CYCLES={cycle + 1} INJECT='{flip}'"
    assert second == f"mismatch: module {module}, seed 4, cycle {cycle}"
    named = re.escape(flip[:flip.rindex(".")])
    assert re.search(rf"^  {named} +[0-9a-f]+ +[0-9a-f]+$", out, re.MULTILINE)
    assert re.findall(r"^  (\d+):", out, re.MULTILINE) == [
        str(c) for c in range(cycle - 7, cycle + 1)]
    again = subprocess.run(first, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert second in again.stdout


# The program itself tells a mismatch (1) from bad usage (2); make makes 2 of both.
def test_exit_status():
    cosim_module(MODULE="admission", CYCLES=1)
    program = [str(ROOT / "build/modules/lockstep")]
    library = str(ROOT / "build/modules/admission/librtl.so")
    run = ["admission", "1", "100", library]
    flip = "ADMISSION[0].HIT_USED.0@50"
    for arguments, status in ((run, 0), ([*run, flip], 1), (["nope", *run[1:]], 2), ([], 2)):
        done = subprocess.run([*program, *arguments], capture_output=True, check=False)
        assert done.returncode == status, done
