"""How much of this machine is ours: its processors, as far as this process may use them, and its memory."""

import os

YOSYS_MB = 4000  # a Yosys at the papers' sizes, or the ABC below it


def processors():
    return len(os.sched_getaffinity(0))


def memory_mb():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1_000_000


def side_by_side(each_mb=YOSYS_MB):
    """How many processes there is a processor and the memory for; one at least."""
    return max(1, min(processors(), memory_mb() // each_mb))
