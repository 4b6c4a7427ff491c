#pragma once
// Sentences of the catalogue with their words in place, and the learner's text of an error.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace attn {

/// What stands for {name} in a sentence.
using Words = std::vector<std::pair<std::string_view, std::string>>;

/// The sentence with that id. An id or a word that is missing is a bug of ours: std::logic_error.
std::string say(std::string_view id, const Words& words = {});

/// The same for a count: "more.one" for 1, else "more" with {count}.
std::string say_count(std::string_view id, std::int64_t count, Words words = {});

/// The same error, told to a learner: the sentence of the broken rule is the message, PyTorch's text a line after it.
/// Unchanged where the catalogue has no sentence for the rule, or not the facts for it.
Diagnostic explained(const Diagnostic& diagnostic);

}  // namespace attn
