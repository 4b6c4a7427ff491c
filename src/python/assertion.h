#pragma once
// Why an assertion does not hold: of a comparison the values of both sides.
#include <functional>
#include <string>

#include "python/interpreter.h"
#include "python/value.h"
#include "syntax/ast.h"

namespace attn {

/// "but 8 % 3 is 2", "but len(words) is 4 and n_words is 5": what the two sides of a comparison came to. Empty when
/// that says nothing new. `evaluate` gives the value of a name or number again; it is asked for nothing else.
std::string sides_text(const Source& source, const Expr& left, const Value& left_value, const Expr& right,
                       const Value& right_value, const std::function<Value(const Expr&)>& evaluate);

}  // namespace attn
