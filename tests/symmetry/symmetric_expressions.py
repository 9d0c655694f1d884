"""Places, conditions and values of a random Murphi program that treats the values of its scalarsets alike.

Whatever is drawn here says the same when the elements of a scalarset are renamed, as long as its free names are.
"""

import re


class Scope:
    """What can be named: bound names, each with its type, and places to start from.

    `written` are the globals that a loop is writing: what depends on them could depend on the order of its rounds.
    """

    def __init__(self, bound=(), roots=(), written=(), calls=True):
        self.bound = list(bound)  # of (name, Type)
        self.roots = list(roots)  # of (text, Type)
        self.written = set(written)
        self.calls = calls

    def readable(self):
        return [(text, type_) for text, type_ in self.roots if text not in self.written]

    def with_bound(self, name, type_):
        return Scope([*self.bound, (name, type_)], self.roots, self.written, self.calls)

    def with_root(self, text, type_):
        return Scope(self.bound, [*self.roots, (text, type_)], self.written, self.calls)

    def writing(self, text):
        """While the global that a place belongs to is being written."""
        return Scope(self.bound, self.roots, {*self.written, re.match(r"\w+", text).group()}, False)


class Expressions:
    """Draws expressions. A place comes with the conditions under which its indices are defined.

    With `strict`, a scalarset is read only where it is defined, as rumur has it.
    """

    def __init__(self, rng, types, strict=False):
        self.rng = rng
        self.types = types
        self.strict = strict
        self.names = 0
        self.functions = []  # of names of boolean functions without parameters

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # -- places ------------------------------------------------------------------------------------------------------

    def index(self, scope, type_, depth):
        """(text, guards) of a value of an index type, or None."""
        found = [(name, []) for name, t in scope.bound if type_.holds_value_of(t)] * 3
        found += [(literal, []) for literal in type_.literals()]
        if depth > 0 and type_.may_be_undefined() and (not found or self.rng.random() < 0.25):
            place = self.place(scope, type_.holds_value_of, depth - 1)
            if place:
                found += [(place[0], [*place[2], f"!isundefined({place[0]})"])] * 4
        return self.rng.choice(found) if found else None

    def place(self, scope, wanted, depth=1, roots=None):
        """(text, type, guards) of a place whose type satisfies the predicate, or None."""
        roots = scope.readable() if roots is None else roots
        roots = [(text, t) for text, t in roots if reachable(t, wanted)]
        for _ in range(4):
            if not roots:
                return None
            text, type_ = self.rng.choice(roots)
            found = self.descend(scope, text, type_, wanted, depth)
            if found:
                return found
        return None

    def descend(self, scope, text, type_, wanted, depth):
        guards = []
        while not (wanted(type_) and (self.rng.random() < 0.6 or not deeper(type_, wanted))):
            if type_.kind == "record":
                name, type_ = self.rng.choice([(n, t) for n, t in type_.fields if reachable(t, wanted)])
                text += f".{name}"
            else:
                index = self.index(scope, type_.index, depth)
                if index is None:
                    return None
                text, type_, guards = f"{text}[{index[0]}]", type_.element, guards + index[1]
        return text, type_, guards

    # -- conditions --------------------------------------------------------------------------------------------------

    def condition(self, scope, depth):
        draw = self.rng.random()
        if depth > 0 and draw < 0.25:
            operator = self.rng.choice(["&", "&", "|", "->"])
            return f"({self.condition(scope, depth - 1)} {operator} {self.condition(scope, depth - 1)})"
        if depth > 0 and draw < 0.3:
            return f"!({self.condition(scope, depth - 1)})"
        if depth > 0 and draw < 0.5:
            return self.quantified(scope, depth)
        if depth >= 0 and draw < 0.6:
            return self.counted(scope, depth) or self.comparison(scope)
        if draw < 0.68:
            return self.whole(scope) or self.comparison(scope)
        if draw < 0.73 and scope.calls and self.functions:
            return self.rng.choice(self.functions) + "()"
        return self.comparison(scope)

    def quantified(self, scope, depth):
        name, type_ = self.fresh("q"), self.types.parameter()
        inner = self.condition(scope.with_bound(name, type_), depth - 1)
        return f"({self.rng.choice(['forall', 'exists'])} {name}: {type_.text()} do {inner} end)"

    def counted(self, scope, depth):
        found = self.place(scope, lambda t: t.kind == "multiset")
        if found is None:
            return None
        text, type_, guards = found
        name = self.fresh("m")
        inner = self.condition(scope.with_root(f"{text}[{name}]", type_.element), min(depth, 1) - 1)
        inner = inner if self.rng.random() < 0.8 else "true"
        compared = f"multisetcount({name}: {text}, {inner}) {self.rng.choice(['=', '<', '>=', '!='])} "
        return guarded(guards, compared + str(self.rng.randint(0, type_.size)))

    def whole(self, scope):
        """Two records or arrays compared."""
        first = self.place(scope, lambda t: not t.is_simple() and not t.contains(self.cannot_be_compared))
        second = first and self.place(scope, lambda t: t is first[1])
        if not second or second[0] == first[0]:
            return None
        return guarded(first[2] + second[2], f"{first[0]} {self.rng.choice(['=', '!='])} {second[0]}")

    def cannot_be_compared(self, type_):
        return type_.kind == "multiset" or self.strict and type_.may_be_undefined()

    def defined(self, text, type_):
        """The conditions under which a simple place can be read."""
        return [f"!isundefined({text})"] if self.strict and type_.may_be_undefined() else []

    def comparison(self, scope):
        draw = self.rng.random()
        if draw < 0.2:
            pairs = [(a, b) for a, s in scope.bound for b, t in scope.bound if a < b and comparable(s, t)]
            if pairs:
                first, second = self.rng.choice(pairs)
                return f"{first} {self.rng.choice(['=', '!='])} {second}"
        found = self.place(scope, lambda t: t.is_simple())
        return guarded(found[2], self.about(scope, found[0], found[1])) if found else self.rng.choice(["true", "false"])

    def about(self, scope, text, type_):
        """A condition about a simple place."""
        equal = self.rng.choice(["=", "=", "!="])
        if type_.kind == "boolean":
            return self.rng.choice([text, f"!{text}"])
        if type_.kind in ("range", "enum"):
            return f"{text} {equal} {self.rng.choice(type_.literals())}"
        if self.rng.random() < 0.3:
            return self.rng.choice([f"isundefined({text})", f"!isundefined({text})"])
        choices = [f"{text} {equal} {name}" for name, t in scope.bound if comparable(type_, t)] * 3
        choices += [f"{text} {equal} {literal}" for literal in type_.literals()]
        choices += [f"ismember({text}, {m.text()})" for m in type_.members]
        guards = self.defined(text, type_)
        other = self.place(scope, lambda t: comparable(t, type_), depth=0)
        if other and other[0] != text:
            choices.append(guarded(self.defined(other[0], other[1]), f"{text} {equal} {other[0]}"))
        return guarded(guards, self.rng.choice(choices)) if choices else f"isundefined({text})"

    # -- values ------------------------------------------------------------------------------------------------------

    def value(self, scope, type_):
        """(text, guards) of a value of a simple type; None where there is none to be had."""
        if type_.kind == "boolean" and self.rng.random() < 0.4:
            return f"({self.condition(scope, 1)})", []
        found = [(name, []) for name, t in scope.bound if type_.holds_value_of(t)] * 3
        found += [(literal, []) for literal in type_.literals()]
        place = self.place(scope, type_.holds_value_of)
        if place:
            found += [(place[0], place[2] + self.defined(place[0], place[1]))] * 2
        if not found:
            return None
        chosen = self.rng.choice(found)
        if type_.kind != "union" and self.rng.random() < 0.15:
            other = self.rng.choice(found)
            return f"({self.condition(scope, 0)} ? {chosen[0]} : {other[0]})", chosen[1] + other[1]
        return chosen


def guarded(guards, text):
    return f"({' & '.join([*guards, text])})" if guards else text


def comparable(first, second):
    """Whether values of two types that name elements can be equal."""
    if first is second:
        return first.kind in ("scalarset", "union")
    return first.kind == "union" and second in first.members or second.kind == "union" and first in second.members


def reachable(type_, wanted):
    """Whether a place within a value of the type satisfies the predicate; what is in a multiset has no place."""
    return wanted(type_) or deeper(type_, wanted)


def deeper(type_, wanted):
    return type_.kind in ("array", "record") and any(reachable(part, wanted) for part in type_.parts())
