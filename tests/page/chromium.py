"""The browser of the checks: Debian's chromium, driven by selenium; and what a check asserts."""

import base64
import json
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By


def same(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}\n  found    {json.dumps(found, ensure_ascii=False)[:600]}\n"
                             f"  expected {json.dumps(wanted, ensure_ascii=False)[:600]}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


class Browser:
    """A chromium without a window, and what the checks do with it."""

    def __init__(self, folder):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        # In a container there is neither a sandbox for root nor much shared memory.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-extensions", f"--user-data-dir={folder}/profile"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(60)
        self.downloads = folder / "downloads"
        self.downloads.mkdir(exist_ok=True)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.size(1280, 900)

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def size(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)

    def media(self, scheme="light", kind=""):
        self.command("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme",
                                                                          "value": scheme}])

    def open(self, page):
        self.driver.get(page.path.as_uri())
        # A download that the page before began can make the browser return early.
        ended = time.monotonic() + 20
        while not self.run("return window.strata && strata.ready") and time.monotonic() < ended:
            time.sleep(0.05)
        same(self.run("return window.strata && strata.ready"), True, f"{page.name}: the scripts ran to their end")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)", selector)

    def keys(self, *keys, to="body"):
        target = self.one(to)
        for key in keys:
            target.send_keys(key)

    def messages(self):
        """What the console has since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path, clip=None):
        size = self.run("return [document.documentElement.clientWidth, Math.min(2600, "
                        "document.documentElement.scrollHeight)]")
        clip = clip or {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        path.write_bytes(base64.b64decode(self.command("Page.captureScreenshot", captureBeyondViewport=True,
                                                       clip=clip)["data"]))
