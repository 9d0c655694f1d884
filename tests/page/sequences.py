"""The message sequences of models, as pages show them, held against files that were checked by hand.

    python3 sequences.py --strata PATH [--every N] [--only NAME] [--write]

Each file of tests/page/sequences has the lifelines, who acts in each step, and the arrows. --write makes the files
again; then look at every one of them. With --every 4, every fourth model is checked. Models of ../shared/models are
left out where that folder is absent. Exit code 77: the browser is not installed."""

import argparse
import difflib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SYSTEM_PYTHON = "/usr/bin/python3"
if importlib.util.find_spec("selenium") is None:
    # Debian's selenium belongs to Debian's Python, which another one may hide.
    if os.path.exists(SYSTEM_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", *sys.argv])
    print("skipped: selenium is not installed (Debian package python3-selenium)")
    sys.exit(77)

from chromium import Browser  # noqa: E402  (it needs selenium)
from pages import Page  # noqa: E402
from sequence_models import MODELS  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared/models/murphi"

# The lifelines, the steps with those who act, and the messages.
FOUND = """
const viewer = strata.viewer, found = strata.messages.find(viewer.trace, viewer.states), {lanes} = found;
const end = (at) => (at ? `${lanes[at.lane]} in step ${at.step}` : "nobody for sure");
return ["lifelines: " + (lanes.join(", ") || "none"), "",
        ...found.events.map((event) => `${event.step} ${viewer.ruleText(viewer.trace.steps[event.step].r)} | ` +
                                       (event.lanes.map((lane) => lanes[lane])
                                           .join(viewer.trace.steps[event.step].p.length > 1 ? " and " : " or ") ||
                                        "-")),
        "", ...found.arrows.map((arrow) => `${end(arrow.from)} -> ${end(arrow.to)}: ${arrow.label}`)]
    .map((line) => line.trimEnd()).join("\\n").trimEnd() + "\\n";"""


def model_path(model):
    return SHARED / model[7:] if model.startswith("shared/") else ROOT / model


def sequence_of(browser, strata, folder, model, options):
    page = folder / "page.html"
    page.unlink(missing_ok=True)
    done = subprocess.run([strata, "check", str(model_path(model)), "--threads", "1", "--progress", "off", "--report",
                           str(page), *options], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if not page.exists():
        raise SystemExit(f"{model}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    browser.open(Page(folder, "page"))
    if not browser.run("return strata.data.traces.length > 0"):
        raise SystemExit(f"{model}: there is no trace\n{done.stdout}{done.stderr}")
    return browser.run(FOUND)


def check(browser, strata, folder, options):
    failed = skipped = 0
    for name, (model, arguments) in list(MODELS.items())[::options.every]:
        if options.only and options.only not in name:
            continue
        if not model_path(model).exists():
            skipped += 1
            continue
        found, kept = sequence_of(browser, strata, folder, model, arguments), HERE / "sequences" / f"{name}.txt"
        if options.write:
            kept.write_text(found, encoding="utf-8")
        wanted = kept.read_text(encoding="utf-8") if kept.exists() else ""
        if found != wanted:
            failed += 1
            print(f"FAIL {name}\n" + "".join(difflib.unified_diff(wanted.splitlines(True), found.splitlines(True),
                                                                 "expected", "found")))
    if skipped:
        print(f"{skipped} left out: ../shared/models is absent")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"skipped: {program} is not installed (Debian packages chromium, chromium-driver)")
            return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        browser = Browser(folder)
        try:
            failed = check(browser, os.path.abspath(options.strata), folder, options)
        finally:
            browser.driver.quit()
    print(f"{failed} sequences differ" if failed else "all sequences are as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
