#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.h"

namespace attn {

/// JSON that is safe to show on a terminal: if it holds a character that controls one, all but ASCII is escaped.
/// `indent` is the number of blanks of a level; -1 writes everything in one line.
inline std::string json_text(const nlohmann::json& json, int indent) {
  const auto written = [&](int width, bool is_ascii) {
    return json.dump(width, ' ', is_ascii, nlohmann::json::error_handler_t::replace);
  };
  const std::string text = written(-1, false);
  return written(indent, visible(text) != text);
}

}  // namespace attn
