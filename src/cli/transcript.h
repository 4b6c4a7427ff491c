#pragma once
// Files that transcripts are written to.
#include <string>

namespace attn {

/// Whether a transcript may take the place of the file: it is not there, is empty, or is a transcript itself.
bool may_replace(const std::string& path);

}  // namespace attn
