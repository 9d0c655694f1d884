"""Fairness against formulas that say the same: in a model whose variable `last` is the process that moved, a path is
weakly fair to process p if F G enabled(p) -> G F last = p holds on it, and strongly fair if
G F enabled(p) -> G F last = p does, as one writes it for SPIN.

    python3 strong_fairness.py --strata PATH [--count N] [--seed N]

Random models of a few processes, random formulas; the fairness of all processes, of one process by its parameter, of
one rule, of a rule by its parameter. Prints how to run a case that differs again."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# For a rule by its parameter, the move of rule 0 of process p is numbered p, and that of rule 1 is N + p.
MODEL = """const N: {processes};
type Pid: 0..N-1; Place: 0..{most};
var at: array [Pid] of Place; shared: Place; last: 0..2*N;
startstate for p: Pid do at[p] := 0; end; shared := 0; last := 2*N; end;
ruleset p: Pid do
  rule "first" {guards[0]} ==> {effects[0]} last := p; end;
  rule "second" {guards[1]} ==> {effects[1]} last := N + p; end;
end;
"""
FORMULAS = ["G F a", "G F a", "F a", "F G a", "G (a -> F b)", "a U b", "G F a -> G F b", "F G !a || G F b",
            "F (a && b)"]
CONDITIONS = [
    'last = 0', 'last = 1', 'last = N', 'last = N + 1', 'last = 0 | last = N', 'shared = {n}', 'at[0] = {n}',
    'at[1] = {n}', 'at[0] = shared', 'at[1] != at[0]']


class Case:
    def __init__(self, seed, folder):
        dice = random.Random(seed)
        self.processes, self.most = dice.randint(2, 3), dice.randint(1, 2)
        self.guards = [dice.choice(["at[p] < {m}", "at[p] = {n}", "shared = {n}", "at[p] = shared", "at[p] != shared",
                                    "shared = at[p] & at[p] > 0", "true"]) for _ in range(2)]
        self.guards = [guard.format(m=self.most, n=dice.randint(0, self.most)) for guard in self.guards]
        size = self.most + 1
        effects = [dice.choice([f"at[p] := (at[p] + 1) % {size};", f"shared := (shared + 1) % {size};", "at[p] := 0;",
                                "shared := at[p];", f"at[p] := shared; shared := (shared + 1) % {size};"])
                   for _ in range(2)]
        self.model = folder / f"case{seed}.m"
        self.model.write_text(MODEL.format(processes=self.processes, most=self.most, guards=self.guards,
                                           effects=effects))
        self.kind = dice.choice(["weak", "strong", "strong"])
        self.option, groups = dice.choice(self.choices())
        # Fairness says most about moves.
        conditions = CONDITIONS + len(CONDITIONS) * [self.moved(dice.choice(groups))]
        chosen = {name: f'"{dice.choice(conditions).format(n=dice.randint(0, self.most))}"' for name in "ab"}
        self.formula = re.sub(r"\b[ab]\b", lambda name: chosen[name[0]], dice.choice(FORMULAS))
        self.assumed = " && ".join(f"({self.fair(group)})" for group in groups)

    def enabled(self, rule, process):
        return "(" + self.guards[rule].replace("[p]", f"[{process}]") + ")"

    def choices(self):
        """Values of the option, and for each group of it, its rules and processes."""
        every = range(self.processes)
        both = [[(0, p), (1, p)] for p in every]
        return [(self.kind, both), (f"{self.kind}/p", both), (f"{self.kind}:first", [[(0, p) for p in every]]),
                (f"{self.kind}:second/p", [[(1, p)] for p in every])]

    def fair(self, group):
        able = " | ".join(self.enabled(rule, process) for rule, process in group)
        return f'{"G F" if self.kind == "strong" else "F G"} "{able}" -> G F "{self.moved(group)}"'

    def moved(self, group):
        return " | ".join(f"last = {rule * self.processes + process}" for rule, process in group)


def holds(strata, *arguments):
    done = subprocess.run([strata, "check", "--progress", "off", "--trace", "off", *arguments], capture_output=True,
                          text=True, check=False, timeout=300)
    return {0: "holds", 13: "fails"}.get(done.returncode, f"{done.returncode}: {done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    problems, unfair, fails = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            case = Case(seed, pathlib.Path(folder))
            said = holds(options.strata, case.model, "--ltl", case.formula, "--fairness", case.option)
            meant = holds(options.strata, case.model, "--ltl", f"({case.assumed}) -> ({case.formula})")
            without = holds(options.strata, case.model, "--ltl", case.formula)
            unfair += without == "fails" and said == "holds"
            fails += said == "fails"
            if said != meant:
                problems.append(f"--seed {seed} --count 1: --ltl '{case.formula}' --fairness {case.option} {said}, and "
                                f"({case.assumed}) -> ... {meant}\n{case.model.read_text()}")
    print("\n".join(problems) + f"{options.count} cases, {unfair} hold only with fairness, {fails} fail with it")
    if options.count >= 20 and (unfair == 0 or fails == 0):
        problems.append("fairness never made a difference")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
