"""A plan that takes its kernels, their sizes and their cuts from another one."""

import pytest
import yaml

from papers.plan import KERNELS, read_plan
from tests.papers.test_papers import PLAN, python, write
from tools.refusal import Refusal

NEEDS = ["papers"]
OTHER = {**PLAN, "options": {"mvt": "--size 64"}, "long": {"atax": "--max-iters 9"}, "set": ["walkers=3"]}
TAKING = {**{key: PLAN[key] for key in PLAN if key not in KERNELS}, "kernels_of": "other.yaml", "set": ["walkers=4"]}


def both(folder, plan, other):
    (folder / "other.yaml").write_text(yaml.safe_dump(other, sort_keys=False))
    return write(folder, plan)


def test_kernels_are_taken(tmp_path):
    """With sizes and cuts, and nothing else: points, settings and figures are its own."""
    plan = read_plan(both(tmp_path, TAKING, OTHER))
    assert [plan[key] for key in KERNELS] == [OTHER[key] for key in KERNELS]
    assert plan["set"] == ["walkers=4"] and plan["points"] == TAKING["points"]


@pytest.mark.parametrize(("plan", "other", "file", "sentence"), [
    ({**TAKING, "quick": {}}, OTHER, "plan.yaml", 'has no key "quick"; allowed: paper, kernels_of, set'),
    ({**TAKING, "kernels_of": 3}, OTHER, "plan.yaml", "kernels_of is no text"),
    ({**TAKING, "kernels_of": "none.yaml"}, OTHER, "none.yaml", "cannot be read"),
    (TAKING, TAKING, "other.yaml", "lacks kernels"),
    (TAKING, {**OTHER, "quick": 3}, "other.yaml", "quick is no mapping"),
    (TAKING, {**OTHER, "kernels": {"hard": ["mvt", "atax"]}}, "plan.yaml",
     'quick of "hotspot": allowed: a text, of one of'),
    ({**PLAN, "kernel_of": "other.yaml"}, OTHER, "plan.yaml", 'has no key "kernel_of"; allowed: paper, kernels, '
     "options, quick, long, kernels_of, set"),
])
def test_refused(plan, other, file, sentence, tmp_path):
    with pytest.raises(Refusal) as refusal:
        read_plan(both(tmp_path, plan, other))
    assert str(refusal.value).startswith(f"{tmp_path / file}: {sentence}")


def test_figures_are_of_the_other_plan_too(tmp_path):
    """Which kernels are of a class may change there, with the same runs."""
    plan = both(tmp_path, TAKING, OTHER)
    done = python("-m", "snakemake", "-s", "papers/Snakefile", "--dry-run", "--nolock", "--config", f"plan={plan}",
                  f"out={tmp_path}/out", "quick=1")
    assert done.returncode == 0, done.stderr
    job = (done.stdout + done.stderr).split("rule figures:")[1]
    assert str(tmp_path / "other.yaml") in job.partition("input: ")[2].partition("\n")[0].split(", ")
