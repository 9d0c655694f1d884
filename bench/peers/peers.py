#!/usr/bin/env python3
"""Measures strata side by side with rumur and spin, prints tables, and says which targets are reached.

Started by ./run, which builds strata and installs the other tools. Exit code 1 when counts disagree or a tool fails,
0 otherwise: a missed target is a result, not an error.
"""

import argparse
import datetime
import pathlib
import platform
import shlex
import sys
import tempfile

import dve
import machine
import measure
import rumur
import spin
import startup
import strata
import symmetry
import tables
import workloads

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROMELA = ROOT / "bench" / "peers" / "promela"


def say(text):
    print(text, file=sys.stderr, flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/peers/run", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller constants: under 5 minutes instead of 40")
    parser.add_argument("--models", help="only these, for example n_peterson,msi")
    parser.add_argument("--threads", default="1,2", help="thread counts (default 1,2)")
    parser.add_argument("--no-rumur", action="store_true", help="strata alone where rumur is its peer")
    parser.add_argument("--no-spin", action="store_true", help="leave the comparison with spin out")
    parser.add_argument("--symmetry", action="store_true", help="only the comparison with symmetry: about ten minutes")
    parser.add_argument("--models-dir", type=pathlib.Path, default=ROOT.parent / "shared/models/murphi/classic",
                        help="the classic Murphi models (default %(default)s)")
    parser.add_argument("--strata", type=pathlib.Path, default=ROOT / "build/release/strata", help="the program")
    parser.add_argument("--time-limit", type=float, default=1800, help="seconds for one run (default 1800)")
    parser.add_argument("--output", type=pathlib.Path, help="file for the report; the default for a full run is "
                        "bench/results/peers-DATE-ARCH.md, and none for any other")
    arguments = parser.parse_args()
    arguments.threads = [int(word) for word in arguments.threads.split(",")]
    arguments.models = arguments.models.split(",") if arguments.models else None
    reject_unknown(parser, arguments.models)
    return arguments


def reject_unknown(parser, names):
    loads = workloads.WORKLOADS + workloads.SPIN_WORKLOADS + workloads.DVE_WORKLOADS
    known = list(dict.fromkeys([load.name for load in loads] + [case.name for case in symmetry.CASES] +
                               [dve.family(name) for name in dve.INSTANCES[False]]))
    unknown = [name for name in names or [] if name not in known]
    if unknown:
        parser.error(f"unknown model {', '.join(unknown)}; known are {', '.join(known)}")


class Bench:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.strata = strata.Strata(arguments.strata, folder / "cache", arguments.time_limit)
        self.has_strata = not self.strata.missing()
        self.errors = []
        self.notes = []

    def selected(self, loads):
        names = self.arguments.models
        return [load for load in loads
                if (not names or load.name in names) and load.chosen(self.arguments.quick) is not None]

    def fail(self, title, error):
        say(f"  error: {title}: {error}")
        self.errors.append(f"{title}: {measure.one_line(error)}")

    @staticmethod
    def say(text):
        say(text)

    def skip(self, text):
        say(f"  skipped: {text}")
        self.notes.append(measure.one_line(text))

    # Against rumur.

    def against_rumur(self):
        reason = rumur.missing()
        if reason and not self.arguments.no_rumur:
            self.skip(reason)
        with_rumur = not reason and not self.arguments.no_rumur
        rows = []
        for load in self.selected(workloads.WORKLOADS):
            path = (self.arguments.models_dir if load.classic else EXAMPLES) / load.path
            if path.exists():
                rows += self.rumur_rows(load, path, with_rumur)
            else:
                self.skip(f"{load.name}: {path} is absent")
        return rows

    def rumur_rows(self, load, path, with_rumur):
        constants = load.chosen(self.arguments.quick)
        checker = self.rumur_checker(load, path, constants) if with_rumur else None
        rows = []
        for threads in self.arguments.threads:
            row = tables.Row(load.title(self.arguments.quick), threads)
            row.peer = self.rumur_side(row, checker, threads) if checker else None
            row.strata = self.strata_side(row, path, constants, threads)
            tables.compare_counts(row, load.published(self.arguments.quick))
            self.finish(row)
            rows.append(row)
        return rows

    def rumur_checker(self, load, path, constants):
        folder = self.folder / load.name
        folder.mkdir()
        try:
            return rumur.Checker(workloads.rumur_text(path.read_text(), constants, load.rewrite), folder)
        except measure.ToolError as error:
            self.fail(load.name, error)

    def rumur_side(self, row, checker, threads):
        say(f"{row.title}: rumur, {tables.plural(threads)} ...")
        try:
            run, counts = checker.measure(threads, self.arguments.time_limit)
            return tables.Side(*counts, run.seconds, run.peak_rss, how=checker.compiler)
        except measure.ToolError as error:
            row.note = "failed"
            self.fail(row.title, error)

    def strata_side(self, row, path, constants, threads):
        if not self.has_strata:
            return None
        say(f"{row.title}: strata, {tables.plural(threads)} ...")
        try:
            result = self.strata.check(path, constants, threads)
            return tables.Side(*result.counts, result.run.seconds, result.run.peak_rss, result.report["state_bytes"])
        except measure.ToolError as error:
            self.fail(row.title, error)

    def finish(self, row):
        sides = [(name, side) for name, side in (("peer", row.peer), ("strata", row.strata)) if side]
        rates = ", ".join(f"{name} {side.seconds:.2f} s, {side.rate() / 1e6:.2f} M/s" for name, side in sides)
        say(f"  {rates}" + (f", ratio {row.ratio():.2f}" if row.ratio() else ""))
        for error in row.errors:
            say(f"  error: {error}")
        self.errors += row.errors

    # Against spin.

    def against_spin(self):
        if self.arguments.no_spin:
            return []
        if spin.missing():
            self.skip(spin.missing())
            return []
        rows = []
        for load in self.selected(workloads.SPIN_WORKLOADS):
            files = EXAMPLES / f"{load.name}{load.suffix}", PROMELA / f"{load.name}.pml"
            absent = [str(file) for file in files if not file.exists()]
            if absent:
                self.skip(f"{load.name} against spin: {', '.join(absent)} is absent")
            else:
                rows += self.spin_rows(load, *files)
        return rows

    def spin_rows(self, load, model, promela):
        constants = load.chosen(self.arguments.quick)
        folder = self.folder / f"{load.name}{load.suffix}.spin"
        folder.mkdir()
        try:
            spin.generate(promela, {load.macros[name]: value for name, value in constants.items()}, folder)
        except measure.ToolError as error:
            self.fail(load.name, error)
            return []
        rows = []
        for threads in self.arguments.threads:
            row = tables.Row(load.title(self.arguments.quick), threads)
            row.peer = self.spin_side(row, folder, threads, load.states[self.arguments.quick])
            row.strata = self.strata_side(row, model, constants, threads)
            tables.compare_counts(row)
            self.finish(row)
            rows.append(row)
        return rows

    def spin_side(self, row, folder, threads, states):
        say(f"{row.title}: spin, {tables.plural(threads)} ...")
        try:
            result, failures = spin.fastest(folder, threads, states, self.arguments.time_limit)
        except measure.ToolError as error:
            row.note = "failed"
            self.fail(row.title, error)
            return None
        for failure in failures:
            self.skip(f"{row.title}: spin {failure}")
        # pan's processes share memory, which their separate peaks would count twice or not at all.
        rss = result.run.peak_rss if threads == 1 else 0
        return tables.Side(result.states, result.transitions, result.run.seconds, rss, how=result.mode,
                           exact=threads == 1)

    # Start-up.

    def start_up(self):
        if not self.has_strata:
            return None
        say("start-up and compile times ...")
        try:
            classic = self.arguments.models_dir
            compiles = [(EXAMPLES / "peterson.m", 2), (classic / "sci/sci.m", 5)]
            compiles += [(model, 8) for model in sorted((classic.parent / "coherence").glob("*.m"))]
            return startup.measure_startup(self.strata, compiles)
        except measure.ToolError as error:
            self.fail("start-up", error)


def commands():
    generate = "rumur --quiet --symmetry-reduction off --threads T --output checker.c MODEL"
    this = shlex.join(["bench/peers/run", *sys.argv[1:]])
    return [f"- this report: `{this}`",
            f"- rumur: `{generate} && (clang or gcc) {' '.join(rumur.flags())} checker.c -lpthread && ./checker`",
            f"- spin: `spin -DNAME=VALUE -a MODEL && gcc {' '.join(spin.FLAGS)} [-DBFS | -DBFS_PAR | -DNCORE=T] pan.c "
            "&& ./pan -n -wBITS -mDEPTH [-uT]`",
            "- strata: `strata check MODEL -D NAME=VALUE --algorithm ram --threads T --progress off --json FILE`"]


def section(title, block):
    return [f"## {title}", "", block or "Not measured.", ""]


def report(bench, header, rumur_rows, spin_rows, dve_rows, beem, symmetric, start):
    speedup_table, speedup_lines = tables.speedup_summary(rumur_rows)
    memory_table, memory_lines = tables.memory_summary(rumur_rows, start.peak_rss if start else 0)
    goals = tables.ratio_summary(rumur_rows, "rumur", 10, 5) + tables.ratio_summary(spin_rows, "spin", None, 1.5)
    goals += symmetry.goals(symmetric)
    goals += dve.goal(dve_rows) + speedup_lines + memory_lines + tables.startup_summary(start)
    lines = ["# Strata and its peers", "", *header, *commands(), ""]
    if bench.arguments.quick:
        lines += ["A quick run: the targets are meant for the full sizes.", ""]
    lines += section("Targets", "\n".join(goals))
    lines += section("Against rumur", rumur_rows and tables.speed_table(rumur_rows, "rumur", "rules"))
    lines += section("With symmetry", symmetric and symmetry.table(symmetric))
    lines += section("Against spin", spin_rows and tables.speed_table(spin_rows, "spin", "transitions"))
    lines += section("DVE beside Murphi", dve_rows and tables.speed_table(dve_rows, "Murphi", "transitions"))
    lines += section("BEEM", beem)
    lines += section("Strata: threads", speedup_table) + section("Strata: memory", memory_table)
    lines += section("Skipped", "\n".join(f"- {note}" for note in bench.notes) or "Nothing.")
    lines += section("Errors", "\n".join(f"- {error}" for error in bench.errors) or "None.")
    return "\n".join(lines).rstrip() + "\n"


def output_path(arguments):
    full = not (arguments.quick or arguments.models or arguments.no_rumur or arguments.no_spin or arguments.symmetry)
    if arguments.output or not full or not arguments.strata.exists():
        return arguments.output
    return ROOT / "bench" / "results" / f"peers-{datetime.date.today()}-{platform.machine()}.md"


def main():
    arguments = parse_arguments()
    programs = {"strata": [arguments.strata, "--version"], "rumur": ["rumur", "--version"], "spin": ["spin", "-V"],
                "gcc": ["gcc", "--version"], "clang": ["clang", "--version"]}
    header = [f"- date: {datetime.date.today()}", *machine.describe(ROOT, programs)]
    with tempfile.TemporaryDirectory(prefix="strata-peers-") as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        if not bench.has_strata:
            bench.skip(bench.strata.missing())
        start, rumur_rows, spin_rows, dve_rows, beem = None, [], [], [], None
        if not arguments.symmetry:
            start = bench.start_up()
            rumur_rows, spin_rows = bench.against_rumur(), bench.against_spin()
        if bench.has_strata and not arguments.symmetry:
            dve_rows, beem = dve.beside_murphi(bench, EXAMPLES), dve.beem_table(bench)
        symmetric = symmetry.measure_rows(bench) if bench.has_strata else []
        text = report(bench, header, rumur_rows, spin_rows, dve_rows, beem, symmetric, start)
    print(text)
    path = output_path(arguments)
    if path:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        say(f"written to {path}")
    return 1 if bench.errors else 0


if __name__ == "__main__":
    sys.exit(main())
