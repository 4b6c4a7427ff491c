#pragma once
// A formula of the table (torch/element_formula.h) with the numbers of one element in its places.
#include <string_view>

#include "explain/element_level.h"
#include "explain/value_history.h"

namespace attn {

/// Fills the formula for the element of `level`, whose op made output `output`. False when no alternative fits: then
/// nothing was added.
bool fill_formula(const ValueHistory& history, std::string_view formula, std::size_t output, Explanation& level,
                  LevelBuilder& builder);

/// The same for an op without a formula: "name(a, b)" over the elements at its place, or along the reduced axes.
void fill_call(const ValueHistory& history, bool is_reduction, std::size_t output, Explanation& level,
               LevelBuilder& builder);

/// The argument of a parameter: null when the chosen overload has none of that name.
const OpArgument* find_argument(const Op& op, std::string_view parameter);

/// The first operand that was given for the parameter; null when it was no tensor.
const OpOperand* find_operand(const Op& op, std::string_view parameter);

/// The digits of a number among the arguments; empty for what is not a number.
std::string argument_digits(const OpArgument& argument);

/// The index of an operand's element that broadcasts to `index`.
Shape broadcast_index(const Shape& operand, const Shape& index);

}  // namespace attn
