"""What continuous integration gets: JUnit and SARIF files, several models in one call, suites with expectations.

    python3 ci.py --strata PATH
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

GOOD = "var x: 0..3; startstate x := 0; end; rule x := (x + 1) % 4; end;\n"
DEAD = "var x: 0..3;\nstartstate x := 0; end;\nrule x < 3 ==> x := x + 1; end;\n"
WRONG = DEAD + "invariant \"small\"\n  x < 3;\n"
REJECTED = GOOD + "\n  rul x;\n"
LONG = [attack.EXAMPLES / "peterson.m", "-D", "N=6"]


def models(world):
    return [world.write(name, text) for name, text in
            (("good.m", GOOD), ("dead.m", DEAD), ("wrong.m", WRONG), ("rejected.m", REJECTED))]


def findings(path):
    run = json.loads(path.read_text(encoding="utf-8"))["runs"][0]
    out = []
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        out.append((result["ruleId"], place["artifactLocation"]["uri"].rsplit("/", 1)[-1],
                    place.get("region", {}).get("startLine")))
    return out


def one_model(world):
    junit, sarif = world.folder / "j.xml", world.folder / "s.sarif"
    expected = {"good.m": (0, "0", "0", []), "dead.m": (11, "1", "0", [("deadlock", "dead.m", None)]),
                "wrong.m": (12, "1", "0", [("invariant", "wrong.m", 4)]),
                "rejected.m": (150, "0", "1", [("model", "rejected.m", 3)])}
    for path in models(world):
        code, _, errors = world.run(["check", path, "--junit", junit, "--sarif", sarif])
        suite = ElementTree.parse(junit).getroot()[0]
        seen = (code, suite.get("failures"), suite.get("errors"), findings(sarif))
        world.expect(seen == expected[path.name], f"{path.name}: {seen}, {errors}")
        world.expect(suite[0].get("name") == str(path), f"{path.name}: the case is {suite[0].get('name')}")
    code, _, _ = world.run(["check", models(world)[0], "--time-limit", "0.000001", "--bound", "1", "--junit", junit])
    error = ElementTree.parse(junit).getroot()[0][0].find("error")
    world.expect(code == 152 and error is not None and error.get("type") == "incomplete", f"incomplete: {code}")
    code, _, errors = world.run(["check", models(world)[0], "--sarif", world.folder / "absent" / "s"])
    world.expect(code == 153 and "--sarif" in errors, f"a bad path: {code}, {errors}")


def several_models(world):
    junit, sarif, report = world.folder / "j.xml", world.folder / "s.sarif", world.folder / "r.json"
    paths = models(world)
    code, out, errors = world.run(["check", *paths, "--junit", junit, "--sarif", sarif, "--json", report, "--threads",
                                   "1"])
    suite = ElementTree.parse(junit).getroot()[0]
    world.expect(code == 11, f"the exit code is that of the first that does not hold: {code}")
    world.expect((suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1"), suite.attrib)
    world.expect("1 of 4 runs without an error." in out and f"FAILED {paths[1]}: deadlock, 4 states" in out, out)
    world.expect("rejected.m:3:3: error: " in errors, f"what is wrong with a model is shown: {errors}")
    world.expect(len(findings(sarif)) == 3, findings(sarif))
    found = attack.read_json(report)
    world.expect([run["verdict"] for run in found["runs"]] == ["holds", "deadlock", "violated", "rejected"], found)
    world.expect((found["planned"], found["passed"], found["schema"]) == (4, 1, 1), found)
    code, out, _ = world.run(["check", paths[0], paths[0], "-D", "N=3"])
    world.expect(code == 151, f"options are those of each run: {code}")
    code, out, _ = world.run(["check", paths[0], attack.EXAMPLES / "peterson.m"])
    world.expect(code == 0 and "2 of 2 runs without an error." in out, f"two that hold: {code}, {out}")


def suite_file(world, runs, **more):
    return world.write("suite.json", json.dumps({"runs": runs, **more}))


def suites(world):
    models(world)
    junit, sarif = world.folder / "j.xml", world.folder / "s.sarif"
    as_it_is = [{"model": "good.m", "expect": {"states": 4, "transitions": 4, "depth": 3}},
                {"model": "dead.m", "expect": "deadlock"}, {"model": "dead.m", "options": ["--deadlock", "off"]},
                {"model": "wrong.m", "expect": {"verdict": "violated", "message": "small"}},
                {"name": "broken", "model": "rejected.m", "expect": "rejected"}]
    code, out, errors = world.run(["suite", suite_file(world, as_it_is, options=["--threads", "1"]), "--junit", junit,
                                   "--sarif", sarif])
    world.expect((code, errors) == (0, "") and "5 of 5 runs as expected." in out, f"as expected: {code}, {out}{errors}")
    world.expect(ElementTree.parse(junit).getroot()[0].get("failures") == "0" and findings(sarif) == [],
                 "files of a good suite")
    other = [{"model": "good.m", "expect": {"states": 5}}, {"model": "dead.m"},
             {"model": "wrong.m", "expect": "violated"}]
    code, out, errors = world.run(["suite", suite_file(world, other), "--junit", junit, "--json", "-"])
    found = json.loads(out)
    world.expect(code == 1 and [run["passed"] for run in found["runs"]] == [False, False, True],
                 f"not as expected: {code}, {out}")
    world.expect("expected 5 states, found 4" in errors and "expected holds, found deadlock" in errors, errors)
    suite = ElementTree.parse(junit).getroot()[0]
    world.expect(suite.get("failures") == "2" and suite[0].find("failure").get("type") == "expectation", suite.attrib)
    code, _, errors = world.run(["suite", suite_file(world, [{"model": "good.m", "exect": "holds"}])])
    world.expect(code == 151 and "did you mean 'expect'?" in errors, f"a mistake: {code}, {errors}")
    world.write("suite.yaml", "options: [--threads, 1]\nruns:\n- model: good.m  # holds\n- {model: wrong.m, expect: "
                              "{verdict: violated}}\n")
    code, out, errors = world.run(["suite", world.folder / "models/suite.yaml", "--junit", junit])
    world.expect(code == 0 and ElementTree.parse(junit).getroot()[0].get("tests") == "2",
                 f"YAML: {code}, {out}{errors}")
    wrong = world.write("wrong.yml", "runs:\n  - model: good.m\n    expcet: holds\n")
    code, _, errors = world.run(["suite", wrong])
    world.expect((code, errors) == (151, f"{wrong}:3:5: error: run 1 has no 'expcet'; did you mean 'expect'?\n      "
                                         "expcet: holds\n      ^\n"), errors)
    code, _, errors = world.run(["suite", world.folder / "absent.json"])
    world.expect(code == 153, f"no file: {code}, {errors}")


def inexact_depth(world):
    """local finds states of msi.m again, some a level later: its depth of 32 is known as "at most 33" only."""
    report, junit = world.folder / "r.json", world.folder / "j.xml"
    local = ["--algorithm", "local", "--memory", "18M", "--disk", str(world.folder)]
    code, out, _ = world.run(["check", attack.EXAMPLES / "msi.m", *local, "--json", report])
    found = attack.read_json(report)
    world.expect(code == 0 and "\tdepth at most 33, largest level" in out, out)
    world.expect((found.get("depth"), found.get("depth_at_most"), found["levels_exact"]) == (None, 33, False), found)
    runs = [{"model": str(attack.EXAMPLES / "msi.m"), "options": local, "expect": {"states": 4282, "depth": 32}},
            {"model": str(attack.EXAMPLES / "msi.m"), "expect": {"states": 4282, "depth": 32}}]
    code, out, errors = world.run(["suite", suite_file(world, runs), "--json", report, "--junit", junit])
    world.expect(code == 0 and "depth at most 33, not compared with 32" in out, f"{code}, {out}, {errors}")
    found = attack.read_json(report)["runs"]
    world.expect([(run.get("depth"), run.get("depth_at_most")) for run in found] == [(None, 33), (32, None)], found)
    world.expect("depth at most 33" in junit.read_text(encoding="utf-8"), "the JUnit file")


def action(world):
    """The words of the action's input are taken apart, and not run."""
    text = (attack.ROOT / "action.yml").read_text(encoding="utf-8")
    script = textwrap.dedent(text[text.rindex("run: |\n") + len("run: |\n"):])
    fake = world.write("strata", "#!/bin/sh\nfor word in \"$@\"; do echo \"[$word]\"; done\n")
    fake.chmod(0o755)

    def words(arguments):
        environment = {**os.environ, "PATH": f"{fake.parent}:{os.environ['PATH']}", "ARGUMENTS": arguments,
                       "JUNIT": "j", "SARIF": "s"}
        done = subprocess.run(["bash", "-c", script], cwd=world.folder, env=environment, capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()[:-4]

    evil = "check a.m $(touch made) `touch made`; touch made); touch made #"
    world.expect(words(evil) == (0, [f"[{word}]" for word in evil.split()]), f"as they are: {words(evil)}")
    world.expect(not (world.folder / "made").exists(), "a word of the input was run")
    seen = words("check 'a b.m'\n--ltl \"G F p\" --memory 1\\ G")
    world.expect(seen == (0, ["[check]", "[a b.m]", "[--ltl]", "[G F p]", "[--memory]", "[1 G]"]), f"quoted: {seen}")
    world.expect(words("check 'a.m")[0] != 0, "a quotation mark without another is taken")


def bytes_that_are_no_text(world):
    junit = world.folder / "j.xml"
    model = world.folder / "models" / "x.m"
    model.write_bytes(DEAD.encode() + b'invariant "\xff\x80" x < 3;\n')
    code, _, _ = world.run(["check", model, "--junit", junit])
    case = ElementTree.parse(junit).getroot()[0][0]
    world.expect(code == 12 and "\ufffd" in case.find("failure").get("message"),
                 f"{code}: {ElementTree.tostring(case)}")


def interrupted(world):
    """What was done so far is told; nothing goes on."""
    junit, report = world.folder / "j.xml", world.folder / "r.json"
    models(world)
    runs = [{"model": "good.m"}, {"model": str(LONG[0]), "options": LONG[1:]}, {"model": "good.m"}]
    process = world.start(["suite", suite_file(world, runs), "--junit", junit, "--json", report])
    attack.wait_until(lambda: "ok" in (world.folder / "stdout").read_text(encoding="utf-8"))
    process.send_signal(signal.SIGTERM)
    world.expect(process.wait(20) == 130, f"exit code {process.returncode}")
    world.expect(ElementTree.parse(junit).getroot()[0].get("tests") == "1", "what was done is not told")
    found = attack.read_json(report)
    world.expect((found["planned"], found["passed"]) == (3, 1), found)
    world.expect_clean("an interrupted suite")
    # At any moment, also while the next run begins.
    for moment in range(8):
        process = world.start(["suite", suite_file(world, runs)])
        attack.wait_until(lambda: "ok" in (world.folder / "stdout").read_text(encoding="utf-8"))
        time.sleep(moment / 1000)
        process.send_signal(signal.SIGTERM)
        world.expect(process.wait(60) == 130, f"after {moment} ms: exit code {process.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    tests = (one_model, several_models, suites, inexact_depth, action, bytes_that_are_no_text, interrupted)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
