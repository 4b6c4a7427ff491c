// The maps of lessons: every edge as it was reviewed by hand, and held by changing each tensor and seeing what moves.
#include "explain/lesson_map.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "base/diagnostic.h"
#include "engine/weights.h"
#include "tensor/io/safetensors.h"
#include "tensor/ops/compare.h"
#include "tests/render/lesson_traces.h"

namespace attn {
namespace {

using Names = std::set<std::string>;

const std::string& name_of(const LessonMap& map, std::size_t node) { return map.nodes[node].names.front(); }

/// "Q K -> energy" for each node that was made from others, in order.
std::string edges_text(const LessonMap& map) {
  std::string out;
  for (std::size_t to = 0; to < map.nodes.size(); ++to) {
    std::string sources;
    for (const MapEdge& edge : map.edges)
      if (edge.to == to) sources += name_of(map, edge.from) + " ";
    if (!sources.empty()) out += sources + "-> " + name_of(map, to) + "\n";
  }
  return out;
}

/// The blocks of tests/explain/lesson_maps.txt, by lesson.
std::map<std::string, std::string> reviewed_edges() {
  std::ifstream file(ATTN_SOURCE_DIR "/tests/explain/lesson_maps.txt");
  std::map<std::string, std::string> out;
  std::string line, lesson;
  while (std::getline(file, line)) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.ends_with(':')) lesson = line.substr(0, line.size() - 1);
    else out[lesson] += line + "\n";
  }
  return out;
}

Trace mapped(const std::string& names, const std::string& code, const RunOptions& options = {}) {
  LoadFindings findings;
  const std::string text = "# Map\n\nText.\n\n```map\n" + names +
                           "\n```\n\n```python hidden\nimport torch\nimport torch.nn as nn\n```\n\n```python\n" + code +
                           "\n```\n";
  return run_lesson(load_lesson("01-map.md", text, findings), options);
}

std::string edges_of(const std::string& names, const std::string& code) {
  return edges_text(lesson_map(mapped(names, code)));
}

TEST(EveryLesson, HasTheEdgesThatWereReviewed) {
  const auto reviewed = reviewed_edges();
  for (const Trace& trace : test::lesson_traces()) {
    const auto lesson = reviewed.find(trace.lesson_id);
    ASSERT_NE(lesson, reviewed.end()) << trace.lesson_id << ":\n" << edges_text(lesson_map(trace));
    const LessonMap map = lesson_map(trace);
    EXPECT_EQ(edges_text(map), lesson->second) << trace.lesson_id;
    for (const MapName& name : map_names(trace)) EXPECT_GE(name.value, 0) << trace.lesson_id << ": " << name.name;
  }
}

/// What is computed from a node, by edges alone.
Names reachable(const LessonMap& map, std::size_t from) {
  Names out = {name_of(map, from)};
  for (std::size_t again = 0; again < map.nodes.size(); ++again)
    for (const MapEdge& edge : map.edges)
      if (out.contains(name_of(map, edge.from))) out.insert(name_of(map, edge.to));
  return out;
}

std::string change_of(const Trace& trace, const MapNode& node) {
  const DType dtype = trace.value(node.value).dtype;
  if (dtype == DType::Bool) return node.names.front() + "[...] = False";
  return is_floating(dtype) ? node.names.front() + ".mul_(-1.5)" : node.names.front() + "[...] = 1";
}

Names moved(const Trace& before, const LessonMap& map, const Trace& after) {
  std::map<std::string, ValueId> values;
  for (const MapName& name : map_names(after)) values[name.name] = name.value;
  Names out;
  for (const MapNode& node : map.nodes) {
    const ValueId id = values[node.names.front()];
    if (id < 0) continue;
    const RecordedValue &old = before.value(node.value), &now = after.value(id);
    if (old.shape != now.shape || compare(old.tensor, now.tensor).differing > 0) out.insert(node.names.front());
  }
  return out;
}

// A tensor moves what its edges lead to, all of it, and nothing else. Views share numbers, so their twins move as well.
TEST(LessonMap, WhatIsChangedMovesWhatTheEdgesLeadTo) {
  std::size_t held = 0, edges = 0;
  const Catalogue catalogue = Catalogue::built_in();
  for (const CatalogueEntry& entry : catalogue.entries()) {
    constexpr std::size_t kChanges = 10;
    if (runs_in_tests(entry.id, kChanges) < kChanges) continue;
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    const Trace before = run_lesson(lesson);
    const LessonMap map = lesson_map(before);
    edges += map.edges.size();
    for (std::size_t node = 0; node < map.nodes.size(); ++node) {
      if (before.step(map.nodes[node].step).activation > 0) continue;  // a change is made at the cells
      Trace after;
      try {
        after = run_touched(lesson, before, change_of(before, map.nodes[node]));
      } catch (const UserError&) {
        continue;  // a tensor that nothing may be written into
      }
      const std::string where = before.lesson_id + ": " + name_of(map, node);
      const Names moves = moved(before, map, after);
      Names may_move;
      for (std::size_t twin = 0; twin < map.nodes.size(); ++twin)
        if (before.value(map.nodes[twin].value).storage == before.value(map.nodes[node].value).storage)
          may_move.merge(reachable(map, twin));
      for (const std::string& name : moves) EXPECT_TRUE(may_move.contains(name)) << where << " moves " << name;
      for (const MapEdge& edge : map.edges) {
        // What one statement binds is changed after all of it was computed.
        if (edge.from != node || map.nodes[edge.from].step == map.nodes[edge.to].step) continue;
        EXPECT_TRUE(moves.contains(name_of(map, edge.to))) << where << " leaves " << name_of(map, edge.to);
        ++held;
      }
    }
  }
  EXPECT_GE(held * 10, edges * 8);
}

TEST(LessonMap, FollowsEveryWayFromNameToName) {
  const std::string x = "x = torch.arange(6.).view(2, 3)\n";
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"x, y", x + "y = (x + 1) * 2", "x -> y\n"},
      {"y x", x + "y = x.T", "x -> y\n"},                             // the order of the list says nothing
      {"x, y, z", x + "y = x * 2\nz = y + 1", "x -> y\ny -> z\n"},    // not x -> z
      {"x, y, z", x + "y = x * 2\nz = y + x", "x -> y\nx y -> z\n"},  // unless by itself
      {"x, y", x + "y = torch.ones(2)", ""},
      {"x, y", x + "y = x\nz = y", ""},  // one tensor, two names
      {"x, y, z", x + "y = x\nz = y * 2", "x -> z\n"},
      {"x, y", x + "x = x * 2\ny = x", "x -> y\n"},                   // bound twice: the first
      {"x, y", x + "y = torch.zeros(2, 3)\ny[0] = x[0]\nz = y", ""},  // y was bound before the write
      {"x, z", x + "y = torch.zeros(2, 3)\ny[0] = x[0]\nz = y * 1", "x -> z\n"},
      {"x, z", x + "y = torch.zeros(2, 3)\nrow = y[0]\nrow += x[0]\nz = y * 1", "x -> z\n"},  // through a view
      {"x, y", x + "def f(a):\n    b = a * 2\n    return b\ny = f(x)", "x -> y\n"},
      {"x, b, y", x + "def f(a):\n    b = a * 2\n    return b\ny = f(x) + 1", "x -> b\nb -> y\n"},
      {"x, y", x + "y = x\n# y: [rows, columns]\nz = y", ""},  // other names of axes make no other tensor
      {"x, z", x + "# x: [rows, columns]\nz = x * 2", "x -> z\n"},
      {"x, y, nothing", x + "y = x * 2", "x -> y\n"},
      {"x, y", x + "n = int(x.sum())\ny = torch.zeros(n)", ""},  // by way of a number: left out
  };
  for (const auto& [names, code, edges] : cases) EXPECT_EQ(edges_of(names, code), edges) << names << "\n" << code;
}

TEST(LessonMap, SaysWhatEachWayDid) {
  const LessonMap map = lesson_map(mapped("x, q, s, w",
                                          "rows, heads, width = 2, 3, 4\n"
                                          "x = torch.arange(24.).view(rows, 12)  # [rows, features]\n"
                                          "fc = nn.Linear(12, 12)\n"
                                          "q = fc(x).view(rows, heads, width).transpose(0, 1)\n"
                                          "s = q @ q.transpose(-2, -1) / 2\n"
                                          "# s: [heads, rows, others]\n"
                                          "w = torch.softmax(s, dim=-1)"));
  ASSERT_EQ(map.nodes.size(), 4U);
  EXPECT_EQ(map.nodes[1].work.front(), "linear fc");
  EXPECT_EQ(map.nodes[2].work, (std::vector<std::string>{"transpose", "matmul", "/ 2"}));
  EXPECT_EQ(map.nodes[3].work, std::vector<std::string>{"softmax over others"});
}

// What a cell did not come to is left out, and a lesson of which nothing is left has no map.
TEST(LessonMap, LeavesOutWhatWasNotReached) {
  const std::string code = "x = torch.ones(2)\ny = x * 2\n";
  EXPECT_EQ(edges_of("x, y, z", code + "undefined\nz = y + 1"), "x -> y\n");
  EXPECT_TRUE(lesson_map(mapped("x, y", "undefined\n" + code)).nodes.empty());
  EXPECT_TRUE(lesson_map(mapped("x, , y\n\n\"", "pass")).nodes.empty());
  EXPECT_TRUE(lesson_map(mapped("", code)).nodes.empty());
  EXPECT_TRUE(lesson_map(test::trace_of_file("p.py", "import torch\nx = torch.ones(2)\n")).nodes.empty());
}

TEST(LessonMap, HoldsForOtherSizes) {
  const auto reviewed = reviewed_edges();
  const std::map<std::string, std::string> sizes[] = {
      {{"n_heads", "1"}},
      {{"hidden_dim", "2"}},
      {{"batch_size", "1"}},
      {{"query_len", "6"}},
      {{"batch_size", "1"}, {"hidden_dim", "1"}, {"key_len", "1"}, {"n_heads", "1"}, {"query_len", "1"}}};
  for (const auto& set : sizes) {
    LoadFindings findings;
    const Catalogue catalogue = Catalogue::built_in();
    RunOptions options;
    options.set = set;
    const Trace trace = run_lesson(catalogue.open("3", findings), options);
    EXPECT_EQ(edges_text(lesson_map(trace)), reviewed.at("batch")) << set.begin()->first;
  }
}

TEST(LessonMap, HoldsForOwnWeights) {
  const std::string path = testing::TempDir() + "attn_map.safetensors";
  std::ofstream(path, std::ios::binary) << safetensors_bytes(
      {{"fc_k.weight", Tensor::from(std::vector<float>(64, 0.5f), {8, 8})}});
  RunOptions options;
  options.given_weights = {path, {}};
  options.weights = std::make_shared<Weights>(options.given_weights);
  LoadFindings findings;
  const Catalogue catalogue = Catalogue::built_in();
  const Trace trace = run_lesson(catalogue.open("3", findings), options);
  ASSERT_TRUE(trace.weights);
  EXPECT_EQ(trace.weights->loaded.size(), 1u);
  EXPECT_EQ(edges_text(lesson_map(trace)), reviewed_edges().at("batch"));
}

TEST(LessonMap, KnowsThePlaceOfAStep) {
  const Trace trace = mapped(
      "x, a, b, y",
      "x = torch.ones(2)\nn = 1\na, b = x * 2, x * 3\ndef f(t):\n    u = t + 1\n    return u\ny = f(a)\nprint(n)");
  const LessonMap map = lesson_map(trace);
  std::string places;
  for (const StepId step : visible_steps(trace)) {
    places += "|";
    for (const std::size_t node : map_place(map, trace, step)) places += name_of(map, node);
  }
  // The body of f, too, is where y is computed; print() comes after all of it.
  EXPECT_EQ(places, "|x|ab|ab|y|y|y|y|");
  const Trace named = mapped(
      "x, u, y, z", "x = torch.ones(2)\ndef f(t):\n    n = 1\n    u = t + n\n    return u * 2\ny = f(x)\nz = y * 2");
  places.clear();
  for (const StepId step : visible_steps(named)) {
    places += "|";
    for (const std::size_t node : map_place(lesson_map(named), named, step)) places += name_of(lesson_map(named), node);
  }
  EXPECT_EQ(places, "|x|y|y|u|u|y|z");  // def f, y = f(x), its three lines, z
}

TEST(EveryLesson, HasAMapWhoseLayersLeadDownwards) {
  for (const Trace& trace : test::lesson_traces()) {
    const LessonMap map = lesson_map(trace);
    const MapLayers layers = map_layers(map);
    std::set<std::pair<std::size_t, std::size_t>> found;
    std::size_t nodes = 0;
    for (std::size_t layer = 0; layer < layers.cells.size(); ++layer) {
      for (const MapCell& cell : layers.cells[layer]) nodes += !cell.is_line;
      for (std::size_t k = 0; layer > 0 && k < layers.links[layer - 1].size(); ++k) {
        const MapCell& from = layers.cells[layer - 1][layers.links[layer - 1][k].from];
        const MapCell& to = layers.cells[layer][layers.links[layer - 1][k].to];
        if (to.is_line) EXPECT_EQ(from.node, to.node);
        else found.emplace(from.node, to.node);
      }
    }
    EXPECT_EQ(nodes, map.nodes.size());
    std::set<std::pair<std::size_t, std::size_t>> wanted;
    for (const MapEdge& edge : map.edges) wanted.emplace(edge.from, edge.to);
    EXPECT_EQ(found, wanted) << trace.lesson_id;
  }
}

}  // namespace
}  // namespace attn
