#!/usr/bin/env python3
"""Compares `auto` with `ram` at fractions of the memory that `ram` takes.

Started by ./run, which builds strata. Exit code 1 when a count is wrong or a run fails, 0 otherwise: a missed
target is a result, not an error."""

import argparse
import datetime
import pathlib
import platform
import shlex
import sys

import figures
import machine
import markdown
import models
import suite as suites
from suite import MIB, Case

# Small and large states, wide and long graphs, many and few backward edges. Large enough that 3 % of ram's memory
# is more than the process itself.
FULL = [models.N_PETERSON_6, models.MCSLOCK1_5, models.ELEVATOR2_3, models.ANDERSON_6, models.IPROTOCOL_5,
        models.LAMPORT_8, models.LDASH_4, models.CACHE3_5, models.WINDOW_8, models.COMP_MODEL, models.LIST6_6,
        models.PETERSON_5, models.MSI_5_1, models.file_transfer(8000), models.assembly_line(1500)]
SHORT = [models.PETERSON_5, models.MSI_5_1, models.WINDOW_4, models.file_transfer(3000)]
FRACTIONS = [1, 0.5, 0.2, 0.1, 0.05, 0.03]
# (fraction, the most that the geometric mean may be, the most of any model)
TARGETS = [(1, 1.05, None), (0.2, 1.15, None), (0.05, 1.35, 1.8), (0.03, 1.6, None)]
SLACK = 8 * MIB
# One family from ten million states to a thousand million, in the same amount of memory.
GROWTH = [models.long_window(period) for period in (30, 258, 2580)]
GROWTH_MEMORY = 512 * MIB
GROWTH_TARGET = 1.5


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/auto/run", description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--short", action="store_true", help="four models of 4 to 12 million states, about five minutes "
                                                           "(the default)")
    size.add_argument("--full", action="store_true", help="all models, best of three runs: hours")
    parser.add_argument("--models", help="only these, for example msi,cache3")
    parser.add_argument("--searches", help="also these at 5 %%, for example part,dddd")
    parser.add_argument("--growth", action="store_true",
                        help="only one family from 10 million to 1,000 million states at 512 MiB: about 15 minutes, 25 "
                             "GiB of disk")
    parser.add_argument("--fractions", help="only these, for example 1,0.05")
    parser.add_argument("--threads", type=int, default=suites.default_threads(), help="default: all cores")
    parser.add_argument("--models-dir", type=pathlib.Path, default=models.CLASSIC,
                        help="the classic Murphi models (default %(default)s)")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--disk", action="append", default=[], help="as strata's --disk; may be repeated")
    parser.add_argument("--time-limit", type=float, help="seconds for one run (default: 60, with --full 900)")
    parser.add_argument("--repetitions", type=int, help="runs of which the fastest counts (default: 1, with --full 3)")
    parser.add_argument("--out", type=pathlib.Path, help="file for the report; default bench/results/auto-DATE-ARCH.md")
    arguments = parser.parse_args()
    arguments.models = arguments.models.split(",") if arguments.models else None
    arguments.searches = arguments.searches.split(",") if arguments.searches else []
    arguments.fractions = [float(one) for one in arguments.fractions.split(",")] if arguments.fractions else FRACTIONS
    arguments.time_limit = arguments.time_limit or (3600 if arguments.growth else 900 if arguments.full else 60)
    arguments.repetitions = arguments.repetitions or (3 if arguments.full else 1)
    return arguments


def header(arguments):
    this = shlex.join(["bench/auto/run", *sys.argv[1:]])
    return ["# auto beside ram", "", f"- date: {datetime.date.today()}",
            *machine.describe(models.ROOT, {"strata": [arguments.strata, "--version"], "gcc": ["gcc", "--version"]}),
            f"- this report: `{this}`",
            "- each run: `strata check MODEL -D NAME=VALUE --algorithm NAME --memory BYTES --threads "
            f"{arguments.threads} --progress off --json FILE`",
            "- times: seconds of the whole process, the model compiled beforehand; the fastest of "
            f"{arguments.repetitions}.", ""]


def case(suite, model, fraction, algorithm="auto"):
    # With no more than it takes without a limit, ram itself runs out of memory at times: it then has no room to
    # grow its index.
    return Case(model, algorithm, (), int(suite.memory(model, fraction) * (1.03 if fraction == 1 else 1)))


def slowdown(suite, one, model):
    return figures.ratio(suite.best(one).time(), suite.best(Case(model, "ram")).time())


def percent(fraction):
    return f"{100 * fraction:g} %"


def times(suite, loads, fractions):
    """Seconds and ratios to ram, one column for each fraction; the geometric means are below."""
    rows, ratios = [], {fraction: [] for fraction in fractions}
    for model in loads:
        suite.measure([Case(model, "ram")] + [case(suite, model, fraction) for fraction in fractions])
        cells = [suite.best(Case(model, "ram")).text()]
        for fraction in fractions:
            one = case(suite, model, fraction)
            ratios[fraction].append(slowdown(suite, one, model))
            cells.append(f"{suite.best(one).text()} ({figures.text(ratios[fraction][-1])})")
        rows.append([model.title, *cells])
    rows.append(["geometric mean", "", *(figures.text(figures.geometric_mean(ratios[one])) for one in fractions)])
    return markdown.table(["model", "ram", *map(percent, fractions)], rows), ratios


def others(suite, loads, algorithms):
    rows = []
    for model in loads:
        found = [case(suite, model, 0.05, algorithm) for algorithm in ["auto", *algorithms]]
        suite.measure(found)
        rows.append([model.title, *(figures.text(slowdown(suite, one, model)) for one in found)])
    return markdown.table(["model", "auto", *algorithms], rows)


def traffic(suite, loads, fractions):
    """The use of disk and memory by a run, in multiples of the bytes of all states."""
    rows, problems = [], []
    for model in loads:
        for fraction in fractions:
            outcome = suite.best(case(suite, model, fraction))
            report = outcome.report
            if not outcome.complete or not report["disk"]["peak"]:
                continue
            own = report["states"] * report["state_bytes"]
            over = report["memory"]["peak_rss"] - report["memory"]["budget"]
            disk, seconds, details = report["disk"], report["seconds"], report["details"]
            if over > SLACK:
                problems.append(f"{model.title}, {percent(fraction)}: {over / MIB:.0f} MiB above --memory")
            shares = [100 * seconds[name] / seconds["search"] for name in ("generate", "insert", "detect", "io",
                                                                           "partition")]
            # The states may all be in RAM, and only what the goals of a model need on disk (COMP_Model_3CC at 5 %).
            waited, bits = details.get("waited_per_state"), details.get("filter_bits_per_state")
            rows.append([model.title, percent(fraction), f"{disk['written'] / own:.2f}", f"{disk['peak'] / own:.2f}",
                         f"{disk['read'] / own:.1f}", f"{over / MIB:.1f}", "-" if waited is None else f"{waited:.2f}",
                         "-" if bits is None else f"{bits:.1f}", str(report["detections"]["full"]),
                         *(f"{share:.0f}" for share in shares), f"{100 - sum(shares):.0f}"])
    header = ["model", "memory", "written", "peak", "read", "RSS - --memory, MiB", "waited a state",
              "filter bits a state",
              "decisions", "generate %", "insert %", "detect %", "io %", "partition %", "other %"]
    return markdown.table(header, rows), problems


def targets(ratios):
    lines = []
    for fraction, mean, most in TARGETS:
        known = [one for one in ratios.get(fraction, []) if one is not None]
        lines.append(figures.target(f"geometric mean at {percent(fraction)} of ram's memory at most {mean}",
                                    figures.geometric_mean(known), 0, mean))
        if most and known:
            lines.append(figures.target(f"no model above {most} at {percent(fraction)}",
                                        max(known, key=lambda one: one.number), 0, most))
    return lines


def growth(suite):
    """Nanoseconds a state, and bytes on disk."""
    rows, each = [], []
    cases = [Case(model, "auto", (), GROWTH_MEMORY) for model in GROWTH]
    suite.measure(cases)
    for model, one in zip(GROWTH, cases):
        outcome = suite.best(one)
        if not outcome.complete:
            rows.append([model.title, outcome.text()])
            continue
        report = outcome.report
        states, disk = report["states"], report["disk"]
        each.append(outcome.time().number / states)
        rows.append([model.title, f"{states:,}", str(report["state_bytes"]), f"{len(report['levels']) - 1:,}",
                     outcome.text(), f"{1e9 * each[-1]:.0f}", f"{disk['peak'] / 1e9:.2f}",
                     f"{disk['peak'] / states:.1f}",
                     f"{disk['written'] / states:.1f}", f"{disk['read'] / states:.1f}",
                     f"{report['memory']['peak_rss'] / MIB:.0f}"])
    header = ["model", "states", "state bytes", "levels, at most", "seconds", "ns a state", "disk peak, GB",
              "peak bytes a state", "written bytes a state", "read bytes a state", "RSS, MiB"]
    lines = ["## Growth at 512 MiB", "", markdown.table(header, rows), ""]
    if len(each) == len(GROWTH):
        rise = each[-1] / each[0]
        verdict = "PASS" if rise < GROWTH_TARGET else "FAIL"
        lines += [f"- {verdict}: nanoseconds a state rise by less than {GROWTH_TARGET} from the first to the last: "
                  f"{rise:.2f}", ""]
    return lines


def report(suite, arguments):
    if arguments.growth:
        return growth(suite)
    loads = suite.present(FULL if arguments.full else SHORT)
    loads = [model for model in loads if suite.memory(model, 0.05) is not None]
    table, ratios = times(suite, loads, arguments.fractions)
    lines = suites.memory_section(suite, loads, 0.05, 0.03)
    lines += ["## Seconds, and times ram, by the fraction of ram's memory", "", table, ""]
    if arguments.searches:
        lines += ["## Times ram at 5 % of its memory, beside other searches", "",
                  others(suite, loads, arguments.searches), ""]
    table, problems = traffic(suite, loads, [one for one in arguments.fractions if one < 1])
    lines += ["## Disk, in multiples of the bytes of all states, and where the time goes", "", table, ""]
    lines += ["## Targets", "", *targets(ratios), *(f"- FAIL: {problem}" for problem in problems), ""]
    lines += ["## Skipped", "", *([f"- {note}" for note in suite.notes] or ["Nothing."]), ""]
    lines += ["## Errors", "", *([f"- {error}" for error in suite.errors] or ["None."]), ""]
    return lines


def main():
    arguments = parse_arguments()
    if not arguments.strata.exists():
        suites.say(f"{arguments.strata} does not exist")
        return 1
    suite = suites.Suite(arguments)
    first = header(arguments)
    text = "\n".join(first + report(suite, arguments)).rstrip() + "\n"
    print(text, flush=True)
    path = arguments.out
    if not path and not arguments.models:
        size = "growth-" if arguments.growth else "" if arguments.full else "short-"
        path = models.ROOT / "bench/results" / f"auto-{size}{datetime.date.today()}-{platform.machine()}.md"
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        suites.say(f"written to {path}")
    return 0 if not suite.errors else 1


if __name__ == "__main__":
    sys.exit(main())
