#pragma once
// What a word at the prompt can become, and whether a line of code needs another one.
#include <string>
#include <string_view>
#include <vector>

#include "stepper/state.h"

namespace attn {

struct Completion {
  std::string text;  // the whole word: "Q_heads", "matmul", ":goto"
  std::string note;  // "[batch_size 3, query_len 5]", "(input, other)", or what a command does
};

/// The words that the one before `cursor` (a byte) can become: names and attributes at this step, ops, commands after
/// a colon. `word_begin` becomes the byte where that word starts. Sorted.
std::vector<Completion> completions(const State& state, std::string_view line, std::size_t cursor,
                                    std::size_t& word_begin);

/// Whether the code cannot be run before another line is typed: an open bracket or string, a block that an empty line
/// has not ended.
bool wants_more(std::string_view code);

}  // namespace attn
