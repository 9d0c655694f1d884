"""Edelkamp and Sulewski, "Flash-efficient LTL model checking with minimal counterexamples" (2008): minimal compared
with semi, and semi with its hash function in RAM and on disk."""

import figures
import markdown
import suite as suites
from models import beem_property
from suite import MIB, Case

TITLE = ('Edelkamp, Sulewski, "Flash-efficient LTL model checking with minimal counterexamples" (2008), '
         'sections 7.1 and 7.3')
YARDSTICK = "ndfs"
LARGE = 5_000_000  # states
# Of the perfect hash: bits a state, bytes of a block, blocks cached at least.
HASH_BITS, BLOCK, LEAST_BLOCKS = 2.4, 4096, 16
LIFTS_6 = beem_property("lifts.6", 4, 404_723, "violated")
LIFTS_7 = beem_property("lifts.7", 4, 7_496_336, "violated").called("Lifts(7),P4")
LIFTS_8 = beem_property("lifts.8", 2, 33_354_070, "violated").called("Lifts(8),P2")
SZYMANSKI_2 = beem_property("szymanski.2", 3, 0, "violated").called("Szyman.(2),P3")
SZYMANSKI_3 = beem_property("szymanski.3", 3, 2_256_741, "violated").called("Szyman.(3),P3")
SZYMANSKI_4 = beem_property("szymanski.4", 2, 4_555_287, "violated").called("Szymanski(4),P2")

# Section 7.1: states, length of the shortest lasso, seconds of the minimal search and of the double DFS.
PAPER_71 = {"Lifts(7),P4": ("7,496,336", "87 + 2", 4035, 1920),
            "Szymanski(4),P2": ("2,256,741", "2 + 11 (length 19)", 2084, 600)}
# Table 2: KiB of h and of visited, KiB of RAM and seconds with h in RAM, KiB and seconds with h on flash.
PAPER_2 = {"Szyman.(2),P3": (38.48, 7.78, 28.77, 6, 2, 50), "Szyman.(3),P3": (1362, 275, 1014, 178, 68.92, 2342),
           "Lifts(7),P4": (5806, 915, 4659, 267, 225, 4136), "Lifts(8),P2": (25815, 4071, 20726, 1184, 1014, 22642)}


def memory(model):
    """The memory of the searches on disk: a few bits a state, and for `minimal` a byte or two, must fit."""
    return (64 if model.states > LARGE else 32) * MIB


def report(suite, arguments):
    searches = suite.searches(["semi", "minimal"])
    minimal_loads = suite.present([LIFTS_7, SZYMANSKI_4] if arguments.full else [LIFTS_6, SZYMANSKI_3])
    hash_loads = suite.present([SZYMANSKI_2, SZYMANSKI_3, LIFTS_7, LIFTS_8] if arguments.full
                               else [LIFTS_6, SZYMANSKI_3])
    lines = [f"The searches on disk get 32 MiB, 64 from {LARGE:,} states on. A length is that of the whole lasso: "
             "stem + loop.", ""]
    if searches:
        lines += ["## Section 7.1: minimal counterexamples", "", minimal_table(suite, minimal_loads, searches), ""]
    if "semi" in searches:
        lines += ["## Table 2: the perfect hash in RAM and on disk", "", hash_table(suite, hash_loads), "",
                  "MiB are those of the whole process, the paper's without its 239 MB for the model checker; its times "
                  "are on a solid state disk.", ""]
    return lines, targets(suite, hash_loads, searches)


def length(outcome):
    found = outcome.value("counterexample") or {}
    if found.get("length") is None or found.get("loop") is None:
        return "-"
    return f"{found['loop']} + {found['length'] + 1 - found['loop']}"  # with the step back


def minimal_table(suite, loads, searches):
    header = ["model", "ndfs: s", "stem + loop"]
    for search in searches:
        header += [f"{search}: s", "stem + loop", "MiB"]
    rows = []
    for model in loads:
        cases = [Case(model, "ndfs"), *(Case(model, search, (), memory(model)) for search in searches)]
        suite.measure(cases)
        row = [model.title]
        for one in cases:
            outcome = suite.best(one)
            row += [outcome.text(), length(outcome)]
            if one.algorithm != "ndfs":
                row.append(f"{(outcome.value('memory', 'peak_rss') or 0) / MIB:.0f}")
        states, shortest, seconds, double = PAPER_71.get(model.in_paper, ("-", "-", "-", "-"))
        rows.append([*row, model.in_paper, states, shortest, str(seconds), str(double)])
    return markdown.table([*header, "in the paper", "states", "shortest", "minimal s", "double DFS s"], rows)


def hash_cases(suite, model):
    """With the function in RAM, on disk with as much of it cached as the memory allows, and with a twentieth of it
    cached, but at least the blocks that are read together."""
    in_ram = Case(model, "semi", ("hash=ram",), memory(model))
    blocks = max(int((suite.first(in_ram).value("states") or 0) * HASH_BITS / 8 / BLOCK / 20), LEAST_BLOCKS)
    return [in_ram, *(Case(model, "semi", settings, memory(model))
                      for settings in (("hash=disk",), ("hash=disk", f"buffer={blocks}")))]


def hash_table(suite, loads):
    rows = []
    for model in loads:
        cases = hash_cases(suite, model)
        suite.measure(cases)
        row = [model.title]
        outcomes = [suite.best(one) for one in cases]
        for outcome in outcomes:
            row += [outcome.text(), f"{(outcome.value('memory', 'peak_rss') or 0) / MIB:.1f}"]
        row += [figures.text(figures.ratio(outcome.time(), outcomes[0].time())) for outcome in outcomes[1:]]
        paper = PAPER_2.get(model.in_paper)
        row += [model.in_paper, *([f"{paper[0]:,.0f}", f"{paper[2]:,.0f}", f"{paper[4]:,.0f}",
                                   f"{paper[5] / paper[3]:.1f}"]
                                  if paper else ["-"] * 4)]
        rows.append(row)
    return markdown.table(["model", "ram: s", "MiB", "disk: s", "MiB", "a twentieth cached: s", "MiB", "disk by ram",
                           "a twentieth by ram",
                           "in the paper", "h KiB", "RAM KiB", "RAM KiB (disk)", "SSD by RAM"], rows)


def targets(suite, loads, searches):
    if "semi" not in searches:
        return []
    times = [[suite.best(one).time() for one in hash_cases(suite, model)] for model in loads]
    return [figures.target(f"hash=disk{name}: at most 3 x the time of hash=ram (the paper: 8 to 19)",
                           figures.geometric_mean([figures.ratio(row[column], row[0]) for row in times]), 0, 3)
            for column, name in ((1, ""), (2, ", a twentieth cached"))]
