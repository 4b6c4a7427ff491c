#pragma once
// What cells may use, as rows of text: for `attn-tutor ops` and for docs/language.md.
#include <string>
#include <vector>

namespace attn {

struct CallableRow {
  std::string spelling;   // "torch.matmul"
  std::string spellings;  // all of them, blank-separated
  std::string signature;
  std::string doc;
  std::string example;
};

/// Ops, then layers.
std::vector<CallableRow> callable_rows();

/// docs/language.md: what of Python and PyTorch is there, and what differs.
std::string language_page();

}  // namespace attn
