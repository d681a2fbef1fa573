"""Where requests spend their time: the same on the twin alone, which leaves out idle cycles, as in lockstep, which does
not; the logs of a window read by the rules of their formats and held against the port events that the run logs; two
runs compared."""

import json
import re

import pytest

STAGES = ["tlb", "queue", "walker", "line", "look", "pwc", "cam", "port", "level_1", "level_2", "level_3", "level_4",
          "level_5", "told", "answer", "response"]
STRESS = ["--system", "stress_mesc", "--workload", "phases", "--max-requests", "3000"]


def read_kanata(text):
    """[{"taken", "left", "stages": [(name, from, to)], "id", "answered", "asks"}] of a Kanata log, by its rules."""
    lines = text.splitlines()
    assert lines[0] == "Kanata\t0004"
    now, requests, retired = None, [], 0
    for line in lines[1:]:
        command, *fields = line.split("\t")
        if command == "C=":
            assert now is None
            now = int(fields[0])
        elif command == "C":
            assert int(fields[0]) > 0
            now += int(fields[0])
        elif command == "I":
            number, unit_id, _thread = map(int, fields)
            assert number == len(requests), "numbers rise by one"
            requests.append({"id": unit_id, "taken": now, "stages": [], "labels": []})
        else:
            request = requests[int(fields[0])]
            assert "answered" not in request, "nothing follows the end of a request"
            if command == "L":
                assert fields[1] in "012" and len(fields) == 3
                request["labels"].append(fields[2])
            elif command == "S":
                assert fields[1] == "0" and not (request["stages"] and len(request["stages"][-1]) == 2)
                request["stages"].append((fields[2], now))
            elif command == "E":
                name, since = request["stages"].pop()
                assert fields[1:] == ["0", name]
                request["stages"].append((name, since, now))
            else:
                assert command == "R" and fields[2] in "01" and len(request["stages"][-1]) == 3
                request["answered"], request["left"] = fields[2] == "0", now
                if request["answered"]:
                    assert int(fields[1]) == retired
                    retired += 1
    assert all("answered" in request for request in requests)
    for request in requests:
        what, whose = request["labels"]
        request["asks"] = (int(re.match(r"PASID (\d+), source \d+", whose)[1]), what)
    return requests


def read_chrome(text):
    """The same of a Chrome trace: a slice for each request, and within it one for each stage."""
    open_slices, requests, last = {}, [], 0
    for event in json.loads(text)["traceEvents"]:
        assert {"ph", "name", "ts", "pid", "tid"} <= event.keys()
        if event["ph"] == "M":
            assert event["name"] == "thread_name" and event["args"]["name"] == f"id {event['tid'] - 1}"
            continue
        assert event["ts"] >= last
        last = event["ts"]
        stack = open_slices.setdefault(event["tid"], [])
        if event["ph"] == "B" and not stack:
            stack.append({"id": event["tid"] - 1, "taken": event["ts"], "stages": [], "number": event["args"]["number"],
                          "asks": (event["args"]["pasid"], event["name"])})
            requests.append(stack[0])
        elif event["ph"] == "B":
            assert len(stack) == 1
            stack.append((event["name"], event["ts"]))
        elif len(stack) == 2:
            name, since = stack.pop()
            assert event["ph"] == "E" and event["name"] == name
            stack[0]["stages"].append((name, since, event["ts"]))
        else:
            request = stack.pop()
            request["answered"], request["left"] = event["args"]["answered"], event["ts"]
    assert not any(open_slices.values())
    return requests


PORT = ["taken", "left", "id", "asks"]  # of a request, what the ports show


def at_ports(request):
    return [request[key] for key in PORT]


def port_events(log):
    """[what PORT names] in the order of transfer, and {(id, cycle)} of the lines that came for a request."""
    waiting, requests, lines = {}, [], set()
    for cycle, what, number, rest in re.findall(
            r"cycle (\d+) +(request|response|walk line)\D+(?:walker \d+ \(id )?(-?\d+)(.*)",
            re.sub(r"walker \d+( with an error)? \(id", "(id", log)):
        if what == "request":
            waiting[number] = len(requests)
            pasid, page, access = re.fullmatch(r" pasid (\d+) page (0x[0-9a-f]+) (\w+)", rest).groups()
            requests.append([int(cycle), None, int(number), (int(pasid), f"{access} of page {page}")])
        elif what == "response":
            requests[waiting.pop(number)][1] = int(cycle)
        else:
            lines.add((int(number), int(cycle)))
    return requests, lines


@pytest.mark.parametrize("arguments", [
    STRESS,
    ["--system", "stress_small", "--workload", "random", "--max-requests", "3000", "--resets", "3"],
    ["--system", "nha_power", "--workload", "atax", "--max-iters", "1", "--max-requests", "4000"],
    ["--system", "baseline", "--workload", "nw", "--max-launches", "4"],
])
def test_lockstep_and_twin_tell_the_same(lockwalk, arguments):
    runs = [lockwalk(command, *arguments, "--stages", figures=True) for command in ("cosim", "model")]
    assert [run.status for run in runs] == [0, 0], runs[0].err + runs[1].err
    assert runs[0].figures["stages"] == runs[1].figures["stages"]
    off = lockwalk("model", *arguments, figures=True)
    assert off.figures["stages"] is None
    differ = {"stages", "arguments"}
    assert {k: v for k, v in off.figures.items() if k not in differ} == {
        k: v for k, v in runs[1].figures.items() if k not in differ}
    tables = [run.out[run.out.index("  stages "):] for run in runs]
    assert tables[0] == tables[1]


def check_sums(part):
    """Of one part of the object: stages sum to the whole, histograms hold everybody, quantiles rise."""
    assert list(part["stages"]) == STAGES
    assert sum(stage["cycles"] for stage in part["stages"].values()) == part["whole"]["cycles"]
    for figures in [part["whole"], *part["stages"].values()]:
        assert sum(count for _, count in figures["histogram"]) == figures["requests"]
        assert figures["p50"] <= figures["p90"] <= figures["p99"] <= figures["max"]
        assert figures["mean"] * figures["requests"] == pytest.approx(figures["cycles"])


def test_sums(lockwalk):
    run = lockwalk("model", "--system", "nha", "--workload", "atax", "--max-iters", "2", "--stages", figures=True)
    stages, counters = run.figures["stages"], run.figures["counters"]
    kernels = stages["kernels"]
    assert [kernel["kernel"] for kernel in kernels] == ["atax_k1", "atax_k2"]
    for part in [stages, *kernels]:
        check_sums(part)
        for way in part["ways"].values():
            check_sums(way)
        assert sum(way["whole"]["cycles"] for way in part["ways"].values()) == part["whole"]["cycles"]
    for key in ("requests", "cycles"):
        assert sum(kernel["whole"][key] for kernel in kernels) == stages["whole"][key]
    assert stages["whole"]["requests"] == counters["responses"]
    assert stages["ways"]["told"]["whole"]["requests"] == counters["coalesced_answers"]
    assert stages["ways"]["walk"]["whole"]["requests"] == counters["walks"]
    assert stages["whole"]["max"] == run.figures["longest_wait"]
    broken = json.loads(json.dumps(stages))
    broken["stages"]["pwc"]["cycles"] += 1
    with pytest.raises(AssertionError):
        check_sums(broken)
    for name in ("atax_k1", "atax_k2", "whole", "walker"):
        assert name in run.out


@pytest.mark.parametrize("system", ["stress_second", "mesc_second"])
def test_second_lookups(lockwalk, system):
    """Who is answered by the TLB once it was given to a walker went the way of a walk."""
    run = lockwalk("model", "--system", system, "--workload", "phases", "--max-requests", "2000", "--stages",
                   figures=True)
    counters, ways = run.figures["counters"], run.figures["stages"]["ways"]
    assert ways["walk"]["whole"]["requests"] == counters["walks"] + counters["second_hits"]
    assert counters["second_hits"] > 20
    assert ways["told"]["whole"]["requests"] == counters["coalesced_answers"]


def windows(lockwalk, folder, *arguments):
    run = lockwalk("model", *arguments, "--konata", folder / "k", "--perfetto", folder / "p", "--log", folder / "l")
    assert run.status == 0, run.err
    return (folder / "k").read_text(), (folder / "p").read_text(), (folder / "l").read_text()


@pytest.mark.parametrize("arguments", [STRESS, ["--system", "nha", "--workload", "mvt", "--max-iters", "1"]])
def test_window(lockwalk, tmp_path, arguments):
    kanata, chrome, log = windows(lockwalk, tmp_path, *arguments, "--trace-to", "999999999")
    requests, lines = port_events(log)
    read, same = read_kanata(kanata), read_chrome(chrome)
    assert len(read) == len(requests) > 1000
    came = set()
    for request, other, port in zip(read, same, requests, strict=True):
        assert {key: request[key] for key in (*PORT, "stages", "answered")} == {
            key: other[key] for key in (*PORT, "stages", "answered")}
        assert at_ports(request) == port
        taken, left, number, _ = port
        bounds = [taken, *(to for _, _, to in request["stages"])]
        assert [since for _, since, _ in request["stages"]] == bounds[:-1] and bounds[-1] == left
        assert all(name in STAGES and to > since for name, since, to in request["stages"])
        # A line is judged in the cycle after the one in which it comes (R9.2).
        came |= {(number, to - 1) for name, _, to in request["stages"] if name.startswith("level_")}
    # Each line that has come for a request ends a level of its walk, but for those of heads (R16.6).
    of_requests = {(number, cycle) for number, cycle in lines if number >= 0}
    heads = lockwalk("model", *arguments, figures=True).figures["counters"]["head_reads"]
    assert came <= of_requests and len(of_requests - came) == heads and len(came) > 500


def test_part_of_a_window(lockwalk, tmp_path):
    kanata, chrome, log = windows(lockwalk, tmp_path, *STRESS, "--trace-from", "2000", "--trace-to", "2500")
    inside = [request for request in port_events(log)[0] if 2000 <= request[0] <= 2500]
    for read in (read_kanata(kanata), read_chrome(chrome)):
        assert [at_ports(request) for request in read] == inside
    assert 10 < len(inside) < 500


def test_resets_cut_requests_off(lockwalk, tmp_path):
    kanata, chrome, _ = windows(lockwalk, tmp_path, *STRESS, "--resets", "3", "--trace-to", "999999999")
    read = read_kanata(kanata)
    assert 0 < sum(not request["answered"] for request in read) < 100
    assert [r["answered"] for r in read] == [r["answered"] for r in read_chrome(chrome)]


def test_empty_window(lockwalk, tmp_path):
    """While software sets the unit up, nobody asks."""
    kanata, chrome, _ = windows(lockwalk, tmp_path, *STRESS, "--trace-to", "0")
    assert read_kanata(kanata) == read_chrome(chrome) == []


@pytest.mark.parametrize(("old", "new"), [("Kanata", "Konata"), ("\nE\t0\t0\ttlb", "\nE\t0\t0\tlook"),
                                          ("\nR\t3\t", "\nR\t4\t"), ("\nI\t5\t", "\nI\t6\t")])
def test_a_broken_log_barks(lockwalk, tmp_path, old, new):
    kanata, _, _ = windows(lockwalk, tmp_path, *STRESS, "--trace-to", "300")
    with pytest.raises((AssertionError, ValueError, IndexError)):
        read_kanata(kanata.replace(old, new, 1))


# ---------------------------------------------------------------- memory, compare

def test_banks(lockwalk):
    """Each read lies in one bank, and finds its row in one of three ways; a memory without banks has none."""
    run = lockwalk("model", "--system", "nha", "--workload", "mvt", "--max-iters", "1", "--set",
                   "memory_latency=bank:2,4,10,20,30", figures=True)
    memory = run.figures["memory"]
    assert [(bank["channel"], bank["bank"]) for bank in memory["banks"]] == [(c, b) for c in range(2) for b in range(4)]
    for key in ("reads", "row_hits", "row_misses", "row_conflicts", "wait_cycles", "work_cycles"):
        assert sum(bank[key] for bank in memory["banks"]) == memory[key]
    for part in [memory, *memory["banks"]]:
        ways = [part["row_hits"], part["row_misses"], part["row_conflicts"]]
        assert sum(ways) == part["reads"] and part["work_cycles"] == 10 * ways[0] + 20 * ways[1] + 30 * ways[2]
    assert memory["reads"] == run.figures["page_table_accesses"] and memory["wait_cycles"] > 0
    assert all(bank["row_misses"] <= 1 for bank in memory["banks"])  # only the first read finds no row open
    assert "memory banks         8: " in run.out
    run = lockwalk("model", "--system", "stress_small", "--workload", "random", "--max-requests", "100", figures=True)
    assert run.figures["memory"] is None and "memory banks" not in run.out


@pytest.fixture
def two_runs(lockwalk, tmp_path):
    for walkers in (8, 16):
        lockwalk("model", "--workload", "gesummv", "--max-iters", "1", "--set", f"walkers={walkers}", "--stages",
                 "--json", tmp_path / f"{walkers}.json")
    return tmp_path / "8.json", tmp_path / "16.json"


def test_compare(lockwalk, two_runs):
    run = lockwalk("compare", *two_runs)
    assert run.status == 0 and run.err == "", run.err
    one, two = (json.loads(path.read_text()) for path in two_runs)
    lines = [line.split() for line in run.out.splitlines()]
    assert ["walkers:", "8,", "16"] in lines
    assert ["cycles", str(one["cycles"]), str(two["cycles"]), f"{two['cycles'] - one['cycles']:+}"] in [
        line[:4] for line in lines]
    means = {name: [run["stages"]["stages"][name]["cycles"] / run["stages"]["whole"]["requests"] for run in (one, two)]
             for name in STAGES}
    assert sum(means[name][1] - means[name][0] for name in STAGES) < 0
    most = min(means, key=lambda name: means[name][1] - means[name][0])
    assert f"the difference is made in {most}: {means[most][1] - means[most][0]:+.1f} of " in run.out
    for name, (first, second) in means.items():
        assert first + second == 0 or [name, f"{first:.1f}", f"{second:.1f}", f"{second - first:+.1f}"] in lines
    assert "no stage makes a difference" in lockwalk("compare", two_runs[0], two_runs[0]).out


@pytest.mark.parametrize(("change", "said"), [
    ({"seed": 2}, "is of other work than {a}: its seed is 2, not 1; allowed: runs of the same work"),
    ({"workload": "mvt"}, "its workload is \"mvt\", not \"gesummv\""),
    ({"cuts": None}, "its cuts is null, not {{"),
    ({"verdict": "hang"}, "its run ended with the verdict \"hang\"; allowed: equal"),
    ({"cycles": "7"}, "is no run, it has no \"cycles\"; allowed: what `lockwalk model --json`"),
])
def test_compare_refuses(lockwalk, two_runs, change, said):
    a, b = two_runs
    b.write_text(json.dumps({**json.loads(b.read_text()), **change}))
    run = lockwalk("compare", a, b)
    assert run.status == 2 and run.out == "" and run.err.count("\n") == 1
    assert run.err.startswith(f"lockwalk: {b}: ") and said.format(a=a) in run.err, run.err


def test_compare_without_stages(lockwalk, two_runs):
    a, b = two_runs
    b.write_text(json.dumps({**json.loads(b.read_text()), "stages": None}))
    assert f"no stages in {b}; `--stages` has a run count them" in lockwalk("compare", a, b).out
