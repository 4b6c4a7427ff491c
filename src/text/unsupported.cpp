#include "text/unsupported.h"

#include "text/sentences.h"

namespace attn {

CellError unsupported(Span span, std::string_view id, const Words& words) {
  const std::string hint = std::string(id) + ".hint";
  return {Code::Unsupported, span, say(id, words), sentences_of(hint).empty() ? "" : say(hint, words)};
}

}  // namespace attn
