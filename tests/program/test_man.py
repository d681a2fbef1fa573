"""The manual page is made from the table of options, whole, and clean for the two readers of such pages."""

import re
import subprocess

import pytest

from tests.harness.make import make
from tests.harness.program import LOCKWALK
from tools.project import ROOT

NEEDS = ["checks"]
# A page of what has not been released has no date.
NO_DATE = 'WARNING: missing date, using "": TH'
# mandoc also counts the columns of the source, which nobody reads.
LINTS = {"mandoc": ["mandoc", "-T", "lint", "-W", "warning"], "groff": ["groff", "-man", "-ww", "-z"]}


def lockwalk(*arguments):
    return subprocess.run([str(LOCKWALK), *arguments], capture_output=True, text=True, check=True).stdout


def complaints(linter, page):
    done = subprocess.run(LINTS[linter], input=page, capture_output=True, text=True, check=False)
    return [line for line in (done.stdout + done.stderr).splitlines() if not line.endswith(NO_DATE)]


def shown(page):
    """The page as a reader of a wide window sees it, without bold, and its blanks as one."""
    done = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=1000"], input=page, capture_output=True, text=True,
                          check=True)
    return " ".join(re.sub(".\x08", "", done.stdout).split())


@pytest.mark.parametrize("linter", LINTS)
def test_page_is_clean(linter):
    page = lockwalk("man")
    assert complaints(linter, page) == []
    assert complaints(linter, page.replace(".SH OPTIONS", ".SHH OPTIONS"))  # what is broken barks


def lacking(page):
    """What the help says and the page does not, of every command and option."""
    text = shown(page)
    commands = re.findall(r"^  (\S+) +(.*)$", lockwalk("--help"), re.M)
    said = {summary for _, summary in commands}
    for command, _ in commands:
        options = re.findall(r"^  (--\S+(?: \S+)?) +(.*)$", lockwalk(command, "--help"), re.M)
        said |= {" ".join(pair) for pair in options}
    assert len(commands) > 10 and len(said) > 40
    return [sentence for sentence in said if sentence.replace("`", "") not in text]


def test_page_says_what_the_help_says():
    page = lockwalk("man")
    assert lacking(page) == []
    assert lacking(page.replace("cut the kernel", "leave the kernel")) != []


def test_page_says_whose_an_option_is():
    """Of each option the commands whose help lists it; of one that stands twice, with other words, each for itself."""
    commands = re.findall(r"^  (\S+)", lockwalk("--help"), re.M)
    listed = {command: re.findall(r"^  --(\S+)", lockwalk(command, "--help"), re.M) for command in commands}
    said = {command: [] for command in commands}
    for option, whose in re.findall(r"^\.TP\n\\fB\\-\\-(\S+?)\\fR.*\n(?:.*\n)*?Of (.*)\.$", lockwalk("man"), re.M):
        for command in commands if whose == "every command" else whose.replace("\\-", "-").split(", "):
            said[command].append(option.replace("\\-", "-"))
    assert said == listed


def test_make_man():
    (ROOT / "build" / "lockwalk.1").unlink(missing_ok=True)
    done = make("-s", "man")
    assert done.returncode == 0 and done.stdout == "build/lockwalk.1\n", done.stderr
    assert (ROOT / "build" / "lockwalk.1").read_text() == lockwalk("man")
