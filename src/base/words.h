#pragma once
// Lists of words in one text with a blank between two, as tables of this program hold them: "torch.relu Tensor.relu".
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The place of `word` among the words, from 0. The empty text is a list of one empty word.
inline std::optional<std::size_t> word_place(std::string_view words, std::string_view word) {
  for (std::size_t place = 0;; ++place) {
    const std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return place;
    if (blank == std::string_view::npos) return std::nullopt;
    words.remove_prefix(blank + 1);
  }
}

/// Calls f with each of the words.
template <class F>
void for_each_word(std::string_view words, F&& f) {
  for (;;) {
    const std::size_t blank = words.find(' ');
    f(words.substr(0, blank));
    if (blank == std::string_view::npos) return;
    words.remove_prefix(blank + 1);
  }
}

inline constexpr std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

inline bool has_word(std::string_view words, std::string_view word) { return word_place(words, word).has_value(); }

/// Its words, in order; none of the empty text.
inline std::vector<std::string> words_in(std::string_view words) {
  std::vector<std::string> out;
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    out.emplace_back(words.substr(0, end));
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  return out;
}

}  // namespace attn
