#pragma once
// The lessons and data files that were put into the binary at build time.
#include <span>
#include <string_view>

namespace attn {

struct EmbeddedFile {
  std::string_view path;  // "lessons/03-batch.md", "data/token_ids.json"
  std::string_view bytes;
};

/// Sorted by path.
std::span<const EmbeddedFile> embedded_files();

/// The bytes of one of them.
///   Errors: std::logic_error when there is none of that path.
std::string_view embedded_file(std::string_view path);

}  // namespace attn
