"""Signals in every phase of a run: it must end within two seconds, and leave nothing.

    python3 signals.py --strata PATH [--long] [--only PHASE]

A phase is a command that stays in it for a long time. For each one and each signal: the exit code is 130, no
process lives on, no temporary file, run folder or half-made object is left, and the file of --json, which said
"holds" before, says what happened. With --long all signals are sent in all phases, once, twice, and to the whole
process group at the same time as `timeout` does it."""

import argparse
import itertools
import os
import signal
import subprocess
import sys
import time

import attack

SECONDS = 2.0

SLOW_START = """var x: 0..1023;
startstate var y: 0..1023; begin
  y := 1;
  for i: 0..60000 do for j: 0..60000 do y := (y * 3 + i + j) % 1024; end; end;
  x := y;
end;
rule true ==> begin x := x; end;
"""

MANY_ERRORS = """const N: 50;
var a, b, c: 0..N;
startstate begin a := 0; b := 0; c := 0; end;
rule "a" a < N ==> begin a := a + 1; end;
rule "b" b < N ==> begin b := b + 1; end;
rule "c" c < N ==> begin c := c + 1; end;
rule "fail" true ==> begin error "always"; end;
"""

SMALL = "var x: 0..3;\nstartstate begin x := 0; end;\nrule true ==> begin x := (x + 1) % 4; end;\n"
LONG_SEARCH = (attack.EXAMPLES / "peterson.m", "-D", "N=6")


def large_text():
    """Takes some seconds to read."""
    rules = "".join(f'rule "r{i}" x < {i % 7} ==> begin x := (x + {i % 5}) % 8; end;\n' for i in range(150_000))
    return f"var x: 0..7;\nstartstate begin x := 0; end;\n{rules}"


class Phase:
    """Arguments of a run, and how to see from outside that it has come to the phase."""

    def __init__(self, name, arguments, reached):
        self.name, self.arguments, self.reached = name, arguments, reached


def seconds_passed(seconds):
    def reached(_world, begin):
        return time.monotonic() - begin > seconds
    return reached


def runs(word):
    def reached(world, _begin):
        return any(word in command.split(" ")[0] for _, command in world.processes())
    return reached


def said(word):
    return lambda world, _begin: word in world.said()


def file_appears(pattern):
    def reached(world, _begin):
        return any(path.stat().st_size > 0 for path in world.folder.glob(pattern) if path.name != "lock")
    return reached


def compile_first(world, *arguments):
    world.run(["check", *arguments, "--bound", "1"])


def parsing(world):
    return Phase("parsing", [world.write("large.m", large_text())], seconds_passed(0.3))


def m4(world):
    return Phase("m4", [world.write("endless.mdve", "define(`again', `again')again\n")], runs("m4"))


def compiling(world):
    # A compiler that has children and files, and takes its time.
    slow = world.write("compiler", "#!/bin/sh\necho x > \"$TMPDIR/cc1.s\"\nsleep 60 &\nwait\n")
    slow.chmod(0o755)
    world.environment["CXX"] = str(slow)
    return Phase("compiling", [world.write("small.m", SMALL)], file_appears("cache/strata/*.work-/cc1.s"))


def compiling_for_real(world):
    rules = "".join(f'rule "r{i}" a[{i % 50}] < {i % 7} ==> begin for k: 0..49 do a[k] := (a[k] + {i}) % 8; end; end;\n'
                    for i in range(3000))
    text = f"var a: array [0..49] of 0..7;\nstartstate begin for k: 0..49 do a[k] := 0; end; end;\n{rules}"
    return Phase("compiling for real", [world.write("wide.m", text)], runs("cc1plus"))


def start_states(world):
    path = world.write("start.m", SLOW_START)
    return Phase("start states", [path, "--progress", "json"], said("initial states"))


def searching(world):
    compile_first(world, *LONG_SEARCH)
    return Phase("searching", [*LONG_SEARCH, "--algorithm", "ram", "--progress", "json"], said("expanding"))


def on_disk(algorithm):
    def phase(world):
        compile_first(world, *LONG_SEARCH)
        return Phase(f"on disk, {algorithm}", [*LONG_SEARCH, "--algorithm", algorithm, "--memory", "16M", "--disk",
                                               world.folder / "disk"], file_appears("disk/strata-run-*/*"))
    phase.__name__ = f"on_disk_{algorithm}"
    return phase


def tracing(world):
    path = world.write("errors.m", MANY_ERRORS)
    compile_first(world, path)
    return Phase("tracing", [path, "--algorithm", "ram", "--max-errors", "100000", "--progress", "json"],
                 said("tracing"))


def writing(world):
    path = world.write("errors.m", MANY_ERRORS)
    compile_first(world, path)
    # The test does not read, so the run waits when the pipe is full.
    return Phase("writing", [path, "--algorithm", "ram", "--max-errors", "300", "--trace", "full"], seconds_passed(2))


def cycles(world):
    formula = 'G ("pc[0] = Claim" -> ("pc[0] = Claim" W "pc[0] = Check"))'
    return Phase("cycles", [*LONG_SEARCH, "--ltl", formula, "--progress", "json"], said("states"))


def send(process, number, how):
    if process.poll() is not None:
        return
    if how == "to the group":
        os.kill(process.pid, number)
        os.killpg(process.pid, number)
    else:
        os.kill(process.pid, number)
        if how == "twice":
            # It need not live so long.
            try:
                process.wait(0.7)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, number)


def strike(world, make, number, how):
    phase = make(world)
    report = world.folder / "report.json"
    report.write_text(attack.OLD, encoding="utf-8")
    streams = {}
    if phase.name == "writing":
        reading, full = os.pipe()
        streams["stdout"] = full
    begin = time.monotonic()
    process = world.start(["check", *phase.arguments, "--json", report], **streams)
    what = f"{phase.name}, {number.name} {how}"
    reached = attack.wait_until(lambda: process.poll() is not None or phase.reached(world, begin), 100)
    world.expect(reached and process.poll() is None, f"{what}: the phase was not reached\n{world.said()[-1000:]}")
    running = attack.read_json(report) or {}
    world.expect(running.get("verdict") == "running", f"{what}: during the run the file says {running.get('verdict')}")
    sent = time.monotonic()
    send(process, number, how)
    # What this script itself had to wait for a processor is not counted, and a busy machine is given more time.
    late = 0
    while process.poll() is None and time.monotonic() - sent < 60:
        before = time.monotonic()
        time.sleep(0.01)
        late += max(0, time.monotonic() - before - 0.02)
    if process.poll() is None:
        process.kill()
    code = process.wait()
    seconds = time.monotonic() - sent - late
    allowed = SECONDS * max(1, 2 * os.getloadavg()[0] / os.cpu_count())
    world.expect(seconds < allowed, f"{what}: took {seconds:.1f} s")
    world.expect(code == 130, f"{what}: exit code {code}\n{world.said()[-1000:]}")
    found = attack.read_json(report) or {}
    world.expect(found.get("stop") == "interrupted" and found.get("verdict") != "holds",
                 f"{what}: the file says {found.get('verdict')}, {found.get('stop')}")
    left = [path.name for path in world.folder.glob("report.json*") if path != report]
    world.expect(not left, f"{what}: left beside the report: {left}")
    world.expect_clean(what)
    if phase.name == "writing":
        os.close(reading)
        os.close(full)


def broken_pipe(world):
    """Whoever reads goes away: the run folder goes too, and the JSON is written."""
    compile_first(world, *LONG_SEARCH)
    report = world.folder / "report.json"
    reading, writing_end = os.pipe()
    process = world.start(["check", *LONG_SEARCH, "--algorithm", "mono", "--memory", "16M", "--disk",
                           world.folder / "disk", "--progress", "plain", "--json", report], stdout=writing_end,
                          stderr=writing_end)
    os.close(writing_end)
    attack.wait_until(lambda: file_appears("disk/strata-run-*/*")(world, 0))
    os.close(reading)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
    found = attack.read_json(report) or {}
    world.expect(process.returncode in (130, 153), f"exit code {process.returncode}")
    world.expect(found.get("stop") == "interrupted", f"the file says {found.get('verdict')}, {found.get('stop')}")
    world.expect_clean("a broken pipe")


def under_timeout(world):
    """`timeout` signals the process and its group; the result is reported all the same."""
    compile_first(world, *LONG_SEARCH)
    report = world.folder / "report.json"
    subprocess.run(["timeout", "1", world.strata, "check", *map(str, LONG_SEARCH), "--algorithm", "ram", "--json",
                    str(report), "--progress", "off"], env=world.environment, capture_output=True, check=False)
    found = attack.read_json(report) or {}
    world.expect((found.get("verdict"), found.get("stop")) == ("incomplete", "interrupted") and found.get("states"),
                 f"the file says {found.get('verdict')}, {found.get('stop')}, {found.get('states')} states")
    world.expect_clean("timeout")


SHORT = [(m4, signal.SIGTERM, "once"), (compiling, signal.SIGTERM, "once"), (compiling, signal.SIGINT, "to the group"),
         (start_states, signal.SIGHUP, "once"), (searching, signal.SIGINT, "once"),
         (on_disk("mono"), signal.SIGTERM, "once"), (on_disk("part"), signal.SIGHUP, "twice"),
         (tracing, signal.SIGTERM, "once"), (writing, signal.SIGTERM, "once")]
PHASES = [parsing, m4, compiling, compiling_for_real, start_states, searching, on_disk("mono"), on_disk("part"),
          on_disk("auto"), on_disk("hddd"), tracing, writing, cycles]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="phases whose name contains this")
    arguments = parser.parse_args()
    rows = SHORT
    if arguments.long:
        rows = itertools.product(PHASES, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP),
                                 ("once", "twice", "to the group"))
    attacks = [(f"{make.__name__} {number.name} {how}",
                lambda world, make=make, number=number, how=how: strike(world, make, number, how))
               for make, number, how in rows]
    attacks += [("broken pipe", broken_pipe), ("under timeout", under_timeout)]
    if arguments.only:
        attacks = [row for row in attacks if arguments.only in row[0]]
    return attack.in_world(arguments.strata, attacks)


if __name__ == "__main__":
    sys.exit(main())
