"""Strata with symmetry beside rumur with symmetry, exhaustive and by its default, the heuristic.

What is compared is the whole time of a search with two threads, the model compiled beforehand. Rumur has neither
unions nor multisets, so some models have only Strata's own figures, and what CMurphi's authors published. Its
counts with the heuristic depend on the order in which its threads find states. Rumur is stopped when it has taken
ENOUGH times as long as Strata: what is left to know then is how much slower it is, and that can be hours."""

import dataclasses

import markdown
import measure
import rumur
import strata
import workloads

THREADS = 2
LARGEST, MEAN = 1 / 4, 1 / 10  # of rumur's time
SHARE = 0.40  # of the search
ENOUGH, AT_LEAST = 40, 30.0  # times Strata's time; seconds


@dataclasses.dataclass
class Case:
    name: str
    path: str  # below the folder of the classic models, or of the coherence models
    constants: dict = dataclasses.field(default_factory=dict)
    quick: bool = True  # part of a quick run
    rumur: bool = True  # which can read it
    coherence: bool = False
    published: str = ""  # CMurphi's states and seconds

    def title(self):
        return f"{self.name} {workloads.label(self.constants)}".strip()


CASES = [
    Case("n_peterson", "sym/n_peterson.m", {"N": 7}, published="163298 states, -sym3: 2.0 s (ARM)"),
    Case("n_peterson", "sym/n_peterson.m", {"N": 8}, quick=False),
    Case("n_peterson", "sym/n_peterson.m", {"N": 9}, quick=False, published="2871372 states"),
    Case("mcslock1", "sym/mcslock1.m", {"N": 5}, published="508751 states, -sym3: 3.4 s (ARM)"),
    Case("mcslock1", "sym/mcslock1.m", {"N": 6}, quick=False, published="12783541 states"),
    Case("mcslock2", "sym/mcslock2.m", {"N": 3}, published="540219 states, -sym3: 1.4 s (ARM)"),
    Case("cache3multi", "multiset+sym/cache3multi.m", rumur=False, published="13738 states"),
    Case("newlist6", "multiset+sym/newlist6.m", {"CellCount": 6}, rumur=False),
    Case("newlist6", "multiset+sym/newlist6.m", {"CellCount": 7}, quick=False, rumur=False, published="3619556 states"),
    Case("ldash", "sym/ldash.m", {"RemoteCount": 4}, rumur=False, published="254986 states"),
    Case("adash", "sym/adash.m", rumur=False, published="10466 states"),
    Case("COMP_Model_3CC", "COMP_Model_3CC.m", quick=False, coherence=True),
]


@dataclasses.dataclass
class Row:
    case: Case
    ours: strata.Result
    exhaustive: tuple = None  # run, counts
    heuristic: tuple = None

    def share(self):
        seconds = self.ours.report["seconds"]
        return seconds.get("canonicalise", 0) / max(seconds["search"], 1e-9)

    def ratio(self, peer):
        return self.ours.run.seconds / peer[0].seconds if peer else None


def peer_of(bench, case, path, mode, limit):
    """Rumur's measured run and its counts (None if it was stopped); None where it cannot be measured."""
    folder = bench.folder / f"symmetry-{case.title().replace(' ', '-')}-{mode}"
    folder.mkdir()
    try:
        text = workloads.rumur_text(path.read_text(), case.constants, [])
        return rumur.Checker(text, folder, mode).measure(THREADS, limit, must_end=False)
    except measure.ToolError as error:
        bench.skip(f"{case.title()}, rumur {mode}: {error}")
        return None


def measure_row(bench, case, path, with_rumur):
    bench.say(f"{case.title()} with symmetry ...")
    ours = bench.strata.check(path, case.constants, THREADS, ("--symmetry", "exact"))
    row = Row(case, ours)
    if with_rumur and case.rumur:
        limit = min(bench.arguments.time_limit, max(AT_LEAST, ENOUGH * ours.run.seconds))
        row.exhaustive = peer_of(bench, case, path, "exhaustive", limit)
        row.heuristic = peer_of(bench, case, path, "heuristic", limit)
    if row.exhaustive and row.exhaustive[1] and row.exhaustive[1] != ours.counts:
        bench.fail(case.title(), f"{ours.counts} states and rules, rumur has {row.exhaustive[1]}")
    return row


def measure_rows(bench):
    classic = bench.arguments.models_dir
    with_rumur = not rumur.missing() and not bench.arguments.no_rumur
    rows = []
    for case in CASES:
        path = (classic.parent / "coherence" if case.coherence else classic) / case.path
        if (bench.arguments.quick and not case.quick) or (bench.arguments.models
                                                          and case.name not in bench.arguments.models):
            continue
        if not path.exists():
            bench.skip(f"{case.title()}: {path} is absent")
            continue
        try:
            rows.append(measure_row(bench, case, path, with_rumur))
        except measure.ToolError as error:
            bench.fail(case.title(), error)
    return rows


def seconds_of(peer):
    return f"{'' if peer[1] else 'over '}{peer[0].seconds:.2f}" if peer else ""


def ratio_of(row, peer):
    return f"{'' if peer[1] else 'below '}{row.ratio(peer):.3f}" if peer else ""


def table(rows):
    header = ["model", "states", "without symmetry", "strata s", "canonicalise", "rumur exhaustive s", "heuristic s",
              "strata / exhaustive", "strata / heuristic", "CMurphi, published"]
    lines = []
    for row in rows:
        report = row.ours.report
        ratios = [ratio_of(row, row.exhaustive), ratio_of(row, row.heuristic)]
        without = report["symmetry"].get("orbit_states")
        lines.append([row.case.title(), f"{report['states']:,}", f"{without:,}" if without else "",
                      f"{row.ours.run.seconds:.2f}", f"{100 * row.share():.0f} %", seconds_of(row.exhaustive),
                      seconds_of(row.heuristic), *ratios, row.case.published])
    return markdown.table(header, lines)


def goals(rows):
    """A line for each target."""
    ratios = [ratio for row in rows for peer in (row.exhaustive, row.heuristic) if (ratio := row.ratio(peer))]
    lines = []
    if ratios:
        product = 1.0
        for ratio in ratios:
            product *= ratio
        mean = product ** (1 / len(ratios))
        lines.append(f"- with symmetry, time by rumur's: {mean:.3f} in the geometric mean (target at most {MEAN}), "
                     f"{max(ratios):.3f} at most (target {LARGEST}): "
                     f"{'reached' if mean <= MEAN and max(ratios) <= LARGEST else 'missed'}")
    shares = [row.share() for row in rows]
    if shares:
        reached = "reached" if max(shares) <= SHARE else "missed"
        lines.append(f"- choosing the state of an orbit, of the search: {100 * min(shares):.0f} to "
                     f"{100 * max(shares):.0f} % (target at most {100 * SHARE:.0f} % on each): {reached}")
    return lines
