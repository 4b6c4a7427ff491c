#pragma once
// A sentence with its words in place.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

/// What replaces {name} in a sentence.
using Words = std::vector<std::pair<std::string_view, std::string>>;

/// The sentence with that id; of several the first whose words are all given. An id or a word that is missing is a bug
/// of ours: std::logic_error.
std::string say(std::string_view id, const Words& words = {});

/// The same for a count: "more.one" for 1, else "more" with {count}.
std::string say_count(std::string_view id, std::int64_t count, Words words = {});

/// "did you mean softmax?"; nothing where no name is near.
std::string did_you_mean(std::string_view near);

/// The text with every {name} resolved; nothing when one cannot be. Words are not looked into again.
std::optional<std::string> filled(std::string_view text,
                                  const std::function<std::optional<std::string>(std::string_view name)>& resolve);

}  // namespace attn
