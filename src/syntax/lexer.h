#pragma once
// From the text of a cell to tokens, as Python's tokenizer makes them: lines, indentation, brackets that join lines,
// comments that name axes. A mistake becomes the last token, so that the parser reports it only if nothing before it
// is wrong.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace attn {

enum class TokenKind {
  Name,
  Keyword,
  Number,
  String,  // with its prefix and quotes; also an f-string
  Operator,
  Newline,  // the end of a logical line
  Indent,
  Dedent,
  Comment,  // on a line of its own, between statements; its span leaves out '#'
  Magic,    // a line that begins with % or !
  End,
  Error
};

struct Token {
  TokenKind kind;
  Span span;
  std::string_view text;  // into the source
  Span comment = {};      // of a Newline: the comment before it, without '#'; empty when there is none
};

/// How the text ended. All but Complete and Wrong would be mended by more text.
enum class LexOutcome { Complete, Wrong, OpenBracket, OpenString, OpenLine };

struct TokenList {
  std::vector<Token> tokens;       // the last one is End or Error
  std::optional<CellError> error;  // what Error stands for
  LexOutcome outcome = LexOutcome::Complete;
};

/// Lines: statements, with Newline, Indent and Dedent. Joined: as inside brackets, one expression.
enum class LexMode { Lines, Joined };

/// The tokens of source.text from `begin` to `end`. Never throws a CellError; it is in the list.
TokenList tokenize(const Source& source, std::uint32_t source_index, std::uint32_t begin, std::uint32_t end,
                   LexMode mode);

/// Whether Python reserves the word.
bool is_keyword(std::string_view word);

}  // namespace attn
