#include "render/html/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "render/html/text.h"
#include "render/lesson_map.h"
#include "text/say.h"

namespace attn {
namespace {

// In pixels. A letter is as wide as those of data/page.css.
constexpr int kLetter = 7, kTextLine = 15, kMargin = 9, kApart = 18, kLayerGap = 34, kTip = 4;
constexpr int kPageWidth = 826, kLeastLetters = 18, kMostLetters = 30;  // letters of a line in a box
constexpr int kLineWidth = 2;                                           // of a line that passes through a layer

struct DrawnCell {
  std::vector<Line> lines;  // none of a line
  int width = kLineWidth, center = 0;
};

class MapSvg {
 public:
  MapSvg(const MapView& view, const StepAnchor& anchor_of)
      : view_(view), anchor_of_(anchor_of), layers_(map_layers(view.map)) {
    std::vector<std::vector<int>> widths;
    int room = 0;
    for (const std::vector<MapCell>& layer : layers_.cells) {
      const auto boxes =
          static_cast<int>(std::count_if(layer.begin(), layer.end(), [](auto& c) { return !c.is_line; }));
      const int lines = static_cast<int>(layer.size()) - boxes;
      const int share = (kPageWidth - lines * (kLineWidth + kApart)) / std::max(1, boxes) - kApart - 2 * kMargin;
      const int letters = std::clamp(share / kLetter, kLeastLetters, kMostLetters);
      int height = 0, all = -kApart;
      std::vector<int>& row = widths.emplace_back();
      std::vector<DrawnCell>& cells = cells_.emplace_back();
      for (const MapCell& cell : layer) {
        DrawnCell& drawn = cells.emplace_back();
        if (!cell.is_line) measure(cell.node, letters, drawn);
        height = std::max(height, static_cast<int>(drawn.lines.size()) * kTextLine + kMargin);
        row.push_back(drawn.width);
        all += drawn.width + kApart;
      }
      heights_.push_back(height);
      room = std::max(room, all);
    }
    const std::vector<std::vector<int>> centers = map_centers(layers_, widths, kApart, room);
    for (std::size_t layer = 0; layer < centers.size(); ++layer) {
      for (std::size_t i = 0; i < centers[layer].size(); ++i) {
        cells_[layer][i].center = centers[layer][i] + 1;
        width_ = std::max(width_, cells_[layer][i].center + cells_[layer][i].width / 2 + 2);
      }
    }
  }

  std::string write() const {
    std::string edges, tips, nodes;
    int top = 1;
    for (std::size_t layer = 0; layer < cells_.size(); ++layer) {
      if (layer > 0) add_edges_into(layer, top, edges, tips);
      for (std::size_t i = 0; i < cells_[layer].size(); ++i) {
        const MapCell& cell = layers_.cells[layer][i];
        const DrawnCell& drawn = cells_[layer][i];
        if (cell.is_line) edges += fmt::format("M{} {}v{}", drawn.center, top, heights_[layer]);
        else nodes += node(cell.node, drawn, top, heights_[layer]);
      }
      top += heights_[layer] + kLayerGap;
    }
    Page words(RenderOptions{.width = 100000});
    put_linear_map(words, view_);
    return fmt::format(
        "<div class=\"wide map\"><svg width=\"{}\" height=\"{}\" role=\"group\" aria-labelledby=\"map-title\" "
        "aria-describedby=\"map-words\"><title id=\"map-title\">{}</title><desc id=\"map-words\">{}</desc>"
        "<path class=\"way\" d=\"{}\"/><path class=\"tip\" d=\"{}\"/>{}</svg></div>\n",
        width_, top - kLayerGap + 1, html_text(say("map.title")), html_text(join_lines(words.text())), edges, tips,
        nodes);
  }

 private:
  static std::string join_lines(const std::string& text) { return replaced(std::string(trim(text)), "\n", " "); }

  void measure(std::size_t node, int most, DrawnCell& drawn) const {
    drawn.lines = map_lines(view_, node, most, RenderOptions{});
    int letters = 1;
    for (const Line& line : drawn.lines) letters = std::max(letters, line.width());
    drawn.width = letters * kLetter + 2 * kMargin;
  }

  void add_edges_into(std::size_t layer, int top, std::string& edges, std::string& tips) const {
    const int above = top - kLayerGap;
    // Lines that end at one box keep apart, in the order of where they come from.
    for (std::size_t to = 0; to < cells_[layer].size(); ++to) {
      const DrawnCell& target = cells_[layer][to];
      std::vector<int> starts;
      for (const MapLayers::Link& link : layers_.links[layer - 1])
        if (link.to == to) starts.push_back(cells_[layer - 1][link.from].center);
      std::sort(starts.begin(), starts.end());
      const auto count = static_cast<int>(starts.size());
      for (int k = 0; k < count; ++k) {
        const int start = starts[static_cast<std::size_t>(k)];
        const int end = target.lines.empty() ? target.center
                                             : target.center - target.width / 2 + target.width * (k + 1) / (count + 1);
        const int middle = above + kLayerGap / 2, tip = target.lines.empty() ? 0 : kTip;
        edges += fmt::format("M{0} {1}C{0} {2} {3} {2} {3} {4}", start, above, middle, end, top - tip);
        if (tip > 0) tips += fmt::format("M{} {}h{}l-{} {}z", end - tip, top - tip - 1, 2 * tip, tip, tip + 1);
      }
    }
  }

  std::string node(std::size_t number, const DrawnCell& drawn, int top, int height) const {
    const int left = drawn.center - drawn.width / 2;
    std::string out =
        fmt::format("<path class=\"box\" d=\"M{} {}h{}v{}h-{}z\"/>", left, top, drawn.width, height, drawn.width);
    int y = top + kTextLine;
    for (const Line& line : drawn.lines) {
      const char* name = line.first_style() == Style::Name ? " class=\"name\"" : "";
      out += fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>", name, left + kMargin, y, html_text(line.text()));
      y += kTextLine;
    }
    const std::string anchor = anchor_of_(view_.map.nodes[number].step);
    if (anchor.empty()) return "<g>" + out + "</g>";
    return fmt::format("<a href=\"#{}\">{}</a>", anchor, out);
  }

  const MapView& view_;
  const StepAnchor& anchor_of_;
  const MapLayers layers_;
  std::vector<std::vector<DrawnCell>> cells_;
  std::vector<int> heights_;
  int width_ = 0;
};

}  // namespace

std::string html_map(const Trace& trace, const StepAnchor& anchor_of) {
  const MapView view{trace, lesson_map(trace)};
  return view.map.nodes.empty() ? std::string() : MapSvg(view, anchor_of).write();
}

}  // namespace attn
