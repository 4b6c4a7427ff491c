#pragma once
// A comment that names the axes of a tensor: "# [batch_size, query_len]", "# K: (B, T, C)", "# axis key_len: words".
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/source.h"

namespace attn {

/// One axis: a product of names and integers; most have one factor.
struct AxisItem {
  std::vector<std::variant<std::string, std::int64_t>> factors;
};

struct AxisComment {
  Span span;                    // of the comment, without '#'
  std::string name;             // of the variable it speaks of; empty: the statement's target
  std::vector<AxisItem> items;  // of a comment that lists axes
  std::string axis;             // of "# axis AXIS: WORDS"
  std::string by;               // of "# axis BY, AXIS: WORDS": WORDS holds a list for each index of BY
  std::string words;
  bool in_parentheses = false;  // "(a)" with one item is prose in files that are not lessons
};

/// A part of a comment on a line of its own that says which slice the tables of its cell show:
/// "# slice batch_size: 2, n_heads: -1".
struct SliceComment {
  std::string_view axis;  // in the code
  std::int64_t index = 0;
};

/// Those of a cell, in order. A part without an integer is prose.
std::vector<SliceComment> slice_comments(std::string_view code);

/// "n_heads * head_dim", "batch_size", "3": the item as text.
std::string axis_text(const AxisItem& item);

/// Reads a comment (without '#'); nothing when it is prose. `span` is the place of `text`.
std::optional<AxisComment> parse_axis_comment(std::string_view text, Span span);

}  // namespace attn
