"""Streams and traces that are cut: refused, or with --partial what is whole of them, as in the whole file."""

import gzip
import lzma

import pytest

from tools.project import ROOT

DATA = ROOT / "tests" / "data"
LINES = [f"{i % 2} {0x7F0000000 + i * i % 50:#x} r\n" for i in range(300)]


def same_but_name(one, other):
    ignored = {"workload", "partial", "command", "arguments", "versions", "compared_cycles", "compared_state_writes"}
    return {k: v for k, v in one.items() if k not in ignored} == {k: v for k, v in other.items() if k not in ignored}


@pytest.mark.parametrize("way", ["unit", "tlbs"])
def test_a_cut_stream_is_a_shorter_one(lockwalk, tmp_path, way):
    (tmp_path / "short.stream").write_text("".join(LINES[:100]))
    (tmp_path / "cut.stream").write_text("".join(LINES)[:len("".join(LINES[:100])) + 5])
    short = lockwalk("model", "--stream", tmp_path / "short.stream", "--through", way, figures=True)
    cut = lockwalk("cosim", "--stream", tmp_path / "cut.stream", "--through", way, "--partial", figures=True)
    assert cut.status == 0 and short.status == 0, cut.err
    assert same_but_name(short.figures, cut.figures)
    assert short.figures["partial"] is None
    assert cut.figures["partial"] == {"unit": "lines", "whole": 100, "of": None, "kernels": None, "kernels_of": None}
    assert "cut.stream is cut: 100 lines are whole" in cut.err


def test_an_intact_file_is_no_part(lockwalk, tmp_path):
    (tmp_path / "whole.stream").write_text("".join(LINES))
    for options in (["--stream", tmp_path / "whole.stream"], ["--trace", DATA / "trace"]):
        run = lockwalk("model", *options, "--partial", figures=True)
        assert run.status == 0 and run.err == "" and run.figures["partial"] is None


def test_a_cut_trace_is_a_shorter_one(lockwalk, tmp_path):
    whole = (DATA / "trace6" / "kernel-1-ctx_0x1.traceg").read_text()
    second = whole.rindex("#BEGIN_TB")
    (tmp_path / "short.traceg").write_text(whole[:second].replace("(2,1,1)", "(1,1,1)"))
    (tmp_path / "cut.traceg").write_text(whole[:second + 100])
    short = lockwalk("model", "--trace", tmp_path / "short.traceg", figures=True)
    cut = lockwalk("cosim", "--trace", tmp_path / "cut.traceg", "--partial", figures=True)
    assert cut.status == 0, cut.err
    assert same_but_name(short.figures, cut.figures)
    assert cut.figures["partial"] == {"unit": "thread blocks", "whole": 1, "of": 2, "kernels": 1, "kernels_of": 1}


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_cut_compressed(lockwalk, tmp_path, ending, pack):
    text = "".join(f"0 {i * 2654435761 % 2**26:#x} r\n" for i in range(30000))
    packed = pack(text.encode())
    path = tmp_path / f"big.stream{ending}"
    path.write_bytes(packed[:len(packed) * 3 // 4])
    json = tmp_path / "refused.json"
    refused = lockwalk("model", "--stream", path, "--json", json)
    assert refused.status == 2 and "is corrupt or truncated after line" in refused.err and not json.exists()
    run = lockwalk("model", "--stream", path, "--partial", figures=True)
    assert run.status == 0, run.err
    assert 8000 < run.figures["requests"] == run.figures["partial"]["whole"] < 22500


def test_missing_kernels(lockwalk, tmp_path):
    folder = tmp_path / "t"
    folder.mkdir()
    for path in (DATA / "trace").iterdir():
        if path.name != "kernel-2.traceg":
            (folder / path.name).write_bytes(path.read_bytes())
    refused = lockwalk("model", "--trace", folder)
    assert refused.status == 2 and "'kernel-2.traceg' is missing" in refused.err
    run = lockwalk("model", "--trace", folder, "--partial", figures=True)
    assert run.status == 0, run.err
    assert run.figures["partial"] == {"unit": "thread blocks", "whole": 3, "of": None, "kernels": 2, "kernels_of": 3}


REFUSED = [
    (["model", "--partial"], "--partial: goes with --stream or --trace"),
    (["model", "--partial", "--stream", "{0}"], "--partial: {0} is cut, and nothing of it is whole"),
    (["trace-info", "--partial", "{1}"], "--partial: the trace is cut, and no thread block of it is whole"),
    (["model", "--partial", "--trace", "{1}"], "--partial: the trace is cut, and no thread block of it is whole"),
    (["model", "--partial", "--stream", "{2}"], "bad.stream:2: pasid 'x' is not allowed"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[" ".join(a) for a, _ in REFUSED])
def test_refusal(lockwalk, tmp_path, arguments, said):
    texts = {"nothing.stream": "0 1", "nothing.traceg": "-kernel name = k\n-grid", "bad.stream": "0 1 r\nx\n0 1"}
    paths = [tmp_path / name for name in texts]
    for path in paths:
        path.write_text(texts[path.name])
    run = lockwalk(*(argument.format(*paths) for argument in arguments))
    assert run.status == 2 and said.format(*paths) in run.err, run.err
    assert run.err.startswith("lockwalk: ") and run.err.count("\n") == 1, run.err
