"""Lines of documents have at most 120 columns; a row of a table, which Markdown cannot break, at most 200. Reports in
bench/results are printed by programs and left out."""

import house

COLUMNS, ROW_COLUMNS = 120, 200

problems = []
pages = [path for path in house.files(suffixes={".md"}) if "results" not in path.parts]
for page in pages:
    for number, line in enumerate(house.text(page).split("\n"), 1):
        limit = ROW_COLUMNS if line.startswith("|") else COLUMNS
        if len(line) > limit:
            problems.append(f"{house.shown(page)}:{number}: {len(line)} columns; {limit} is the limit")
house.finish(problems, f"the lines of {len(pages)} documents")
