// Tables of help topics, made from the tables of the program: keys, lessons, formats, exit codes, variables.
#include <fmt/format.h>

#include "base/text.h"
#include "base/words.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/help_topics.h"
#include "lesson/catalogue.h"
#include "render/formats.h"
#include "render/markdown_prose.h"
#include "stepper/key_table.h"
#include "text/say.h"

namespace attn {
namespace {

using Cells = std::vector<std::string>;

std::string as_code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string row(const Cells& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string table(const Cells& head, const std::vector<Cells>& rows) {
  std::string out = row(head) + row(Cells(head.size(), "---"));
  for (const Cells& cells : rows) out += row(cells);
  return out;
}

// "n enter space" -> "`n` `enter` `space`"
std::string code_list(std::string_view words) {
  std::vector<std::string> codes;
  for (const std::string& word : words_in(words)) codes.push_back(as_code(word));
  return join(codes, " ");
}

std::string keys_table() {
  std::vector<Cells> rows;
  for (const KeyCommand& command : session_commands())
    rows.push_back({code_list(command.key), as_code(command.name), say(command.help)});
  return table({say("help.key"), say("help.command"), say("help.does")}, rows);
}

std::string lessons_table() {
  std::vector<Cells> rows;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries())
    rows.push_back({entry.number ? std::to_string(*entry.number) : "", as_code(entry.id), markdown_text(entry.title)});
  return table({say("help.number"), say("help.id"), say("help.title")}, rows);
}

std::string formats_table() {
  std::vector<Cells> rows;
  for (const Format& format : all_formats())
    rows.push_back({as_code(format.name), as_code(format.extension), markdown_text(format.doc)});
  return table({say("help.format"), say("help.ending"), say("help.what")}, rows);
}

std::string exit_codes_table() {
  std::vector<Cells> rows;
  for (const ExitMeaning& meaning : exit_meanings()) rows.push_back({std::string(meaning.code), say(meaning.sentence)});
  return table({say("help.code"), say("help.means")}, rows);
}

std::string environment_table() {
  std::vector<Cells> rows;
  for (const Variable& variable : variables()) rows.push_back({code_list(variable.names), say(variable.sentence)});
  return table({say("help.variable"), say("help.does")}, rows);
}

struct HelpTable {
  std::string_view topic;
  std::string (*table)();
};

constexpr HelpTable kTables[] = {{"keys", keys_table},
                                 {"lessons", lessons_table},
                                 {"formats", formats_table},
                                 {"exit-codes", exit_codes_table},
                                 {"environment", environment_table}};

}  // namespace

std::string help_table(std::string_view topic) {
  for (const HelpTable& each : kTables) {
    if (each.topic == topic) return each.table();
  }
  return "";
}

}  // namespace attn
