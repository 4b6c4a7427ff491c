#pragma once
// Numbers as pictures. Tables of weights are heatmaps in a terminal: beside the digits of every share there is a sign,
// the darker the larger the share. The digits say it all; the signs show patterns. The losses of a loop are a curve on
// pages and in Markdown; a terminal has a line of signs for them (explain/training.h).
#include <string>
#include <string_view>
#include <vector>

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

/// "The loss, 300 times: from 3.308 to 0.1241; ...": what the picture shows, in words.
std::string loss_curve_text(const std::vector<double>& losses);

/// An SVG that needs no style, with further attributes. It has a gap where numbers are not finite.
std::string loss_curve_svg(const std::vector<double>& losses, const std::string& attributes);

}  // namespace attn
