"""Shrinks the text of a model on which two tools differ, or a test fails, to a small text on which they still do.

Delta debugging (Zeller and Hildebrandt 2002) on units of the text: first its lines, then statements and other pieces
within lines. Pieces of all sizes are tried, large ones first, until none can be dropped. A model that a tool refuses
does not differ, so the texts that are kept are valid.
"""

import re
import time

# A text is cut behind each of these, so that statements, cases and operands can go one by one.
PIECES = re.compile(r"[^;,&|{}]*(?:[;,{}]|&+|\|+|$)\s*")


def shrink(text, differs, seconds=120):
    """The smallest text that was found within the time, for which differs(text) is true as it is for this one."""
    search = _Search(differs, time.monotonic() + seconds)
    while True:
        before = text
        for cut in (_blocks, str.splitlines, _pieces):
            text = search.drop(text, cut)
        if text == before or search.is_late():
            return text


def _pieces(text):
    return [piece for piece in PIECES.findall(text) if piece]


def _blocks(text):
    """Paragraphs: a line that is not indented, with the indented lines behind it and those that only close it."""
    blocks = []
    for line in text.splitlines(keepends=True):
        opens = line[:1] not in " \t}\n" and not re.match(r"\s*end\b", line, re.IGNORECASE)
        if opens or not blocks:
            blocks.append("")
        blocks[-1] += line
    return blocks


class _Search:
    def __init__(self, differs, end):
        self.differs = differs
        self.end = end
        self.tried = set()

    def is_late(self):
        return time.monotonic() >= self.end

    def attempt(self, text):
        if text in self.tried or self.is_late():
            return False
        self.tried.add(text)
        return self.differs(text)

    def drop(self, text, cut):
        """Drops units of the text that are not needed. `cut` makes units of a text, which joined are the text."""
        units = [unit + "\n" for unit in cut(text)] if cut is str.splitlines else cut(text)
        return "".join(drop(units, lambda fewer: self.attempt("".join(fewer)), self.end))


def drop(units, differs, end):
    """The units of a list without those that are not needed for differs(units); tried until the time `end`."""
    size = len(units)
    while size > 0 and time.monotonic() < end:
        begin = 0
        while begin < len(units) and time.monotonic() < end:
            fewer = units[:begin] + units[begin + size:]
            if fewer and differs(fewer):
                units = fewer
            else:
                begin += size
        size //= 2
    return units


def keep_smallest(path, differs, seconds=120):
    """Shrinks the model in a file and keeps the small one beside it, as NAME.small.SUFFIX. Returns a line for the
    report.

    differs(path) runs the tools on a file. The file given to it has the name of the small one.
    """
    text = path.read_text(encoding="utf-8")
    small = path.with_name(f"{path.stem}.small{path.suffix}")

    def text_differs(tried):
        small.write_text(tried, encoding="utf-8")
        return differs(small)

    if not text_differs(text):
        small.unlink()
        return "the difference does not occur again"
    result = shrink(text, text_differs, seconds)
    small.write_text(result, encoding="utf-8")
    return f"smallest: {small}, {len(result.splitlines())} lines instead of {len(text.splitlines())}"
