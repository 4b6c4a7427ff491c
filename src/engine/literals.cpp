#include "engine/literals.h"

#include "base/diagnostic.h"
#include "base/text.h"
#include "lang/value.h"
#include "syntax/parser.h"

namespace attn {

std::vector<Literal> literals(const Block& block) {
  std::vector<Literal> out;
  for (const Stmt& stmt : block) {
    const Assign* assign = std::get_if<Assign>(&stmt.node);
    const Name* name = assign && assign->targets.size() == 1 ? std::get_if<Name>(&assign->targets[0]->node) : nullptr;
    if (name) out.push_back({name->id, assign->value->span, assign->value.get()});
  }
  return out;
}

Block parse_or_empty(const Source& source, LessonForm form) {
  try {
    return parse_cell(source, 0, {.notebook = form == LessonForm::Notebook});
  } catch (const CellError&) {
    return {};
  }
}

std::string with_values(std::string code, const std::vector<Literal>& literals,
                        const std::map<std::string, std::string>& values) {
  for (auto literal = literals.rbegin(); literal != literals.rend(); ++literal) {  // from the end: places stay true
    const auto value = values.find(literal->name);
    if (value != values.end())
      code.replace(literal->span.begin, literal->span.end - literal->span.begin, value->second);
  }
  return code;
}

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const std::string_view grapheme : graphemes(text)) {
    if (grapheme == "\"" || grapheme == "\\") {
      out += '\\';
      out += grapheme;
    } else if (grapheme != "\n" && grapheme != "\t" && visible(grapheme) == grapheme) {
      out += grapheme;
    } else {
      const std::string escaped = ascii_repr(make_str(std::string(grapheme)));
      out += std::string_view(escaped).substr(1, escaped.size() - 2);
    }
  }
  return out + "\"";
}

std::string list_literal(const std::vector<std::string>& items) {
  constexpr std::size_t kWidth = 100;
  std::string out = "[", line;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (!line.empty() && line.size() + 1 + item.size() > kWidth) {
      out += line + "\n    ";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + item;
  }
  return out + line + "]";
}

}  // namespace attn
