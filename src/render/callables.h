#pragma once
// What cells may call, ops and layers, as rows of text: for `attn-tutor ops`, for help, and for docs/language.md.
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

/// "torch.matmul" -> "matmul"
std::string last_name(const std::string& spelling);

/// All that is known of the ops and layers of that name, such as "matmul", "F.softmax" or "nn.Linear"; else empty.
std::string callable_details(const std::string& name);

}  // namespace attn
