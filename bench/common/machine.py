"""The facts that a result must name: commit, machine, tools."""

import os
import pathlib
import platform
import subprocess


def first_line(command, cwd=None):
    """The first line a command prints, or a dash when it cannot run."""
    try:
        done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60)
    except OSError:
        return "-"
    lines = done.stdout.strip().splitlines()
    return lines[0] if lines and done.returncode == 0 else "-"


def commit(root):
    head = first_line(["git", "rev-parse", "--short=12", "HEAD"], root)
    changed = first_line(["git", "status", "--porcelain", "--untracked-files=no"], root)
    return head if changed == "-" else f"{head} with uncommitted changes"


def processor():
    lines = subprocess.run(["lscpu"], stdout=subprocess.PIPE, text=True, env=dict(os.environ, LC_ALL="C")).stdout
    names = [line.split(":", 1)[1].strip() for line in lines.splitlines() if line.startswith("Model name:")]
    return names[0] if names else platform.machine()


def ram_gib():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def load():
    """The average number of running processes in the last minute."""
    return float(pathlib.Path("/proc/loadavg").read_text().split()[0])


def describe(root, programs):
    """Lines of Markdown; `programs` has the command that prints each tool's version. The load is measured before the
    benchmark: other work on the machine distorts a result."""
    busy = " (BUSY: times mean little)" if load() > os.cpu_count() / 2 else ""
    versions = ", ".join(f"{name}: {first_line(command)}" for name, command in programs.items())
    return [f"- commit: {commit(root)}",
            f"- machine: {processor()} ({platform.machine()}), {os.cpu_count()} cores, {ram_gib():.1f} GiB RAM, "
            f"{platform.system()} {platform.release()}, load before the run {load()}{busy}",
            f"- tools: {versions}"]
