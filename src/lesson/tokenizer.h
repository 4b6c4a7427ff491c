#pragma once
// Text to ids as the tokenizer of a model does it, and back: byte-level BPE (GPT-2, Llama 3), SentencePiece's BPE
// (Llama 2), WordPiece (BERT), and words by themselves. A text is normalized, split into pieces, and each piece becomes
// ids; what tokenizer.json says of these three is a list of functions here.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/file_bytes.h"
#include "base/source.h"

namespace attn {

class Tokenizer {
 public:
  /// The tokenizer.json of a folder, else its vocab.json with merges.txt, else the vocab.txt of a BERT.
  ///   Errors: UserError (none of these, no JSON, no model in it, a kind that is not known: by its name); FileError.
  static Tokenizer of_folder(const FileOpener& open);
  /// From the text of one of these; the errors are the same.
  static Tokenizer from_json(const Source& source);
  static Tokenizer from_merges(const Source& vocab, const Source& merges);
  static Tokenizer from_wordpieces(const Source& lines);
  /// Each word is a token, its place the id.
  static Tokenizer of_words(const std::vector<std::string>& words);

  /// The ids, with those that the file puts in front of a text and behind it.
  ///   Errors: UserError for a piece that is not known, where there is no token for unknown ones; LimitReached.
  std::vector<std::int64_t> encode(std::string_view given) const;
  /// Bytes that are not UTF-8 are U+FFFD. Ids without a token are left out.
  std::string decode(const std::vector<std::int64_t>& ids) const;
  /// The bytes that a token stands for; of one that goes on with a word, "##ing". Empty for an id without a token.
  std::string bytes_of(std::int64_t id) const;
  /// One past the largest id.
  std::size_t size() const { return tokens_.size(); }

 private:
  enum class Model { ByteLevel, Sentence, WordPiece, WordsAlone };
  using Normalizer = std::function<std::string(std::string)>;
  using Splitter = std::function<std::vector<std::string>(const std::string&)>;
  friend class TokenizerReader;  // tokenizer_json.cpp

  void add(std::string token, std::int64_t id);
  void add_merge(std::string_view left, std::string_view right);
  void encode_plain(std::string_view text, std::vector<std::int64_t>& out) const;
  void encode_piece(const std::string& piece, std::vector<std::int64_t>& out) const;
  void merge_piece(std::string_view piece, std::vector<std::int64_t>& out) const;
  void longest_pieces(const std::string& word, std::vector<std::int64_t>& out) const;
  void add_unknown(std::string_view piece, std::vector<std::int64_t>& out) const;

  Model model_ = Model::ByteLevel;
  std::vector<std::string> tokens_;  // by id; empty: there is none
  std::unordered_map<std::string, std::int64_t> ids_;
  std::unordered_map<std::string, std::int64_t> ranks_;      // of "left right"
  std::vector<std::pair<std::string, std::int64_t>> added_;  // tokens that are cut out of a text first
  std::vector<Normalizer> normalizers_;
  std::vector<Splitter> splitters_;
  std::vector<std::int64_t> before_, behind_;
  std::int64_t unknown_ = -1;
  bool takes_whole_pieces_ = false;  // a piece that is a token is one, whatever the merges say
  bool begins_with_blank_ = false;
};

/// Cuts a text at the matches of a pattern (PCRE2, Unicode): matches and what is between them, or without `keeps_rest`
/// the matches alone.
///   Errors: UserError for a pattern that cannot be read.
std::function<std::vector<std::string>(const std::string&)> pattern_splitter(const std::string& pattern,
                                                                             bool keeps_rest);

/// GPT-2's: a word with the blank before it, the end of a contraction, numbers, signs, blanks.
extern const char* const kGpt2Pattern;

}  // namespace attn
