"""What can happen to a run between its end and its resumption.

    python3 resuming.py --strata PATH [--long] [--only NAME]

Signals, damaged and cut images, two processes in one folder, folders that were moved or copied, further disks, a
model that was changed. Each is tried with one algorithm that can be resumed, and with --long with every one. A run
goes on and gives the answer of a run that nothing ended, or it says why it cannot."""

import argparse
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import attack
import kept_runs

# A million initial states of 15 bytes.
STARTS = """var a, b, c, d, e, f, g, h, i, j, k, l, m, n: 0..255; p: 0..3;
ruleset x: 0..255; y: 0..255; z: 0..15 do startstate begin
  a := x; b := y; c := z; d := 0; e := 0; f := 0; g := 0; h := 0; i := 0; j := 0; k := 0; l := 0;
  m := 0; n := 0; p := 0;
end; end;
rule p < 3 ==> begin p := p + 1; end;
"""


# States that have nothing in common: folding them gains nothing.
UNLIKE = """const N: 30;
var a, b, c: 0..N; pad: array [0..299] of 0..255;
startstate begin a := 0; b := 0; c := 0; for i: 0..299 do pad[i] := i % 256; end; end;
rule "a" a < N ==> begin a := a + 1; for i: 0..299 do pad[i] := (pad[i] * 7 + a * 13 + i) % 256; end; end;
rule "b" b < N ==> begin b := b + 1; for i: 0..299 do pad[i] := (pad[i] * 5 + b * 29 + i) % 256; end; end;
rule "c" c < N ==> begin c := c + 1; for i: 0..299 do pad[i] := (pad[i] * 3 + c * 11 + i) % 256; end; end;
"""


def cube(path, size):
    return kept_runs.Question("cube", str(path), ("--deadlock", "off", "-D", f"N={size}"))


def begin(world, algorithm, extra=(), name="run"):
    """A run of a fraction of a second or more. What begins in memory is faster, and gets more states."""
    path = world.folder / "models" / "cube.m"
    if not path.exists():
        world.write("cube.m", kept_runs.CUBE)
    in_memory = "ram" in algorithm.parameters or not algorithm.has("on_disk")
    return kept_runs.KeptRun(world, algorithm, cube(path, 150 if in_memory else 80), name, tuple(extra))


def numbers(run):
    """The checkpoint that stands, and the one before it; 0: there is none."""
    try:
        text = (run.folder / "checkpoint").read_text(encoding="utf-8")
    except FileNotFoundError:
        return 0, 0
    return tuple(int(re.search(f"^{name}: (\\d+)$", text, re.MULTILINE)[1]) for name in ("number", "previous"))


def start(run):
    """Starts it, and waits until it has two checkpoints. Where the machine is too fast for that the run gets more
    states."""
    for size in (0, 200, 250, 300):
        if size:
            run.question = cube(run.question.model, size)
        process = run.world.start(run.next_command())
        attack.wait_until(lambda started=process: started.poll() is not None or numbers(run)[1] > 0)
        if process.poll() is None:
            return process
        shutil.rmtree(run.folder, ignore_errors=True)
    run.world.expect(False, f"the run ended before it had two checkpoints: {run.world.said()}")
    return process


def catches(process, number):
    """Waits until the process has a handler of the signal."""
    def has_handler():
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return True
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
        return process.poll() is not None or (caught and int(caught[1], 16) >> (number - 1) & 1)
    attack.wait_until(has_handler)


def end_early(run, number=signal.SIGTERM):
    """Ends it when it has two checkpoints."""
    process = start(run)
    process.send_signal(number)
    run.code = process.wait(60)
    run.out = (run.world.folder / "stdout").read_text(encoding="utf-8")


def finish(run, more=()):
    """Resumes it to its end, which must be that of a run that was not ended."""
    run.strike(run.next_command(more=more), 120, signal.SIGKILL)
    kept_runs.expect_same(run.world, run, kept_runs.References(run.world).of(run), run.algorithm.name)


def expect_refused(run, code, pattern, more=()):
    """The run cannot be resumed, and says why."""
    found, out, errors = run.world.run(run.next_command(more=more))
    run.world.expect(found == code, f"exit code {found} instead of {code}: {out[-300:]} {errors}")
    run.world.expect(re.search(pattern, errors), f"'{pattern}' is not in: {errors}")


def newest_image(run):
    return run.folder / f"image.{numbers(run)[0]}"


def terminated(world, algorithm):
    """SIGTERM and SIGINT make a checkpoint; the last line says how to go on."""
    run = begin(world, algorithm)
    end_early(run, signal.SIGTERM)
    line = f"Resume with: strata resume {run.folder}"
    world.expect(run.code == 130, f"exit code {run.code}")
    world.expect(run.out.splitlines()[-1:] == [line], f"the last line is not '{line}': {run.out[-300:]}")
    world.expect("making a checkpoint, then stopping" in world.said(), f"it said: {world.said()}")
    answer = run.answer()
    world.expect(answer.get("stop") == "interrupted" and answer.get("checkpoint", {}).get("stands") is True,
                 f"the report says {answer.get('stop')}, {answer.get('checkpoint')}")
    states = answer.get("checkpoint", {}).get("states")
    finish(run)
    answer = run.answer()
    world.expect(answer.get("resumed") == 1, f"resumed is {answer.get('resumed')}")
    world.expect([part["states"] for part in answer.get("resumptions", [])] == [states],
                 f"the resumptions are {answer.get('resumptions')}, the checkpoint had {states} states")


def asked(world, algorithm):
    """SIGUSR2 makes a checkpoint, and the run goes on; without --checkpoint it only says so."""
    run = begin(world, algorithm)
    # Long enough for the signal to come before the end, also on a busy machine.
    run.question = cube(run.question.model, 220 if algorithm.name in ("ram", "auto") else 130)
    command = [*run.check(), "--checkpoint", run.folder, "--checkpoint-every", "1h", "--json", run.report]
    process = world.start(command)
    attack.wait_until(lambda: (run.folder / "files").exists())
    time.sleep(0.1)  # before the run has its folder, the signal prints that it has no checkpoints
    process.send_signal(signal.SIGUSR2)
    made = attack.wait_until(lambda: process.poll() is not None or (run.folder / "image.1").exists(), 20)
    run.code = process.wait(120)
    world.expect(made and run.answer().get("checkpoint", {}).get("made") == 1, f"{run.answer().get('checkpoint')}")
    world.expect(re.search(r"the checkpoint that was asked for is made: \d+ states, after", world.said()),
                 f"it said: {world.said()}")
    kept_runs.expect_same(world, run, kept_runs.References(world).of(run), algorithm.name)
    process = world.start(run.check())
    catches(process, signal.SIGUSR2)
    process.send_signal(signal.SIGUSR2)
    process.wait(60)
    world.expect("this run has none; --checkpoint DIR enables them" in world.said(), f"it said: {world.said()}")


def twice(world, algorithm):
    """A second signal ends it at once: the checkpoint before stays."""
    run = begin(world, algorithm)
    process = start(run)
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    time.sleep(0.6)
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    run.code = process.wait(60)
    world.expect(run.code == 130, f"exit code {run.code}")
    finish(run)


def damaged(world, algorithm):
    """A byte of the image is another one: it is named, and the checkpoint before it stands."""
    run = begin(world, algorithm)
    end_early(run, signal.SIGKILL)
    image = newest_image(run)
    content = bytearray(image.read_bytes())
    content[len(content) // 2] ^= 4
    image.write_bytes(content)
    expect_refused(run, 153, rf"{re.escape(str(image))}.*(offset|block|byte) .*resume from that with --previous")
    finish(run, ["--previous"])


def cut(world, algorithm):
    """The end of the image is missing."""
    run = begin(world, algorithm)
    end_early(run, signal.SIGKILL)
    image = newest_image(run)
    image.write_bytes(image.read_bytes()[:-100])
    expect_refused(run, 153, rf"{re.escape(str(image))}.*resume from that with --previous")
    finish(run, ["--previous"])


def damaged_file(world, algorithm):
    """A byte of the search's own files is another one: it is named when the block is read, and the checkpoint
    before it still stands."""
    run = begin(world, algorithm)
    end_early(run, signal.SIGKILL)
    for path in (run.folder / "files").iterdir():
        content = bytearray(path.read_bytes())
        if content:
            content[min(3000, len(content) - 1)] ^= 4
            path.write_bytes(content)
    before = numbers(run)
    code, out, errors = world.run(run.next_command())
    world.expect(code == 153 and re.search(r"files/\S+: the block at offset \d+ is damaged", errors),
                 f"exit code {code}: {out[-300:]} {errors}")
    world.expect(out.endswith("add --previous\n"), f"it does not say how to go on: {out[-300:]}")
    world.expect(numbers(run)[1] > 0, f"the checkpoints were {before}, and are {numbers(run)}")


def starts_without_room(world, algorithm):
    """Not even the initial states fit: the run starts again with more memory, and misses none of them."""
    path = world.write("starts.m", STARTS)
    question = kept_runs.Question("starts", str(path), ("--deadlock", "off"))
    run = kept_runs.KeptRun(world, algorithm, question)
    little = ["16M" if part == f"{algorithm.memory()}M" else part for part in run.check()]
    world.run([*little, "--checkpoint", run.folder, "--json", run.report])
    if run.folder.exists():
        run.strike(run.next_command(256), 120, signal.SIGKILL)
    world.expect(run.answer().get("states") == 4 << 20, f"{run.answer().get('states')} states instead of {4 << 20}")


def two_at_once(world, algorithm):
    """While one process has the run, another one is told which."""
    run = begin(world, algorithm)
    process = start(run)
    process.send_signal(signal.SIGSTOP)
    host = subprocess.run(["hostname"], capture_output=True, text=True, check=True).stdout.strip()
    expect_refused(run, 151, f"is in use by process {process.pid} on {re.escape(host)}")
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGTERM)
    run.code = process.wait(60)
    finish(run)


def moved(world, algorithm):
    """The folder has another name, and the command is called from another folder."""
    run = begin(world, algorithm)
    end_early(run)
    run.folder = run.folder.rename(world.folder / "a new place")
    finish(run)


def copied(world, algorithm):
    """Both copies go on, each for itself."""
    run = begin(world, algorithm)
    end_early(run)
    copy = begin(world, algorithm, name="copy")
    copy.question = run.question
    subprocess.run(["cp", "-a", run.folder, copy.folder], check=True)
    finish(run)
    finish(copy, ["--json", copy.report])


def further_disks(world, algorithm):
    """A run with a further folder gets another one, and the first is moved."""
    run = begin(world, algorithm, ["--disk", str(world.folder / "disk")])
    end_early(run)
    added, other = world.folder / "added", world.folder / "other"
    for folder in (added, other):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    run.strike(run.next_command(more=["--disk", added]), 0.5, signal.SIGTERM)
    for path in (world.folder / "disk").iterdir():
        path.rename(other / path.name)
    if run.folder.exists():
        expect_refused(run, 151, "are missing; if they were moved, name their folder with --disk")
        finish(run, ["--disk", other])
    left = [path for folder in (added, other) for path in folder.iterdir()]
    world.expect(not left, f"left: {left}")


def changed_model(world, algorithm):
    """The run goes on only with the model that it began with, and with the constants."""
    run = begin(world, algorithm)
    end_early(run)
    path = world.folder / "models" / "cube.m"
    path.write_text(kept_runs.CUBE.replace("a + b + c != BAD", "a + b != BAD"), encoding="utf-8")
    expect_refused(run, 151, r'cube.m. was changed since the run began: line 8 was\n.*a \+ b \+ c.*\n'
                             r'and is\n.*a \+ b !=')
    path.unlink()
    expect_refused(run, 151, "cube.m' is missing, but the run needs it")
    path.write_text(kept_runs.CUBE, encoding="utf-8")
    expect_refused(run, 151, "-D is an option of 'strata check'", ["-D", "N=80"])
    finish(run)


def in_use_by_a_check(world, algorithm):
    """A second check does not take a run for an empty folder."""
    run = begin(world, algorithm)
    end_early(run)
    found, _, errors = world.run([*run.check(), "--checkpoint", run.folder])
    world.expect(found == 151 and "holds a run already; go on with it by `strata resume" in errors, f"{found} {errors}")
    finish(run)


def at_a_limit(world, algorithm):
    """The time limit makes a checkpoint, and is the limit of each part of the run."""
    run = begin(world, algorithm)
    reference = kept_runs.References(world).of(run)
    # On a machine that was busy a moment ago, the reference took longer than the run does now.
    for first in (reference[2] / 3, reference[2] / 10, reference[2] / 30):
        seconds, parts = first, 0
        while parts < 30:
            parts += 1
            run.strike(run.next_command(more=["--time-limit", f"{seconds:.3f}"]), 60, signal.SIGKILL)
            seconds *= 1.2
            if run.answer().get("stop") != "time":
                break
            world.expect(run.code == 152 and f"Resume with: strata resume {run.folder}" in run.out,
                         f"{run.code} {run.out}")
        if parts > 1:
            break
        shutil.rmtree(world.folder / "run", ignore_errors=True)
        run = begin(world, algorithm)
    world.expect(parts > 1, "it ended before its limit")
    world.expect(0 < run.answer().get("resumed", 0) < parts, f"resumed {run.answer().get('resumed')}, {parts} parts")
    kept_runs.expect_same(world, run, reference, algorithm.name)


def folding_given_up(world, algorithm):
    """A run whose folded states found no room says so after it was resumed, too."""
    question = kept_runs.Question("unlike", str(world.write("unlike.m", UNLIKE)), ("--deadlock", "off", "--fold", "on"))
    run = kept_runs.KeptRun(world, algorithm, question)
    for part in ("begun", "resumed"):
        run.strike([*run.next_command(), "--memory", "16M", "--time-limit", "6" if part == "begun" else "0.2"], 60,
                   signal.SIGKILL)
        folding = run.answer().get("folding", {})
        world.expect(folding.get("mode") == "given up", f"{part}: {run.code}, {folding}: {world.said()[-300:]}")


ATTACKS = [terminated, asked, twice, damaged, cut, damaged_file, starts_without_room, two_at_once, moved, copied,
           further_disks, changed_model, in_use_by_a_check, at_a_limit, folding_given_up]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="attacks whose name contains this")
    arguments = parser.parse_args()

    def strike(world, make, number):
        algorithms = [row for row in kept_runs.resumable_algorithms(world) if not row.has("cycles")]
        for algorithm in algorithms if arguments.long else [algorithms[number % len(algorithms)]]:
            before = len(world.problems)
            make(world, algorithm)
            world.problems[before:] = [f"{algorithm.name}: {problem}" for problem in world.problems[before:]]
            shutil.rmtree(world.folder / "run", ignore_errors=True)
        world.expect_clean(make.__name__)

    attacks = [(make.__name__, lambda world, make=make, number=number: strike(world, make, number))
               for number, make in enumerate(ATTACKS) if not arguments.only or arguments.only in make.__name__]
    return attack.in_world(arguments.strata, attacks)


if __name__ == "__main__":
    sys.exit(main())
