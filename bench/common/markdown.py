"""Markdown that is also easy to read as text."""


def table(header, rows):
    """A Markdown table with aligned columns; the first column is text, the others are numbers."""
    cells = [header] + rows
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [_line(header, widths), "|" + "|".join(_rule(i, width) for i, width in enumerate(widths)) + "|"]
    return "\n".join(lines + [_line(row, widths) for row in rows])


def publish(lines, notes, wrong, out):
    """Prints a report, with what was skipped and what is wrong, and writes it to a file if there is one; the exit
    code."""
    text = "\n".join([*lines, *(f"- skipped: {note}" for note in notes), *(f"- WRONG: {one}" for one in wrong)])
    print(text)
    if out:
        out.write_text(text + "\n")
    return 1 if wrong else 0


def _line(row, widths):
    padded = [cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
    return "| " + " | ".join(padded) + " |"


def _rule(column, width):
    return "-" * (width + 2) if column == 0 else "-" * (width + 1) + ":"
