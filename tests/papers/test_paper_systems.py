"""The papers' GPUs and memories (systems/) have what the papers' tables print, so that no figure of papers/ is another
machine's; and a bar of a plan is made of the points that its name says."""

import configparser
import re

import pytest
import yaml

from tools.project import ROOT

# NHA's Table I, MESC's Table I, FS-HPT's Table 1.
PRINTED = {
    "baseline": {
        "clock_mhz": 2000, "cus": 8, "simds": 4, "waves": 10, "lanes": 64, "l1d_kib": 32, "l1d_ways": 16,
        "data_line": 64, "l2d_kib": 4096, "l2d_ways": 16, "l1_entries": 32, "l2_entries": 512, "l2_ways": 16,
        "buffer_entries": 256, "walkers": 8, "tlb_entries": 256, "coalesce": 0, "subregions": 0},
    "nha": {"walkers": 8, "buffer_entries": 256, "coalesce": 1, "mode": 2},
    "nha_leaf": {"walkers": 8, "buffer_entries": 256, "coalesce": 1, "mode": 1},
    "baseline16": {
        "clock_mhz": 700, "cus": 16, "lanes": 32, "l1d_kib": 32, "l1d_ways": 4, "data_line": 128, "l2d_kib": 2048,
        "l2d_ways": 16, "l1_entries": 32, "l2_entries": 0, "tlb_entries": 512, "tlb_ways": 16, "walkers": 16,
        "pwc_org": 1, "pwc_entries": 8192 // 8, "coalesce": 0, "subregions": 0},
    "mesc": {
        "subregions": 1, "subregion_enable": 1, "msc_entries": 512, "tlb_entries": 512, "walkers": 16, "coalesce": 0},
    "fshpt_rpt": {
        "clock_mhz": 1500, "cus": 46, "l1_entries": 32, "l1_latency": 20, "l1_mshrs": 32, "l2_entries": 1024,
        "l2_ways": 16, "l2_latency": 80, "l2_mshrs": 128, "l1d_kib": 128, "l1d_latency": 40, "l2d_kib": 4096,
        "l2d_ways": 16, "levels": 4, "pwc_entries": 32, "pwc_latency": 4, "walkers": 16, "data": 1, "l2d_walks": 1,
        "dram": "gddr6", "hashed_tables": 0},
    "fshpt": {"pwc_entries": 32, "pwc_latency": 4, "walkers": 16, "hashed_tables": 1, "hashed_load": 40},
    "fshpt_oversub": {"hashed_factor": 120},
}
MEMORIES = {
    "ddr3_1600": {"clock_mhz": 800, "channels": 2, "ranks": 2, "banks": 16},
    "mesc_1ghz": {"clock_mhz": 1000, "channels": 2, "banks": 8, "burst_length": 8},
    "gddr6": {"channels": 16},
}


def values(path):
    """{key: text} of a file, with those of the files that it extends."""
    found = configparser.ConfigParser(interpolation=None)
    found.optionxform = str
    found.read_string("[top]\n" + path.read_text())
    own = {key: text for section in found.sections() for key, text in found[section].items()}
    above = values(path.with_name(own["extends"] + ".ini")) if "extends" in own else {}
    return {**above, **own}


@pytest.mark.parametrize("name", PRINTED)
def test_a_gpu_is_its_papers(name):
    found = values(ROOT / "systems" / f"{name}.ini")
    assert {key: found[key] for key in PRINTED[name]} == {key: str(value) for key, value in PRINTED[name].items()}


@pytest.mark.parametrize("name", MEMORIES)
def test_a_memory_is_its_papers(name):
    found = values(ROOT / "systems" / "dram" / f"{name}.ini")
    assert {key: found[key] for key in MEMORIES[name]} == {key: str(value) for key, value in MEMORIES[name].items()}


def caches(text):
    """{system: {key: value}} of the table "The papers' caches" of a document; each row has a value of each of its keys
    for each system."""
    section = re.split(r"^### ", text.partition("\n### The papers' caches\n")[2], flags=re.MULTILINE)[0]
    head, rule, *rows = [[cell.strip() for cell in line.strip("|").split("|")]
                         for line in section.splitlines() if line.startswith("|")]
    assert head[0] == "key" and head[-1] == "source" and set("".join(rule)) == {"-"}
    found = {re.fullmatch(r"`(\w+)` \(\w+\)", cell)[1]: {} for cell in head[1:-1]}
    for row in rows:
        assert len(row) == len(head), row
        keys = [re.fullmatch(r"`(\w+)`", key)[1] for key in row[0].split(", ")]
        for of_system, cell in zip(found.values(), row[1:-1], strict=True):
            assert not of_system.keys() & set(keys), row
            of_system.update(zip(keys, cell.split(", "), strict=True))
    return found


def test_the_papers_caches():
    """The table of docs/machine.md says what the systems have, key by key; and it has the caches' sizes at least."""
    table = caches((ROOT / "docs" / "machine.md").read_text())
    assert set(table) == {"baseline", "baseline16"}
    for name, told in table.items():
        assert told.keys() >= {"data_line", "l1d_kib", "l1d_ways", "l2d_kib", "l2d_ways"}
        found = values(ROOT / "systems" / f"{name}.ini")
        assert {key: found.get(key, "there is no such key") for key in told} == told


MACHINE = (ROOT / "docs" / "machine.md").read_text()
SYSTEMS = {path.stem: values(path) for path in (ROOT / "systems").glob("*.ini")}
FSHPT = {name for name, found in SYSTEMS.items() if found["clock_mhz"] == "1500" and found["cus"] == "46"}  # in its GPU


@pytest.mark.parametrize(("title", "keys"), [("## The GPU's TLBs", 9), ("### Who issues", 4)])
def test_defaults_are_the_documents(title, keys):
    """What tables of docs/machine.md call a key's default both baselines have, and others another where they say so."""
    section = re.split(r"^##", MACHINE.partition(f"\n{title}\n")[2], flags=re.MULTILINE)[0]
    lines = [line.strip("|") for line in section.splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    told = 0
    for quoted, _, default in rows:
        names = re.findall(r"`(\w+)`", quoted)
        told += len(names)
        numbers = re.findall(r"(?:^|, )(\d+)\b", default)[:len(names)]
        assert len(numbers) == (0 if default.startswith("the papers'") else len(names)), default
        for name, number in zip(names, numbers, strict=len(numbers) != 0):
            assert SYSTEMS["baseline"][name] == SYSTEMS["baseline16"][name] == number, name
        for number, where in re.findall(r"; (\d+) in (FS-HPT's|`\w+`(?: and `\w+`)*)", default):
            others = FSHPT if where == "FS-HPT's" else set(re.findall(r"`(\w+)`", where))
            assert {SYSTEMS[other][names[0]] for other in others} == {number}, names
    assert told == keys


def test_who_reads_through_the_l2_and_has_a_dram():
    """Off but in FS-HPT's systems and stress_l2, and none but in those and stress_dram (docs/machine.md)."""
    assert {name for name, found in SYSTEMS.items() if found["l2d_walks"] == "1"} == FSHPT | {"stress_l2"}
    assert {name for name, found in SYSTEMS.items() if found["dram"] != "none"} == FSHPT | {"stress_dram"}


@pytest.mark.parametrize(("name", "cycles"), [("fshpt_rpt", 180), ("baseline", 50)])
def test_the_way_to_the_l2(name, cycles):
    """In FS-HPT's Table 1, and in gem5, NHA's simulator: the L1 and both crossings are among them."""
    found = values(ROOT / "systems" / f"{name}.ini")
    parts = ("l1d_latency", "crossbar_latency", "l2d_latency", "crossbar_latency")
    assert sum(int(found[part]) for part in parts) == cycles


def test_bandwidth():
    """448 GB/s on the buses of FS-HPT's memory: two words a clock."""
    found = values(ROOT / "systems" / "dram" / "gddr6.ini")
    channels, bits, mhz = (int(found[key]) for key in ("channels", "bus_bits", "clock_mhz"))
    assert channels * bits / 8 * 2 * mhz / 1000 == 448


@pytest.mark.parametrize("paper", ["nha", "mesc", "fshpt", "fshpt_mesc", "power", "beyond"])
def test_a_bar_is_of_its_name(paper):
    """A bar with the name of a point is made of that point, or of it on a condition ("full, 4 walkers"); a point on a
    condition is what only another on the same one is held to."""
    plan = yaml.safe_load((ROOT / "papers" / f"{paper}.yaml").read_text())
    for figure in plan["figures"]:
        for bar, points in figure["bars"].items():
            where = f"{figure['figure']}, {bar}: {points}"
            assert bar not in plan["points"] or points[0] == bar or points[0].startswith(f"{bar}, "), where
            condition = points[-1].partition(", ")[2]
            assert points[0].endswith(condition), where
