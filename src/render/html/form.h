#pragma once
// The expressions of many numbers of a tensor that are alike but for the places of their operands, as one.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "explain/element.h"
#include "render/html/places.h"

namespace attn {

/// A piece of an expression without what differs from number to number: text, or the number of a slot.
struct FormPiece {
  std::string text;
  int slot = -1;
  int term = -1;  // as in ExpressionPiece
};

/// The element of an operand at each number of a form.
struct FormSlot {
  ValueId value = -1;
  std::vector<std::int64_t> elements = {};  // row-major
};

struct Form {
  std::vector<FormPiece> pieces = {};
  std::vector<FormSlot> slots = {};        // in the order of the expression
  std::vector<FormSlot> choosers = {};     // that are not in the expression, and say where an operand is
  std::vector<std::int64_t> numbers = {};  // of the tensor that have this form
  std::string note = {};                   // that all of them share
  std::string key = {};                    // equal for expressions of one form
};

/// The form of a number by itself.
Form form_of(const Trace& trace, const Explanation& level, std::int64_t number);

/// Takes in another number of the same form.
void add_to(Form& form, const Form& one);

/// The form as html_arithmetic.h describes it, and the places that it speaks of; null when a place follows no rule and
/// the list would be long. `is_sample`: there are more numbers than the form knows, so no place may be a list.
nlohmann::ordered_json form_json(const Trace& trace, const Form& form, const Shape& shape, bool is_sample,
                                 std::vector<Place>& places);

}  // namespace attn
