"""The arithmetic that a cell shows when it has the focus, computed again in Python."""
import math
import random
import re

from browser import Keys, PageTest, run

NAMES = {name: getattr(math, name) for name in ("exp", "log", "sqrt", "erf", "tanh", "sin", "cos", "trunc", "nan", "inf")}
NAMES.update({f.__name__: f for f in (abs, max, min, round, int, bool, any, all, sorted, set, sum, enumerate, float)})
SAMPLE = 4  # cells of a table


def value_of(expression):
    return eval(expression, {"__builtins__": {}}, NAMES)


def close(given, told, expression):
    """Float32 sums in another order differ by some units of the last place of their largest term."""
    if math.isnan(given) or math.isnan(told):
        return math.isnan(given) and math.isnan(told)
    sizes = [abs(float(number)) for number in re.findall(r"\d+\.?\d*(?:e[+-]?\d+)?", expression)]
    largest = max([size for size in sizes if size < 1e6] + [1, abs(told)])
    return given == told or abs(given - told) <= 1e-5 * largest


# The expression of a level with none of its terms left out.
WHOLE = """const write = (id, element) => "(" + digits_of(data.values[id], numbers_of(data.values[id])[element]) + ")";
const figure = figures.find(f => f.id === arguments[0]), arithmetic = new Arithmetic(figure.id, arguments[1]);
return arithmetic.missing().length ? "" : arithmetic.expand(arithmetic.form.pieces, {}, write, Infinity);"""


class ArithmeticOnFocus(PageTest):
    def tell(self, table, row, column):
        """Gives the focus to a cell, and reads its text, the lines shown and the element's number."""
        return self.browser.script(
            "const figure = figures[arguments[0]], row = figure.shown_row(arguments[1]);"
            "const cell = figure.cells[row][arguments[2]];"
            "cell.focus();"
            "const levels = levels_of(figure.id, figure.element_at(row, arguments[2]));"
            "return {id: figure.id, name: figure.value.name, cell: cell.textContent, marked: cell.classList.contains('at'),"
            " lines: [...figure.sums.querySelectorAll('p')].map(p => p.textContent), hidden: figure.sums.hidden,"
            " element: figure.element_at(row, arguments[2]), operands: levels[0].operands.length,"
            " first: levels[0].lines}", table, row, column)

    def check(self, told):
        """Whether the expression was recomputed."""
        where = (told["name"], told["lines"])
        self.assertFalse(told["hidden"], where)
        self.assertTrue(told["marked"], where)
        self.assertEqual(told["lines"][:len(told["first"])], told["first"])
        result = told["first"][-1].split(" = ")[-1].removeprefix("= ")
        number = float(value_of(result)) if not result.startswith(told["name"]) else None
        shown = told["cell"]
        if number is not None and shown not in ("True", "False"):
            self.assertTrue(close(float(shown), number, shown) or abs(float(shown) - number) <= 0.00006 or "e" in shown, where)
        self.check_digits(told["first"], number)
        whole = self.browser.script(WHOLE, told["id"], told["element"])
        if not whole or number is None:
            return False
        self.assertTrue(close(float(value_of(whole)), number, whole), where + (whole,))
        return True

    def check_digits(self, lines, number):
        """The line of digits as it stands, where no terms are left out."""
        digits = [line.removeprefix("= ") for line in lines[1:-1]]
        if number is not None and len(digits) == 1 and " more ..." not in digits[0]:
            self.assertTrue(close(float(value_of(digits[0])), number, digits[0]), lines)

    def test_signs_keep_to_their_number(self):
        """-2 squared is 4, and a minus behind an operator stands in parentheses."""
        self.browser.open("# T\n\nP.\n\n```python\nimport torch\nx = torch.tensor([-2., -1e10, 3., -0.])\n"
                          "y = x ** 2\nz = 1 - x\nn = x.norm().view(1)\n```\n")
        for name, column, wanted in (("y", 0, "(-2.0) ** 2"), ("z", 0, "1 - (-2.0)"), ("z", 1, "1 - (-1e10)"),
                                     ("z", 2, "1 - 3.0"), ("z", 3, "1 - (-0.0)")):
            table = self.browser.script("return figures.findIndex(f => f.value.name === arguments[0])", name)
            told = self.tell(table, 0, column)
            self.assertEqual(told["first"][1], f"= {wanted}")
            self.assertTrue(self.check(told))

    def check_lesson(self, lesson, at_least):
        self.browser.open(lesson)
        self.browser.show_all()
        tables = self.browser.script("return figures.map(f => [f.rows.length, f.heads.length, Boolean(f.sums)])")
        self.assertTrue(all(has_sums for _, _, has_sums in tables), "every table explains its numbers")
        pick, computed = random.Random(lesson), 0
        for table, (rows, columns, _) in enumerate(tables):
            for _ in range(SAMPLE):
                computed += self.check(self.tell(table, pick.randrange(rows), pick.randrange(columns)))
        self.assertGreaterEqual(computed, at_least)
        self.assertEqual(self.browser.console(), [])

    def test_lesson_3(self):
        self.check_lesson(3, 80)

    def test_lesson_4(self):
        self.check_lesson(4, 100)

    def test_lesson_5(self):
        self.check_lesson(5, 50)

    def test_a_weight_that_is_not_carried_gives_places_count_and_result(self):
        self.browser.open(5)
        self.browser.show_all()
        table = self.browser.script("return figures.findIndex(f => f.value.name === 'out')")
        told = self.tell(table, 0, 0)
        text = "\n".join(told["lines"])
        self.assertIn("512 terms", text)
        self.assertIn("fc_o.weight[0, 0]", text)
        self.assertIn("not in this page: the numbers of fc_o.weight", text)
        self.assertRegex(told["first"][-1], r"^= -?\d")

    def test_operands_are_marked_in_their_tables(self):
        self.browser.open(3)
        table = self.browser.script("return figures.findIndex(f => f.value.name === 'Q')")
        self.tell(table, 2, 3)
        marked = "return [...document.querySelectorAll('td.operand')].map(td => td.closest('figure').dataset.value)"
        query = self.browser.script("return figures.find(f => f.value.name === 'query').id")
        self.assertEqual(self.browser.script(marked), [query] * 8)

    def test_it_opens_beside_the_number_and_never_under_the_bar(self):
        boxes = ("const rect = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };"
                 "const f = figures.find(f => !f.sums.hidden);"
                 "return [rect(f.sums), rect(document.querySelector('td.at')), rect(document.querySelector('.bar')), innerWidth]")
        for size in ((1400, 900), (400, 800)):
            self.browser.open(3, size)
            table = self.browser.script("return figures.findIndex(f => f.value.name === 'Q')")
            for block in ("start", "center", "end"):
                self.browser.script("const f = figures[arguments[0]]; f.table.scrollIntoView({block: arguments[1]})", table, block)
                for row, column in ((0, 0), (4, 3)):
                    self.tell(table, row, column)
                    sums, cell, bar, width = self.browser.script(boxes)
                    self.assertLessEqual(sums[3], bar[1], (size, block))
                    self.assertLessEqual(sums[2], width)
                    self.assertGreaterEqual(sums[0], 0)
                    if size[0] == 1400:
                        self.assertGreater(sums[0], cell[2], "to the right of the table")
                        self.assertLess(sums[0], self.browser.script(
                            "return figures[arguments[0]].table.getBoundingClientRect().right", table) + 20)
                    self.assertLess(max(sums[1] - cell[3], cell[1] - sums[3]), 20, "near the number")

    def test_it_follows_the_slice_and_closes(self):
        self.browser.open(3)
        figure = "const f = figures.find(f => f.value.name === 'Q');"
        first = figure + "return f.sums.hidden ? '' : f.sums.querySelector('p').textContent"
        self.browser.script(figure + "f.table.scrollIntoView({block: 'center'}); f.cells[1][2].focus()")
        self.assertTrue(self.browser.script(first).startswith("Q[0, 1, 2] = "))
        self.browser.script(figure + "const i = f.sliders[0].input; i.focus(); i.value = 2; i.dispatchEvent(new Event('input'))")
        self.assertTrue(self.browser.script(first).startswith("Q[2, 1, 2] = "))
        self.browser.press(Keys.ESCAPE)
        self.assertEqual(self.browser.script(first), "")
        self.assertEqual(self.browser.all("td.at, td.operand"), [])

    def test_enter_brings_operands_into_sight_that_stand_in_another_slice(self):
        self.browser.open(3)
        figure = "const f = figures.find(f => f.value.name === 'Q');"
        self.browser.script(figure + "f.start[0] = 2; f.draw(); f.cells[1][1].focus()")
        self.assertEqual(len(self.browser.all("td.operand")), 0)
        self.browser.press(Keys.ENTER)
        self.assertEqual(len(self.browser.all("td.operand")), 8)
        self.assertEqual(self.browser.script("return figures.find(f => f.value.name === 'query').start[0]"), 2)


if __name__ == "__main__":
    run()
