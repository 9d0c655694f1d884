"""Files that the documentation and comments name exist.

In a page: the target of every relative link, its heading, and every source path in backquotes. In a comment of src,
tests, bench, python or cmake: every path with a folder, `store/log/state_log.h`, from the root, from src or from
the file's own folder. A page refers to papers by their authors, not to texts outside the repository. Reports in
bench/results and NEWS.md describe the past and are left out."""

import re

import house

# First parts of paths in the repository, and suffixes by which a bare name is taken for one of its files.
FOLDERS = {path.name for path in house.ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"build"}
SOURCE = re.compile(r"[\w./-]+\.(?:h|cc|def|py|cmake)")
PATH = re.compile(r"(?!\.\.?/)[\w.-]+(?:/[\w.-]+)+/?")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")  # as in src/lang/NAME
OUTSIDE = {"DESIGN": r"\bDESIGN\b", "a collection of papers": r"(?<!bench/)\bpapers/\d|\bpapers? 00\d"}
NAMES = {path.name for path in house.files()}


def pages():
    for path in house.files(suffixes={".md"}):
        if "results" not in path.parts and path.name != "NEWS.md":
            yield path


def prose(text):
    """The lines of a page, numbered, without blocks of code."""
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        code ^= line.startswith("```")
        if not code and not line.startswith("```"):
            yield number, line


def anchor(heading):
    """As GitHub makes it from a heading."""
    words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w -]", "", words).replace(" ", "-")


def anchors(path):
    return {anchor(line.lstrip("#")) for _, line in prose(house.text(path)) if re.match(r"#+ ", line)}


def broken_link(page, target):
    """Why a link leads nowhere, or an empty text."""
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, heading = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists() or house.ROOT not in (path, *path.parents):
        return "is not a file of the repository"
    if heading and heading not in anchors(path):
        return "names a heading that the page does not have"
    return ""


def missing_source(page, code):
    """Whether a text in backquotes is the path of a source, or a command that is one, which does not exist."""
    word = code.split()[0] if code.split() else ""
    if PLACEHOLDER.search(word):
        return False
    if SOURCE.fullmatch(word) and "/" not in word:
        return word not in NAMES
    first = word.split("/")[0]
    inside = first in FOLDERS or first != "build" and (page.parent / first).is_dir()
    if word.startswith("../") or not (SOURCE.fullmatch(word) or PATH.fullmatch(word) and inside):
        return False
    return not any((start / word).exists() for start in (house.ROOT, house.ROOT / "src", page.parent))


def problems(page):
    for number, line in prose(house.text(page)):
        where = f"{house.shown(page)}:{number}"
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            reason = broken_link(page, target)
            if reason:
                yield f"{where}: the link {target} {reason}"
        for code in re.findall(r"`([^`]+)`", line):
            if missing_source(page, code):
                yield f"{where}: `{code}` does not exist"
        for what, pattern in OUTSIDE.items():
            if re.search(pattern, line):
                yield f"{where}: refers to {what}, which is not in the repository; cite the paper, or say it here"


# A path in a comment: at least one folder, and the suffix of a source or a page.
NAMED = re.compile(r"(?<![\w./<~$*{}%@-])(?:\.\./)*[a-z][\w-]*(?:/[\w-]+)+"
                   r"\.(?:h|cc|def|py|js|cmake|sh|md|m|dve|json)\b(?![/*{])")
C_COMMENT = r"//[^\n]*|/\*.*?\*/"
COMMENTS = {".h": C_COMMENT, ".cc": C_COMMENT, ".def": C_COMMENT, ".js": C_COMMENT, ".cmake": r"#[^\n]*",
            ".txt": r"#[^\n]*", ".py": r"\"\"\".*?\"\"\"|#[^\n]*"}


def sources():
    return house.files("src", "tests", "bench", "python", "cmake", suffixes=set(COMMENTS))


def unknown_paths(source):
    text = house.text(source)
    for comment in re.finditer(COMMENTS[source.suffix], text, re.DOTALL):
        for named in NAMED.finditer(comment.group(0)):
            path = named.group(0)
            if not PLACEHOLDER.search(path) and not any((start / path).exists()
                                                        for start in (house.ROOT, house.ROOT / "src", source.parent)):
                line = text.count("\n", 0, comment.start() + named.start()) + 1
                yield f"{house.shown(source)}:{line}: {path} does not exist"


found = [problem for page in pages() for problem in problems(page)]
found += [problem for source in sources() for problem in unknown_paths(source)]
house.finish(found, f"links and paths of {len(list(pages()))} pages, and of the comments of "
                    f"{len(list(sources()))} sources")
