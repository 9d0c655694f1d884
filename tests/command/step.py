"""strata step, as users and scripts meet it: its answers on one example, and random sequences of commands.

    python3 step.py --strata PATH [--count N] [--seed S]

In a random sequence each command is followed by `show` and `path`. Going back must lead to the state that was shown
there before, the saved path must be followed by a new session to the same state, and nothing may crash."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ["peterson.m", "lock_race.m", "token_ring.m", "msi.m", "alternating_bit.dve", "traffic.dve", "overflow.dve",
          "ring_buffer_bug.m", "dining.m"]
EXPRESSIONS = {"peterson.m": ["N", "forall p: 1..2 do true end", "1 / 0", "(", "x["]}
PROMPT = "strata> "
# Refused commands of a script end it with one of these.
REFUSED = {0, 150, 151, 153}


def step(strata, model, lines, *options):
    return subprocess.run([strata, "step", str(ROOT / "examples" / model), *options], input="\n".join(lines) + "\n",
                          capture_output=True, text=True, timeout=120, check=False)


def answers(output):
    """The texts that follow the commands, without the one before the first."""
    parts = ("\n" + output).split("\n" + PROMPT)[1:]
    return [part.partition("\n")[2] for part in parts]


def random_line(chance, model, folder):
    kind = chance.randrange(20)
    if kind < 8:
        return str(chance.randrange(1, 6))
    choices = ["back", f"back {chance.randrange(4)}", f"to {chance.randrange(6)}", "restart", "random",
               f"random {chance.randrange(30)}", "rules", "rules e", "disabled", "help", "path", "unwatch",
               f"watch {chance.choice(EXPRESSIONS.get(model, ['1', 'x'])) }",
               f"eval {chance.choice(EXPRESSIONS.get(model, ['1 + 1', '?'])) }", "until 1 = 2", "show nothing",
               f"save {folder}/walk.itf.json", f"open {folder}/walk.itf.json", "# a comment", "", "\t",
               "nonsense", "1 2", "99999999999999999999", "back -1", "\x01\xff", "r" * 5000]
    return chance.choice(choices)


class Path_:
    """What the session must show, as far as the commands tell."""

    def __init__(self, shown):
        self.states = [] if shown is None else [shown]

    def follow(self, length, shown):
        """The path has this length after a command, and its last state is `shown`."""
        if length == 0:
            self.states = []
            return None
        if length <= len(self.states):
            self.states = self.states[:length]
            known = self.states[-1]
            self.states[-1] = shown
            return None if known in (None, shown) else f"step {length - 1} was\n{known}\nand is now\n{shown}"
        self.states += [None] * (length - 1 - len(self.states)) + [shown]
        return None


def sequence(strata, number, seed):
    chance = random.Random(seed)
    model = chance.choice(MODELS)
    with tempfile.TemporaryDirectory() as folder:
        commands = [random_line(chance, model, folder) for _ in range(chance.randrange(1, 25))]
        lines = []
        for command in commands:
            lines += [command, "show", "path"]
        saved = f"{folder}/last.itf.json"
        run = step(strata, model, [*lines, f"save {saved}", "show"])
        where = f"sequence {number} (seed {seed}), {model}"
        if run.returncode not in REFUSED:
            return f"{where}: exit code {run.returncode}\n{run.stderr}"
        got = answers(run.stdout)
        if len(got) != len(lines) + 2:
            return f"{where}: {len(got)} answers to {len(lines) + 2} commands"
        problem = compare(commands, got)
        if problem:
            return f"{where}: {problem}"
        if not Path(saved).exists():
            return None if "choose a start state" in got[-2] else f"{where}: nothing was saved\n{got[-2]}"
        again = answers(step(strata, model, ["show"], "--along", saved).stdout)
        return None if again and again[0] == got[-1] else f"{where}: the saved path leads elsewhere"


def compare(commands, got):
    path = Path_(None)
    for i, command in enumerate(commands):
        shown, steps = got[3 * i + 1], got[3 * i + 2]
        length = 0 if steps.startswith("no start state") else len(steps.splitlines())
        # A trace that is opened, and a restart, begin another path.
        if command.startswith(("open", "restart")):
            path.states = []
        if wrong := path.follow(length, shown):
            return f"after '{command}': {wrong}"
    return None


def examples(strata):
    lines = ["rules look", "1", "disabled enter, p:2", "eval locked | at[1] = Sees", "eval at", "2",
             "until at[1] = Inside & at[2] = Inside", "back 99", "path"]
    run = step(strata, "lock_race.m", lines)
    wanted = ["Rule \"look\", p:1", "at[1]: Outside -> Sees", "false: at[p] = Sees", "locked | at[1] = Sees = true",
              "at[2] = Outside", "holds", "! ", "is not a number of steps"]
    missing = [text for text in wanted if text not in run.stdout]
    if missing or run.returncode != 151:
        return [f"lock_race.m: exit code {run.returncode}, without {missing}:\n{run.stdout}{run.stderr}"]
    return []


def saved_cases(strata):
    """A state that is saved as a case of a suite is found again; and random steps end at a watched condition."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        suite = f"{folder}/walks.suite.json"
        for model, commands in (("lock_race.m", ["1", "2", "1"]), ("msi.m", ["random 7"]),
                                ("ring_buffer.m", ["random 9"]), ("dining.dve", ["random 5"]),
                                ("peterson.dve", ["random 6"])):
            run = step(strata, model, [*commands, f"save {suite}"])
            if run.returncode != 0:
                problems.append(f"{model}: {run.stdout}{run.stderr}")
        runs = json.loads(Path(suite).read_text())["runs"]
        if len(runs) != 5 or any("reached=" not in " ".join(run["options"]) for run in runs):
            problems.append(f"the suite: {runs}")
        run = subprocess.run([strata, "suite", suite], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            problems.append(f"the saved states are not reached: {run.stdout}{run.stderr}")
        Path(suite).write_text("[]")
        run = step(strata, "lock_race.m", ["1", f"save {suite}"])
        if "is not a suite in JSON" not in run.stdout or Path(suite).read_text() != "[]":
            problems.append(f"a file without a suite: {run.stdout}")
    run = step(strata, "lock_race.m", ["watch locked", "random 100", "eval locked"])
    if "and watch 1 holds" not in run.stdout or "locked = true" not in answers(run.stdout)[-1]:
        problems.append(f"a watched condition: {run.stdout}")
    return problems


def traces(strata):
    """Questions to a trace, saved by check as ITF and as a result, and to what strata trace makes of it."""
    with tempfile.TemporaryDirectory() as folder:
        model = str(ROOT / "examples" / "lock_race.m")
        itf, result, again, page = (f"{folder}/{name}" for name in ("a.itf.json", "r.json", "b.itf.json", "p.html"))
        subprocess.run([strata, "check", model, "--trace-file", itf, "--json", result], capture_output=True,
                       check=False)
        problems = []
        for file in (itf, result):
            run = subprocess.run([strata, "trace", file, "--show", "locked", "--where", "at[1] = Sees", "--invariant",
                                  "!(at[1] = Inside & at[2] = Inside)", "--trace-file", again, "--report", page],
                                 capture_output=True, text=True, check=False)
            lines = run.stdout.splitlines()
            if run.returncode != 12 or len(lines) != 4 or "fails first in step 4" not in lines[-1]:
                problems.append(f"{file}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
        run = subprocess.run([strata, "trace", again, "--show", "locked", "--json", "-"], capture_output=True,
                             text=True, check=False)
        values = [step["values"]["locked"] for step in json.loads(run.stdout)["steps"]]
        if values != [False, False, False, True, True] or "<html" not in Path(page).read_text():
            problems.append(f"the trace with its columns: {run.stdout}{run.stderr}")
        run = subprocess.run([strata, "trace", result, model], capture_output=True, text=True, check=False)
        if run.returncode != 0 or "Step 1: Rule \"look\", p:1\n    or then enter, p:1  (line 13)\n" not in run.stdout:
            problems.append(f"a trace and its model: {run.stdout}{run.stderr}")
        subprocess.run([strata, "simulate", str(ROOT / "examples" / "peterson.m"), "--steps", "20", "--trace-file",
                        itf], capture_output=True, check=False)
        run = step(strata, "peterson.m", ["path"], "--along", itf)
        if len(answers(run.stdout)[0].splitlines()) != 21:
            problems.append(f"--along a random walk: {run.stdout}")
        run = step(strata, "lock_race.m", ["path"], "--along", result)
        if len(answers(run.stdout)[0].splitlines()) != 5:
            problems.append(f"--along a result: {run.stdout}")
        return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    problems = examples(options.strata) + saved_cases(options.strata) + traces(options.strata)
    # The sequences wait for the program, so threads suffice to keep all cores busy.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda number: sequence(options.strata, number, options.seed + number), range(options.count))
        problems += islice(filter(None, found), 5)
        pool.shutdown(wait=True, cancel_futures=True)
    for problem in problems:
        print(problem)
    print(f"{options.count} sequences, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
