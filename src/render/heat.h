#pragma once
// Tables of weights as heatmaps in a terminal: beside the digits of every share there is a sign, the darker the larger
// the share. The digits say it all; the signs show patterns.
#include <string>
#include <string_view>

#include "engine/trace.h"
#include "render/style.h"

namespace attn {

/// Whether the entries are shares: none below 0, every row along the last axis adds to 1, and not all of them 0 or 1,
/// as in a table that picks rows.
bool is_weights(const RecordedValue& value);

/// One cell wide; a blank for less than 0.05, and four signs from 0.05, 0.25, 0.5 and 0.75 on.
std::string_view shade(double share, const Glyphs& glyphs);

/// A share in at most three characters: ".57", "1.0", "0" for 0 alone.
std::string short_share(double share);

}  // namespace attn
