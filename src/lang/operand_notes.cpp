#include "lang/operand_notes.h"

#include <fmt/format.h>

#include "base/text.h"

namespace attn {
namespace {

bool has_text(const std::vector<Source>& sources, Span span) {
  return span.end > span.begin && span.source < sources.size() && span.end <= sources[span.source].text.size();
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.as<List>()) return &list->items;
  if (const auto* tuple = value.as<Tuple>()) return &tuple->items;
  return nullptr;
}

/// Where a list is one of brackets, what stands between them.
Span inside(std::string_view text, Span span) {
  if (text.size() < 2 || (text.front() != '[' && text.front() != '(')) return span;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '(') ++depth;
    if (text[i] == ']' || text[i] == ')') --depth;
    if (depth == 0 && i + 1 < text.size()) return span;  // "(a, b)[0]", "(a), b"
  }
  ++span.begin;
  --span.end;
  return span;
}

Span trimmed(const Source& source, Span span) {
  const std::string_view text = source.slice(span), rest = trim(text);
  span.begin += static_cast<std::uint32_t>(rest.data() - text.data());
  span.end = span.begin + static_cast<std::uint32_t>(rest.size());
  return span;
}

void add_place(std::vector<OperandPlace>& out, const std::vector<Source>& sources, int argument, Span span,
               const Value& value) {
  out.push_back({argument, OperandPlace::kWhole, span, value});
  const std::vector<Value>* items = items_of(value);
  if (!items || !has_text(sources, span)) return;
  const std::vector<Span> pieces = pieces_of(sources, span);
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

std::vector<Span> pieces_of(const std::vector<Source>& sources, Span span) {
  if (!has_text(sources, span)) return {};
  const Source& source = sources[span.source];
  span = inside(source.slice(span), span);
  const std::string_view text = source.slice(span);
  std::vector<Span> pieces;
  std::uint32_t begin = 0;
  int depth = 0;
  char quote = 0;
  const auto end_piece = [&](std::size_t end) {
    const Span piece{span.source, span.begin + begin, span.begin + static_cast<std::uint32_t>(end)};
    if (!trim(source.slice(piece)).empty()) pieces.push_back(trimmed(source, piece));
    begin = static_cast<std::uint32_t>(end) + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      else if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      end_piece(i);
    }
  }
  end_piece(text.size());
  return pieces;
}

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
