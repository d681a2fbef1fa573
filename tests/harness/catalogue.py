"""What runs in lockstep in `make test`: systems x workloads x seeds, and the cuts that keep the whole
under its time. COMPARED is the floor of the cycles that must be compared in all.

`make test TESTS=tests/lockstep/test_lockstep.py LOCKSTEP_SEEDS=20` runs that many seeds of `random` on each stress
system, and the kernels on the systems that the gate leaves to the stress systems of their kind. With LOCKSTEP_SEEDS the
other tests run whole too, and with those that are marked `recorded`: of what is costly and like another, and of the
project's own tools."""

import os

RECORDED = bool(os.environ.get("LOCKSTEP_SEEDS"))  # a run to be recorded, not the gate
SEEDS = int(os.environ.get("LOCKSTEP_SEEDS") or 2)
COMPARED = 17_000_000


def share(requests):
    """The gate runs three fifths of what is recorded."""
    return str(requests if RECORDED else requests * 3 // 5)


# (system, requests of random, requests of phases). `random` misses nearly always, `phases` hits in a tenth to a half.
# They are so many that the gate reaches every point of tests/lockstep/coverage.py; the last is reached by CoLT.
STRESS_SYSTEMS = [
    ("stress_small", 18_000, 15_000),
    ("stress_one", 10_000, 7_000),
    ("stress_address", 20_000, 15_000),
    ("stress_five", 16_000, 20_000),
    ("stress_leaf", 10_000, 10_000),
    ("stress_off", 10_000, 10_000),
    ("stress_wide", 20_000, 30_000),
    ("stress_mesc", 10_000, 20_000),
    ("stress_mesc_parallel", 10_000, 30_000),
    ("stress_sram", 10_000, 10_000),
    ("stress_headfirst", 10_000, 15_000),
    ("stress_colt", 25_000, 10_000),
    ("stress_full_colt", 15_000, 10_000),
    ("stress_shared", 10_000, 10_000),
    ("stress_shared_address", 10_000, 10_000),
    ("stress_shared_mesc", 10_000, 10_000),
    ("stress_dram", 4_000, 3_000),
    ("stress_hashed", 10_000, 10_000),
    ("stress_hashed_five", 10_000, 10_000),
    ("stress_hashed_mesc", 10_000, 10_000),
    ("stress_hashed_lines", 10_000, 8_000),
    ("stress_second", 10_000, 15_000),
    *([("stress_hashed_off", 8_000, 6_000), ("stress_shared_both", 10_000, 10_000)] if RECORDED else []),
]

# What runs is (system, workload, seeds, options).
STRESS = [
    run
    for system, requests, in_phases in STRESS_SYSTEMS
    for run in [
        (system, "random", range(1, 1 + SEEDS), ["--max-requests", share(requests)]),
        (system, "phases", range(1, 3 if RECORDED else 2), ["--max-requests", share(in_phases)]),
    ]
]

CUTS = {
    "mvt": ["--max-iters", "4"],
    "atax": ["--max-iters", "4"],
    "bicg": ["--max-iters", "2"],
    "gesummv": ["--max-iters", "2"],
    "nw": ["--max-launches", "16"],
    "hotspot": ["--max-launches", "1", "--max-groups", "128"],
    "backprop": ["--max-groups", "128"],
}

IRREGULAR = ["mvt", "atax", "bicg", "gesummv", "nw"]
REGULAR = ["hotspot", "backprop"]

KERNELS = [
    (system, kernel, range(1, 2), cut)
    for system in ["baseline", "nha",
                   *(["nha_leaf", "nha_power", "power", "nha_walkers32"] if RECORDED else [])]
    for kernel, cut in CUTS.items()
]

# The others of the papers' systems whose RTL is built for another one anyway, each for a while.
SHORTLY = [
    (system, kernel, range(2, 3), options)
    for system, kernel, options in [
        ("nha_leaf", "atax", ["--max-iters", "1"]),
        *[(system, "atax", ["--size", "8192", "--max-requests", "3000"])
          for system in ["nha_power", "fshpt_ideal", "fshpt_stepless", "fshpt_nocache"]]]
]

# The systems of which nothing else in the gate needs the RTL: it is built for some hundred requests.
BRIEF = [
    (["mesc"], ["bfs", "atax", "srad"], ["--max-requests", "150", "--remap", "50"]),
    (["mesc_headfirst", "mesc_second", "mesc_bimodal", "mesc_colt", "thp", "colt", "full_colt", "nha16", "baseline16"],
     ["bfs"], ["--max-requests", "100", "--remap", "35"]),
    (["fshpt_rpt", "fshpt_five", "fshpt_mesc", "fshpt_nha_mesc", "fshpt_rpt_nha", "fshpt_64k", "fshpt_rpt_64k",
      "hpt_line", "power", "power_gpu", "nha_walkers32"], ["atax"], ["--size", "8192", "--max-requests", "250"]),
    (["stress_hashed_off", "stress_shared_both"], ["random"], ["--max-requests", "2000"]),
]
BRIEFLY = [
    (system, kernel, range(2, 3), options)
    for systems, kernels, options in BRIEF
    for system in systems
    for kernel in kernels
]
ALONE = [] if RECORDED else sorted({run[0] for run in BRIEFLY})

# MESC's kernels: a whole small run on the smallest unit, and the paper's size cut.
MESC = {"bfs": 400, "corr": 40, "covar": 40, "gramschm": 40, "2dconv": 256, "lud": 96, "srad": 128,
        "sssp": 300, "color": 900}

MESC_KERNELS = [
    (system, kernel, range(1, 2), options)
    for kernel, size in MESC.items()
    for system, options in [("stress_small", ["--size", str(size)]),
                            *([("nha", ["--max-requests", "5000"])] if RECORDED else [])]
]

# Subregions on kernels, while the operating system moves pages under them.
SUBREGIONS = [
    (system, kernel, range(1, 2), options)
    for system in ["nha_mesc",
                   *(["mesc", "mesc_second", "mesc_bimodal", "thp", "mesc_headfirst"] if RECORDED else [])]
    for kernel, options in [("atax", ["--max-requests", share(6000), "--remap", "100"]),
                            ("bfs", ["--max-requests", share(5000), "--remap", "100"]),
                            ("srad", ["--max-requests", share(8000), "--remap", "100"])]
]

# CoLT's answers and runs, the same way.
COLT = [
    (system, kernel, range(1, 2), options)
    for system in (["full_colt", "mesc_colt"] if RECORDED else [])
    for kernel, options in [("bfs", ["--max-requests", "8000", "--remap", "100"]),
                            ("srad", ["--max-requests", "8000", "--remap", "100"])]
]

# The GPU's data path, at its corners and with the papers' caches.
DATA = [
    ("stress_data", "covar", range(1, 3), ["--size", "40"]),
    ("stress_data", "lud", range(1, 2), ["--size", "96"]),
    ("stress_l2", "covar", range(1, 2), ["--size", "40"]),
    ("stress_l2", "lud", range(1, 2), ["--size", "96"]),
    ("nha", "atax", range(2, 3), ["--max-iters", "2", "--set", "data=1"]),
    ("nha", "atax", range(3, 4), ["--max-iters", "2", "--set", "data=1", "--set", "l2d_walks=1"]),
    ("nha_mesc", "bfs", range(2, 3), ["--max-requests", share(5000), "--remap", "100", "--set", "data=1"]),
    *([("power_gpu", "nw", range(1, 2), ["--size", "2048", "--max-launches", "12", "--set", "data=1"])] if RECORDED
      else []),
]

# FS-HPT's tables under its GPU and data path.
HASHED = [
    (system, kernel, range(1, 2), options)
    for kernel, options in [("atax", ["--size", "8192", "--max-requests", "6000"]),
                            *([("nw", ["--size", "2048", "--max-launches", "12"])] if RECORDED else [])]
    for system in ["fshpt", "fshpt_nha", "fshpt_ideal_nha",
                   *(["fshpt_ideal", "fshpt_stepless", "fshpt_nocache", "fshpt_rpt", "hpt_line"] if RECORDED else [])]
] + [
    (system, "atax", range(1, 2), ["--size", "8192", "--max-requests", "3000"])
    for system in (["fshpt_rpt_64k", "fshpt_64k"] if RECORDED else [])
] + [
    ("fshpt_oversub", "atax", range(1, 2), ["--size", "8192", "--max-requests", "3000", "--set", "migrate_after=8"])
]

RUNS = [
    (system, workload, seed, options)
    for part in (STRESS, KERNELS, SHORTLY, BRIEFLY, MESC_KERNELS, SUBREGIONS, COLT, DATA, HASHED)
    for system, workload, seeds, options in part
    for seed in seeds
]
