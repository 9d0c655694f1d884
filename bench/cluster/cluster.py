#!/usr/bin/env python3
"""Compares ranks with threads on this machine, and predicts 16, 256 and 1,000 ranks, which the transport replays.

Started by ./run, which builds strata. Exit code 1 when a run fails or gives another answer, 0 otherwise: a missed
target is a result, not an error.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import machine
import markdown
import models
import ranks as launcher
import scaling

RATIO = 1.25  # 2 ranks x 1 thread to ram with 2 threads
BALANCE = 1.05  # the rank with most states to the mean, at 64 ranks
PREDICTED = (16, 256, 1000)
PLAYED = (4, 16, 64, 256)
PLAYED_LEVELS, PLAYED_SECONDS = 12, 8  # of a search, and how long one play takes here: all its ranks share this machine
OWNED = (2, 8)  # ranks whose states belong to them by hash or by local bits
SMALL_SHARE = 0.05  # of ram's memory, for each of four ranks with a disk
PREACH = 30e9  # states


class Runs:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.report = folder / "report.json"
        self.wrong, self.notes = [], []

    def command(self, model, options):
        constants = [part for name, value in model.constants for part in ("-D", f"{name}={value}")]
        return [self.arguments.strata, "check", model.file(models.CLASSIC), *constants, "--progress", "off",
                "--symmetry", "off", "--json", self.report, *map(str, options)]

    def run(self, model, options, ranks=1):
        """Seconds and report of a run; the report is None if the run failed."""
        self.report.unlink(missing_ok=True)
        command = self.command(model, options)
        begin = time.monotonic()
        if ranks == 1:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            code, errors = done.returncode, done.stderr
        else:
            code, _, errors = launcher.run(self.arguments.mpirun, ranks, command, timeout=3600)
        seconds = time.monotonic() - begin
        report = json.loads(self.report.read_text()) if self.report.exists() else None
        if code != 0 or report is None or (model.states and report["states"] != model.states):
            self.wrong.append(f"{model.title}, {ranks} ranks: exit code {code}, "
                              f"{report['states'] if report else 'no'} states: {errors.strip()[:300]}")
            report = None
        return seconds, report

    def fastest(self, model, options, ranks=1):
        """The faster of two runs."""
        outcomes = [self.run(model, options, ranks) for _ in range(2)]
        return min(outcomes, key=lambda outcome: (outcome[1] is None, outcome[0]))


def cluster_of(report, runs):
    """The part of the report about ranks; None: this strata has no ranks."""
    if report is not None and "cluster" not in report:
        runs.wrong.append("a run of two ranks has no \"cluster\" in its report")
    return report.get("cluster") if report else None


def sent_bytes(cluster):
    return sum(rank["bytes_sent"] for rank in cluster["per_rank"])


def beside_ram(runs, model, memory):
    """A row of the first table, and the reports of both runs."""
    alone, ram = runs.fastest(model, ["--algorithm", "ram", "--threads", 2, "--memory", memory])
    if not runs.arguments.ranks:
        return None, ram, None
    both, two = runs.fastest(model, ["--threads", 1, "--memory", memory], ranks=2)
    cluster = cluster_of(two, runs)
    if ram is None or cluster is None:
        return None, ram, None
    search = two["seconds"]["search"] / ram["seconds"]["search"]
    return [model.title, f"{ram['states']:,}", f"{alone:.1f}", f"{both:.1f}", f"{both / alone:.2f}", f"{search:.2f}",
            f"{RATIO:.2f}",
            f"{sent_bytes(cluster) / two['states']:.1f}", f"{cluster['travelled']:.1%}",
            f"{cluster['balance']:.3f}"], ram, two


def on_disks(runs, model, ram):
    """Four ranks, each with 5 % of ram's memory and its own disk, compared with auto on one rank with the memory of
    all four. Ranks search level by level, so auto does so too."""
    share = max(32 << 20, int(ram["memory"]["peak_rss"] * SMALL_SHARE))
    disk = runs.folder / "disk"
    disk.mkdir(exist_ok=True)
    one, _ = runs.run(model, ["--threads", 2, "--memory", 4 * share, "--disk", disk])
    exact, _ = runs.run(model, ["--threads", 2, "--memory", 4 * share, "--disk", disk, "--set", "levels=exact"])
    four, report = runs.run(model, ["--threads", 1, "--memory", share, "--disk", f"{disk}/%r"], ranks=4)
    if report is None:
        return None
    return [model.title, f"{share / 2**20:.0f} MiB", f"{one:.1f}", f"{exact:.1f}", f"{four:.1f}", f"{four / one:.2f}",
            f"{four / exact:.2f}"]


def by_owner(runs, model, p):
    """The states that travel if the owner is chosen by hash, and by bits that rarely change."""
    for ranks in OWNED:
        for owner in ("hash", "local"):
            _, report = runs.run(model, ["--threads", 1, "--memory", runs.arguments.memory, "--set", f"owner={owner}"],
                                 ranks)
            cluster = cluster_of(report, runs)
            if cluster is None:
                continue
            said = f"{p.travel(ranks) / p.successors:.1%}" if owner == "hash" else ""
            yield [model.title, str(ranks), owner, f"{report['seconds']['search']:.1f}", f"{cluster['travelled']:.1%}",
                   said, f"{sent_bytes(cluster) / report['states']:.1f}", f"{cluster['balance']:.3f}"]


def fitted(ram, two, arguments):
    """The parameters of a rank of one thread, from the runs; parameters not measured come from the command line."""
    successors = ram["transitions"] / ram["states"]
    # ram on two threads takes as long as one thread with half of the states.
    expand = arguments.expand or ram["seconds"]["search"] * 2 * 1e6 / ram["states"]
    p = scaling.Parameters(expand / arguments.threads, successors=successors, bytes=ram["state_bytes"] + 1,
                           insert=arguments.insert / arguments.threads, again=arguments.again, hop=arguments.hop)
    if two is not None:
        cluster = two["cluster"]
        travelled = cluster["total"]["sent"]
        p.successors = cluster["total"]["successors"] / two["states"]
        p.again = max(0.0, 2 * (1 - 2 * cluster["travelled"]))  # half of the successors belong to the other one
        p.bytes = sent_bytes(cluster) / max(1, travelled)
        rest = two["seconds"]["search"] * 2 * 1e6 - expand * two["states"]
        p.insert = max(0.0, rest) / max(1, travelled) / arguments.threads
    return p


def predictions(title, levels, p):
    one = scaling.predict(levels, 1, p)
    for ranks in PREDICTED:
        many = scaling.predict(levels, ranks, p)
        yield [title, f"{ranks:,}", f"{one.seconds:,.0f}", f"{many.seconds:,.2f}", f"{one.seconds / many.seconds:,.0f}",
               f"{one.seconds / many.seconds / ranks:.0%}", f"{sum(levels) / many.seconds / 1e6:,.0f}",
               f"{many.bytes_sent / many.seconds / 2**20:,.0f}", f"{scaling.buffers(ranks, p) / 2**20:,.0f}",
               many.limit()]


def played(arguments, title, levels, p):
    # Of a long search only every n-th level, small and large ones.
    some = levels[:: max(1, -(-len(levels) // PLAYED_LEVELS))]
    for ranks in PLAYED:
        said = scaling.predict(some, ranks, p).seconds
        seen = scaling.replay(arguments.replay, some, ranks, p, max(1.0, PLAYED_SECONDS / said))
        yield [title, str(ranks), f"{len(some)}", f"{said:.3f}", f"{seen:.3f}", f"{seen / said:.2f}"]


def main():
    parser = argparse.ArgumentParser(prog="bench/cluster/run", description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="small models")
    parser.add_argument("--no-ranks", dest="ranks", action="store_false",
                        help="measure ram alone, and predict with what is assumed")
    parser.add_argument("--no-play", dest="play", action="store_false", help="predict, and do not play")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--replay", type=pathlib.Path, default=models.ROOT / "build/release/cluster_replay")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--memory", default="8G", help="of a run on one rank, and of each of two")
    parser.add_argument("--folder", default="/var/tmp", help="where disks and reports are")
    parser.add_argument("--threads", type=int, default=1, help="of a predicted rank (default: 1)")
    parser.add_argument("--expand", type=float,
                        help="instead of what is measured: microseconds for a state, of one thread")
    parser.add_argument("--insert", type=float, default=0.15, help="assumed where not measured: microseconds for a "
                                                                   "state that arrives")
    parser.add_argument("--again", type=float, default=0.5, help="assumed: share of the successors that a rank alone "
                                                                 "sent lately")
    parser.add_argument("--hop", type=float, default=40, help="microseconds for a step of a collective")
    parser.add_argument("--out", type=pathlib.Path, help="write the report to this file, too")
    arguments = parser.parse_args()
    chosen = [models.WINDOW_4, models.MSI_4_2, models.MSI_4_3] if arguments.short else [
        models.WINDOW_8, models.PETERSON_5, models.MSI_5_2, models.MSI_5_1]
    lines = ["# Ranks", "", *machine.describe(models.ROOT, {"strata": [arguments.strata, "--version"]}), ""]
    measured, disks, owned, predicted, plays = [], [], [], [], []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        runs = Runs(arguments, pathlib.Path(folder))
        for model in chosen:
            row, ram, two = beside_ram(runs, model, arguments.memory)
            if ram is None:
                continue
            if row:
                measured.append(row)
                disks.append(on_disks(runs, model, ram))
            p = fitted(ram, two, arguments)
            if row:
                owned += by_owner(runs, model, p)
            predicted += predictions(model.title, ram["levels"], p)
            grown = [level * PREACH / ram["states"] for level in ram["levels"]]
            predicted += predictions(f"{model.title}, levels as of 30 G states", grown, p)
            if arguments.play:
                plays += played(arguments, model.title, ram["levels"], p)
    if measured:
        lines += ["Two ranks of one thread beside ram with two, same memory in all; seconds of whole processes.", "",
                  markdown.table(["model", "states", "ram", "2 ranks", "ratio", "of the search", "target",
                                  "bytes sent a state", "travelled", "balance"],
                                 measured), ""]
    if any(disks):
        lines += ["Four ranks with 5 % of the memory each and a disk folder of their own, beside auto with all of "
                  "that.", "",
                  markdown.table(["model", "memory each", "auto", "auto, exact levels", "4 ranks", "to auto",
                                  "to exact levels"],
                                 [row for row in disks if row]), ""]
    if owned:
        lines += ["What travels, by what a state belongs to a rank (`--set owner`); more ranks than cores.", "",
                  markdown.table(["model", "ranks", "owner", "s", "travelled", "predicted", "bytes sent a state",
                                  "balance"], owned), ""]
    lines += [f"Predicted (bench/cluster/scaling.py), ranks of {arguments.threads} thread(s), 25 Gbit/s.", "",
              markdown.table(["model", "ranks", "s on one", "s", "speed-up", "efficiency", "M states/s", "MiB/s a rank",
                              "MiB of buffers", "most of it is"], predicted), ""]
    if plays:
        lines += ["Played by the transport between ranks in one process (bench/cluster/replay.cc), some levels of "
                  "each.", "",
                  markdown.table(["model", "ranks", "levels", "predicted s", "played s", "ratio"], plays), ""]
    return markdown.publish(lines, runs.notes, runs.wrong, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
