"""Module lockstep: one RTL module alone against its part of the C twin (tests/modules)."""

import re
import subprocess

import pytest
from conftest import ROOT

ROWS = re.findall(r'^    \{"(\w+)", &lw_module', (ROOT / "tests/modules/catalogue.c").read_text(),
                  re.MULTILINE)
CYCLES = 40_000


def cosim_module(**variables):
    command = ["make", "-s", "cosim-module", *(f"{k}={v}" for k, v in variables.items())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("module", ROWS)
def test_module(module):
    status, out, err = cosim_module(MODULE=module, SEED=1, CYCLES=CYCLES)
    assert status == 0, out + err
    assert f"{module}, seed 1: {CYCLES} cycles" in out
    assert "0 mismatches" in out


def test_unknown_module():
    status, _, err = cosim_module(MODULE="nope")
    assert status != 0
    assert f"MODULE 'nope' is not known; allowed: {', '.join(ROWS)}\n" in err


@pytest.mark.parametrize("variable", ["SEED", "CYCLES"])
def test_not_a_number(variable):
    status, _, err = cosim_module(**{variable: "12x"})
    assert status != 0
    assert f"{variable} '12x' is not a number" in err


@pytest.mark.parametrize("inject", ["RANK", "TLB_RANK.RANK[99].0@5", "CONTROL.RDATA[0].0@5",
                                    "TLB.LENGTH[0].0@5"])
def test_inject_names_nothing(inject):
    status, _, err = cosim_module(MODULE="unified_tlb", INJECT=inject)
    assert status != 0
    assert f"INJECT '{inject}' names no register bit of unified_tlb" in err


# A flipped bit of the twin is found in its cycle, named, and found again by the command printed.
@pytest.mark.parametrize(("module", "flip"), [
    ("unified_tlb", "TLB_RANK.RANK[5].1@300"),
    ("page_walkers", "PWST.STATE[1].1@300"),
    ("page_walkers", "PWST.NODE[1].3@370"),
    ("page_walkers", "WALK_MEMORY.REQ_LINE[0].0@300"),
    ("page_walkers", "LINE.LINE_DATA[6].63@300"),
    ("page_walkers_mesc", "PWST.CONTIG[2].3@370"),
    ("iommu_buffer_mesc", "STORED_PTE.STORED_CONTIG[3].2@300"),
    ("iommu_buffer", "STORE_CONTROL.STORE_TAIL[0].1@300"),
    ("iommu_buffer", "BUFFER.LINE[1].0@300"),
    ("page_walk_cache_by_level_mesc", "PWC.CONTIG[4].8@300"),
    ("unified_tlb_mesc", "TLB.LENGTH[1].1@300"),
    ("unified_tlb_mesc", "TLB_FOUND.FOUND_PFN[0].7@300"),
    ("unified_tlb_full_colt", "TLB_FOUND.FOUND_LENGTH[0].1@300"),
    ("iommu_buffer", "BUFFER_RING.TAIL[0].1@300"),
    ("miss_queue", "MISS.MISS_VPN[0].5@300"),
    ("miss_queue", "MISS_QUEUE.QUEUED_ACCESS[1].0@300"),
    ("iommu_buffer", "SEARCH.SEARCH_VPN[0].5@300"),
    ("iommu_buffer", "UPDATE_LINE.UPDATE_FRAME[3].7@300"),
    ("page_walkers", "READ.READ_VPN[0].4@300"),
    ("page_walk_cache_by_level", "PWC_RESULT.RESULT_NODE[0].2@300"),
    ("page_walk_cache_by_address", "PWC_FILL.PWC_FILL_VPN[0].1@300"),
    ("answer_port", "FILL.FILL_PFN[0].3@300"),
    ("answer_port_mesc", "ANSWER.ANSWER_CONTIG[0].8@300"),
    ("answer_port", "ANSWER.ANSWER_EPOCH[0].0@300"),
    ("admission", "ADMISSION.MISS_USED[0].0@300"),
    ("unified_tlb", "PLACE.PLACE_VPN[0].3@300"),
    ("unified_tlb_mesc", "PLACE.PLACE_DROP[0].2@300"),
    ("iommu_buffer", "BUFFER_CONTROL.READY_SLOT[0].1@300"),
    ("iommu_buffer", "BUFFER_RING.OPEN[0].0@300"),
    ("iommu_buffer", "BUFFER.NEAR_POSITION[3].0@300"),
    ("page_walkers", "PWST.TRIED[1].0@370"),
    ("page_walkers", "ASK.ASK_SLOT[0].0@300"),
    ("page_walkers", "READ.READ_NEAR[0].0@300"),
    ("page_walk_cache_by_level", "PWC_PLACE.PWC_PLACE_ENTRY[0].1@300"),
    ("page_walk_cache_by_address", "PWC_PLACE.PWC_PLACE_NODE[0].1@300"),
    ("page_walk_cache_by_address_macro", "PWC.NODE[1].1@950"),
    ("response_queue", "RESPONSE.WALK_USED[0].0@300"),
    ("unified_tlb_mesc", "TLB_RANGE.RANGE_PFN[0].7@300"),
    ("msc", "MSC.MAP[4].2@600"),
    ("msc_macro", "MSC.TAG[6].3@600"),
    ("msc", "MSC_SWEEP.SWEEP_SET[0].0@600"),
    ("control", "CONTROL.ADDR[0].7@300"),
    ("contiguity", "CHECK.MAP[0].6@300"),
    ("contiguity", "CHECK_QUEUE.JOB_LIVE[1].0@300"),
    ("contiguity", "HEAD.HEAD_PFN[2].5@300"),
    ("contiguity_headfirst", "HEAD.HEAD_OK[7].0@300"),
])
def test_bark(module, flip):
    status, out, _ = cosim_module(MODULE=module, SEED=4, CYCLES=1000, INJECT=flip)
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
    flip = "ADMISSION.HIT_USED[0].0@50"
    for arguments, status in ((run, 0), ([*run, flip], 1), (["nope", *run[1:]], 2), ([], 2)):
        done = subprocess.run([*program, *arguments], capture_output=True, check=False)
        assert done.returncode == status, done
