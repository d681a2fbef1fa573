"""The dynamic energy of the translation path (--energy): a run's energies are its own counts times the table, both read
anew here; they do not depend on whether idle cycles are left out; and a table that is none is refused."""

import configparser

import pytest

from tests.machine.test_dram import COMPARING
from tools.project import ROOT

TABLE = ROOT / "systems" / "energy" / "cacti_32nm.ini"
RUNS = {
    "nha": ["--system", "nha", "--workload", "atax", "--max-iters", "1"],
    "mesc_colt": ["--system", "mesc_colt", "--set", "mapping=memhog:0", "--set", "dram=mesc_1ghz", "--workload", "nw",
                  "--max-launches", "8"],
    "full_colt": ["--system", "full_colt", "--set", "mapping=memhog:0", "--workload", "nw", "--max-launches", "8"],
    "pte_cache": ["--system", "baseline", "--set", "dram=ddr3_1600", "--set", "pte_cache_kib=8", "--set", "data=1",
                  "--workload", "atax", "--max-iters", "1"],
    "l2d_walks": ["--system", "stress_l2", "--workload", "lud", "--size", "96"],
    "tlbs": ["--stream", "tests/data/streams/timed.stream", "--through", "tlbs"],
    "unit": ["--stream", "tests/data/streams/timed.stream"],
    "step_cache": ["--system", "fshpt_oversub", "--workload", "atax", "--size", "14640", "--max-requests", "4000"],
    "no_step_cache": ["--system", "fshpt_nocache", "--workload", "atax", "--size", "8192", "--max-requests", "1000"],
    "no_walk": ["--system", "ideal", "--workload", "atax", "--max-iters", "1"],
}


def energies(path):
    table = configparser.ConfigParser()
    table.read(path)
    return {part: {access: float(nj) for access, nj in table[part].items()} for part in table.sections()}


def events(run):
    """{structure: (reads, writes)} as docs/machine.md says them, where the JSON of a run has what they are made of.
    Fills of the GPU's TLBs are no figure of their own, and None here."""
    count, values, memory = run["counters"], run["values"], run["memory"]
    heads, hits = count.get("head_reads", 0), count.get("subregion_hits", 0)
    lines = count["page_table_accesses"] - heads
    filled, joined = count.get("subregion_fills", 0), count.get("joined", 0)
    fills = run["responses"] - sum(run["faults"].values()) - run["tlb"]["hits"]
    through_l2 = run["data"] and run["data"]["walks"]
    dram = (memory["dram"]["walks"]["reads"] if memory and memory["dram"] else
            through_l2["memory_reads"] if through_l2 else count["page_table_accesses"])
    cache = memory["pte_cache"] if memory and memory["dram"] else None
    cam = values["coalesce"] and values["mode"]
    nodes = count["step_reads"] if values["pwc_org"] == 2 else lines - count["walks"]
    found = {
        "tlb": (run["requests"] - hits, fills - filled + joined),
        "subregion_tlb": (run["requests"], filled) if values["subregions"] else (0, 0),
        "pwc": (count["pwc_lookups"], nodes) if values["pwc_enable"] else (0, 0),
        "msc": (count.get("msc_lookups", 0), count.get("msc_lookups", 0) - count.get("msc_hits", 0)),
        "cam": (lines + count["walks"],
                count["tlb_misses"] + count["coalesced_answers"] + count["coalesced_levels"]) if cam else (0, 0),
        "pte_cache": (cache["hits"] + cache["misses"], dram) if cache else (0, 0),
        "memory": (dram, 0),
    }
    for name in ("l1_tlb", "l2_tlb"):
        found[name] = (sum(run[name].values()), None) if run[name] else (0, 0)
    return found


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_counts_times_table(lockwalk, options):
    run = lockwalk("model", *options, "--energy", TABLE, figures=True)
    assert run.status == 0, run.err
    energy, table, counted = run.figures["energy"], energies(TABLE), events(run.figures)
    assert energy["table"] == "cacti_32nm" and set(energy["structures"]) == set(table) == set(counted)
    line, = (line for line in run.out.splitlines() if line.startswith("  energy in nJ "))
    total = 0
    for part, seen in energy["structures"].items():
        reads, writes = counted[part]
        assert seen["read"] == reads, part
        assert writes is None or seen.get("write", 0) == writes, part
        nj = sum(seen[access] * table[part][access] for access in table[part])
        assert seen["nj"] == pytest.approx(nj, rel=1e-12), part
        total += nj
        assert (f" {part} {nj:.1f}" in line) == (reads + seen.get("write", 0) > 0), line
    assert energy["nj"] == pytest.approx(total, rel=1e-12)
    assert line.startswith(f"  energy in nJ         {total:.1f} by cacti_32nm: ")


def test_fills_of_the_gpus_tlbs(lockwalk):
    """Every miss that waits for itself alone, and none of them faults, is a fill; those that join another's are not."""
    run = lockwalk("model", *RUNS["nha"], "--energy", TABLE, figures=True).figures
    l1, l2 = run["energy"]["structures"]["l1_tlb"], run["energy"]["structures"]["l2_tlb"]
    assert 0 < l1["write"] <= run["l1_tlb"]["misses"] and l2["write"] == run["responses"]
    assert l1["write"] == run["l2_tlb"]["hits"] + run["l2_tlb"]["misses"]


@pytest.mark.parametrize("name", ["nha", "pte_cache", pytest.param("mesc_colt", marks=pytest.mark.recorded)])
def test_idle_cycles_change_nothing(lockwalk, name):
    """The twin alone leaves out what is idle; in lockstep there is every cycle."""
    runs = [lockwalk(command, *RUNS[name], "--energy", TABLE, figures=True) for command in ("model", "cosim")]
    assert [run.status for run in runs] == [0, 0], runs[1].err[-4000:]
    model, cosim = ({key: value for key, value in run.figures.items() if key not in COMPARING} for run in runs)
    assert model == cosim and model["energy"]["nj"] > 0


def test_the_run_is_the_same_without(lockwalk):
    runs = [lockwalk("model", *RUNS["tlbs"], *options, figures=True) for options in ([], ["--energy", TABLE])]
    without, having = (run.figures for run in runs)
    assert without["energy"] is None and "energy" not in runs[0].out
    left_out = {"energy", "arguments"}
    assert ({key: value for key, value in without.items() if key not in left_out} ==
            {key: value for key, value in having.items() if key not in left_out})


def test_nothing_happened(lockwalk):
    """Ideal translation asks nobody."""
    run = lockwalk("model", "--system", "ideal", "--workload", "nw", "--size", "64", "--energy", TABLE)
    assert run.status == 0 and "  energy in nJ         0.0 by cacti_32nm: nothing happened\n" in run.out, run.out


CHANGES = [
    ("read = 0.041\n", "", ": read is not set in [cam] (nJ of an access)"),
    ("[msc]\n", "[mcs]\n", ": there is no section [mcs]; allowed: [l1_tlb], "),
    ("read = 0.041\n", "reads = 0.041\n", ": there is no key \"reads\" in [cam]; allowed: read, write"),
    ("read = 0.041\n", "read = -0.041\n", ": read is \"-0.041\"; allowed: a number in 0..1000000"),
    ("read = 0.041\n", "read = 41pJ\n", ": read is \"41pJ\"; allowed: a number"),
    ("read = 0.041\n", "read = 0.041\nread = 0.041\n", ": read stands in line "),
    ("read = 8.0\n", "read = 8.0\nwrite = 8.0\n", ": there is no key \"write\" in [memory]; allowed: read"),
]


@pytest.mark.parametrize(("old", "new", "said"), CHANGES, ids=[said for _, _, said in CHANGES])
def test_refused(lockwalk, tmp_path, old, new, said):
    text = TABLE.read_text()
    assert text.count(old) == 1
    path = tmp_path / "mine.ini"
    path.write_text(text.replace(old, new))
    run = lockwalk("model", *RUNS["tlbs"], "--energy", path, figures=True)
    assert run.status == 2 and run.out == "" and run.figures is None
    assert run.err.startswith(f"lockwalk: {path}:") and said in run.err and run.err.count("\n") == 1, run.err
