// Which ops a gradient goes back through. That the gradients are PyTorch's, tests/cells/gradients.py says.
#include "torch/gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "python/interpreter.h"
#include "python/natives.h"
#include "torch/signature.h"

namespace attn {
namespace {

// Ops with a grad_fn of which no operand has a function in src/lib/backward.py, and that do more than move elements.
std::set<std::string> without_gradient() {
  Interpreter interpreter;
  std::set<std::string> out;
  for (const OpInfo* op : all_ops()) {
    const bool is_moving = op->element == ElementRule::IndexMap || op->element == ElementRule::Gather ||
                           op->element == ElementRule::Concat;
    const bool has_own = !op->grad_fn.empty() && op->grad_fn != "NotImplemented" && !(op->flags & kInPlace);
    if (!has_own || is_moving || op->element == ElementRule::Composite || op->element == ElementRule::Random) continue;
    const bool has_rule = std::ranges::any_of(overloads_of(op->signature), [&](const Overload& overload) {
      return std::ranges::any_of(overload, [&](const OpParameter& parameter) {
        return !library_function(interpreter, "backward", std::string(op->name) + "__" + parameter.name).is_none();
      });
    });
    if (!has_rule) out.emplace(op->name);
  }
  return out;
}

TEST(Gradients, OpsThatHaveNoneYetAreTheRareOnes) {
  const std::set<std::string> known = {"bool", "byte", "char", "int", "long", "short"};
  EXPECT_EQ(without_gradient(), known) << "write its function in src/lib/backward.py";
}

}  // namespace
}  // namespace attn
