"""Every option of src/options/options.def and of the rows of src/lang/languages.def, every algorithm of the
algorithms.def tables, every trait of traits.def and every reason of reasons.def is in doc/manual.md, in backquotes;
and the manual names no option that does not exist."""

import re

import house

MANUAL = "doc/manual.md"
OPTIONS = "src/options/options.def"
LANGUAGES = "src/lang/languages.def"
ALGORITHMS = ["src/search/algorithms.def", "src/liveness/cycle_algorithms.def"]
TRAITS = "src/engine/contract/traits.def"
REASONS = "src/base/reasons.def"
SCHEMA = "doc/report.schema.json"


def rows(path):
    """The arguments of each row, NAME(argument, argument ...): strings unquoted, comments dropped."""
    content = re.sub(r"//.*", "", house.text(path))
    for body in re.findall(r"^[A-Z_]+\((.*?)\)\s*$", content, re.MULTILINE | re.DOTALL):
        parts = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s,{}()]+', body)
        yield [part[1:-1] if part.startswith('"') else part for part in parts]


def code_in_manual():
    return set(re.findall(r"`([^`\n]+)`", house.text(MANUAL)))


def problems():
    files = (MANUAL, OPTIONS, LANGUAGES, TRAITS, REASONS, SCHEMA, *ALGORITHMS)
    missing = [path for path in files if not (house.ROOT / path).is_file()]
    if missing:
        yield from (f"{path} does not exist" for path in missing)
        return
    code = code_in_manual()
    # `--memory SIZE` documents --memory; an algorithm's name must stand alone.
    words = {word for phrase in code for word in re.split(r"[\s=,|\[\]]+", phrase)}
    words_of_rows = {word for path in (OPTIONS, LANGUAGES) for row in rows(path) for word in row}
    options = {word for word in words_of_rows if re.fullmatch(r"--?[A-Za-z][a-z-]*", word)}
    algorithms = {row[0] for path in ALGORITHMS for row in rows(path)}
    if not options or not algorithms:
        yield f"no row was found in {OPTIONS} or the tables of algorithms"
    for option in sorted(options - words):
        yield f"{MANUAL} does not document the option {option} of {OPTIONS}"
    for algorithm in sorted(algorithms - code):
        yield f"{MANUAL} does not document the algorithm {algorithm}"
    for trait in sorted({row[0] for row in rows(TRAITS)} - code):
        yield f"{MANUAL} does not document the trait {trait} of {TRAITS}"
    for reason in sorted(row[0] for row in rows(REASONS)):
        if reason not in code or f'"{reason}"' not in house.text(SCHEMA):
            yield f"{MANUAL} or {SCHEMA} does not have the reason {reason} of {REASONS}"
    known = options | {"--language", "--help", "--version", "--man", "--completion"}
    for word in sorted(words):
        if re.fullmatch(r"--[a-z][a-z-]*", word) and word not in known:
            yield f"{MANUAL} names the option {word}, which {OPTIONS} does not have"


house.finish(list(problems()), "options, algorithms and traits are documented")
