"""What whole kernels take (papers/whole_kernels.csv), and the tables that hold their cuts to it."""

import csv
import itertools
import re
import subprocess

import pytest

from tests.harness.catalogue import CUTS, MESC
from tests.harness.program import project_of_links
from tools.project import ROOT

WHOLE = ROOT / "papers" / "whole_kernels.csv"


def rows(path):
    with path.open() as file:
        return {(row["kernel"], row["system"]): row for row in csv.DictReader(file)}


@pytest.mark.parametrize(("table", "kernels", "count"), [("nha", "hotspot,backprop", 6), ("mesc", "hotspot,lud", 18)])
def test_short_kernels_are_as_recorded(lockwalk, tmp_path, table, kernels, count):
    """The file is of this revision, as far as seconds can say."""
    short = tmp_path / "short.csv"
    run = lockwalk("table", table, "--whole", "--workloads", kernels, "--csv", short)
    assert run.status == 0, run.err
    assert "whole kernels on the C twin" in run.out
    recorded = rows(WHOLE)
    measured = rows(short)
    assert len(measured) == count
    assert measured == {key: recorded[key] for key in measured}


@pytest.mark.parametrize(("kernels", "systems"), [
    ("mvt atax bicg gesummv nw hotspot backprop", "baseline nha_leaf nha"),
    ("atax bfs bicg_square gesummv mvt_f32 nw 2dconv color hotspot lud srad",
     "baseline16 colt full_colt mesc mesc_colt nha16 nha_mesc mesc_headfirst thp"),
], ids=["nha", "mesc"])
def test_each_cut_has_its_whole_kernel(kernels, systems):
    """All of NHA's comparison, and of MESC's what runs in hours."""
    assert set(itertools.product(kernels.split(), systems.split())) <= set(rows(WHOLE))


DOCUMENT = (ROOT / "docs/workloads.md").read_text()


def cut_of(words):
    """Iterations, launches and groups of "6 iterations, 2 groups"; none of "whole"."""
    assert re.fullmatch(r"whole|(\d+ (iterations|launch|launches|groups)(, |$))+", words), words
    return tuple(int((re.search(rf"(\d+) {unit}", words) or [0, 0])[1]) for unit in ("iteration", "launch", "group"))


def table_rows(begins):
    """The rows below the head of a table of the document, their kernels' names taken apart."""
    below = DOCUMENT.split(begins)[1].split("\n\n")[0].splitlines()[2:]
    for line in below:
        kernels, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        for kernel in re.findall(r"`([^`]+)`", kernels):
            yield kernel, cells


@pytest.mark.parametrize(("table", "column"), [("nha", 0), ("mesc", 1)])
def test_cuts_are_the_documents(table, column):
    """docs/workloads.md, section 8: what each table cuts of which kernel."""
    said = {kernel: cut_of(cells[column])
            for kernel, cells in table_rows("| kernel | `lockwalk table nha` |") if cells[column] != "-"}
    plan = (ROOT / "app/commands/table_plan.c").read_text().split(f'{{"{table}",\n')[1].split("}},")[0]
    assert {name: tuple(map(int, cut))
            for name, *cut in re.findall(r'\{"(\w+)", (\d+), (\d+), (\d+)', plan)} == said


def test_cuts_of_the_tests_are_the_documents():
    """The same of what the tests cut more, and of the sizes at which they run MESC's kernels whole."""
    options = {"--max-iters": 0, "--max-launches": 1, "--max-groups": 2}
    cuts = {kernel: [0, 0, 0] for kernel in CUTS}
    for kernel, words in CUTS.items():
        for option, value in zip(words[::2], words[1::2], strict=True):
            cuts[kernel][options[option]] = int(value)
    assert {kernel: list(cut_of(cells[0])) for kernel, cells in table_rows("| kernel | cut in `make test` |")} == cuts
    sizes = " ".join(DOCUMENT.split("whole at a small size on `stress_small` (")[1].split(")")[0].split())
    assert {kernel: int(size) for kernels, size in re.findall(r"((?:`\w+`(?:, | and )?)+) (\d+)", sizes)
            for kernel in re.findall(r"`(\w+)`", kernels)} == MESC


RESULTS = (ROOT / "docs/results.md").read_text()


def relative(kernel, system, base):
    recorded = rows(WHOLE)
    return int(recorded[kernel, system]["cycles"]) / int(recorded[kernel, base]["cycles"])


def test_nhas_cuts_are_near():
    """The last column of NHA's table in docs/results.md is the file's, and the one before, of the cuts, is within 5 %
    of that (docs/workloads.md, section 8)."""
    table = [line.split() for line in RESULTS.split("rel.base  (whole)\n")[1].split("\n\n")[0].splitlines()]
    assert len(table) == 7 * 3
    for kernel, system, *_, cut, whole in table:
        assert whole == f"{relative(kernel, system, 'baseline'):.3f}", (kernel, system)
        assert float(cut) == pytest.approx(float(whole), rel=0.05), (kernel, system)


def test_mescs_table_is_of_whole_kernels():
    """Eleven rows of MESC's tables in docs/results.md, of cycles and of the TLB's hits, are the file's; the other four
    say that they are of cuts."""
    recorded = rows(WHOLE)
    cycles, hits = re.findall(r"^(?:cycles|TLB hits) +(.*)\n((?:\w.*\n)+)", RESULTS.split("## MESC")[1], re.M)[:2]
    for head, body in (cycles, hits):
        systems = head.split()
        table = [line.split() for line in body.splitlines() if ", cut" not in line]
        assert len(table) == 11 == len(body.splitlines()) - 4
        for kernel, *figures in table:
            assert figures == [
                f"{relative(kernel, system, 'baseline16'):.3f}" if head == cycles[0]
                else f"{float(recorded[kernel, system]['tlb_hit_rate']):.2f}" for system in systems], kernel


def project(tmp_path, whole):
    """The program of a project whose file of whole kernels is another one."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "whole_kernels.csv").write_text(whole)
    return project_of_links(tmp_path, "papers")


def test_table_names_the_furthest_cut(tmp_path):
    """Hotspot runs uncut in the table, so that its figures are those of the file; the file is wrong by a half here."""
    real = rows(WHOLE)
    base, leaf = (int(real["hotspot", system]["cycles"]) for system in ("baseline", "nha_leaf"))
    whole = f"kernel,system,cycles\nhotspot,baseline,{base}\nhotspot,nha_leaf,{leaf * 2}\n"
    program = project(tmp_path, whole)
    done = subprocess.run([program, "table", "nha", "--workloads", "hotspot"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    by_system = {line.split()[1]: line.split()[-2:] for line in lines if line.startswith("hotspot ")}
    assert by_system == {"baseline": ["1.000", "1.000"], "nha_leaf": ["0.509", "1.018"], "nha": ["0.505", "-"]}
    assert "furthest from its whole kernel is the cut of hotspot on nha_leaf: 0.509 for 1.018, -50.0 %" in done.stdout


def test_bad_file(tmp_path):
    program = project(tmp_path, "kernel,system,cycles\nhotspot,baseline\n")
    done = subprocess.run([program, "table"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "papers/whole_kernels.csv:2: no run of a table; allowed: kernel,system,cycles,..." in done.stderr
    assert done.stdout == ""


def test_another_table_has_no_such_column(lockwalk):
    """Whole kernels are known of the comparison as it is."""
    run = lockwalk("table", "nha", "--workloads", "hotspot", "--systems", "nha", "--max-groups", "8")
    assert run.status == 0, run.err
    assert "whole" not in run.out
