#!/usr/bin/env python3
"""Compares the forecasts of searches at a quarter, half and three quarters of their time with the final numbers.

Started by ./run, which builds strata. Exit code 1 when a run fails, 0 otherwise: a missed target is a result, not
an error."""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import machine
import markdown
import models

SHARES = (0.25, 0.5, 0.75)
HITS, WIDTH = 0.9, 4.0  # of the ranges given: those with the truth; the median of most / least
PLOT = 64  # columns of a plot
SHORT = [models.MSI_4_3, models.WINDOW_4, models.CACHE3_4]
FULL = [models.PETERSON_5, models.MSI_4_3, models.MSI_5_1, models.WINDOW_4, models.file_transfer(3000),
        models.assembly_line(1500), models.N_PETERSON_6, models.MCSLOCK1_4, models.MCSLOCK2_3, models.CACHE3_4_4,
        models.CACHE3_5, models.LIST6_5, models.LDASH_4, models.COMP_MODEL, *models.BEEM_FULL]


def run(arguments, model):
    """The report of one search, and its lines of progress."""
    constants = [part for name, value in model.constants for part in ("-D", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run([arguments.strata, "check", model.file(models.CLASSIC), *constants, *model.options,
                               "--symmetry", "off", "--algorithm", arguments.algorithm, "--memory", arguments.memory,
                               "--threads",
                               str(arguments.threads), "--progress", "json", "--json", report],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if not report.exists():
            return None, []
        lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
        return json.loads(report.read_text()), lines


def cell(forecast, states):
    if forecast is None:
        return "none"
    least, most = forecast["states"]
    if most is None:
        return f"{least / states:.2f} to any"
    return f"{least / states:.2f} to {most / states:.2f}"


def is_hit(forecast, states):
    least, most = forecast["states"]
    return least <= states <= most


def row(model, report):
    made = {one["share"]: one for one in report["forecast"]}
    return [model.title, f"{report['states']:,}", str(len(report["levels"])), f"{report['seconds']['search']:.1f}",
            *(cell(made.get(share), report["states"]) for share in SHARES)]


def plot(model, report, lines):
    """The forecast range relative to the true number, over time: one line for each progress line that has a
    forecast."""
    text = [f"{model.title}: {report['states']:,} states; the column of `|` is the truth, `-` the range, on a scale "
            "from 1/8 to 8 times", ""]
    column = lambda ratio: round(math.log2(min(max(ratio, 1 / 8), 8) * 8) / 6 * (PLOT - 1))
    for line in lines:
        if not line["forecast"]:
            continue
        least, most = line["forecast"]["states"]
        first, last = column(least / report["states"]), column((most if most is not None else 1e99) / report["states"])
        marks = ["-" if first <= i <= last else " " for i in range(PLOT)]
        marks[column(1)] = "|"
        text.append(f"    {100 * line['seconds'] / max(report['seconds']['search'], 1e-9):5.0f} % "
                    f"{''.join(marks).rstrip()}")
    return text + [""]


def targets(reports):
    given = [(one, report["states"]) for report in reports for one in report["forecast"]
             if one["states"][1] is not None]
    if not given:
        return ["- not measured: no run had an end in sight"]
    hits = sum(is_hit(*pair) for pair in given) / len(given)
    width = statistics.median(one["states"][1] / one["states"][0] for one, _ in given)
    word = lambda passed: "PASS" if passed else "FAIL"
    return [f"- {word(hits >= HITS)}: the truth is in at least {HITS:.0%} of the ranges that were given: {hits:.0%} of "
            f"{len(given)}",
            f"- {word(width < WIDTH)}: the median of most / least there below {WIDTH:g}: {width:.2f}"]


def main():
    parser = argparse.ArgumentParser(prog="bench/forecast/run", description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="three models, half a minute")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="4G", help="default %(default)s")
    parser.add_argument("--algorithm", default="auto", help="default %(default)s")
    parser.add_argument("--strata", type=pathlib.Path, default=models.ROOT / "build/release/strata", help="the program")
    parser.add_argument("--out", type=pathlib.Path, help="write the report to this file too")
    arguments = parser.parse_args()
    rows, reports, plots, notes, wrong = [], [], [], [], []
    for model in SHORT if arguments.short else FULL:
        if not model.file(models.CLASSIC).exists():
            notes.append(f"{model.title}: its file is absent")
            continue
        print(f"  {model.title}", file=sys.stderr, flush=True)
        report, lines = run(arguments, model)
        if report is None or report["stop"] or report["states"] != model.states:
            wrong.append(f"{model.title}: " + ("the run failed" if report is None
                                               else f"{report['states']} states, stop {report['stop']}"))
            continue
        rows.append(row(model, report))
        reports.append(report)
        plots += plot(model, report, lines)
    header = ["model", "states", "levels", "s", *(f"at {share:.0%}" for share in SHARES)]
    text = ["# Forecasts beside what came", "", *machine.describe(models.ROOT,
                                                                  {"strata": [arguments.strata, "--version"]}),
            "- each range: the least and the most states forecast, as parts of those that there are", "",
            markdown.table(header, rows), "", "## Targets", "", *targets(reports), "", "## Over the time", "", *plots]
    return markdown.publish(text, notes, wrong, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
