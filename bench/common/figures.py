"""Numbers that may be bounds: a run that was ended by its time limit took at least that long. Nothing is measured
here."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Figure:
    number: float
    sign: str = ""  # ">" at least, "<" at most, "?" a mean of both kinds

    def text(self, digits=2):
        return f"{self.sign + ' ' if self.sign else ''}{self.number:,.{digits}f}"

    def at_most(self, limit):
        """Whether it is at most the limit; None when a bound leaves that open."""
        if self.number <= limit:
            return True if self.sign in ("", "<") else None
        return False if self.sign in ("", ">") else None


def ratio(above, below):
    """Of two figures, or None where one is missing, or both are bounds of the same kind."""
    if above is None or below is None or not below.number:
        return None
    flipped = {"": "", ">": "<", "<": ">"}[below.sign]
    if above.sign and flipped and above.sign != flipped:
        return None
    return Figure(above.number / below.number, above.sign or flipped)


def mean(figures):
    known = [figure for figure in figures if figure is not None]
    if not known:
        return None
    signs = {figure.sign for figure in known} - {""}
    sign = "?" if len(signs) > 1 else "".join(signs)
    return Figure(sum(figure.number for figure in known) / len(known), sign)


def geometric_mean(figures):
    known = [figure for figure in figures if figure is not None]
    if not known:
        return None
    signs = {figure.sign for figure in known} - {""}
    sign = "?" if len(signs) > 1 else "".join(signs)
    return Figure(math.exp(sum(math.log(figure.number) for figure in known) / len(known)), sign)


def text(figure, digits=2):
    return figure.text(digits) if figure is not None else "-"


def target(what, figure, low, high):
    """A line that says whether a measured mean lies within its target."""
    if figure is None:
        return f"- not measured: {what}"
    below, above = figure.at_most(high), figure.at_most(low)
    passed = below is True and (low == 0 or above is False)
    failed = below is False or (low != 0 and above is True)
    verdict = "PASS" if passed else "FAIL" if failed else "OPEN (time limits were reached)"
    return f"- {verdict}: {what}: {figure.text()}"
