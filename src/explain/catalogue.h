#pragma once
// The catalogue: every sentence of the interface by its id. Another language is another table.
#include <span>
#include <string_view>

namespace attn {

/// {name} in `text` stands for a word that say() is given. In a sentence of a rule ("rule.matmul.inner") it stands for
///   {left} {right}          the operands as written,
///   {left.-1} {left.axis}   an axis of one, counted or named by a fact: "head_dim 4", or "size 4" without a name,
///   {size} {-size} {size-1} a fact, its negative, one less.
/// A rule may have several sentences: the first whose words are all known is taken.
struct Sentence {
  std::string_view id;
  std::string_view text;
};

std::span<const Sentence> sentences();

/// Parts of it that stand in files of their own.
std::span<const Sentence> rule_sentences();
std::span<const Sentence> lint_sentences();
/// Those of the interactive session, which are a part of sentences().
std::span<const Sentence> session_sentences();
std::span<const Sentence> program_sentences();

}  // namespace attn
