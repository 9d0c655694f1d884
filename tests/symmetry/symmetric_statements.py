"""Statements of a random Murphi program that treats the values of its scalarsets alike."""


def indent(lines):
    return ["  " + line for line in lines]


def only_undefinable(type_):
    """Whether a value without any value can be read everywhere."""
    if type_.is_simple():
        return type_.may_be_undefined()
    return type_.kind != "multiset" and all(only_undefinable(part) for part in type_.parts())


def guarded_lines(guards, lines):
    return [f"if {' & '.join(guards)} then", *indent(lines), "end;"] if guards else lines


class Statements:
    """Draws statements; `asserts` is how often one is an assertion, which may fail."""

    def __init__(self, expressions):
        self.expressions = expressions
        self.rng = expressions.rng
        self.asserts = 0
        self.declarations = []

    def body(self, scope, count):
        """(lines of declarations, lines)"""
        self.declarations = []
        lines = [line for _ in range(count) for line in self.statement(scope, 2)]
        return self.declared(), lines

    def declared(self):
        return ["var", *indent(self.declarations)] if self.declarations else []

    def statement(self, scope, depth):
        draw = self.rng.random()
        if self.rng.random() < self.asserts:
            return [f'assert {self.expressions.condition(scope, 2)} "assertion";']
        if depth > 0 and draw < 0.2:
            return self.choice(scope, depth)
        if depth > 0 and draw < 0.35:
            return self.loop(scope) or self.write(scope)
        if depth > 0 and draw < 0.4:
            return self.switch(scope, depth) or self.write(scope)
        if draw < 0.5:
            return self.exchange(scope) or self.write(scope)
        if draw < 0.6:
            return self.change_multiset(scope) or self.write(scope)
        if draw < 0.7:
            return self.copy(scope) or self.write(scope)
        if draw < 0.8:
            return self.forget(scope) or self.write(scope)
        return self.write(scope)

    # -- single writes
    # ---------------------------------------------------------------------------------------------------

    def write(self, scope):
        found = self.expressions.place(scope, lambda t: t.is_simple())
        return guarded_lines(found[2], self.assign(scope, found[0], found[1])) if found else []

    def assign(self, scope, text, type_):
        value = self.expressions.value(scope, type_)
        if value is None:
            return [f"undefine {text};"]
        return guarded_lines(value[1], [f"{text} := {value[0]};"])

    def copy(self, scope):
        target = self.expressions.place(scope, lambda t: not t.is_simple())
        source = target and self.expressions.place(scope, lambda t: t is target[1])
        return guarded_lines(target[2] + source[2],
                             [f"{target[0]} := {source[0]};"]) if source and source[0] != target[0] else []

    def forget(self, scope):
        found = self.expressions.place(scope, only_undefinable)
        return guarded_lines(found[2], [f"undefine {found[0]};"]) if found else []

    def exchange(self, scope):
        first = self.expressions.place(scope, lambda t: t.is_simple() and t.name)
        second = first and self.expressions.place(scope, lambda t: t is first[1], depth=0)
        if not second or second[0] == first[0]:
            return []
        local = self.expressions.fresh("l")
        self.declarations.append(f"{local}: {first[1].text()};")
        guards = first[2] + second[2]
        guards += self.expressions.defined(first[0], first[1]) + self.expressions.defined(second[0], second[1])
        # An index may read what the first assignment wrote, and is asked again whether it is defined.
        return [f"undefine {local};"] + \
            guarded_lines(guards, [f"{local} := {first[0]};", f"{first[0]} := {second[0]};"]) + \
            guarded_lines([*second[2], f"!isundefined({local})"], [f"{second[0]} := {local};"])

    # -- control
    # -----------------------------------------------------------------------------------------------------------

    def choice(self, scope, depth):
        lines = [f"if {self.expressions.condition(scope, 1)} then", *indent(self.statement(scope, depth - 1))]
        if self.rng.random() < 0.3:
            lines += [f"elsif {self.expressions.condition(scope, 1)} then", *indent(self.statement(scope, depth - 1))]
        if self.rng.random() < 0.5:
            lines += ["else", *indent(self.statement(scope, depth - 1))]
        return [*lines, "end;"]

    def switch(self, scope, depth):
        found = self.expressions.place(scope, lambda t: t.kind == "enum")
        if not found:
            return []
        lines = [f"switch {found[0]}"]
        for value in found[1].values[:-1]:
            lines += [f"case {value}:", *indent(self.statement(scope, depth - 1))]
        lines += ["else", *indent(self.statement(scope, depth - 1)), "end;"]
        return guarded_lines(found[2], lines)

    def loop(self, scope):
        """A loop over the rows of an array, which writes at its own index and reads nothing of what it writes."""
        roots = [(t, a) for t, a in scope.readable() if a.kind == "array" and "[" not in t]
        if not roots:
            return []
        root, type_ = self.rng.choice(roots)
        text, heads, inner = root, [], scope.writing(root)
        while type_.kind == "array":
            element = self.expressions.fresh("k")
            heads.append(f"for {element}: {type_.index.text()} do")
            inner = inner.with_bound(element, type_.index)
            text, type_ = f"{text}[{element}]", type_.element
        found = self.expressions.descend(inner, text, type_, lambda t: t.is_simple(), 0) \
            if type_.kind == "record" and not type_.contains(lambda t: t.kind in ("multiset", "array")) else None
        if found:
            text, type_ = found[0], found[1]
        if not type_.is_simple():
            return []
        lines = self.assign(inner, text, type_)
        if type_.kind == "boolean" and self.rng.random() < 0.3:
            lines = [f"{text} := !{text};"]
        if self.rng.random() < 0.5:
            lines = [f"if {self.expressions.condition(inner, 1)} then", *indent(lines), "end;"]
        for head in reversed(heads):
            lines = [head, *indent(lines), "end;"]
        return lines

    # -- multisets
    # -----------------------------------------------------------------------------------------------------------

    def change_multiset(self, scope):
        found = self.expressions.place(scope, lambda t: t.kind == "multiset" and t.element.is_simple())
        if found is None:
            return self.drain(scope)
        text, type_, guards = found
        guards = [*guards, f"multisetcount({self.expressions.fresh('m')}: {text}, true) < {type_.size}"]
        value = self.expressions.value(scope, type_.element)
        return guarded_lines(guards + value[1], [f"multisetadd({value[0]}, {text});"]) if value else []

    def drain(self, scope, found=None):
        found = found or self.expressions.place(scope, lambda t: t.kind == "multiset")
        if found is None:
            return []
        name = self.expressions.fresh("m")
        # Members are removed one after the other, so whether one is may not depend on how many are left.
        inner = scope.writing(found[0]).with_root(f"{found[0]}[{name}]", found[1].element)
        condition = self.expressions.condition(inner, 1)
        return guarded_lines(found[2], [f"multisetremovepred({name}: {found[0]}, {condition});"])

    def add(self, scope, text, type_):
        """(declarations, lines) that put something into a multiset that has room."""
        element = type_.element
        self.declarations = []
        if element.is_simple():
            value = self.expressions.value(scope, element)
            return [], guarded_lines(value[1], [f"multisetadd({value[0]}, {text});"]) if value else []
        local = self.expressions.fresh("l")
        self.declarations.append(f"{local}: {element.text()};")
        lines = [f"undefine {local};", *self.fill(scope, local, element), f"multisetadd({local}, {text});"]
        return self.declared(), lines

    def take(self, scope, text):
        """Statements that read a member of a multiset, and do not change the multiset."""
        places = [(t, a) for t, a in scope.readable() if not text.startswith(t)]
        found = self.expressions.place(scope, lambda t: t.is_simple(), roots=[p for p in places if "[" not in p[0]])
        return guarded_lines(found[2], self.assign(scope, found[0], found[1])) if found else []

    # -- values for everything
    # -----------------------------------------------------------------------------------------------

    def fill(self, scope, text, type_):
        """Gives a place, and all its parts, values that depend on the state."""
        if type_.is_simple():
            value = self.expressions.value(scope, type_)
            if value is None or type_.may_be_undefined() and self.rng.random() < 0.15:
                return []
            default = [] if type_.may_be_undefined() or not value[1] else [f"{text} := {type_.literals()[0]};"]
            return default + guarded_lines(value[1], [f"{text} := {value[0]};"])
        return self.parts(scope, text, type_, self.fill)

    def initialise(self, scope, text, type_):
        """The same in a start state, which can read nothing."""
        if type_.is_simple():
            bound = [name for name, t in scope.bound if type_.holds_value_of(t)]
            if bound and self.rng.random() < 0.5:
                return [f"{text} := {self.rng.choice(bound)};"]
            if type_.may_be_undefined() and (not type_.literals() or self.rng.random() < 0.7):
                return [f"undefine {text};"]
            return [f"{text} := {self.rng.choice(type_.literals())};"]
        if type_.kind == "multiset":
            return [f"undefine {text};"]
        return self.parts(scope, text, type_, self.initialise)

    def parts(self, scope, text, type_, give):
        if type_.kind == "record":
            return [line for name, t in type_.fields for line in give(scope, f"{text}.{name}", t)]
        element = self.expressions.fresh("k")
        inner = give(scope.with_bound(element, type_.index), f"{text}[{element}]", type_.element)
        return [f"for {element}: {type_.index.text()} do", *indent(inner), "end;"] if inner else []
