"""What must be true of the viewer's answers: expressions over the shown values, and what the failed property reads."""

from selenium.webdriver.common.keys import Keys

from chromium import holds, same


def check_questions(browser, pages):
    """An expression has a value in every step, that of `strata trace --show`, or a message."""
    browser.open(pages["msi"])
    states = [step["state"] for step in pages["msi"].report["counterexample"]["steps"]]
    field = browser.one(".question")
    for words, value in (("home.phase", lambda state: state["home"]["phase"]),
                         ("home.phase = Ready", lambda state: state["home"]["phase"] == "Ready"),
                         ("cache[Proc_1].state = I & !(cache[Proc_2].state != I)", lambda state:
                          state["cache"]["Proc_1"]["state"] == "I" and state["cache"]["Proc_2"]["state"] == "I"),
                         ("1 + 2 * 3 = 7 -> 7 % 4 = 3", lambda state: True)):
        field.send_keys(words, Keys.ENTER)
        same(browser.text(".mistake"), "", words)
        found = browser.run("return strata.viewer.trace.steps.map((_, i) => strata.viewer.valueAt("
                            "strata.viewer.asked[strata.viewer.asked.length - 1], i).value)")
        same(found, [value(state) for state in states], words)
    same(len(browser.all(".names span")), len(browser.all(".column:first-child span")), "a row for each expression")
    browser.run("strata.viewer.go(0)")
    browser.run("strata.viewer.asked = []")
    field.send_keys("home.phase != home.phase | cache[Proc_1].state != I", Keys.ENTER)
    wanted = next(i for i, state in enumerate(states) if i > 0 and state["cache"]["Proc_1"]["state"] != "I")
    browser.one("button[title^='The next step in which']").click()
    same(browser.run("return strata.viewer.step"), wanted, "the next step in which it holds")
    for words, message in (("home.", "the name of a field is missing"), ("(1", "')' is missing"),
                           ("1 +", "ends too early"), ("home 1", "'1' is unexpected")):
        field.clear()
        field.send_keys(words, Keys.ENTER)
        holds(message in browser.text(".mistake"), f"{words}: {browser.text('.mistake')}")
    field.clear()
    field.send_keys("home.nothing = 1", Keys.ENTER)
    browser.one("button[title^='The next step in which']").click()
    holds("home has no member 'nothing'" in browser.text(".mistake"), browser.text(".mistake"))
    same(len(browser.all(".column .answer.unknown")) > 0, True, "a value that is not there")
    before = len(browser.all(".names span"))
    browser.one(".names button").click()
    same(len(browser.all(".names span")), before - 1, "a row can be removed")


def check_what_fails_is_marked(browser, pages):
    browser.open(pages["msi"])
    error = pages["msi"].report["errors"][0]
    holds(error["reads"], "the invariant reads something")
    same(browser.run("return [...document.querySelectorAll('.variable.read')].map((row) => row.dataset.path)"),
         sorted(error["reads"], key=lambda path: browser.run(
             "return strata.viewer.rows.findIndex((row) => row.path === arguments[0])", path)), "marked rows")
    bound = ", ".join(f"{name} = {value}" for name, value in error["bound"].items())
    same(browser.text(".broken"), f"The property fails for {bound}.", "the values that break it")
    browser.keys(Keys.HOME)
    same(len(browser.all(".variable.read")), 0, "in the start state nothing fails")
