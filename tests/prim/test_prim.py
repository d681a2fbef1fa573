"""What is used twice, rtl/prim, tested alone: each module at several points of its parameters against a model from
its header comment (tests/prim), and broken copies of it, which the same cycles must tell apart."""

import pytest

from tests.prim.bench import Results
from tests.prim.models import BROKEN, MODELS, WITHIN
from tools.project import ROOT

POINTS = [(module, point) for module, model in MODELS.items() for point in range(len(model.points))]


@pytest.fixture(scope="module")
def results():
    return Results()


def test_every_module_is_tested():
    modules = {path.stem for path in (ROOT / "rtl" / "prim").glob("*.sv")}
    assert modules == {*MODELS, *(name for names in WITHIN.values() for name in names)}
    assert {broken.file for broken in BROKEN} == modules


@pytest.mark.parametrize(("module", "point"), POINTS,
                         ids=["-".join([m, *map(str, MODELS[m].points[p].values())]) for m, p in POINTS])
def test_as_its_header_says(results, module, point):
    assert results.cycles[module, point]
    assert results.mismatch(module, point) is None


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=[f"{b.file}-{b.wrong or b.text}" for b in BROKEN])
def test_a_broken_copy_shows(results, number):
    broken = BROKEN[number]
    assert results.mismatch(broken.module, broken.point, number)
