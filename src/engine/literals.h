#pragma once
// Assignments of the form `name = value` at the top level of a cell, and other values written in their place.
#include <map>
#include <string>
#include <vector>

#include "lesson/lesson.h"
#include "syntax/ast.h"

namespace attn {

struct Literal {
  std::string name;
  Span span;  // of the value
  const Expr* value;
};

/// The assignments to one name, in order. They live as long as the block.
std::vector<Literal> literals(const Block& block);

/// The statements of a cell; none when it cannot be parsed: running it says why.
Block parse_or_empty(const Source& source, LessonForm form = LessonForm::Lesson);

/// The code with the values of `literals` that `values` names replaced.
std::string with_values(std::string code, const std::vector<Literal>& literals,
                        const std::map<std::string, std::string>& values);

/// A text as a string of Python: control characters, bidi marks and invisible characters as escapes.
std::string string_literal(const std::string& text);

/// "[a, b]" on lines of up to 100 characters.
std::string list_literal(const std::vector<std::string>& items);

}  // namespace attn
