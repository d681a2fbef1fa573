"""What a file that was read may hold, as a JSON schema, and a sentence for where it holds something else."""

import math
import shlex

import jsonschema

from tools.refusal import Refusal

ANY = {}
TEXT = {"type": "string", "pattern": r"\S"}
WORDS = {"type": "string", "format": "words"}  # as a shell would split it
NUMBER = {"type": "number", "format": "finite"}  # YAML and JSON, as Python reads them, have infinities and NaN too
ABOVE_ZERO = {**NUMBER, "exclusiveMinimum": 0}


def keys(kinds, needed=(), more=False):
    """A mapping with these keys, of which `needed` must be there. With `more` there may be others, which nobody
    reads."""
    return {"type": "object", "properties": kinds, "required": list(needed), "additionalProperties": more}


def each(kind, least=0):
    """A mapping of names to one kind, of so many names at least."""
    return {"type": "object", "propertyNames": {"type": "string"}, "additionalProperties": kind, "minProperties": least}


def many(kind, least=0):
    return {"type": "array", "items": kind, "minItems": least}


def or_null(kind):
    return {**kind, "type": [kind["type"], "null"]}


TEXTS = many(TEXT)
PAIR = {**many(NUMBER, 2), "maxItems": 2}

FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("words", raises=ValueError)
def is_split(text):
    """shlex raises what is wrong with it; of a thing that is no text another check says so."""
    return not isinstance(text, str) or shlex.split(text) is not None


@FORMATS.checks("finite")
def is_finite(thing):
    return not isinstance(thing, float) or math.isfinite(thing)


def wrong_format(error):
    if error.validator_value == "finite":
        return f"is {error.instance}; allowed: a finite number"
    return f"is no text that a shell would take ({error.cause})"


KINDS = {"object": "mapping", "array": "list", "string": "text"}


def kind_of(error):
    names = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    return " or ".join(KINDS.get(name, name) for name in names)


def wrong_kind(error):
    allowed = error.schema.get("properties")
    return f"is no {kind_of(error)}" + (f"; allowed: one with the keys {', '.join(allowed)}" if allowed else "")


def strange_key(error):
    allowed = error.schema["properties"]
    return f'has no key "{next(key for key in error.instance if key not in allowed)}"; allowed: {", ".join(allowed)}'


# What is wrong where the thing does not hold to this keyword of its schema.
REASONS = {
    "type": wrong_kind,
    "additionalProperties": strange_key,
    "required": lambda error: f"lacks {next(key for key in error.validator_value if key not in error.instance)}",
    "format": wrong_format,
    "pattern": lambda error: "is an empty text",
    "exclusiveMinimum": lambda error: f"is {error.instance}; allowed: a number above {error.validator_value}",
    "minItems": lambda error: f"has {len(error.instance)} elements; allowed: {error.validator_value} and more",
    "maxItems": lambda error: f"has {len(error.instance)} elements; allowed: up to {error.validator_value}",
    "minProperties": lambda error: "holds nothing",
}


def place_of(error):
    """`panel 1, point 2, set`: of an element of a list, the list's name and its number."""
    place = []
    for step in error.absolute_path:
        if isinstance(step, int):
            place[-1] = f"{place[-1].removesuffix('s')} {step + 1}"
        else:
            place.append(step)
    return ", ".join(place)


def fits(thing, schema, file):
    """Refuses what does not hold to its schema, by its place in the file."""
    validator = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
    # A key that is misspelt is also one that is missing: the first says more.
    error = min(validator.iter_errors(thing), default=None,
                key=lambda error: (len(error.absolute_path), error.validator != "additionalProperties"))
    if error is None:
        return
    is_name = list(error.absolute_schema_path)[-2:-1] == ["propertyNames"]
    reason = f"has the key {error.instance}, which is no text" if is_name else REASONS[error.validator](error)
    raise Refusal(f"{file}: {f'{place_of(error)} {reason}'.strip()}")
