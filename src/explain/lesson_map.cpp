// Over 400 lines: what an op did in words, the graph, and the layers of its drawing.
#include "explain/lesson_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "explain/axis_flow.h"
#include "explain/lint_flow.h"
#include "explain/wording.h"
#include "syntax/characters.h"
#include "text/say.h"
#include "torch/op.h"

namespace attn {
namespace {

constexpr std::size_t kMostWork = 5;  // words about one way; a loop has many
constexpr int kSweeps = 8;            // over the layers, to find an order with few crossings

// ---- what an op did, in a word or two ----

std::string sized(std::string_view sign, const Op& op) {
  const auto text = attribute(op, "other");
  if (!text) return std::string(sign);
  const auto number = parse_double(*text);
  return fmt::format("{} {}", sign, number ? fmt::format("{:.4g}", *number) : elide(*text, 12));
}

/// Whether a statement binds it: what runs through a list in a comprehension names no layer.
bool is_bound(const Trace& trace, std::string_view name) {
  return std::any_of(trace.steps.begin(), trace.steps.end(), [&](const Step& step) {
    return std::any_of(step.bindings.begin(), step.bindings.end(),
                       [&](const Binding& binding) { return binding.target == name; });
  });
}

/// "fc_q" of "self.fc_q(query)"; empty of F.linear(...).
std::string layer_name(const Trace& trace, const Op& op) {
  if (op.span.source >= trace.sources.size() || op.span.begin >= op.span.end) return {};
  const std::string_view code = trace.sources[op.span.source].slice(op.span);
  std::string_view callee = code.substr(0, std::min(code.find('('), code.size()));
  if (callee.size() == code.size() || callee.starts_with("F.") || callee.starts_with("torch.")) return {};
  if (callee.starts_with("self.")) callee.remove_prefix(5);
  else if (!is_bound(trace, callee.substr(0, callee.find('.')))) return {};
  const bool is_path = std::all_of(callee.begin(), callee.end(), [](char c) { return continues_name(c) || c == '.'; });
  return is_path ? std::string(callee) : std::string();
}

/// "softmax over key_len".
std::string reduced(const Trace& trace, const Op& op, std::string_view name) {
  const ValueId input = input_named(op, "input");
  const auto dim = attribute(op, "dim");
  if (input < 0 || !dim) return std::string(name);
  const RecordedValue& value = trace.value(input);
  std::vector<std::string> axes;
  for (const std::int64_t axis : ints_in(*dim)) {
    const std::size_t at = wrapped_axis(axis, value.shape.size());
    if (at >= value.axes.size() || value.axes[at].name.empty()) return std::string(name);
    axes.push_back(value.axes[at].name);
  }
  if (axes.empty()) return std::string(name);
  return say("map.over", {{"op", std::string(name)}, {"axes", join(axes, ", ")}});
}

/// Of a view: which axis it cuts, or which it merges. Empty where it does neither, or an axis has no name.
std::string regrouped(const Trace& trace, OpId id) {
  const auto flow = axis_flow(trace, id);
  if (!flow) return {};
  const auto named = [](const RecordedValue& value, const std::vector<std::size_t>& axes) {
    std::vector<std::string> names;
    for (const std::size_t axis : axes) {
      if (axis >= value.axes.size() || value.axes[axis].name.empty()) return std::string();
      names.push_back(value.axes[axis].name);
    }
    return join(names, " x ");
  };
  std::vector<std::string> said;
  for (const AxisGroup& group : axis_groups(trace, *flow)) {
    const bool is_cut = group.from.size() == 1 && group.to.size() > 1;
    const bool is_merged = group.from.size() > 1 && group.to.size() == 1;
    if (!is_cut && !is_merged) continue;
    const std::string axes = named(trace.value(flow->from), group.from);
    if (axes.empty()) return {};
    said.push_back(say(is_cut ? "map.split" : "map.merge", {{"axes", axes}}));
  }
  return join(said, ", ");
}

std::string work_of(const Trace& trace, OpId id) {
  const Op& op = trace.op(id);
  const std::string_view name = plain_name(op);
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"div", "/"}, {"eq", "=="},
      {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
  for (const auto& [known, sign] : kSigns)
    if (name == known) return sized(sign, op);
  const OpInfo* info = find_op(op.spelling);
  if (const std::string layer = layer_name(trace, op); name == "linear" && !layer.empty())
    return say("map.linear", {{"layer", layer}});
  if (name == "softmax" || (info && info->element == ElementRule::Reduce)) return reduced(trace, op, name);
  if (info && info->element == ElementRule::IndexMap)
    if (std::string text = regrouped(trace, id); !text.empty()) return text;
  return std::string(name);
}

// ---- which tensor came from which ----

/// Values as a graph of ops. An op that hands back what it was given made nothing; what a composite did inside counts
/// as the composite.
class ValueGraph {
 public:
  explicit ValueGraph(const Trace& trace) : trace_(trace), makers_(trace.values.size(), -1) {
    for (OpId id = 0; id < static_cast<OpId>(trace.ops.size()); ++id) {
      const Op& op = trace.op(id);
      if (op.parent >= 0 || op.failed) continue;
      for (const ValueId made : op.outputs) {
        const bool was_given = std::any_of(op.inputs.begin(), op.inputs.end(),
                                           [&](const OpOperand& input) { return input.value >= made; });
        if (made >= 0 && !was_given && maker(made) < 0) makers_[static_cast<std::size_t>(made)] = id;
      }
      if (op.in_place && !op.outputs.empty() && op.outputs[0] >= 0)
        writes_[trace.value(op.outputs[0]).storage].push_back(op.outputs[0]);
    }
    std::map<std::tuple<std::int64_t, std::int64_t, Shape, Shape>, ValueId> last;  // record of a place, so far
    for (ValueId id = 0; id < static_cast<ValueId>(trace.values.size()); ++id) {
      const RecordedValue& value = trace.value(id);
      sames_.push_back(id);
      olders_.push_back(-1);
      if (!value.is_tensor) continue;
      olders_.back() = firsts_.emplace(value.storage, id).first->second;
      if (!value.tensor.defined()) continue;
      const std::tuple place(value.storage, value.tensor.offset(), value.shape, value.strides);
      const auto [older, is_new] = last.emplace(place, id);
      if (is_new) continue;
      olders_.back() = std::exchange(older->second, id);
      if (maker(id) < 0 && trace.value(olders_.back()).version == value.version)
        sames_.back() = first_record(olders_.back());
    }
  }

  /// The first record of a tensor: it is recorded anew when a comment gives its axes other names.
  ValueId first_record(ValueId id) const { return sames_.at(static_cast<std::size_t>(id)); }

  OpId maker(ValueId id) const { return makers_.at(static_cast<std::size_t>(id)); }

  /// What a value was made from, all of it older. A value that no op made but whose storage was written through another
  /// view came from those writes and from what it held before.
  std::vector<ValueId> sources(ValueId id) const {
    std::vector<ValueId> out;
    if (maker(id) >= 0) {
      for (const OpOperand& input : trace_.op(maker(id)).inputs) out.push_back(input.value);
    } else if (const RecordedValue& value = trace_.value(id); value.is_tensor && value.version > 0) {
      const ValueId older = olders_.at(static_cast<std::size_t>(id));
      if (const auto writes = writes_.find(value.storage); writes != writes_.end())
        for (const ValueId written : writes->second)
          if (trace_.value(written).version > trace_.value(older).version &&
              trace_.value(written).version <= value.version)
            out.push_back(written);
      out.push_back(older);
    }
    std::erase_if(out, [&](ValueId source) { return source < 0 || source >= id; });
    for (ValueId& source : out) source = first_record(source);
    return out;
  }

 private:
  const Trace& trace_;
  std::vector<OpId> makers_;
  std::vector<ValueId> sames_;
  std::vector<ValueId> olders_;  // the record before of the same place in a storage, else the first one of the storage
  std::map<std::int64_t, std::vector<ValueId>> writes_;
  std::map<std::int64_t, ValueId> firsts_;
};

class MapMaker {
 public:
  explicit MapMaker(const Trace& trace) : trace_(trace), graph_(trace) {}

  LessonMap make() {
    find_nodes();
    for (std::size_t to = 0; to < map_.nodes.size(); ++to) find_edges(to);
    if (map_.edges.empty()) map_.nodes.clear();
    return std::move(map_);
  }

 private:
  void find_nodes() {
    for (const MapName& listed : map_names(trace_)) {
      if (listed.value < 0) continue;
      const ValueId value = graph_.first_record(listed.value);
      const auto same = node_of_.find(value);
      if (same != node_of_.end()) {
        MapNode& node = map_.nodes[same->second];
        if (std::find(node.names.begin(), node.names.end(), listed.name) == node.names.end())
          node.names.push_back(listed.name);
        node.step = std::min(node.step, listed.step);
        continue;
      }
      node_of_.emplace(value, map_.nodes.size());
      map_.nodes.push_back({{listed.name}, listed.value, listed.step, {}});
    }
    std::stable_sort(map_.nodes.begin(), map_.nodes.end(),
                     [](const MapNode& a, const MapNode& b) { return a.value < b.value; });
    for (std::size_t i = 0; i < map_.nodes.size(); ++i) node_of_[graph_.first_record(map_.nodes[i].value)] = i;
  }

  /// Back from a node to the nodes that it was made from, with the values on the way.
  void find_edges(std::size_t to) {
    const ValueId target = graph_.first_record(map_.nodes[to].value);
    std::set<ValueId> way;  // without nodes, but for the target
    std::set<std::size_t> sources;
    std::vector<ValueId> open = {target};
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (!way.insert(id).second) continue;
      for (const ValueId source : graph_.sources(id)) {
        const auto node = node_of_.find(source);
        if (node == node_of_.end()) open.push_back(source);
        else sources.insert(node->second);
      }
    }
    std::vector<std::vector<OpId>> works;
    for (const std::size_t from : sources)
      works.push_back(ops_between(graph_.first_record(map_.nodes[from].value), way));
    const std::vector<OpId> shared = shared_ops(works);
    map_.nodes[to].work = words_for(shared);
    std::size_t number = 0;
    for (const std::size_t from : sources) {
      std::vector<OpId> own;
      std::set_difference(works[number].begin(), works[number].end(), shared.begin(), shared.end(),
                          std::back_inserter(own));
      map_.edges.push_back({from, to, words_for(own)});
      ++number;
    }
  }

  /// The ops that lead from a value over that way, in order.
  std::vector<OpId> ops_between(ValueId from, const std::set<ValueId>& way) const {
    std::set<ValueId> reached = {from};
    std::set<OpId> ops;
    for (const ValueId id : way) {  // sources are older than what they made
      const std::vector<ValueId> sources = graph_.sources(id);
      if (std::none_of(sources.begin(), sources.end(), [&](ValueId source) { return reached.contains(source); }))
        continue;
      reached.insert(id);
      if (graph_.maker(id) >= 0) ops.insert(graph_.maker(id));
    }
    return {ops.begin(), ops.end()};
  }

  static std::vector<OpId> shared_ops(const std::vector<std::vector<OpId>>& works) {
    if (works.empty()) return {};
    std::vector<OpId> shared = works.front();
    for (const std::vector<OpId>& other : works) {
      std::vector<OpId> both;
      std::set_intersection(shared.begin(), shared.end(), other.begin(), other.end(), std::back_inserter(both));
      shared = std::move(both);
    }
    return shared;
  }

  std::vector<std::string> words_for(const std::vector<OpId>& ops) const {
    std::vector<std::string> words;
    for (const OpId id : ops) {
      std::string word = work_of(trace_, id);
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
    }
    if (words.size() <= kMostWork) return words;
    const auto left = static_cast<std::int64_t>(words.size() - kMostWork + 1);
    words.resize(kMostWork - 1);
    words.push_back(say_count("map.more", left));
    return words;
  }

  const Trace& trace_;
  const ValueGraph graph_;
  std::map<ValueId, std::size_t> node_of_;
  LessonMap map_;
};

// ---- layers ----

/// The longest way from a source; a source stands right above what is made from it first.
std::vector<std::size_t> depths_of(const LessonMap& map) {
  std::vector<std::size_t> depth(map.nodes.size(), 0);
  for (std::size_t again = 0; again < map.nodes.size(); ++again)
    for (const MapEdge& edge : map.edges) depth[edge.to] = std::max(depth[edge.to], depth[edge.from] + 1);
  for (std::size_t node = 0; node < map.nodes.size(); ++node) {
    const bool is_source =
        std::none_of(map.edges.begin(), map.edges.end(), [&](const MapEdge& edge) { return edge.to == node; });
    std::size_t first = map.nodes.size();
    for (const MapEdge& edge : map.edges)
      if (edge.from == node) first = std::min(first, depth[edge.to]);
    if (is_source && first < map.nodes.size() && first > 0) depth[node] = first - 1;
  }
  return depth;
}

/// The mean place of the cells that a cell is linked to, in the layer before it or behind it.
double mean_place(const std::vector<MapLayers::Link>& links, std::size_t cell, bool is_from, double otherwise) {
  double sum = 0, count = 0;
  for (const MapLayers::Link& link : links) {
    if ((is_from ? link.from : link.to) != cell) continue;
    sum += static_cast<double>(is_from ? link.to : link.from);
    ++count;
  }
  return count > 0 ? sum / count : otherwise;
}

/// Sorts a layer by where its neighbors are.
void reorder(MapLayers& layers, std::size_t layer, bool from_above) {
  std::vector<MapCell>& cells = layers.cells[layer];
  std::vector<double> wanted(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    wanted[i] = from_above ? mean_place(layers.links[layer - 1], i, false, static_cast<double>(i))
                           : mean_place(layers.links[layer], i, true, static_cast<double>(i));
  std::vector<std::size_t> order(cells.size()), place(cells.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<MapCell> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(cells[order[i]]);
  }
  cells = std::move(sorted);
  if (layer > 0)
    for (MapLayers::Link& link : layers.links[layer - 1]) link.to = place[link.to];
  if (layer < layers.links.size())
    for (MapLayers::Link& link : layers.links[layer]) link.from = place[link.from];
}

std::size_t crossings(const MapLayers& layers) {
  std::size_t count = 0;
  for (const auto& links : layers.links)
    for (const auto& a : links)
      for (const auto& b : links) count += a.from < b.from && a.to > b.to;
  return count;
}

}  // namespace

LessonMap lesson_map(const Trace& trace) { return MapMaker(trace).make(); }

std::vector<std::size_t> map_place(const LessonMap& map, const Trace& trace, StepId step) {
  const auto is_inside = [&](StepId inner, StepId outer) {
    for (StepId up = inner; up >= 0; up = trace.step(up).parent)
      if (up == outer) return true;
    return false;
  };
  // What is bound next, but in a call that computes something no further than to its end.
  StepId next = -1, around = -1;
  for (const MapNode& node : map.nodes) {
    if (node.step >= step && (next < 0 || node.step < next)) next = node.step;
    if (node.step < step && is_inside(step, node.step)) around = std::max(around, node.step);
  }
  if (around >= 0 && (next < 0 || !is_inside(next, around))) next = around;
  std::vector<std::size_t> here;
  for (std::size_t i = 0; i < map.nodes.size(); ++i)
    if (next >= 0 && map.nodes[i].step == next) here.push_back(i);
  return here;
}

MapLayers map_layers(const LessonMap& map) {
  MapLayers layers;
  if (map.nodes.empty()) return layers;
  const std::vector<std::size_t> depth = depths_of(map);
  layers.cells.resize(*std::max_element(depth.begin(), depth.end()) + 1);
  layers.links.resize(layers.cells.size() - 1);
  // Index of a node, and of the line that leaves it, in each layer.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> at;
  for (std::size_t node = 0; node < map.nodes.size(); ++node) {
    at[{depth[node], node}] = layers.cells[depth[node]].size();
    layers.cells[depth[node]].push_back({node, false});
  }
  std::map<std::size_t, std::size_t> lowest;  // layer of the lowest line of a source
  for (const MapEdge& edge : map.edges) {
    std::size_t& reached = lowest.emplace(edge.from, depth[edge.from]).first->second;
    for (; reached + 1 < depth[edge.to]; ++reached) {
      const std::size_t line = layers.cells[reached + 1].size();
      layers.cells[reached + 1].push_back({edge.from, true});
      layers.links[reached].push_back({at[{reached, edge.from}], line});
      at[{reached + 1, edge.from}] = line;
    }
  }
  for (const MapEdge& edge : map.edges)
    layers.links[depth[edge.to] - 1].push_back({at[{depth[edge.to] - 1, edge.from}], at[{depth[edge.to], edge.to}]});
  MapLayers best = layers;
  for (int sweep = 0; sweep < kSweeps && crossings(best) > 0; ++sweep) {
    for (std::size_t layer = 1; layer < layers.cells.size(); ++layer) reorder(layers, layer, true);
    if (crossings(layers) < crossings(best)) best = layers;
    for (std::size_t layer = layers.cells.size() - 1; layer-- > 0;) reorder(layers, layer, false);
    if (crossings(layers) < crossings(best)) best = layers;
  }
  return best;
}

}  // namespace attn
