"""No file of code grows past 500 lines; from 400 lines on a warning says that it hides a concept of its own."""

import house

LIMIT = 500
WARNING = 400

too_long = []
count = 0
for path in house.files("src", "tests", "bench", "cmake", suffixes={".h", ".cc", ".def", ".py", ".sh", ".cmake", ".txt"}):
    lines = house.text(path).count("\n")
    count += 1
    if lines > LIMIT:
        too_long.append(f"{house.shown(path)} has {lines} lines; {LIMIT} is the limit. Split it by concept.")
    elif lines > WARNING:
        print(f"warning: {house.shown(path)} has {lines} lines; aim for fewer than {WARNING}")
house.finish(too_long, f"{count} files have at most {LIMIT} lines")
