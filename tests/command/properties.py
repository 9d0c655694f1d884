"""Several properties in one run: each gets the answer of a run of its own, and the worst decides.

    python3 properties.py --strata PATH [--shared FOLDER]

Formulas in the text of a Murphi model, --ltl, --property, --automaton and --safety; text, JSON, JUnit, SARIF, page. The
models of ../shared/models/dve-small that have several formulas, where the folder is there."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# Two processes and a lock: process 1 may starve, both are never inside, and the counter never reaches 3.
LOCK = """-- A lock with formulas.
const N: 2;
type Pid: 0..N-1;
var inside: array [Pid] of boolean; free: boolean; rounds: 0..2;
startstate
  for p: Pid do inside[p] := false; end; free := true; rounds := 0;
end;
ruleset p: Pid do
  rule "enter" free ==> inside[p] := true; free := false; end;
  rule "leave" inside[p] ==> inside[p] := false; free := true; rounds := (rounds + 1) % 3; end;
end;
invariant "one inside" !(inside[0] & inside[1]);
--@ ltl "comes back" G F "free";
--@ ltl "no starvation"
--@   G F "inside[1]";
--@ ltl "bounded" G "rounds < 3";
--@ ltl "reaches two" EF "rounds = 2";
--@ ltl "can restart" AG EF "rounds = 0";
"""


class World:
    def __init__(self, strata, folder):
        self.strata, self.folder, self.problems = strata, folder, []
        self.model = folder / "lock.m"
        self.model.write_text(LOCK)

    def expect(self, holds, what):
        if not holds:
            self.problems.append(str(what))

    def check(self, model, *arguments, environment=None):
        """Exit code, report, text and messages."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run([self.strata, "check", model, "--progress", "off", "--json", report, *arguments],
                              capture_output=True, text=True, check=False, env=dict(os.environ, **(environment or {})))
        result = json.loads(report.read_text()) if report.exists() else {}
        return done.returncode, result, done.stdout, done.stderr


def verdicts(report):
    return {entry["name"]: entry["verdict"] for entry in report.get("properties", [])}


def path_of(entry):
    """What a path consists of, however the report has it."""
    path = entry.get("counterexample") or entry.get("witness")
    return path and (path["length"], path["loop"], [step.get("rule") for step in path["steps"]])


def same_as_alone(world, model, names, *arguments):
    """A run for all properties and a run for each."""
    asked = [word for name in names for word in ("--property", name)]
    code, together, out, errors = world.check(model, *asked, *arguments)
    world.expect(set(verdicts(together)) == set(names), f"{model}: {verdicts(together)}, not {names}\n{errors}")
    codes = []
    for entry in together.get("properties", []):
        one, alone, _, errors = world.check(model, "--property", entry["name"], *arguments)
        where = f"{model}, {entry['name']}"
        codes.append((entry["verdict"] != "holds", one))
        world.expect(entry["exit_code"] == one, f"{where}: {entry['exit_code']}, alone {one}: {errors}")
        for key in ("verdict", "exact", "stop"):
            world.expect(entry[key] == alone[key], f"{where}: {key} {entry[key]}, alone {alone[key]}")
        if entry["verdict"] == "holds":
            world.expect(entry["states"] == alone["states"], f"{where}: {entry['states']}, alone {alone['states']}")
        here, there = path_of(entry), path_of(alone)
        # Which cycle is found depends on the order of threads.
        world.expect((here is None) == (there is None) and (here is None or here[1] is not None or here[0] == there[0]),
                     f"{where}: {here}, alone {there}")
        world.expect(len(alone["properties"]) == 1 and "counterexample" not in alone["properties"][0], where)
    wrong = [one for bad, one in codes if bad]
    world.expect(code == (wrong[0] if wrong else 0), f"{model}: exit code {code}, not that of the first of {codes}")
    return out


def formulas_in_the_text(world):
    code, report, out, errors = world.check(world.model)
    expected = {"the model's own properties": "holds", "comes back": "holds", "no starvation": "violated",
                "bounded": "holds", "reaches two": "holds", "can restart": "holds"}
    world.expect(code == 13 and verdicts(report) == expected, f"{code}: {verdicts(report)}\n{errors}")
    world.expect(report["verdict"] == "violated" and report["counterexample"]["loop"] is not None, "the worst decides")
    for name, verdict in expected.items():
        world.expect(re.search(rf"^\t{verdict} +{name}", out, re.M), f"{name} is not in the summary:\n{out[-900:]}")
    same_as_alone(world, world.model, [name for name in expected if not name.startswith("the")])
    code, report, _, _ = world.check(world.model, "--safety")
    world.expect(code == 0 and list(verdicts(report)) == ["the model's own properties"], f"--safety: {report}")
    code, report, _, _ = world.check(world.model, "--safety", "--ltl", 'G F "free"', "--property", "no starvation")
    world.expect(code == 13 and len(report["properties"]) == 3, f"--safety beside formulas: {verdicts(report)}")
    code, report, _, _ = world.check(world.model, "--ltl", 'G F "free"', "--invariant", "rounds < 2")
    world.expect(code == 12 and list(verdicts(report).values()) == ["violated", "holds"], f"--invariant: {report}")
    code, report, _, _ = world.check(world.model, "--fairness", "weak")
    world.expect(verdicts(report).get("no starvation") == "violated" and code == 13, f"weak: {verdicts(report)}")


def one_search_for_states(world):
    """The properties of states of a model without errors are searched once; with errors, once more for each."""
    asked = ["--safety", "--ltl", 'G "rounds < 3"', "--ltl", 'G !("inside[0]" && "inside[1]")', "--ltl",
             'G "rounds < 2"', "--ltl", 'EF "rounds = 1"', "--ltl", 'EF "rounds = 3"']
    code, report, _, errors = world.check(world.model, *asked)
    world.expect([entry["verdict"] for entry in report["properties"]] ==
                 ["holds", "holds", "holds", "violated", "holds", "violated"] and code == 13,
                 f"{verdicts(report)} {errors}")
    lengths = [path_of(entry) and path_of(entry)[0] for entry in report["properties"]]
    world.expect(lengths == [None, None, None, 4, 2, None], f"paths of {lengths} steps")
    cache = world.folder / "cache"
    _, report, _, errors = world.check(world.model, *asked, "--ltl", 'G F "free"', "--ltl", 'AG EF "rounds = 1"',
                                       environment={"XDG_CACHE_HOME": str(cache)})
    objects = [path for path in cache.rglob("*.so")]
    world.expect(len(objects) == 1, f"{len(objects)} compiled models for one run: {objects} {errors}")


def asymmetric(world):
    """A formula that breaks the symmetry leaves it to the other properties."""
    model = world.folder / "symmetric.m"
    model.write_text(LOCK.replace("Pid: 0..N-1", "Pid: scalarset(N)").replace(
        '!(inside[0] & inside[1])', 'forall p: Pid; q: Pid do p != q -> !(inside[p] & inside[q]) end').replace(
            '"inside[1]"', '"exists p: Pid do inside[p] end"'))
    code, report, _, errors = world.check(model)
    world.expect(code == 0 and len(report["properties"]) == 6, f"symmetric: {code} {verdicts(report)} {errors}")
    alone = world.check(model, "--safety")[1]
    world.expect(report["properties"][0]["states"] == alone["states"], "the states of the run alone")


def reports(world):
    page, junit, sarif, trace = (world.folder / name for name in ("p.html", "j.xml", "s.sarif", "t.itf.json"))
    world.check(world.model, "--report", page, "--junit", junit, "--sarif", sarif, "--trace-file", trace,
                "--ltl", 'G "rounds < 2"', "--ltl", 'G F "inside[1]"', "--ltl", 'G F "free"')
    text = page.read_text()
    world.expect(text.count('"kind":"counterexample"') == 2, "traces of the page")
    world.expect('G \\"rounds \\u003c 2\\": ' in text, "the page names the property of a trace")
    world.expect(junit.read_text().count("<testcase") == 3 and junit.read_text().count("<failure") == 2, "JUnit")
    world.expect(len(json.loads(sarif.read_text())["runs"][0]["results"]) == 2, "SARIF")
    world.expect(len(json.loads(trace.read_text())["states"]) == 5, "the file of --trace-file has the first path")


def causes(world):
    """An invariant that fails names the values of its quantifiers and the parts of the state that decide."""
    model = world.folder / "cause.m"
    model.write_text("""type Pid: scalarset(3); Place: enum { home, out };
var at: array [Pid] of record place: Place; n: 0..3; end; busy: boolean;
startstate for p: Pid do at[p].place := home; at[p].n := 0; end; busy := false; end;
ruleset p: Pid do rule "go" at[p].place = home ==> at[p].place := out; at[p].n := at[p].n + 1; busy := true; end; end;
invariant "one out" busy -> forall p: Pid do at[p].place = out -> forall q: Pid do q != p -> at[q].place = home end end;
""")
    for options in (["--symmetry", "off"], ["--symmetry", "exact"]):
        code, report, out, errors = world.check(model, *options, "--deadlock", "off")
        error = (report.get("errors") or [{}])[0]
        bound = error.get("bound", {})
        world.expect(code == 12 and list(bound) == ["p", "q"] and len(set(bound.values())) == 2, f"{error} {errors}")
        last = report["counterexample"]["steps"][-1]["state"]["at"]
        world.expect(all(last[value]["place"] == "out" for value in bound.values()), f"{bound} is not what breaks it")
        reads = ["busy", *(f"at[{value}].place" for value in bound.values())]
        world.expect(error["reads"] == reads, f"{error.get('reads')}, not {reads}")
        world.expect(f"\t  for p = {bound.get('p')}, q = {bound.get('q')}\n" in out, out[-900:])
    code, report, out, _ = world.check(model, "--deadlock", "off", "--symmetry", "off", "--ltl",
                                       'G ("busy" -> "exists p: Pid do at[p].n > 1 end" || "at[Pid_1].n = 0")')
    world.expect(code == 13 and "at[Pid_1].n" in report["errors"][0]["reads"], f"a formula: {report.get('errors')}")


def mistakes(world):
    cases = [(["--ltl", "G F", "--safety"], 150, "--ltl:1:4"),
             (["--ltl", 'G "free"', "--ltl", 'F "nowhere"'], 150, "nowhere"),
             (["--property", "comes back", "--property", "lives"], 151,
              'has no formula "lives"; it has "comes back", "no starvation"'),
             (["--checkpoint", str(world.folder / "saved")], 151, "--checkpoint works with one property"),
             (["--plan"], 151, "--plan works with one property"),
             (["--ltl", 'G F "free"', "--safety", "--bound", "5"], 151, "--bound")]
    for arguments, expected, words in cases:
        code, _, out, errors = world.check(world.model, *arguments)
        world.expect(code == expected and words in errors and "Property 1" not in out, f"{arguments}: {code}, {errors}")
    for command in ("graph", "info"):
        done = subprocess.run([world.strata, command, world.model, "--ltl", "F a", "--ltl", "F b"], capture_output=True,
                              text=True, check=False)
        world.expect(done.returncode == 151 and "only `strata check` takes more than one" in done.stderr, done.stderr)
    wrong = world.folder / "wrong.m"
    for line, words in (('--@ ltl "a" F b', "does not end"), ('--@ ltl F b', "expected --@ ltl"),
                        ('--@ ltl "a" F (;', "wrong.m: property a:1:4"), ('--@ ltl "a" F "nix";', "nix")):
        wrong.write_text(LOCK + line + "\n")
        code, _, _, errors = world.check(wrong)
        world.expect(code == 150 and words in errors, f"{line}: {code}, {errors}")


def mixtures(world):
    """What one search must not answer for another property."""
    counter = world.folder / "counter.m"
    counter.write_text("var x: 0..10; startstate x := 0; end; rule \"inc\" x < 5 ==> x := x + 1; end; rule \"dec\" "
                       "x > 0 ==> x := x - 1; end;\n")

    def answers_of(*arguments, model=counter):
        code, report, _, errors = world.check(model, "--trace", "off", *arguments)
        return code, [(entry["verdict"], [error["message"] for error in entry["errors"]])
                      for entry in report.get("properties", [])], errors

    def kinds(found):
        return [verdict for verdict, _ in found]

    many = [word for _ in range(64) for word in ("--ltl", 'AG EF "x = 4"')]
    code, found, _ = answers_of(*many, "--ltl", 'AG EF "x = 9"')
    world.expect(code == 13 and kinds(found) == 64 * ["holds"] + ["violated"], f"65: {code} {found}")
    many = [word for number in range(70) for word in ("--ltl", f'G "x != {number % 5 + 6}"')]
    code, found, _ = answers_of(*many, "--ltl", 'G "x != 5"', "--safety")
    world.expect(code == 13 and kinds(found) == 71 * ["holds"] + ["violated"], f"72: {code} {found}")
    for twice in (["--safety", "--property", "none"], ["--property", "none", "--property", "none"]):
        code, found, errors = answers_of(*twice, "--ltl", 'G "x < 3"')
        world.expect(code == 13 and kinds(found) == ["holds", "violated"], f"{twice}: {code} {errors}")
    # A proposition that cannot be evaluated is an error of its own formula alone.
    division = "division by zero, in the proposition '10 / x > 1'"
    for others in (["--safety", "--ltl", 'G "10 / x > 1"'], ["--ltl", 'G "x < 8"', "--ltl", 'F "10 / x > 1"'],
                   ["--ltl", 'G F "x < 8"', "--ltl", 'G F "10 / x > 1"'],
                   ["--ltl", 'AG EF "x = 0"', "--ltl", 'AG EF "10 / x > 1"']):
        code, found, errors = answers_of(*others)
        expected = [("holds", []), ("error", [division])]
        world.expect(code == 75 and found == expected, f"{others}: {code} {found} {errors}")
    asserting = world.folder / "asserting.m"
    asserting.write_text(counter.read_text().replace("x := x + 1", 'assert x < 4 "small"; x := x + 1'))
    code, found, _ = answers_of("--ltl", 'G "x < 8"', "--ltl", 'G "x < 9"', model=asserting)
    world.expect([(verdict, "small" in "".join(messages)) for verdict, messages in found] == 2 * [("assertion", True)],
                 f"an assertion: {found}")
    wide = world.folder / "wide.m"
    wide.write_text("type P: 0..70000; Q: 1..16; var x: 0..70000; startstate x := 0; end; ruleset p: P do rule \"go\" "
                    "x = p ==> x := (p + 1) % 4; end; end; ruleset q: Q do rule \"sq\" x = q ==> x := 0; end; end;\n")
    code, _, errors = answers_of("--ltl", 'G F "x = 3"', "--fairness", "weak/p", "--fairness", "strong:sq/q",
                                 model=wide)
    world.expect(code == 151 and "are too many" in errors, f"too many for a number: {code} {errors}")
    for option, words in (("weak/zz", "no rule has a parameter 'zz'"), ("strong:", "names no rule"),
                          ("weak:inc/", "names no parameter"), ("strong:nope", "has no rule 'nope'")):
        code, _, errors = answers_of("--ltl", 'G "x < 9"', "--fairness", option)
        world.expect(code == 151 and words in errors, f"--fairness {option}: {code} {errors}")
    # Liveness properties of the model's own are checked, however the run names them.
    trap = world.folder / "trap.m"
    trap.write_text("var x: 0..2; startstate x := 0; end; rule x < 2 ==> x := x + 1; end; rule x = 2 ==> x := 1; end; "
                    "liveness \"home\" x = 0;\n")
    for asked in (["--safety"], ["--property", "none"]):
        code, found, errors = answers_of(*asked, "--ltl", 'G "x < 3"', "--ltl", 'G F "x = 1"', model=trap)
        world.expect(code == 13 and kinds(found) == ["violated", "holds", "holds"], f"{asked}: {code} {found} {errors}")
    comment = world.folder / "comment.m"
    comment.write_text("--@ see the wiki\n" + counter.read_text())
    world.expect(answers_of(model=comment)[0] == 0, "a comment without a formula")
    parts = world.folder / "parts.m"
    parts.write_text("type R: record a: 0..1; b: 0..1; end; var r: R; s: R; startstate clear r; clear s; end; "
                     "rule r.b = 0 ==> r.b := 1; end; invariant \"same\" r = s;\n")
    code, report, _, errors = world.check(parts)
    world.expect(code == 12 and report["errors"][0]["reads"] == ["r", "s"], f"records: {report.get('errors')} {errors}")


def limits(world):
    """What was not searched is incomplete, and what was found is kept."""
    code, report, out, errors = world.check(EXAMPLES / "peterson.m", "-D", "N=5", "--time-limit", "0.5", "--ltl",
                                            'G F "pc[0] = Critical"', "--ltl", 'G F "pc[1] = Critical"', "--safety")
    found = [entry["verdict"] for entry in report.get("properties", [])]
    world.expect(len(found) == 3 and found[0] == "incomplete" and code in (13, 152), f"{code}: {found} {errors}")
    world.expect(all(entry["verdict"] != "incomplete" or entry["reason"] == "time" for entry in report["properties"]),
                 f"reasons: {report.get('properties')}")


def dve_with_formulas(world, folder):
    """The small DVE models that have several formulas."""
    found = 0
    for path in sorted(folder.glob("*.dve")):
        done = subprocess.run([world.strata, "info", path, "--json", "-"], capture_output=True, text=True, check=False)
        names = [formula["name"] for formula in json.loads(done.stdout).get("formulas", [])] if done.stdout else []
        if len(names) < 2:
            continue
        found += 1
        same_as_alone(world, path, names)
    print(f"{found} models of {folder.name} have several formulas")
    world.expect(found > 0, f"no model of {folder} has several formulas")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", type=pathlib.Path, required=True)
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT.parent / "shared" / "models" / "dve-small")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = World(arguments.strata, pathlib.Path(folder))
        for test in (formulas_in_the_text, one_search_for_states, asymmetric, reports, causes, mixtures, mistakes,
                     limits):
            test(world)
        if arguments.shared.exists():
            dve_with_formulas(world, arguments.shared)
    for problem in world.problems:
        print(problem)
    return 1 if world.problems else 0


if __name__ == "__main__":
    sys.exit(main())
