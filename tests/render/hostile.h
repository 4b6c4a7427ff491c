#pragma once
#include <string>

namespace attn::test {

/// A lesson by somebody who wants its transcripts to do harm: in the title, prose, names of axes and words, outputs,
/// errors, answers.
inline std::string hostile_text() {
  const std::string evil =
      "<script>alert(1)</script> ]]> --> \\"
      "\x1b[31m \u202e\u009b31m ``` ~~~ </details> $x$ | '\"";
  return "# T <script>alert(1)</script> ]]> --> \x1b[31m \u202e ``` | $ \"\n\n"
         "P `` ` <b> `` and ` ``` ` &lt;script&gt;alert(1)&lt;/script&gt; <img src=x onerror=alert(1)> \x1b]0;t\a "
         "\u2066\n\n"
         "- [a`b](http://x/\"onclick=alert(1)) **b* c**\n- ===\n- # no heading\n\n"
         "| a \\| b | `c \\| d` |\n|---|---|\n| <script> | $a_b$ |\n\n"
         "````text\n```\n<script>alert(1)</script>\n````\n\n"
         "```python predict=value\nevil = '''" +
         evil +
         "'''\nprint(evil)\nwords = [evil, '``````', '</script>']\n"
         "x = 3  # <script>\nx\n```\n\n"
         "> **Hint** <script>alert(1)</script> </details> ` ``` `\n\n"
         "> **Trap** `</summary><script>` <script>\n\n"
         "> **Why** ]]> <!-- -->\n\n"
         "```python raises=ValueError\nraise ValueError(evil)\n```\n";
}

}  // namespace attn::test
