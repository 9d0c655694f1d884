"""Compares Strata with rumur on models with liveness properties: some written by hand, the others random graphs.

    python3 liveness_vs_rumur.py --strata PATH --count 20 --seed 1

The verdict must be the same, in RAM and on disk. Exit code: 0 all equal, 1 a difference, 77 rumur is not installed
(ctest: skipped)."""

import argparse
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))

import rumur_peer  # noqa: E402
import strata_run  # noqa: E402

COUNTER = """\
var x: 0..5; y: boolean;
startstate x := 0; y := false; end;
rule "up" x < 5 ==> x := x + 1; end;
rule "again" x = 5 ==> x := 0; end;
"""
TRAP = COUNTER + 'rule "trap" x = 3 ==> y := true; x := 5; end;\n'
NODES = """\
type Id: scalarset(3);
var busy: array [Id] of boolean; owner: Id; taken: boolean;
startstate for i: Id do busy[i] := false; end; taken := false; undefine owner; end;
ruleset i: Id do
  rule "take" !taken ==> taken := true; owner := i; busy[i] := true; end;
  rule "give" taken & !isundefined(owner) & owner = i ==> taken := false; undefine owner; busy[i] := false; end;
end;
"""
# Name, text, whether the properties hold.
BY_HAND = [
    ("holds", COUNTER + 'liveness "zero" x = 0;', True),
    ("never", COUNTER + 'liveness "set" y;', False),
    ("trap", TRAP + 'liveness "clear" !y;', False),
    ("two", TRAP + 'liveness "zero" x = 0; liveness "clear" !y;', False),
    ("not_named", TRAP + "liveness x = 4;", True),
    ("ruleset", COUNTER + "ruleset i: 0..5 do liveness x = i; end;", True),
    ("ruleset_fails", COUNTER + 'ruleset i: 0..5 do liveness "and" x = i & (y | i < 5); end;', False),
    ("nested", TRAP + "ruleset i: 0..5; b: boolean do liveness (x = i) | (y = b); end;", True),
    ("scalarset", NODES + "ruleset i: Id do liveness busy[i]; end;", True),
    ("all_at_once", NODES + "liveness forall i: Id do busy[i] end;", False),
    ("with_invariant", COUNTER + 'invariant x < 5; liveness "zero" x = 0;', False),
    ("self_loop", "var x: 0..1; startstate x := 0; end; rule true ==> x := x; end; rule x = 0 ==> x := 1; end; "
                  "liveness x = 0;", False),
]


def random_model(generator):
    """A graph as rules, and liveness properties of its nodes."""
    size = generator.randint(3, 9)
    text = f"var x: 0..{size - 1};\nstartstate x := 0; end;\n"
    for node in range(size):
        for _ in range(generator.choice((1, 1, 2, 3))):
            text += f"rule x = {node} ==> x := {generator.randrange(size)}; end;\n"
    for _ in range(generator.randint(1, 2)):
        low, high = sorted((generator.randrange(size), generator.randrange(size)))
        if generator.random() < 0.5:
            text += f"liveness x >= {low} & x <= {high};\n"
        else:
            text += f"ruleset i: {low}..{high} do liveness x = i | x = {generator.randrange(size)}; end;\n"
    return text


def difference(strata, folder, name, text, expected):
    path = pathlib.Path(folder) / f"{name}.m"
    path.write_text(text, encoding="utf-8")
    rumur = rumur_peer.check(path, folder, "off")
    if rumur.problem:
        return f"{name}: {rumur.problem}"
    answers = {"rumur": not rumur.errors}
    for algorithm, options in (("ram", []), ("auto", ["--set", "ram=0", "--memory", "64M"])):
        found = strata_run.check(strata, path, ["--deadlock", "off", "--undefined", "strict", *options],
                                 algorithm=algorithm)
        if found.answer() not in ("holds", "liveness", "invariant"):
            return f"{name}: strata says {found.answer()}\n{found.text()}"
        answers[f"strata {algorithm}"] = found.answer() == "holds"
    if len(set(answers.values())) != 1 or expected not in (None, answers["rumur"]):
        return f"{name}: {answers}, expected {expected}\n{text}\n{found.text()}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not rumur_peer.installed() or not shutil.which("cc"):
        print("skipped: rumur is not installed")
        return 77
    models = list(BY_HAND)
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        models.append((f"seed_{seed}", random_model(random.Random(seed)), None))
    with tempfile.TemporaryDirectory() as folder:
        found = [difference(arguments.strata, folder, *model) for model in models]
    found = [one for one in found if one]
    print("\n".join(f"FAILED {one}" for one in found))
    print(f"{len(models)} models, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
