"""Types of a random Murphi program with scalarsets: how they are written, and about how many values they have.

Scalarsets and unions may be undefined; booleans, ranges and enums are given a value at the start and keep one, so that
reading them is not an error.
"""

import math
from dataclasses import dataclass

MOST_PERMUTATIONS = 150


@dataclass(eq=False)
class Type:
    """A Murphi type. Two types are the same only if they are the same object."""

    kind: str  # boolean, range, enum, scalarset, union, array, record or multiset
    name: str = ""
    low: int = 0
    high: int = 0
    size: int = 0  # of a scalarset; the capacity of a multiset
    values: tuple = ()
    members: tuple = ()  # of a union
    index: "Type" = None
    element: "Type" = None
    fields: tuple = ()  # of (name, Type)
    wide: bool = False  # a range of which only two values are used

    def text(self):
        return self.name or self.definition()

    def definition(self):
        if self.kind == "boolean":
            return "boolean"
        if self.kind == "range":
            return f"{self.low} .. {self.high}"
        if self.kind == "enum":
            return "enum { " + ", ".join(self.values) + " }"
        if self.kind == "scalarset":
            return f"scalarset({self.size})"
        if self.kind == "union":
            return "union { " + ", ".join(m.text() for m in self.members) + " }"
        if self.kind == "array":
            return f"array [{self.index.text()}] of {self.element.text()}"
        if self.kind == "multiset":
            return f"multiset [{self.size}] of {self.element.text()}"
        return "record " + " ".join(f"{name}: {type_.text()};" for name, type_ in self.fields) + " end"

    def is_simple(self):
        return self.kind not in ("array", "record", "multiset")

    def may_be_undefined(self):
        return self.kind in ("scalarset", "union")

    def literals(self):
        """The values that can be written in a program."""
        if self.kind == "boolean":
            return ["false", "true"]
        if self.kind == "enum":
            return list(self.values)
        if self.kind == "union":
            return [v for m in self.members for v in m.literals()]
        if self.kind == "scalarset":
            return []
        return [str(self.low), str(self.high)] if self.wide else [str(v) for v in range(self.low, self.high + 1)]

    def indices(self):
        """How many values an array with this index has places for."""
        if self.kind == "scalarset":
            return self.size
        if self.kind == "union":
            return sum(m.indices() for m in self.members)
        return len(self.literals())

    def cardinality(self):
        if self.kind == "array":
            return self.element.cardinality() ** self.index.indices()
        if self.kind == "record":
            return math.prod(t.cardinality() for _, t in self.fields)
        if self.kind == "multiset":
            return math.comb(self.element.cardinality() + self.size, self.size)
        return self.indices() + (1 if self.may_be_undefined() else 0)

    def parts(self):
        if self.kind in ("array", "multiset"):
            return [self.element]
        return [type_ for _, type_ in self.fields]

    def contains(self, wanted):
        """Whether the type, or a part of it at any depth, satisfies the predicate."""
        return wanted(self) or any(part.contains(wanted) for part in self.parts())

    def holds_value_of(self, other):
        """Whether a variable of this type can be given any value of the other one."""
        return other is self or self.kind == "union" and other in self.members


BOOLEAN = Type("boolean")
WIDE = Type("range", name="Wide", low=0, high=2**40, wide=True)


class TypeMaker:
    """Draws the types of one program; with `plain`, without unions and multisets."""

    def __init__(self, rng, plain=False):
        self.rng = rng
        self.plain = plain
        self.named = []
        self.scalarsets = self.draw_scalarsets()
        self.enums = [self.declare(Type("enum", values=tuple(f"v{i}_{k}" for k in range(rng.choice([1, 2, 2, 2, 3])))),
                                   "E")
                      for i in range(rng.randint(1, 2))]
        self.ranges = [self.declare(Type("range", low=low, high=low + rng.randint(1, 2)), "R")
                       for low in rng.sample([0, 0, 1, -1], rng.randint(0, 1))]
        self.unions = [] if plain else self.draw_unions()
        self.uses_wide = False

    def declare(self, type_, prefix):
        type_.name = f"{prefix}{sum(1 for t in self.named if t.name.startswith(prefix))}"
        self.named.append(type_)
        return type_

    def draw_scalarsets(self):
        permutations, found = 1, []
        for _ in range(self.rng.choice([1, 1, 2, 2, 2, 3])):
            size = self.rng.choice([1, 2, 2, 3, 3, 3, 4, 4])
            if permutations * math.factorial(size) <= MOST_PERMUTATIONS:
                permutations *= math.factorial(size)
                found.append(Type("scalarset", size=size))
        if permutations == 1:
            found[0].size = self.rng.choice([2, 3])
        return [self.declare(t, "S") for t in found]

    def draw_unions(self):
        found = []
        for _ in range(self.rng.randint(0, 2)):
            first = self.rng.choice(self.scalarsets)
            others = [s for s in self.scalarsets if s is not first] + self.enums
            members = [first, self.rng.choice(others)]
            self.rng.shuffle(members)
            if self.rng.random() < 0.15 and len(self.scalarsets) > 1:
                members = [*self.scalarsets, self.rng.choice(self.enums)]
            found.append(self.declare(Type("union", members=tuple(members)), "U"))
        return found

    def symmetric(self):
        """A type that names elements."""
        return self.rng.choice(self.scalarsets * 2 + self.unions)

    def simple(self):
        return self.rng.choice([BOOLEAN, BOOLEAN, *self.ranges, *self.enums, *self.scalarsets * 2, *self.unions * 2])

    def index(self):
        draw = self.rng.random()
        if draw < 0.15:
            return self.rng.choice([BOOLEAN, *self.ranges, *self.enums])
        return self.symmetric()

    def parameter(self):
        """A type that a ruleset, a quantifier or a loop can run over."""
        return self.rng.choice(self.scalarsets * 3 + self.unions + self.enums)

    def variable(self, depth=2, multisets=True):
        """A type, with aggregates nested to a depth."""
        draw = self.rng.random()
        if depth == 0 or draw < 0.25:
            return self.simple()
        if draw < 0.6:
            return Type("array", index=self.index(), element=self.variable(depth - 1, multisets))
        if draw < 0.78 or self.plain or not multisets:
            return self.record(depth - 1, multisets)
        return Type("multiset", size=self.rng.randint(1, 3), element=self.member(depth))

    def record(self, depth, multisets):
        return Type("record", fields=tuple((f"f{k}", self.variable(depth, multisets))
                                           for k in range(self.rng.randint(1, 3))))

    def member(self, depth):
        """What a multiset has in it: some are records of more than 64 bits."""
        draw = self.rng.random()
        if draw < 0.3:
            return self.symmetric()
        if draw < 0.4:
            return Type("array", index=self.rng.choice(self.scalarsets), element=self.simple())
        fields = [("f0", self.symmetric())]
        fields += [(f"f{k}", self.variable(depth - 1, multisets=False)) for k in range(1, self.rng.randint(1, 3))]
        if self.rng.random() < 0.3:
            self.uses_wide = True
            fields += [("w0", WIDE), ("w1", WIDE)]
            self.rng.shuffle(fields)
        return Type("record", fields=tuple(fields))
