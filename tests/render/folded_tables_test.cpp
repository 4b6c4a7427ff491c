// In no view of a lesson stands a table twice.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "render/calls.h"
#include "render/cell_parts.h"
#include "render/formats.h"
#include "render/step.h"
#include "render/text.h"
#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

std::size_t times_in(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

/// What a view shows in full, in its order.
struct Shown {
  const Step* step;
  ShownValue value;
};

std::vector<Shown> tables_of(const Trace& trace) {
  const TraceIndex index(trace);
  ShownCalls calls(trace, index, false);
  std::vector<Shown> out;
  for (const TraceBlock& block : trace.blocks) {
    const CellRecord* cell = std::get_if<CellRecord>(&block);
    if (!cell || (cell->options.hidden && !cell->failed)) continue;
    for (const CellPart& part : cell_parts(trace, index, calls, *cell, {})) {
      if (part.kind != CellPart::Kind::Step || is_plain(trace, trace.step(part.step))) continue;
      for (const ShownValue& shown : shown_values(trace, trace.step(part.step))) {
        const RecordedValue& value = trace.value(shown.value);
        if (shown.in_full && value.is_tensor && value.has_numbers() && !value.shape.empty() && value.tensor.numel() > 0)
          out.push_back({&trace.step(part.step), shown});
      }
    }
  }
  return out;
}

TEST(EveryLesson, ShowsNoTableTwice) {
  std::size_t folded = 0;
  for (const Trace& trace : test::lesson_traces()) {
    ShownTables tables(trace);
    std::set<std::string> drawn;
    std::size_t unfolded = 0, unfolded_slices = 0;
    for (const Shown& shown : tables_of(trace)) {
      const RecordedValue& value = trace.value(shown.value.value);
      const TableView view = tables.next(*shown.step, shown.value.name, shown.value.value);
      const Grid grid(value, view.slice.index);
      Page page({200});
      put_grid(page, grid);
      const std::string table = axes_text(value) + view_text(grid, {{view.slice.index, ""}}) + "\n" + page.text();
      const bool is_new = drawn.insert(table).second;
      if (view.same.empty()) {
        EXPECT_TRUE(is_new) << trace.title << ": " << shown.value.name << "\n" << table;
        ++unfolded_slices;
      }
      unfolded += view.same.empty() || !view.is_same_whole;
      folded += !view.same.empty();
    }
    // The views have as many tables.
    EXPECT_EQ(times_in(find_format("html")->render(trace, {}), "<figure class=\"tensor\""), unfolded) << trace.title;
    EXPECT_EQ(times_in(find_format("md")->render(trace, {}), "\n|---|---:|"), unfolded_slices) << trace.title;
  }
  EXPECT_GT(folded, 10U);
}

}  // namespace
}  // namespace attn
