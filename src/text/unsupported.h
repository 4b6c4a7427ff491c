#pragma once
// What Python or PyTorch has and this program has not.
#include <string_view>

#include "base/diagnostic.h"
#include "text/say.h"

namespace attn {

/// The error that refuses it: the sentence with that id; its hint is the one with ".hint" behind the id, if there is
/// one.
CellError unsupported(Span span, std::string_view id, const Words& words = {});

}  // namespace attn
