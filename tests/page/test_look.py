"""How pages look: light and dark, contrast, 360 pixels, print."""
from pathlib import Path

from browser import NARROW, WIDE, PageTest, run

LESSONS = (3, 4, 5)
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
# Everything that a reader can bring up: answers, what is folded, arithmetic, verdicts, a current step.
SHOW = """const f = figures.find(f => f.sums); f.cells[0][0].focus();
const texts = ["right", "wrong"]; predictions.slice(0, 2).forEach((p, k) => p.show(words[texts[k]], texts[k]));
document.querySelectorAll('.trap').forEach((t, k) => t.classList.toggle('yours', k === 0)); steps.go(5);"""


class Look(PageTest):
    def show_all(self):
        self.browser.script(SHOW)
        self.browser.show_all()

    def test_text_stands_out_in_light_and_dark(self):
        for lesson in LESSONS:
            for scheme in ("light", "dark"):
                self.browser.open(lesson, scheme=scheme)
                self.show_all()
                found = self.browser.script(CONTRAST)
                self.assertGreater(found["count"], 1000)
                self.assertEqual(found["worst"], [], (lesson, scheme))

    def test_numbers_of_every_colour_stand_out(self):
        for scheme in ("light", "dark"):
            self.browser.open(1, scheme=scheme)
            self.browser.script(
                "const cells = [...document.querySelectorAll('.heat tbody td')].slice(0, 17);"
                "cells.forEach((c, k) => { c.className = k === 16 ? 'x' : (k < 8 ? 'p' : 'n') + (k % 8 + 1); })")
            self.browser.show_all()
            self.assertEqual(self.browser.script(CONTRAST)["worst"], [], scheme)

    def test_code_wraps_and_the_width_is_used(self):
        self.browser.open(3, NARROW)
        self.browser.show_all()
        self.assertEqual(self.browser.script(
            "return [...document.querySelectorAll('pre.code')].filter(e => e.scrollWidth > e.clientWidth || e.tabIndex >= 0).length"), 0)
        self.browser.open(3, (1400, 900))
        self.assertGreater(self.browser.script("return document.querySelector('main').clientWidth"), 1250)

    def test_repeated_ops_fold(self):
        """Under the step that is named the same ops stand in full."""
        self.browser.open(5)
        found = self.browser.script(
            "const ops = (e) => [...e.querySelectorAll('table.ops tr')].map(r => r.querySelector('th')?.textContent ?? '').join();"
            "return [...document.querySelectorAll('details.again')].map(d => [d.open, ops(d),"
            " ops(document.getElementById('step-' + d.querySelector('summary').textContent.match(/(\\d+)$/)[1]))])")
        self.assertGreater(len(found), 0)
        for is_open, ops, first in found:
            self.assertFalse(is_open)
            self.assertEqual(ops, first)

    def test_axes_have_the_same_color_in_all_lessons(self):
        colors = {}
        for lesson in (1, 2, 3, 4, 5):
            self.browser.open(lesson, scripts=True)
            found = self.browser.script(
                "return [...document.querySelectorAll('.ops i[class], .value i[class]')]"
                ".map(i => [i.childNodes[0].textContent.trim(), i.className])")
            here = {}
            for name, color in found:
                if not name.isdigit() and name:
                    here[name] = color
            known = [name for name in here if name in ("batch_size", "query_len", "key_len", "n_heads", "head_dim", "hidden_dim")]
            self.assertGreater(len(known), 1, lesson)
            self.assertEqual(len({here[name] for name in known}), len(known), "distinct")
            for name in known:
                self.assertEqual(colors.setdefault(name, here[name]), here[name], (lesson, name))

    def test_dark_mode_is_dark(self):
        brightness = ("const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);"
                      "return r + g + b")
        self.browser.open(3, scheme="dark")
        self.assertLess(self.browser.script(brightness), 150)
        self.browser.color_scheme("light")
        self.assertGreater(self.browser.script(brightness), 700)

    def test_360_pixels_need_no_scrolling_sideways(self):
        for lesson in LESSONS:
            self.browser.open(lesson, NARROW)
            self.show_all()
            self.assertLessEqual(self.browser.script("return document.documentElement.scrollWidth"), NARROW[0], lesson)
            beyond = self.browser.script(
                "return [...document.querySelectorAll('main *')].filter(e => e.checkVisibility()"
                " && !e.parentElement.closest('.wide, pre, math, svg') && e.getBoundingClientRect().right > innerWidth + 1)"
                ".map(e => e.outerHTML.slice(0, 80)).slice(0, 5)")
            self.assertEqual(beyond, [], lesson)

    def test_a_drawing_of_four_axes_fits_360_pixels(self):
        self.browser.open(3, NARROW)
        self.browser.show_all()
        widths = self.browser.script(
            "return [...document.querySelectorAll('.flow svg')].filter(s => s.querySelectorAll('tspan').length <= 12)"
            ".map(s => s.getBoundingClientRect().width)")
        self.assertGreater(len(widths), 10)
        self.assertGreater(sum(width <= NARROW[0] for width in widths), 0.6 * len(widths))

    def test_print_is_light_and_without_controls(self):
        self.browser.open(3, (700, 900), scheme="dark")
        self.show_all()
        self.browser.color_scheme("dark", media="print")
        self.assertEqual(self.browser.script(CONTRAST)["worst"], [])
        paper = self.browser.script("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(paper, "rgb(255, 255, 255)")
        shown = self.browser.script(
            "return [...document.querySelectorAll('.bar, form.ask, .sliders, .sums, .contents')]"
            ".filter(e => e.checkVisibility()).length")
        self.assertEqual(shown, 0)
        self.assertEqual(self.browser.script("return getComputedStyle(document.querySelector('.heat td')).printColorAdjust"),
                         "exact")
        pdf = self.browser.command("Page.printToPDF")["data"]
        self.assertTrue(pdf.startswith("JVBERi"))


if __name__ == "__main__":
    run()
