"""Random well-typed Murphi statements, and the bodies of rules, functions and procedures.

Loops are bounded: `for` over small domains, `while` with a counter that nothing else writes. Statements that may end
in an error (failing asserts, `error`) are drawn only where the program is a dangerous one.

Where rumur 2022.08 has a known bug we avoid the construct: a `cover` statement without a message makes it emit a C
program that does not compile, so every cover has one. A failed `assume` statement is not an error: the rule counts as
not fired, and does not save its state from being a deadlock; a startstate never contains one.
"""

from murphi_expressions import COMPARE, IMPLIES
from murphi_types import Type, Variable


class Statements:
    """Draws statements; `locals` collects the declarations that the enclosing body must make."""

    def __init__(self, expressions, options):
        self.expressions = expressions
        self.rng = expressions.rng
        self.names = expressions.names
        self.danger = expressions.danger
        self.covers = options["covers"]
        self.calls_allowed = True  # of procedures, and of functions with side effects
        self.assumes = options["assumes"]
        self.procedures = []
        self.locals = []
        self.in_rule = False

    # -- bodies ----------------------------------------------------------------------------------------------------

    def body(self, scope, count, depth, in_rule=True):
        """(declarations, statements): the lines of a body with its own locals."""
        self.locals, self.in_rule = [], in_rule
        inner, opening = self.declare_locals(scope)
        lines = opening + self.block(inner, count, depth)
        return self.locals, lines

    def declare_locals(self, scope):
        """Up to two locals of named types, defined at once, and the scope with them."""
        inner, opening = list(scope), []
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            type_ = self.rng.choice(self.local_types)
            name = self.names.fresh("l")
            self.locals.append(f"{name}: {type_.text()};")
            opening += self.initialise(name, type_)
            inner.append(Variable(name, type_))
        return inner, opening

    def initialise(self, place, type_):
        """Statements that define every part of a place without reading anything."""
        if self.rng.random() < 0.3 or (type_.kind == "scalarset" and self.rng.random() < 0.5):
            return [f"clear {place};"]
        if type_.kind == "scalarset":
            name = self.names.fresh("i")
            return [f"for {name}: {type_.text()} do {place} := {name}; end;"]
        if type_.kind == "array":
            name = self.names.fresh("i")
            inner = self.initialise(f"{place}[{name}]", type_.element)
            return [f"for {name}: {type_.index.text()} do"] + indent(inner) + [self.end("for")]
        if type_.kind == "record":
            return [line for name, part in type_.fields for line in self.initialise(f"{place}.{name}", part)]
        return [f"{place} {self.becomes()} {self.rng.choice(type_.literals())};"]

    def block(self, scope, count, depth):
        return [line for _ in range(count) for line in self.statement(scope, depth)]

    def statement(self, scope, depth):
        compound = [self.branch, self.branch, self.switch, self.loop, self.loop, self.while_loop, self.alias]
        simple = [self.assign] * 8 + [self.copy, self.clear, self.undefine, self.call, self.call_function, self.check,
                                      self.leave]
        draw = self.rng.choice(simple + (compound if depth > 0 else []))
        return draw(scope, depth) or self.assign(scope, depth) or ["clear " + self.any_place(scope) + ";"]

    def any_place(self, scope):
        return self.rng.choice([v.text for v in scope if v.writable])

    # -- small pieces ------------------------------------------------------------------------------------------------

    def end(self, keyword):
        return self.rng.choice(["end;", f"end{keyword};"])

    def becomes(self):
        return self.rng.choice([":=", ":=", ":=", "≔"])

    def condition(self, scope, depth=2):
        return self.expressions.boolean(scope, depth).text

    # -- simple statements ---------------------------------------------------------------------------------------------

    def assign(self, scope, _depth):
        place = self.expressions.place(scope, lambda t: t.is_simple(), writable=True)
        value = place and self.expressions.of_type(scope, place.type, self.rng.randint(0, 2))
        if not value:
            return None
        if place.type.kind == "range" and self.rng.random() < 0.2:
            return self.guarded_assign(scope, place)
        return [f"{place.text} {self.becomes()} {value.text};"]

    def step(self, scope):
        """A change of one variable that makes the state space grow: counting round, or a random new value."""
        place = self.expressions.place(scope, lambda t: t.is_simple(), writable=True)
        if place is None:
            return []
        type_ = place.type
        if type_.kind == "boolean" and not place.loose:
            return [f"{place.text} := !{place.text};"]
        if type_.kind == "range" and not place.loose:
            return [f"{place.text} := {place.text} < {type_.high} ? {place.text} + 1 : {type_.low};"]
        value = self.expressions.of_type([v for v in scope if not v.writable], type_, 1)
        return [f"{place.text} {self.becomes()} {value.text};"] if value else []

    def guarded_assign(self, scope, place):
        """An assignment that an `if` keeps in range."""
        value = self.expressions.integer(scope, 1)
        operand = self.expressions.wrap(value, COMPARE + 1)
        return [f"if {place.type.low} <= {operand} & {operand} <= {place.type.high} then",
                f"  {place.text} := {value.text};", self.end("if")]

    def copy(self, scope, _depth):
        """Assignment of a whole record or array."""
        target = self.expressions.place([v for v in scope if not v.loose], lambda t: not t.is_simple(), writable=True)
        source = target and self.expressions.place([v for v in scope if not v.loose], lambda t: t is target.type)
        return [f"{target.text} {self.becomes()} {source.text};"] if source else None

    def clear(self, scope, _depth):
        place = self.expressions.place(scope, lambda t: True, writable=True)
        return [f"clear {place.text};"] if place else None

    def undefine(self, scope, _depth):
        place = self.expressions.place([v for v in scope if v.loose], lambda t: True, writable=True)
        return [f"undefine {place.text};"] if place else None

    def call(self, scope, _depth):
        if not self.procedures or not self.calls_allowed:
            return None
        procedure = self.rng.choice(self.procedures)
        arguments = self.expressions.arguments(scope, procedure, 1)
        return [f"{procedure.name}({arguments});"] if arguments is not None else None

    def call_function(self, scope, _depth):
        """The call of a function with side effects stands alone, and its result goes to a plain variable."""
        functions = [f for f in self.expressions.functions if not f.pure]
        targets = [v for v in scope if v.writable and v.type.is_simple()]
        if not functions or not targets or not self.calls_allowed:
            return None
        function = self.rng.choice(functions)
        targets = [v for v in targets if v.type is function.result]
        arguments = self.expressions.arguments(scope, function, 0)
        if arguments is None or not targets:
            return None
        return [f"{self.rng.choice(targets).text} := {function.name}({arguments});"]

    def check(self, scope, _depth):
        """An assert, assume, cover or error statement."""
        draw = self.rng.random()
        message = f'"message {self.rng.randint(0, 99)}"'
        if draw < 0.2 and self.covers and self.in_rule:
            return [f"cover {message} {self.condition(scope, 1)};"]
        if draw < 0.4 and self.assumes and self.in_rule:
            return [f"assume {self.condition(scope, 1)};"]
        if draw < 0.5 and self.danger:
            return [f"if {self.condition(scope)} & {self.condition(scope)} then error {message}; end;"]
        condition = self.condition(scope, 1)
        if not self.expressions.risky():
            condition = f"({condition}) | {self.tautology(scope)}"
        return [f"assert {condition} {message};" if self.rng.random() < 0.5 else f"assert {message} {condition};"]

    def tautology(self, scope):
        place = self.expressions.place([v for v in scope if not v.loose], lambda t: t.kind == "range")
        if place is None:
            return "true"
        return f"({place.text} >= {place.type.low} & {place.text} <= {place.type.high})"

    def leave(self, scope, _depth):
        """A return from the middle of a rule."""
        if not self.in_rule:
            return None
        return [f"if {self.condition(scope, 1)} then return; end;"]

    # -- compound statements -------------------------------------------------------------------------------------------

    def branch(self, scope, depth):
        lines = [f"if {self.condition(scope)} then"] + indent(self.block(scope, self.rng.randint(1, 2), depth - 1))
        for _ in range(self.rng.choice([0, 0, 1])):
            lines += [f"elsif {self.condition(scope)} then"] + indent(self.block(scope, 1, depth - 1))
        if self.rng.random() < 0.5:
            lines += ["else"] + indent(self.block(scope, 1, depth - 1))
        return lines + [self.end("if")]

    def switch(self, scope, depth):
        """A switch over an integer or an enum value, with or without else, sometimes without a matching case."""
        place = self.expressions.place(scope, lambda t: t.kind in ("range", "enum"))
        if place is None:
            return None
        literals = place.type.literals()
        subject = self.expressions.read(place, literals[0]).text
        self.rng.shuffle(literals)
        lines = [f"switch {subject}"]
        while literals and self.rng.random() < 0.8:
            cases = [literals.pop() for _ in range(min(len(literals), self.rng.choice([1, 1, 2])))]
            lines += [f"case {', '.join(cases)}:"] + indent(self.block(scope, self.rng.randint(0, 1), depth - 1))
        if len(lines) == 1:
            lines += [f"case {place.type.literals()[0]}:"] + indent(self.block(scope, 1, depth - 1))
        if self.rng.random() < 0.5:
            lines += ["else"] + indent(self.block(scope, 1, depth - 1))
        return lines + [self.end("switch")]

    def loop(self, scope, depth):
        variable, domain = self.expressions.bound_variable(scope)
        inner = [v for v in scope if v.text != variable.text] + [variable]
        if not any(v.writable for v in inner):
            return None
        return [f"for {domain} do"] + indent(self.block(inner, self.rng.randint(1, 2), depth - 1)) + [self.end("for")]

    def while_loop(self, scope, depth):
        name = self.names.fresh("k")
        bound = self.rng.randint(1, 4)
        self.locals.append(f"{name}: 0 .. {bound};")
        counter = Variable(name, Type("range", low=0, high=bound), writable=False)
        condition = self.expressions.wrap(self.expressions.boolean(scope, 1), IMPLIES + 2)
        body = self.block(scope + [counter], 1, depth - 1)
        return [f"{name} := 0;", f"while {name} < {bound} & {condition} do"] + indent(body) + \
               [f"  {name} := {name} + 1;", self.end("while")]

    def alias(self, scope, depth):
        place = self.expressions.place(scope, lambda t: True, writable=True)
        if place is None:
            return None
        name = self.names.fresh("a")
        inner = scope + [Variable(name, place.type, place.writable, place.loose)]
        body = self.block(inner, self.rng.randint(1, 2), depth - 1)
        return [f"alias {name}: {place.text} do"] + indent(body) + [self.end("alias")]


def indent(lines):
    """The lines, one step to the right."""
    return ["  " + line for line in lines]
