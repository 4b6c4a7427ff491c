#pragma once
// Are two printed texts the same but for the last digits of their numbers? PyTorch itself differs in them from build
// to build.
#include <optional>
#include <string>
#include <string_view>

namespace attn {

struct TextDifference {
  int line = 1;               // of both texts, from 1
  std::string expected, got;  // that line of each; empty if it has none
};

/// The first line that differs. Lines are equal when their words are and each pair of numbers is equal, within 1e-6
/// relative or 1e-7, or one unit of the last printed place apart.
std::optional<TextDifference> first_difference(std::string_view expected, std::string_view got);

}  // namespace attn
