"""Slices of tensors by sliders, parts of large tables, and the walk over cells by keyboard."""
from browser import Keys, NARROW, PageTest, WIDE, run


class Tables(PageTest):
    def table(self, name):
        """The number of the figure of that name among those on the page."""
        return self.browser.script("return figures.findIndex(f => f.value.name === arguments[0])", name)

    def texts(self, table):
        return self.browser.script("return figures[arguments[0]].cells.map(row => row.map(cell => cell.textContent))", table)

    def expected(self, table, index, rows, columns):
        """What PyTorch-like printing of the carried numbers gives at a place, by plain arithmetic on the data."""
        return self.browser.script(
            "const f = figures[arguments[0]], numbers = numbers_of(f.value), out = [];"
            "let base = arguments[1].reduce((n, i, axis) => n * f.sizes[axis] + i, 0);"
            "const across = f.sizes.at(-1), down = f.sizes.at(-2) ?? 1;"
            "for (const r of arguments[2]) out.push(arguments[3].map(c => numbers[(base * down + r) * across + c]));"
            "return out", table, index, rows, columns)

    def set_slider(self, table, axis, value):
        self.browser.script(
            "const input = figures[arguments[0]].sliders[arguments[1]].input;"
            "input.value = arguments[2]; input.dispatchEvent(new Event('input'))", table, axis, value)

    def check_numbers(self, table, index, first_row, first_column):
        texts = self.texts(table)
        numbers = self.expected(table, index, list(range(first_row, first_row + len(texts))),
                                list(range(first_column, first_column + len(texts[0]))))
        for row, wanted in zip(texts, numbers):
            for text, number in zip(row, wanted):
                self.assertAlmostEqual(float(text), number, delta=0.000051)

    def test_sliders_show_every_slice_of_leading_axes(self):
        self.browser.open(3)
        self.browser.show_all()
        table = self.table("Q_heads")
        first = self.texts(table)
        for batch in range(3):
            for head in range(2):
                self.set_slider(table, 0, batch)
                self.set_slider(table, 1, head)
                self.check_numbers(table, [batch, head], 0, 0)
        self.assertNotEqual(self.texts(table), first)

    def test_a_slider_moves_by_the_keyboard_and_says_its_value(self):
        self.browser.open(3)
        self.browser.show_all()
        slider = self.browser.all("figure.tensor input[type=range]")[0]
        self.browser.script("arguments[0].scrollIntoView({block: 'center'}); arguments[0].focus()", slider)
        self.browser.press(Keys.ARROW_RIGHT)
        self.assertEqual(slider.get_attribute("value"), "1")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "1")
        self.assertIsNone(self.browser.script("return document.querySelector('.step.current')"), "no step was taken")

    def test_all_of_a_large_table_is_reached(self):
        self.browser.open(5)
        self.browser.show_all()
        table = self.table("out")
        sizes = self.browser.script("return figures[arguments[0]].sizes", table)
        self.assertEqual(sizes, [10, 20, 512])
        across = self.browser.script("return figures[arguments[0]].heads.length", table)
        self.assertIn(across, range(8, 17))
        for batch, row, column in ((0, 0, 0), (9, 4, 512 - across), (3, 2, 250)):
            for axis, value in enumerate((batch, row, column)):
                self.set_slider(table, axis, value)
            self.check_numbers(table, [batch], row, column)
            heads = self.browser.script("return figures[arguments[0]].heads.map(h => h.textContent)", table)
            self.assertEqual(heads, [str(column + k) for k in range(across)])

    def test_the_walk_goes_on_beyond_the_edge_of_what_is_shown(self):
        self.browser.open(5)
        self.browser.show_all()
        table = self.table("out")
        self.set_slider(table, 0, 0)
        self.browser.script("const f = figures[arguments[0]]; f.cells[0][0].scrollIntoView({block: 'center'});"
                            "f.cells[0][0].focus()", table)
        place = ("const f = figures[arguments[0]], [r, c] = f.place_of(document.activeElement);"
                 "return [f.start[1] + r, f.start[2] + c]")
        # Rows 14 to 19 are padding and alike, so they are one.
        for keys, wanted in ((["shift"] * 20, [0, 20]), ([Keys.ARROW_DOWN] * 18, [14, 20]),
                             ([Keys.END], [14, 511]), (["shift"], [14, 511]), ([Keys.PAGE_UP], [0, 511]),
                             ([Keys.HOME], [0, 0]), ([Keys.PAGE_DOWN], [14, 0]), ([Keys.PAGE_DOWN], [14, 0])):
            for key in keys:
                if key == "shift":
                    self.browser.press_with(Keys.SHIFT, Keys.ARROW_RIGHT)
                else:
                    self.browser.press(key)
            self.assertEqual(self.browser.script(place, table), wanted)
            self.check_numbers(table, [0], *self.browser.script("return figures[arguments[0]].start.slice(1)", table))
            shown = self.browser.script("return figures[arguments[0]].sums.textContent", table)
            self.assertIn(f"out[0, {wanted[0]}, {wanted[1]}] =", shown)

    def test_a_large_table_shows_as_many_columns_as_there_is_room_for(self):
        for size in (WIDE, NARROW):
            self.browser.open(5, size)
            self.browser.show_all()
            over = self.browser.script(
                "const f = figures[arguments[0]], box = f.table.parentElement;"
                "return [f.heads.length, box.scrollWidth - box.clientWidth, f.table.querySelector('th[colspan]').colSpan]",
                self.table("out"))
            self.assertLessEqual(over[1], 80, "at most one column, and some of a label, is beyond the edge")
            self.assertEqual(over[2], over[0])

    def test_a_large_row_of_numbers_has_a_head_for_each(self):
        self.browser.open("# T\n\nP.\n\n```python\nimport torch\nrow = torch.rand(100)\n```\n", NARROW)
        self.browser.show_all()
        table = self.table("row")
        self.assertEqual(self.browser.script("const f = figures[arguments[0]]; return [f.heads.length, f.rows.length]",
                                             table), [len(self.texts(table)[0]), 1])
        self.set_slider(table, 0, 60)
        self.check_numbers(table, [], 0, 60)

    def test_a_table_begins_with_the_slice_in_which_something_happened(self):
        self.browser.open(4)
        self.browser.show_all()
        table = self.table("masked_energy")
        start = "const f = figures[arguments[0]]; return [f.start, f.sliders[0].input.value, f.why.hidden]"
        self.assertEqual(self.browser.script(start, table), [[1, 0, 0, 0], "1", False])
        self.set_slider(table, 0, 2)
        self.assertEqual(self.browser.script(start, table), [[2, 0, 0, 0], "2", True])
        self.check_numbers(table, [2, 0], 0, 0)

    def test_rows_of_padding_that_are_alike_are_one(self):
        self.browser.open(5)
        self.browser.show_all()
        table = self.table("out")
        self.set_slider(table, 0, 0)
        shown = ("return figures[arguments[0]].rows.filter(r => !r.hidden)"
                 ".map(r => r.querySelector('th').textContent).at(-1)")
        first = self.browser.script(shown, table)
        self.assertEqual(first, "<pad> 14 to 15")  # of those that the table shows
        self.set_slider(table, 0, 1)
        self.assertNotEqual(self.browser.script(shown, table), first)

    def test_words_stand_at_the_edges(self):
        self.browser.open(1)
        self.browser.show_all()
        found = self.browser.script(
            "return figures.filter(f => f.value.axes.at(-1).words).map(f => [f.heads.map(h => h.textContent),"
            " f.value.axes.at(-1).words.slice(0, f.heads.length)])")
        self.assertGreater(len(found), 0)
        for heads, words in found:
            self.assertEqual(heads, words)

    def test_words_of_a_sentence_go_with_its_slice(self):
        self.browser.open(3)
        self.browser.show_all()
        table = self.table("Q_heads")
        words = self.browser.script("return figures[arguments[0]].value.axes[2].words", table)
        rows = "return figures[arguments[0]].rows.map(row => row.querySelector('th').textContent)"
        for batch in (1, 2, 0):
            self.set_slider(table, 0, batch)
            self.assertEqual(self.browser.script(rows, table), words[5 * batch:5 * batch + 5])


if __name__ == "__main__":
    run()
