"""Where the project is: also one whose folders are links, as tests make of it."""

from pathlib import Path

ROOT = Path(__file__).absolute().parent.parent
