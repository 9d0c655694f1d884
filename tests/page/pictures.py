"""Makes the pictures of doc/pictures again, from the pages of some examples.

    python3 pictures.py --strata PATH [--models DIR] [--out DIR]

Colours are reduced by pngquant (Debian package pngquant) where it is installed. --models is the collection with
murphi/coherence, without which its picture stays as it is. Needs what browser.py needs."""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from chromium import Browser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What two caches that share a block would violate.
SHARED = ("forall a: Address do forall m: OBJSET_cacheL1A do forall n: OBJSET_cacheL1A do m = n | "
          "i_cacheL1A[m].cb[a].State != cacheL1A_S | i_cacheL1A[n].cb[a].State != cacheL1A_S end end end")
COHERENCE = "MU_FullSystem_3CC.m"


class Painter:
    def __init__(self, strata, folder, out):
        self.strata, self.folder, self.out = strata, folder, out
        self.browser = Browser(folder)

    def page(self, model, *options, cwd=ROOT):
        path = self.folder / "page.html"
        subprocess.run([self.strata, "check", model, "--report", str(path), *options], cwd=cwd, capture_output=True,
                       check=False, timeout=600)
        self.browser.driver.get(path.as_uri())

    def section(self, name, first, last, width=1100):
        """From the top of one element to the end of another."""
        self.browser.size(width, 900)
        time.sleep(0.5)
        box = self.browser.run("""
            const [a, b] = [...arguments].map((s) => document.querySelector(s).getBoundingClientRect());
            const top = Math.max(0, a.top + scrollY - 8);
            return { x: 0, y: top, width: innerWidth, height: b.bottom - a.top + 16, scale: 1 };""", first, last)
        path = self.out / f"{name}.png"
        self.browser.picture(path, clip=box)
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--ext", ".png", "--strip", "--nofs", "64", str(path)], check=True)
        print(f"{path}: {path.stat().st_size} bytes")

    def sequence(self, name):
        text = self.browser.run("return new strata.sequence.Chart(strata.viewer).file()")
        path = self.out / f"{name}.svg"
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {path.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True, type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "doc/pictures")
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        painter = Painter(str(options.strata.resolve()), pathlib.Path(scratch), options.out.resolve())
        try:
            painter.page("examples/msi_bug.m")
            painter.browser.run("strata.viewer.go(7)")
            painter.section("report-trace", "#verdict", "#trace")
            painter.sequence("msi_bug")
            painter.page("examples/dining.dve", "--ltl", "G (Phil_0.one -> F Phil_0.eating)", "--finite", "ignore",
                         "--algorithm", "minimal")
            painter.browser.run("strata.viewer.go(3)")
            painter.section("lasso", "#trace", "#trace")
            painter.page("examples/peterson.m", "-D", "N=5", "--memory", "40M", "--disk", scratch)
            painter.section("report-search", "#verdict", "#search")
            if options.models:
                painter.page(COHERENCE, "--invariant", SHARED, cwd=options.models / "murphi/coherence")
                painter.sequence("coherence")
        finally:
            painter.browser.driver.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
