"""The RTL in Icarus Verilog, which has four states, at the ports of a run of the C twin: what nothing has written is x
there, where Verilator gives it a value. Yosys makes plain Verilog of the RTL, as Icarus does not read it otherwise."""

import re
import subprocess

from tests.harness.rtl_by_yosys import yosys
from tests.harness.vcd import read
from tools.project import ROOT

PTES = 8  # of a line, each a signal of the waves: mem_rsp_pte0 ... are mem_rsp_data_i
BENCH = """
module bench;
  reg clk = 0, rst_n = 0;
  reg [{last}:0] vectors [0:{cycles}-1];
  reg [{last}:0] v;
  integer n, wrong;
{wires}
  iommu_plain dut (.clk_i(clk), .rst_ni(rst_n), {connections});

  task compare; begin
{comparisons}
  end endtask

  initial begin
    $readmemh("{vectors}", vectors);
    wrong = 0;
    v = 0;
    repeat (2) begin #5 clk = 1; #5 clk = 0; end
    rst_n = 1;
    for (n = 0; n < {cycles} && wrong < 10; n = n + 1) begin
      v = vectors[n];
      #4 compare;
      #1 clk = 1;
      #5 clk = 0;
    end
    $display("%0d cycles, %0d differences", n, wrong);
    $finish;
  end
endmodule
"""


def waves(path):
    """The ports in the waves of the twin, {name: width}, and their values in each cycle."""
    names, changes = read(path)
    ports, widths = {}, {}
    for name, code in names.items():
        port = re.fullmatch(r"\w+\.ports\.(\w+)(?:\[(\d+):0\])?", name)
        if port:
            ports[code] = port[1]
            widths[port[1]] = int(port[2] or 0) + 1
    values, cycles = dict.fromkeys(widths, 0), []
    for time, code, value in changes:
        # The waves say what changes: a cycle in which nothing does has no line.
        cycles += [dict(values)] * (time - len(cycles))
        if code in ports:
            values[ports[code]] = value
    return widths, cycles  # the last time has the registers after the last cycle, and no ports


def plain(system, path, rtl):
    """The RTL as plain Verilog, and the ports' widths."""
    yosys("iommu", system, ["opt_clean", "bwmuxmap", "bmuxmap", "demuxmap", "rename iommu iommu_plain",
                            f"write_verilog -noattr {path}"], rtl)
    module = path.read_text().partition("module iommu_plain")[2]
    return {name: int(high or 0) + 1 for high, name in re.findall(r"(?:input|output) (?:\[(\d+):0\] )?(\w+);", module)}


def bench(widths, of_rtl, cycles, folder):
    """A module that sets the inputs of each cycle and compares the outputs with the twin's."""
    at, top = {}, sum(widths.values())
    last = top - 1
    for name, width in widths.items():
        top -= width
        at[name] = (top, width)
    vectors = folder / "vectors.hex"
    with vectors.open("w") as file:
        for values in cycles:
            file.write(f"{sum(value << at[name][0] for name, value in values.items()):x}\n")
    wires, connections, comparisons = [], [], []
    for name, (low, _) in at.items():
        if name.startswith("mem_rsp_pte"):
            continue
        port = name.removesuffix("_twin")
        if port == name:
            connections.append(f".{port}_i(v[{low}+:{of_rtl[port + '_i']}])")
            continue
        width = of_rtl[f"{port}_o"]
        wires.append(f"  wire [{width - 1}:0] {port};")
        connections.append(f".{port}_o({port})")
        comparisons.append(f"    if ({port} !== v[{low}+:{width}]) begin wrong = wrong + 1; $display("
                           f'"cycle %0d: {port} is %b, the twin says %b", n, {port}, v[{low}+:{width}]); end')
    ptes = ", ".join(f"v[{at[f'mem_rsp_pte{n}'][0]}+:64]" for n in reversed(range(PTES)))
    connections.append(f".mem_rsp_data_i({{{ptes}}})")
    return BENCH.format(last=last, cycles=len(cycles), wires="\n".join(wires), connections=",\n    ".join(connections),
                        comparisons="\n".join(comparisons), vectors=vectors)


def replay(lockwalk, system, folder, *options, rtl=ROOT / "rtl"):
    """What the replay of a run prints: a line for each difference, ten at most, then how many cycles it had."""
    run = lockwalk("model", "--system", system, *options, "--no-progress", "--waves", folder / "twin.vcd")
    assert run.status == 0, run.err
    widths, cycles = waves(folder / "twin.vcd")
    of_rtl = plain(system, folder / "plain.v", rtl)
    (folder / "bench.v").write_text(bench(widths, of_rtl, cycles, folder))
    for command in (["iverilog", "-g2005", "-s", "bench", "-o", "bench.vvp", "plain.v", "bench.v"],
                    ["vvp", "bench.vvp"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.splitlines()
