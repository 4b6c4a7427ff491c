#pragma once
// The map of a lesson as text: boxes in layers with lines between them where the width has room for that, else a list;
// and one sentence a tensor for a screen reader.
#include <cstddef>
#include <string>
#include <vector>

#include "explain/lesson_map.h"
#include "render/page.h"

namespace attn {

struct MapView {
  const Trace& trace;
  LessonMap map;
  std::vector<std::size_t> here = {};  // nodes that are marked: map_place()
  StepId ahead = -1;                   // from the nodes of this step on, sizes are left out; -1: none are
};

/// Nothing of a map without nodes. Sentences where the options ask for them.
void put_map(Page& page, const MapView& view);
void put_linear_map(Page& page, const MapView& view);

/// "query = key".
std::string map_name(const MapNode& node);

/// What a box holds, in lines of about that many cells: name (Style::Name), mark, work, axes (Style::Dim).
std::vector<Line> map_lines(const MapView& view, std::size_t node, int width, const RenderOptions& options);
/// The middle of each cell of a drawing, in a row as wide as `room`, `between` apart: linked cells in one column as
/// far as the order of a layer allows. A layer is no wider than the room.
std::vector<std::vector<int>> map_centers(const MapLayers& layers, const std::vector<std::vector<int>>& widths,
                                          int between, int room);

/// Whether the map block is drawn rather than shown as it is.
bool is_drawn_map(const Trace& trace, const Prose& prose);
/// The block with the drawing in the place of its names, for formats made of prose; any other block as it is.
Prose with_map(const Trace& trace, const Prose& prose, const RenderOptions& options);

}  // namespace attn
