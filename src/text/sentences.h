#pragma once
// The sentences of the interface by their ids, as they are written in data/text/en.txt. Another language is another
// file of that format.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Sentence {
  std::string_view id;     // "list.begun"
  std::string_view lines;  // as they are in the file

  /// "{seen} of {steps} steps": {name} is a word that say() is given.
  std::string text() const;
};

/// Each `id = text` of such a file, sorted by id; sentences with the same id keep their order. Indented lines continue
/// the text after a blank, or on a new line where the line above ends in \n. # begins a line of comment.
/// Sentences are views of `file`, which must live as long.
///   Errors: std::logic_error at the first line that is none of these.
std::vector<Sentence> parse_sentences(std::string_view file);

/// All that the program has.
std::span<const Sentence> sentences();

/// Those with this id: none, one, or for a rule that an op can break several.
std::span<const Sentence> sentences_of(std::string_view id);

}  // namespace attn
