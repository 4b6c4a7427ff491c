"""Stepping through a lesson by keyboard alone."""
from browser import By, Keys, NARROW, PageTest, run

LESSON = 3


class Steps(PageTest):
    def state(self):
        """The number of the current step, and the prediction that waits, if one has the focus."""
        return self.browser.script(
            "const bar = document.querySelector('.bar [role=status]').textContent.match(/\\d+/g);"
            "return {at: document.querySelector('.step.current')?.dataset.step || null, said: bar,"
            " asked: document.activeElement.closest('form.ask')?.querySelector('.for, legend') !== undefined"
            "   && document.activeElement.closest('form.ask') !== null,"
            " next: document.activeElement.textContent.startsWith('Next')}")

    def all_steps(self):
        return self.browser.script("return [...document.querySelectorAll('.step[data-step]')].map(s => s.dataset.step)")

    def show_answer(self):
        """By tab and enter: from the field of a prediction to the button that shows the answer."""
        for _ in range(6):
            self.browser.press(Keys.TAB)
            if self.browser.switch_to.active_element.text == "Show the answer":
                self.browser.press(Keys.ENTER)
                return
        self.fail("the button that shows the answer is not behind the field")

    def is_in_sight(self, step):
        return self.browser.script(
            "const box = document.getElementById('step-' + arguments[0]).getBoundingClientRect();"
            "return box.height > 0 && box.top < innerHeight && box.bottom > 0", step)

    def walk(self, press):
        """Steps in the order in which they come; `press` goes on."""
        seen, steps = [], self.all_steps()
        for _ in range(4 * len(steps)):
            press()
            state = self.state()
            if state["asked"] and not state["next"]:
                self.show_answer()
                self.assertTrue(self.state()["next"], "focus is on the button that goes on")
                continue
            if not seen or seen[-1] != state["at"]:
                seen.append(state["at"])
                self.assertEqual(state["said"][0], state["at"])
                self.assertTrue(self.is_in_sight(state["at"]), state["at"])
            if state["at"] == steps[-1]:
                break
        return seen

    def test_arrows_go_through_every_step_and_back(self):
        self.browser.open(LESSON)
        steps = self.all_steps()
        self.assertGreater(len(steps), 40)
        self.assertEqual(self.walk(lambda: self.browser.press(Keys.ARROW_RIGHT)), steps)
        back = [steps[-1]]
        while back[-1] != steps[0]:
            self.browser.press(Keys.ARROW_LEFT)
            back.append(self.state()["at"])
            self.assertLess(len(back), len(steps) + 1)
        self.assertEqual(back, steps[::-1])
        self.assertEqual(self.browser.console(), [])

    def test_arrows_go_on_wherever_the_focus_is(self):
        """On choices, code, what scrolls, cells and buttons, but not where they move within a text or a slider."""
        self.browser.open(LESSON)
        self.browser.show_all()
        self.browser.script("steps.go(5)")
        focus = ("const e = document.querySelector(arguments[0]); e.tabIndex = Math.max(e.tabIndex, 0);"
                 "e.disabled = false; e.focus(); return document.activeElement === e")
        at = "return steps.at"
        for selector in ("input[type=radio]", "pre.code", ".wide", "td[tabindex='0']", ".bar button", "summary"):
            self.assertTrue(self.browser.script(focus, selector), selector)
            before = self.browser.script(at)
            self.browser.press(Keys.ARROW_RIGHT)
            self.assertEqual(self.browser.script(at), before + 1, selector)
            self.browser.press(Keys.ARROW_LEFT)
            self.assertEqual(self.browser.script(at), before, selector)
        for selector in ("input[type=text]", "input[type=range]"):
            self.assertTrue(self.browser.script(focus, selector), selector)
            self.browser.press(Keys.ARROW_RIGHT)
            self.assertEqual(self.browser.script(at), before, selector)

    def test_what_is_too_wide_scrolls_without_a_mouse(self):
        """Each box that scrolls sideways takes the focus, or has something in it that does; Shift and an arrow move it."""
        self.browser.open(LESSON, NARROW)
        self.browser.show_all()
        boxes = self.browser.script(
            "return [...document.querySelectorAll('.wide, pre')].filter(e => e.scrollWidth > e.clientWidth + 40)"
            "  .map(e => [e, e.tabIndex === 0 ? e : e.querySelector('a, [tabindex=\"0\"]')])")
        self.assertGreater(len(boxes), 8)
        for box, stop in boxes:
            self.assertIsNotNone(stop, box.get_attribute("outerHTML")[:80])
            is_cell = self.browser.script("arguments[0].focus(); arguments[1].scrollLeft = 0;"
                                          "return arguments[0].matches('td')", stop, box)
            if is_cell:  # there Shift goes from cell to cell
                continue
            self.browser.press_with(Keys.SHIFT, Keys.ARROW_RIGHT)
            moved = self.browser.script("return arguments[0].scrollLeft", box)
            self.assertGreater(moved, 0, box.get_attribute("class"))
            self.browser.press_with(Keys.SHIFT, Keys.ARROW_LEFT)
            self.assertLess(self.browser.script("return arguments[0].scrollLeft", box), moved)
        self.assertIsNone(self.state()["at"], "no step was taken")

    def test_a_question_mark_lists_the_keys(self):
        self.browser.open(LESSON)
        shown = "return document.querySelector('dialog.keys').open"
        self.assertFalse(self.browser.script(shown))
        self.browser.press("?")
        self.assertTrue(self.browser.script(shown))
        self.assertGreater(len(self.browser.all("dialog.keys dt")), 5)
        self.browser.press(Keys.ARROW_RIGHT)
        self.assertIsNone(self.state()["at"], "what is behind it stays")
        self.browser.press("?")
        self.assertFalse(self.browser.script(shown))

    def test_tab_and_enter_go_through_every_step_and_back(self):
        self.browser.open(LESSON)
        steps = self.all_steps()
        self.tab_to("Next")
        self.assertEqual(self.walk(lambda: self.browser.press(Keys.ENTER)), steps)
        self.tab_to("Back")
        back = [steps[-1]]
        while back[-1] != steps[0]:
            self.browser.press(Keys.ENTER)
            back.append(self.state()["at"])
            self.assertLess(len(back), len(steps) + 1)
        self.assertEqual(back, steps[::-1])

    def tab_to(self, text):
        """By tab alone, backwards: the bar is the last thing on the page."""
        for _ in range(8):
            if text in self.browser.switch_to.active_element.text and self.state_is_in_bar():
                return
            self.browser.press_with(Keys.SHIFT, Keys.TAB)
        self.fail(f"{text} is not reached")

    def state_is_in_bar(self):
        return self.browser.script("return document.activeElement.closest('.bar') !== null")

    def test_only_up_to_here_hides_what_follows(self):
        self.browser.open(LESSON)
        self.browser.one(".bar input[type=checkbox]").click()
        shown = "return [...document.querySelectorAll('.step[data-step]')].filter(s => s.offsetParent).length"
        first = self.browser.script(shown)
        self.assertLess(first, 10)
        box = self.browser.one(".bar input[type=checkbox]")
        box.click()
        self.assertGreater(self.browser.script(shown), first)


if __name__ == "__main__":
    run()
