// Drawings of maps, read back: whoever follows the lines of a drawing finds the edges of the map, at every width.
#include "render/lesson_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "render/text.h"
#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

using Edges = std::set<std::pair<std::string, std::string>>;

Edges edges_of_map(const LessonMap& map) {
  Edges out;
  for (const MapEdge& edge : map.edges) out.emplace(map_name(map.nodes[edge.from]), map_name(map.nodes[edge.to]));
  return out;
}

std::string drawn(const Trace& trace, const RenderOptions& options) {
  Page page(options);
  put_map(page, {trace, lesson_map(trace)});
  return page.text();
}

/// A drawing with box characters as cells: one character per column.
class DrawingReader {
 public:
  explicit DrawingReader(const std::string& text) {
    for (const std::string_view line : split_lines(text)) {
      std::vector<std::string>& row = rows_.emplace_back();
      for (const std::string_view letter : graphemes(line)) {
        row.emplace_back(letter);
        for (int more = 1; more < display_width(letter); ++more) row.emplace_back();
      }
    }
    find_boxes();
  }

  std::size_t boxes() const { return boxes_.size(); }

  Edges edges() {
    Edges out;
    for (const Box& box : boxes_) {
      for (std::size_t column = box.left; column <= box.right; ++column) {
        if (at(box.bottom, column) != "┬") continue;
        seen_.clear();
        reached_.clear();
        follow(box.bottom + 1, column, 0);
        for (const std::string& name : reached_) out.emplace(box.name, name);
      }
    }
    return out;
  }

 private:
  struct Box {
    std::size_t top = 0, bottom = 0, left = 0, right = 0;
    std::string name;
  };

  std::string at(std::size_t row, std::size_t column) const {
    return row < rows_.size() && column < rows_[row].size() ? rows_[row][column] : " ";
  }

  // A box has a blank behind its left edge in the line below its corner; lines between boxes have none.
  void find_boxes() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t column = 0; column < rows_[row].size(); ++column) {
        if (at(row, column) != "┌" || at(row + 1, column) != "│" || at(row + 1, column + 2) == " ") continue;
        Box box{row, row + 1, column, column + 1, ""};
        while (at(row, box.right) == "─" || at(row, box.right) == "▼") ++box.right;
        while (at(box.bottom, column) == "│") ++box.bottom;
        if (at(row, box.right) != "┐" || at(box.bottom, column) != "└" || at(box.bottom, box.right) != "┘") continue;
        for (std::size_t k = column + 2; k + 1 < box.right; ++k) box.name += at(row + 1, k);
        box.name = std::string(trim(box.name));
        boxes_.push_back(box);
      }
    }
  }

  // 0: down, 1: left, 2: right. A line that meets another one goes on behind it.
  void follow(std::size_t row, std::size_t column, int heading) {
    if (!seen_.emplace(row, column, heading).second) return;
    const std::string sign = at(row, column);
    if (heading == 0) {
      if (sign == "▼") return reach(row, column);
      if (sign == "│" || sign == "├" || sign == "┤" || sign == "┼") follow(row + 1, column, 0);
      if (sign == "┘" || sign == "┴" || sign == "┤" || sign == "┼") follow(row, column - 1, 1);
      if (sign == "└" || sign == "┴" || sign == "├" || sign == "┼") follow(row, column + 1, 2);
      return;
    }
    const auto next = heading == 1 ? column - 1 : column + 1;
    if (sign == "─" || sign == "│" || sign == "┬") follow(row, next, heading);
    if (sign == "┬" || sign == "┌" || sign == "┐") follow(row + 1, column, 0);
  }

  void reach(std::size_t row, std::size_t column) {
    for (const Box& box : boxes_)
      if (box.top == row && column > box.left && column < box.right) reached_.insert(box.name);
  }

  std::vector<std::vector<std::string>> rows_;
  std::vector<Box> boxes_;
  std::set<std::tuple<std::size_t, std::size_t, int>> seen_;
  std::set<std::string> reached_;
};

TEST(EveryLesson, HasAMapWhoseLinesAreItsEdges) {
  int drawings = 0;
  for (const Trace& trace : test::lesson_traces()) {
    const LessonMap map = lesson_map(trace);
    for (const int width : {40, 60, 80, 100, 140}) {
      const std::string text = drawn(trace, {.width = width});
      DrawingReader reader(text);
      for (const std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), width) << text;
      if (reader.boxes() == 0) continue;  // a list
      ++drawings;
      EXPECT_EQ(reader.boxes(), map.nodes.size()) << text;
      EXPECT_EQ(reader.edges(), edges_of_map(map)) << text;
    }
  }
  EXPECT_GE(drawings, 40);
}

TEST(EveryLesson, HasAMapThatFitsOnPaper) {
  for (const Trace& trace : test::lesson_traces())
    EXPECT_GT(DrawingReader(drawn(trace, {.width = 100})).boxes(), 0U) << trace.lesson_id;
}

// The same drawing with other signs.
TEST(EveryLesson, HasTheSameMapInAscii) {
  for (const Trace& trace : test::lesson_traces()) {
    for (const int width : {40, 80, 100}) {
      const std::string text = drawn(trace, {.width = width}), ascii = drawn(trace, {.width = width, .ascii = true});
      EXPECT_TRUE(std::all_of(ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
      const bool is_list = ascii.find("+--") == std::string::npos;  // the arrow of which has two letters
      EXPECT_EQ(is_list, text.find("┌") == std::string::npos);
      if (!is_list) EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(ascii.begin(), ascii.end(), '\n'));
    }
  }
}

/// Names that a list gives as sources, by target.
TEST(EveryLesson, HasEveryEdgeInTheListOfItsMap) {
  for (const Trace& trace : test::lesson_traces()) {
    const LessonMap map = lesson_map(trace);
    const std::string text = drawn(trace, {.width = 15, .ascii = true});
    EXPECT_EQ(text.find("+--"), std::string::npos) << text;
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '>')), map.edges.size()) << text;
  }
}

TEST(LessonMapText, AScreenReaderGetsASentenceATensor) {
  const Trace trace = test::lesson_trace(3);
  Page page({.width = 200, .linear = true});
  MapView view{trace, lesson_map(trace)};
  view.here = {1};
  put_map(page, view);
  const std::string text = page.text();
  const std::vector<std::string_view> lines = split_lines(text);
  EXPECT_EQ(std::string(lines.at(0)), "query [batch_size 3, query_len 5, hidden_dim 8]: given.");
  EXPECT_EQ(std::string(lines.at(1)), "key [batch_size 3, key_len 6, hidden_dim 8]: given. You are here.");
  EXPECT_EQ(std::string(lines.at(8)),
            "energy [batch_size 3, n_heads 2, query_len 5, key_len 6]: from Q_heads, K_heads (transpose), by matmul, / "
            "2.");
}

// Names and axes of two cells a letter; a scalar; a tensor without numbers.
TEST(LessonMapText, MeasuresWideLetters) {
  const Trace trace = test::trace_of_file("01-wide.md",
                                          "# Wide\n\nText.\n\n```map\n질문 답 합 빈\n```\n\n```python\nimport "
                                          "torch\n질문 = torch.ones(2, 3)  # [단어, 너비]\n답 = 질문 * "
                                          "2\n합 = 답.sum()\n빈 = 질문[:0]\n```\n");
  for (const int width : {40, 80}) {
    const std::string text = drawn(trace, {.width = width});
    DrawingReader reader(text);
    EXPECT_EQ(reader.edges(), (Edges{{"질문", "답"}, {"답", "합"}, {"질문", "빈"}})) << text;
    std::set<int> widths;
    for (const std::string_view line : split_lines(text)) EXPECT_LE(display_width(line), width);
    EXPECT_NE(text.find("[]"), std::string::npos) << text;
    EXPECT_NE(text.find("[단어 0,"), std::string::npos) << text;
  }
}

TEST(EveryLesson, HasItsMapWhereItsBlockIs) {
  for (const Trace& trace : test::lesson_traces()) {
    const std::string text = render_text(trace, {.width = 100});
    EXPECT_NE(text.find(drawn(trace, {.width = 100})), std::string::npos) << trace.lesson_id;
    EXPECT_EQ(text.find(map_block(trace)->text), std::string::npos) << trace.lesson_id;
  }
}

// A second block, or one in a program, is code like any other.
TEST(LessonMapText, OnlyTheFirstBlockOfALessonIsDrawn) {
  const std::string text =
      "# Two\n\nText.\n\n```map\nx, y\n```\n\n```map\ny, x\n```\n\n```python\nimport torch\nx = "
      "torch.ones(2)\ny = x * 2\n```\n";
  const std::string shown = render_text(test::trace_of_file("01-two.md", text));
  EXPECT_EQ(shown.find("x, y"), std::string::npos);
  EXPECT_NE(shown.find("y, x"), std::string::npos);
  EXPECT_NE(shown.find("▼"), std::string::npos);
}

}  // namespace
}  // namespace attn
