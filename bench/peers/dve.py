"""DVE models: the same system in Murphi and in DVE, DVE compared with spin, and BEEM's instances by themselves."""

import pathlib

import markdown
import measure
import tables
import workloads

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEEM = ROOT.parent / "shared/models/beem"
# BEEM's models may have deadlocks; what is measured is the whole state space.
WHOLE = ("--deadlock", "off")
# In a quick run, and in a full one.
INSTANCES = {True: ["peterson.3", "lamport.5", "elevator2.2", "iprotocol.3", "szymanski.3"],
             False: ["peterson.6", "lamport.7", "elevator2.2", "iprotocol.6", "szymanski.4"]}


def side(bench, title, path, constants, threads, extra=()):
    """One measured run of strata, or None."""
    try:
        result = bench.strata.check(path, constants, threads, extra)
        return tables.Side(*result.counts, result.run.seconds, result.run.peak_rss, result.report["state_bytes"],
                           how=path.suffix[1:])
    except measure.ToolError as error:
        bench.fail(title, error)
        return None


def beside_murphi(bench, examples):
    """A row for each number of threads: the Murphi model as the peer of the DVE model."""
    rows = []
    for load in bench.selected(workloads.DVE_WORKLOADS):
        constants = load.chosen(bench.arguments.quick)
        for threads in bench.arguments.threads:
            row = tables.Row(load.title(bench.arguments.quick), threads)
            row.peer = side(bench, row.title, examples / f"{load.name}.m", constants, threads)
            row.strata = side(bench, row.title, examples / f"{load.name}.dve", constants, threads)
            tables.compare_counts(row)
            bench.finish(row)
            rows.append(row)
    return rows


def family(instance):
    return instance.split(".")[0]


def beem_table(bench):
    """States and transitions a second, and bytes a state, of some of BEEM's instances."""
    rows = []
    for name in INSTANCES[bench.arguments.quick]:
        path = BEEM / family(name) / f"{name}.dve"
        if bench.arguments.models and family(name) not in bench.arguments.models:
            continue
        if not path.exists():
            bench.skip(f"{name}: {path} is absent")
            continue
        for threads in bench.arguments.threads:
            found = side(bench, name, path, {}, threads, WHOLE)
            if found:
                rows.append([name, f"{found.states:,}", f"{found.rules:,}", str(threads), f"{found.seconds:.2f}",
                             f"{found.states / found.seconds / 1e6:.2f}", f"{found.rate() / 1e6:.2f}",
                             str(found.state_bytes), f"{found.bytes_per_state():.1f}"])
    header = ["instance", "states", "transitions", "threads", "s", "M states/s", "M transitions/s", "state bytes",
              "B/state"]
    return markdown.table(header, rows) if rows else None


def goal(rows):
    """Whether the same system runs at the same speed in both languages."""
    ratios = [row.ratio() for row in rows if row.ratio()]
    if not ratios:
        return ["- the same system in DVE and Murphi within 1.25 x: not measured"]
    worst = max(max(ratio, 1 / ratio) for ratio in ratios)
    return [f"- the same system in DVE and Murphi within 1.25 x: {'met' if worst <= 1.25 else 'MISSED'} (at most "
            f"{worst:.2f})"]
