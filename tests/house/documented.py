"""Every option of src/options/options.def, every algorithm of the algorithms.def tables and every trait of traits.def
is in doc/manual.md, in backquotes; and the manual names no option that does not exist."""

import re

import house

MANUAL = "doc/manual.md"
OPTIONS = "src/options/options.def"
ALGORITHMS = ["src/search/algorithms.def", "src/liveness/cycle_algorithms.def"]
TRAITS = "src/engine/contract/traits.def"


def rows(path):
    """The arguments of each row, NAME(argument, argument ...): strings unquoted, comments dropped."""
    content = re.sub(r"//.*", "", house.text(path))
    for body in re.findall(r"^[A-Z_]+\((.*?)\)\s*$", content, re.MULTILINE | re.DOTALL):
        parts = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s,{}()]+', body)
        yield [part[1:-1] if part.startswith('"') else part for part in parts]


def code_in_manual():
    return set(re.findall(r"`([^`\n]+)`", house.text(MANUAL)))


def problems():
    missing = [path for path in (MANUAL, OPTIONS, TRAITS, *ALGORITHMS) if not (house.ROOT / path).is_file()]
    if missing:
        yield from (f"{path} does not exist" for path in missing)
        return
    code = code_in_manual()
    # `--memory SIZE` documents --memory; an algorithm's name must stand alone.
    words = {word for phrase in code for word in re.split(r"[\s=,|\[\]]+", phrase)}
    options = {word for row in rows(OPTIONS) for word in row if re.fullmatch(r"--?[A-Za-z][a-z-]*", word)}
    algorithms = {row[0] for path in ALGORITHMS for row in rows(path)}
    if not options or not algorithms:
        yield f"no row was found in {OPTIONS} or the tables of algorithms"
    for option in sorted(options - words):
        yield f"{MANUAL} does not document the option {option} of {OPTIONS}"
    for algorithm in sorted(algorithms - code):
        yield f"{MANUAL} does not document the algorithm {algorithm}"
    for trait in sorted({row[0] for row in rows(TRAITS)} - code):
        yield f"{MANUAL} does not document the trait {trait} of {TRAITS}"
    for word in sorted(words):
        if re.fullmatch(r"--[a-z][a-z-]*", word) and word not in options | {"--help", "--version", "--man",
                                                                            "--completion"}:
            yield f"{MANUAL} names the option {word}, which {OPTIONS} does not have"


house.finish(list(problems()), "options, algorithms and traits are documented")
