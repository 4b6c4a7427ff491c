// A drawing in layers: boxes are as wide as fits, cells settle above one another, and lines between two layers run in
// rows. Where two lines cross, the one from above to below is whole and the other is broken: `─│─`. Only lines of one
// source touch. Over 400 lines because all of that is one drawing.
#include "render/lesson_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

constexpr int kMapFrame = 4;    // cells that a box adds to what is in it
constexpr int kMapBetween = 2;  // cells between two cells of a layer
constexpr int kShortItem = 14;  // cells of work that is not broken
constexpr int kSettling = 6;    // passes over the layers, to bring linked cells above one another

struct BoxSigns {
  std::string_view across, down, arrow;
  // By which sides a line leaves to: left 1, right 2, up 4, down 8.
  std::string_view joint[16];
};
constexpr BoxSigns kUnicodeBox = {
    "─", "│", "▼", {"", "─", "─", "─", "│", "┘", "└", "┴", "│", "┐", "┌", "┬", "│", "┤", "├", "┼"}};
constexpr BoxSigns kAsciiBox = {
    "-", "|", "v", {"", "-", "-", "-", "|", "+", "+", "+", "|", "+", "+", "+", "|", "+", "+", "+"}};
constexpr unsigned kLeftSide = 1, kRightSide = 2, kUpSide = 4, kDownSide = 8;

bool is_here(const MapView& view, std::size_t node) {
  return std::find(view.here.begin(), view.here.end(), node) != view.here.end();
}

bool is_ahead(const MapView& view, std::size_t node) {
  return view.ahead >= 0 && view.map.nodes[node].step >= view.ahead;
}

/// "batch_size 3", "hidden_dim 8": what is never broken.
std::vector<std::string> axis_parts(const MapView& view, std::size_t node) {
  if (is_ahead(view, node)) return {"[?]"};
  const RecordedValue& value = view.trace.value(view.map.nodes[node].value);
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < value.shape.size(); ++axis) {
    const std::string name = axis < value.axes.size() ? visible(value.axes[axis].name) : "";
    parts.push_back(fmt::format("{}{}{}{}{}", axis == 0 ? "[" : "", name, name.empty() ? "" : " ", value.shape[axis],
                                axis + 1 == value.shape.size() ? "]" : ","));
  }
  if (parts.empty()) parts.emplace_back("[]");
  return parts;
}

/// Parts with blanks between them, in lines of at most that width.
std::vector<std::string> filled_lines(const std::vector<std::string>& parts, int width) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    if (!lines.empty() && display_width(lines.back()) + 1 + display_width(part) <= width) lines.back() += " " + part;
    else lines.push_back(part);
  }
  return lines;
}

std::string here_mark(const RenderOptions& options) {
  return (options.ascii ? std::string("<- ") : std::string("◀ ")) + say("map.here");
}

/// What stands in a box. Of each line: its style, and the parts between which it may be broken.
struct MapContent {
  struct Text {
    std::vector<std::string> parts;
    Style style = Style::Plain;
  };
  std::vector<Text> texts;

  int least() const {
    int width = 1;
    for (const Text& text : texts)
      for (const std::string& part : text.parts) width = std::max(width, display_width(part));
    return width;
  }
  int most() const {
    int width = 1;
    for (const Text& text : texts) width = std::max(width, display_width(join(text.parts, " ")));
    return width;
  }
  std::vector<Line> lines(int width) const {
    std::vector<Line> out;
    for (const Text& text : texts)
      for (const std::string& line : filled_lines(text.parts, width)) out.emplace_back(line, text.style);
    return out;
  }
};

std::vector<std::string> blank_parts(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

/// "linear fc_q," stays in one line.
std::vector<std::string> work_parts(const std::string& name, const std::vector<std::string>& work) {
  std::vector<std::string> parts = blank_parts(name);
  for (std::size_t k = 0; k < work.size(); ++k) {
    const std::string item = visible(work[k]) + (k + 1 < work.size() ? "," : "");
    if (display_width(item) <= kShortItem) parts.push_back(item);
    else
      for (std::string& part : blank_parts(item)) parts.push_back(std::move(part));
  }
  return parts;
}

MapContent content_of(const MapView& view, std::size_t node, const RenderOptions& options) {
  MapContent content;
  content.texts.push_back({blank_parts(map_name(view.map.nodes[node])), Style::Name});
  if (is_here(view, node)) content.texts.push_back({{here_mark(options)}, Style::Ask});
  for (const MapEdge& edge : view.map.edges)
    if (edge.to == node && !edge.work.empty())
      content.texts.push_back({work_parts(map_name(view.map.nodes[edge.from]) + ":", edge.work), Style::Plain});
  if (!view.map.nodes[node].work.empty())
    content.texts.push_back({work_parts("", view.map.nodes[node].work), Style::Plain});
  content.texts.push_back({axis_parts(view, node), Style::Dim});
  return content;
}

// ---- boxes and lines on a canvas ----

struct PlacedCell {
  std::optional<std::size_t> node;  // none of a line
  int width = 1, center = 0;
  std::vector<Line> lines = {};
  bool leads_on = false;

  int left() const { return center - width / 2; }
};

struct MapWay {
  std::size_t from = 0, to = 0;
  int start = 0, end = 0;  // columns
};

/// One cell of the canvas each; the second of a wide character is empty.
struct MapSign {
  std::string text = " ";
  Style style = Style::Plain;
};

class MapDrawing {
 public:
  MapDrawing(const MapView& view, int width, const RenderOptions& options)
      : view_(view), layers_(map_layers(view.map)), width_(width), options_(options) {}

  /// No lines where the boxes do not fit.
  std::vector<Line> draw() {
    for (std::size_t layer = 0; layer < layers_.cells.size(); ++layer)
      if (!make_cells(layer)) return {};
    settle();
    for (std::size_t layer = 0; layer < cells_.size(); ++layer) {
      std::vector<MapWay> ways;
      if (layer > 0 && !find_ways(layer, ways)) return {};
      if (layer > 0 && !put_ways(layer, ways)) return {};
      put_layer(layer, ways);
    }
    std::vector<Line> out;
    for (const std::vector<MapSign>& row : rows_) {
      Line& line = out.emplace_back();
      for (std::size_t at = 0; at < row.size();) {
        const Style style = row[at].style;
        std::string text;
        while (at < row.size() && row[at].style == style) text += row[at++].text;
        line.add(text, style);
      }
    }
    return out;
  }

 private:
  const BoxSigns& signs() const { return options_.ascii ? kAsciiBox : kUnicodeBox; }

  /// The widest cap on the boxes of a layer with which they fit.
  bool make_cells(std::size_t layer) {
    const std::vector<MapCell>& cells = layers_.cells[layer];
    std::vector<MapContent> contents;
    int room = width_ - kMapBetween * static_cast<int>(cells.size() - 1), widest = 1, least = 0;
    for (const MapCell& cell : cells) {
      if (cell.is_line) --room;
      contents.push_back(cell.is_line ? MapContent{} : content_of(view_, cell.node, options_));
      if (cell.is_line) continue;
      room -= kMapFrame;
      widest = std::max(widest, contents.back().most());
      least += contents.back().least();
    }
    if (least > room) return false;
    const auto width_at = [&](const MapContent& content, int cap) {
      return std::min(content.most(), std::max(content.least(), cap));
    };
    const auto sum_at = [&](int cap) {
      int sum = 0;
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (!cells[i].is_line) sum += width_at(contents[i], cap);
      return sum;
    };
    while (sum_at(widest) > room) --widest;
    std::vector<PlacedCell>& placed = cells_.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      PlacedCell& cell = placed.emplace_back();
      if (cells[i].is_line) continue;
      cell.node = cells[i].node;
      cell.lines = contents[i].lines(width_at(contents[i], widest));
      int inner = 1;
      for (const Line& line : cell.lines) inner = std::max(inner, line.width());
      cell.width = inner + kMapFrame;
      cell.leads_on = std::any_of(view_.map.edges.begin(), view_.map.edges.end(),
                                  [&](const MapEdge& edge) { return edge.from == cells[i].node; });
    }
    return true;
  }

  void settle() {
    std::vector<std::vector<int>> widths;
    for (const auto& layer : cells_) {
      std::vector<int>& row = widths.emplace_back();
      for (const PlacedCell& cell : layer) row.push_back(cell.width);
    }
    const std::vector<std::vector<int>> centers = map_centers(layers_, widths, kMapBetween, width_);
    for (std::size_t layer = 0; layer < cells_.size(); ++layer)
      for (std::size_t i = 0; i < cells_[layer].size(); ++i) cells_[layer][i].center = centers[layer][i];
  }

  /// A line goes straight down where it can; else it ends at a column of its own on the box below.
  bool find_ways(std::size_t layer, std::vector<MapWay>& ways) const {
    const std::vector<PlacedCell>&above = cells_[layer - 1], &below = cells_[layer];
    std::set<int> starts, taken;
    for (const MapLayers::Link& link : layers_.links[layer - 1]) {
      ways.push_back({link.from, link.to, above[link.from].center, -1});
      starts.insert(above[link.from].center);
    }
    const auto is_corner = [](const PlacedCell& box, int column) {
      return box.node && std::min(column - box.left(), box.left() + box.width - 1 - column) < kMapFrame;
    };
    const auto is_on = [&](const PlacedCell& box, int column) {
      return box.node ? column > box.left() && column < box.left() + box.width - 1 : column == box.center;
    };
    for (MapWay& way : ways)
      if (is_on(below[way.to], way.start) && !is_corner(below[way.to], way.start)) taken.insert(way.end = way.start);
    for (MapWay& way : ways) {
      if (way.end >= 0) continue;
      const PlacedCell& box = below[way.to];
      if (!box.node) {
        way.end = box.center;
        if (!taken.insert(way.end).second) return false;
        continue;
      }
      // From the middle outwards, the side that the line comes from first.
      const int side = way.start < box.center ? -1 : 1;
      for (int away = 0; away < box.width && way.end < 0; ++away) {
        for (const int column : {box.center + side * away, box.center - side * away}) {
          if (way.end >= 0 || !is_on(box, column) || starts.contains(column)) continue;
          const bool is_free = !taken.contains(column - 1) && !taken.contains(column + 1);
          if (is_free && taken.insert(column).second) way.end = column;
        }
      }
      if (way.end < 0) return false;
    }
    return true;
  }

  struct Track {
    int start = 0, row = 0;
    std::vector<int> ends;
    int left() const { return std::min(start, *std::min_element(ends.begin(), ends.end())); }
    int right() const { return std::max(start, *std::max_element(ends.begin(), ends.end())); }
    bool is_straight() const { return left() == right(); }
  };

  /// Every source that turns has a row of its own, or shares one with those beside it.
  static bool find_rows(std::vector<Track>& tracks, int& n_rows) {
    std::vector<bool> done(tracks.size(), false);
    for (std::size_t round = 0; round < tracks.size(); ++round) {
      bool any = false;
      for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (done[i]) continue;
        Track& track = tracks[i];
        int row = 0;
        bool waits = false;
        for (std::size_t other = 0; other < tracks.size(); ++other) {
          // The other leaves from a column at which this one ends: it must have turned before.
          const bool is_under =
              other != i && !tracks[other].is_straight() &&
              std::find(track.ends.begin(), track.ends.end(), tracks[other].start) != track.ends.end();
          if (!is_under) continue;
          waits = waits || !done[other];
          row = std::max(row, tracks[other].row + 1);
        }
        if (waits) continue;
        const auto is_taken = [&](int at) {
          return std::any_of(tracks.begin(), tracks.end(), [&](const Track& other) {
            return done[static_cast<std::size_t>(&other - tracks.data())] && !other.is_straight() && other.row == at &&
                   other.left() <= track.right() + 1 && track.left() <= other.right() + 1;
          });
        };
        while (!track.is_straight() && is_taken(row)) ++row;
        track.row = row;
        done[i] = any = true;
        if (!track.is_straight()) n_rows = std::max(n_rows, row + 1);
      }
      if (!any) break;
    }
    return std::all_of(done.begin(), done.end(), [](bool one) { return one; });
  }

  bool put_ways(std::size_t layer, const std::vector<MapWay>& ways) {
    std::vector<Track> tracks;
    for (std::size_t from = 0; from < cells_[layer - 1].size(); ++from) {
      Track track;
      for (const MapWay& way : ways) {
        if (way.from != from) continue;
        track.start = way.start;
        track.ends.push_back(way.end);
      }
      if (!track.ends.empty()) tracks.push_back(std::move(track));
    }
    int n_rows = 0;
    if (!find_rows(tracks, n_rows)) return false;
    const std::size_t top = rows_.size();
    for (int row = 0; row < n_rows; ++row) rows_.push_back(blank_row());
    for (const Track& track : tracks)
      for (int column = track.left(); column <= track.right() && !track.is_straight(); ++column)
        set(top + static_cast<std::size_t>(track.row), column, signs().across);
    for (const Track& track : tracks) put_track(track, top, n_rows);
    return true;
  }

  // Where a line passes under another, the other is broken: only joints of one source touch.
  void put_track(const Track& track, std::size_t top, int n_rows) {
    const auto put_down = [&](int column, int first, int end) {
      for (int row = first; row < end; ++row) set(top + static_cast<std::size_t>(row), column, signs().down);
    };
    if (track.is_straight()) return put_down(track.start, 0, n_rows);
    put_down(track.start, 0, track.row);
    std::map<int, unsigned> sides;
    sides[track.start] |= kUpSide;
    for (const int end : track.ends) {
      sides[end] |= kDownSide;
      put_down(end, track.row + 1, n_rows);
    }
    for (const auto& [column, side] : sides) {
      const unsigned all = side | (column > track.left() ? kLeftSide : 0U) | (column < track.right() ? kRightSide : 0U);
      set(top + static_cast<std::size_t>(track.row), column, signs().joint[all]);
    }
  }

  void put_layer(std::size_t layer, const std::vector<MapWay>& ways) {
    const std::vector<PlacedCell>& cells = cells_[layer];
    std::size_t height = 0;
    for (const PlacedCell& cell : cells) height = std::max(height, cell.lines.size());
    const std::size_t top = rows_.size();
    for (std::size_t row = 0; row < height + 2; ++row) rows_.push_back(blank_row());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].node) put_box(cells[i], i, top, height, ways);
      else
        for (std::size_t row = top; row < rows_.size(); ++row) set(row, cells[i].center, signs().down);
    }
  }

  void put_box(const PlacedCell& cell, std::size_t number, std::size_t top, std::size_t height,
               const std::vector<MapWay>& ways) {
    const int left = cell.left(), right = left + cell.width - 1;
    const std::size_t bottom = top + height + 1;
    for (int column = left + 1; column < right; ++column) {
      set(top, column, signs().across);
      set(bottom, column, signs().across);
    }
    set(top, left, signs().joint[kRightSide | kDownSide]);
    set(top, right, signs().joint[kLeftSide | kDownSide]);
    set(bottom, left, signs().joint[kRightSide | kUpSide]);
    set(bottom, right, signs().joint[kLeftSide | kUpSide]);
    if (cell.leads_on) set(bottom, cell.center, signs().joint[kLeftSide | kRightSide | kDownSide]);
    for (const MapWay& way : ways)
      if (way.to == number) set(top, way.end, signs().arrow);
    for (std::size_t row = 0; row < height; ++row) {
      set(top + 1 + row, left, signs().down);
      set(top + 1 + row, right, signs().down);
      if (row < cell.lines.size()) write(top + 1 + row, left + 2, cell.lines[row]);
    }
  }

  std::vector<MapSign> blank_row() const { return std::vector<MapSign>(static_cast<std::size_t>(width_)); }
  void set(std::size_t row, int column, std::string_view sign) {
    rows_[row].at(static_cast<std::size_t>(column)) = {std::string(sign), Style::Plain};
  }
  void write(std::size_t row, int column, const Line& line) {
    std::size_t at = 0;
    auto cell = static_cast<std::size_t>(column);
    for (const std::string_view letter : graphemes(line.text())) {
      const Line one = line.slice(at, at + letter.size());
      at += letter.size();
      rows_[row].at(cell) = {std::string(letter), style_at(line)};
      for (int more = 1; more < one.width(); ++more) rows_[row].at(cell + static_cast<std::size_t>(more)).text.clear();
      cell += static_cast<std::size_t>(std::max(1, one.width()));
    }
  }
  /// Lines of a box have one style each.
  Style style_at(const Line& line) const { return line.first_style(); }

  const MapView& view_;
  const MapLayers layers_;
  const int width_;
  const RenderOptions& options_;
  std::vector<std::vector<PlacedCell>> cells_;
  std::vector<std::vector<MapSign>> rows_;
};

/// Columns of the centers of the cells, which follow from one another.
class MapColumns {
 public:
  MapColumns(const MapLayers& layers, const std::vector<std::vector<int>>& widths, int between, int room)
      : layers_(layers), widths_(widths), between_(between), room_(room) {
    for (const std::vector<int>& row : widths) {
      int x = (room + between - std::accumulate(row.begin(), row.end(), static_cast<int>(row.size()) * between)) / 2;
      std::vector<int>& centers = centers_.emplace_back();
      for (const int width : row) {
        centers.push_back(x + width / 2);
        x += width + between;
      }
    }
  }

  // Each pass moves a layer as near to its neighbors as its order allows.
  std::vector<std::vector<int>> settled() {
    for (int pass = 0; pass < kSettling; ++pass) {
      for (std::size_t layer = 1; layer < centers_.size(); ++layer) move(layer, wanted(layer, layer - 1));
      for (std::size_t layer = centers_.size() - 1; layer-- > 0 && pass + 1 < kSettling;)
        move(layer, wanted(layer, layer + 1));
    }
    int left = room_;
    for (std::size_t layer = 0; layer < centers_.size(); ++layer)
      left = std::min(left, centers_[layer].front() - widths_[layer].front() / 2);
    for (std::vector<int>& row : centers_)
      for (int& center : row) center -= left;
    return centers_;
  }

 private:
  std::vector<int> wanted(std::size_t layer, std::size_t other) const {
    std::vector<int> out;
    const bool is_above = other < layer;
    for (std::size_t i = 0; i < centers_[layer].size(); ++i) {
      int sum = 0, count = 0;
      for (const MapLayers::Link& link : layers_.links[is_above ? other : layer]) {
        if ((is_above ? link.to : link.from) != i) continue;
        sum += centers_[other][is_above ? link.from : link.to];
        ++count;
      }
      out.push_back(count > 0 ? sum / count : centers_[layer][i]);
    }
    return out;
  }

  // As far left as the wishes allow, as far right, and the middle of both, in which the order holds as well.
  void move(std::size_t layer, std::vector<int> wishes) {
    const std::vector<int>& widths = widths_[layer];
    std::vector<int>& centers = centers_[layer];
    const std::size_t n = centers.size();
    const auto apart = [&](std::size_t i) {  // least distance of the centers of i and i + 1
      return widths[i] - widths[i] / 2 + between_ + widths[i + 1] / 2;
    };
    std::vector<int> low(n), high(n);
    low[0] = widths[0] / 2;
    for (std::size_t i = 1; i < n; ++i) low[i] = low[i - 1] + apart(i - 1);
    high[n - 1] = room_ - widths[n - 1] + widths[n - 1] / 2;
    for (std::size_t i = n - 1; i-- > 0;) high[i] = high[i + 1] - apart(i);
    for (std::size_t i = 0; i < n; ++i) wishes[i] = std::clamp(wishes[i], low[i], std::max(low[i], high[i]));
    std::vector<int> forward = wishes, backward = wishes;
    for (std::size_t i = 1; i < n; ++i) forward[i] = std::max(forward[i], forward[i - 1] + apart(i - 1));
    for (std::size_t i = n - 1; i-- > 0;) backward[i] = std::min(backward[i], backward[i + 1] - apart(i));
    for (std::size_t i = 0; i < n; ++i) centers[i] = (forward[i] + backward[i]) / 2;
    for (std::size_t i = 1; i < n; ++i) centers[i] = std::max(centers[i], centers[i - 1] + apart(i - 1));
  }

  const MapLayers& layers_;
  const std::vector<std::vector<int>>& widths_;
  const int between_, room_;
  std::vector<std::vector<int>> centers_;
};

std::vector<std::string> source_names(const LessonMap& map, std::size_t node, bool with_work) {
  std::vector<std::string> out;
  for (const MapEdge& edge : map.edges) {
    if (edge.to != node) continue;
    const std::string name = map_name(map.nodes[edge.from]);
    const bool has_own = with_work && !edge.work.empty();
    out.push_back(has_own ? say("map.source", {{"name", name}, {"work", join(edge.work, ", ")}}) : name);
  }
  return out;
}

/// A tensor after the other, each with an arrow from what it was made from.
void put_list(Page& page, const MapView& view) {
  const std::string arrow(page.glyphs().arrow);
  for (std::size_t node = 0; node < view.map.nodes.size(); ++node) {
    Line name(map_name(view.map.nodes[node]), Style::Name);
    if (is_here(view, node)) name.add("  ").add(here_mark(page.options()), Style::Ask);
    page.put(name, 2);
    const Page::Indent indent = page.indent(2);
    for (const MapEdge& edge : view.map.edges) {
      if (edge.to != node) continue;
      Line line(arrow + " ");
      line.add(map_name(view.map.nodes[edge.from]));
      if (!edge.work.empty()) line.add(": " + join(edge.work, ", "));
      page.put(line, 4);
    }
    if (!view.map.nodes[node].work.empty()) page.put(Line(join(view.map.nodes[node].work, ", ")), 2);
    for (const std::string& line : filled_lines(axis_parts(view, node), page.width())) page.put(line, Style::Dim);
  }
}

void put_ahead(Page& page, const MapView& view) {
  for (const MapNode& node : view.map.nodes) {
    if (view.ahead < 0 || node.step < view.ahead) continue;
    page.put(Line(say("map.ahead", {{"name", map_name(node)}})), 2);
    return;
  }
}

}  // namespace

std::string map_name(const MapNode& node) {
  std::vector<std::string> names;
  for (const std::string& name : node.names) names.push_back(visible(name));
  return join(names, " = ");
}

std::vector<Line> map_lines(const MapView& view, std::size_t node, int width, const RenderOptions& options) {
  return content_of(view, node, options).lines(width);
}

std::vector<std::vector<int>> map_centers(const MapLayers& layers, const std::vector<std::vector<int>>& widths,
                                          int between, int room) {
  return MapColumns(layers, widths, between, room).settled();
}

void put_map(Page& page, const MapView& view) {
  if (view.map.nodes.empty()) return;
  if (page.options().linear) return put_linear_map(page, view);
  const std::vector<Line> lines = MapDrawing(view, page.width(), page.options()).draw();
  if (lines.empty()) put_list(page, view);
  for (const Line& line : lines) page.put(line);
  put_ahead(page, view);
}

void put_linear_map(Page& page, const MapView& view) {
  for (std::size_t node = 0; node < view.map.nodes.size(); ++node) {
    const std::vector<std::string> sources = source_names(view.map, node, true);
    const std::string work = visible(join(view.map.nodes[node].work, ", "));
    std::string how = say("map.given");
    if (!sources.empty() && work.empty()) how = say("map.from", {{"sources", join(sources, ", ")}});
    if (!sources.empty() && !work.empty()) how = say("map.from.by", {{"sources", join(sources, ", ")}, {"work", work}});
    const std::string mark = is_here(view, node) ? " " + say("map.here.linear") : "";
    page.put(Line(say("map.node", {{"name", map_name(view.map.nodes[node])},
                                   {"axes", join(axis_parts(view, node), " ")},
                                   {"how", how}}) +
                  mark),
             2);
  }
  put_ahead(page, view);
}

bool is_drawn_map(const Trace& trace, const Prose& prose) {
  const bool may_be = prose.kind == Prose::Kind::Code && prose.language == "map";  // a lesson may have many blocks
  return may_be && &prose == map_block(trace);
}

Prose with_map(const Trace& trace, const Prose& prose, const RenderOptions& options) {
  if (!is_drawn_map(trace, prose)) return prose;
  RenderOptions plain = options;
  plain.color = false;
  Page page(plain);
  put_map(page, {trace, lesson_map(trace)});
  Prose drawn = prose;
  drawn.language = "text";
  drawn.text = page.text();
  return drawn;
}

}  // namespace attn
