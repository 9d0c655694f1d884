"""Random systems of processes, written twice: in DVE and in Murphi.

A system has global and local variables of small ranges, arrays, processes with states, guards and effects,
rendezvous with values, a buffered channel, and committed states. Every value that is assigned is reduced modulo a
constant, so no run-time error can happen. The Murphi program has one rule for each transition, and one for each
pair of transitions that meet in a rendezvous."""

import random


class Variable:
    def __init__(self, dve, murphi, modulus, size=None):
        self.dve, self.murphi, self.modulus, self.size = dve, murphi, modulus, size


class Step:
    """A transition; guard and effects are pairs of texts (DVE, Murphi)."""

    def __init__(self, process, source, target):
        self.process, self.source, self.target = process, source, target
        self.guard = None
        self.sync = None  # (channel, "!" or "?", value pair or variable pair)
        self.effects = []


class System:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.globals = [self.variable(f"g{i}", f"g{i}", i == 0 and self.rng.random() < 0.5) for i in range(2)]
        self.channels = [f"c{i}" for i in range(self.rng.randint(0, 2))]
        self.capacity = self.rng.choice([0, 0, 1, 2, 3])
        self.processes = self.rng.randint(2, 3)
        self.states = [self.rng.randint(2, 4) for _ in range(self.processes)]
        self.initial = [self.rng.randrange(count) for count in self.states]
        self.locals = [[self.variable(f"x{i}", f"p{p}_x{i}", False) for i in range(self.rng.randint(0, 1))]
                       for p in range(self.processes)]
        self.committed = [{s for s in range(count) if self.rng.random() < 0.08} for count in self.states]
        self.steps = [step for p in range(self.processes) for step in self.make_steps(p)]

    def variable(self, dve, murphi, is_array):
        return Variable(dve, murphi, self.rng.choice([2, 3, 4]), self.rng.choice([2, 3]) if is_array else None)

    # -- expressions, as pairs

    def scope(self, process):
        return self.globals + self.locals[process]

    def place(self, process):
        variable = self.rng.choice(self.scope(process))
        if variable.size is None:
            return (variable.dve, variable.murphi), variable.modulus
        index = self.number(process, 0)
        return ((f"{variable.dve}[({index[0]}) % {variable.size}]",
                 f"{variable.murphi}[({index[1]}) % {variable.size}]"),
                variable.modulus)

    def number(self, process, depth):
        """A number that is not negative."""
        kind = self.rng.random()
        if depth == 0 or kind < 0.3:
            if self.rng.random() < 0.4:
                constant = str(self.rng.randint(0, 3))
                return constant, constant
            plain = [v for v in self.scope(process) if v.size is None]
            variable = self.rng.choice(plain)
            return variable.dve, variable.murphi
        a, b = self.number(process, depth - 1), self.number(process, depth - 1)
        operator = self.rng.choice(["+", "*", "/", "%", "-"])
        if operator in "/%":
            constant = self.rng.randint(1, 4)
            return f"({a[0]}) {operator} {constant}", f"({a[1]}) {operator} {constant}"
        if operator == "-":  # made positive by the largest value of the right side
            return f"({a[0]}) + 3 - ({b[0]}) % 4", f"({a[1]}) + 3 - ({b[1]}) % 4"
        return f"({a[0]}) {operator} ({b[0]})", f"({a[1]}) {operator} ({b[1]})"

    def condition(self, process, depth):
        kind = self.rng.random()
        if depth > 0 and kind < 0.35:
            a, b = self.condition(process, depth - 1), self.condition(process, depth - 1)
            dve, murphi = self.rng.choice([("and", "&"), ("&&", "&"), ("or", "|"), ("||", "|"), ("imply", "->")])
            return f"({a[0]}) {dve} ({b[0]})", f"({a[1]}) {murphi} ({b[1]})"
        if depth > 0 and kind < 0.45:
            a = self.condition(process, depth - 1)
            return f"{self.rng.choice(['not ', '!'])}({a[0]})", f"!({a[1]})"
        if kind < 0.6:
            other = self.rng.randrange(self.processes)
            state = self.rng.randrange(self.states[other])
            return f"P{other}.s{state}", f"pc{other} = {state}"
        place, _ = self.place(process)
        other = self.number(process, 1)
        operator = self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"{place[0]} {operator} {other[0]}", f"{place[1]} {'=' if operator == '==' else operator} ({other[1]})"

    # -- transitions

    def make_steps(self, process):
        count = self.states[process]
        # Most states can be left without a condition, so that there is something to see.
        for source in range(count):
            if self.rng.random() < 0.7:
                yield self.with_effects(Step(process, source, (source + 1) % count))
        for _ in range(self.rng.randint(2, 6)):
            step = Step(process, self.rng.randrange(count), self.rng.randrange(count))
            if self.rng.random() < 0.6:
                step.guard = self.condition(process, 2)
            choice = self.rng.random()
            if self.channels and choice < 0.3:
                self.add_sync(step, self.rng.choice(self.channels))
            elif self.capacity and choice < 0.5:
                self.add_sync(step, "buffer")
            yield self.with_effects(step)

    def with_effects(self, step):
        for _ in range(self.rng.randint(0, 2)):
            place, modulus = self.place(step.process)
            value = self.number(step.process, 2)
            step.effects.append((f"{place[0]} = ({value[0]}) % {modulus}", f"{place[1]} := ({value[1]}) % {modulus};"))
        return step

    def add_sync(self, step, channel):
        if self.rng.random() < 0.5:
            value = self.number(step.process, 1)
            step.sync = (channel, "!", (f"({value[0]}) % 2", f"({value[1]}) % 2"))
        else:
            plain = [v for v in self.scope(step.process) if v.size is None]
            variable = self.rng.choice(plain)
            step.sync = (channel, "?", (variable.dve, variable.murphi))

    # -- DVE

    def dve(self):
        lines = [f"byte {declared(v)};" for v in self.globals]
        if self.channels:
            lines.append(f"channel {', '.join(self.channels)};")
        if self.capacity:
            lines.append(f"channel {{byte}} buffer[{self.capacity}];")
        for p in range(self.processes):
            lines += [f"process P{p} {{", *(f"  byte {declared(v)};" for v in self.locals[p]),
                      "  state " + ", ".join(f"s{s}" for s in range(self.states[p])) + ";",
                      f"  init s{self.initial[p]};"]
            if self.committed[p]:
                lines.append("  commit " + ", ".join(f"s{s}" for s in sorted(self.committed[p])) + ";")
            steps = [dve_step(step) for step in self.steps if step.process == p]
            lines += ["  trans", ",\n".join(steps) + ";", "}"]
        return "\n".join([*lines, "system async;", ""])

    # -- Murphi

    def murphi(self):
        lines = ["var"]
        variables = self.globals + [v for local in self.locals for v in local]
        for v in variables:
            kind = f"0..{v.modulus - 1}"
            lines.append(f"  {v.murphi}: {kind if v.size is None else f'array [0..{v.size - 1}] of {kind}'};")
        lines += [f"  pc{p}: 0..{count - 1};" for p, count in enumerate(self.states)]
        if self.capacity:
            lines += [f"  length: 0..{self.capacity};", f"  buffer: array [0..{self.capacity - 1}] of 0..1;"]
        lines += ["startstate begin", "  clear " + "; clear ".join(v.murphi for v in variables) + ";"]
        lines += [f"  pc{p} := {state};" for p, state in enumerate(self.initial)]
        if self.capacity:
            lines.append("  length := 0; clear buffer;")
        lines.append("end;")
        lines += [rule for step in self.steps for rule in self.rules(step)]
        return "\n".join([*lines, ""])

    def is_committed(self, step):
        return step.source in self.committed[step.process]

    def rules(self, step):
        if step.sync and step.sync[0] != "buffer":
            if step.sync[1] == "!":
                for other in self.steps:
                    meets = (other.sync and other.sync[0] == step.sync[0] and other.sync[1] == "?"
                             and other.process != step.process and self.is_committed(other) == self.is_committed(step))
                    if meets:
                        yield self.rule([step, other], [f"{other.sync[2][1]} := ({step.sync[2][1]}) % 2;"], [])
            return
        guards, body = [], []
        if step.sync and step.sync[1] == "!":
            guards = [f"length < {self.capacity}"]
            body = [f"buffer[length] := {step.sync[2][1]};", "length := length + 1;"]
        elif step.sync:
            guards = ["length > 0"]
            body = [f"{step.sync[2][1]} := buffer[0];",
                    *(f"buffer[{i}] := buffer[{i + 1}];" for i in range(self.capacity - 1)),
                    f"buffer[{self.capacity - 1}] := 0;", "length := length - 1;"]
        yield self.rule([step], body, guards)

    def rule(self, steps, body, guards):
        tests = [f"pc{step.process} = {step.source}" for step in steps]
        if not self.is_committed(steps[0]):
            tests += [f"pc{p} != {state}" for p in range(self.processes) for state in sorted(self.committed[p])]
        tests += [f"({step.guard[1]})" for step in steps if step.guard] + guards
        for step in steps:
            body = body + [f"pc{step.process} := {step.target};", *(effect[1] for effect in step.effects)]
        return f"rule {' & '.join(tests)} ==> begin {' '.join(body)} end;"


def declared(variable):
    return variable.dve if variable.size is None else f"{variable.dve}[{variable.size}]"


def dve_step(step):
    parts = [f"guard {step.guard[0]};"] if step.guard else []
    if step.sync:
        parts.append(f"sync {step.sync[0]}{step.sync[1]}{step.sync[2][0]};")
    if step.effects:
        parts.append("effect " + ", ".join(effect[0] for effect in step.effects) + ";")
    return f"    s{step.source} -> s{step.target} {{ {' '.join(parts)} }}"
