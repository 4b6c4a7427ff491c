// docs/language.md, which `attn-tutor ops --markdown` prints: the topic `language` of help, then the table of ops and
// the names that are refused.
#include "cli/language_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "cli/help_topics.h"
#include "python/modules/unsupported_names.h"
#include "render/callables.h"
#include "text/say.h"

namespace attn {
namespace {

// | would end a cell of a table, also in code.
std::string as_table_code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out + "`";
}

std::string table_codes(std::string_view words) {
  std::vector<std::string> all;
  for (const std::string& word : words_in(words)) all.push_back(as_table_code(word));
  return join(all, " ");
}

// "torch.nn.functional.softmax" -> "torch.nn.functional"
std::string family_of(const CallableRow& row) { return row.spelling.substr(0, row.spelling.rfind('.')); }

std::vector<std::string> families(const std::vector<CallableRow>& rows) {
  std::vector<std::string> out;
  for (const CallableRow& row : rows) {
    if (std::find(out.begin(), out.end(), family_of(row)) == out.end()) out.push_back(family_of(row));
  }
  return out;
}

std::string row_text(const CallableRow& row) {
  const std::size_t first = row.spelling.size();
  const std::string also = row.spellings.size() > first ? table_codes(row.spellings.substr(first + 1)) : "";
  return fmt::format("| {} | {} | {} |\n",
                     as_table_code(row.spelling.substr(row.spelling.rfind('.') + 1) + row.signature), row.doc, also);
}

std::string ops_part() {
  const std::vector<CallableRow> rows = callable_rows();
  std::string out;
  for (const std::string& family : families(rows)) {
    out += fmt::format("\n### {}\n\n| {} | {} | {} |\n| --- | --- | --- |\n", family, say("language.op"),
                       say("help.does"), say("language.also"));
    for (const CallableRow& row : rows) {
      if (family_of(row) == family) out += row_text(row);
    }
  }
  return out;
}

std::string refused_part() {
  std::string out = fmt::format("\n| {} | {} | {} |\n| --- | --- | --- |\n", say("language.under"),
                                say("language.name"), say("language.hint"));
  for (const UnsupportedNames& row : unsupported_names())
    out += fmt::format("| {} | {} | {} |\n", table_codes(row.owners), table_codes(row.names), say(row.hint));
  return out;
}

std::string topic_text() {
  for (const HelpTopic& topic : help_topics()) {
    if (topic.name == "language") return topic.text;
  }
  return "";
}

}  // namespace

std::string language_page() {
  return fmt::format("<!-- {} -->\n{}\n## {}\n\n{}\n{}\n## {}\n\n{}\n{}", say("language.made"), topic_text(),
                     say("language.ops"), say("language.ops.how"), ops_part(), say("language.refused"),
                     say("language.refused.how"), refused_part());
}

}  // namespace attn
