#include "render/html/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "explain/axis_flow.h"
#include "render/html/text.h"
#include "render/op_parts.h"

namespace attn {
namespace {

// In pixels. A cell is one of the letters in data/page.css.
constexpr int kCell = 7, kPadding = 12, kBoxGap = 8, kHeight = 36, kBetween = 34;
constexpr int kColors = 12;       // of axes, in data/page.css; their names distinguish them, too
constexpr int kMostDrawings = 3;  // of a step: of a list made in a loop the others are alike
constexpr int kNameLine = 15, kSizeLine = 29, kOnlyLine = 22;

struct KnownAxis {
  std::string_view name;
  int color;
};

// Those that do the same work on different pages share a color.
constexpr KnownAxis kKnownAxes[] = {
    {"batch_size", 0}, {"query_len", 1},  {"tgt_len", 1},   {"key_len", 2},     {"src_len", 2},
    {"n_heads", 3},    {"head_dim", 4},   {"key_dim", 4},   {"hidden_dim", 5},  {"embed_dim", 5},
    {"seq_len", 6},    {"vocab_size", 7}, {"value_dim", 8}, {"n_key_heads", 9},
};

/// FNV-1a, the same on every machine.
int color_by_name(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<int>(hash % kColors);
}

/// A band runs from one part of the lower edge of a box to one part of the upper edge of another.
struct Edge {
  int left = 0, right = 0;
};

struct Box {
  std::string name, size, color = {};
  int x = 0, width = 0;
};

using BoxRow = std::vector<Box>;

int row_width(const std::vector<std::size_t>& axes, const BoxRow& row) {
  int width = -kBoxGap;
  for (const std::size_t axis : axes) width += row[axis].width + kBoxGap;
  return width;
}

class FlowDrawing {
 public:
  FlowDrawing(const Trace& trace, const std::vector<AxisFlow>& flows, const AxisColors& colors)
      : trace_(trace), flows_(flows), colors_(colors) {
    rows_.push_back(row_of(flows.front().from));
    for (const AxisFlow& flow : flows) rows_.push_back(row_of(flow.to));
    grow();
    place();
  }

  std::string write() {
    std::string texts, label;
    for (std::size_t k = 0; k < flows_.size(); ++k) {
      add_bands_below(k);
      const Op& op = trace_.op(flows_[k].op);
      texts += fmt::format("<text class=\"op\" x=\"2\" y=\"{}\">{}</text>", top_of(k + 1) - kBetween / 2 + 4,
                           html_text(op.name));
      label += (k > 0 ? " " : "") + axis_flow_text(trace_, flows_[k]);
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (const Box& box : rows_[k]) {
        shapes_[box.color] += fmt::format("M{} {}h{}v{}h-{}z", box.x, top_of(k), box.width, kHeight, box.width);
        texts += box_text(box, top_of(k));
      }
    }
    std::string shapes;
    for (const auto& [color, path] : shapes_) shapes += fmt::format("<path class=\"{}\" d=\"{}\"/>", color, path);
    return fmt::format(
        "<div class=\"wide flow\" role=\"img\" aria-label=\"{}\"><svg width=\"{}\" height=\"{}\" "
        "aria-hidden=\"true\">{}{}</svg></div>\n",
        html_text(label), width_ + 2, top_of(rows_.size()) - kBetween + 1, shapes, texts);
  }

 private:
  static int top_of(std::size_t row) { return 1 + static_cast<int>(row) * (kHeight + kBetween); }

  BoxRow row_of(ValueId id) {
    const RecordedValue& value = trace_.value(id);
    BoxRow row;
    for (std::size_t d = 0; d < value.shape.size(); ++d) {
      Box box{d < value.axes.size() ? value.axes[d].name : "", std::to_string(value.shape[d])};
      box.color = colors_.class_of(box.name);
      box.width = std::max(display_width(box.name), display_width(box.size)) * kCell + kPadding;
      row.push_back(std::move(box));
    }
    return row;
  }

  // An axis that is cut or merged is as wide as its parts together, so that the bands run straight.
  void grow() {
    for (std::size_t again = 0; again < flows_.size(); ++again) {
      for (std::size_t k = 0; k < flows_.size(); ++k) {
        for (const AxisGroup& group : axis_groups(trace_, flows_[k])) {
          BoxRow &above = rows_[k], &below = rows_[k + 1];
          const int width = std::max(row_width(group.from, above), row_width(group.to, below));
          if (group.from.size() == 1) above[group.from[0]].width = std::max(above[group.from[0]].width, width);
          if (group.to.size() == 1) below[group.to[0]].width = std::max(below[group.to[0]].width, width);
        }
      }
    }
  }

  void place() {
    for (BoxRow& row : rows_) {
      int x = 1;
      for (Box& box : row) {
        box.x = x;
        x += box.width + kBoxGap;
      }
      width_ = std::max(width_, x - kBoxGap);
    }
  }

  /// The part of an edge of `box` that leads to partner `number` of those in the other row.
  static Edge part_of(const Box& box, const std::vector<std::size_t>& partners, std::size_t number,
                      const BoxRow& other) {
    int all = 0, before = 0;
    for (std::size_t k = 0; k < partners.size(); ++k) {
      all += other[partners[k]].width;
      if (k < number) before += other[partners[k]].width;
    }
    const int own = other[partners[number]].width;
    return {box.x + box.width * before / all, box.x + box.width * (before + own) / all};
  }

  void add_bands_below(std::size_t k) {
    const BoxRow &above = rows_[k], &below = rows_[k + 1];
    std::vector<std::vector<std::size_t>> down(above.size()), up(below.size());
    for (const auto& [i, j] : flows_[k].links) {
      down[i].push_back(j);
      up[j].push_back(i);
    }
    const auto at = [](const std::vector<std::size_t>& list, std::size_t axis) {
      return static_cast<std::size_t>(std::find(list.begin(), list.end(), axis) - list.begin());
    };
    for (const auto& [i, j] : flows_[k].links) {
      const Edge from = part_of(above[i], down[i], at(down[i], j), below);
      const Edge to = part_of(below[j], up[j], at(up[j], i), above);
      shapes_[up[j].size() > 1 ? above[i].color : below[j].color] += band(from, to, top_of(k) + kHeight);
    }
  }

  /// From there on all relative, which is shorter.
  static std::string band(const Edge& from, const Edge& to, int top) {
    const int half = kBetween / 2, right = to.right - from.right, left = from.left - to.left;
    return fmt::format("M{} {}h{}c0 {} {} {} {} {}h-{}c0-{} {}-{} {}-{}z", from.left, top, from.right - from.left, half,
                       right, half, right, kBetween, to.right - to.left, half, left, half, left, kBetween);
  }

  /// The name, and the size below it.
  static std::string box_text(const Box& box, int top) {
    const int middle = box.x + box.width / 2;
    const std::string size = fmt::format("<tspan x=\"{}\" y=\"{}\">{}</tspan>", middle,
                                         top + (box.name.empty() ? kOnlyLine : kSizeLine), box.size);
    return fmt::format("<text x=\"{}\" y=\"{}\">{}{}</text>", middle, top + kNameLine, html_text(box.name), size);
  }

  const Trace& trace_;
  const std::vector<AxisFlow>& flows_;
  const AxisColors& colors_;
  std::vector<BoxRow> rows_;
  std::map<std::string, std::string> shapes_;  // of each color: boxes, and the bands between them
  int width_ = 0;
};

}  // namespace

AxisColors::AxisColors(const Trace& trace) {
  std::set<std::string> others;
  std::set<int> taken;
  for (const RecordedValue& value : trace.values) {
    for (const AxisRecord& axis : value.axes) {
      const auto known = std::find_if(std::begin(kKnownAxes), std::end(kKnownAxes),
                                      [&](const KnownAxis& one) { return one.name == axis.name; });
      if (known == std::end(kKnownAxes)) {
        others.insert(axis.name);
        continue;
      }
      numbers_[axis.name] = known->color;
      taken.insert(known->color);
    }
  }
  for (const std::string& name : others) {
    if (name.empty()) continue;
    int color = color_by_name(name);
    for (int tries = 0; tries < kColors && taken.contains(color); ++tries) color = (color + 1) % kColors;
    numbers_[name] = color;
    taken.insert(color);
  }
}

std::string AxisColors::class_of(const std::string& name) const {
  const auto number = numbers_.find(name);
  return number == numbers_.end() ? "" : fmt::format("a{}", number->second);
}

std::string html_flow(const Trace& trace, const Step& step, const AxisColors& colors) {
  std::string out;
  std::vector<AxisFlow> chain;
  int drawn = 0;
  const auto put = [&] {
    if (!chain.empty() && drawn++ < kMostDrawings) out += FlowDrawing(trace, chain, colors).write();
    chain.clear();
  };
  for (const OpPart& part : op_parts(trace, step)) {
    if (part.kind == OpPart::Kind::Rounds) continue;
    // What was done above was drawn there.
    const auto flow =
        part.kind == OpPart::Kind::Op ? axis_flow(trace, static_cast<OpId>(part.op - trace.ops.data())) : std::nullopt;
    if (!flow || (!chain.empty() && chain.back().to != flow->from)) put();
    if (flow) chain.push_back(*flow);
  }
  put();
  return out;
}

}  // namespace attn
