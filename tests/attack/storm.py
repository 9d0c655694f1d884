"""Storms of signals, from the first moment of a run to its last.

    python3 storm.py --strata PATH [--count N] [--seed S] [--only WORDS]

A run gets SIGUSR1 and SIGUSR2 one after the other, every half millisecond, until its process is gone: it gives its
verdict, and a run with checkpoints says when one that was asked for is made. Another gets SIGINT, SIGTERM or SIGHUP
at a random moment, the last ones above all, with a storm around it: it gives its verdict or ends with 130, as its
report says, and leaves nothing. --count is the number of signals."""

import argparse
import random
import shutil
import signal
import sys
import time

import attack
import kept_runs

REQUESTS = (signal.SIGUSR1, signal.SIGUSR2)
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BETWEEN = 0.0005
MADE = "the checkpoint that was asked for is made"


def catches(process, numbers):
    """Whether the process has handlers for these signals; None: it is gone."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            line = next(line for line in status if line.startswith("SigCgt:"))
    except (OSError, StopIteration):
        return None
    mask = int(line.split()[1], 16)
    return all(mask >> (number - 1) & 1 for number in numbers)


class Storm:
    """Runs of one command, and the signals that they got."""

    def __init__(self, world, name, algorithm, memory, more=(), keeps=False):
        self.world, self.name, self.keeps = world, name, keeps
        model = world.folder / "models" / "cube.m"
        if not model.exists():
            world.write("cube.m", kept_runs.CUBE)
        self.report, self.kept = world.folder / "report.json", world.folder / "kept"
        self.arguments = ["check", model, "--deadlock", "off", "-D", "N=24", "--algorithm", algorithm, "--threads", "2",
                          "--memory", f"{memory}M", "--progress", "off", "--json", self.report, *more]
        self.arguments += ["--checkpoint", self.kept] if keeps else ["--disk", world.folder / "disk"]
        world.run(self.arguments)  # compiles
        begin = time.monotonic()
        self.code, _, _ = world.run(self.arguments)
        self.seconds = time.monotonic() - begin
        self.answer = attack.read_json(self.report)
        world.expect(self.code == 0, f"{name}: {self.code} although no signal was sent")

    def start(self, numbers):
        process = self.world.start(self.arguments)
        while catches(process, numbers) is False and process.poll() is None:
            pass
        return process

    def requests(self):
        """A storm of requests; how many signals."""
        process, sent = self.start(REQUESTS), 0
        while process.poll() is None:
            process.send_signal(REQUESTS[sent % 2])
            sent += 1
            time.sleep(BETWEEN)
        found = attack.read_json(self.report) or {}
        self.world.expect(process.returncode == self.code and found.get("states") == self.answer["states"],
                          f"{self.name}, {sent} requests: exit code {process.returncode}, {found.get('states')} "
                          f"states: {self.world.said()[-300:]}")
        made = (found.get("checkpoint") or {}).get("made", 0)
        if self.keeps and made > 0:
            self.world.expect(MADE in self.world.said(),
                              f"{self.name}: {made} checkpoints were made, but none was reported")
        self.world.expect_clean(f"{self.name}, requests")
        return sent

    def stop(self, choose):
        """One signal that asks the run to end, with requests before and after."""
        process, sent, number = self.start((*REQUESTS, *STOPS)), 0, choose.choice(STOPS)
        at = time.monotonic() + self.seconds * choose.choice((choose.random(), choose.uniform(0.8, 1.1)))
        asked = False
        while process.poll() is None:
            if not asked and time.monotonic() > at:
                process.send_signal(number)
                asked, sent = True, sent + 1
            process.send_signal(REQUESTS[sent % 2])
            sent += 1
            time.sleep(BETWEEN)
        code, found = process.returncode, attack.read_json(self.report) or {}
        what = f"{self.name}, {number.name} {'sent' if asked else 'not sent'} after {sent} signals"
        self.world.expect(code in (self.code, 130), f"{what}: exit code {code}: {self.world.said()[-300:]}")
        self.world.expect(not found or (found.get("stop") == "interrupted") == (code == 130),
                          f"{what}: exit code {code}, and the report says {found.get('stop')}")
        shutil.rmtree(self.kept, ignore_errors=True)
        self.world.expect_clean(what)
        return sent


def storms(world, arguments):
    choose = random.Random(arguments.seed)
    rows = [Storm(world, "ram", "ram", 64), Storm(world, "part", "part", 32),
            Storm(world, "auto on disk", "auto", 32, ("--set", "ram=0")),
            Storm(world, "ram with checkpoints", "ram", 64, keeps=True),
            Storm(world, "mono with checkpoints", "mono", 32, keeps=True)]
    rows = [row for row in rows if arguments.only is None or arguments.only in row.name]
    sent = runs = 0
    while sent < arguments.count and len(world.problems) < 10:
        row = rows[runs % len(rows)]
        sent += row.requests() if runs // len(rows) % 2 == 0 else row.stop(choose)
        runs += 1
    print(f"{runs} runs, {sent} signals")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="runs whose name has this")
    arguments = parser.parse_args()
    return attack.in_world(arguments.strata, [("storms", lambda world: storms(world, arguments))])


if __name__ == "__main__":
    sys.exit(main())
