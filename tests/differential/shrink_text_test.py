"""Shrinks random programs with faults planted into a fake tool, and looks at how small they get.

    python3 shrink_text_test.py

Exit code: 0 all is as it should be, 1 something is not.
"""

import pathlib
import re
import sys
import tempfile

import dve_generator
import dve_vs_murphi
import murphi_generator
import shrink_text


def balanced(text):
    """A fake front end: brackets and words that open and close are in pairs, and there is a start state."""
    depth = 0
    for token in re.findall(r"[(){}\[\]]", text):
        depth += 1 if token in "([{" else -1
        if depth < 0:
            return False
    return depth == 0 and "startstate" in text.lower()


def a_fault_in_one_rule(text):
    """A fake pair of tools that differ where a rule assigns after a comparison with `>=`, in a valid text."""
    return balanced(text) and re.search(r">=[^;]*==>[^;]*:=", text, re.DOTALL) is not None


def lines(text):
    return len(text.splitlines())


def check(problems, condition, text):
    if not condition:
        problems.append(text)


def planted_faults(problems):
    shrunk = 0
    for seed in range(1, 120):
        text = murphi_generator.generate(seed)
        if not a_fault_in_one_rule(text):
            continue
        shrunk += 1
        small = shrink_text.shrink(text, a_fault_in_one_rule, 30)
        check(problems, a_fault_in_one_rule(small), f"seed {seed}: the small text does not differ:\n{small}")
        check(problems, lines(small) <= 4, f"seed {seed}: {lines(small)} lines of {lines(text)} are left:\n{small}")
        again = shrink_text.shrink(text, a_fault_in_one_rule, 30)
        check(problems, small == again, f"seed {seed}: not the same text twice")
    check(problems, shrunk >= 3, f"only {shrunk} programs show the fault")
    return shrunk


def two_lines_far_apart(problems):
    """Lines that are needed together stay, whatever is between them."""
    text = "".join(f"rule {i};\n" for i in range(3000))
    small = shrink_text.shrink(text, lambda tried: "rule 17;" in tried and "rule 2900;" in tried, 60)
    check(problems, small == "rule 17;\nrule 2900;\n", f"two lines far apart: {small!r}")


def systems_in_two_languages(problems):
    """A fault planted into the comparison: systems with an effect on g0 differ. One step with one effect shows it."""
    def differs(system):
        return any(effect[0].startswith("g0") for step in system.steps for effect in step.effects)

    shrunk = 0
    for seed in range(1, 20):
        system = dve_generator.System(seed)
        if not differs(system):
            continue
        shrunk += 1
        small = dve_vs_murphi.shrink(system, differs, 20)
        parts = [len(small.steps), sum(len(step.effects) for step in small.steps),
                 sum(step.guard is not None for step in small.steps)]
        check(problems, differs(small) and parts == [1, 1, 0], f"system {seed}: steps, effects, guards {parts}")
        check(problems, "process P0" in small.dve() and "rule" in small.murphi(), f"system {seed} has no text")
    check(problems, shrunk >= 3, f"only {shrunk} systems show the fault")


def a_file_is_kept(problems):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "seed-1.m"
        path.write_text("a;\nfault;\nb;\n", encoding="utf-8")
        told = shrink_text.keep_smallest(path, lambda tried: "fault" in tried.read_text(encoding="utf-8"), 10)
        small = path.with_name("seed-1.small.m")
        check(problems, small.read_text(encoding="utf-8").strip().startswith("fault"), "the small file is another one")
        check(problems, "1 lines instead of 3" in told, told)
        told = shrink_text.keep_smallest(path, lambda tried: False, 10)
        check(problems, told == "the difference does not occur again" and not small.exists(), told)


def main():
    problems = []
    shrunk = planted_faults(problems)
    two_lines_far_apart(problems)
    systems_in_two_languages(problems)
    a_file_is_kept(problems)
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"{shrunk} programs with a planted fault; {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
