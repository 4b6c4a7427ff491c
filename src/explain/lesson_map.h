#pragma once
// The map of a lesson: the tensors that its map block names, and which of them was computed from which, by what. The
// lesson gives the names alone; everything else is read off the Trace, so a map cannot say what the run did not do.
#include <cstddef>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

struct MapNode {
  std::vector<std::string> names;  // several when they are bound to one tensor
  ValueId value = -1;
  StepId step = -1;               // that binds it first
  std::vector<std::string> work;  // by which it was made from all of its sources: "matmul", "/ 2"
};

/// `to` was computed from `from`, with none of the other tensors of the map in between.
struct MapEdge {
  std::size_t from = 0, to = 0;
  std::vector<std::string> work;  // what happened to this source alone, before MapNode::work
};

struct LessonMap {
  std::vector<MapNode> nodes;  // what is computed from another comes after it
  std::vector<MapEdge> edges;  // by target, then by source
};

/// The map of the names in the lesson's map block; without nodes where there is no block or nothing was computed from
/// anything. A name counts where it is first bound to a tensor, outside of common bugs; a name that never is (a cell
/// failed before) is left out.
LessonMap lesson_map(const Trace& trace);

/// The nodes that a step computes, or those that come next; empty after the last one.
std::vector<std::size_t> map_place(const LessonMap& map, const Trace& trace, StepId step);

/// A node in a layer of the drawing, or the line of an edge that passes through it.
struct MapCell {
  std::size_t node = 0;  // of a line: its source
  bool is_line = false;
};

/// The layers of a drawing from top to bottom. A cell leads to cells of the next layer alone, and lines cross as little
/// as was found.
struct MapLayers {
  std::vector<std::vector<MapCell>> cells;
  struct Link {
    std::size_t from = 0, to = 0;  // indices into a layer and into the next one
  };
  std::vector<std::vector<Link>> links;  // one list per layer but the last
};
MapLayers map_layers(const LessonMap& map);

}  // namespace attn
