#pragma once
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/long_text.h"
#include "base/text.h"

namespace attn {

/// json.dump() that Ctrl-C is heard in: what a program printed may be millions of lines.
template <class Json>
std::string json_dump(const Json& json, int indent, bool is_ascii) {
  struct Output : nlohmann::detail::output_adapter_protocol<char> {
    void write_character(char c) override { text += c; }
    void write_characters(const char* more, std::size_t size) override {
      look();
      text.append(more, size);
    }
    std::string text;
    LongTextLook look;
  };
  const auto output = std::make_shared<Output>();
  nlohmann::detail::serializer<Json> writer(output, ' ', Json::error_handler_t::replace);
  writer.dump(json, indent >= 0, is_ascii, static_cast<unsigned>(std::max(indent, 0)));
  return std::move(output->text);
}

/// JSON that is safe to show on a terminal: if it holds a character that controls one, all but ASCII is escaped.
/// `indent` is the number of blanks of a level; -1 writes everything in one line.
inline std::string json_text(const nlohmann::json& json, int indent) {
  const std::string text = json_dump(json, -1, false);
  const bool is_ascii = visible(text) != text;
  return indent < 0 && !is_ascii ? text : json_dump(json, indent, is_ascii);
}

}  // namespace attn
