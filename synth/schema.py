"""What a file that was read may hold, said once, and a sentence for where it holds something else.

A kind is a text, texts, a number, or made of others: `Keys` with their names, `Each` of a mapping, `Many` in a list."""

import shlex
from dataclasses import dataclass

from refusal import Refusal

TEXT, TEXTS, WORDS, ANY = "text", "texts", "words", "any"
NUMBER, ABOVE_ZERO, PAIR = "number", "number above zero", "pair of numbers"


@dataclass(frozen=True)
class Keys:
    """A mapping with these keys, of which `needed` must be there and hold something. With `more` there may be others,
    which nobody reads, and a list may be empty; with `null` it may be none."""

    kinds: dict
    needed: tuple = ()
    more: bool = False
    null: bool = False


@dataclass(frozen=True)
class Each:
    """A mapping of names to one kind; `name` is what a name is of, in a sentence."""

    kind: object
    name: str = ""


@dataclass(frozen=True)
class Many:
    """A list of one kind; `name` is what one of them is, in a sentence."""

    kind: object
    name: str


def fits(thing, kind, file, *place):
    """Refuses what is of another kind, by its place in the file."""
    where = ": ".join([str(file), *([", ".join(place)] if place else [])])
    match kind:
        case Keys(null=True) if thing is None:
            pass
        case Keys():
            keys_of(thing, where, kind)
            for key in (key for key in kind.kinds if key in thing):
                fits(thing[key], kind.kinds[key], file, *place, key)
        case Each():
            if not isinstance(thing, dict):
                raise Refusal(f"{where} is no mapping")
            for key, one in thing.items():
                if not isinstance(key, str):
                    raise Refusal(f"{where} has the key {key}, which is no text")
                fits(one, kind.kind, file, *place[:-1], *([f"{kind.name} \"{key}\""] if kind.name else [place[-1], key]))
        case Many():
            if not isinstance(thing, list):
                raise Refusal(f"{where} is no list")
            for n, one in enumerate(thing, 1):
                fits(one, kind.kind, file, *place[:-1], f"{kind.name} {n}")
        case _:
            if reason := WRONG[kind](thing):
                raise Refusal(f"{where} is {reason}")


def keys_of(thing, where, kind):
    if not isinstance(thing, dict):
        raise Refusal(f"{where} is no mapping; allowed: one with the keys {', '.join(kind.kinds)}")
    for key in thing:
        if key not in kind.kinds and not kind.more:
            raise Refusal(f"{where} has no key \"{key}\"; allowed: {', '.join(kind.kinds)}")
    for key in kind.needed:
        if key not in thing or not kind.more and thing[key] in (None, "", [], {}):
            raise Refusal(f"{where} lacks {key}")


def is_text(thing):
    return isinstance(thing, str) and bool(thing.strip())


def is_number(thing):
    return isinstance(thing, (int, float)) and not isinstance(thing, bool)


def no_words(thing):
    """Why a text is not as a shell would split it; None where it is."""
    if not isinstance(thing, str):
        return "no text"
    try:
        shlex.split(thing)
    except ValueError as error:
        return f"no text that a shell would take ({error})"
    return None


# Why a thing is none of the kind; False or None where it is.
WRONG = {
    TEXT: lambda thing: not is_text(thing) and "no text",
    TEXTS: lambda thing: not (isinstance(thing, list) and all(map(is_text, thing))) and "no list of texts",
    WORDS: no_words,
    NUMBER: lambda thing: not is_number(thing) and "no number",
    ABOVE_ZERO: lambda thing: not (is_number(thing) and thing > 0) and "no number above zero",
    PAIR: lambda thing: not (isinstance(thing, list) and len(thing) == 2 and all(map(is_number, thing)))
    and "no pair of numbers",
    ANY: lambda thing: None,
}
