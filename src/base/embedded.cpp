#include "base/embedded.h"

#include <stdexcept>
#include <string>

namespace attn {

std::string_view embedded_file(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.bytes;
  throw std::logic_error("not in the binary: " + std::string(path));
}

}  // namespace attn
