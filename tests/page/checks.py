"""What must be true of the pages. Each check is a function check_*(browser, pages) that raises when something is
wrong."""

import time
import traceback
import xml.etree.ElementTree as xml

from selenium.webdriver.common.keys import Keys

import question_checks
import width_checks
from chromium import Browser, holds, same

SCRIPTS = 14
LARGEST = 500 * 1024


# The states of the page in the form of the JSON report.
STATES = """
const plain = (value) => {
  if (!strata.values.isNode(value)) return value;
  if (value.kind === "m") return value.values.map(plain);
  return Object.fromEntries(value.keys.map((key, i) => [key, plain(value.values[i])]));
};
const some = strata.viewer.trace.steps.map((_, i) => i).filter((i) => i % (arguments[0] || 1) === 0);
return some.map((i) => plain(strata.viewer.states.at(i)));
"""


def check_every_page_opens(browser, pages):
    for page in pages.values():
        browser.open(page)
        same(browser.messages(), [], f"{page.name}: the console is empty")
        same(browser.run("return performance.getEntriesByType('resource').length"), 0,
             f"{page.name}: nothing is loaded")
        same(len(browser.all("script:not([type])")), SCRIPTS, f"{page.name}: scripts")
        holds("default-src 'none'" in browser.one("meta[http-equiv=Content-Security-Policy]").get_attribute("content"),
              "policy")
        if page.name != "long":
            holds(page.path.stat().st_size < LARGEST, f"{page.name}: {page.path.stat().st_size} bytes")


def check_verdict(browser, pages):
    for name, tone, words in (("holds", "good", "No error found."), ("msi", "bad", 'Invariant "single writer" failed.'),
                              ("error", "bad", "division by zero"), ("bound", "open", "Search incomplete"),
                              ("lasso", "bad", "The formula fails"), ("kept", "open", "Search incomplete")):
        browser.open(pages[name])
        holds(words in browser.text("#verdict-words"), f"{name}: {browser.text('#verdict-words')}")
        holds(tone in browser.one("#verdict").get_attribute("class"), f"{name}: {tone}")
    same(browser.texts(".next pre"), [f"strata resume '{pages['kept'].path.parent}/run'\\''s folder'"],
         "the command that resumes")


def check_plots_have_the_numbers(browser, pages):
    report = pages["holds"].report
    browser.open(pages["holds"])
    figures = "return Chart.getChart(arguments[0]).data.datasets[0].data"
    same(browser.run(figures, "plot-levels"), report["levels"], "states by level")
    shares = browser.run("const chart = Chart.getChart('plot-shares'); return chart.data.datasets[0].data.slice(0, -1)")
    wanted = [report["seconds"][name] for name in ("generate", "insert", "detect", "io", "queue", "partition")
              if report["seconds"][name] > 0]
    same([round(share, 9) for share in shares[:len(wanted)]], [round(share, 9) for share in wanted], "time shares")
    series = browser.run("return strata.data.series")
    same(series["states"][-1], report["states"], "the last moment has all states")
    browser.open(pages["long"])
    same(browser.run(figures, "plot-levels"), pages["long"].report["levels"], "states by level, as a curve")
    browser.open(pages["kept"])
    series = browser.run("return strata.data.series")
    drawn = browser.run(figures, "plot-states")
    wanted = [list(pair) for pair in zip(series["seconds"], series["states"])]
    same([[point["x"], point["y"]] for point in drawn], wanted, "states over time")
    holds(len(drawn) >= 10 and series["seconds"] == sorted(series["seconds"]), "a second has moments")
    memory = browser.run(figures, "plot-room")
    same([point["y"] for point in memory], series["memory"], "memory over time")
    browser.open(pages["long"])
    browser.one("#search button").click()
    same(browser.run("return Chart.getChart('plot-levels').options.scales.y.type"), "logarithmic", "log scale")
    values = browser.texts(".figure .value")
    holds(f"{report['states']:,}" not in values and f"{pages['long'].report['states']:,}" in values, "figures")


def check_states_are_those_of_the_report(browser, pages):
    for name in ("msi", "lasso", "post", "error", "hostile", "long", "saved"):
        browser.open(pages[name])
        wanted = [step["state"] for step in pages[name].report["counterexample"]["steps"] if step["state"] is not None]
        same(browser.run("return strata.viewer.trace.steps.length"), len(wanted), f"{name}: states")
        stride = 1 + len(wanted) // 100
        found, wanted = browser.run(STATES, stride), wanted[::stride]
        for number, (one, other) in enumerate(zip(found, wanted)):
            same(one, other, f"{name}: state {number}")


def check_keys_step(browser, pages):
    browser.open(pages["msi"])
    steps = pages["msi"].report["counterexample"]["steps"]
    title = lambda: browser.text("#state-title")
    holds(title().startswith("State after step 9"), f"a counterexample opens at the failing state: {title()}")
    browser.keys(Keys.HOME)
    same(title(), "Start state", "the start, from anywhere")
    browser.keys(Keys.PAGE_DOWN)
    holds(title().startswith("State after step 9"), "ten steps, from anywhere")
    browser.keys(Keys.END, Keys.HOME)
    same(title(), "Start state", "title")
    before = browser.texts(".state .variable")
    browser.keys(Keys.ARROW_RIGHT)
    holds(title().startswith("State after step 1: "), title())
    holds(browser.texts(".state .variable") != before, "the state changed")
    same(browser.texts(".step.chosen b"), [steps[1]["rule"].split(",")[0]], "chosen step")
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, to=".steps")
    holds(title().startswith("State after step 3"), title())
    browser.keys(Keys.ARROW_LEFT, to=".state")
    holds(title().startswith("State after step 2"), title())
    browser.keys(Keys.END, to=".steps")
    holds(title().startswith("State after step 9"), title())
    browser.keys(Keys.ARROW_RIGHT, to=".steps")
    holds(title().startswith("State after step 9"), "behind the end there is nothing")
    browser.keys(Keys.HOME, to=".steps")
    same(title(), "Start state", "title")
    browser.keys(Keys.ARROW_LEFT)
    same(title(), "Start state", "before the beginning there is nothing")


def check_changes_are_marked(browser, pages):
    browser.open(pages["msi"])
    browser.run("strata.viewer.go(1)")
    same(browser.texts(".variable.changed:not(.folder) .key"), ["state", "kind"], "changed variables")
    same(browser.texts(".variable.changed:not(.folder) .value"), ["I → I_S", "NoRequest → GetS"], "before and after")
    browser.open(pages["post"])
    rules = [step["rule"] for step in pages["post"].report["counterexample"]["steps"]]
    reply = next(i for i, rule in enumerate(rules) if rule.startswith("reply"))
    browser.run("strata.viewer.go(arguments[0])", reply)
    # One letter left and another came in the same step.
    same(len(browser.all(".variable.removed.folder")), 1, "members that left")
    same(len(browser.all(".variable.added.folder")), 1, "members that came")
    same([text for text in browser.texts(".variable.removed:not(.folder)") if "Ask" in text], ["−kindAsk"], "what left")
    same([text for text in browser.texts(".variable.added:not(.folder)") if "Answer" in text], ["+kindAnswer"],
         "what came")


def check_filter(browser, pages):
    browser.open(pages["msi"])
    browser.keys("/", to=".steps")
    same(browser.run("return document.activeElement === strata.viewer.filterBox"), True, "the key for the filter")
    browser.one(".filter").send_keys("home.sharer")
    same(browser.texts(".state .variable .key"), ["home", "sharer", "Proc_1", "Proc_2", "Proc_3"], "filtered")
    browser.one(".filter").clear()
    browser.one(".filter").send_keys("no such variable")
    same(browser.texts(".state .variable"), [], "nothing fits")
    browser.run("const box = strata.viewer.filterBox; box.value = ''; box.dispatchEvent(new Event('input')); "
                "strata.viewer.go(4)")
    browser.one(".check input").click()
    holds(all("same" not in name for name in browser.run("return [...document.querySelectorAll('.state "
                                                         ".variable')].map((n) => n.className)")), "only changes")
    holds(len(browser.all(".state .variable")) > 2, "changes are there")


def check_folding(browser, pages):
    browser.open(pages["msi"])
    count = len(browser.run("return strata.viewer.rows"))
    browser.run("document.querySelector('.variable[data-path=\"cache\"]').click()")
    holds(len(browser.run("return strata.viewer.rows")) < count, "folded by a click")
    same(browser.one(".variable[data-path='cache']").get_attribute("aria-expanded"), "false", "said so")
    browser.keys(Keys.ENTER, to=".state")
    same(len(browser.run("return strata.viewer.rows")), count, "unfolded by a key")


def check_last_change(browser, pages):
    browser.open(pages["msi"])
    steps = pages["msi"].report["counterexample"]["steps"]
    value = lambda i: steps[i]["state"]["cache"]["Proc_1"]["state"]
    browser.run("strata.viewer.go(arguments[0])", len(steps) - 1)
    browser.run("strata.viewer.chosen = 'cache[Proc_1].state'; strata.viewer.drawState()")
    last = max(i for i in range(1, len(steps)) if value(i) != value(i - 1))
    text = browser.text(".about")
    holds(text.startswith(f"cache[Proc_1].state last changed in step {last} by {steps[last]['rule']}"), text)
    browser.keys("l", to=".steps")
    same(browser.run("return strata.viewer.step"), last if last < len(steps) - 1
         else max(i for i in range(1, last) if value(i) != value(i - 1)), "the key goes there")
    browser.run("strata.viewer.go(0)")
    browser.keys("n", to=".steps")
    same(browser.run("return strata.viewer.step"), min(i for i in range(1, len(steps)) if value(i) != value(i - 1)),
         "and to the next one")


def check_loop_and_propositions(browser, pages):
    for name in ("lasso", "saved"):
        trace = pages[name].trace
        browser.open(pages[name])
        loop, last = trace["loop"], len(trace["states"]) - 1
        holds(browser.text(".loop-words").startswith(f"The loop: steps {loop} to {last}, then "
                                                     f"{trace['#meta']['loop-rule']}"), browser.text(".loop-words"))
        same(browser.run("return [...document.querySelectorAll('.step.looped[data-step]')].map((node) => "
                         "Number(node.dataset.step))"), list(range(loop, last + 1)), "marked steps")
        same(browser.texts(".loop-mark"), ["↻"], "where the loop begins")
        holds(f"back to step {loop}" in browser.text(".step.back"), "the step back")
        propositions = list(trace["states"][0]["#meta"]["propositions"])
        same(propositions, ["Phil_0.one", "Phil_0.eating"], "propositions")
        same(browser.texts(".names span"), ["step", "loop", *propositions], "rows")
        for row, proposition in enumerate(propositions):
            cells = browser.run("return [...document.querySelectorAll('.column')].map((node) => "
                                "node.children[arguments[0]].textContent)", row + 2)
            same(cells, ["T" if state["#meta"]["propositions"][proposition] else "F" for state in trace["states"]],
                 proposition)
        browser.run(f"document.querySelector('.column[data-step=\"{loop}\"]').click()")
        same(browser.run("return strata.viewer.step"), loop, "a click on the strip")


def arrows_of(browser):
    return browser.run("""const chart = new strata.sequence.Chart(strata.viewer), { lanes, arrows } = chart.found;
        const row = (a) => [a.from.step, lanes[a.from.lane], a.to && a.to.step, a.to && lanes[a.to.lane], a.kind];
        return [lanes, arrows.map(row)];""")


def check_messages(browser, pages):
    browser.open(pages["post"])
    rules = [step["rule"] for step in pages["post"].report["counterexample"]["steps"]]
    lanes, arrows = arrows_of(browser)
    same(lanes, ["Ann", "Bob", "Cid"], "lifelines")
    at = lambda start, name: next(i for i, rule in enumerate(rules) if rule.startswith(start) and f"n:{name}" in rule)
    first, second = sorted(i for i, rule in enumerate(rules) if rule.startswith("read"))
    asked = sorted(arrow for arrow in arrows if arrow[4] == "Ask")
    same(asked, sorted([[at("ask", "Ann"), "Ann", at("reply", name), name, "Ask"] for name in ("Bob", "Cid")]),
         "questions")
    answers = [arrow for arrow in arrows if arrow[4] == "Answer"]
    same(sorted(arrow[2] for arrow in answers), [first, second], "answers are read")
    same(sorted([arrow[1], arrow[3]] for arrow in answers), [["Bob", "Ann"], ["Cid", "Ann"]], "answers go back")
    browser.open(pages["lasso"])
    lanes, arrows = arrows_of(browser)
    # Every step of the philosophers is a rendezvous with a fork.
    same(len(arrows), len(pages["lasso"].trace["states"]), "one for each step, and one for the step back")
    holds(all(arrow[1].startswith("Phil") and arrow[3].startswith("Fork") and arrow[0] == arrow[2] for arrow in arrows),
          str(arrows))


def check_svg_export(browser, pages):
    for name in ("post", "lasso", "hostile"):
        browser.open(pages[name])
        for old in browser.downloads.iterdir():
            old.unlink()
        browser.run("document.querySelector('.sequence-panel').open = true; document.querySelector('.sequence-panel "
                    ".tools button').click()")
        deadline = time.time() + 10
        while not list(browser.downloads.glob("*.svg")) and time.time() < deadline:
            time.sleep(0.05)
        found = list(browser.downloads.glob("*.svg"))
        same(len(found), 1, f"{name}: one file")
        root = xml.fromstring(found[0].read_text(encoding="utf-8"))
        tags = {node.tag.rpartition("}")[2] for node in root.iter()}
        holds(tags <= {"svg", "title", "g", "rect", "line", "circle", "path", "text"}, f"{name}: {tags}")
        steps = [node for node in root.iter() if node.get("class") == "event"]
        same(len(steps), browser.run("return new strata.sequence.Chart(strata.viewer).rows"), f"{name}: rows")
        same(len([node for node in root.iter() if node.get("class") == "message"]), len(arrows_of(browser)[1]),
             f"{name}: arrows")
        same(browser.messages(), [], f"{name}: the console is empty")


CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
const linear = (c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = (rgb) => rgb.reduce((sum, c, i) => sum + linear(c / 255) * [0.2126, 0.7152, 0.0722][i], 0);
const a = light(parse(getComputedStyle(arguments[0]).color));
const b = light(parse(getComputedStyle(arguments[1]).backgroundColor));
return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
"""


def check_light_and_dark(browser, pages):
    background = lambda: browser.run("return getComputedStyle(document.querySelector('.card')).backgroundColor")
    axis = lambda: browser.run("return Chart.getChart('plot-levels').options.scales.x.ticks.color")
    readable = lambda: holds(browser.run(CONTRAST, browser.one("#search .muted"), browser.one(".card")) >= 4.5,
                             "text can be read")
    try:
        browser.media("dark")
        browser.open(pages["msi"])
        dark, dark_axis = background(), axis()
        readable()
        browser.one("#theme").click()
        holds(background() == "rgb(255, 255, 255)" and axis() != dark_axis, "the switch makes it light")
        readable()
        browser.one("#theme").click()
        same((background(), axis()), (dark, dark_axis), "and dark again")
        browser.media("light")
        browser.open(pages["msi"])
        same(background(), "rgb(255, 255, 255)", "light where that is preferred")
    finally:
        browser.media("light")


def check_phone(browser, pages):
    try:
        browser.size(360, 740)
        for page in pages.values():
            browser.open(page)
            same(browser.run("return document.documentElement.scrollWidth"), 360,
                 f"{page.name}: no horizontal scrolling")
    finally:
        browser.size(1280, 900)


def check_ten_thousand_steps(browser, pages):
    browser.open(pages["long"])
    same(browser.run("return strata.viewer.trace.steps.length"), 10001, "steps")
    measure = """
        const times = [], viewer = strata.viewer;
        const go = (step) => {
          const start = performance.now();
          viewer.go(step); document.body.getBoundingClientRect();
          times.push(performance.now() - start);
        };
        for (let i = 0; i < 50; ++i) go(arguments[0] + i);
        for (let i = 0; i < 50; ++i) go(((arguments[0] + i) * 7919) % 10001);
        return times.sort((a, b) => a - b);"""
    # In some rounds: other programs have the machine too.
    for start in (1000, 3000, 5000, 7000):
        times = browser.run(measure, start)
        if times[90] < 100:
            break
    print(f"  10,001 states: median {times[50]:.1f} ms, nine of ten below {times[90]:.1f} ms a step")
    holds(times[90] < 100, "nine of ten steps take less than 100 ms")
    holds(len(browser.all(".step")) < 60, "only visible steps are in the page")
    browser.run("strata.viewer.unfoldAll = true; strata.viewer.go(9999); strata.viewer.chosen = 'cells[7].count'; "
                "strata.viewer.drawState()")
    holds("last changed in step 9,907" in browser.text(".about"), browser.text(".about"))
    start = time.time()
    browser.run("document.querySelector('.sequence-panel').open = true; "
                "document.querySelector('.sequence-panel').dispatchEvent(new Event('toggle'))")
    holds(time.time() - start < 5, "messages are found in time")


def check_hostile_texts(browser, pages):
    for name in ("hostile", "several"):
        browser.open(pages[name])
        browser.run("strata.viewer.go(2); window.dispatchEvent(new Event('beforeprint'))")
        for attribute in ("hacked",):
            same(browser.run(f"return window.{attribute}"), None, f"{name}: nothing ran")
        same(len(browser.all("img, iframe, script script, [onerror]")), 0, f"{name}: no element came from the data")
        same(browser.messages(), [], f"{name}: the console is empty")
        rules = browser.texts(".step b")
        holds("<img src=x onerror='window.hacked = 3'>" in rules, str(rules))
        same(browser.text("#verdict-words"), pages[name].report["errors"][0]["message"], f"{name}: verdict")
        holds(any("window.hacked = 1</script>" in line for line in browser.texts(".line code"))
              or browser.run("return strata.data.sources[0].text.includes('window.hacked = 1</script>')"), "model text")
    browser.open(pages["hostile"])
    holds(browser.driver.title.startswith(pages["hostile"].report["model"]), browser.driver.title)
    holds("script><img src=x onerror=" in browser.text("#verdict .kind"), "the name of the file is text")


def check_several_counterexamples(browser, pages):
    browser.open(pages["several"])
    errors = pages["several"].report["errors"]
    holds(len(errors) >= 2, "the model has two errors")
    same(len(browser.all("#trace-choice option")), len(errors), "one to choose for each")
    browser.run("const choice = document.getElementById('trace-choice'); choice.value = 1; choice.dispatchEvent(new "
                "Event('change'))")
    wanted = [step["state"] for step in errors[1]["counterexample"]["steps"]]
    same(browser.run(STATES), wanted, "the second one")


def check_failing_step(browser, pages):
    browser.open(pages["error"])
    text = browser.text(".step.failing")
    holds("divide" in text and "division by zero" in text, text)
    browser.run("strata.viewer.go(1)")
    same(browser.text(".put"), "down from x:3\n", "what the step puts")
    browser.run("document.querySelector('.step.failing .link').click()")
    holds("error" in browser.one(".line.marked").get_attribute("class"), "the place in the text is marked")


def check_failing_start(browser, pages):
    browser.open(pages["start"])
    holds("Startstate 1" in browser.text(".step.failing") and "9 is not in 0..3" in browser.text(".step.failing"),
          "what failed")
    same(len(browser.all(".tools, .state")), 0, "there is nothing to step through")


def check_trace_of_another_tool(browser, pages):
    browser.open(pages["foreign"])
    same(browser.texts(".step .changed-names"), ["start state", "msgs, log, owner, mbt::actionTaken",
                                                 "msgs, log, owner, mbt::actionTaken"], "changes")
    browser.run("strata.viewer.go(2)")
    same(browser.texts(".variable.removed:not(.folder)"), ["−typereq"], "what left the set")
    same(browser.texts(".variable[data-path='owner[a]'] .value"), ["1 → 99999999999999999999"], "a large number")
    same(browser.texts(".variable[data-path='owner[c]']"), ["+c5"], "a new key")
    browser.run("strata.viewer.chosen = 'log[0]'; strata.viewer.drawState()")
    holds(browser.text(".about").startswith("log[0] last changed in step 1 by request"), browser.text(".about"))


def check_coverage(browser, pages):
    report = pages["bound"].report
    if "coverage" not in report:
        same(browser.run("return document.getElementById('coverage')"), None, "no coverage, no section")
        return
    browser.open(pages["bound"])
    rows = browser.run("return [...document.querySelectorAll('.coverage tbody tr')].map((row) => "
                       "[...row.children].map((cell) => cell.textContent))")
    wanted = [[rule["name"], "never" if rule["fired"] == 0 else f"{rule['fired']:,}"]
              for rule in report["coverage"]["rules"]]
    same([[row[0], row[2]] for row in rows], wanted, "coverage of rules")
    same(sum(rule["fired"] for rule in report["coverage"]["rules"]), report["transitions"], "sum")
    browser.run("document.querySelector('.coverage td .link').click()")
    line = report["coverage"]["rules"][0]["line"]
    same(browser.text(".line.marked .number"), str(line), "the line of the rule")
    browser.run("document.querySelectorAll('.coverage th .link')[2].click()")
    fired = browser.run("return [...document.querySelectorAll('.coverage tbody tr')].map((row) => "
                        "row.children[2].textContent)")
    numbers = [0 if text == "never" else int(text.replace(",", "")) for text in fired]
    same(numbers, sorted(numbers, reverse=True), "sorted by a click")


def check_print(browser, pages):
    try:
        browser.open(pages["post"])
        browser.media(kind="print")
        browser.run("window.dispatchEvent(new Event('beforeprint'))")
        items = browser.texts("#printed li")
        same(len(items), len(pages["post"].report["counterexample"]["steps"]), "all steps are printed")
        holds(any("− post{−}" in item for item in items), "with what left")
        same(browser.run("return getComputedStyle(document.querySelector('.top')).display"), "none", "without buttons")
        browser.media("dark", "print")
        same(browser.run("return getComputedStyle(document.querySelector('.card')).backgroundColor"),
             "rgb(255, 255, 255)", "paper is light")
    finally:
        browser.media()


def check_policy(browser, pages):
    """Last, because what is refused is told on the console."""
    browser.open(pages["msi"])
    browser.messages()
    browser.run("""const script = document.createElement('script'); script.textContent = 'window.injected = 1';
        document.body.append(script);
        const image = document.createElement('img'); image.src = 'https://example.org/x.png';
        document.body.append(image);
        document.body.setAttribute('onclick', 'window.injected = 2'); document.body.click();""")
    time.sleep(0.2)
    same(browser.run("return window.injected"), None, "no other script runs")
    holds(len(browser.messages()) >= 2, "the browser refused them")


def run(pages, folder, only, keep):
    browser = Browser(folder)
    failed = 0
    try:
        if keep:
            for page in pages.values():
                browser.open(page)
                browser.picture(folder / f"{page.name}.png")
        named = {**vars(question_checks), **vars(width_checks), **globals()}
        for name, check in [(name, value) for name, value in named.items() if name.startswith("check_")]:
            if only and only not in name:
                continue
            start = time.time()
            try:
                check(browser, pages)
                print(f"ok   {name[6:]} ({time.time() - start:.1f} s)")
            except Exception:  # whatever it is, the others are to run too
                failed += 1
                print(f"FAIL {name[6:]}\n{traceback.format_exc()}")
    finally:
        browser.driver.quit()
    print(f"{failed} failed" if failed else "all pages are as they should be")
    return 1 if failed else 0
