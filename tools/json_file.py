"""JSON files that a person has named: read, with a sentence for what is none."""

import json
from pathlib import Path

from tools.refusal import Refusal


def read(file, allowed):
    """`allowed` says which files are."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise Refusal(f"{file}: cannot be read ({error.strerror}); allowed: {allowed}") from error
    except ValueError as error:
        raise Refusal(f"{file}: is no JSON ({error}); allowed: {allowed}") from error
    except RecursionError as error:
        raise Refusal(f"{file}: is no JSON (it nests too deeply); allowed: {allowed}") from error
