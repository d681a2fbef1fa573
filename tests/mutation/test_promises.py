"""Who would notice if a promise of the unit were broken on both sides alike (tests/mutation/promises.py): each is
broken in the twin, and the contract tester or a unit test, which do not know the RTL, barks."""

import os
import re
import subprocess

import pytest

from tests.harness.mutants import BUILD, Judged
from tests.mutation.promises import NOTHING, PROMISES
from tools.project import ROOT


def promised():
    """The promises of the document, each on one line."""
    text = (ROOT / "docs" / "architecture" / "00-guarantees.md").read_text()
    section = text.partition("\n## What the unit promises\n")[2].partition("\n## ")[0]
    return [" ".join(part.split()) for part in re.findall(r"^- (.*?)(?=^- |^\*\*|\Z)", section, re.M | re.S)]


def test_each_promise_is_broken_once():
    words = [*{promise.promise for promise in PROMISES}, *NOTHING]
    meant = {first: [text for text in promised() if text.startswith(first)] for first in words}
    assert [first for first, texts in meant.items() if len(texts) != 1] == []
    assert set(promised()) == {text for texts in meant.values() for text in texts}


@pytest.fixture(scope="module")
def twin(tmp_path_factory):
    return Judged(tmp_path_factory.mktemp("promises") / "copy", "c_model")


def test_the_whole_twin_keeps_them(twin):
    for kind, name in {promise.judge for promise in PROMISES}:
        assert noticed(twin, kind, name) is False, name


def noticed(twin, kind, name):
    """Whether a judge barks at the twin as it is, and for its own reason."""
    target = "contract/contract" if kind == "contract" else f"unit/c_model/{name}"
    twin.make(target)
    asked = ["--seeds", "1..40", "--failures", "1"] if kind == "contract" else []
    done = subprocess.run([f"{BUILD}/{target}", *asked], cwd=twin.folder, capture_output=True, text=True, check=False,
                          timeout=300, env={**os.environ, **Judged.UNIT_TESTS})
    if done.returncode == 0:
        return False
    said = done.stdout + done.stderr
    assert done.returncode > 0, said[-2000:]
    assert f"check {name}:" in said if kind == "contract" else "[  FAILED  ]" in said, said[-2000:]
    return True


@pytest.mark.parametrize("promise", PROMISES, ids=[f"{promise.file}-{promise.promise}" for promise in PROMISES])
def test_somebody_notices(twin, promise):
    path = twin.folder / "c_model" / promise.file
    whole = path.read_text()
    assert whole.count(promise.before) == 1
    path.write_text(whole.replace(promise.before, promise.after))
    try:
        assert noticed(twin, *promise.judge)
    finally:
        path.write_text(whole)
