"""Small habits of the command line, as a user meets them: models from standard input, colours on a terminal, the cache.

    python3 habits.py --strata PATH
"""

import argparse
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "attack"))
import attack  # noqa: E402

MODEL = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 0; end;\n"
# A path of 30,000 steps of states of 751 bytes.
LONG_PATH = """const K: 300; M: 30000;
var n: 0..M; a: array [1..K] of 0..1000000;
startstate n := 0; for i: 1..K do a[i] := 0; end; end;
rule "up" n < M ==> n := n + 1; a[1 + n % K] := n % 1000; end;
invariant "end" n < M;
"""
TRAFFIC = attack.EXAMPLES / "traffic_light.m"


def from_input(world, text, *arguments):
    process = subprocess.run([world.strata, *map(str, arguments)], input=text, text=True, capture_output=True,
                             timeout=120, env=world.environment, check=False)
    return process.returncode, process.stdout, process.stderr


def standard_input(world):
    code, out, _ = from_input(world, MODEL, "check", "-", "--language", "murphi", "--json", "-")
    report = json.loads(out)
    world.expect((code, report["states"], report["model"]) == (0, 4, "<stdin>"), f"check -: {code}, {out}")
    # Asked for twice: for its propositions and for the search.
    code, out, errors = from_input(world, MODEL, "check", "-", "--language=murphi", "--ltl", "G F (\"x = 3\")")
    world.expect(code == 0 and "No error found." in out, f"a formula: {code}, {out}{errors}")
    code, out, errors = from_input(world, MODEL + "oops", "check", "-", "--language", "murphi")
    world.expect(code == 150 and errors.startswith("<stdin>:2:1: "), f"a mistake: {code}, {errors}")
    code, out, errors = from_input(world, "process P { state a; init a; trans a -> a {}; } system async;\n", "info",
                                   "-",
                                   "--language", "dve")
    world.expect(code == 0 and out.startswith("<stdin> (dve)"), f"info: {code}, {out}{errors}")
    code, out, errors = from_input(world, MODEL, "simulate", "-", "--language", "murphi", "--steps", "10")
    world.expect(code == 0 and "10 steps" in out, f"simulate: {code}, {out}{errors}")
    code, _, errors = from_input(world, MODEL, "check", "-")
    world.expect(code == 151 and "--language" in errors, f"without a language: {code}, {errors}")


def extensions(world):
    for name in ("a.M", "a.murphi"):
        code, out, errors = world.run(["check", world.write(name, MODEL)])
        world.expect(code == 0 and "4 states" in out, f"{name}: {code}, {errors}")
    code, _, errors = world.run(["check", world.write("a.txt", MODEL)])
    world.expect(code == 151 and "--language" in errors, f"a.txt: {code}, {errors}")
    code, out, errors = world.run(["check", world.write("a.txt", MODEL), "--language", "murphi"])
    world.expect(code == 0 and "4 states" in out, f"a.txt as murphi: {code}, {errors}")


def on_terminal(world, arguments, **changes):
    """What a terminal shows of both outputs."""
    main, other = pty.openpty()
    environment = {**world.environment, "TERM": "xterm", "NO_COLOR": "", **changes}
    process = subprocess.Popen([world.strata, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=other,
                               stderr=other, env=environment)
    os.close(other)
    shown = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    process.wait(60)
    os.close(main)
    return shown.decode("utf-8", "replace")


def colours(world):
    good = "\x1b[32mNo error found.\x1b[0m"
    world.expect(good in on_terminal(world, ["check", TRAFFIC]), "no colour on a terminal")
    for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        shown = on_terminal(world, ["check", TRAFFIC], **changes)
        world.expect("\x1b[3" not in shown and "No error found." in shown, f"a colour with {changes}")
    world.expect("\x1b" not in "".join(world.run(["check", TRAFFIC])[1:]), "a colour in a pipe")
    shown = on_terminal(world, ["chekc", TRAFFIC])
    world.expect(shown.startswith("\x1b[31mstrata:\x1b[0m unknown command 'chekc'"), f"an error: {shown!r}")


def last_option(world):
    code, out, _ = world.run(["check", TRAFFIC, "--trace", "full", "--algorithm", "mono", "--trace=off",
                              "--algorithm=ram"])
    world.expect(code == 0 and "algorithm ram" in out, f"the last option does not count: {code}, {out}")


def cache(world):
    folder = str(world.folder / "cache" / "strata")
    code, out, _ = world.run(["cache"])
    world.expect((code, out) == (0, f"{folder}\n0 compiled models, 0 B of at most 512 MiB\n"), f"empty: {out}")
    world.run(["check", TRAFFIC])
    stranger = Path(folder) / "mine.so"
    stranger.write_text("x", encoding="utf-8")
    code, out, _ = world.run(["cache", "--json", "-"])
    found = json.loads(out)
    world.expect((found["folder"], found["models"], found["removed"]) == (folder, 1, 0) and found["bytes"] > 1000, out)
    code, out, _ = world.run(["cache", "--clear"])
    world.expect(code == 0 and "0 compiled models" in out and "1 model removed" in out, f"--clear: {out}")
    world.expect([path.name for path in Path(folder).iterdir()] == ["mine.so"], "--clear left, or took, something")
    stranger.unlink()
    code, out, _ = world.run(["check", TRAFFIC])
    world.expect(code == 0 and "compiled in" in out, f"after --clear: {out}")


def somebody_elses_home(world):
    """A folder of somebody else that cannot be written to: another one is used, and a note says so."""
    if os.geteuid() != 0:
        return
    home = world.folder / "home"
    (home / ".cache" / "strata").mkdir(parents=True)
    (world.folder / "temporary").chmod(0o777)
    world.folder.chmod(0o755)
    Path(world.folder / "cache").chmod(0o755)
    environment = {**world.environment, "HOME": str(home), "XDG_CACHE_HOME": ""}
    process = subprocess.run([world.strata, "check", str(TRAFFIC)], capture_output=True, text=True, env=environment,
                             user=65534, group=65534, extra_groups=[], check=False)
    world.expect(process.returncode == 0 and "note: cannot write to the cache" in process.stderr,
                 f"{process.returncode}, {process.stderr}")


def enough_memory(world):
    """The --memory that a message names is enough, also where the search would then keep its states in RAM, or
    folds them."""
    model = world.write("long.m", LONG_PATH)
    for size, *how in (("18M", "--fold", "off"), ("20M", "--fold", "on", "-D", "M=100000")):
        command = ["check", model, *how, "--trace", "off", "--disk", world.folder, "--memory"]
        code, out, errors = world.run([*command, size])
        found = re.search(r"--memory (\S+) MiB has no room for the path of the error; raise it to (\d+) MiB", out)
        world.expect(code == 12 and found and found[1] + "M" == size, f"{size} {how}: {code}, {out[-1500:]}{errors}")
        if found:
            code, out, errors = world.run([*command, found[2] + "M"])
            world.expect(code == 12 and "Search incomplete" not in out, f"{found[0]}: {code}, {out[-1000:]}{errors}")


def random_walks(world):
    model, report = attack.EXAMPLES / "msi.m", world.folder / "walk.json"
    page, path = world.folder / "walk.html", world.folder / "walk.itf.json"
    code, out, errors = world.run(["simulate", model, "--threads", "3", "--steps", "3001", "--depth", "50",
                                   "--coverage", "full", "--json", report, "--report", page, "--trace-file", path])
    walked = json.loads(report.read_text())
    world.expect(code == 0 and "3 threads with seeds 1 to 3" in out and "Rules Information:" in out,
                 f"walks: {code}, {out}{errors}")
    world.expect((walked["steps"], walked["threads"], walked["failed"]) == (3001, 3, None), f"report: {walked}")
    fired = sum(rule["fired"] for rule in walked["coverage"]["rules"])
    world.expect(fired == walked["transitions"], f"rules: {fired} instead of {walked['transitions']}")
    world.expect(0 < walked["different_states"]["number"] <= 3001 + walked["walks"], f"{walked['different_states']}")
    world.expect("<html" in page.read_text() and json.loads(path.read_text())["states"], "page or path")
    # The error of several threads, again with the seed that was told.
    model = attack.EXAMPLES / "msi_bug.m"
    found = []
    for more in (["--threads", "4"], ["--threads", "4"]):
        code, _, errors = world.run(["simulate", model, *more, "--json", report])
        found.append(json.loads(report.read_text()))
        world.expect(code == 12, f"with an error: {code}, {errors}")
    world.expect(found[0]["failed"] == found[1]["failed"] and found[0]["length"] == found[1]["length"], f"{found}")
    world.run(["simulate", model, "--seed", str(found[0]["failed"]["seed"]), "--json", report])
    alone = json.loads(report.read_text())
    world.expect((alone["failed"], alone["length"]) == (found[0]["failed"], found[0]["length"]), f"{alone}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    tests = (standard_input, extensions, colours, last_option, cache, somebody_elses_home, enough_memory, random_walks)
    return attack.in_world(parser.parse_args().strata, [(test.__name__, test) for test in tests])


if __name__ == "__main__":
    sys.exit(main())
