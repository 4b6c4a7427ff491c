"""The map at the top of a page: its links, its words, and that it needs no script."""
from browser import Keys, NARROW, PageTest, run

LESSONS = (0, 3, 4, 7, 9, 10)


class Map(PageTest):
    def test_every_box_leads_to_a_place_of_the_page(self):
        for lesson in LESSONS:
            self.browser.open(lesson, scripts=False)
            links = self.browser.all(".map a")
            boxes = self.browser.all(".map .box")
            self.assertGreaterEqual(len(boxes), 5, lesson)
            self.assertEqual(len(links), len(boxes), lesson)
            for link in links:
                target = link.get_dom_attribute("href").removeprefix("#")
                self.assertEqual(len(self.browser.all(f"[id='{target}']")), 1, (lesson, target))

    def test_a_box_leads_to_the_step_that_computes_it(self):
        self.browser.open(3)
        steps = self.browser.script(
            "return [...document.querySelectorAll('.map a')].map(a => [a.querySelector('.name').textContent,"
            " document.querySelector(a.getAttribute('href')).textContent])")
        self.assertEqual(len(steps), 12)
        for name, text in steps:
            self.assertIn(name, text)

    def test_a_key_follows_a_link(self):
        self.browser.open(3)
        self.browser.script("document.querySelector('.map a').focus()")
        self.browser.press(Keys.ENTER)
        self.assertTrue(self.browser.current_url.endswith("#step-16"))

    def test_it_has_a_title_and_says_the_same_in_words(self):
        self.browser.open(3)
        words = self.browser.script(
            "const svg = document.querySelector('.map svg'), of = n => document.getElementById(svg.getAttribute(n));"
            "return [of('aria-labelledby').textContent, of('aria-describedby').textContent]")
        self.assertIn("map of this lesson", words[0])
        self.assertIn("attention [batch_size 3, n_heads 2, query_len 5, key_len 6]: from energy, by softmax over key_len.",
                      words[1])

    def test_texts_stay_in_their_boxes(self):
        for lesson in LESSONS:
            for size in ((1100, 900), NARROW):
                self.browser.open(lesson, size)
                beyond = self.browser.script(
                    "return [...document.querySelectorAll('.map a')].flatMap(a => {"
                    "  const box = a.querySelector('.box').getBBox();"
                    "  return [...a.querySelectorAll('text')].filter(t => { const b = t.getBBox();"
                    "    return b.x < box.x || b.x + b.width > box.x + box.width || b.y + b.height > box.y + box.height; })"
                    "  .map(t => t.textContent); })")
                self.assertEqual(beyond, [], (lesson, size))

    def test_boxes_do_not_overlap_and_stay_in_the_drawing(self):
        for lesson in LESSONS:
            self.browser.open(lesson)
            found = self.browser.script(
                "const svg = document.querySelector('.map svg'), all = [...svg.querySelectorAll('.box')].map(b => b.getBBox());"
                "return all.filter((a, i) => a.x < 0 || a.x + a.width > svg.width.baseVal.value"
                "  || a.y + a.height > svg.height.baseVal.value || all.some((b, k) => k !== i && a.x < b.x + b.width"
                "  && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length")
            self.assertEqual(found, 0, lesson)


if __name__ == "__main__":
    run()
