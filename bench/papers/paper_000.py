"""Bao and Jones, "Time-efficient model checking with magnetic disk" (TACAS 2005): mono, local and part compared with
ram."""

import figures
import markdown
import models
import suite as suites
from suite import MIB, Case

TITLE = 'Bao and Jones, "Time-efficient model checking with magnetic disk" (TACAS 2005)'

SHORT = [models.MSI_5_1, models.WINDOW_4, models.PETERSON_5]
FULL = [models.N_PETERSON_6, models.MCSLOCK1_5.called("mcslock1"), models.LDASH_4, models.CACHE3_5, models.PETERSON_5,
        models.MSI_5_1]
# Figure 4 measures each model 18 times.
SHORT_CURVE = [models.WINDOW_4]
FULL_CURVE = [models.N_PETERSON_6, models.LDASH_4, models.CACHE3_5, models.PETERSON_5, models.MSI_5_1]
SHORT_LARGE, FULL_LARGE, HUGE_LARGE = [models.PETERSON_5], [models.LIST6_6], [models.MCSLOCK2_4]

AT, AT_LARGE = 0.05, 0.03
FRACTIONS = [("1", 1), ("1/2", 1 / 2), ("1/4", 1 / 4), ("1/8", 1 / 8), ("1/16", 1 / 16), ("1/20", AT)]

PAPER_MODELS = ["atomix", "mcslock1", "newlist6", "dense", "atomix2"]
# (row, algorithm, parameters, the paper's seconds); tables 1 and 2. A chained table is strata's default.
ROWS = [
    ("ram", "ram", (), [281.2, 2570.0, 1031.6, 322.9, 379.8]),
    ("part", "part", (), [308.6, 2713.1, 1043.0, 2611.1, 545.8]),
    ("mono, chained", "mono", (), [488.4, 3798.8, 1270.8, 5444.5, 872.8]),
    ("local, chained", "local", (), [2599.3, 6616.0, 2070.4, 3336.0, 6081.0]),
    ("local, open", "local", ("table=open",), [5240.0, 10645.0, 3337.0, 4039.0, 11039.0]),
    ("mono, open", "mono", ("table=open",), [19654.7, 19755.2, 6346.2, 15434.8, 32404.2]),
]
CATEGORIES = ["generate", "insert", "detect", "io", "queue", "partition"]
# (row, algorithm, parameters, what the paper's text says of figures 1 and 3)
SHARES = [
    ("mono, open", "mono", ("table=open",), {"detect": "most"}),
    ("local, open", "local", ("table=open",), {"detect": "less", "io": "more"}),
    ("mono, chained", "mono", (), {"generate": "65-77", "insert": "1-4", "detect": "17-30", "io": "1-4"}),
    ("part, chained", "part", (), {"generate": "21-88", "queue": "6-53", "partition": "1-4"}),
]
OVERVIEW = ["mono", "local", "part"]  # in figure 4 and table 3
# (model, states, seconds of mono, local, part)
PAPER_LARGE = [("6-peterson", 382_513_749, 31890.0, 83207.8, 16218.7),
               ("mcslock2", 666_254_155, 188129.5, 228271.0, 69726.9)]


def report(suite, arguments):
    loads = suite.present(FULL if arguments.full else SHORT)
    curve = suite.present(FULL_CURVE if arguments.full else SHORT_CURVE)
    large = suite.present(FULL_LARGE if arguments.full else SHORT_LARGE)
    large += suite.present(HUGE_LARGE) if arguments.huge else []
    suites.say("tables 1 and 2 ...")
    loads = [model for model in loads if measure_rows(suite, model)]
    lines = suites.memory_section(suite, loads, AT)
    lines += ["## Tables 1 and 2: seconds, and times ram, at 5 % of ram's memory", "", times(suite, loads), ""]
    lines += ["## Figures 1 and 3: shares of the search time in percent, at 5 % of ram's memory", "",
              shares(suite, loads), ""]
    suites.say("figure 4 ...")
    lines += ["## Figure 4: mean of times ram, by the fraction of ram's memory", "", slowdowns(suite, curve), ""]
    suites.say("table 3 ...")
    lines += ["## Table 3: large models, seconds at 3 % of ram's memory", "", large_table(suite, large), ""]
    return lines, targets(suite, loads)


def case(suite, model, algorithm, settings, fraction):
    return Case(model, algorithm, settings, None if algorithm == "ram" else suite.memory(model, fraction))


def rows(suite):
    return [row for row in ROWS if suite.is_wanted(row[1])]


def measure_rows(suite, model):
    """False if ram could not finish: then there is nothing to compare with."""
    if suite.memory(model, AT) is None:
        suite.note(f"{model.title}: ram does not finish")
        return False
    suite.measure([case(suite, model, algorithm, settings, AT) for _, algorithm, settings, _ in rows(suite)])
    return True


def slowdown(suite, model, algorithm, settings, fraction):
    outcome = suite.best(case(suite, model, algorithm, settings, fraction))
    return figures.ratio(outcome.time(), suite.best(Case(model, "ram")).time())


# Tables 1 and 2.

def times(suite, loads):
    header = ["", *(model.title for model in loads), "mean", *(f"paper: {name}" for name in PAPER_MODELS),
              "paper: mean"]
    return markdown.table(header, [times_row(suite, loads, *row) for row in rows(suite)])


def times_row(suite, loads, title, algorithm, settings, paper):
    ratios = [slowdown(suite, model, algorithm, settings, AT) for model in loads]
    cells = [f"{suite.best(case(suite, model, algorithm, settings, AT)).text()} ({figures.text(one)})"
             for model, one in zip(loads, ratios)]
    theirs = [seconds / ram for seconds, ram in zip(paper, ROWS[0][3])]
    return [title, *cells, figures.text(figures.mean(ratios)),
            *(f"{seconds:,.1f} ({one:.2f})" for seconds, one in zip(paper, theirs)), f"{sum(theirs) / len(theirs):.2f}"]


# Figures 1 and 3.

def shares(suite, loads):
    lines = []
    for title, algorithm, settings, paper in SHARES:
        if not suite.is_wanted(algorithm):
            continue
        for model in loads:
            outcome = suite.best(case(suite, model, algorithm, settings, AT))
            seconds = outcome.value("seconds") or {}
            parts = [100 * seconds.get(name, 0) / seconds["search"] if seconds else 0 for name in CATEGORIES]
            lines.append([title, model.title, *(f"{part:.0f}" for part in parts), f"{100 - sum(parts):.0f}"])
        lines.append([title, "the paper", *(paper.get(name, "") for name in CATEGORIES), ""])
    return markdown.table(["", "model", *CATEGORIES, "other"], lines) + "\n\n" + (
        "Times of all threads, divided by the number of threads; `other` is mostly waiting for the other threads or "
        "for the disk. The paper has charts; its rows are what its text says of them: 17 to 30 % for detection in mono "
        "with a chained table, but most of the time in the model dense.")


# Figure 4.

def slowdowns(suite, curve):
    wanted = [name for name in OVERVIEW if suite.is_wanted(name)]
    for model in curve:
        if suite.memory(model, AT) is not None:
            suite.measure([Case(model, "ram")] + [case(suite, model, algorithm, (), fraction)
                                                  for _, fraction in FRACTIONS
                                                  for algorithm in wanted])
    curve = [model for model in curve if suite.memory(model, AT) is not None]
    lines = []
    for label, fraction in FRACTIONS:
        means = [figures.mean([slowdown(suite, model, algorithm, (), fraction) for model in curve])
                 for algorithm in wanted]
        memories = " ".join(f"{suite.memory(model, fraction) / MIB:.0f}" for model in curve)
        lines.append([label, *(figures.text(one) for one in means), memories])
    names = ", ".join(model.title for model in curve) or "no model"
    return markdown.table(["fraction", *wanted, "MiB"], lines) + "\n\n" + (
        f"Over {names}. The paper shows the curves in a chart, and says that part is 2.8 times slower than ram at "
        "1/20; its table 2 gives 2.54 for part, 4.72 for mono and 8.03 for local.")


# Table 3.

def large_table(suite, large):
    if not all(suite.is_wanted(name) for name in OVERVIEW):
        return "Not measured."
    lines = []
    for model in large:
        if suite.memory(model, AT_LARGE) is None:
            suite.note(f"{model.title}: ram does not finish")
            continue
        cases = [case(suite, model, algorithm, (), AT_LARGE) for algorithm in OVERVIEW]
        suite.measure(cases)
        memory = cases[0].memory
        part = suite.best(cases[2]).time()
        lines.append([model.title, f"{suite.first(Case(model, 'ram')).report['states']:,}", f"{memory / MIB:.0f}",
                     f"{100 * suite.true_fraction(model, memory):.1f}",
                     *(f"{suite.best(one).text()} ({figures.text(figures.ratio(suite.best(one).time(), part))})"
                       for one in cases)])
    for name, states, *seconds in PAPER_LARGE:
        lines.append([f"paper: {name}", f"{states:,}", "", "3",
                     *(f"{one:,.1f} ({one / seconds[2]:.2f})" for one in seconds)])
    return markdown.table(["model", "states", "MiB", "%", "mono", "local", "part"], lines) + \
        "\n\nIn brackets, times part."


def targets(suite, loads):
    mean = figures.mean([slowdown(suite, model, "part", (), AT) for model in loads])
    return [figures.target("part at most 1.8 x ram, mean over the models at 5 %", mean, 0, 1.8)]
