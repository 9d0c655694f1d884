"""Runs a command and measures wall time and peak memory.

The peak resident set is taken by GNU time rather than by wait4 here: the kernel counts the memory of the process
that forks as the child's own, so under Python every small program would seem to need Python's 15 MB.
"""

import dataclasses
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time

GNU_TIME = "/usr/bin/time"
# A command under which each measured one is run, for example one that keeps other work away from it.
UNDER = shlex.split(os.environ.get("STRATA_BENCH_UNDER", ""))


class ToolError(Exception):
    """A tool did not do what the benchmark needs; the message is for the user."""


def one_line(error):
    """For Markdown lists, where a message must not break the line."""
    return " | ".join(line.strip() for line in str(error).splitlines() if line.strip())


@dataclasses.dataclass
class Run:
    command: list
    exit_code: int  # None when the time limit ended it
    seconds: float
    peak_rss: int  # bytes; of the largest process when there are several
    output: str  # standard output and standard error

    def text(self):
        return shlex.join(str(word) for word in self.command)


def run(command, cwd=None, env=None, time_limit=None):
    """Runs the command to its end, or kills it (and its children) after time_limit seconds."""
    with tempfile.NamedTemporaryFile("r") as rss_file, tempfile.TemporaryFile("w+", errors="replace") as out:
        timed = [*UNDER, GNU_TIME, "-q", "-f", "%M", "-o", rss_file.name] + [str(word) for word in command]
        begin = time.perf_counter()
        process = subprocess.Popen(timed, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   cwd=cwd, env=env, start_new_session=True)
        exit_code = _wait(process, time_limit)
        seconds = time.perf_counter() - begin
        out.seek(0)
        return Run(command, exit_code, seconds, _kibibytes(rss_file.read()), out.read())


def _wait(process, time_limit):
    # Popen.wait(timeout) looks every 50 ms, too coarse for short runs; so a timer kills, and wait() waits.
    expired = threading.Event()

    def kill():
        # The process leads its own session, so its group is exactly what we started.
        os.killpg(process.pid, signal.SIGKILL)

    def end():
        expired.set()
        kill()

    timer = threading.Timer(time_limit, end) if time_limit is not None else None
    if timer:
        timer.start()
    try:
        exit_code = process.wait()
    except BaseException:
        kill()
        process.wait()
        raise
    finally:
        if timer:
            timer.cancel()
    return None if expired.is_set() else exit_code


def _kibibytes(text):
    lines = text.split()
    return int(lines[-1]) * 1024 if lines else 0


def best(command, time_limit, repeat_below=2.0, times=3, **options):
    """The fastest of several runs if they are short; one run is enough if it is long."""
    runs = [run(command, time_limit=time_limit, **options)]
    while len(runs) < times and runs[0].seconds < repeat_below and runs[0].exit_code is not None:
        runs.append(run(command, time_limit=time_limit, **options))
    return min(runs, key=lambda one: one.seconds)


def must_run(command, what, **options):
    """Runs a command that has to succeed; the error quotes the end of what it printed."""
    result = run(command, **options)
    if result.exit_code != 0:
        tail = "\n".join(result.output.strip().splitlines()[-5:])
        raise ToolError(f"{what}: {result.text()}: exit code {result.exit_code}\n{tail}")
    return result
