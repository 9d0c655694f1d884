"""Every object that `check` and `resume` write is one of doc/report.schema.json, and the schema refuses what is none.

    python3 json_schema.py --strata PATH
"""

import argparse
import copy
import json
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

try:
    import jsonschema
except ImportError:
    print("skipped: the Debian package python3-jsonschema is not installed")
    sys.exit(77)

SCHEMA = json.loads((attack.ROOT / "doc/report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
COVERS = "var x: 0..3; startstate x := 0; end; rule x := (x + 1) % 4; end; cover \"two\" x = 2;\n"
# Arguments of `check`, and the verdict.
RUNS = [
    (["peterson.m"], "holds"),
    (["peterson_bug.m", "--max-errors", "3"], "violated"),
    (["ring_buffer_race.m"], "error"),
    (["dining.m"], "deadlock"),
    (["dining.m", "--trace", "off"], "deadlock"),
    (["dining.dve", "--ltl", "G F Phil_0.eating"], "violated"),
    (["traffic_light.m", "--ltl", "EF \"true\""], "holds"),
    (["turns.m", "--ltl", "G F \"inside[1]\"", "--ltl", "EF \"inside[1]\"", "--safety"], "violated"),
    (["overflow.dve"], "error"),
    (["msi.m", "--symmetry", "exact", "--fold", "on"], "holds"),
    (["peterson.m", "--algorithm", "part", "--memory", "16M", "--store", "signatures:40"], "holds"),
    (["peterson.m", "--algorithm", "dddd", "--memory", "16M"], "holds"),
    (["msi.m", "--algorithm", "local", "--memory", "18M"], "holds"),
    (["peterson.m", "--bound", "3"], "incomplete"),
    (["sliding_window.m", "--plan", "--time-limit", "0.5", "--memory", "64M"], None),
]
LONG_SEARCH = [attack.EXAMPLES / "peterson.m", "-D", "N=6"]


def problems_of(report):
    return [f"{'/'.join(map(str, error.path))}: {error.message[:300]}" for error in VALIDATOR.iter_errors(report)]


def validate(world, what, report):
    world.expect(report is not None, f"{what}: no JSON")
    if report is None:
        return
    for problem in problems_of(report):
        world.expect(False, f"{what}: {problem}")
    known = set(SCHEMA["properties"]) | set(SCHEMA["$defs"]["result"]["properties"])
    world.expect(set(report) <= known, f"{what}: the schema does not have {sorted(set(report) - known)}")


def results(world):
    report = world.folder / "report.json"
    for arguments, verdict in RUNS:
        world.run(["check", attack.EXAMPLES / arguments[0], *arguments[1:], "--json", report, "--disk",
                   world.folder / "disk"])
        found = attack.read_json(report)
        validate(world, arguments, found)
        world.expect(verdict in (None, (found or {}).get("verdict")), f"{arguments}: not {verdict}")
        report.unlink(missing_ok=True)
    world.run(["check", world.write("covers.m", COVERS), "--json", report])
    validate(world, "covers", attack.read_json(report))


def long_search(world, report, *arguments):
    return world.start(["check", *LONG_SEARCH, "--json", report, "--progress", "off", *arguments])


def while_it_runs(world):
    """The file is whole at any moment: never empty, never that of an earlier run."""
    report = world.folder / "report.json"
    report.write_text(attack.OLD, encoding="utf-8")
    process = long_search(world, report)
    attack.wait_until(lambda: report.read_text(encoding="utf-8") != attack.OLD)
    found = attack.read_json(report)
    validate(world, "running", found)
    world.expect((found or {}).get("verdict") == "running", f"while it runs: {found}")
    process.kill()
    process.wait()
    validate(world, "killed", attack.read_json(report))


def double_signals(world):
    """As `timeout` and impatient users send them, at any moment of the first second."""
    report = world.folder / "report.json"
    world.run(["check", *LONG_SEARCH, "--bound", "1"])
    for i in range(12):
        report.unlink(missing_ok=True)
        begun = i % 2 == 0
        process = long_search(world, report)
        if begun:
            attack.wait_until(report.exists, 10)
        try:
            process.wait(i * 0.04)
        except subprocess.TimeoutExpired:
            pass
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
        process.wait(20)
        if begun or report.exists():
            found = attack.read_json(report)
            validate(world, f"two signals after {i * 0.04:.2f} s", found)
            world.expect((found or {}).get("stop") == "interrupted", f"two signals: {found}")


def resumed(world):
    report, run = world.folder / "report.json", world.folder / "run"
    process = long_search(world, report, "--checkpoint", run, "--checkpoint-every", "0.3", "--algorithm", "ram")
    attack.wait_until(lambda: any(run.glob("image.*")) or process.poll() is not None, 30)
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    validate(world, "interrupted with checkpoints", attack.read_json(report))
    world.run(["resume", run, "--json", report, "--time-limit", "1"])
    found = attack.read_json(report)
    validate(world, "resumed", found)
    world.expect((found or {}).get("resumed") == 1, f"resumed: {(found or {}).get('resumed')}")


def refuses(world):
    """A schema that takes anything would be of no use."""
    _, out, _ = world.run(["check", attack.EXAMPLES / "peterson_bug.m", "--json", "-"])
    report = json.loads(out)
    for name in sorted(set(SCHEMA["required"]) | set(SCHEMA["$defs"]["result"]["required"])):
        changed = copy.deepcopy(report)
        del changed[name]
        world.expect(problems_of(changed), f"a report without {name} is taken")
        changed[name] = {"neither": "this"} if not isinstance(report[name], dict) else 7
        world.expect(problems_of(changed), f"a report with another {name} is taken")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    tests = (results, while_it_runs, double_signals, resumed, refuses)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
