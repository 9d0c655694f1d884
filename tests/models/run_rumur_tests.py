"""Runs rumur's regression models: every model must behave as its header says, but for the listed exceptions.

    python3 run_rumur_tests.py --strata PATH [--dir DIR] [MODEL...]

The header lines of a model:
    -- rumur_exit_code: 1      the front end must reject it (exit 150)
    -- checker_exit_code: 1    an error must be found (exit 11, 12, 13, 14 or 75)
    -- checker_output: ...     a regular expression for the text output, written in Python; it is parsed, never run
    -- rumur_flags: [...]      options of rumur, mapped to ours by FLAGS
    -- skip_reason: ...        about SMT solvers, sandboxes and XML, which do not matter to us
doc/differences.md lists the models that differ, each with its reason; a listed model that does behave so is
a failure too, so that the list stays true. Exit code 77: the folder is not there.
"""

import argparse
import ast
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import strata_run

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_DIR = HERE.parents[2] / "shared" / "models" / "murphi" / "rumur-tests"
ERRORS = (11, 12, 13, 14, 75)

# Options of rumur and ours; None: an option about rumur's code generator that has no meaning here.
FLAGS = {"--deadlock-detection": "--deadlock", "--bound": "--bound", "--threads": "--threads",
         "--max-errors": "--max-errors", "--counterexample-trace": "--trace", "--value-type": None,
         "--pack-state": None, "--sandbox": None, "--scalarset-schedules": None}

# Where Strata systematically says the same in other words: what to replace in rumur's regular expressions.
WORDING = [(r" hit \d+ times", " hit"),  # Strata says whether a cover was hit, not how often
           (r"invariant ", "[Ii]nvariant "),  # CMurphi, and so Strata, starts the sentence with a capital
           (r"liveness property", "[Ll]iveness property")]


class Header:
    """What the first lines of a model say."""

    def __init__(self, path):
        self.values = {}
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            match = re.match(r"-- (rumur_flags|rumur_exit_code|checker_exit_code|checker_output|skip_reason): (.*)$",
                             line)
            if match:
                self.values.setdefault(match.group(1), match.group(2).strip())

    def rejected(self):
        return self.values.get("rumur_exit_code", "0") != "0"

    def fails(self):
        return self.values.get("checker_exit_code", "0") != "0"

    def needs_smt(self):
        """Expects an SMT solver to remove the guards, which read undefined variables: without one (Rumur then skips the
        model) they are run-time errors."""
        return self.values.get("rumur_flags", "").startswith("smt")

    def only_in_debug_mode(self):
        return "non-debug mode" in self.values.get("skip_reason", "")

    def output(self):
        """The compiled regular expression for the output, or None."""
        text = self.values.get("checker_output")
        return compile_pattern(ast.parse(text, mode="eval").body) if text else None

    def options(self):
        """The flags as options of Strata."""
        text = self.values.get("rumur_flags", "[]")
        flags = ast.literal_eval(text) if text.startswith("[") else []  # smt_args() and smt_bv_args(): no meaning here
        words = [word for flag in flags for word in flag.split("=", 1)]
        options = ["--undefined", "strict"]
        for name, value in zip(words[::2], words[1::2]):
            if FLAGS[name]:
                options += [FLAGS[name], value]
        return options


def compile_pattern(node):
    """The regular expression of `None if xml else re.compile('...', re.MULTILINE)`: text mode, not XML."""
    if isinstance(node, ast.IfExp):
        return compile_pattern(node.orelse)  # every condition in use (xml, xml or multithreaded) is false here
    if isinstance(node, ast.Call):
        pattern = node.args[0].value
        for theirs, ours in WORDING:
            pattern = re.sub(theirs, ours, pattern)
        return re.compile(pattern, re.MULTILINE if len(node.args) > 1 else 0)
    return None


def read_exceptions(path):
    """name.m -> reason, from the table of doc/differences.md"""
    rows = re.findall(r"^\| `([^`]+\.m)` \| (.*) \|$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows)


def complaint(strata, path, header, timeout):
    """(what is wrong or an empty text, the run)"""
    command = [strata, "check", str(path), "--algorithm", "ram", "--progress", "off", *header.options()]
    run = strata_run.run(command, timeout, as_json=False)
    code = run.exit_code
    if header.rejected():
        wanted = (150, 151) if "foobar" in header.options() else (150,)
    elif header.needs_smt():
        wanted = (0, *ERRORS)
    elif header.fails():
        wanted = ERRORS
    else:
        wanted = (0, 152) if "--bound" in header.options() else (0,)
    if code not in wanted:
        return f"exit code {code}, expected {' or '.join(map(str, wanted))}", run
    pattern = header.output()
    # Rumur does not number its steps.
    if pattern and not pattern.search(re.sub(r"^Step \d+.*\n", "", run.stdout, flags=re.MULTILINE)):
        return f"the output does not match {pattern.pattern}", run
    return "", run


def report(path, text, run):
    print(f"FAILED {path.name}: {text}")
    print(run.text() if run else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--dir", default=str(DEFAULT_DIR))
    parser.add_argument("--exceptions", default=str(HERE.parent.parent / "doc" / "differences.md"))
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="*", help="names of models; all without")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.dir)
    if not folder.is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    exceptions = read_exceptions(pathlib.Path(arguments.exceptions))
    paths = [folder / name for name in arguments.models] or sorted(folder.glob("*.m"))
    return run_all(arguments, paths, exceptions)


def run_all(arguments, paths, exceptions):
    headers = {path: Header(path) for path in paths}
    wanted = [path for path in paths if not headers[path].only_in_debug_mode()]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs = list(pool.map(lambda p: complaint(arguments.strata, p, headers[p], arguments.timeout), wanted))
    obeyed = excepted = failed = 0
    for path, (wrong, run) in zip(wanted, runs):
        if wrong and path.name in exceptions:
            excepted += 1
        elif wrong:
            failed += 1
            report(path, wrong, run)
        elif path.name in exceptions:
            failed += 1
            report(path, f"it obeys, but doc/differences.md lists it ({exceptions[path.name]})", None)
        else:
            obeyed += 1
    if not arguments.models:
        for name in sorted(set(exceptions) - {path.name for path in paths}):
            failed += 1
            print(f"FAILED doc/differences.md lists {name}, which is not there")
    print(f"{obeyed} models obey their header, {excepted} are exceptions, "
          f"{len(paths) - len(wanted)} skipped, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
