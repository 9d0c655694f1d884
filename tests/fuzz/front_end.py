"""Runs Strata's front end on a text and says what is wrong with how it ended.

`strata info FILE` parses and checks a model without compiling it. It must end with 0 (a good model), 150 (a
rejected one, with file:line:column on standard error) or 151, quickly, and never by a signal or with a report of a
sanitizer."""

import re
import resource
import signal
import subprocess

SANITIZER = re.compile(rb"AddressSanitizer|UndefinedBehaviorSanitizer|ThreadSanitizer|LeakSanitizer|runtime error: ")


def limits(seconds, megabytes):
    """A function for the child that limits its processor time and, if asked, its address space.

    Wall-clock time says little on a loaded machine. Sanitizers reserve terabytes of address space, so that limit is
    optional.
    """

    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        if megabytes:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    return apply


def complaint(strata, path, timeout=10, megabytes=0):
    """What is wrong with a run on the file, in a few words, or an empty text."""
    try:
        process = subprocess.run([strata, "info", str(path)], stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=30 * timeout, preexec_fn=limits(timeout, megabytes), check=False)
    except subprocess.TimeoutExpired:
        return f"no end within {30 * timeout} s, though it does not compute"
    if process.returncode == -signal.SIGXCPU:
        return f"no end within {timeout} s of processor time"
    if SANITIZER.search(process.stderr):
        return "sanitizer report: " + process.stderr.decode("utf-8", "replace").strip().splitlines()[0][:200]
    if process.returncode < 0:
        return f"signal {-process.returncode}"
    if process.returncode not in (0, 150, 151):
        return f"exit code {process.returncode}"
    located = re.search(re.escape(str(path)).encode() + rb":\d+:\d+: error: ", process.stderr)
    if process.returncode == 150 and not located:
        return "exit code 150 without file:line:column"
    return ""
