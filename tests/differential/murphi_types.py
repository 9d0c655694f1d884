"""Types, constants and variables of a random Murphi program.

A Type knows how it is written and how many values it has, so that the generator can bound the state space before a
tool has seen the program. Ranges are small and odd on purpose (negative lower bounds, widths that are no power of
two): that is where bit packing goes wrong.
"""

from dataclasses import dataclass, field


@dataclass(eq=False)
class Type:
    """A Murphi type. Two types are the same only if they are the same object, as whole values are only copied so."""

    kind: str  # boolean, range, enum, scalarset, array or record
    name: str = ""  # empty for an anonymous type
    low: int = 0
    high: int = 0
    low_text: str = ""
    high_text: str = ""
    values: tuple = ()
    index: "Type" = None
    element: "Type" = None
    fields: tuple = ()  # of (name, Type)

    def text(self):
        """How the type is written where it is used."""
        return self.name or self.definition()

    def definition(self):
        """How the type is written where it is declared."""
        if self.kind == "boolean":
            return "boolean"
        if self.kind == "range":
            return f"{self.low_text or self.low} .. {self.high_text or self.high}"
        if self.kind == "enum":
            return "enum { " + ", ".join(self.values) + " }"
        if self.kind == "scalarset":
            return f"scalarset({self.high_text or self.high + 1})"
        if self.kind == "array":
            return f"array[{self.index.text()}] of {self.element.text()}"
        return "record " + " ".join(f"{name}: {type_.text()};" for name, type_ in self.fields) + " end"

    def cardinality(self, loose=False):
        """The number of values, with the undefined ones when a variable may be undefined."""
        if self.kind == "array":
            return self.element.cardinality(loose) ** self.index.cardinality()
        if self.kind == "record":
            product = 1
            for _, type_ in self.fields:
                product *= type_.cardinality(loose)
            return product
        return len(self.literals()) + (1 if loose else 0)

    def literals(self):
        """All values of a simple type; those of a scalarset cannot be written in a program."""
        if self.kind == "boolean":
            return ["false", "true"]
        if self.kind == "enum":
            return list(self.values)
        return [str(value) for value in range(self.low, self.high + 1)]

    def is_simple(self):
        return self.kind not in ("array", "record")

    def parts(self):
        """The component types of an aggregate."""
        if self.kind == "array":
            return [self.element]
        return [type_ for _, type_ in self.fields]

    def contains(self, wanted):
        """Whether the type, or a part of it at any depth, satisfies the predicate."""
        return wanted(self) or any(part.contains(wanted) for part in self.parts())


BOOLEAN = Type("boolean")


@dataclass
class Variable:
    """Something that can be read under a name: a global, a local, a parameter, a loop variable or an alias."""

    text: str
    type: Type
    writable: bool = True
    loose: bool = False  # may be undefined, so reads are guarded (most of the time)


@dataclass
class Function:
    """A function or procedure. A pure one may be called in any expression."""

    name: str
    parameters: list = field(default_factory=list)  # of (Type, is_var)
    result: Type = None
    pure: bool = True


class TypeMaker:
    """Draws the constants and types of one program."""

    def __init__(self, rng, names):
        self.rng = rng
        self.names = names
        self.constants = []  # of (name, value)
        self.named = []
        self.simple = [BOOLEAN]
        self.aggregates = []

    def make(self):
        for _ in range(self.rng.randint(1, 3)):
            self.constants.append((self.names.fresh("N"), self.rng.randint(1, 4)))
        for _ in range(self.rng.randint(1, 3)):
            self.declare(self.range_type(), self.simple)
        for _ in range(self.rng.randint(0, 2)):
            self.declare(self.enum_type(), self.simple)
        for _ in range(self.rng.randint(0, 1)):
            self.declare(self.scalarset_type(), self.simple)
        for _ in range(self.rng.randint(1, 4)):
            self.declare(self.aggregate_type(), self.aggregates)

    def declare(self, type_, group):
        type_.name = self.names.fresh("t")
        self.named.append(type_)
        group.append(type_)

    def range_type(self):
        if self.rng.random() < 0.3:
            name, value = self.rng.choice(self.constants)
            low = self.rng.randint(-2, 1)
            if low <= value:
                return Type("range", low=low, high=value, high_text=name)
        low = self.rng.choice([0, 0, 0, 1, 1, -1, -2, -3, 5, 127, -129, 1000])
        return Type("range", low=low, high=low + self.rng.choice([0, 1, 1, 2, 2, 3, 4, 5, 6]))

    def enum_type(self):
        return Type("enum", values=tuple(self.names.fresh("e") for _ in range(self.rng.randint(1, 4))))

    def scalarset_type(self):
        name, value = self.rng.choice(self.constants)
        if value in (2, 3) and self.rng.random() < 0.5:
            return Type("scalarset", low=0, high=value - 1, high_text=name)
        return Type("scalarset", low=0, high=self.rng.randint(1, 2))

    def aggregate_type(self):
        """An array or a record of what exists already, of at most 40,000 values."""
        for _ in range(20):
            type_ = self.array_type() if self.rng.random() < 0.5 else self.record_type()
            if type_.cardinality() <= 40000:
                return type_
        return Type("array", index=BOOLEAN, element=BOOLEAN)

    def array_type(self):
        return Type("array", index=self.index_type(), element=self.part_type())

    def record_type(self):
        count = self.rng.randint(1, 3)
        return Type("record", fields=tuple((self.names.fresh("f"), self.part_type()) for _ in range(count)))

    def index_type(self):
        """An array index: an anonymous enum cannot be named again in a loop, so it is never an index."""
        if self.rng.random() < 0.3:
            type_ = self.range_type()
        else:
            type_ = self.rng.choice(self.simple)
        return type_ if type_.cardinality() <= 3 else Type("range", low=-1, high=1)

    def part_type(self):
        if self.aggregates and self.rng.random() < 0.25:
            return self.rng.choice(self.aggregates)
        return self.simple_type()

    def simple_type(self):
        draw = self.rng.random()
        if draw < 0.15:
            return self.range_type()
        if draw < 0.2:
            return self.enum_type()
        return self.rng.choice(self.simple)

    def any_type(self):
        """The type of a variable."""
        if self.rng.random() < 0.45:
            return self.rng.choice(self.aggregates) if self.rng.random() < 0.7 else self.aggregate_type()
        return self.simple_type()
