#include "render/html/question.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "explain/wording.h"
#include "render/html/text.h"
#include "tensor/core/print.h"
#include "text/say.h"
#include "torch/axis_names.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

/// [{"name": "batch_size", "size": 3}]
std::string axes_data(const RecordedValue& value) {
  Json axes = Json::array();
  for (std::size_t d = 0; d < value.shape.size(); ++d)
    axes.push_back(
        {{"name", d < value.axes.size() ? visible(claimed_name(value.axes[d].name)) : ""}, {"size", value.shape[d]}});
  return axes.dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// All its digits, whatever the page shows of them.
std::string value_data(const RecordedValue& value) {
  const bool is_number = value.is_tensor && value.tensor.defined() && value.tensor.numel() == 1;
  const bool is_whole = value.is_tensor ? !is_floating(value.dtype) : value.type == "int" || value.type == "bool";
  return fmt::format(" data-answer=\"{}\"{}", html_text(is_number ? item_text(value.tensor) : value.text),
                     is_whole ? " data-whole" : "");
}

/// What the script asks for, and what answers it.
std::string question_data(const Trace& trace, const Question& question) {
  constexpr const char* kEffects[] = {"raises", "other_shape", "other_numbers", "no_difference"};
  const RecordedValue* value = question.value >= 0 ? &trace.value(question.value) : nullptr;
  switch (question.kind) {
    case Predict::None: return " data-ask=\"write\"";
    case Predict::Shape:
      return value ? fmt::format(" data-ask=\"shape\" data-axes=\"{}\"", html_text(axes_data(*value))) : "";
    case Predict::Value: return value ? " data-ask=\"value\"" + value_data(*value) : "";
    case Predict::Raises: return fmt::format(" data-ask=\"raises\" data-answer=\"{}\"", question.raises ? "yes" : "no");
    case Predict::Effect:
      return fmt::format(" data-ask=\"effect\" data-answer=\"{}\"",
                         kEffects[static_cast<std::size_t>(question.effect)]);
  }
  return {};
}

std::string html_labelled(const std::string& label, const std::string& inside) {
  return "<p class=\"label\"><strong>" + html_text(label) + "</strong></p>\n" + inside;
}

}  // namespace

std::string html_folded(std::string_view name, const std::string& summary, const std::string& inside,
                        const std::string& attributes) {
  return fmt::format("<details class=\"{}\"{}><summary>{}</summary>\n{}</details>\n", name, attributes,
                     html_text(summary), inside);
}

std::string html_question(const Question& question) {
  const std::string label =
      question.kind == Predict::None ? "" : "<strong>" + html_text(say("label.predict")) + "</strong> ";
  return "<p class=\"question\">" + label + html_text(question_text(question)) + "</p>\n";
}

std::string html_answer(const Trace& trace, const CellRecord& cell, const std::string& shown) {
  std::string out, inside;
  for (std::size_t i = 0; i < cell.hints.size(); ++i)
    out += html_folded("hint", say("markdown.hint", {{"number", std::to_string(i + 1)}}), html_prose(cell.hints[i]));
  if (const std::string answer = answer_text(trace, *cell.question); !answer.empty())
    inside += fmt::format("<p class=\"truth\"><strong>{}</strong> {}</p>\n", html_text(say("label.answer")),
                          html_text(answer));
  inside += shown;
  for (const TrapRecord& trap : cell.traps)
    inside += fmt::format("<div class=\"trap\" data-answer=\"{}\">{}</div>\n", html_text(trap.answer),
                          html_labelled(say("label.trap", {{"answer", trap.answer}}), html_prose(trap.text)));
  if (!cell.why.empty())
    inside += "<div class=\"why\">" + html_labelled(say("label.why"), html_prose(cell.why)) + "</div>\n";
  return out + html_folded("answer", say("markdown.answer"), inside, question_data(trace, *cell.question));
}

}  // namespace attn
