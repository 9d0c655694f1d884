"""Random well-typed Murphi programs that treat the values of their scalarsets alike, and programs that do not.

    python3 symmetric_generator.py --seed 7                  prints the program of seed 7
    python3 symmetric_generator.py --seed 7 --asymmetric     the one that breaks its symmetry

The same seed gives the same program. State spaces are mostly small: variables are added until the product of their
sizes would pass a drawn budget. Loops over scalarsets write only at their own index and read nothing that they
write, so that the order of their rounds does not matter. The first line tells the driver how to run the program
(`-- deadlock: MODE`)."""

import argparse
import random

import asymmetric_programs
from symmetric_expressions import Expressions, Scope
from symmetric_statements import Statements, indent
from symmetric_types import WIDE, TypeMaker


class ProgramMaker:
    """Draws one program; `plain`: one that rumur reads, which has no unions, multisets and priorities."""

    def __init__(self, seed, plain=False):
        self.rng = random.Random(seed)
        self.types = TypeMaker(self.rng, plain)
        self.expressions = Expressions(self.rng, self.types, strict=plain)
        self.priorities = 0 if plain else 0.02
        self.statements = Statements(self.expressions)
        self.statements.asserts = 0.04 if self.rng.random() < 0.3 else 0
        self.globals = []  # of (name, Type)
        self.deadlock = self.rng.choice(["off", "off", "off", "off", "stuttering", "stuck"])

    def program(self):
        self.make_globals()
        self.scope = Scope(roots=self.globals)
        functions = self.functions()
        rest = self.startstates() + self.rules() + self.properties()
        sections = [f"-- deadlock: {self.deadlock}", "type", *self.type_lines(), "var",
                    *(f"  {name}: {t.text()};" for name, t in self.globals), "", *functions, *rest]
        return "\n".join(sections) + "\n"

    def type_lines(self):
        return [f"  {t.name}: {t.definition()};" for t in [WIDE] * self.types.uses_wide + self.types.named]

    def make_globals(self):
        """Global variables until the state space would pass the budget; the first one has elements."""
        budget, product = 10 ** self.rng.uniform(2.5, 6.5), 1
        named = set()
        for _ in range(40):
            type_ = self.types.variable(self.rng.choice([1, 2, 2, 3]))
            if not self.globals and not has_elements(type_):
                continue
            simple = sum(1 for _, t in self.globals if t.is_simple())
            if len(self.globals) == 6 or type_.is_simple() and simple == 3 or product * type_.cardinality() > budget:
                continue
            product *= type_.cardinality()
            if not type_.is_simple() and not type_.name and self.rng.random() < 0.5:
                self.types.declare(type_, "T")
            if type_ not in named:
                self.globals.append((self.expressions.fresh("x"), type_))
                if not type_.is_simple():
                    named.add(type_)
        if not self.globals:
            self.globals.append((self.expressions.fresh("x"), self.types.scalarsets[0]))

    def functions(self):
        """Boolean functions: a condition, and a loop that ends as soon as it knows."""
        lines, drawn = [], []
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            name, type_, element = self.expressions.fresh("holds"), self.types.parameter(), self.expressions.fresh("k")
            inner = self.scope.with_bound(element, type_)
            if self.rng.random() < 0.5:
                body = [f"return {self.expressions.condition(self.scope, 2)};"]
            else:
                body = [f"for {element}: {type_.text()} do",
                        f"  if {self.expressions.condition(inner, 1)} then return true; end;", "end;", "return false;"]
            lines += [f"function {name}(): boolean;", "begin", *indent(body), "end;", ""]
            drawn.append(name)
        self.expressions.functions = drawn
        return lines

    # -- start states and rules
    # ------------------------------------------------------------------------------------------

    def parameters(self, probability, most=12):
        """(scope, function that wraps lines into rulesets)"""
        scope, heads, instances = self.scope, [], 1
        for _ in range(2):
            type_ = self.types.parameter()
            if self.rng.random() >= probability or instances * type_.indices() > most:
                break
            instances *= type_.indices()
            name = self.expressions.fresh("p")
            scope = scope.with_bound(name, type_)
            heads.append(f"{name}: {type_.text()}")
        return scope, lambda lines: wrap(heads, lines)

    def startstates(self):
        lines = []
        for number in range(self.rng.choice([1, 1, 1, 2])):
            scope, wrapped = self.parameters(0.3)
            body = [line for name, t in self.globals for line in self.statements.initialise(scope, name, t)]
            lines += wrapped([f'startstate "start {number}"', "begin", *indent(body), "end;"]) + [""]
        return lines

    def rules(self):
        lines = []
        for number in range(self.rng.randint(2, 4)):
            scope, wrapped = self.parameters(0.7)
            lines += wrapped(self.rule(scope, f"rule {number}")) + [""]
        for name, type_ in self.globals:
            for _ in range(self.rng.choice([1, 1, 2])):
                lines += self.step(name, type_) + [""]
        return lines

    def rule(self, scope, name, extra=(), guards=0.8):
        """`extra` begins the body; `guards` is how often there is a guard."""
        guard = ""
        if self.rng.random() < guards:
            guard = f" {self.expressions.condition(scope, self.rng.randint(0, 2))} ==>"
        priority = f"{self.rng.choice([20, 80])} " if self.rng.random() < self.priorities else ""
        declarations, body = self.statements.body(scope, self.rng.randint(0 if extra else 1, 2))
        return [f'rule {priority}"{name}"{guard}', *declarations, "begin", *indent([*extra, *body]), "end;"]

    def step(self, name, type_):
        """A rule that writes a part of a variable, with the indices as parameters, so that more states are reached."""
        scope, text, heads = self.scope, name, []
        while type_.kind in ("array", "record"):
            if type_.kind == "array":
                parameter = self.expressions.fresh("p")
                heads.append(f"{parameter}: {type_.index.text()}")
                scope = scope.with_bound(parameter, type_.index)
                text, type_ = f"{text}[{parameter}]", type_.element
            else:
                field, type_ = self.rng.choice(type_.fields)
                text = f"{text}.{field}"
        if type_.kind == "multiset":
            return wrap(heads, self.multiset_rules(scope, name, text, type_))
        if type_.may_be_undefined() and self.rng.random() < 0.7:
            parameter, other = self.expressions.fresh("p"), self.rng.choice(type_.members or [type_])
            heads.append(f"{parameter}: {other.text()}")
            scope = scope.with_bound(parameter, other)
            extra = [f"{text} := {parameter};"]
        else:
            extra = self.statements.assign(scope, text, type_)
        return wrap(heads, self.rule(scope, f"step {name}", extra, guards=0.35))

    def multiset_rules(self, scope, name, text, type_):
        room = [f"if multisetcount({self.expressions.fresh('m')}: {text}, true) < {type_.size} then"]
        parameter = self.expressions.fresh("p")
        owner = self.rng.choice(self.types.scalarsets)
        inner = scope.with_bound(parameter, owner)
        declarations, added = self.statements.add(inner, text, type_)
        guard = f" {self.expressions.condition(inner, 1)} ==>" if self.rng.random() < 0.5 else ""
        add = [f'rule "add to {name}"{guard}', *declarations, "begin", *indent(room + indent(added) + ["end;"]), "end;"]
        lines = wrap([f"{parameter}: {owner.text()}"], add)
        member = self.expressions.fresh("m")
        inner = scope.with_root(f"{text}[{member}]", type_.element)
        if self.rng.random() < 0.7:
            # What is removed is named no more behind that, so the rest of the body does not know the member.
            removed = [f"multisetremove({member}, {text});"]
            remove = [f'rule "remove from {name}" {self.expressions.condition(inner, 1)} ==>', "begin",
                      *indent(self.statements.take(inner, text) + removed), "end;"]
            lines += [f"choose {member}: {text} do", *indent(remove), "end;"]
        else:
            lines += [f'rule "drain {name}"', "begin", *indent(self.statements.drain(scope, (text, type_, []))), "end;"]
        return lines

    # -- properties
    # ------------------------------------------------------------------------------------------------------

    def properties(self):
        lines = []
        if self.rng.random() < 0.35:
            scope, wrapped = self.parameters(0.3)
            conditions = [self.expressions.condition(scope, 2) for _ in range(self.rng.randint(1, 3))]
            lines += wrapped([f'invariant "inv" {" | ".join(conditions)};'])
        if self.rng.random() < 0.15:
            scope, wrapped = self.parameters(0.3)
            lines += wrapped([f'cover "cov" {self.expressions.condition(scope, 1)};'])
        return lines

    def proposition(self):
        """A condition without free names, for a formula."""
        return self.expressions.condition(Scope(roots=self.globals, calls=False), 2)


def has_elements(type_):
    return type_.contains(lambda t: t.kind == "scalarset" and t.size > 1 or
                          t.kind == "union" and any(has_elements(m) for m in t.members) or
                          t.kind == "array" and has_elements(t.index))


def wrap(heads, lines):
    for head in reversed(heads):
        lines = [f"ruleset {head} do", *indent(lines), "end;"]
    return lines


def generate(seed):
    """(the text of the program of a seed, two conditions about its states)"""
    maker = ProgramMaker(seed)
    text = maker.program()
    return text, [maker.proposition(), maker.proposition()]


def generate_for_rumur(seed):
    """The text of a program that rumur reads too."""
    return ProgramMaker(seed, plain=True).program()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--asymmetric", action="store_true")
    parser.add_argument("--plain", action="store_true", help="without what rumur does not read")
    arguments = parser.parse_args()
    if arguments.plain:
        print(generate_for_rumur(arguments.seed), end="")
        return
    make = asymmetric_programs.asymmetric if arguments.asymmetric else generate
    print(make(arguments.seed)[0], end="")


if __name__ == "__main__":
    main()
