"""Predictions: the answer is hidden until one is given, and judged as a session judges it."""
import json
from pathlib import Path

from browser import Keys, PageTest, run

SHAPE_ANSWERS = Path(__file__).parent.parent / "stepper" / "shape_answers.txt"
SCORES = """# Scores

P.

```python
import torch
Q = torch.ones(3, 2, 5, 4)  # [batch_size, n_heads, query_len, head_dim]
K = torch.ones(3, 2, 4, 6)  # [batch_size, n_heads, head_dim, key_len]
key_len = 6
```

```python predict=shape
energy = Q @ K
```
"""


class Predictions(PageTest):
    def forms(self, kind):
        return [form for form in self.browser.all("form.ask")
                if self.answer_of(form).get_attribute("data-ask") == kind]

    def answer_of(self, form):
        return self.browser.script("return arguments[0].nextElementSibling", form)

    def give(self, form, text):
        """Types an answer and says what was answered."""
        field = self.browser.one("input[type=text], textarea", form)
        field.clear()
        field.send_keys(text + Keys.ENTER)
        return self.browser.one(".verdict", form).text

    def choose(self, form, value):
        self.browser.click(self.browser.one(f"input[value={value}]", form))
        self.browser.click(self.browser.one("button[type=submit]", form))
        return self.browser.one(".verdict", form).text

    def test_answers_are_hidden_and_shown_on_demand(self):
        self.browser.open(3)
        forms = self.browser.all("form.ask")
        self.assertGreater(len(forms), 5)
        for form in forms:
            answer = self.answer_of(form)
            self.assertFalse(answer.is_displayed())
            self.browser.click(self.browser.one("button[type=button]", form))  # shows it: a skip
            self.assertTrue(answer.is_displayed())
            self.assertEqual(self.browser.one(".verdict", form).text, "")

    def axes(self, form):
        return json.loads(self.answer_of(form).get_attribute("data-axes"))

    def test_shapes_are_judged_as_in_a_session(self):
        lines = [line for line in SHAPE_ANSWERS.read_text().splitlines() if not line.startswith("#")]
        self.assertGreater(len(lines), 20)
        self.browser.open(SCORES)
        for line in lines:
            verdict, _, typed = line.partition(" ")
            judged = self.browser.script(
                "try { return kJudges.shape(arguments[0], document.querySelector('.answer')).right ? 'right' : 'wrong' }"
                "catch (problem) { return typeof problem === 'string' ? 'unreadable' : String(problem) }", typed)
            self.assertEqual(judged, verdict, typed)

    def test_names_are_as_good_as_sizes(self):
        for write in (lambda axis: axis["size"], lambda axis: axis["name"] or axis["size"],
                      lambda axis: f"{axis['name']} {axis['size']}"):
            self.browser.open(3)
            for form in self.forms("shape"):
                typed = ", ".join(str(write(axis)) for axis in self.axes(form))
                self.assertEqual(self.give(form, typed), "Right.", typed)
                self.assertTrue(self.answer_of(form).is_displayed())

    def test_a_wrong_shape_is_wrong_and_no_shape_asks_again(self):
        self.browser.open(3)
        form = self.forms("shape")[0]
        for typed, said in (("3, nosuch", "nosuch is neither a size nor a name of this lesson."),
                            ("3, -1", "A result has no -1: which size does it become?"),
                            ("", "Answer first, or show the answer.")):
            self.assertEqual(self.give(form, typed), said)
            self.assertFalse(self.answer_of(form).is_displayed())
        for said in ("Not quite. You have 2 attempts left.", "Not quite. You have one attempt left."):
            self.assertEqual(self.give(form, "77, 77"), said)
            self.assertIn("wrong", self.browser.one(".verdict", form).get_attribute("class"))
            self.assertFalse(self.answer_of(form).is_displayed())
        self.assertEqual(self.give(form, "77, 77"), "Not quite: look at the answer and why.")
        self.assertTrue(self.answer_of(form).is_displayed())

    def test_the_name_of_another_axis_of_the_same_size_is_wrong(self):
        self.browser.open(3)
        # In lesson 3 head_dim is 4; a name of another axis with that size is made up for the page.
        self.browser.script("data.sizes.other_axis = JSON.parse(arguments[0].dataset.axes).at(-1).size",
                            self.answer_of(self.forms("shape")[0]))
        form = self.forms("shape")[0]
        axes = self.axes(form)
        typed = ", ".join([str(axis["size"]) for axis in axes[:-1]] + ["other_axis"])
        self.assertEqual(self.give(form, typed),
                         f"The sizes are right, but other_axis is where {axes[-1]['name']} belongs."
                         " You have 2 attempts left.")

    def test_an_answer_that_was_foreseen_shows_its_trap(self):
        found = 0
        self.browser.open(3)
        for kind in ("shape", "value"):
            for form in self.forms(kind):
                answer = self.answer_of(form)
                traps = self.browser.script("return [...arguments[0].querySelectorAll('.trap')].map(t => t.dataset.answer)", answer)
                if not traps:
                    continue
                self.assertIn("Not quite", self.give(form, traps[0]))
                plain = "return arguments[0].textContent.replace(/\\s/g, '')"
                trap_text = self.browser.script(plain, self.browser.one(".trap", answer))
                told = self.browser.one(".told", form)
                self.assertEqual(self.browser.script(plain, told), trap_text)
                self.assertTrue(told.is_displayed())
                self.assertFalse(answer.is_displayed(), "the solution waits")
                self.give(form, traps[0])
                self.give(form, traps[0])
                yours = self.browser.all(".trap.yours", answer)
                self.assertEqual([trap.get_attribute("data-answer") for trap in yours], traps[:1])
                self.assertTrue(yours[0].is_displayed())
                found += 1
        self.assertGreater(found, 2)

    def test_values_are_judged_within_what_was_typed(self):
        self.browser.open(4)
        forms = self.forms("value")
        self.assertGreater(len(forms), 0)
        for form in forms:
            answer = self.answer_of(form).get_attribute("data-answer")
            self.assertEqual(self.give(form, "no number"), "Answer with a number, such as 0.25 or 1/4.")
            self.assertEqual(self.give(form, answer), "Right.", answer)
        number = self.browser.script(
            "return [same_number(0.33, 1 / 3, '0.33', false), same_number(0.3, 1 / 3, '0.3', false),"
            " number_in('1/3') === 1 / 3, number_in('True'), number_in('two'), same_number(2, 3, '2', true)]")
        self.assertEqual(number, [True, False, True, 1, None, False])

    def test_choices(self):
        self.browser.open(3)
        for kind in ("raises", "effect"):
            for form in self.forms(kind):
                self.browser.click(self.browser.one("button[type=submit]", form))
                self.assertEqual(self.browser.one(".verdict", form).text, "Answer first, or show the answer.")
                truth = self.answer_of(form).get_attribute("data-answer")
                self.assertEqual(self.choose(form, truth), "Right.")
        self.browser.open(3)
        form = self.forms("raises")[0]
        wrong = "no" if self.answer_of(form).get_attribute("data-answer") == "yes" else "yes"
        self.assertIn("Not quite", self.choose(form, wrong))
        self.assertTrue(self.answer_of(form).is_displayed(), "of two choices the other one is right")

    def test_number_keys_choose(self):
        self.browser.open(3)
        form = self.forms("raises")[0]
        self.browser.script("arguments[0].scrollIntoView({block: 'center'}); document.activeElement.blur();", form)
        chosen = "return document.querySelector('form.ask input:checked')?.value ?? null"
        for key, wanted in (("3", None), ("2", "no"), ("1", "yes")):
            self.browser.press(key)
            self.assertEqual(self.browser.script(chosen), wanted)
        # In a text field it is a digit.
        field = self.browser.one("input[type=text]", self.forms("shape")[0])
        field.send_keys("2")
        self.assertEqual(field.get_attribute("value"), "2")
        self.assertEqual(self.browser.script(chosen), "yes")


if __name__ == "__main__":
    run()
