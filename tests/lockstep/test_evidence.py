"""What the lockstep counts as compared was compared; resets at any moment; injections into cycles that the twin
alone skips; a register that has no twin. Each check is broken once, and seen to bark."""

import pytest

from tests.harness.mutants import Mutant

RANDOM = ["--workload", "random"]
RESETS = ["--system", "stress_small", "--max-requests", "2000", "--resets", "10"]


@pytest.mark.parametrize(("nets", "compared"), [("state", True), ("ports", True), ("oracle", False)])
def test_compared_cycles_were_compared(lockwalk, nets, compared):
    run = lockwalk("cosim", "--system", "stress_small", *RANDOM, "--max-requests", "300", "--nets", nets, figures=True)
    assert run.status == 0, run.err
    assert run.figures["compared_cycles"] == (run.figures["cycles"] if compared else 0)


SYSTEMS = ["stress_small", "stress_five", "stress_address", "stress_mesc", "stress_mesc_parallel", "stress_headfirst",
           "stress_full_colt", "stress_sram", "stress_one", "stress_off", "stress_hashed", "stress_hashed_mesc"]


# Only where requests hit do answers wait in the hit queue, whose places a reset clears.
@pytest.mark.parametrize(("system", "workload"), [*((system, "random") for system in SYSTEMS),
                                                  ("stress_small", "phases")])
def test_resets_in_mid_run(lockwalk, system, workload):
    """R0.2, R0.6: both sides forget what was in flight, and nothing else."""
    resets = 5 if "hashed" in system or workload == "phases" else 12  # after each of them the tables are made anew
    run = lockwalk("cosim", "--system", system, "--workload", workload, "--max-requests", 100 * resets,
                   "--resets", resets, "--seed", 3, figures=True)
    assert run.status == 0, run.err[-4000:]
    assert run.figures["resets"] == resets
    assert run.figures["compared_cycles"] == run.figures["cycles"]
    assert run.figures["requests"] == run.figures["responses"] == 100 * resets


def test_wrong_reset_value_barks(tmp_path):
    """A value that is overwritten before anyone reads it."""
    mutant = Mutant(tmp_path, "rtl/walk/answer_port.sv", "fill_perm_q   <= '0;", "fill_perm_q   <= '1;")
    status, text = mutant.cosim("--system", "stress_small", "--max-requests", "100")
    assert status == 1
    assert "MISMATCH in cycle 0\n" in text
    assert "registers that differ right after a reset (1):" in text
    assert "FILL[0].FILL_PERM" in text


@pytest.mark.recorded
def test_forgotten_reset_barks(tmp_path):
    """A register that begins right and is not cleared by a reset in mid-run."""
    mutant = Mutant(tmp_path, "rtl/front/admission.sv", "      miss_used_q <= '0;\n", "")
    status, text = mutant.cosim(*RESETS)
    assert status == 1
    assert "right after a reset" in text
    assert "ADMISSION[0].MISS_USED" in text


def test_twin_that_resets_too_much_barks(tmp_path):
    """R0.6: what has no reset keeps its value, on both sides."""
    mutant = Mutant(tmp_path, "c_model/iommu.c", "    lw_buffer_keep(&u->walk.buffer, entry);\n", "    (void)entry;\n")
    status, text = mutant.cosim(*RESETS)
    assert status == 1
    assert "BUFFER[" in text


def test_register_without_twin_barks(tmp_path):
    mutant = Mutant(tmp_path, "rtl/front/admission.sv", "endmodule", """  logic secret_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) secret_q <= 1'b0;
    else secret_q <= req_valid_i;
  end
  // Read, so that no tool takes it away.
  a_secret: assert property (@(posedge clk_i) secret_q || !secret_q);
endmodule""")
    status, text = mutant.cosim("--system", "stress_small", "--max-requests", "100")
    assert status == 2
    assert "the RTL has 1 registers without a twin (u_admission.secret_q)" in text


SKIPPING = ["--system", "baseline", "--workload", "sequential", "--max-requests", "200"]
WINDOW = range(1000, 1040)


def switch_off_pwc(cycle):
    """An injection that can be seen in the figures: from then on there are no lookups."""
    return ["--inject-twin", f"CONTROL[0].FEATURES.2@{cycle}"]


def test_injection_into_skipped_cycles(lockwalk):
    """The twin alone leaves out idle cycles, but not one in which something is to happen."""
    lookups = lockwalk("model", *SKIPPING, figures=True).figures["counters"]["pwc_lookups"]
    for cycle in WINDOW:
        flipped = lockwalk("model", *SKIPPING, *switch_off_pwc(cycle), figures=True)
        assert flipped.figures["counters"]["pwc_lookups"] < lookups


def test_skipping_over_an_injection_barks(tmp_path):
    """The test above would notice: without the stop, the flip gets lost in some of the cycles."""
    mutant = Mutant(tmp_path, "dpi/session.c", "t->on && t->cycle >= s->now ? t->cycle",
                    "t->on && t->cycle == UINT64_MAX ? t->cycle")
    lookups = mutant.model(*SKIPPING)["counters"]["pwc_lookups"]
    assert any(mutant.model(*SKIPPING, *switch_off_pwc(cycle))["counters"]["pwc_lookups"] == lookups
               for cycle in WINDOW)
