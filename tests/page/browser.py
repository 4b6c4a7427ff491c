"""A headless Chromium that opens exported pages, and what the tests of pages ask it.

The pages are exported by the binary that ATTN_BINARY names. Where there is no Chromium or no selenium the tests are
skipped (exit code 77, which ctest knows); with ATTN_REQUIRE_BROWSER set that is a failure.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77


def _without_browser(reason):
    print(f"skipped: {reason} (`scripts/setup page` installs what these tests need)")
    sys.exit(1 if os.environ.get("ATTN_REQUIRE_BROWSER") else SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    _without_browser("python3 has no selenium")

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    _without_browser("there is no Chromium with its chromedriver")

BINARY = os.environ["ATTN_BINARY"]
NARROW, WIDE = (360, 780), (1100, 900)
_folder = Path(tempfile.mkdtemp(prefix="attn-page-"))


def export(lesson):
    """The path of the page of a lesson: its number, or the text of a lesson file."""
    is_text = not str(lesson).isdigit()
    source = str(lesson)
    if is_text:
        source = str(_folder / "01-hostile.md")
        Path(source).write_bytes(lesson.encode())
    page = _folder / f"{'text' if is_text else lesson}.html"
    if is_text or not page.exists():
        done = subprocess.run([BINARY, "export", source, "-o", str(page), "--force"], capture_output=True, text=True)
        assert page.exists(), done.stderr
    return page


class Browser(webdriver.Chrome):
    """One window. Everything is a method of selenium's driver, or below."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", f"--user-data-dir={_folder / 'profile'}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(options=options, service=webdriver.chrome.service.Service(DRIVER))
        self.set_script_timeout(120)
        # A window that nobody looks at has no focus in some versions, and its elements are told of none.
        self.command("Emulation.setFocusEmulationEnabled", enabled=True)

    def command(self, name, **parameters):
        return self.execute_cdp_cmd(name, parameters)

    def resize(self, size):
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                     mobile=size[0] < 600)

    def color_scheme(self, scheme, media="screen"):
        self.command("Emulation.setEmulatedMedia", media=media,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, lesson, size=WIDE, scheme="light", scripts=True, first=""):
        """Opens the page of a lesson anew, as one who was never there. Logs begin empty. `first`: a script that runs
        before the page's own."""
        self.command("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.resize(size)
        self.color_scheme(scheme)
        self.get("about:blank")
        self.get_log("browser"), self.get_log("performance")
        run_first = self.command("Page.addScriptToEvaluateOnNewDocument", source="localStorage.clear();" + first)
        self.get(export(lesson).as_uri())
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=run_first["identifier"])

    def all(self, selector, within=None):
        return (within or self).find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector, within=None):
        return (within or self).find_element(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        actions = webdriver.ActionChains(self, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def press_with(self, modifier, key):
        webdriver.ActionChains(self, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def click(self, element):
        """In the middle of the window, where nothing lies above it."""
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def show_all(self):
        """All answers, and all that is folded."""
        self.script("predictions.filter(p => p.open).forEach(p => p.show(''));"
                    "document.querySelectorAll('details').forEach(d => { d.open = true; })")

    def script(self, text, *arguments):
        return self.execute_script(text, *arguments)

    def console(self):
        return [entry["message"] for entry in self.get_log("browser")]

    def requests(self):
        """Addresses that the page asked for, itself among them."""
        messages = (json.loads(entry["message"])["message"] for entry in self.get_log("performance"))
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def picture(self, path, whole=False):
        if whole:
            size = self.command("Page.getLayoutMetrics")["cssContentSize"]
            width = self.script("return innerWidth")
            shot = self.command("Page.captureScreenshot", captureBeyondViewport=True,
                                clip={"x": 0, "y": 0, "width": width, "height": size["height"], "scale": 1})
            import base64
            Path(path).write_bytes(base64.b64decode(shot["data"]))
        else:
            self.save_screenshot(str(path))


class PageTest(unittest.TestCase):
    """Tests that share one browser."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        shutil.rmtree(_folder, ignore_errors=True)


def run():
    unittest.main(verbosity=2)
