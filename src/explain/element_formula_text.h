#pragma once
// How an element of an op's result is computed, where the row's ElementRule alone does not say it: a line of Python in
// the row, with places for the numbers, which are filled here. A pointwise op or a reduction without a formula is shown
// as a call: "erf(0.5)".
//
//   {input}     a parameter: a tensor's element at this place (broadcast), or a number of the code
//   {input.lead} the same with the tensor's axes lined up from the left; {weights.e} at the place of {e}
//   $+ {e}$     the elements along the reduced axes, joined by " + "; `$+ {upto}$` those up to this place
//   {x} {n} {i} of those elements the one at this place, their count, the place along the axis
//   {largest} {smallest} {average}  of those elements; {picked}: the one at the place that the result names
//   {middle}    (n - 1) // 2
//   {nth} {stride} {size}  of a list of places: which of them, and how its axis counts elements; of equal elements
//               how many of them stand before the one that was picked
//
// A formula may have alternatives, divided by " || ": the first is taken whose guard holds and whose places are all
// known. Guards: "alpha!: " the argument was given, "p=1: " and is equal to that, "bool: " the result is a truth value,
// "whole: " an integer made from a float, "zero: " it is 0, "first: " it names the first of several equal elements,
// "infinite: " the largest element is. Formulas of further outputs come after " ;; "; "..." means as the first.
// "@axis0 " in front of a formula: along the first axis, although the call names none.
#include <string_view>

#include "explain/element_level.h"
#include "explain/value_history.h"

namespace attn {

/// The part of a formula that speaks of the output with that number.
std::string_view formula_of_output(std::string_view formula, std::size_t output);

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
