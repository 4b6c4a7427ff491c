#include "render/move.h"

#include <algorithm>

#include "base/text.h"
#include "explain/cut_rows.h"
#include "explain/element.h"
#include "explain/numbers.h"
#include "explain/wording.h"
#include "render/page.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr std::int64_t kMostDrawn = 48;  // numbers of a slice
constexpr std::int64_t kAround = 3;      // places of the storage that are shown on either side

std::string line_of(const Trace& trace, Span span) {
  if (span.source >= trace.sources.size()) return "?";
  return std::to_string(position_of(trace.sources[span.source], span.begin).line);
}

std::string tuple_text(const Shape& sizes) {
  std::string text = shape_text(sizes);
  return "(" + text.substr(1, text.size() - 2) + ")";
}

// ---- shapes ----

void put_axis(Page& page, const Trace& trace, const AxisBirth& axis, int name_width, int size_width) {
  Line line;
  line.add(axis.name.empty() ? "-" : axis.name, Style::Name).pad_right(name_width + 2);
  line.add(pad_left(std::to_string(axis.size), size_width), Style::Strong);
  if (axis.equals.empty()) line.add("   ").add(say("shape.unknown"), Style::Dim);
  for (const std::string& text : axis.equals) line.add(" = ").add(text);
  if (axis.span) line.add(", ").add(say("shape.line", {{"line", line_of(trace, *axis.span)}}), Style::Dim);
  page.put(line, name_width + size_width + 3);
}

// ---- moves ----

// A cell as wide as the others, the tracked element between brackets.
Line cell(const std::string& text, int width, bool is_tracked) {
  Line line;
  line.add(is_tracked ? "[" : " ", Style::Ask).add(pad_left(text, width), is_tracked ? Style::Strong : Style::Plain);
  return line.add(is_tracked ? "]" : " ", Style::Ask);
}

/// The last two axes at the place of the element.
void put_slice(Page& page, const RecordedValue& value, const Shape& index) {
  const std::size_t dims = index.size();
  if (dims == 0 || !value.tensor.defined()) return;
  const std::int64_t columns = value.shape[dims - 1], rows = dims > 1 ? value.shape[dims - 2] : 1;
  if (rows * columns > kMostDrawn) return;
  const TableNumbers numbers(value.tensor);
  const Shape strides = contiguous_strides(value.shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d + 2 < dims; ++d) base += index[d] * strides[d];
  const auto text = [&](std::int64_t row, std::int64_t column) {
    return numbers(value.tensor, base + row * columns + column);
  };
  int width = 1;
  for (std::int64_t k = 0; k < rows * columns; ++k)
    width = std::max(width, display_width(text(k / columns, k % columns)));
  if ((width + 2) * columns > page.width()) return;
  for (std::int64_t row = 0; row < rows; ++row) {
    Line line;
    for (std::int64_t column = 0; column < columns; ++column) {
      const bool is_row = dims < 2 || row == index[dims - 2];
      line.add(cell(text(row, column), width, is_row && column == index[dims - 1]));
    }
    page.put(line);
  }
}

/// "storage  ... 0.1 0.2 [0.3] 0.4 ...": the neighbors of the element in memory.
void put_storage(Page& page, const RecordedValue& value, std::int64_t address) {
  if (!value.tensor.defined()) return;
  const std::int64_t size = value.tensor.storage().buffer->bytes() / size_of(wide_of(value.dtype));
  const std::int64_t first = std::max<std::int64_t>(0, address - kAround);
  const std::int64_t last = std::min(size - 1, address + kAround);
  const Tensor all = value.tensor.as_strided({last - first + 1}, {1}, first);
  const TableNumbers numbers(value.tensor);
  const std::string gap(page.glyphs().gap);
  Line line(say("move.storage") + (first > 0 ? " " + gap : ""), Style::Dim);
  for (std::int64_t at = first; at <= last; ++at) {
    const std::string text = numbers(all, at - first);
    line.add(at == address ? " [" : " ").add(text, at == address ? Style::Strong : Style::Plain);
    if (at == address) line.add("]");
  }
  if (last < size - 1) line.add(" " + gap, Style::Dim);
  page.put(line, 2);
}

std::string place_name(const MovedPlace& place) {
  return place.index.empty() ? place.name : place.name + shape_text(place.index);
}

void put_place(Page& page, const Trace& trace, const MovedPlace& place, bool is_drawn) {
  const RecordedValue& value = trace.value(place.value);
  Line title(place_name(place), Style::Name);
  page.put(title.add("   ").add(axes_text(value)), 4);
  const Page::Indent indent = page.indent(2);
  if (!place.op.empty()) {
    page.put(Line(say("move.by", {{"op", place.op},
                                  {"line", line_of(trace, place.span)},
                                  {"how", say(place.is_view ? "move.view" : "move.copy")}})),
             2);
  }
  if (!is_drawn) return;
  page.put(Line(say("move.number", {{"number", std::to_string(place.number)},
                                    {"address", std::to_string(place.address)},
                                    {"strides", tuple_text(value.strides)}})),
           2);
  put_storage(page, value, place.address);
  put_slice(page, value, place.index);
  if (place.index.size() < 2) return;
  const Shape leading(place.index.begin(), place.index.end() - 2);
  const std::int64_t row = place.index[place.index.size() - 2];
  if (const std::string text = cut_row_text(trace, place.value, leading, row); !text.empty()) page.put(Line(text), 2);
}

void put_merges(Page& page, const RecordedValue& value, const std::vector<MergeCheck>& merges) {
  if (!merges.empty()) page.gap();
  for (const MergeCheck& merge : merges) {
    const std::size_t d = merge.axis;
    const auto name = [&](std::size_t axis) { return axis_name(value, axis); };
    page.put(
        Line(say(merge.can_merge ? "move.merge.yes" : "move.merge.no", {{"left", name(d)},
                                                                        {"right", name(d + 1)},
                                                                        {"stride", std::to_string(value.strides[d])},
                                                                        {"size", std::to_string(value.shape[d + 1])},
                                                                        {"next", std::to_string(value.strides[d + 1])},
                                                                        {"wanted", std::to_string(merge.wanted)}})),
        2);
  }
  const auto cannot = [](const MergeCheck& merge) { return !merge.can_merge; };
  if (std::any_of(merges.begin(), merges.end(), cannot)) page.put(Line(say("move.merge.how")));
}

}  // namespace

std::string render_shape(const Trace& trace, const ShapeExplanation& explanation, const RenderOptions& options) {
  Page page(options);
  const RecordedValue& value = trace.value(explanation.value);
  page.put(Line(explanation.name, Style::Name).add(" ").add(axes_text(value)), 2);
  if (explanation.axes.empty()) page.put(say("shape.none", {{"name", explanation.name}}));
  int name_width = 1, size_width = 1;
  for (const AxisBirth& axis : explanation.axes) {
    name_width = std::max(name_width, display_width(visible(axis.name)));
    size_width = std::max(size_width, static_cast<int>(std::to_string(axis.size).size()));
  }
  const Page::Indent indent = page.indent(2);
  for (const AxisBirth& axis : explanation.axes) put_axis(page, trace, axis, name_width, size_width);
  return page.text();
}

std::string render_move(const Trace& trace, const MoveExplanation& explanation, const RenderOptions& options) {
  Page page(options);
  for (const MovedPlace& place : explanation.way) {
    page.gap();
    put_place(page, trace, place, true);
  }
  put_merges(page, trace.value(explanation.way.back().value), explanation.merges);
  if (!explanation.onward.empty()) {
    page.gap();
    page.put(say("move.onward"));
    for (const MovedPlace& place : explanation.onward) put_place(page, trace, place, false);
  }
  return page.text();
}

}  // namespace attn
