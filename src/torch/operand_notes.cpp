#include "torch/operand_notes.h"

#include <fmt/format.h>

#include "syntax/snippet.h"

namespace attn {
namespace {

bool has_text(const std::vector<Source>& sources, Span span) {
  return span.end > span.begin && span.source < sources.size() && span.end <= sources[span.source].text.size();
}

void add_place(std::vector<OperandPlace>& out, const std::vector<Source>& sources, int argument, Span span,
               const Value& value) {
  out.push_back({argument, OperandPlace::kWhole, span, value});
  const std::vector<Value>* items = items_of(value);
  if (!items || !has_text(sources, span)) return;
  const std::vector<Span> pieces = pieces_of(sources[span.source], span);
  if (pieces.size() != items->size()) return;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    out.push_back({argument, static_cast<int>(i), pieces[i], (*items)[i]});
}

OperandNote described(const TensorObject& tensor, std::string_view written, Span span, bool with_type) {
  OperandNote note{span, "", {}, tensor.tensor.shape()};
  std::string axes;
  for (std::size_t i = 0; i < tensor.axes.size(); ++i) {
    const std::string& name = tensor.axes[i].name;
    note.axes.push_back(name);
    axes += fmt::format("{}{}{}{}", i ? ", " : "", name, name.empty() ? "" : " ",
                        tensor.tensor.size(static_cast<std::int64_t>(i)));
  }
  note.text = fmt::format("{} [{}]", written, axes);
  if (with_type) note.text += fmt::format(" {}", short_name(tensor.tensor.dtype()));
  return note;
}

}  // namespace

std::vector<OperandPlace> operand_places(const CallArguments& arguments, const Value* self,
                                         const std::vector<Source>& sources) {
  std::vector<OperandPlace> places;
  if (self) {
    Span span = arguments.owner;
    if (!has_text(sources, span)) span = {};
    add_place(places, sources, -1, span, *self);
  }
  const std::size_t count = arguments.positional.size();
  // What an op is given inside of a layer has no place in the source; then only the first have spans.
  const bool has_all = arguments.spans.size() == count + arguments.keywords.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Span span = i < arguments.spans.size() ? arguments.spans[i] : Span();
    add_place(places, sources, static_cast<int>(i), span, arguments.positional[i]);
  }
  for (std::size_t i = 0; i < arguments.keywords.size(); ++i) {
    const Span span = has_all ? arguments.spans[count + i] : Span();
    add_place(places, sources, static_cast<int>(count + i), span, arguments.keywords[i].second);
  }
  return places;
}

std::vector<OperandNote> operand_notes(const CallArguments& arguments, const Value* self,
                                       const std::vector<Source>& sources, bool with_types) {
  std::vector<OperandNote> notes;
  for (const OperandPlace& place : operand_places(arguments, self, sources)) {
    const TensorObject* tensor = place.value.as<TensorObject>();
    if (!tensor || !has_text(sources, place.span)) continue;
    notes.push_back(described(*tensor, sources[place.span.source].slice(place.span), place.span, with_types));
  }
  return notes;
}

}  // namespace attn
