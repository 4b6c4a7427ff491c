"""Names and roles of what can be used, headings, scripts off, what a page loads, and lessons that mean harm."""
import re

from browser import NARROW, PageTest, export, run

LESSONS = (1, 3, 4, 5)
WITHOUT_ROLE = {"generic", "none", "presentation", ""}
EVIL = "<script>document.title='broken'</script> ]]> --> \\x1b[31m \u202e\u2066 ``` ~~~ </details></script> $x$ \" onfocus=\"alert(1)"


def hostile_lesson():
    """In title, prose, links, names of axes and words, output, errors, answers."""
    return f"""# T {EVIL}

P `` ` <b> `` {EVIL} <img src=x onerror="document.title='broken'"> \x1b]0;t\a

- [b](http://x/"onclick=document.title)

```python predict=value
import torch
evil = '''{EVIL}'''
print(evil)
words = [evil, '</script><script>document.title=1//']
x = torch.ones(2, 2)
x[0, 0]
```

> **Hint** {EVIL}

> **Trap** `</summary><script>document.title=1</script>` {EVIL}

> **Why** {EVIL}

```python raises=ValueError
raise ValueError(evil)
```
"""


class Access(PageTest):
    def tree(self):
        """What assistive technology is told of the page."""
        nodes = self.browser.command("Accessibility.getFullAXTree")["nodes"]
        for node in nodes:
            if node.get("ignored"):
                continue
            properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
            yield node["role"].get("value", ""), node.get("name", {}).get("value", ""), properties

    def test_what_can_be_used_has_a_name_and_a_role(self):
        for lesson in LESSONS[:3]:
            self.browser.open(lesson)
            self.browser.show_all()
            self.browser.script("figures.forEach(f => f.sums && f.tell(f.cells[0][0]))")
            nameless, focusable = [], 0
            for role, name, properties in self.tree():
                if not properties.get("focusable") or role == "RootWebArea":
                    continue
                focusable += 1
                if role in WITHOUT_ROLE or not name.strip():
                    nameless.append((role, name, properties))
            self.assertGreater(focusable, 100)
            self.assertEqual(nameless, [], lesson)

    def test_formulas_are_formulas(self):
        self.browser.open(1, scripts=False)
        self.assertGreater(len(self.browser.all("math mfrac, math msqrt, math msup")), 0)
        self.assertIn("math", " ".join(role.lower() for role, _, _ in self.tree()))

    def test_drawings_have_text(self):
        self.browser.open(3)
        self.browser.show_all()
        told = list(self.tree())
        drawings = [name for role, name, _ in told if role in ("image", "img")]
        self.assertGreater(len(drawings), 15)
        self.assertTrue(any("hidden_dim 8 is cut into n_heads 2, head_dim 4" in name for name in drawings))
        self.assertTrue(any("query_len 5 goes from place 1 to 2" in name for name in drawings))
        self.assertTrue(all(drawings))

    def test_headings_are_in_order(self):
        for lesson in LESSONS:
            self.browser.open(lesson)
            levels = self.browser.script("return [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
            self.assertEqual(levels[0], 1)
            self.assertEqual(levels.count(1), 1)
            for above, below in zip(levels, levels[1:]):
                self.assertLessEqual(below, above + 1, lesson)

    def test_the_page_has_landmarks_and_a_language(self):
        self.browser.open(3)
        roles = [role for role, _, _ in self.tree()]
        for role in ("main", "navigation", "banner", "contentinfo"):
            self.assertIn(role, roles)
        self.assertEqual(self.browser.one("html").get_attribute("lang"), "en")

    def test_contents_lead_to_the_parts(self):
        self.browser.open(3)
        links = self.browser.script("return [...document.querySelectorAll('.contents a')].map(a => a.getAttribute('href'))")
        self.assertGreater(len(links), 4)
        for link in links:
            self.assertTrue(self.browser.script("return document.querySelector(arguments[0])?.tagName.startsWith('H')", link))

    def test_nothing_is_loaded_and_nothing_complains(self):
        for lesson in LESSONS:
            self.browser.open(lesson)
            self.browser.show_all()
            self.browser.script("figures.forEach(f => { f.sums && f.tell(f.cells[0][0], true); f.draw(); })")
            self.assertEqual(self.browser.requests(), [export(lesson).as_uri()])
            self.assertEqual(self.browser.console(), [])

    def test_the_policy_forbids_what_the_page_does_not_bring(self):
        self.browser.open(3)
        self.browser.script("const s = document.createElement('script'); s.textContent = 'document.title = \"broken\"';"
                            "document.body.append(s); new Image().src = 'http://127.0.0.1:1/x.png'")
        self.assertNotEqual(self.browser.title, "broken")
        self.assertTrue(any("Content Security Policy" in line for line in self.browser.console()))

    def test_without_scripts_it_is_a_whole_document(self):
        for lesson in LESSONS[1:]:
            self.browser.open(lesson, NARROW, scripts=False)
            self.assertEqual(self.browser.all(".bar, form.ask, .sliders"), [])
            hidden = self.browser.script("return [...document.querySelectorAll('main *')].filter(e => e.hidden).length")
            self.assertEqual(hidden, 0)
            answers = self.browser.all("details.answer")
            self.assertGreater(len(answers), 3)
            self.assertFalse(self.browser.one("p", answers[0]).is_displayed())
            self.browser.click(self.browser.one("summary", answers[0]))
            self.assertTrue(self.browser.one("p", answers[0]).is_displayed())
            for selector in ("table.heat td", "table.ops", ".flow svg", "pre.code", ".summary"):
                self.assertGreater(len(self.browser.all(selector)), 0, selector)
            self.assertLessEqual(self.browser.script("return document.documentElement.scrollWidth"), NARROW[0])

    def test_a_lesson_that_means_harm_stays_text(self):
        self.browser.open(hostile_lesson())
        self.browser.show_all()
        self.assertNotIn("broken", [self.browser.title])
        self.assertEqual(len(self.browser.all("script")), 2)
        self.assertEqual(self.browser.all("img, iframe, [onerror], [onfocus], [onclick], a[href^=javascript]"), [])
        self.assertEqual(self.browser.console(), [])
        self.assertEqual(len(self.browser.requests()), 1)
        text = self.browser.one("body").text
        self.assertIn("<script>document.title='broken'</script>", text)
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", self.browser.page_source))
        self.assertEqual(self.browser.one("main .question").is_displayed(), True)


if __name__ == "__main__":
    run()
