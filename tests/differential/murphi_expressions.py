"""Random well-typed Murphi expressions.

Every integer expression carries the interval of its possible values, so that the generator knows when an assignment
is safe and wraps it when it is not. An expression also carries its precedence: parentheses are written only where
they are needed (or by chance), so that the precedence of the parser is tested too.

Where rumur 2022.08 has a known bug or lacks a construct we avoid it, because a rejected program tests nothing:
- the characters for division, multiplication and subtraction in Unicode are unknown to it (later releases have them);
- a bitwise `&` or `|` whose left operand has a named range type, or is itself such an operation, is taken for a
  boolean one: the left operand is a literal or a sum;
- a ruleset over `i := 0 to 2` ends in a failed assertion of rumur itself, unless it holds properties only, and one
  over `i := 2 to 0 by -1` in a division by zero;
- `->` cannot be chained without parentheses;
- a domain `i := 0 to 0 by -1` makes it loop for ever.
Where the tools may rightly differ we avoid the construct too: a comparison of whole records or arrays that contain
undefined values (rumur compares the bits), a plain copy `x := y` of an undefined value (CMurphi and Strata copy it,
rumur
reports an error), and a call with side effects inside a larger expression."""

from dataclasses import dataclass, replace

from murphi_types import Type, Variable

TERNARY, IMPLIES, OR, AND, NOT, COMPARE, SHIFT, SUM, PRODUCT, ATOM = range(10)

SPELLINGS = {
    "&": ["&", "&", "&&", "∧"], "|": ["|", "|", "||", "∨"], "!": ["!", "!", "¬"], "->": ["->", "->", "→"],
    "=": ["=", "=", "=", "=="], "!=": ["!=", "!=", "≠"], "<=": ["<=", "<=", "≤"], ">=": [">=", ">=", "≥"],
    "forall": ["forall", "forall", "∀"], "exists": ["exists", "exists", "∃"],
}


@dataclass(frozen=True)
class Expression:
    """The text of an expression, its precedence, and the interval of its values where it is an integer."""

    text: str
    precedence: int = ATOM
    low: int = 0
    high: int = 0


class Expressions:
    """Draws expressions over the variables of a scope (a list of Variable)."""

    def __init__(self, rng, names, danger):
        self.rng = rng
        self.names = names
        self.danger = danger  # the probability that a possible run-time error is left unguarded
        self.functions = []
        self.small_types = []  # the types that rulesets, loops and quantifiers run over

    # -- building blocks ---------------------------------------------------------------------------------------

    def spell(self, operator):
        return self.rng.choice(SPELLINGS.get(operator, [operator]))

    def wrap(self, expression, least):
        """The text of an operand, in parentheses where its precedence is too low, and sometimes where it is not."""
        if expression.precedence < least or (expression.precedence < ATOM and self.rng.random() < 0.15):
            return f"({expression.text})"
        return expression.text

    def binary(self, left, operator, right, precedence, chain=True):
        text = f"{self.wrap(left, precedence + (0 if chain else 1))} {self.spell(operator)} " \
               f"{self.wrap(right, precedence + 1)}"
        return Expression(text, precedence)

    def risky(self):
        return self.rng.random() < self.danger

    # -- reading variables ---------------------------------------------------------------------------------------

    def place(self, scope, wanted, writable=False):
        """A Variable whose text denotes a place of a wanted type, or None: a name followed by fields and indices."""
        roots = [v for v in scope if v.type.contains(wanted) and (v.writable or not writable)]
        for _ in range(4):
            if not roots:
                return None
            found = self.descend(self.rng.choice(roots), scope, wanted)
            if found is not None:
                return found
        return None

    def descend(self, root, scope, wanted):
        text, type_ = root.text, root.type
        while not wanted(type_) or (any(part.contains(wanted) for part in type_.parts()) and self.rng.random() < 0.5):
            if type_.kind == "array":
                index = self.index(scope, type_.index)
                if index is None:
                    return None
                text, type_ = f"{text}[{index}]", type_.element
            else:
                name, type_ = self.rng.choice([(n, t) for n, t in type_.fields if t.contains(wanted)])
                text = f"{text}.{name}"
        return replace(root, text=text, type=type_)

    def index(self, scope, type_):
        """The text of an index of the given type, or None where none can be written."""
        bound = [v.text for v in scope if not v.writable and not v.loose and v.type is type_]
        if bound and self.rng.random() < 0.7:
            return self.rng.choice(bound)
        if type_.kind == "scalarset":
            return self.rng.choice(bound) if bound else None
        if type_.kind == "range" and self.rng.random() < 0.3:
            plain = [v for v in scope if v.type.kind == "range" and not v.loose]
            if plain:
                variable = self.rng.choice(plain)
                read = Expression(variable.text, ATOM, variable.type.low, variable.type.high)
                return self.fit(read, type_.low, type_.high).text
        return self.rng.choice(type_.literals())

    def read(self, place, fallback):
        """A read of a place; one that may be undefined is guarded by isundefined, or stands below an operator."""
        low, high = place.type.low, place.type.high
        if not place.loose:
            return Expression(place.text, ATOM, low, high)
        if place.type.kind in ("range", "boolean") and self.risky():
            operation = "+ 0" if place.type.kind == "range" else "& true"
            return Expression(f"({place.text} {operation})", ATOM, low, high)
        value = int(fallback) if place.type.kind == "range" else 0
        return Expression(f"(isundefined({place.text}) ? {fallback} : {place.text})", ATOM, min(low, value),
                          max(high, value))

    # -- integers ------------------------------------------------------------------------------------------------

    def integer(self, scope, depth):
        draw = self.rng.random()
        if depth <= 0 or draw < 0.25:
            return self.integer_leaf(scope)
        if draw < 0.55:
            return self.sum_or_product(scope, depth)
        if draw < 0.68:
            return self.quotient(scope, depth)
        if draw < 0.82:
            return self.bits(scope)
        if draw < 0.9:
            return self.conditional(scope, depth)
        return self.call(scope, lambda t: t.kind == "range", depth) or self.integer_leaf(scope)

    def integer_leaf(self, scope):
        place = self.place(scope, lambda t: t.kind == "range") if self.rng.random() < 0.7 else None
        if place is None:
            return self.literal(self.rng.choice([0, 1, 1, 2, 3, 5, -1, -2, 7, 16]))
        return self.read(place, self.rng.choice(place.type.literals()))

    def literal(self, value):
        if value < 0:
            return Expression(f"({value})" if self.rng.random() < 0.5 else str(value), ATOM, value, value)
        return Expression(hex(value) if self.rng.random() < 0.05 else str(value), ATOM, value, value)

    def bounded(self, expression, fallback):
        """Keeps intermediate results far from the limits of 32 bits, which rumur's checker uses."""
        return expression if max(abs(expression.low), abs(expression.high)) < 30000 else fallback

    def sum_or_product(self, scope, depth):
        left, right = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        operator = self.rng.choice("++--*")
        corners = [eval(f"a {operator} b", {"a": a, "b": b})  # the three operators mean the same in Python
                   for a in (left.low, left.high) for b in (right.low, right.high)]
        built = self.binary(left, operator, right, PRODUCT if operator == "*" else SUM)
        if self.rng.random() < 0.08:
            return Expression(f"(- {self.wrap(left, ATOM)})", ATOM, -left.high, -left.low)
        return self.bounded(replace(built, low=min(corners), high=max(corners)), left)

    def quotient(self, scope, depth):
        """A division or remainder, truncated towards zero; the divisor is seldom one that may be zero."""
        left = self.integer(scope, depth - 1)
        right = self.literal(self.rng.choice([1, 2, 3, 5, -1, -2]))
        if self.danger and self.rng.random() < 0.2:
            right = self.integer(scope, 0)
        operator = self.rng.choice("/%")
        built = self.binary(left, operator, right, PRODUCT)
        largest = max(abs(left.low), abs(left.high))
        if operator == "%":
            largest = min(largest, max(abs(right.low), abs(right.high)))
        crosses = operator == "/" and right.low < 0
        low = -largest if left.low < 0 or crosses else 0
        high = largest if left.high > 0 or crosses else 0
        return replace(built, low=low, high=high)

    def bits(self, scope):
        """Bit operations on plain reads that are never negative."""
        left, right = self.natural(scope), self.natural(scope)
        operator = self.rng.choice(["&", "|", "^", "~", "<<", ">>"])
        if operator == "~":
            return Expression(f"(~{left.text})", ATOM, -left.high - 1, -left.low - 1)
        if operator in ("<<", ">>"):
            return self.shift(left, operator)
        high = (1 << max(left.high, right.high).bit_length()) - 1
        if operator == "&":
            high = min(left.high, right.high)
        if operator != "^" and not left.text.isdigit():
            left = replace(left, text=f"({left.text} + 0)")
        return Expression(f"({left.text} {operator} {right.text})", ATOM, 0, high)

    def shift(self, left, operator):
        count = self.rng.randint(0, 3)
        text = f"{left.text} {operator} {count}"
        if operator == "<<":
            return Expression(text, SHIFT, left.low << count, left.high << count)
        return Expression(text, SHIFT, left.low >> count, left.high >> count)

    def natural(self, scope):
        place = self.place(scope, lambda t: t.kind == "range" and t.low >= 0)
        if place is None or place.loose:
            value = self.rng.randint(0, 6)
            return Expression(str(value), ATOM, value, value)
        return self.read(place, "0")

    def conditional(self, scope, depth):
        yes, no = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        condition = self.boolean(scope, depth - 1)
        text = f"({self.wrap(condition, IMPLIES)} ? {self.wrap(yes, SHIFT)} : {self.wrap(no, SHIFT)})"
        return Expression(text, ATOM, min(yes.low, no.low), max(yes.high, no.high))

    def fit(self, expression, low, high):
        """The expression, changed so that its value lies in low .. high (unless the program is a dangerous one)."""
        if (low <= expression.low and expression.high <= high) or self.risky():
            return expression
        if self.rng.random() < 0.5 and len(expression.text) < 60:
            inner = self.wrap(expression, SHIFT)
            return Expression(f"({low} {self.spell('<=')} {inner} {self.spell('&')} {inner} {self.spell('<=')} {high} "
                              f"? {inner} : {self.rng.randint(low, high)})", ATOM, low, high)
        shifted = f"({self.wrap(expression, SUM)} - {self.literal(expression.low).text})"
        return Expression(f"{shifted} % {high - low + 1} + {self.literal(low).text}", SUM, low, high)

    # -- booleans --------------------------------------------------------------------------------------------------

    def boolean(self, scope, depth):
        draw = self.rng.random()
        if depth <= 0 or draw < 0.12:
            return self.boolean_leaf(scope)
        if draw < 0.45:
            return self.comparison(scope, depth - 1)
        if draw < 0.7:
            return self.connective(scope, depth - 1)
        if draw < 0.76:
            return Expression(self.spell("!") + self.wrap(self.boolean(scope, depth - 1), COMPARE), NOT)
        if draw < 0.9:
            return self.quantified(scope, depth - 1)
        if draw < 0.94:
            parts = [self.boolean(scope, depth - 1) for _ in range(3)]
            return Expression("({} ? {} : {})".format(*(self.wrap(p, IMPLIES) for p in parts)), ATOM)
        return self.call(scope, lambda t: t.kind == "boolean", depth) or self.boolean_leaf(scope)

    def boolean_leaf(self, scope):
        draw = self.rng.random()
        if draw < 0.1:
            return Expression(self.rng.choice(["true", "false"]))
        if draw < 0.3:
            place = self.place([v for v in scope if v.loose], lambda t: t.is_simple())
            if place is not None:
                return Expression(f"isundefined({place.text})")
        place = self.place(scope, lambda t: t.kind == "boolean")
        return self.read(place, self.rng.choice(["true", "false"])) if place else self.comparison(scope, 0)

    def connective(self, scope, depth):
        operator, precedence = self.rng.choice([("&", AND), ("&", AND), ("|", OR), ("|", OR), ("->", IMPLIES)])
        return self.binary(self.boolean(scope, depth), operator, self.boolean(scope, depth), precedence,
                           chain=operator != "->")

    def comparison(self, scope, depth):
        draw = self.rng.random()
        if draw < 0.12:
            return self.whole_comparison(scope) or self.comparison(scope, depth)
        if draw < 0.4:
            return self.symbol_comparison(scope) or self.comparison(scope, depth)
        operator = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        return self.binary(self.integer(scope, depth), operator, self.integer(scope, depth), COMPARE, chain=False)

    def symbol_comparison(self, scope):
        """An equality of booleans, enum values or scalarset values."""
        kinds = ("boolean", "enum", "scalarset")
        place = self.place(scope, lambda t: t.kind in kinds)
        if place is None:
            return None
        left, right = self.of_type(scope, place.type, 0), self.of_type(scope, place.type, 0)
        if left is None or right is None:
            return None
        return self.binary(left, self.rng.choice(["=", "!="]), right, COMPARE, chain=False)

    def whole_comparison(self, scope):
        """An equality of whole records or arrays that are surely defined throughout."""
        defined = [v for v in scope if not v.loose]
        left = self.place(defined, lambda t: not t.is_simple())
        right = left and self.place(defined, lambda t: t is left.type)
        if not right:
            return None
        return Expression(f"{left.text} {self.spell(self.rng.choice(['=', '!=']))} {right.text}", COMPARE)

    def quantified(self, scope, depth):
        variable, domain = self.bound_variable(scope)
        inner = [v for v in scope if v.text != variable.text] + [variable]
        kind = self.rng.choice(["forall", "exists"])
        body = self.boolean(inner, depth)
        return Expression(f"{self.spell(kind)} {domain} do {body.text} {self.rng.choice(['end', 'end' + kind])}")

    # -- other types, calls, bound variables -------------------------------------------------------------------------

    def of_type(self, scope, type_, depth):
        """An expression of exactly this simple type, in range, or None (no scalarset value in scope)."""
        if type_.kind == "range":
            return self.fit(self.integer(scope, depth), type_.low, type_.high)
        if type_.kind == "boolean":
            return self.boolean(scope, depth)
        place = self.place(scope, lambda t: t is type_)
        if type_.kind == "scalarset":
            bound = [v for v in scope if v.type is type_ and not v.loose]
            if not bound:
                return None
            fallback = self.rng.choice(bound).text
            return self.read(place, fallback) if place else Expression(fallback)
        literal = self.rng.choice(type_.values)
        if place is not None and self.rng.random() < 0.5:
            return self.read(place, literal)
        return Expression(literal)

    def call(self, scope, wanted, depth):
        """A call of a pure function with a wanted result, or None."""
        functions = [f for f in self.functions if f.pure and f.result is not None and wanted(f.result)]
        if not functions or depth <= 0:
            return None
        function = self.rng.choice(functions)
        arguments = self.arguments(scope, function, 0)
        if arguments is None:
            return None
        return Expression(f"{function.name}({arguments})", ATOM, function.result.low, function.result.high)

    def arguments(self, scope, function, depth):
        """The argument list of a call, or None where a needed place is not in scope."""
        texts = []
        for type_, is_var in function.parameters:
            if is_var or not type_.is_simple():
                candidates = scope if not is_var else [v for v in scope if v.writable]
                place = self.place([v for v in candidates if not v.loose], lambda t: t is type_, writable=is_var)
            else:
                place = self.of_type(scope, type_, depth)
            if place is None:
                return None
            texts.append(place.text)
        return ", ".join(texts)

    def bound_variable(self, scope):
        """A fresh bound variable and the text of its domain; now and then its name hides an outer one."""
        name = self.names.fresh("i")
        if scope and self.rng.random() < 0.05:
            name = self.rng.choice(scope).text.split(".")[0].split("[")[0]
        return self.domain(name)

    def domain(self, name):
        return self.typed(name) if self.rng.random() < 0.6 else self.counted(name)

    def typed(self, name):
        type_ = self.rng.choice(self.small_types)
        return Variable(name, type_, writable=False), f"{name}: {type_.text()}"

    def counted(self, name, descending=True):
        """A domain `first to last by step`. The direction is always right: tools differ about the wrong one."""
        step = self.rng.choice([1, 1, 1, 2, 3])
        low = self.rng.randint(-2, 2)
        high = low + step * self.rng.randint(0, 3)
        variable = Variable(name, Type("range", low=low, high=high), writable=False)
        if descending and low < high and self.rng.random() < 0.3:
            return variable, f"{name} := {high} to {low} by -{step}"
        by = f" by {step}" if step > 1 or self.rng.random() < 0.2 else ""
        return variable, f"{name} := {low} to {high}{by}"
