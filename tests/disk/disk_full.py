"""The searches on disk from outside: a disk that is full, runs that are stopped, what is left behind, and the
memory taken.

    python3 disk_full.py --strata PATH [--only NAME] [--long]

Each check prints its name and what was wrong. A full file system is a small tmpfs in a mount namespace of its own;
where the system does not allow that, this check says so and is left out. Without --long, every other algorithm is
tried with two disks, and the others with --keep."""

import argparse
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "models"))
import strata_run  # noqa: E402

# A state space of 26 MB that takes a second or two, and one of 270 MB that takes long enough to be stopped.
SHORT = (str(ROOT / "examples" / "msi.m"), "-D", "ProcCount=4", "--symmetry", "off")
SHORT_STATES, SHORT_RULES = 952384, 3902192
LONG = (str(ROOT / "examples" / "peterson.m"), "-D", "N=5")
MEBIBYTE = 1 << 20


class Checks:
    """All checks, on one program and in one folder."""

    def __init__(self, strata, folder, is_long):
        self.strata = strata
        self.is_long = is_long
        self.disk = pathlib.Path(folder) / "disk"
        self.disk.mkdir()
        self.folder = pathlib.Path(folder)
        self.problems = []
        rows = [row for row in strata_run.algorithms(strata, "errors") if row["traits"]["on_disk"]]
        self.algorithms = [row["name"] for row in rows]
        self.giving_up = {row["name"] for row in rows if row["traits"]["gives_up"]}

    def expect(self, condition, what, run):
        if not condition:
            self.problems.append(f"{what}\n{run.text()}")

    def expect_empty(self, after, run):
        left = sorted(path.name for path in self.disk.iterdir())
        self.expect(not left, f"{after}: left in the folder of --disk: {left}", run)
        for name in left:
            shutil.rmtree(self.disk / name)

    def command(self, model, algorithm, *options):
        return [self.strata, "check", *model, "--algorithm", algorithm, "--threads", "2", "--progress", "off",
                "--json", "-", "--disk", str(self.disk), *options]

    # ---- limits

    def expect_disk_full(self, run, algorithm, reason, advice):
        """Exit code, verdict, reason and advice of a search that found no room on disk."""
        report = run.report or {}
        self.expect(run.exit_code == 152, f"{algorithm}: exit code {run.exit_code}, expected 152", run)
        found = tuple(report.get(name) for name in ("verdict", "stop", "reason"))
        self.expect(found == ("incomplete", "disk", reason), f"{algorithm}: JSON says {found}", run)
        message = report.get("stop_message") or ""
        states = report.get("states", 0)
        self.expect(0 < states < SHORT_STATES, f"{algorithm}: {states} states", run)
        for word in (advice, str(states)):
            self.expect(word in message, f"{algorithm}: the message does not say '{word}': {message}", run)

    def disk_limit(self):
        """--disk-limit ends a search as incomplete, names the limit and says what can be done."""
        for algorithm in self.algorithms:
            run = strata_run.run(self.command(SHORT, algorithm, "--memory", "16M", "--disk-limit", "1M"))
            self.expect_disk_full(run, algorithm, "disk_limit", "--disk-limit")
            self.expect(run.report and run.report["disk"]["peak"] <= MEBIBYTE, f"{algorithm}: passed the limit", run)
            self.expect_empty(f"{algorithm}, exit code 152", run)

    def full_file_system(self):
        """A tmpfs of 4 MiB, mounted where only this run sees it."""
        mount = 'mount -t tmpfs -o size=4m tmpfs "$0" && "$@"; code=$?; echo left: $(ls -A "$0") >&2; exit $code'
        tried = subprocess.run(["unshare", "-rm", "sh", "-c", mount, str(self.disk), "true"], capture_output=True,
                               check=False) if shutil.which("unshare") else None
        if tried is None or tried.returncode != 0:
            print("  left out: this system does not let us mount a tmpfs")
            return
        for algorithm in self.algorithms:
            command = self.command(SHORT, algorithm, "--memory", "16M")
            run = strata_run.run(["unshare", "-rm", "sh", "-c", mount, str(self.disk), *command])
            self.expect_disk_full(run, algorithm, "disk_full", "--disk")
            self.expect(run.stderr.endswith("\nleft:\n"), f"{algorithm}: files were left", run)

    def file_size_limit(self):
        """`ulimit -f` is as a full disk; a search of many small files may stay below it."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (MEBIBYTE, MEBIBYTE))
        for algorithm in ("part", "mono", "cbf"):
            command = self.command(SHORT, algorithm, "--memory", "16M")
            process = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
            run = strata_run.Run(command, process.returncode, None, process.stdout, process.stderr)
            run.report = json.loads(process.stdout) if process.returncode == 152 else None
            self.expect_disk_full(run, algorithm, "file_size", "ulimit -f")
            self.expect_empty(f"{algorithm} with ulimit -f", run)

    # ---- ends

    def normal_end(self):
        for algorithm in self.algorithms:
            run = strata_run.run(self.command(SHORT, algorithm, "--memory", "64M"))
            self.expect(run.answer() == "holds", f"{algorithm}: {run.answer()}, expected holds", run)
            self.expect(run.count("states") == SHORT_STATES, f"{algorithm}: {run.count('states')} states", run)
            self.expect_empty(f"{algorithm}, normal end", run)

    def two_disks(self):
        """Blocks are striped over the folders of --disk, and both are empty in the end."""
        second = self.folder / "second"
        second.mkdir()
        for algorithm in self.algorithms if self.is_long else self.algorithms[::2]:
            memory = "64M" if algorithm in self.giving_up else "16M"
            run = strata_run.run(self.command(SHORT, algorithm, "--memory", memory, "--disk", str(second)))
            self.expect(run.count("states") == SHORT_STATES, f"{algorithm}: {run.count('states')} states", run)
            access = run.report["disk"]["access"] if run.report else ""
            self.expect("2 folders" in access, f"{algorithm}: {access}", run)
            self.expect_empty(f"{algorithm}, first of two disks", run)
            self.expect(not list(second.iterdir()), f"{algorithm}: the second disk is not empty", run)

    def start(self, algorithm, *options):
        """A long search, as soon as it has written something."""
        process = subprocess.Popen(self.command(LONG, algorithm, "--memory", "16M", *options), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline and not self.written():
            time.sleep(0.02)
        return process

    def written(self):
        try:
            return any(path.stat().st_size > 0 for path in self.disk.glob("strata-run-*/*") if path.name != "lock")
        except FileNotFoundError:
            return False

    def end(self, process):
        output, errors = process.communicate(timeout=60)
        run = strata_run.Run(process.args, process.returncode, None, output, errors)
        try:
            run.report = json.loads(output)
        except ValueError:
            pass
        return run

    def signals(self):
        """After ^C, SIGTERM and a second ^C nothing is left, whatever the search was doing."""
        for algorithm in self.algorithms:
            # cbf may give up before it is asked.
            options = ("--set", "gamma=1") if algorithm == "cbf" else ()
            for first in (signal.SIGINT, signal.SIGTERM):
                process = self.start(algorithm, *options)
                process.send_signal(first)
                run = self.end(process)
                after = f"{algorithm}, {first.name}"
                self.expect(run.exit_code == 130, f"{after}: exit code {run.exit_code}, expected 130", run)
                self.expect(run.count("verdict") == "incomplete" and run.count("stop") == "interrupted",
                            f"{after}: JSON says {run.count('verdict')}, {run.count('stop')}", run)
                self.expect(run.count("states"), f"{after}: no states", run)
                self.expect_empty(after, run)
            process = self.start(algorithm, *options)
            process.send_signal(signal.SIGINT)
            time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            run = self.end(process)
            self.expect(run.exit_code == 130, f"{algorithm}, ^C twice: exit code {run.exit_code}", run)
            self.expect_empty(f"{algorithm}, ^C twice", run)

    def killed(self):
        """What a killed run leaves, the next one in the same folder removes; and nothing else."""
        stranger = self.disk / "strata-run-of-somebody"
        stranger.mkdir()
        process = self.start("mono")
        process.kill()
        killed = self.end(process)
        self.expect(len(list(self.disk.iterdir())) == 2, "SIGKILL: there is no folder left to remove", killed)
        run = strata_run.run(self.command(SHORT, "mono", "--memory", "64M"))
        self.expect(run.answer() == "holds", "the run after a killed one", run)
        self.expect([path.name for path in self.disk.iterdir()] == [stranger.name], "after a killed run and another",
                    run)
        stranger.rmdir()

    # ---- the rest

    def to_disk(self):
        """SIGUSR1 takes serial from memory to disk, and the result is right."""
        process = subprocess.Popen(self.command(SHORT, "serial", "--memory", "256M"), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline and not list(self.disk.iterdir()):
            time.sleep(0.005)
        process.send_signal(signal.SIGUSR1)
        run = self.end(process)
        details = (run.report or {}).get("details", {})
        self.expect(run.answer() == "holds", f"SIGUSR1: {run.answer()}, expected holds", run)
        self.expect(run.count("states") == SHORT_STATES, f"SIGUSR1: {run.count('states')} states", run)
        self.expect((details.get("switched"), details.get("switched_by")) == (True, "signal"),
                    f"SIGUSR1: details {details}", run)
        self.expect_empty("serial after SIGUSR1", run)

    def keep(self):
        """--keep leaves the files of a search, with a manifest that lists them."""
        for algorithm in self.algorithms if self.is_long else self.algorithms[1::2]:
            kept = self.folder / f"kept-{algorithm}"
            command = [self.strata, "check", *SHORT, "--algorithm", algorithm, "--memory", "16M", "--progress", "off",
                       "--json", "-", "--keep", str(kept)]
            run = strata_run.run(command)
            manifest = (kept / "manifest").read_text() if (kept / "manifest").exists() else ""
            lines = [line.split(": ", 1) for line in manifest.splitlines()]
            logs = [value.split() for name, value in lines if name == "log"]
            self.expect(lines[:1] == [["format", "1"]], f"{algorithm}, --keep: the manifest is {manifest}", run)
            self.expect(["model", SHORT[0]] in lines, f"{algorithm}, --keep: no model in the manifest", run)
            self.expect(logs, f"{algorithm}, --keep: no logs in the manifest", run)
            for name, _, record_bytes, records in logs:
                size = (kept / name).stat().st_size if (kept / name).exists() else 0
                self.expect(size > int(record_bytes) * int(records), f"{algorithm}, --keep: {name} is too short", run)
            shutil.rmtree(kept, ignore_errors=True)

    def memory(self):
        """The process holds what --memory says, and at most 8 MiB more, on a state space that is larger."""
        for algorithm in self.algorithms if self.is_long else self.algorithms[::2]:
            for model, size in ((SHORT, 16), (LONG, 32)) if self.is_long else ((LONG, 16),):
                run = strata_run.run(self.command(model, algorithm, "--memory", f"{size}M", "--time-limit", "3"))
                peak = ((run.report or {}).get("memory") or {}).get("peak_rss", 1 << 60)
                self.expect(peak <= (size + 8) * MEBIBYTE,
                            f"{algorithm}: {peak / MEBIBYTE:.1f} MiB with --memory {size}M", run)
                self.expect_empty(f"{algorithm}, --time-limit", run)


CHECKS = ("disk_limit", "full_file_system", "file_size_limit", "normal_end", "two_disks", "signals", "killed",
          "to_disk", "keep", "memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--only", choices=CHECKS, help="this check alone")
    parser.add_argument("--long", action="store_true", help="each check with all algorithms")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="strata-disk-") as folder:
        checks = Checks(os.path.abspath(arguments.strata), folder, arguments.long)
        for model in (SHORT, LONG):
            strata_run.run([checks.strata, "check", *model, "--bound", "1"])  # compiled now, not while it is timed
        for name in [arguments.only] if arguments.only else CHECKS:
            begin = time.monotonic()
            getattr(checks, name)()
            print(f"{name}: {len(checks.problems) - failed} problem(s), {time.monotonic() - begin:.1f} s", flush=True)
            failed = len(checks.problems)
    for problem in checks.problems:
        print(f"FAILED {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
