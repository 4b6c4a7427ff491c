#pragma once
// Texts to trees and errors, for the tests of the parser.
#include <string>

#include "base/diagnostic.h"
#include "syntax/parser.h"

namespace attn {

inline Source source_of(std::string text) { return {"cell", std::move(text), 1}; }

inline std::string expression(const std::string& text) { return to_sexpr(*parse_expression(source_of(text))); }
inline std::string cell(const std::string& text) { return to_sexpr(parse_cell(source_of(text))); }

/// "syntax: message | text under the span | hint"
template <class Parse>
std::string error_of(const std::string& text, Parse parse) {
  const Source source = source_of(text);
  try {
    parse(source);
  } catch (const CellError& error) {
    const Diagnostic& d = error.diagnostic();
    std::string out = std::string(code_name(d.code)) + ": " + d.message + " | " + std::string(source.slice(d.span));
    return d.hint.empty() ? out : out + " | " + d.hint;
  }
  return "no error";
}

inline std::string error(const std::string& text) {
  return error_of(text, [](const Source& source) { return parse_cell(source); });
}

struct Case {
  std::string text, expected;
};

}  // namespace attn
