"""What a page remembers in the browser: answers, place, theme; for one lesson and run, until it is forgotten."""
import functools
import time

from browser import PageTest, export, run

WITH_OTHER_SEED = """# T

P.

```python parameters
seed = {seed}
```

```python predict=value
import torch
x = torch.ones(2)
x[0]
```
"""


def with_patience(test):
    """Chromium hands what a page of a file keeps to the next page a little later, and on a busy machine not always."""
    @functools.wraps(test)
    def patient(self):
        for _ in range(7):
            try:
                return test(self)
            except AssertionError:
                time.sleep(0.5)
        return test(self)
    return patient


class Memory(PageTest):
    def state(self):
        return self.browser.script(
            "return {at: steps.at, theme: document.documentElement.dataset.theme,"
            " open: predictions.map(p => p.open), tries: predictions.map(p => p.tries),"
            " typed: predictions.map(p => p.typed()), verdicts: predictions.map(p => p.verdict.textContent)}")

    def answer_some(self):
        self.browser.script(
            "const [a, b] = predictions.filter(p => p.kind === 'shape');"
            "const type = (p, text) => { p.form.querySelector('input').value = text; p.judge(); };"
            "type(a, JSON.parse(a.answer.dataset.axes).map(axis => axis.size).join()); type(b, '77');"
            "predictions.find(p => p.kind === 'raises').show('');"
            "steps.go(predictions.indexOf(a) === 0 ? 1 : 0); theme.button.click(); theme.button.click();")

    @with_patience
    def test_answers_place_and_theme_survive_a_reload(self):
        self.browser.open(3)
        fresh = self.state()
        self.answer_some()
        before = self.state()
        self.assertNotEqual(before, fresh)
        self.assertEqual(before["theme"], "dark")
        self.assertEqual((before["open"].count(False), sum(before["tries"])), (2, 1))
        self.browser.refresh()
        after = self.state()
        before["verdicts"] = [v for v, is_open in zip(before["verdicts"], before["open"]) if not is_open]
        after["verdicts"] = [v for v, is_open in zip(after["verdicts"], after["open"]) if not is_open]
        self.assertEqual(after, before)
        dark = self.browser.script("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(dark, "rgb(20, 23, 27)")
        self.assertEqual(self.browser.console(), [])
        self.assertEqual({url for url in self.browser.requests()}, {export(3).as_uri()})

    @with_patience
    def test_forgetting_makes_it_new(self):
        self.browser.open(3)
        fresh = self.state()
        self.answer_some()
        self.browser.script("localStorage.setItem('other', '1'); keys.toggle(); window.old = true")
        self.browser.click([b for b in self.browser.all("dialog.keys button") if b.text.startswith("Forget")][0])
        self.wait(lambda: self.browser.script("return window.old === undefined && typeof steps === 'object'"))
        self.assertEqual(self.state(), fresh)
        self.assertEqual(self.browser.script("return Object.keys(localStorage)"), ["other"])

    def wait(self, condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.1)
        self.fail("the page was not loaded again")

    def test_keys_are_of_one_lesson_and_run(self):
        keys = set()
        for lesson in (1, 3, WITH_OTHER_SEED.format(seed=1), WITH_OTHER_SEED.format(seed=2)):
            self.browser.open(lesson)
            keys.add(self.browser.script("return data.key"))
        self.assertEqual(len(keys), 4)
        self.assertTrue(any(key.startswith("attn-tutor/batch/") for key in keys), keys)

    def test_a_browser_that_keeps_nothing_shows_the_page(self):
        for first in ("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }});",
                      "Storage.prototype.setItem = () => { throw new Error('full'); };",
                      "Storage.prototype.getItem = () => JSON.stringify({at: 'x', answers: [7, null, {typed: {}}]});",
                      "Storage.prototype.getItem = () => 'no json';"):
            self.browser.open(3, first=first)
            self.answer_some()
            self.assertEqual(self.state()["open"].count(False), 2, first)
            self.assertEqual(self.browser.console(), [], first)


if __name__ == "__main__":
    run()
