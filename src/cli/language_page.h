#pragma once
#include <string>

namespace attn {

/// docs/language.md: what of Python and PyTorch is there, and what differs.
std::string language_page();

}  // namespace attn
