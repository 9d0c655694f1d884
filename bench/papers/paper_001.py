"""Della Penna et al., "Integrating RAM and disk based verification within the Murphi verifier" (CHARME 2003): serial
compared with dbf."""

import figures
import markdown
import models
import suite as suites
from suite import Case

TITLE = ('Della Penna, Intrigila, Melatti, Tronci, Venturini Zilli, "Integrating RAM and disk based verification '
         'within the '
         'Murphi verifier" (CHARME 2003)')

SHORT = [models.MCSLOCK2_3.called("mcslock2"), models.CACHE3_4_4.called("sym.cache3"), models.MSI_4_3, models.WINDOW_4]
FULL = [models.N_PETERSON_6.called("n.peterson"), models.MCSLOCK1_5.called("mcslock1"),
        models.MCSLOCK2_3.called("mcslock2"), models.LDASH_4.called("ldash"), models.LIST6_6.called("list6"),
        models.CACHE3_5.called("sym.cache3"), models.PETERSON_5, models.MSI_5_1, models.WINDOW_4]

FRACTIONS = [0.5, 0.4, 0.3]
ROWS = ["rules", "states", "time"]
# Table 1: serial by dbf at 0.5, 0.4 and 0.3 of the memory: rules fired, states visited, time.
PAPER = {
    "eadash": [(0.725, 0.753, 0.879), (0.989, 0.955, 1.011), (1.009, 1.041, 1.024)],
    "ldash": [(0.754, 0.749, 0.816), (0.985, 0.923, 0.945), (0.870, 1.046, 1.038)],
    "mcslock1": [(0.594, 0.587, 0.510), (0.820, 0.770, 0.632), (0.837, 1.109, 0.836)],
    "n.peterson": [(0.635, 0.689, 0.739), (1.002, 0.984, 0.951), (0.959, 0.952, 1.009)],
    "sym.cache3": [(0.709, 0.568, 0.654), (0.966, 0.733, 0.767), (1.029, 0.988, 1.057)],
    "kerb": [(0.431, 0.466, 0.779), (0.876, 0.760, 0.964), (0.875, 0.859, 1.049)],
    "list6": [(0.538, 0.673, 0.752), (0.756, 0.857, 0.888), (1.033, 1.000, 1.110)],
    "mcslock2": [(0.673, 0.760, 0.843), (1.006, 1.030, 1.050), (0.984, 1.169, 1.040)],
    "sci": [(0.607, 0.709, 0.554), (0.867, 0.975, 0.694), (1.013, 0.976, 0.971)],
}


def report(suite, arguments):
    loads = suite.present(FULL if arguments.full else SHORT)
    suites.say("table 1 ...")
    loads = [model for model in loads if measure_pairs(suite, model)]
    lines = suites.memory_section(suite, loads, *FRACTIONS)
    lines += ["## Table 1: serial, as a multiple of dbf with the same memory", "", ratios_table(suite, loads), "",
              "A cell has the ratios at 0.5, 0.4 and 0.3 of ram's memory. `rules` are rules fired and `states` "
              "expansions, both with repetitions; the paper has the states visited.", ""]
    lines += ["## The runs", "", runs_table(suite, loads), "",
              "`switched` is the level at which serial went to disk, and the share of all expansions before that; a "
              "dash: it never had to. `forgotten` is the collision rate then.", ""]
    return lines, targets(suite, loads)


def pair(suite, model, fraction):
    memory = suite.memory(model, fraction)
    return Case(model, "serial", (), memory), Case(model, "dbf", (), memory)


def measure_pairs(suite, model):
    if suite.memory(model, FRACTIONS[0]) is None:
        suite.note(f"{model.title}: ram does not finish")
        return False
    suite.measure([Case(model, "ram")] + [case for fraction in FRACTIONS for case in pair(suite, model, fraction)])
    return True


def ratios(suite, model, fraction):
    """The ratios of rules, states and time; None if a run did not finish."""
    serial, dbf = (suite.best(case) for case in pair(suite, model, fraction))
    time = figures.ratio(serial.time(), dbf.time())
    if not serial.complete or not dbf.complete:
        return [None, None, time]
    return [figures.Figure(serial.report[name] / dbf.report[name]) for name in ("transitions", "expansions")] + [time]


def ratios_table(suite, loads):
    """The table; each cell has the ratios at all fractions."""
    rows = []
    columns = {model: [ratios(suite, model, fraction) for fraction in FRACTIONS] for model in loads}
    for model in loads:
        ours = [[column[i] for column in columns[model]] for i in range(len(ROWS))]
        rows.append([model.title, *map(cell, ours), model.in_paper, *map(cell, paper_figures(model.in_paper))])
    for name in PAPER:
        if name not in [model.in_paper for model in loads]:
            rows.append(["", "", "", "", name, *map(cell, paper_figures(name))])
    ours = [[figures.mean([columns[model][k][i] for model in loads]) for k in range(len(FRACTIONS))]
            for i in range(len(ROWS))]
    theirs = [[figures.mean([paper_figures(name)[i][k] for name in PAPER]) for k in range(len(FRACTIONS))]
              for i in range(len(ROWS))]
    rows.append(["mean", *map(cell, ours), "mean", *map(cell, theirs)])
    return markdown.table(["model", *ROWS, "paper", *(f"paper: {row}" for row in ROWS)], rows)


def paper_figures(name):
    return [[figures.Figure(one) for one in values] for values in PAPER.get(name, [[], [], []])]


def cell(values):
    return "  ".join(figures.text(one, 3) for one in values)


def runs_table(suite, loads):
    rows = []
    for model in loads:
        ram = suite.best(Case(model, "ram"))
        for fraction in FRACTIONS:
            serial, dbf = (suite.best(case) for case in pair(suite, model, fraction))
            details, expansions = serial.value("details") or {}, serial.value("expansions") or 1
            switched = "-"
            if details.get("switched"):
                before = 100 * details["expansions_before"] / expansions
                switched = f"level {details['switched_at_level']} ({before:.0f} %)"
            rows.append([model.title, str(fraction), ram.text(), serial.text(), dbf.text(),
                         *(f"{(one.value('expansions') or 0) / ram.report['states']:.2f}" for one in (serial, dbf)),
                         switched, f"{details.get('collision_rate', 0):.2f}"])
    return markdown.table(["model", "memory", "ram s", "serial s", "dbf s", "serial expansions/states",
                           "dbf expansions/states",
                           "switched", "forgotten"], rows)


def targets(suite, loads):
    times = {(model.title, fraction): ratios(suite, model, fraction)[2] for model in loads for fraction in FRACTIONS}
    lines = [figures.target("serial within 0.8 to 1.1 x dbf, mean of the times (the paper: 0.99)",
                            figures.mean(times.values()), 0.8, 1.1)]
    outside = [f"{title} at {fraction}: {figures.text(one)}" for (title, fraction), one in times.items()
               if one and (one.at_most(1.1) is False or one.at_most(0.8))]
    return lines + [f"- runs outside 0.8 to 1.1: {', '.join(outside) or 'none'}"]
