"""The documents hold together: every rule number that is cited exists, every rule is cited by both
sides and a test or is listed as not, rules are short, and what the documents point at is there."""

import re
import subprocess
from pathlib import Path

from tools.project import ROOT

CONTRACT = ROOT / "docs" / "architecture"
SIDES = {"rtl": ["rtl"], "twin": ["c_model"], "tests": ["tests", "tb"]}
CITING = ["rtl", "c_model", "state", "sim", "oracle", "common", "dpi", "app", "tb", "tests", "formal", "regmap",
          "synth",
          "papers", "plots", "lib", "examples", "systems", "docs", "README.md", "CONTRIBUTING.md"]
TEXT = {".c", ".h", ".cpp", ".sv", ".v", ".vlt", ".py", ".md", ".ini", ".yaml", ".tcl", ".f"}

NUMBER = r"R\d+\.\d+"
DEFINITION = re.compile(rf"^- \*\*({NUMBER})\*\* ")
RANGE = re.compile(r"\bR(\d+)\.(\d+) to R(\d+)\.(\d+)\b")
# A full stop that ends a sentence: not that of "0..7", "a .. b" or "R3.4".
SENTENCE = re.compile(r"(?<![.\s])[.!?](?=\)?(?:\s|$))")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/(?:[\w-]+(?:\.\w+)+)?)`")

LINE = 120
SENTENCES = 3
README_LINES = 119
MADE = ("build/", ".venv/")  # not in the repository
PLACEHOLDER = re.compile(r"NAME|FOLDER|SYSTEM|FILE")  # as in systems/NAME.ini


def kept(names):
    """The text files below these folders that git knows or would add, but for this one."""
    found = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *names], cwd=ROOT,
                           capture_output=True, text=True, check=True).stdout.split("\n")
    paths = [ROOT / name for name in found if name]
    return [path for path in paths
            if path.suffix in TEXT and path.is_file() and path != Path(__file__).resolve()]


def cited(text):
    """The rule numbers in a text; `R10.1 to R10.3` cites all three."""
    numbers = set(re.findall(rf"\b{NUMBER}\b", text))
    for chapter, first, other, last in RANGE.findall(text):
        assert chapter == other, f"R{chapter}.{first} to R{other}.{last} spans chapters"
        numbers |= {f"R{chapter}.{n}" for n in range(int(first), int(last) + 1)}
    return numbers


def citations(names):
    """Of each rule number the files below these folders that cite it."""
    found = {}
    for path in kept(names):
        for number in cited(path.read_text(errors="replace")):
            found.setdefault(number, set()).add(path.relative_to(ROOT))
    return found


def documents():
    names = ["docs", "README.md", "CONTRIBUTING.md", "synth/README.md"]
    return [path for path in kept(names) if path.suffix == ".md"]


def chapters():
    return sorted(CONTRACT.glob("*.md"))


def rules():
    """The definitions in order: (number, text, chapter)."""
    found = []
    for path in chapters():
        within = False
        for line in path.read_text().splitlines():
            start = DEFINITION.match(line)
            if start:
                found.append((start[1], [line[start.end():]], path.name))
            elif within and line.startswith("  "):
                found[-1][1].append(line.strip())
            within = bool(start) or (within and line.startswith("  "))
    return [(number, " ".join(text), chapter) for number, text, chapter in found]


def tables(name, columns):
    """The rows of a document's tables with so many columns, without their heads."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in (CONTRACT / name).read_text().splitlines() if line.startswith("|")]
    rows = [row for row in rows if len(row) == columns]
    return [row for row in rows if re.match(rf"{NUMBER}\b", row[0])]


def continued():
    """Of each rule that goes on another one, the rules that it goes on."""
    origins = {}
    for origin, numbers, _ in tables("rule-map.md", 3):
        for number in cited(numbers):
            origins.setdefault(number, set()).add(origin)
    return origins


def exceptions():
    """{(rule, side)} that need no citation; each row has a reason."""
    listed = set()
    for rule, side, reason in tables("uncited.md", 3):
        assert side in SIDES, f"uncited.md: {rule}: \"{side}\" is no side; allowed: {list(SIDES)}"
        assert len(reason.split()) > 3, f"uncited.md: {rule}, {side}: no reason"
        rows = {(number, side) for number in cited(rule)}
        assert not rows & listed, f"uncited.md: {rule}, {side} is listed twice"
        listed |= rows
    return listed


def missing():
    """{(rule, side)}: the side cites neither the rule nor the one that it continues."""
    origins = continued()
    lacking = set()
    for side, folders in SIDES.items():
        found = citations(folders)
        for rule, _, _ in rules():
            if rule not in found and not any(o in found for o in origins.get(rule, ())):
                lacking.add((rule, side))
    return lacking


def test_rules_are_defined_once():
    numbers = [number for number, _, _ in rules()]
    assert len(numbers) > 125
    assert sorted(n for n in set(numbers) if numbers.count(n) > 1) == []


def test_rules_stand_in_their_chapter():
    wrong = [f"{number} in {chapter}" for number, _, chapter in rules()
             if int(number[1:].split(".")[0]) != int(chapter.split("-")[0])]
    assert wrong == []


def test_cited_rules_exist():
    defined = {number for number, _, _ in rules()}
    unknown = {number: sorted(map(str, paths)) for number, paths in citations(CITING).items()
               if number not in defined}
    assert unknown == {}


def test_rules_are_cited_or_listed():
    assert sorted(missing() - exceptions()) == []


def test_listed_exceptions_hold():
    assert sorted(exceptions() - missing()) == []


def test_continuations_go_on_in_their_chapter():
    defined = {number for number, _, _ in rules()}
    for number, origins in continued().items():
        assert number in defined, f"rule-map.md: {number} is no rule"
        for origin in origins:
            assert origin in defined, f"rule-map.md: {origin} is no rule"
            assert origin.split(".")[0] == number.split(".")[0], f"{number} continues {origin}"


def test_lines_are_short():
    long = []
    for path in documents():
        picture = False
        for n, line in enumerate(path.read_text().splitlines(), 1):
            picture ^= line.startswith("```")
            if len(line) > LINE and not picture and not line.startswith("|"):
                long.append(f"{path.relative_to(ROOT)}:{n}")
    assert long == []


def test_rules_are_short():
    counts = {number: len(SENTENCE.findall(text)) for number, text, _ in rules()}
    assert {number: n for number, n in counts.items() if not 1 <= n <= SENTENCES} == {}


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES


def headings(path):
    """The anchors of a document, as GitHub makes them."""
    lines = [line for line in path.read_text().splitlines() if line.startswith("#")]
    texts = [re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()) for line in lines]
    return {text.replace(" ", "-") for text in texts}


def test_links_lead_somewhere():
    broken = []
    for path in documents():
        for link in LINK.findall(path.read_text()):
            if "://" in link:
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name) if name else path
            if not target.exists() or (anchor and anchor not in headings(target)):
                broken.append(f"{path.relative_to(ROOT)}: {link}")
    assert broken == []


def test_paths_exist():
    lost = []
    for path in documents():
        for name in PATH.findall(path.read_text()):
            if name.startswith(MADE) or PLACEHOLDER.search(name):
                continue
            if not (ROOT / name).exists():
                lost.append(f"{path.relative_to(ROOT)}: {name}")
    assert lost == []


def rows_of_results(text):
    """{(kernel, system): [accesses, cycles]} of the table of `make run`, each relative to the baseline; in the last
    column stand the cycles of whole kernels."""
    found = re.findall(r"^(\w+) +(nha_leaf|nha) +\d+ +\d+ +\d+ +(\d\.\d{3}) .* (\d\.\d{3}) +\d\.\d{3}$", text, re.M)
    return {(kernel, system): [accesses, cycles] for kernel, system, accesses, cycles in found}


def test_readme_shows_the_results():
    """The table of README.md is that of docs/results.md."""
    results = rows_of_results((ROOT / "docs" / "results.md").read_text())
    shown = re.findall(r"^\| (\w+) \| (\d\.\d+) \| (\d\.\d+) \| (\d\.\d+) \| (\d\.\d+) \|$",
                       (ROOT / "README.md").read_text(), re.M)
    assert len(shown) == 7
    for kernel, *numbers in shown:
        leaf, full = results[kernel, "nha_leaf"], results[kernel, "nha"]
        assert numbers == [leaf[0], full[0], leaf[1], full[1]], kernel
