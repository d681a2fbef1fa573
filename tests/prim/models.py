"""What rtl/prim's modules are to do, said again by their header comments: their ports, points of their parameters,
inputs that their contracts allow, all of them where they are few, and what comes out.

A model takes one cycle's inputs by name and gives its outputs by name; an array's value is a list, and an output
that is None is not promised. What is broken in a copy of a module (`BROKEN`) must show at the point named."""

import itertools
from dataclasses import dataclass
from typing import Any

DRAWS = 3000  # cycles at a point that has more inputs than these


def bits(places):
    """Of so many places the width of an index; one place has one too."""
    return max(1, (places - 1).bit_length())


def one_hots(mask, width):
    """None of the bits of a mask, or one of them."""
    return [0] + [1 << n for n in range(width) if mask >> n & 1]


def drawn(draw, count=DRAWS):
    for _ in range(count):
        yield draw()


# ---------------------------------------------------------------- ring

class Ring:
    points = [{"Places": n} for n in (1, 2, 3, 5, 8, 64)]

    def __init__(self, Places):
        self.places = Places
        self.inputs = {"head_i": bits(Places), "count_i": Places.bit_length(), "push_i": 1, "pop_i": 1}
        self.outputs = {"tail_o": bits(Places), "used_o": Places, "head_o": bits(Places),
                        "count_o": Places.bit_length()}

    def cycles(self, rng):
        every = itertools.product(range(self.places), range(self.places + 1), (0, 1), (0, 1))
        for head, count, push, pop in every:
            if (not pop or count) and (not push or pop or count < self.places):
                yield {"head_i": head, "count_i": count, "push_i": push, "pop_i": pop}

    def step(self, head_i, count_i, push_i, pop_i):
        ring = [n % self.places for n in range(head_i, head_i + self.places)]  # from the oldest on
        queue = ring[:count_i]
        return {"tail_o": ring[count_i] if count_i < self.places else head_i,
                "used_o": sum(1 << place for place in queue),
                "head_o": ring[pop_i % self.places],
                "count_o": len(queue) + push_i - pop_i}


# ---------------------------------------------------------------- who is the lowest

class LowestIndex:
    points = [{"Width": n} for n in (1, 2, 5, 8, 11)]

    def __init__(self, Width):
        self.width = Width
        self.inputs = {"vector_i": Width}
        self.outputs = {"index_o": bits(Width)}

    def cycles(self, rng):
        return ({"vector_i": vector} for vector in range(1 << self.width))

    def step(self, vector_i):
        return {"index_o": next((n for n in range(self.width) if vector_i >> n & 1), 0)}


class LowestBit:
    points = [{"Width": n} for n in (2, 4, 8, 16, 32, 256, 512)]

    def __init__(self, Width):
        self.width = Width
        self.inputs = {"vector_i": Width}
        self.outputs = {"any_o": 1, "one_hot_o": Width, "index_o": bits(Width)}

    def cycles(self, rng):
        if self.width <= 8:
            vectors = range(1 << self.width)
        else:  # every bit as the lowest, with and without others above it
            vectors = [0]
            for n in range(self.width):
                vectors += [1 << n, rng.getrandbits(self.width) >> n << n | 1 << n]
            vectors += drawn(lambda: rng.getrandbits(self.width) << rng.randrange(self.width) &
                             (1 << self.width) - 1, 1000)
        return ({"vector_i": vector} for vector in vectors)

    def step(self, vector_i):
        for n in range(self.width):
            if vector_i >> n & 1:
                return {"any_o": 1, "one_hot_o": 1 << n, "index_o": n}
        return {"any_o": 0, "one_hot_o": 0, "index_o": 0}


# ---------------------------------------------------------------- least recently used

def touched(ranks, way):
    """The ranks after this way has been used: the ways in the order of their use say it all."""
    order = sorted(range(len(ranks)), key=lambda w: ranks[w])
    order.remove(way)
    order.insert(0, way)
    return [order.index(w) for w in range(len(ranks))]


def shuffled(rng, ways):
    ranks = list(range(ways))
    rng.shuffle(ranks)
    return ranks


class LruTouch:
    points = [{"Ways": n} for n in (2, 4, 8, 16)]

    def __init__(self, Ways):
        self.ways = Ways
        way = bits(Ways)
        self.inputs = {"first_i": 1, "first_way_i": way, "second_i": 1, "second_way_i": way,
                       "rank_i": (way, Ways)}
        self.outputs = {"rank_o": (way, Ways)}

    def cycles(self, rng):
        ways = range(self.ways)
        if self.ways <= 4:
            every = itertools.product((0, 1), ways, (0, 1), ways, itertools.permutations(ways))
        else:
            every = drawn(lambda: (rng.getrandbits(1), rng.randrange(self.ways), rng.getrandbits(1),
                                   rng.randrange(self.ways), shuffled(rng, self.ways)))
        return (dict(zip(self.inputs, (*cycle[:4], list(cycle[4])), strict=True)) for cycle in every)

    def step(self, first_i, first_way_i, second_i, second_way_i, rank_i):
        if first_i:
            rank_i = touched(rank_i, first_way_i)
        if second_i:
            rank_i = touched(rank_i, second_way_i)
        return {"rank_o": rank_i}


class LruSets:
    points = [{"Entries": e, "Ways": w} for e, w in ((4, 4), (4, 2), (32, 4), (64, 16))]
    unpacked = ("rank_i",)

    def __init__(self, Entries, Ways):
        self.ways, self.sets = Ways, Entries // Ways
        way = bits(Ways)
        self.inputs = {"rank_i": (way, Entries), "hit_i": 1, "hit_set_i": self.sets, "hit_way_i": way,
                       "fill_i": 1, "fill_set_i": self.sets, "fill_way_i": way}
        self.outputs = {"hit_rank_o": (way, Ways), "fill_rank_o": (way, Ways)}

    def cycles(self, rng):
        for _ in range(DRAWS):
            yield {"rank_i": [rank for _ in range(self.sets) for rank in shuffled(rng, self.ways)],
                   "hit_i": rng.getrandbits(1), "hit_set_i": 1 << rng.randrange(self.sets),
                   "hit_way_i": rng.randrange(self.ways), "fill_i": rng.getrandbits(1),
                   "fill_set_i": 1 << rng.randrange(self.sets), "fill_way_i": rng.randrange(self.ways)}

    def step(self, rank_i, hit_i, hit_set_i, hit_way_i, fill_i, fill_set_i, fill_way_i):
        table = [rank_i[s * self.ways:(s + 1) * self.ways] for s in range(self.sets)]
        hit_set, fill_set = hit_set_i.bit_length() - 1, fill_set_i.bit_length() - 1  # they come one-hot
        if hit_i:
            table[hit_set] = touched(table[hit_set], hit_way_i)
        hit_rank = table[hit_set]
        if fill_i:
            table[fill_set] = touched(table[fill_set], fill_way_i)
        # Without a fill its set is nobody's business, but for that of a hit.
        return {"hit_rank_o": hit_rank, "fill_rank_o": table[fill_set] if fill_i else None}


class FillWay:
    points = [{"Ways": n} for n in (2, 4, 8, 16)]

    def __init__(self, Ways):
        self.ways = Ways
        self.inputs = {"same_i": Ways, "valid_i": Ways, "ahead_i": Ways, "rank_i": (bits(Ways), Ways)}
        self.outputs = {"way_o": bits(Ways)}

    def cycles(self, rng):
        if self.ways <= 4:
            every = ((same, valid, ahead, list(ranks))
                     for valid in range(1 << self.ways) for same in one_hots(valid, self.ways)
                     for ahead in one_hots(valid, self.ways)
                     for ranks in itertools.permutations(range(self.ways)))
        else:
            def draw():
                full = (1 << self.ways) - 1
                valid = rng.choice((full, full, rng.getrandbits(self.ways)))
                same = rng.choice((0, rng.choice(one_hots(valid, self.ways))))
                ranks = shuffled(rng, self.ways)
                # As often as not the oldest is ahead: the only one whose being ahead matters.
                ahead = rng.choice((1 << ranks.index(self.ways - 1), 1 << rng.randrange(self.ways), 0))
                return same, valid, ahead & valid, ranks

            every = drawn(draw)
        return (dict(zip(self.inputs, cycle, strict=True)) for cycle in every)

    def step(self, same_i, valid_i, ahead_i, rank_i):
        ways = range(self.ways)
        same = [w for w in ways if same_i >> w & 1]
        free = [w for w in ways if not valid_i >> w & 1]
        # Who is ahead is the most recently used.
        by_age = sorted(ways, key=lambda w: -1 if ahead_i >> w & 1 else rank_i[w])
        return {"way_o": (same or free or by_age[::-1])[0]}


# ---------------------------------------------------------------- memory

class Sram:
    points = [{"Words": n, "Lanes": m, "Width": w, "Ahead": a}
              for n, m, w, a in ((1, 3, 3, 1), (4, 1, 8, 1), (8, 4, 5, 1), (64, 4, 7, 1), (128, 2, 40, 1),
                                 (8, 4, 5, 2), (64, 4, 7, 2))]

    def __init__(self, Words, Lanes, Width, Ahead):
        self.words, self.lanes, self.width = Words, Lanes, Width
        self.inputs = {"read_word_i": bits(Words), "write_lanes_i": Lanes, "write_word_i": bits(Words),
                       "write_data_i": Width}
        self.outputs = {"read_data_o": (Width, Lanes)}
        self.memory = [[None] * Lanes for _ in range(Words)]
        self.named = [None] * Ahead  # the words on their way, that used next last

    def cycles(self, rng):
        before = 0
        for _ in range(DRAWS):
            read = rng.randrange(self.words)
            write = rng.choice((read, before, rng.randrange(self.words)))
            before = read
            # The only word is read whichever is named. In three lanes what lies beyond it is not one of them again.
            named = read if self.words > 1 else rng.randrange(2)
            yield {"read_word_i": named, "write_lanes_i": rng.getrandbits(self.lanes),
                   "write_word_i": write, "write_data_i": rng.getrandbits(self.width)}

    def step(self, read_word_i, write_lanes_i, write_word_i, write_data_i):
        used = self.named.pop()
        shown = [None] * self.lanes if used is None else list(self.memory[used])
        self.named.insert(0, read_word_i if self.words > 1 else 0)
        for lane in range(self.lanes):
            if write_lanes_i >> lane & 1:
                self.memory[write_word_i][lane] = write_data_i
        return {"read_data_o": shown}


MODELS = {"ring": Ring, "lowest_index": LowestIndex,
          "lowest_bit": LowestBit, "lru_touch": LruTouch, "lru_sets": LruSets, "fill_way": FillWay,
          "sram": Sram}
# The modules of rtl/prim within others.
WITHIN = {"lru_sets": ["lru_touch"], "sram": ["sram_macro"]}
CLOCKED = {"sram"}


@dataclass(frozen=True)
class Broken:
    """A copy of a module in which `text` has become `wrong`, in its own file or in that of one within it."""

    module: str
    file: str
    text: str
    wrong: str
    point: int


BROKEN = [Broken(*row) for row in (
    ("ring", "ring", "== Places - 1", "== Places", 2),
    ("ring", "ring", "- CountW'(pop_i)", "", 3),
    ("ring", "ring", "< 32'(count_i)", "<= 32'(count_i)", 3),
    ("ring", "ring", "(32'(head_i) + 32'(count_i))", "32'(count_i)", 3),
    ("lowest_index", "lowest_index", "int i = Width - 1; i >= 0; i--", "int i = 0; i < Width; i++", 2),
    ("lowest_bit", "lowest_bit", "~(groups_upto << 1)", "~(groups_upto << 2)", 4),
    ("lowest_bit", "lowest_bit", "lowest[g] : '0", "upto[g] : '0", 3),
    ("lowest_bit", "lowest_bit", "IndexW'(g * Size) |", "", 4),
    ("lowest_bit", "lowest_bit", "assign any_o = |any", "assign any_o = any[0]", 4),
    ("lru_touch", "lru_touch", "WayW'(2)", "WayW'(1)", 1),
    ("lru_touch", "lru_touch", "!(first_i && one_way) && ", "", 1),
    ("lru_touch", "lru_touch", "WayW'(second_i && !one_way)", "'0", 1),
    ("lru_sets", "lru_sets", "hit_i && fill_i && |(hit_set_i & fill_set_i)", "1'b0", 2),
    ("lru_sets", "lru_sets", "hit_i && fill_i && |(hit_set_i & fill_set_i)", "hit_i && fill_i", 2),
    ("lru_sets", "lru_sets", ".second_i    (1'b0)", ".second_i    (fill_i)", 2),
    ("fill_way", "fill_way", "(|(oldest & ahead_i) ? second : oldest)", "oldest", 1),
    ("fill_way", "fill_way", "!held_zero[b]", "1'b1", 1),
    ("fill_way", "fill_way", "lowest = upto & ~(upto << 1)", "lowest = free", 1),
    ("sram", "sram", "late_q[l] ? late_data_q : word[l]", "word[l]", 3),
    ("sram", "sram", "(write_word_i == next_word) ? write_lanes_i : '0", "write_lanes_i", 3),
    ("sram", "sram", "(write_word_i == next_word) ? write_lanes_i : '0", "'0", 6),
    ("sram", "sram", "earlier_q[l] ? earlier_data_q : word_q[l]", "word_q[l]", 6),
    ("sram", "sram", "(early_word_q == next_word) ? early_lanes_q : '0", "early_lanes_q", 6),
    ("sram", "sram", "(early_word_q == next_word) ? early_lanes_q : '0", "'0", 6),
    ("sram", "sram", "assign next_word = told_word_q", "assign next_word = read_word_i", 5),
    ("sram", "sram", "(Words == 1) ? '0 : read_word_i", "read_word_i", 0),
    ("sram", "sram", "mem_q[32'(read_word_q)*Lanes+l]", "mem_q[32'(read_word_i)*Lanes+l]", 2),
    ("sram", "sram_macro", "if (write_lanes_i[l])", "if (|write_lanes_i)", 3),
)]


def flat(widths, values: dict[str, Any]):
    """The values of ports side by side, the first lowest, as one number; and the mask of what is promised."""
    number = mask = place = 0
    for port, width in widths.items():
        each, count = width if isinstance(width, tuple) else (width, 1)
        value = values[port]
        items = value if isinstance(value, list) else [value] if count == 1 else [None] * count
        for item in items:
            if item is not None:
                number |= item << place
                mask |= ((1 << each) - 1) << place
            place += each
    return number, mask


def size(widths):
    return sum(w[0] * w[1] if isinstance(w, tuple) else w for w in widths.values())
