#pragma once
// The lessons of the binary, run once for all tests of a program.
#include <gtest/gtest.h>

#include <vector>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "lesson/load.h"
#include "lesson/program.h"

namespace attn::test {

inline const std::vector<Trace>& lesson_traces() {
  static const std::vector<Trace> traces = [] {
    std::vector<Trace> out;
    const Catalogue catalogue = Catalogue::built_in();
    for (const CatalogueEntry& entry : catalogue.entries()) {
      LoadFindings findings;
      out.push_back(run_lesson(catalogue.open(entry, findings)));
    }
    return out;
  }();
  return traces;
}

/// What a Markdown file of lessons gives when it is run.
inline Trace trace_of_file(const std::string& path, const std::string& text) {
  LoadFindings findings;
  const Lesson lesson = is_program_name(path) ? load_program(path, text, findings) : load_lesson(path, text, findings);
  return run_lesson(lesson);
}

/// A lesson by somebody who wants its transcripts to do harm: in the title, prose, names of axes and words, outputs,
/// errors, answers.
inline Trace hostile_trace() {
  const std::string evil =
      "<script>alert(1)</script> ]]> --> \\"
      "\x1b[31m \u202e\u009b31m ``` ~~~ </details> $x$ | \"'";
  const std::string text =
      "# T <script>alert(1)</script> ]]> --> \x1b[31m \u202e ``` | $ \"\n\n"
      "P `` ` <b> `` and ` ``` ` &lt;script&gt;alert(1)&lt;/script&gt; <img src=x onerror=alert(1)> \x1b]0;t\a "
      "\u2066\n\n"
      "- [a`b](http://x/\"onclick=alert(1)) **b* c**\n- ===\n- # no heading\n\n"
      "| a \\| b | `c \\| d` |\n|---|---|\n| <script> | $a \\| b$ |\n\n"
      "````text\n```\n<script>alert(1)</script>\n````\n\n"
      "```python predict=value\nevil = '''" +
      evil +
      "'''\nprint(evil)\nwords = [evil, '``````', '</script>']\n"
      "x = 3  # <script>\nx\n```\n\n"
      "> **Hint** <script>alert(1)</script> </details> ` ``` `\n\n"
      "> **Trap** `</summary><script>` <script>\n\n"
      "> **Why** ]]> <!-- -->\n\n"
      "```python raises=ValueError\nraise ValueError(evil)\n```\n";
  return trace_of_file("01-evil.md", text);
}

}  // namespace attn::test
