"""Broken lines of the RTL that only a corner shows: the random streams, or what the ports show beside them, must reach
it."""

import pytest

from tests.harness.mutants import Mutant

# (file, the line as it is, the line broken), (system, workload, requests)
MUTANTS = {
    # The output register is overwritten while it waits, with the hit queue full.
    "full_hit_queue": (
        ("rtl/front/response_queue.sv",
         "assign load     = !out_valid_q || rsp_ready_i;",
         "assign load     = !out_valid_q || rsp_ready_i || (32'(hit_count_q) == HitQueue && walk_any);"),
        ("stress_small", "phases", 20000)),
    # Roots are written without a write: only a payload that nobody offers shows it (R0.3).
    "write_without_valid": (
        ("rtl/host/control.sv",
         "if (Hashes && writes_root && ctl_wdata_i[63]) begin",
         "if (Hashes && ctl_wdata_i[63]) begin"),
        ("stress_hashed", "random", 100)),
}
ALSO_RECORDED = ["full_hit_queue"]


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.recorded if name in ALSO_RECORDED else ()) for name in MUTANTS])
def test_mutant_is_caught(tmp_path, name):
    broken, (system, workload, requests) = MUTANTS[name]
    mutant = Mutant(tmp_path, *broken)
    status, text = mutant.cosim("--system", system, "--max-requests", requests, "--seed", 1, workload=workload)
    assert status == 1, text[-2000:]
    assert "MISMATCH in cycle" in text
