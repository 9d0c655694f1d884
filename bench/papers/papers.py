#!/usr/bin/env python3
"""Measures the tables of the papers whose searches strata has, and prints them beside the papers' own figures.

Started by ./run, which builds strata. Exit code 1 when a count is wrong or a run fails, 0 otherwise: a missed
target is a result, not an error."""

import argparse
import datetime
import pathlib
import platform
import shlex
import sys

import machine
import models
import paper_000
import paper_001
import paper_002
import paper_003
import paper_004
import suite as suites

PAPERS = {"000": paper_000, "001": paper_001, "002": paper_002, "003": paper_003, "004": paper_004}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/papers/run", description=__doc__.splitlines()[0])
    parser.add_argument("papers", nargs="+", choices=[*PAPERS, "all"], help="which papers")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--short", action="store_true", help="smaller models, about three minutes a paper (the default)")
    size.add_argument("--full", action="store_true", help="the full sizes, best of three runs: hours")
    parser.add_argument("--huge", action="store_true",
                        help="000: also a model of hundreds of millions of states in table 3")
    parser.add_argument("--models", help="only these, for example msi,cache3")
    parser.add_argument("--searches", help="000, 002, 003: only these beside ram or ndfs, for example part")
    parser.add_argument("--threads", type=int, default=suites.default_threads(), help="default: all cores")
    parser.add_argument("--models-dir", type=pathlib.Path, default=models.CLASSIC,
                        help="the classic Murphi models (default %(default)s)")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--disk", action="append", default=[], help="as strata's --disk; may be repeated")
    parser.add_argument("--time-limit", type=float, help="seconds for one run (default: 15, with --full 900)")
    parser.add_argument("--repetitions", type=int, help="runs of which the fastest counts (default: 1, with --full 3)")
    parser.add_argument("--out", type=pathlib.Path, help="file for the report; default "
                                                         "bench/results/papers-PAPER-DATE-ARCH.md")
    arguments = parser.parse_args()
    arguments.papers = list(PAPERS) if "all" in arguments.papers else arguments.papers
    arguments.models = arguments.models.split(",") if arguments.models else None
    arguments.searches = arguments.searches.split(",") if arguments.searches else None
    arguments.time_limit = arguments.time_limit or (900 if arguments.full else 15)
    arguments.repetitions = arguments.repetitions or (3 if arguments.full else 1)
    if arguments.out and len(arguments.papers) > 1:
        parser.error("--out is for one paper")
    return arguments


def header(arguments, paper):
    this = shlex.join(["bench/papers/run", *sys.argv[1:]])
    each = ("Each run once." if arguments.repetitions == 1 else
            f"The fastest of {arguments.repetitions} runs, or one run where that took over {suites.LONG_RUN} seconds.")
    lines = [f"# {paper.TITLE}", "", f"- date: {datetime.date.today()}",
             *machine.describe(models.ROOT, {"strata": [arguments.strata, "--version"], "gcc": ["gcc", "--version"]}),
             f"- this report: `{this}`",
             "- each run: `strata check MODEL -D NAME=VALUE --algorithm NAME --set NAME=VALUE --memory BYTES --threads "
             f"{arguments.threads} --time-limit {arguments.time_limit:.0f} --progress off --json FILE`",
             f"- times: seconds of the whole process, the model compiled beforehand. {each} A run that the time limit "
             "ended counts with the limit, and what is computed with it is a bound (`>` or `<`).", ""]
    if not arguments.full:
        lines += ["A short run: the models are small, and the targets are meant for the full sizes.", ""]
    return lines


def section(title, lines, otherwise):
    return [f"## {title}", "", *(lines or [otherwise]), ""]


def measure(name, arguments):
    """Measures one paper; true if no run failed."""
    suites.say(f"paper {name}")
    paper = PAPERS[name]
    suite = suites.Suite(arguments, getattr(paper, "YARDSTICK", "ram"))
    first = header(arguments, paper)
    body, targets = paper.report(suite, arguments)
    suite.errors += [f"--models {name}: there is no such model here" for name in suite.unmet()]
    lines = first + body + section("Targets", targets, "None.")
    lines += section("Skipped", [f"- {note}" for note in suite.notes], "Nothing.")
    lines += section("Errors", [f"- {error}" for error in suite.errors], "None.")
    text = "\n".join(lines).rstrip() + "\n"
    print(text, flush=True)
    write(name, text, arguments)
    return not suite.errors


def write(name, text, arguments):
    """The report of a run with --models is written only to the file of --out."""
    path = arguments.out
    if not path and not arguments.models and not arguments.searches:
        size = "" if arguments.full else "short-"
        path = models.ROOT / "bench/results" / f"papers-{name}-{size}{datetime.date.today()}-{platform.machine()}.md"
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        suites.say(f"written to {path}")


def main():
    arguments = parse_arguments()
    if not arguments.strata.exists():
        suites.say(f"{arguments.strata} does not exist")
        return 1
    return 0 if all([measure(name, arguments) for name in arguments.papers]) else 1


if __name__ == "__main__":
    sys.exit(main())
