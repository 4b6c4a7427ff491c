"""What others check: axe-core (where a folder that AXE_CORE names, or node_modules of tests/page, has it) and tidy."""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from browser import NARROW, PageTest, WIDE, export, run

AXE = Path(os.environ.get("AXE_CORE", Path(__file__).parent / "node_modules" / "axe-core")) / "axe.min.js"
LESSONS = (1, 3, 5)


class Rules(PageTest):
    @unittest.skipUnless(AXE.exists(), "axe-core is missing: `npm install axe-core` in tests/page")
    def test_axe_finds_no_violation(self):
        for lesson in LESSONS:
            for scheme, size in (("light", WIDE), ("dark", WIDE), ("light", NARROW)):
                self.browser.open(lesson, size, scheme)
                self.browser.show_all()
                self.browser.script("figures.find(f => f.sums).cells[0][0].focus()")
                self.browser.script(AXE.read_text())
                found = self.browser.execute_async_script(
                    "const done = arguments[0]; axe.run().then(({violations, passes}) => done([passes.length,"
                    " violations.map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 120))])]))")
                self.assertGreater(found[0], 20)
                self.assertEqual(found[1], [], (lesson, scheme, size))

    @unittest.skipUnless(shutil.which("tidy"), "tidy is missing")
    def test_tidy_finds_no_error(self):
        for lesson in LESSONS:
            told = subprocess.run(["tidy", "-q", "-e", export(lesson)], capture_output=True, text=True).stderr.splitlines()
            # HTML 5 has both in drawings, which this tidy does not know.
            unknown = re.compile(r"Warning: <(a|title)> proprietary attribute \"(href|id)\"$")
            self.assertEqual([line for line in told if not unknown.search(line)], [], lesson)


if __name__ == "__main__":
    run()
