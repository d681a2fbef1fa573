"""The registers as data (state/registers.yaml): every flip-flop that Yosys finds in the RTL of every system
is listed there, every register listed is a flip-flop, and what is wrong in the file is a sentence."""

import itertools
import re
import subprocess
import sys

import pytest

from state.registers import PARAMETERS, Registers
from state.sources import file_of, rules_of
from tests.harness.catalogue import RECORDED
from tests.harness.mutants import break_copy
from tests.harness.program import LOCKWALK
from tests.harness.systems import parameters_of
from tools.project import ROOT
from tools.refusal import Refusal

FLOP = re.compile(r"^  cell \$\w*(?:ff|latch)\w* .*\n(?:    .*\n)*?    connect \\Q (?:\{ )?\\([\w.]+)", re.M)
MEMORY = re.compile(r"^  memory .*\\([\w.]+)$", re.M)
WIRE = re.compile(r"^  (?:wire|memory)(?: width (\d+))?(?: size (\d+))?(?: .*)? \\([\w.]+)$", re.M)
READ = """
from pyosys import libyosys
design = libyosys.Design()
design.run_pass("read_slang -I {rtl}/pkg --keep-hierarchy --unroll-limit=100000 --top iommu {options} {files}")
design.run_pass("write_rtlil {path}")
"""


def numbers(options):
    """The same by the names of the contract, as numbers."""
    values = {}
    for option in options:
        name, _, value = option.partition("=")
        values[re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", name).upper()] = int(value.split("'")[-1].lstrip("b"))
    return values


def modules(options, path, rtl=ROOT / "rtl"):
    """(instance, text) of each module, as Yosys has read it."""
    files = " ".join(str(rtl / name) for name in (rtl / "files.f").read_text().split())
    script = READ.format(options=" ".join(f"-G {option}" for option in options), files=files, path=path, rtl=rtl)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    for module in re.split(r"^module ", path.read_text(), flags=re.M)[1:]:
        head, _, text = module.partition("\n")
        yield head.partition("$iommu.")[2], text
    path.unlink()


def flip_flops(options, path, rtl=ROOT / "rtl"):
    """(instance, register) of each flip-flop."""
    found = set()
    for instance, text in modules(options, path, rtl):
        # A block that is generated is part of its register's name.
        for name in FLOP.findall(text) + MEMORY.findall(text):
            block, _, register = f"{instance}.{name}".rpartition(".")
            found.add((block, register))
    return found


SYSTEMS = sorted(p.stem for p in (ROOT / "systems").glob("*.ini"))
SHAPES = {}  # of all systems: {what decides which registers there are: the systems}


def shape(system):
    """Sizes decide how many and how wide they are, but for an array that is a macro from 64 sets on (R14.4)."""
    n = numbers(parameters_of(system))
    return (*(n[name] for name in ("LEVELS", "PWC_ORG", "COALESCE", "SUBREGIONS", "PAR_LOOKUP", "HEAD_FIRST", "COLT",
                                   "SLOT_PAGES", "PAGES_64K", "SECOND_LOOKUP")),
            n["PWC_LATENCY"] == 1, n["PWC_ENTRIES"] // n["PWC_WAYS"] >= 64, n["MSC_ENTRIES"] // n["MSC_WAYS"] >= 64)


def shrunk(system):
    """The system with few entries of what it has by the number: read sooner."""
    few = {} if RECORDED else {"BufferEntries": 8, "Walkers": 2, "Lines": 4, "TlbEntries": 32}
    options = (option.partition("=") for option in parameters_of(system))
    return tuple(f"{name}={min(few[name], int(value)) if name in few else value}" for name, _, value in options)


if LOCKWALK.exists():
    for system in SYSTEMS:
        SHAPES.setdefault(shape(system), []).append(system)


def every_pair(shapes):
    """Shapes in which each two values are together that are so in any: a register depends on one or two of them."""
    pairs = {shape: set(itertools.combinations(enumerate(shape), 2)) for shape in shapes}
    missing = set().union(*pairs.values())
    chosen = []
    while missing:
        chosen.append(max(pairs, key=lambda shape: len(pairs[shape] & missing)))
        missing -= pairs[chosen[-1]]
    return chosen


@pytest.mark.parametrize("systems", [SHAPES[s] for s in (SHAPES if RECORDED else every_pair(SHAPES))], ids="+".join)
def test_every_flip_flop_is_listed(systems, tmp_path):
    check_flip_flops(shrunk(systems[0]), tmp_path)


def check_flip_flops(options, tmp_path):
    registers = Registers()
    found = flip_flops(options, tmp_path / "rtl.il")
    there = {registers.place(s, f, numbers(options)) for s, f, n in registers.of(numbers(options)) if n}
    known = {registers.place(s, f, numbers(options)) for s in registers.structures for f in s["fields"]}
    assert there <= found, f"no flip-flops: {sorted(there - found)}"
    strangers = [place for place in found - known if not registers.is_exception(*place)]
    assert not strangers, f"in no list: {sorted(strangers)}"


# As a small system, with hashed tables; by the other size each branch of the step cache's pipeline is read.
@pytest.mark.parametrize("sizes", [{"PwcLatency": 4}, {"PwcLatency": 6, "PwcEntries": 8, "Coalesce": 0}], ids=str)
def test_every_flip_flop_of_hashed_tables_is_listed(sizes, tmp_path):
    changed = {"PwcOrg": 2, **sizes}
    options = (option.partition("=") for option in parameters_of("stress_small"))
    check_flip_flops(tuple(f"{name}={changed.get(name, value)}" for name, _, value in options), tmp_path)


# Where a width changes its rule with a size, beyond what any system has: so many sets in the TLB, and a single one.
@pytest.mark.parametrize("sizes", [pytest.param({"TlbWays": 2, "TlbEntries": 512}, marks=pytest.mark.recorded),
                                   {"TlbWays": 2, "TlbEntries": 512, "Colt": 2},
                                   {"TlbWays": 2, "TlbEntries": 512, "Subregions": 1, "MscWays": 2, "MscEntries": 2},
                                   {"TlbWays": 2, "TlbEntries": 2, "PwcOrg": 1}], ids=str)
def test_widths_beyond_those_of_systems(sizes, tmp_path):
    options = (option.partition("=") for option in parameters_of("stress_small"))
    changed = tuple(f"{name}={sizes.get(name, value)}" for name, _, value in options)
    values, registers, bits = numbers(changed), Registers(), {}
    for instance, text in modules(changed, tmp_path / "rtl.il"):
        for width, size, name in WIRE.findall(text):
            block, _, register = f"{instance}.{name}".rpartition(".")
            bits[block, register] = int(width or 1) * int(size or 1)
    for s, f, entries in registers.of(values):
        place = registers.place(s, f, values)
        assert bits[place] == entries * registers.value(f["bits"], values), place


def test_no_exception_is_idle(tmp_path):
    options, small = shrunk("nha_mesc"), parameters_of("stress_mesc")
    found = flip_flops(options, tmp_path / "rtl.il") | flip_flops(small, tmp_path / "rtl.il")
    registers = Registers()
    for exception in registers.exceptions:
        registers.exceptions = [exception]
        assert any(registers.is_exception(*place) for place in found), exception


def test_stranger_is_found(tmp_path):
    """The check barks: a register that nobody has listed."""
    break_copy(tmp_path, "rtl/front/admission.sv", "endmodule", """  logic secret_q;
  always_ff @(posedge clk_i) secret_q <= !rst_ni || !secret_q;
endmodule""")
    options = parameters_of("stress_small")
    assert ("u_admission", "secret_q") in flip_flops(options, tmp_path / "rtl.il", tmp_path / "rtl")


@pytest.mark.parametrize(("change", "sentence"), [
    (("bits: clog2(HIT_QUEUE + 1)", "bits: log(HIT_QUEUE)"),
     "'log(HIT_QUEUE)' is no expression over the parameters and names; allowed are + - * // == != < >= and or not, "
     "a if c else b, clog2, width, max, min"),
    (("bits: clog2(HIT_QUEUE + 1)", "bits: clog2(HIT_QUEUE % 2)"), "'clog2(HIT_QUEUE % 2)' is no expression"),
    (("bits: clog2(HIT_QUEUE + 1)", "bits: clog2(HIT_QUEUE"), "'clog2(HIT_QUEUE' is no expression"),
    (("structures:", "structures: ]"), "registers.yaml:46: is no YAML"),
    (("{name: ASK_VALID, bits: 1,", "{name: ASK_VALID,"), "registers.yaml, ASK.ASK_VALID: bits is missing"),
    (("valid: PIPE_VALID", "valid: PIPE"), "registers.yaml, TLB_PIPE: valid is PIPE, which is none of its fields"),
    (("  twin: u->admission", "  twim: u->admission"), "registers.yaml, ADMISSION: twim is not known; allowed: "
     "['entries', 'fields', 'instance', 'is', 'structure', 'twin', 'valid', 'when', 'words']"),
    (("  twin: u->admission", ""), "registers.yaml, ADMISSION: twin is missing"),
    (("{name: ASK_VALID, bits: 1,", "{name: ASK_VALID, bit: 1, bits: 1,"), "registers.yaml, ASK.ASK_VALID: bit is not "
     "known; allowed: ['array', 'at', 'bits', 'is', 'name', 'twin', 'when']"),
    (("why: 'what those lanes", "because: 'what those lanes"), "needs an instance, a register and a why"),
])
def test_what_is_wrong_is_a_sentence(change, sentence, tmp_path):
    text = (ROOT / "state" / "registers.yaml").read_text()
    assert text.count(change[0]) >= 1
    source = tmp_path / "registers.yaml"
    source.write_text(text.replace(*change, 1))
    with pytest.raises(Refusal, match=re.escape(sentence)):
        Registers(source)


def test_parameters_are_the_units():
    options = parameters_of("stress_small")
    assert sorted(numbers(options)) == sorted(PARAMETERS)


@pytest.fixture(scope="module")
def registers():
    return Registers()


@pytest.mark.parametrize(("text", "in_c", "value"), [
    ("WALKERS - 1", "(p->walkers - 1u)", 4), ("1 + 2 * WALKERS", "(1u + (2u * p->walkers))", 11),
    ("WALKERS // 2", "(p->walkers / 2u)", 2), ("WALKERS == 5", "(p->walkers == 5u)", 1),
    ("WALKERS != 5", "(p->walkers != 5u)", 0), ("WALKERS < 5", "(p->walkers < 5u)", 0),
    ("WALKERS >= 5", "(p->walkers >= 5u)", 1), ("not COLT", "(p->colt == 0)", 1),
    ("WALKERS and COLT", "(p->walkers != 0 && p->colt != 0)", 0),
    ("WALKERS or COLT", "(p->walkers != 0 || p->colt != 0)", 5),
    ("7 if COLT else 3", "(p->colt != 0 ? 7u : 3u)", 3), ("clog2(WALKERS)", "clog2_of(p->walkers)", 3),
    ("clog2(1)", "clog2_of(1u)", 0), ("width(1)", "width_of(1u)", 1), ("width(8)", "width_of(8u)", 3),
    ("max(WALKERS, 3)", "max_of(p->walkers, 3u)", 5), ("min(WALKERS, 3)", "min_of(p->walkers, 3u)", 3),
    ("TLB_SETS", "tlb_sets(p)", 8),
])
def test_an_expression_is_the_same_in_c(text, in_c, value, registers):
    """All that the sentence on a wrong one allows; clog2(n) is the bits that n values need, width(n) at least 1."""
    params = {**dict.fromkeys(PARAMETERS, 0), "WALKERS": 5, "TLB_ENTRIES": 32, "TLB_WAYS": 4, "PWC_WAYS": 1,
              "MSC_WAYS": 1}
    assert (registers.c(text), registers.value(text, params)) == (in_c, value)


@pytest.mark.parametrize(("instance", "file"), [
    ("", "iommu"), ("u_tlb.u_pipe", "front/tlb_pipe"), ("u_tlb.u_ranks.gen_bimodal", "front/tlb_ranks"),
    ("u_walk.gen_pwc.u_pwc.gen_by_address.u_table", "walk/page_walk_cache_by_address"),
    ("u_walk.gen_pwc.u_pwc.gen_by_level.u_table", "walk/page_walk_cache_by_level"),
    ("u_walk.u_joiner.gen_contiguity.gen_msc.u_msc", "reach/msc"),
])
def test_the_file_of_an_instance(instance, file):
    """What a mismatch names: where one name stands in several blocks that are generated, the one of its block."""
    assert file_of(instance) == f"rtl/{file}.sv"


def test_the_rules_of_a_field():
    """What a mismatch names: the rules of the field's own text, each once, or else those of its structure, or else
    those of the fields beside it."""
    own, silent, beside = {"is": "R3.2, and R3.1 after R3.2"}, {"is": "a word"}, {"is": "R10.4"}
    structure = {"structure": "S", "is": "a row (R5.6)", "fields": [silent, beside]}
    assert rules_of(structure, own) == "R3.2, R3.1" and rules_of(structure, silent) == "R5.6"
    assert rules_of({**structure, "is": "a row"}, silent) == "R10.4"
    with pytest.raises(Refusal, match=r"^registers\.yaml: no text of S cites a rule$"):
        rules_of({**structure, "is": "a row", "fields": [silent]}, silent)
