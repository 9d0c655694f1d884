"""Rows of results and the tables, means and verdicts made of them. Measures nothing."""

import dataclasses
import math

import markdown

MEMORY_GOAL_FROM = 1_000_000  # states


@dataclasses.dataclass
class Row:
    """One model with one number of threads; a side that was not measured is None."""
    title: str
    threads: int
    peer: object = None  # Side
    strata: object = None  # Side
    note: str = ""
    errors: list = dataclasses.field(default_factory=list)

    def ratio(self):
        """None if a side is missing or the counts disagree: different work has no ratio."""
        return self.strata.rate() / self.peer.rate() if self.strata and self.peer and not self.errors else None


@dataclasses.dataclass
class Side:
    states: int
    rules: int
    seconds: float
    peak_rss: int
    state_bytes: int = 0
    how: str = ""  # compiler or search mode
    exact: bool = True  # otherwise its counts may be off by a thousandth

    def rate(self):
        return self.rules / self.seconds

    def bytes_per_state(self):
        return self.peak_rss / self.states


def plural(threads):
    return "1 thread" if threads == 1 else f"{threads} threads"


def compare_counts(row, published=None):
    """Appends an error for each disagreement about states and rules."""
    sides = [("strata", row.strata), ("the other tool", row.peer)]
    counts = [(name, (side.states, side.rules), side.exact) for name, side in sides if side]
    if published:
        counts.insert(0, ("the published result", published, True))
    for name, count, exact in counts[1:]:
        if not _agree(count, counts[0][1], exact):
            row.errors.append(f"{row.title}, {plural(row.threads)}: {name} has {count[0]} states and {count[1]} rules, "
                              f"{counts[0][0]} has {counts[0][1][0]} and {counts[0][1][1]}")


def _agree(counts, others, exact):
    tolerance = 0 if exact else 1e-3
    return all(abs(one - other) <= tolerance * other for one, other in zip(counts, others))


def speed_table(rows, peer, unit):
    header = ["model", "states", unit, "threads", peer, f"{peer} s", f"{peer} M/s", f"{peer} B/state",
              "strata s", "strata M/s", "strata B/state", "ratio"]
    return markdown.table(header, [_speed_row(row) for row in rows])


def _speed_row(row):
    any_side = row.strata or row.peer
    counts = [f"{any_side.states:,}", f"{any_side.rules:,}"] if any_side else ["-", "-"]
    how = row.peer.how if row.peer else row.note or "-"
    return [row.title, *counts, str(row.threads), how, *_side_cells(row.peer), *_side_cells(row.strata),
            _cell(row.ratio(), "{:.1f}")]


def _side_cells(side):
    if not side:
        return ["-", "-", "-"]
    memory = side.bytes_per_state() if side.peak_rss else None
    return [f"{side.seconds:.2f}", f"{side.rate() / 1e6:.2f}", _cell(memory, "{:.1f}")]


def _cell(value, form):
    return form.format(value) if value else "-"


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def verdict(text, value, passed):
    return f"- {'PASS' if passed else 'FAIL'}: {text}: {value}"


def ratio_summary(rows, peer, mean_goal, least_goal):
    lines = []
    for threads in sorted({row.threads for row in rows}):
        ratios = {row.title: row.ratio() for row in rows if row.threads == threads and row.ratio()}
        if not ratios:
            lines.append(f"- not measured: rules per second against {peer}, {plural(threads)}")
            continue
        mean, (least_title, least) = geometric_mean(ratios.values()), min(ratios.items(), key=lambda item: item[1])
        if mean_goal:
            lines.append(verdict(f"{peer}, {plural(threads)}, geometric mean of ratios >= {mean_goal}", f"{mean:.2f}",
                                 mean >= mean_goal))
        lines.append(verdict(f"{peer}, {plural(threads)}, every ratio >= {least_goal}",
                             f"least {least:.2f} ({least_title})", least >= least_goal))
    return lines


def speedups(rows):
    """{title: rate with two threads / rate with one}, where both were measured."""
    rates = {(row.title, row.threads): row.strata.rate() for row in rows if row.strata}
    titles = [title for title, threads in rates if threads == 2 and (title, 1) in rates]
    return {title: rates[title, 2] / rates[title, 1] for title in titles}


def speedup_summary(rows, goal=1.8):
    found = speedups(rows)
    if not found:
        return "", ["- not measured: strata with two threads against one"]
    table = markdown.table(["model", "2 threads / 1"], [[title, f"{value:.2f}"] for title, value in found.items()])
    mean, (least_title, least) = geometric_mean(found.values()), min(found.items(), key=lambda item: item[1])
    return table, [verdict(f"two threads >= {goal} x one, geometric mean", f"{mean:.2f}", mean >= goal),
                   verdict(f"two threads >= {goal} x one, every model", f"least {least:.2f} ({least_title})",
                           least >= goal)]


def memory_summary(rows, start_rss):
    """Peak resident bytes a state against 1.35 x packed bytes + 4, for models of over a million states."""
    measured = [row for row in rows if row.strata and row.strata.states > MEMORY_GOAL_FROM]
    if not measured:
        return "", ["- not measured: memory (needs strata and a model of over a million states)"]
    cells, missed = [], []
    for row in measured:
        side, goal = row.strata, 1.35 * row.strata.state_bytes + 4
        value, net = side.bytes_per_state(), (side.peak_rss - start_rss) / side.states
        cells.append([row.title, str(row.threads), str(side.state_bytes), f"{goal:.2f}", f"{value:.2f}", f"{net:.2f}",
                      f"{side.peak_rss / 2**20:.0f}"])
        if value > goal:
            missed.append(f"{row.title} ({plural(row.threads)})")
    header = ["model", "threads", "packed B", "target B/state", "peak B/state", "less start-up", "peak MiB"]
    return markdown.table(header, cells), [verdict("peak RSS a state <= 1.35 x packed bytes + 4",
                                             "missed by " + ", ".join(missed) if missed else "all", not missed)]


def startup_summary(startup):
    if not startup:
        return ["- not measured: start-up"]
    lines = [verdict("start-up on a tiny compiled model < 50 ms (median of 20)", f"{startup.milliseconds:.1f} ms, "
                     f"{startup.peak_rss / 2**20:.1f} MiB", startup.milliseconds < 50)]
    for item in startup.compiles:
        text = f"first check of {item.what} with an empty cache < {item.goal} s"
        if item.absent:
            lines.append(f"- not measured: {text}: {item.note}")
        elif item.seconds is None:
            lines.append(verdict(text, item.note, False))
        else:
            lines.append(verdict(text, f"{item.seconds:.2f} s, {item.note}", item.seconds < item.goal))
    return lines
