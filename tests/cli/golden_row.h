#pragma once
// A line about a transcript in a table of goldens: its size, its hash, and what stands in it.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "render/formats.h"

namespace attn {

inline const std::vector<std::string> kFormats = [] {
  std::vector<std::string> names;
  for (const Format& format : all_formats()) names.emplace_back(format.name);
  return names;
}();
inline const std::string kGolden = ATTN_SOURCE_DIR "/tests/golden/";

inline bool updates() { return std::getenv("ATTN_UPDATE_GOLDEN") != nullptr; }

inline void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// FNV-1a.
inline std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

inline int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

/// What a reader of the table of goldens can make something of.
inline std::string structure(const std::string& format, const std::string& bytes) {
  if (format == "md")
    return fmt::format("{} cells {} tables {} folds", count(bytes, "```python\n"), count(bytes, "\n|---"),
                       count(bytes, "<details>"));
  if (format == "html")
    return fmt::format("{} tables {} steps {} questions", count(bytes, "<figure "),
                       count(bytes, "<section class=\"step"), count(bytes, " data-ask="));
  if (format == "json") return fmt::format("{} lines {} ops", count(bytes, "\n"), count(bytes, "\"spelling\":"));
  if (format == "ipynb")
    return fmt::format("{} cells {} outputs", count(bytes, "\"cell_type\""), count(bytes, "\"output_type\""));
  if (format == "py") return fmt::format("{} assertions", count(bytes, "\nassert tuple("));
  if (format == "safetensors") return fmt::format("{} tensors", count(bytes, "\"data_offsets\""));
  return fmt::format("{} lines", count(bytes, "\n"));
}

inline std::string golden_row(const std::string& label, const std::string& format, const std::string& bytes) {
  return fmt::format("{} {:11} {:9} bytes  {:016x}  {}\n", label, format, bytes.size(), hash_of(bytes),
                     structure(format, bytes));
}

}  // namespace attn
