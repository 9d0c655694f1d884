"""What must be true of a page at every width, light and dark, by its pixels: plots have their colours, numbers are on
one line, nothing is cut off at the side."""

import base64
import time

from chromium import holds, same

WIDTHS = (400, 700, 1000, 1400)
MODES = ("light", "dark")

# Of each plot: its name, and of each of its colours how many pixels have it, or a colour between it and the ground.
COLOURS = """
const parse = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const full = (text) => (text.length === 4 ? "#" + [...text.slice(1)].map((c) => c + c).join("") : text.slice(0, 7));
const style = getComputedStyle(document.documentElement);
const named = (name) => parse(full(style.getPropertyValue("--" + name).trim()));
const ground = named("card"), ink = named("muted");
const away = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
return [...document.querySelectorAll(".plot canvas")].map((canvas) => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const sets = Chart.getChart(canvas).data.datasets.filter((set) => !set.band && set.hue !== "purple");
  const hues = sets.flatMap((set) => set.hues || [set.hue]);
  const counts = Object.fromEntries(hues.map((hue) => [hue, 0]));
  let dark = 0, seen = 0, words = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 128) continue;
    ++seen;
    const pixel = [data[i], data[i + 1], data[i + 2]];
    for (const hue of hues) counts[hue] += away(pixel, named_of[hue] || (named_of[hue] = named(hue))) < 30;
    words += away(pixel, ink) < 40;
    dark += away(pixel, [0, 0, 0]) < 24;
  }
  return {name: canvas.id, counts, seen, words, dark, ground: away(ground, [0, 0, 0])};
});""".replace("const ground", "const named_of = {}, ground")

BROKEN = """
return [...document.querySelectorAll(".number, .figure .value, .gauge span:not(.share)")].filter((node) => {
  const box = document.createRange();
  box.selectNodeContents(node);
  const parts = [...box.getClientRects()].filter((part) => part.width > 0);
  return node.tagName !== "INPUT" && parts.some((one) => parts.some((other) => other.top >= one.bottom - 2));
}).map((node) => node.textContent);"""


def every_view(browser):
    """All widths and modes; the mode is that of the system, and then that of the page's switch."""
    for width in WIDTHS:
        for mode in MODES:
            for switched in (False, True):
                browser.size(width, 900)
                browser.media(mode if not switched else MODES[1 - MODES.index(mode)])
                yield width, mode, switched


def check_plots_have_colours_at_every_width(browser, pages):
    try:
        for width, mode, switched in every_view(browser):
            what = f"{width} px, {mode}{', by the switch' if switched else ''}"
            browser.open(pages["kept"])
            if switched:
                browser.one("#theme").click()
            time.sleep(0.2)
            plots = browser.run(COLOURS)
            same([plot["name"] for plot in plots], ["plot-levels", "plot-states", "plot-room", "plot-shares"], what)
            for plot in plots:
                holds(plot["words"] > 20, f"{what}: the words of {plot['name']} can be read: {plot}")
                holds(sum(plot["counts"].values()) > 30, f"{what}: {plot['name']} has its colours: {plot}")
                holds(plot["dark"] < 0.001 * plot["seen"] + 5, f"{what}: nothing in {plot['name']} is black: {plot}")
    finally:
        browser.media()
        browser.size(1280, 900)
        browser.messages()  # chromium remarks that pixels are read


def check_colours_follow_the_window(browser, pages):
    """A window that is made narrower, and a system that becomes dark, while the page is open."""
    try:
        browser.media("light")
        browser.size(1400, 900)
        browser.open(pages["kept"])
        for width, mode in ((1000, "dark"), (700, "light"), (400, "dark"), (1400, "light")):
            browser.size(width, 900)
            browser.media(mode)
            time.sleep(0.4)
            for plot in browser.run(COLOURS):
                holds(sum(plot["counts"].values()) > 30, f"{width} px, {mode}: {plot}")
    finally:
        browser.media()
        browser.size(1280, 900)
        browser.messages()


def check_plots_are_drawn_while_the_window_changes(browser, pages):
    """A picture that makes the page a little wider, because it has no scrollbar, has the plots."""
    path = pages["kept"].path.with_suffix(".picture.png")
    for width in WIDTHS:
        browser.size(width, 900)
        browser.open(pages["kept"])
        time.sleep(0.2)
        browser.picture(path)
        box = browser.run("const box = document.querySelector('#plot-levels').getBoundingClientRect(); "
                          "return [box.left, box.top + scrollY, box.right, box.bottom + scrollY].map(Math.round)")
        found = browser.driver.execute_async_script("""
            const [data, [left, top, right, bottom], done] = arguments, image = new Image();
            image.onload = () => {
              const canvas = document.createElement("canvas");
              [canvas.width, canvas.height] = [image.width, image.height];
              const context = canvas.getContext("2d");
              context.drawImage(image, 0, 0);
              const pixels = context.getImageData(left, top, right - left, bottom - top).data;
              let blue = 0;
              for (let i = 0; i < pixels.length; i += 4)
                blue += Math.hypot(pixels[i], pixels[i + 1] - 114, pixels[i + 2] - 178) < 40;
              done(blue);
            };
            image.src = data;""", "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode(), box)
        holds(found > 30, f"{width} px: {found} pixels of the levels are blue")
    path.unlink()
    browser.size(1280, 900)
    browser.messages()


def check_numbers_are_not_divided(browser, pages):
    try:
        for width in WIDTHS:
            browser.size(width, 900)
            for name in ("holds", "kept", "msi", "long"):
                browser.open(pages[name])
                same(browser.run(BROKEN), [], f"{name}, {width} px: numbers on two lines")
                shown = browser.run("return [document.documentElement.scrollWidth, "
                                    "document.documentElement.clientWidth]")
                same(shown[0], shown[1], f"{name}, {width} px: nothing is cut off at the side")
    finally:
        browser.size(1280, 900)


def check_sequences_at_every_width(browser, pages):
    """The names of lifelines and the lines of messages are drawn, whatever the width."""
    try:
        for width, mode, switched in every_view(browser):
            if switched:
                continue
            browser.open(pages["msi"])
            time.sleep(0.1)
            same(browser.texts(".sequence-head text"), ["Proc_1", "Proc_2", "home"], f"{width} px, {mode}: lifelines")
            same(len(browser.all(".sequence .message")), 5, f"{width} px, {mode}: messages")
            strokes = browser.run("return [...document.querySelectorAll('.message path[stroke]')].map((node) => "
                                  "node.getAttribute('stroke'))")
            ground = browser.run("return getComputedStyle(document.documentElement).getPropertyValue('--card').trim()")
            holds(strokes and all(stroke.startswith("#") and stroke != ground for stroke in strokes), str(strokes))
    finally:
        browser.media()
        browser.size(1280, 900)


def check_a_resumed_run_begins_where_it_was_resumed(browser, pages):
    browser.open(pages["resumed"])
    series = browser.run("return strata.data.series")
    began = series["began"]
    holds(began > 0.2 and series["seconds"][0] >= began, f"the times are those of the whole search: {began}")
    for plot in ("plot-states", "plot-room"):
        same(browser.run("return Chart.getChart(arguments[0]).scales.x.min", plot), began, f"{plot} begins there")
    first = browser.run("return Chart.getChart('plot-states').data.datasets[0].data[0]")
    holds(first["y"] >= pages["kept"].report["states"] * 0.1 and first["y"] > 0, f"with the states of then: {first}")
    holds("resumed from" in browser.text("#plot-states + *, #search"), "and says so")
