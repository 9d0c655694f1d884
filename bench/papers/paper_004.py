"""Evangelista, "Dynamic delayed duplicate detection for external memory model checking" (SPIN 2008): dddd compared
with hddd and part."""

import figures
import markdown
import models
import suite as suites
from suite import MIB, Case

TITLE = 'Evangelista, "Dynamic delayed duplicate detection for external memory model checking" (SPIN 2008)'

LONG = 500  # levels from which on a graph is long
AT = 0.05

# Experiments 1 and 2.
SHORT_FORECAST = [models.N_PETERSON_5, models.MCSLOCK1_4, models.CACHE3_4, models.LIST6_5, models.MSI_4_2,
                  models.WINDOW_3, models.sliding_window(200), models.file_transfer(300), models.token_ring(400),
                  models.assembly_line(60)]
FULL_FORECAST = [models.N_PETERSON_6, models.MCSLOCK2_3, models.CACHE3_5, models.LDASH_4, models.PETERSON_5,
                 models.MSI_5_1, models.WINDOW_4, models.sliding_window(400), models.sliding_window(800),
                 models.file_transfer(500), models.file_transfer(2000), models.token_ring(700), models.token_ring(1500),
                 models.assembly_line(200), models.assembly_line(400)]
# Experiment 3.
SHORT_PARTIAL = [models.file_transfer(1000), models.token_ring(1000), models.MSI_4_2, *models.BEEM_SHORT]
FULL_PARTIAL = [models.sliding_window(2000), models.file_transfer(4000), models.token_ring(1500),
                models.assembly_line(800), models.N_PETERSON_6, models.CACHE3_5, models.LDASH_4, models.MSI_5_1,
                *models.BEEM_FULL]
# Experiment 4: (the constant that grows, models).
SHORT_GROWING = [("Chunks", [models.file_transfer(n) for n in (250, 500, 1000)]),
                 ("Slots", [models.token_ring(n) for n in (400, 700, 1000)])]
FULL_GROWING = [("Chunks", [models.file_transfer(n) for n in (500, 1000, 2000, 4000)]),
                ("Slots", [models.token_ring(n) for n in (400, 700, 1000, 1500)]),
                ("Period", [models.sliding_window(n) for n in (400, 800, 1600)]),
                ("Items", [models.assembly_line(n) for n in (100, 200, 400)])]
GROWING_MEMORY = suites.LEAST_MEMORY

PARTIALS = [0, 2, 4, 8]
PUBLISHED = ("partition=hash",)  # part as its paper has it
PART = {"as published, partition=hash": PUBLISHED, "as strata has it, partition=local": ()}

# The paper's table 1: dddd with partial 0, 2, 4, 8, as a multiple of part's time.
PAPER_PARTIAL = {
    "anderson": [0.80, 0.28, 0.28, 0.28], "bakery": [0.65, 0.47, 0.47, 0.47], "brp2": [0.20, 0.20, 0.21, 0.22],
    "cambridge": [0.62, 0.44, 0.28, 0.30], "collision": [0.71, 0.67, 0.69, 0.69], "elevator": [1.16, 0.86, 0.85, 0.82],
    "iprotocol": [0.35, 0.30, 0.29, 0.32], "lann": [0.47, 0.47, 0.49, 0.52], "leader_filters": [0.38, 0.38, 0.38, 0.38],
    "lup": [1.03, 0.29, 0.31, 0.32], "peterson": [0.76, 0.71, 0.73, 0.77], "rether": [0.07, 0.07, 0.07, 0.08],
    "telephony": [1.01, 0.98, 0.95, 0.95], "train-gate": [0.24, 0.24, 0.25, 0.31],
}
PAPER_PARTIAL_MEANS = [0.60, 0.45, 0.45, 0.46]


def report(suite, arguments):
    forecast = usable(suite, FULL_FORECAST if arguments.full else SHORT_FORECAST)
    partial = usable(suite, FULL_PARTIAL if arguments.full else SHORT_PARTIAL)
    growing = [(constant, suite.present(loads)) for constant, loads in (FULL_GROWING if arguments.full
                                                                        else SHORT_GROWING)]
    lines = suites.memory_section(suite, list(dict.fromkeys(forecast + partial)), AT)
    suites.say("experiments 1 and 2 ...")
    lines += ["## Experiments 1 and 2: error of the forecast, and dddd by hddd, at 5 % of ram's memory", "",
              forecast_table(suite, forecast), "",
              "By height. dddd runs without partial detection, as in the paper. The paper has 204 models in experiment "
              "1 and a chart for experiment 2, where the ratios go from 1.10 down to 0.05 as graphs get longer.", ""]
    suites.say("experiment 3 ...")
    measure_partial(suite, partial)
    for title, settings in PART.items():
        lines += [f"## Experiment 3: dddd with partial detection, as a multiple of part ({title})", "",
                  partial_table(suite, partial, settings), ""]
    suites.say("experiment 4 ...")
    for constant, loads in growing:
        if loads:
            lines += [f"## Experiment 4: thousands of states a second as {loads[0].name} grows, "
                      f"{GROWING_MEMORY / MIB:.0f} MiB", "", growing_table(suite, constant, loads), ""]
    lines += ["The paper has charts for six protocols: part is the fastest on small graphs; from some size on dddd is, "
              "and its speed falls later than that of the others.", ""]
    return lines, targets(suite, partial)


def usable(suite, candidates):
    """The models that ram can finish: without ram's memory the others have no budget."""
    loads = suite.present(candidates)
    for model in loads:
        if suite.memory(model, AT) is None:
            suite.note(f"{model.title}: ram does not finish")
    return [model for model in loads if suite.memory(model, AT) is not None]


def height(suite, model):
    return suite.first(Case(model, "ram")).report["depth"]


def dddd(suite, model, partial):
    return Case(model, "dddd", (f"partial={partial}",), suite.memory(model, AT))


def part(suite, model, settings):
    return Case(model, "part", settings, suite.memory(model, AT))


# Experiments 1 and 2.

def forecast_table(suite, loads):
    rows, errors, ratios = [], ([], []), []
    for model in sorted(loads, key=lambda one: height(suite, one)):
        cases = Case(model, "hddd", (), suite.memory(model, AT)), dddd(suite, model, 0)
        suite.measure(cases)
        outcomes = [suite.best(case) for case in cases]
        ratios.append(figures.ratio(outcomes[1].time(), outcomes[0].time()))
        for column, outcome in zip(errors, outcomes):
            known = outcome.value("details", "forecast_error") if outcome.complete else None
            column.append(figures.Figure(known) if known is not None else None)
        detections = outcomes[1].value("detections", "full")
        rows.append([model.title, f"{height(suite, model):,}", *(figures.text(column[-1]) for column in errors),
                     *(outcome.text() for outcome in outcomes), figures.text(ratios[-1]),
                     f"{detections:,}" if detections is not None else "-"])
    means = [figures.text(figures.mean(column)) for column in (*errors, ratios)]
    rows += [["mean", "", means[0], means[1], "", "", means[2], ""],
             ["paper: mean", "", "0.10", "0.18", "", "", "about 0.6", ""]]
    return markdown.table(["model", "height", "error hddd", "error dddd", "hddd s", "dddd s", "dddd/hddd",
                           "detections of dddd"], rows)


# Experiment 3.

def measure_partial(suite, loads):
    for model in loads:
        suite.measure([part(suite, model, settings) for settings in PART.values()]
                      + [dddd(suite, model, partial) for partial in PARTIALS])


def partial_ratios(suite, model, settings):
    base = suite.best(part(suite, model, settings)).time()
    return [figures.ratio(suite.best(dddd(suite, model, partial)).time(), base) for partial in PARTIALS]


def partial_table(suite, loads, settings):
    rows = []
    for model in loads:
        states = suite.first(Case(model, "ram")).report["states"]
        rows.append([model.title, f"{states:,}", f"{height(suite, model):,}",
                     suite.best(part(suite, model, settings)).text(),
                     *(figures.text(one) for one in partial_ratios(suite, model, settings))])
    for title, chosen in (("mean", loads), (f"mean, {LONG} levels and more", long_ones(suite, loads))):
        columns = zip(*(partial_ratios(suite, model, settings) for model in chosen))
        means = [figures.text(figures.mean(column)) for column in columns] or ["-"] * len(PARTIALS)
        rows.append([title, "", "", "", *means])
    theirs = PAPER_PARTIAL if settings == PUBLISHED else {}
    for name, values in [*theirs.items(), ("mean", PAPER_PARTIAL_MEANS)]:
        rows.append([f"paper: {name}", "", "", "", *(f"{one:.2f}" for one in values)])
    return markdown.table(["model", "states", "height", "part s", *(f"partial={k}" for k in PARTIALS)], rows)


def long_ones(suite, loads):
    return [model for model in loads if height(suite, model) >= LONG]


# Experiment 4.

def growing_table(suite, constant, loads):
    kinds = [("part, hash", "part", PUBLISHED), ("part", "part", ()), ("hddd", "hddd", ()),
             ("dddd", "dddd", ("partial=4",))]
    rows = []
    for model in loads:
        cases = [Case(model, algorithm, settings, GROWING_MEMORY) for _, algorithm, settings in kinds]
        suite.measure(cases)
        outcomes = [suite.best(case) for case in cases]
        rows.append([str(dict(model.constants)[constant]), f"{model.states:,}", *(speed(one) for one in outcomes)])
    return markdown.table([constant, "states", *(title for title, _, _ in kinds)], rows)


def speed(outcome):
    if outcome.complete:
        return f"{outcome.report['states'] / outcome.seconds / 1000:,.0f}"
    return "time limit" if outcome.stop == "time" else outcome.text()


def targets(suite, loads):
    chosen = long_ones(suite, loads)
    lines = []
    for title, settings in PART.items():
        ratios = [partial_ratios(suite, model, settings)[PARTIALS.index(4)] for model in chosen]
        lines.append(figures.target(f"dddd with partial=4 at most 0.5 x part ({title}), mean over the graphs of {LONG} "
                                    "levels and more", figures.mean(ratios), 0, 0.5))
    return lines
