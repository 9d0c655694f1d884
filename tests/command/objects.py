"""Models as shared objects: the examples in C and C++, objects with the interfaces of DiVinE, LTSmin and SpinS, and
what is wrong with others.

    python3 objects.py --strata PATH"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

OBJECTS = Path(__file__).resolve().parent / "objects"


def compiled(world, source, name, *options):
    """The object made of a source; its headers as they are installed."""
    include = world.folder / "include" / "strata"
    if not include.exists():
        include.mkdir(parents=True)
        (include / "model.h").write_text((attack.ROOT / "src/plugin/strata_model.h").read_text(encoding="utf-8"),
                                         encoding="utf-8")
    compiler = ["cc", "-std=c99"] if source.suffix == ".c" else ["c++", "-std=c++17"]
    path = world.folder / name
    made = subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", world.folder / "include",
                           *options, "-o", path, source], text=True, capture_output=True, check=False)
    world.expect(made.returncode == 0, f"{source}: {made.stderr}")
    return path


def check(world, path, *options):
    code, out, errors = world.run(["check", path, "--json", "-", *options])
    report = json.loads(out) if out else {}
    return code, report, errors


def example_in_c(world):
    path = compiled(world, attack.EXAMPLES / "object/peterson.c", "peterson.so")
    for more in ([], ["--algorithm", "part", "--memory", "16M"], ["--fold", "on"],
                 ["--algorithm", "hddd", "--memory", "16M"]):
        code, report, errors = check(world, path, *more)
        found = [report.get(name) for name in ("verdict", "states", "language")]
        world.expect((code, found) == (0, ["holds", 10, "object"]),
                     f"{more}: {code}, {report.get('states')}, {errors}")
    code, report, errors = check(world, path, "--ltl", "G (wants0 -> F critical0)")
    world.expect(code == 0, f"a formula that holds: {code}, {errors}")
    code, report, errors = check(world, path, "--ltl", "G F critical0")
    world.expect(code == 13 and report["counterexample"]["loop"] is not None, f"it need not ask: {code}, {errors}")
    code, _, errors = check(world, path, "--ltl", "G nothing")
    world.expect(code == 151 and "there is no proposition 'nothing'; it has wants0, critical0" in errors,
                 f"{code}, {errors}")
    code, _, errors = check(world, path, "-D", "N=3")
    world.expect(code == 151 and "-D" in errors, f"-D: {code}, {errors}")
    code, out, errors = world.run(["simulate", path, "--steps", "100"])
    world.expect(code == 0 and "process 0:" in out, f"simulate: {code}, {out}{errors}")


def example_in_cpp(world):
    path = compiled(world, attack.EXAMPLES / "object/river.cc", "river.so")
    code, report, errors = check(world, path)
    steps = report["counterexample"]["steps"]
    world.expect(code == 12 and report["counterexample"]["length"] == 7, f"{code}, {errors}")
    world.expect(steps[0] == {"rule": "all here", "state": {"wolf": "here", "goat": "here", "cabbage": "here",
                                                            "farmer": "here"}} and
                 steps[1]["rule"] == "with the goat", steps)
    world.expect(report["errors"][0]["message"] == "Invariant \"not all there\" failed.", report["errors"])


def pins(world):
    for name, options in (("p.so", []), ("p.dve2C", []), ("p.spins", ["-DSPINS"])):
        path = compiled(world, OBJECTS / "pins.c", name, *options)
        for more in ([], ["--algorithm", "part", "--memory", "16M"]):
            code, report, errors = check(world, path, *more)
            world.expect((code, report.get("states"), report.get("transitions")) == (0, 200, 400),
                         f"{name} {more}: {code}, {report.get('states')}, {report.get('transitions')}, {errors}")
    path = compiled(world, OBJECTS / "pins.c", "stuck.so", "-DSTUCK", "-DLIMIT=3")
    code, report, errors = check(world, path)
    last = report["counterexample"]["steps"][-1]["state"]
    world.expect(code == 11 and last["first"] == 2 and last["colour"] in ("red", "green"), f"stuck: {code}, {errors}")
    path = compiled(world, OBJECTS / "pins.c", "property.so", "-DPROPERTY")
    code, report, errors = check(world, path)
    world.expect(code == 13 and report["counterexample"]["loop"] is not None, f"a property process: {code}, {errors}")


WRONG = """
#include <strata/model.h>
static void none(strata_emit emit, void* sink) { (void)emit; (void)sink; }
static void next(const void* s, strata_emit emit, void* sink) {
  int i;
  for (i = 0; i < SUCCESSORS; ++i) { unsigned char t = (unsigned char)i; emit(sink, RULE, FAIL ? NULL : &t); }
  (void)s;
}
static void start(strata_emit emit, void* sink) { unsigned char s = 99; emit(sink, FIRST, &s); }
static int violated(const void* s) { return *(const unsigned char*)s == 99 ? -1 : VIOLATED; }
static void text(const void* s, uint32_t v, char* t, size_t n) { (void)s; (void)v; if (n) *t = 0; }
const struct strata_model* strata_model_v1(void) {
  static const char* const names[] = {"one", NULL};
  static const struct strata_model m = {ABI, BYTES, MOST, names, names, INVARIANTS, PROPOSITIONS, names, START, next,
                                        violated, NULL, text};
  (void)none; (void)start;
  return &m;
}
"""


def mistakes(world):
    source = world.write("wrong.c", WRONG)
    usual = {"ABI": "1", "BYTES": "1", "PROPOSITIONS": "NULL", "START": "start", "SUCCESSORS": "2", "FAIL": "0",
             "RULE": "0", "FIRST": "0", "VIOLATED": "-1", "INVARIANTS": "NULL", "MOST": "3"}
    for changes, code_wanted, wanted in (({}, 0, ""), ({"ABI": "7"}, 150,
                                                       "it has interface 7, and this version of Strata knows 1"),
                                         ({"BYTES": "0"}, 150, "its states have 0 bytes"),
                                         ({"PROPOSITIONS": "names"}, 150, "it has propositions, but no function holds"),
                                         ({"SUCCESSORS": "9"}, 75, "a state has more successors than the 3 that the "
                                                                   "model allows"),
                                         ({"FAIL": "1"}, 75, "the rule failed"),
                                         ({"RULE": "1"}, 75, "the object returned rule 1, but its rules "
                                                             "are numbered 0 to 0"),
                                         ({"RULE": "4000000000u"}, 75, "the object returned rule 4000000000, but"),
                                         ({"RULE": "1", "FAIL": "1"}, 75, "the object returned rule 1, but"),
                                         ({"FIRST": "7"}, 75, "the object returned start state 7, but its "
                                                              "start states are numbered 0 to 0"),
                                         ({"VIOLATED": "0", "INVARIANTS": "names"}, 12, "Invariant \"one\" failed"),
                                         ({"VIOLATED": "1", "INVARIANTS": "names"}, 75,
                                          "the object returned invariant 1, but"),
                                         ({"VIOLATED": "-7", "INVARIANTS": "names"}, 75,
                                          "the object returned invariant -7"),
                                         ({"VIOLATED": "0"}, 75, "the object returned invariant 0, but it has none"),
                                         ({"SUCCESSORS": "100000000"}, 75, "a state has more successors than the 3"),
                                         ({"MOST": "0xffffffffu"}, 150, "its max_successors is 4294967295"),
                                         ({"START": "none"}, 75, "start state")):
        options = [f"-D{name}={value}" for name, value in {**usual, **changes}.items()]
        code, out, errors = world.run(["check", compiled(world, source, "wrong.so", *options), "--deadlock", "off"])
        world.expect(code == code_wanted and wanted in out + errors, f"{changes}: {code}, {out}{errors}")
    (world.folder / "text.so").write_text("no object", encoding="utf-8")
    code, _, errors = world.run(["check", world.folder / "text.so"])
    world.expect(code == 150 and "it cannot be loaded" in errors, f"no object: {code}, {errors}")
    empty = world.write("empty.c", "int nothing(void);\nint nothing(void) { return 0; }\n")
    code, _, errors = world.run(["check", compiled(world, empty, "empty.so")])
    world.expect(code == 150 and "it exports neither strata_model_v1" in errors, f"another object: {code}, {errors}")
    code, _, errors = world.run(["info", world.folder / "empty.so"])
    world.expect(code == 151 and "only `strata check`" in errors, f"info: {code}, {errors}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    tests = (example_in_c, example_in_cpp, pins, mistakes)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
