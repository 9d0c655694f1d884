"""Random programs with repetitions over a scalarset whose order may matter or not, many of them in one model.

Each program has a scalarset of its own, variables of its own, and a rule "pick" behind a counter, deeper than any
first look at the model goes. The body of "pick" is drawn without regard to symmetry: it may keep the last round of
a loop, return from the first one, count in locals, write through aliases and var parameters, or do nothing of the
kind."""

import random

DEPTH = 130  # of the counter: a random walk of 100 states does not get there


class Program:
    """The text of one program; all names end in its number."""

    def __init__(self, seed, number):
        self.rng = random.Random(seed)
        self.n = number
        self.size = self.rng.choice([2, 2, 3])
        self.locals = []
        self.functions = []
        self.fresh = 0

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}_{self.n}"

    def v(self, stem):
        return f"{stem}_{self.n}"

    # -- values: all of them are defined
    # -----------------------------------------------------------------------------------

    def element(self, scope):
        return self.rng.choice([self.v("origin"), *scope["elements"]])

    def number(self, scope):
        rng = self.rng
        return rng.choice([str(rng.randint(0, 3)), f"{self.v('count')}[{self.element(scope)}]", self.v("sum"),
                           *scope["numbers"]])

    def condition(self, scope, depth=1):
        rng, draw = self.rng, self.rng.random()
        if depth > 0 and draw < 0.15:
            return f"({self.condition(scope, 0)} {rng.choice(['&', '|', '->'])} {self.condition(scope, 0)})"
        if depth > 0 and draw < 0.25:
            k = self.name("e")
            inner = dict(scope, elements=scope["elements"] + [k])
            return f"({rng.choice(['exists', 'forall'])} {k}: {self.v('X')} do {self.condition(inner, 0)} end)"
        if draw < 0.35:
            m = self.name("s")
            return f"multisetcount({m}: {self.v('bag')}, {self.v('bag')}[{m}] = {self.element(scope)}) > 0"
        if draw < 0.45:
            return f"{self.number(scope)} {rng.choice(['=', '<', '>='])} {self.number(scope)}"
        if draw < 0.6:
            return f"{self.element(scope)} {rng.choice(['=', '!='])} {self.element(scope)}"
        if draw < 0.7 and scope["flags"]:
            return rng.choice(scope["flags"])
        if draw < 0.76:
            return f"isundefined({self.v('chosen')})"
        if draw < 0.8 and scope["calls"]:
            return self.effect_call(scope)
        return f"{rng.choice(['', '!'])}{self.v('flag')}[{self.element(scope)}]"

    # -- statements
    # ------------------------------------------------------------------------------------------------------------

    def local(self, kind):
        name = self.name("l")
        self.locals.append(f"{name}: {kind};")
        return name

    def target(self, scope, kind):
        """A place that a statement may write, of this kind."""
        rng = self.rng
        if kind == "element":
            return rng.choice([self.v("chosen"), self.v("pair") + ".who", *scope["variables"]["element"]])
        if kind == "number":
            return rng.choice([self.v("sum"), self.v("pair") + ".much", f"{self.v('count')}[{self.element(scope)}]",
                               *scope["variables"]["number"]])
        return rng.choice([f"{self.v('flag')}[{self.element(scope)}]",
                           f"{self.v('matrix')}[{self.element(scope)}][{self.element(scope)}]",
                           *scope["variables"]["flag"]])

    def write(self, scope):
        rng, draw = self.rng, self.rng.random()
        if draw < 0.22:
            return [f"{self.target(scope, 'element')} := {self.element(scope)};"]
        if draw < 0.3:
            return [f"undefine {rng.choice([self.v('chosen'), self.v('bag')])};"]
        if draw < 0.48:
            place = self.target(scope, "number")
            value = rng.choice([f"({place} + {rng.randint(0, 2)}) % 5", str(rng.randint(0, 3)), self.number(scope)])
            if place == self.v("sum") and rng.random() < 0.6:
                value = f"{place} + {rng.choice(['1', '2', self.v('count') + '[' + self.element(scope) + ']'])}"
            return [f"{place} := {value};"] if value.endswith("% 5") or place == self.v("sum") else \
                [f"{place} := ({value}) % 5;"]
        if draw < 0.8:
            place = self.target(scope, "flag")
            value = rng.choice(["true", "false", f"!{place}", self.condition(scope, 0),
                                f"{place} {rng.choice(['&', '|'])} {self.condition(scope, 0)}"])
            return [f"{place} := {value};"]
        room = f"multisetcount({self.name('s')}: {self.v('bag')}, true) < {self.size}"
        if draw < 0.93:
            add = f"multisetadd({self.element(scope)}, {self.v('bag')});"
            return [add] if scope["calls"] and scope["loops"] < 2 and draw < 0.88 else [f"if {room} then {add} end;"]
        m = self.name("s")
        inner = dict(scope, calls=False)
        test = rng.choice([f"{self.v('bag')}[{m}] = {self.element(scope)}", self.condition(inner, 0), room])
        return [f"multisetremovepred({m}: {self.v('bag')}, {test});"]

    def statement(self, scope, depth):
        draw = self.rng.random()
        if depth > 0 and draw < 0.3:
            return self.loop(scope, depth)
        if depth > 0 and draw < 0.5:
            lines = [f"if {self.condition(scope)} then", *self.statements(scope, depth - 1)]
            if self.rng.random() < 0.4:
                lines += ["else", *self.statements(scope, depth - 1)]
            return [*lines, "end;"]
        if depth > 0 and draw < 0.57:
            return self.alias(scope, depth)
        if depth > 0 and draw < 0.62 and scope["returns"]:
            return [f"if {self.condition(scope, 0)} then {scope['returns']} end;"]
        if draw < 0.7 and scope["calls"]:
            return self.procedure_call(scope)
        return self.write(scope)

    def statements(self, scope, depth):
        return [line for _ in range(self.rng.choice([1, 1, 2])) for line in self.statement(scope, depth)]

    def loop(self, scope, depth):
        k = self.name("k")
        if self.rng.random() < 0.12:
            inner = dict(scope, loops=scope["loops"] + 1, numbers=scope["numbers"] + [k])
            return [f"for {k}: 0 .. 1 do", *self.statements(inner, depth - 1), "end;"]
        kind = self.v("X")
        elements = scope["elements"] + [k, k]
        if self.rng.random() < 0.1:
            kind = self.v("U")
            elements = scope["elements"]
            inner = dict(scope, loops=scope["loops"] + 1, elements=elements)
            return [f"for {k}: {kind} do", f"if ismember({k}, {self.v('X')}) then {self.v('chosen')} := {k}; end;"
                    if self.rng.random() < 0.3 else "", *self.statements(inner, depth - 1), "end;"]
        inner = dict(scope, loops=scope["loops"] + 1, elements=elements)
        return [f"for {k}: {kind} do", *self.statements(inner, depth - 1), "end;"]

    def alias(self, scope, depth):
        name = self.name("a")
        kind = self.rng.choice(["element", "number", "flag"])
        place = self.target(scope, kind)
        if kind == "element":
            place = self.v("chosen")
        variables = {key: [*value, name] if key == kind else value for key, value in scope["variables"].items()}
        inner = dict(scope, variables=variables)
        return [f"alias {name}: {place} do", *self.statements(inner, depth - 1), "end;"]

    # -- functions
    # -------------------------------------------------------------------------------------------------------------

    def scope(self, **more):
        scope = {"elements": [], "numbers": [], "flags": [], "variables": {"element": [], "number": [], "flag": []},
                 "loops": 0, "returns": "", "calls": False}
        return dict(scope, **more)

    def with_locals(self, make):
        """(declarations, lines) of a body with locals of its own."""
        outer, self.locals = self.locals, []
        lines = make()
        declarations, self.locals = self.locals, outer
        return (["var", *declarations] if declarations else []), lines

    def own_locals(self, scope):
        """Some locals with values, and the scope that knows them."""
        lines = []
        variables = {key: list(value) for key, value in scope["variables"].items()}
        scope = dict(scope, variables=variables)
        for kind, type_, first in (("element", self.v("X"), self.element(scope)), ("number", "0 .. 200", "0"),
                                   ("flag", "boolean", "false")):
            if self.rng.random() < 0.55:
                name = self.local(type_)
                lines.append(f"{name} := {first};")
                variables[kind].append(name)
                key = {"element": "elements", "number": "numbers", "flag": "flags"}[kind]
                scope = dict(scope, **{key: scope[key] + [name]})
        return scope, lines

    def procedure_call(self, scope):
        name = self.name("proc")
        kind = self.rng.choice(["element", "number", "flag"])
        type_ = {"element": self.v("X"), "number": "0 .. 200", "flag": "boolean"}[kind]
        place = {"element": self.v("chosen"), "number": self.v("sum"),
                 "flag": f"{self.v('flag')}[{self.element(scope)}]"}[kind]
        if scope["variables"][kind] and self.rng.random() < 0.5:
            candidates = [p for p in scope["variables"][kind] if p.startswith("l")]
            place = self.rng.choice(candidates) if candidates else place
        inner = self.scope(elements=["p"], variables={"element": [], "number": [], "flag": [], kind: ["t"]},
                           returns=self.rng.choice(["", "return;"]))
        declarations, lines = self.with_locals(lambda: self.body(inner, 1))
        if kind == "number":
            lines = [line for line in lines]
        self.functions += [f"procedure {name}(var t: {type_}; p: {self.v('X')});", *declarations, "begin", *lines,
                           "end;"]
        return [f"{name}({place}, {self.element(scope)});"]

    def effect_call(self, scope):
        name = self.name("fun")
        inner = self.scope(elements=["p"], returns=self.rng.choice(["return true;",
                                                                    "return p = " + self.v("origin") + ";"]))
        declarations, lines = self.with_locals(lambda: self.body(inner, 1))
        self.functions += [f"function {name}(p: {self.v('X')}): boolean;", *declarations, "begin", *lines,
                           f"return {self.condition(inner, 0)};", "end;"]
        return f"{name}({self.element(scope)})"

    def body(self, scope, depth):
        scope, lines = self.own_locals(scope)
        return lines + [line for _ in range(self.rng.randint(1, 2)) for line in self.statement(scope, depth)]

    # -- the whole
    # -------------------------------------------------------------------------------------------------------------

    def parts(self):
        """(types, variables, functions, lines of the start state, rules)"""
        declarations, lines = self.with_locals(
            lambda: self.body(self.scope(calls=True, returns=self.rng.choice(["", "return;"])), 3))
        x, v, n = self.v("X"), self.v, self.n
        types = [f"{x}: scalarset({self.size}); {v('E')}: enum {{ {v('first')}, {v('second')} }}; "
                 f"{v('U')}: union {{ {v('E')}, {x} }};"]
        variables = [f"{v('chosen')}: {x}; {v('origin')}: {x}; {v('flag')}: array [{x}] of boolean;",
                     f"{v('matrix')}: array [{x}] of array [{x}] of boolean; {v('count')}: array [{x}] of 0 .. 200;",
                     f"{v('bag')}: multiset [12] of {x}; {v('sum')}: 0 .. 200; {v('done')}: boolean;",
                     f"{v('pair')}: record who: {x}; much: 0 .. 200; end;"]
        start = [f"undefine {v('chosen')}; undefine {v('origin')}; undefine {v('bag')}; undefine {v('pair')};",
                 f"{v('pair')}.much := 0; {v('sum')} := 0; {v('done')} := false;",
                 f"for k: {x} do {v('flag')}[k] := false; {v('count')}[k] := 0;",
                 f"for j: {x} do {v('matrix')}[k][j] := false; end; end;"]
        ready = f"which = {n} & depth = {DEPTH} & !{v('done')}"
        rules = [f"ruleset k: {x} do",
                 f"rule {ready} & isundefined({v('origin')}) ==> begin {v('origin')} := k; {v('pair')}.who := k; end;",
                 f"rule {ready} & !{v('flag')}[k] ==> begin {v('flag')}[k] := true; end;",
                 f"rule {ready} & {v('count')}[k] < 1 ==> begin {v('count')}[k] := 1; end;", "end;",
                 f'rule "pick {n}" {ready} & !isundefined({v("origin")}) ==>', *declarations, "begin",
                 f"{v('done')} := true;",
                 *lines, "end;"]
        return types, variables, self.functions, start, rules


def model(seeds):
    """The text of a model with a program for each seed."""
    parts = [Program(seed, number).parts() for number, seed in enumerate(seeds)]
    types, variables, functions, start, rules = ([line for part in parts for line in part[i]] for i in range(5))
    return "\n".join(["type", *types, "var", f"which: 0 .. {len(parts) - 1}; depth: 0 .. {DEPTH};", *variables,
                      *functions, f"ruleset w: 0 .. {len(parts) - 1} do", "startstate begin", "which := w; depth := 0;",
                      *start, "end;", "end;", f"rule \"count\" depth < {DEPTH} ==> begin depth := depth + 1; end;",
                      *rules]) + "\n"
