"""Wu et al., "An I/O efficient model checking algorithm for large-scale systems" (IEEE Transactions on VLSI Systems
2015): ioemc compared with the other searches for accepting cycles on disk, and with auto."""

import figures
import markdown
import suite as suites
from models import beem_property
from suite import MIB, Case

TITLE = ('Wu, Huang, Su, Cai, Zhang, "An I/O efficient model checking algorithm for large-scale systems" (IEEE '
         'Transactions on VLSI Systems 2015)')
YARDSTICK = "ndfs"
SEARCHES = ["owcty", "map", "iddfs", "ioemc", "auto"]
IN_PAPER = {"owcty": "DAC", "map": "MAP", "iddfs": "IDDFS"}  # beside IOEMC
FRACTION = 0.1  # of the memory of ndfs

SHORT_HOLDING = [beem_property("mcs.3", 4, 1_125_564).called("MCS(5),P4"),
                 beem_property("peterson.2", 4, 248_531).called("Peterson(6),P4"), beem_property("lup.2", 2, 590_888)]
SHORT_VIOLATED = [beem_property("bakery.4", 3, 313_796, "violated").called("Bakery(5, 5),P3"),
                  beem_property("elevator2.2", 5, 345_600, "violated").called("Elevator2(16),P5"),
                  beem_property("szymanski.4", 2, 4_555_287, "violated").called("Szyman.(4),P2"),
                  beem_property("lifts.6", 4, 404_723, "violated").called("Lifts(7),P4")]
FULL_HOLDING = [beem_property("mcs.3", 4, 1_125_564).called("MCS(5),P4"),
                beem_property("lamport.5", 4, 2_057_847).called("Lamport(5),P4"),
                beem_property("peterson.4", 4, 2_239_039).called("Peterson(6),P4"),
                beem_property("szymanski.4", 4, 4_627_177).called("Szyman.(6),P4"),
                beem_property("lup.3", 2, 2_346_373), beem_property("rether.5", 2, 3_097_560),
                beem_property("leader_election.5", 2, 4_803_114)]
FULL_VIOLATED = [beem_property("bakery.5", 3, 15_729_036, "violated").called("Bakery(5, 5),P3"),
                 beem_property("elevator2.2", 5, 345_600, "violated").called("Elevator2(16),P5"),
                 beem_property("szymanski.4", 2, 4_555_287, "violated").called("Szyman.(4),P2"),
                 beem_property("lifts.7", 4, 7_496_336, "violated").called("Lifts(7),P4"),
                 beem_property("rether.4", 3, 4_617_901, "violated"), beem_property("lann.3", 2, 3_656_994, "violated")]

# Table III: per cent of the detections that were answered in internal memory.
RHO1 = ["0.01", "0.02", "0.03", "0.04", "0.05"]
TABLE_3 = {"Elevator2(16),P4": (95, 97, 97, 95, 90), "MCS(5),P4": (93, 96, 95, 94, 91),
           "Phils(16, 1),P3": (90, 99, 96, 94, 90), "Lamport(5),P4": (91, 98, 93, 90, 91),
           "Peterson(6),P4": (91, 96, 95, 92, 91), "Szyman.(6),P4": (92, 99, 95, 91, 90),
           "Bakery(5, 5),P3": (96, 98, 95, 93, 91), "Elevator2(16),P5": (97, 98, 96, 95, 92)}
# Tables IV and V: seconds of DAC, MAP, IDDFS and IOEMC.
TABLE_4 = {"Elevator2(16),P4": (40_873, 28_002, 28_875, 10_883), "MCS(5),P4": (12_945, 17_931, 14_225, 6_332),
           "Phils(16, 1),P3": (7_235, 9_021, 10_339, 3_755), "Lamport(5),P4": (13_552, 11_785, 8_721, 4_257),
           "ITC'99, b15(std),P2": (340, 276, 253, 121), "Peterson(6),P4": (116_776, 111_272, None, 43_354),
           "Szyman.(6),P4": (136_481, 124_421, None, 54_503)}
TABLE_5 = {"Bakery(5, 5),P3": (246_705, 18, 85, 7), "Elevator2(16),P5": (130, 82, 76, 24),
           "Szyman.(4),P2": (1_275, 12, 52, 3), "ITC'99, b15(std),P1": (72, 70, 56, 85),
           "Elevator2(7),P5": (26, 11, 35, 41), "Lifts(7),P4": (1_397, 26, 408, 12)}
# Table VI: seconds.
RHO2 = ["0.75", "0.80", "0.85", "0.90", "0.95"]
TABLE_6 = {"Elevator2(16),P4": (28_295, 19_962, 18_765, 10_883, 20_751),
           "MCS(5),P4": (5_798, 4_251, 4_599, 6_332, 8_302), "Phils(16, 1),P3": (8_514, 5_173, 5_567, 3_755, 8_787),
           "Lamport(5),P4": (8_213, 5_214, 4_125, 4_257, 9_533),
           "Peterson(6),P4": (54_946, 48_941, 50_203, 46_354, 55_931),
           "Szyman.(6),P4": (70_635, 62_205, 54_012, 54_503, 67_288), "Bakery(5, 5),P3": (48, 17, 5, 7, 51),
           "Elevator2(16),P5": (41, 35, 32, 24, 29)}


def report(suite, arguments):
    holding = suite.present(FULL_HOLDING if arguments.full else SHORT_HOLDING)
    violated = suite.present(FULL_VIOLATED if arguments.full else SHORT_VIOLATED)
    holding, violated = ([model for model in loads if fits(suite, model)] for loads in (holding, violated))
    searches = suite.searches(SEARCHES)
    lines = memory_section(suite, holding + violated)
    for title, loads, paper in (("IV: holding properties", holding, TABLE_4),
                                ("V: violated properties", violated, TABLE_5)):
        suites.say(f"table {title} ...")
        suite.measure([case(suite, model, search) for model in loads for search in searches])
        lines += [f"## Table {title}", "", times_table(suite, loads, searches, paper), "",
                  "Seconds at a tenth of ndfs's memory, and the peak on disk in MiB; on the right the paper's seconds "
                  "as multiples "
                  "of IOEMC's, and ours.", ""]
    if "ioemc" in searches:
        lines += ioemc_tables(suite, arguments, holding, violated)
    return lines, targets(suite, holding, violated, searches)


def fits(suite, model):
    if suite.table_bytes(model) is not None:
        return True
    suite.note(f"{model.title}: ndfs does not finish")
    return False


def case(suite, model, search, *settings):
    return Case(model, search, settings, suite.memory(model, FRACTION))


def memory_section(suite, loads):
    rows = []
    for model in loads:
        ndfs, given = suite.first(Case(model, "ndfs")), suite.memory(model, FRACTION)
        fraction = suite.true_fraction(model, given)
        rows.append([model.title, model.in_paper, f"{model.states:,}", f"{ndfs.report['states']:,}",
                     str(ndfs.report["state_bytes"]), ndfs.text(2), f"{ndfs.report['memory']['peak_rss'] / MIB:.0f}",
                     f"{given / MIB:.1f} ({f'{100 * fraction:.0f}' if fraction and fraction < 10 else '-'})"])
    return ["## Models and memory", "", markdown.table(["model", "in the paper", "states", "seen by ndfs",
                                                        "state bytes", "ndfs s", "ndfs MiB", "10 %: MiB (true %)"],
                                                       rows), "",
            "What ndfs takes beyond the process itself is its table; the others get the process and a tenth of that, "
            "and at least "
            "16 MiB. The models are smaller than the paper's, which take hours.", ""]


def times_table(suite, loads, searches, paper):
    header = ["model", "ndfs s", *(f"{name} s" for name in searches), *(f"{name} MiB" for name in searches),
              "in the paper",
              *(f"{name}/IOEMC" for name in IN_PAPER.values()),
              *(f"{name}/ioemc" for name in searches if name != "ioemc")]
    rows = []
    for model in loads:
        best = {search: suite.best(case(suite, model, search)) for search in searches}
        disk = [f"{(one.value('disk', 'peak') or 0) / MIB:.0f}" for one in best.values()]
        figure = paper.get(model.in_paper, (None,) * 4)
        theirs = [f"{one / figure[3]:.1f}" if one else "-" for one in figure[:3]]
        ours = [figures.text(figures.ratio(best[name].time(), best["ioemc"].time()) if "ioemc" in best else None)
                for name in searches if name != "ioemc"]
        rows.append([model.title, suite.best(Case(model, "ndfs")).text(2), *(one.text() for one in best.values()),
                     *disk, model.in_paper, *theirs, *ours])
    return markdown.table(header, rows)


def ioemc_tables(suite, arguments, holding, violated):
    """Tables III and VI, and the gain of the parts that the paper does not have."""
    loads = (holding if arguments.full else holding[-1:]) + violated[:1]
    suites.say("tables III and VI ...")
    return (settings_table(suite, loads, "III: detections answered in RAM, per cent", "rho1", RHO1, TABLE_3, in_ram) +
            settings_table(suite, loads, "VI: seconds over rho2", "rho2", [*RHO2, "0.5", "auto"], TABLE_6,
                           lambda outcome: outcome.text()) +
            one_table(suite, loads))


def in_ram(outcome):
    share = outcome.value("details", "detections_in_ram")
    return f"{100 * share:.0f} ({outcome.text()} s)" if share is not None else outcome.text()


def settings_table(suite, loads, title, name, values, paper, text):
    rows = []
    for model in loads:
        cases = [case(suite, model, "ioemc", f"{name}={value}") for value in values]
        suite.measure(cases)
        rows.append([model.title, *(text(suite.best(one)) for one in cases), model.in_paper,
                     "  ".join(map(str, paper.get(model.in_paper, "-")))])
    return [f"## Table {title}", "", markdown.table(["model", *(f"{name}={value}" for value in values), "in the paper",
                                                     "paper"],
                                                    rows), ""]


def one_table(suite, loads):
    rows = []
    for model in loads:
        several, one = (suite.best(case(suite, model, "ioemc", f"tables={number}")) for number in (4, 1))
        row = [model.title]
        for outcome in (several, one):
            row += [outcome.text(), f"{outcome.value('details', 'merges') or 0:,}",
                    f"{(outcome.value('disk', 'written') or 0) / MIB:,.0f}",
                    f"{outcome.value('details', 'io_operations') or 0:,}"]
        rows.append(row)
    columns = ["s", "merges", "written MiB", "I/O operations"]
    return ["## One table on disk, as published, and four", "",
            markdown.table(["model", *(f"4: {name}" for name in columns), *(f"1: {name}" for name in columns)], rows),
            ""]


def fastest_time(suite, model, searches):
    outcomes = [suite.best(case(suite, model, search)) for search in searches]
    return min((one for one in outcomes if one.complete), key=lambda one: one.seconds, default=outcomes[0]).time()


def targets(suite, holding, violated, searches):
    def by(search, other, loads):
        return figures.geometric_mean([figures.ratio(suite.best(case(suite, model, search)).time(), other(model))
                                       for model in loads])

    def ndfs(model):
        return suite.best(Case(model, "ndfs")).time()

    lines = []
    for name, loads, goal in (("holding", holding, 2.5), ("violated", violated, 2)):
        means = {search: by(search, ndfs, loads) for search in searches}
        known = {search: mean for search, mean in means.items() if mean}
        lines += [f"- {name}: {search} by ndfs, geometric mean: {mean.text()}" for search, mean in known.items()]
        on_disk = [search for search in searches if search != "auto"]
        best = min((one for one in on_disk if one in known), key=lambda one: known[one].number, default=None)
        lines.append(figures.target(f"{name}: the best search on disk ({best}) at most {goal} x ndfs", known.get(best),
                                    0, goal))
        if "auto" in known:
            lines.append(figures.target(f"{name}: auto, ndfs first, at most {goal} x ndfs", known["auto"], 0, goal))
        fastest = figures.geometric_mean([figures.ratio(fastest_time(suite, model, on_disk), ndfs(model))
                                          for model in loads])
        if fastest:
            lines.append(f"- {name}: the fastest on disk on each model by ndfs, geometric mean: {fastest.text()}")
    for search in ("owcty", "map"):
        if "ioemc" in searches and search in searches:
            mean = by("ioemc", lambda model, other=search: suite.best(case(suite, model, other)).time(), holding)
            lines.append(figures.target(f"holding: ioemc at most half the time of {search} (the paper: 0.3 to 0.5)",
                                        mean, 0, 0.5))
    return lines
