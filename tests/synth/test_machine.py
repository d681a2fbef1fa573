"""Synthesis and workflows take all of the machine that they may, and no more than its memory holds."""

import os

import pytest

from tools import machine, workflow

PAGES = {"SC_PHYS_PAGES": 16_000_000, "SC_PAGE_SIZE": 4000}


@pytest.fixture
def sixteen(monkeypatch):
    """Sixteen processors and 64 GB."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)))
    monkeypatch.setattr(os, "sysconf", PAGES.get)


@pytest.mark.parametrize("each_mb, count", [(1000, 16), (4000, 16), (8000, 8), (10_000, 6), (100_000, 1)])
def test_side_by_side(sixteen, each_mb, count):
    assert machine.side_by_side(each_mb) == count


def test_a_workflow_has_all_processors(sixteen, monkeypatch, tmp_path):
    taken = []
    monkeypatch.setenv(workflow.ERRORS_ALONE, "")  # and taken back after the test
    monkeypatch.setattr(os, "execv", lambda _, words: taken.extend(words))
    workflow.run("Snakefile", tmp_path / "lock", "--config", "a=1")
    assert taken[taken.index("--cores") + 1] == "16" and taken[taken.index("--resources") + 1] == "mem_mb=64000"
    assert taken[-2:] == ["--config", "a=1"]
