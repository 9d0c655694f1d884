"""Random well-typed Murphi programs with small state spaces, for comparing Strata with rumur.

    python3 murphi_generator.py --seed 7            prints the program of seed 7
    python3 murphi_generator.py --seed 0 --count 9 --output DIR

The same seed gives the same program. The number of states is bounded before anything runs: the product of the sizes
of all global variables stays below a drawn budget. Most programs are written so that no run-time error can happen;
the others are dangerous and leave some range, undefined value, division or assertion unguarded.

The first lines of a program are comments that tell the driver how to run it (`-- deadlock: MODE`). What is avoided
because of rumur's bugs is said in murphi_expressions.py and murphi_statements.py. Here: no `put`, which writes into
rumur's report; no union and no multiset, which rumur 2022.08 does not have; no liveness property.
"""

import argparse
import os
import random
import re

from murphi_expressions import Expressions
from murphi_statements import Statements, indent
from murphi_types import BOOLEAN, Function, Type, TypeMaker, Variable

KEYWORDS = """alias array assert assume begin boolean by case clear const cover do else elsif end endalias endexists
endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum
error exists for forall function if invariant isundefined of procedure record return rule ruleset scalarset
startstate switch then to type undefine var while""".split()


class Names:
    """Fresh identifiers. Some differ only in the case of a letter, since identifiers are case-sensitive."""

    def __init__(self):
        self.used = {}

    def fresh(self, prefix):
        number = self.used.get(prefix, 0)
        self.used[prefix] = number + 1
        stem = prefix if number % 2 == 0 else prefix.swapcase()
        return f"{stem}{prefix.lower()}{number // 2}"


class ProgramMaker:
    """Draws one program."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.names = Names()
        self.danger = self.rng.choice([0, 0, 0, 0, 0, 0, 0.02, 0.05])
        self.types = TypeMaker(self.rng, self.names)
        self.types.make()
        self.expressions = Expressions(self.rng, self.names, self.danger)
        self.expressions.small_types = self.small_types()
        options = {"covers": self.rng.random() < 0.15, "assumes": self.rng.random() < 0.2}
        self.statements = Statements(self.expressions, options)
        self.statements.local_types = self.types.simple + [t for t in self.types.aggregates if t.cardinality() < 5000]
        self.options = options
        self.globals = []
        self.declarations = []
        self.deadlock = self.rng.choice(["stuttering", "stuttering", "stuck", "off"])
        # Every third program has a large state, which is packed in another way.
        self.padding = 170 if seed % 3 == 0 else 0

    def small_types(self):
        named = [t for t in self.types.simple if t.cardinality() <= 5]
        return named + [BOOLEAN, Type("range", low=-1, high=1), Type("range", low=2, high=5)]

    def program(self):
        """The text of the program."""
        self.make_globals()
        functions = self.make_functions()
        sections = [self.header(), self.constants(), self.type_section(), self.variable_section(), functions,
                    self.startstates(), self.rules(), self.properties()]
        text = "\n".join(line for section in sections for line in section) + "\n"
        return vary_keyword_case(text, self.rng)

    # -- declarations ------------------------------------------------------------------------------------------------

    def header(self):
        return [f"-- deadlock: {self.deadlock}", ""]

    def constants(self):
        lines = [f"  {name}: {value};" for name, value in self.types.constants]
        return ["const"] + lines + [""]

    def type_section(self):
        return ["type"] + [f"  {t.name}: {t.definition()};" for t in self.types.named] + [""]

    def make_globals(self):
        """Global variables until the state space would pass the budget."""
        budget = int(10 ** self.rng.uniform(2, 4.1))
        product = 1
        for _ in range(self.rng.randint(3, 12)):
            type_ = self.types.any_type()
            loose = self.rng.random() < 0.2
            copies = 2 if self.rng.random() < 0.2 and not has_anonymous_enum(type_) else 1
            size = type_.cardinality(loose) ** copies
            if product * size > budget:
                continue
            product *= size
            names = [self.names.fresh("v") for _ in range(copies)]
            self.declarations.append(f"  {', '.join(names)}: {type_.text()};")
            self.globals += [Variable(name, type_, loose=loose) for name in names]
        if not any(v.type.kind == "boolean" and not v.loose for v in self.globals):
            self.declarations.append("  turn: boolean;")
            self.globals.append(Variable("turn", BOOLEAN))
        if self.padding:
            place = self.rng.randint(0, len(self.declarations))
            self.declarations.insert(place, f"  padding: array [1..{self.padding}] of 0..200;")

    def variable_section(self):
        return ["var"] + self.declarations + [""]

    # -- functions -------------------------------------------------------------------------------------------------

    def make_functions(self):
        """Function and procedure declarations; each may call those before it."""
        lines = []
        for _ in range(self.rng.randint(0, 3)):
            lines += self.function(pure=self.rng.random() < 0.6) + [""]
        for _ in range(self.rng.randint(0, 2)):
            lines += self.procedure() + [""]
        return lines

    def parameters(self, allow_var):
        """(list of (Type, is_var), list of Variable, text)"""
        types, variables, texts = [], [], []
        for _ in range(self.rng.randint(0 if not allow_var else 1, 3)):
            type_ = self.rng.choice(self.types.simple + self.types.aggregates)
            is_var = allow_var and self.rng.random() < 0.6
            name = self.names.fresh("p")
            types.append((type_, is_var))
            variables.append(Variable(name, type_, writable=is_var))
            texts.append(f"{'var ' if is_var else ''}{name}: {type_.text()}")
        return types, variables, "; ".join(texts)

    def function(self, pure):
        result = self.rng.choice([t for t in self.types.simple if t.kind != "scalarset"])
        types, variables, text = self.parameters(allow_var=not pure)
        scope = variables + [Variable(v.text, v.type, v.writable and not pure, v.loose) for v in self.globals]
        name = self.names.fresh("fun")
        count = self.rng.randint(0, 2)
        declarations, lines = self.pure_body(scope, result) if pure else \
            self.statements.body(scope, count, 1, in_rule=False)
        if self.rng.random() < 0.3:
            lines += [f"if {self.statements.condition(scope, 1)} then return {self.value(scope, result)}; end;"]
        if not self.expressions.risky():
            lines += [f"return {self.value(scope, result)};"]
        self.expressions.functions.append(Function(name, types, result, pure))
        head = f"function {name}({text}): {result.text()};"
        return [head] + body_text(declarations, lines, self.statements.end("function"))

    def pure_body(self, scope, result):
        """A body that writes only its own locals."""
        self.statements.locals, self.statements.in_rule = [], False
        inner, lines = self.statements.declare_locals([])
        if not inner:
            return self.statements.locals, []
        self.statements.calls_allowed = False
        lines += self.statements.block(inner + [v for v in scope if not v.writable], 1, 1)
        self.statements.calls_allowed = True
        lines += [f"if {self.statements.condition(inner, 1)} then return {self.value(inner, result)}; end;"]
        return self.statements.locals, lines

    def value(self, scope, type_):
        """What a function returns: always in range, since rumur does not check the range of a result."""
        danger, self.expressions.danger = self.expressions.danger, 0
        text = self.expressions.of_type(scope, type_, 1).text
        self.expressions.danger = danger
        return text

    def procedure(self):
        types, variables, text = self.parameters(allow_var=True)
        name = self.names.fresh("proc")
        declarations, lines = self.statements.body(variables + self.globals, self.rng.randint(1, 3), 1, in_rule=False)
        if self.rng.random() < 0.3:
            # An early return first of all reads parameters and globals only, as no local is defined yet.
            lines.insert(0, f"if {self.statements.condition(variables + self.globals, 1)} then return; end;")
        self.statements.procedures.append(Function(name, types, None, False))
        return [f"procedure {name}({text});"] + body_text(declarations, lines, self.statements.end("procedure"))

    # -- rules -------------------------------------------------------------------------------------------------------

    def startstates(self):
        lines = []
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            scope, wrap = self.ruleset_or_plain(0.3)
            lines += wrap(self.startstate(scope)) + [""]
        return lines

    def startstate(self, parameters):
        self.statements.locals, self.statements.in_rule = [], False
        lines = []
        for variable in self.globals:
            same = [p for p in parameters if p.type is variable.type]
            if same and self.rng.random() < 0.7:
                lines.append(f"{variable.text} := {self.rng.choice(same).text};")
            elif not variable.loose:
                lines += self.statements.initialise(variable.text, variable.type)
        if self.padding:
            lines += [f"for i: 1..{self.padding} do padding[i] := i % 200; end;"]
        if self.rng.random() < 0.4:
            lines += self.statements.block(parameters + self.globals, self.rng.randint(1, 2), 1)
        name = self.rng.choice(["", f' "start {self.rng.randint(0, 9)}"'])
        return [f"startstate{name}"] + body_text(self.statements.locals, lines, self.statements.end("startstate"))

    def ruleset_or_plain(self, probability, draw_domain=None):
        """(parameters in scope, function that wraps lines): up to two nested rulesets, at most 12 instances."""
        draw_domain = draw_domain or self.expressions.typed
        parameters, heads, instances = [], [], 1
        for _ in range(2):
            if self.rng.random() >= probability:
                break
            variables, texts = [], []
            for _ in range(self.rng.randint(1, 2)):
                variable, domain = draw_domain(self.names.fresh("r"))
                if instances * variable.type.cardinality() > 12:
                    continue
                instances *= variable.type.cardinality()
                variables.append(variable)
                texts.append(domain)
            if variables:
                parameters += variables
                heads.append("; ".join(texts))
        return parameters, lambda lines: self.wrap_rulesets(heads, lines)

    def wrap_rulesets(self, heads, lines):
        for head in reversed(heads):
            lines = [f"ruleset {head} do"] + indent(lines) + [self.statements.end("ruleset")]
        return lines

    def rules(self):
        lines = []
        for number in range(self.rng.randint(2, 6)):
            parameters, wrap = self.ruleset_or_plain(0.5)
            scope = self.globals + parameters
            if self.rng.random() < 0.2:
                lines += wrap(self.alias_rules(scope, number)) + [""]
            else:
                lines += wrap(self.rule(scope, number)) + [""]
        liveliness = self.rng.random()
        lines += [line for variable in self.globals if self.rng.random() < liveliness
                  for line in self.step_rule(variable) + [""]]
        if self.padding:
            place = self.rng.randint(1, self.padding)
            lines += ['rule "padding"', "begin", f"  padding[{place}] := 200 - padding[{place}];", "end;", ""]
        if self.rng.random() < 0.8:
            place = self.rng.choice([v for v in self.globals if v.type.kind == "boolean" and not v.loose]).text
            lines += ['rule "turn"', "begin", f"  {place} := !{place};", "end;", ""]
        return lines

    def rule(self, scope, number):
        guard = self.statements.condition(scope, self.rng.randint(1, 3))
        declarations, lines = self.statements.body(scope, self.rng.randint(1, 3), 2)
        if self.rng.random() < 0.6:
            lines += self.statements.step(scope)
        head = self.rng.choice(["rule", f'rule "rule {number}"'])
        if self.rng.random() < 0.9:
            head += f" {guard} ==>"
        return [head] + body_text(declarations, lines, self.statements.end("rule"))

    def step_rule(self, variable):
        """A rule that moves one variable on, so that more than a handful of states can be reached."""
        place, parameters = self.leaf_of(variable)
        guard = f" {self.statements.condition(self.globals + parameters, 1)} ==>" if self.rng.random() < 0.4 else ""
        lines = self.statements.step([place] + parameters)
        rule = [f'rule "step {variable.text}"{guard}'] + body_text([], lines, self.statements.end("rule"))
        return self.wrap_rulesets([f"{p.text}: {p.type.text()}" for p in parameters], rule)

    def leaf_of(self, variable):
        """(place, parameters): a simple part of a variable, where array indices are parameters of a ruleset."""
        place, parameters = variable, []
        while not place.type.is_simple():
            if place.type.kind == "array":
                parameters.append(Variable(self.names.fresh("r"), place.type.index, writable=False))
                part = (f"[{parameters[-1].text}]", place.type.element)
            else:
                name, type_ = self.rng.choice(place.type.fields)
                part = (f".{name}", type_)
            place = Variable(place.text + part[0], part[1], place.writable, place.loose)
        return place, parameters

    def alias_rules(self, scope, number):
        """Rules under an alias. The aliased place must not depend on what may be undefined."""
        places = [self.expressions.place(scope, lambda t: True) for _ in range(self.rng.randint(1, 2))]
        inner, texts = list(scope), []
        for place in filter(None, places):
            name = self.names.fresh("a")
            texts.append(f"{name}: {place.text}")
            inner.append(Variable(name, place.type, place.writable, place.loose))
        lines = [line for k in range(self.rng.randint(1, 2)) for line in self.rule(inner, f"{number}.{k}")]
        if not texts:
            return lines
        return [f"alias {'; '.join(texts)} do"] + indent(lines) + [self.statements.end("alias")]

    # -- properties ----------------------------------------------------------------------------------------------------

    def properties(self):
        lines = []
        for number in range(self.rng.randint(0, 3)):
            parameters, wrap = self.ruleset_or_plain(0.2, self.property_domain)
            lines += wrap([f'invariant "inv {number}" {self.invariant(self.globals + parameters)};'])
        if self.options["assumes"] and self.rng.random() < 0.6:
            first, second = (self.statements.condition(self.globals, 1) for _ in range(2))
            lines.append(f'assume "only these" ({first}) | ({second});')
        if self.options["covers"]:
            lines.append(f'cover "reached" {self.statements.condition(self.globals, 2)};')
        return lines

    def property_domain(self, name):
        if self.rng.random() < 0.5:
            return self.expressions.typed(name)
        return self.expressions.counted(name, descending=False)

    def invariant(self, scope):
        condition = self.statements.condition(scope, 2)
        if self.rng.random() < 0.08:
            return condition
        return f"({condition}) | {self.statements.tautology(scope)}"


def has_anonymous_enum(type_):
    """Rumur declares the values of `a, b: enum { x, y }` once for a and again for b, and refuses the second."""
    if type_.name:
        return False
    return type_.kind == "enum" or any(has_anonymous_enum(part) for part in type_.parts())


def body_text(declarations, lines, end):
    """`var ... begin ... end` as lines."""
    head = ["var"] + indent(declarations) if declarations else []
    return head + ["begin"] + indent(lines) + [end]


def vary_keyword_case(text, rng):
    """Writes reserved words in another case in some programs: they are case-insensitive."""
    style = rng.choice([str.lower, str.lower, str.upper, str.capitalize, None])
    words = re.compile(r'"[^"]*"|--[^\n]*|\b(?:' + "|".join(KEYWORDS) + r")\b")

    def recase(match):
        word = match.group(0)
        if word[0] in '"-':
            return word
        return (style or rng.choice([str.lower, str.upper, str.capitalize]))(word)

    return words.sub(recase, text)


def generate(seed):
    """The program of a seed."""
    return ProgramMaker(seed).program()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--output", help="write SEED.m files into this folder instead of standard output")
    arguments = parser.parse_args()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        if not arguments.output:
            print(generate(seed), end="")
            continue
        os.makedirs(arguments.output, exist_ok=True)
        with open(os.path.join(arguments.output, f"{seed}.m"), "w", encoding="utf-8") as file:
            file.write(generate(seed))


if __name__ == "__main__":
    main()
