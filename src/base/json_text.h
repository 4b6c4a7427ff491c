#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.h"

namespace attn {

/// JSON for whoever reads it, perhaps on a terminal: where a character could steer that, all but ASCII stands in
/// escapes.
inline std::string json_text(const nlohmann::json& json, int indent) {
  const auto written = [&](int width, bool is_ascii) {
    return json.dump(width, ' ', is_ascii, nlohmann::json::error_handler_t::replace);
  };
  const std::string text = written(-1, false);
  return written(indent, visible(text) != text);
}

}  // namespace attn
