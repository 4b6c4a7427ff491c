#pragma once
// The ops of a cell by name, each under the one that called it.
#include <string>

#include "base/limits.h"
#include "python/interpreter.h"
#include "torch/op.h"

namespace attn {

class OpNames : public Observer {
 public:
  void op_begins(const OpCall& call) override {
    names += std::string(depth++ * 2, ' ') + std::string(call.info().name) + "\n";
  }
  void op_ends(const OpCall&, const Value&) override { --depth; }
  std::string names;
  std::size_t depth = 0;
};

/// Those of `cell` alone, which runs after `before`.
inline std::string ops_of(const std::string& before, const std::string& cell) {
  const LimitScope limits{Limits{}};
  OpNames names;
  Interpreter interpreter(&names);
  interpreter.run(
      {"before", "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n" + before + "\n", 1});
  names.names.clear();
  interpreter.run({"cell", cell + "\n", 1});
  return names.names;
}

}  // namespace attn
