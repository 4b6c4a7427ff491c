#pragma once
// Axes with their sizes on a page, broken only between two axes, never between a name and its size.
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace.h"
#include "render/page.h"

namespace attn {

/// "batch_size, -, key_len"; empty when no axis has a name.
std::string axes_names(const RecordedValue& value);
inline constexpr int kLeastAxes = 16;  // cells of a column of them

/// "[batch_size 3, n_heads 2,", "key_len 6]" within `width` cells.
std::vector<Line> wrap_axes(const std::string& axes, int width);

/// A sentence with places or axes between brackets, which are broken only between two of them.
void put_sentence(Page& page, std::string_view text, int hang = 0);

/// `before`, the axes under one another to the right of it (below it where that is too narrow), then `after`.
void put_axes(Page& page, const Line& before, const std::string& axes, const Line& after);

}  // namespace attn
