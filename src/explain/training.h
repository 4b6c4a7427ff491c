#pragma once
// What a step of training did: the gradients that backward() left, how far an optimizer moved each parameter, and the
// losses of a loop.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace.h"

namespace attn {

/// A parameter or an input as the step left it.
struct TrainedRow {
  std::string name;    // "fc_q.weight"
  ValueId value = -1;  // its gradient, or after the optimizer itself; -1: it has no gradient
  std::string note;    // "largest 0.083, 3 are 0"
};

/// One row for each, in the order in which the program names them; first those that have no gradient or NaN in it.
/// Empty for a step that neither calls backward() nor has an optimizer move.
std::vector<TrainedRow> trained_rows(const Trace& trace, const Step& step);

/// The name of the op that trained_rows() tell of: "backward" or "optimizer_step"; empty: there is none.
std::string trained_by(const Trace& trace, const Step& step);

/// A change of leaves between two runs, and what the gradients of the first run say that it does to the loss.
struct Foretold {
  std::string loss;                 // the name of what the first backward() was called on
  double before = 0, after = 0;     // its number in each run
  std::int64_t count = 0;           // of numbers that differ when backward() is called
  double gradient = 0, change = 0;  // of the last of them
  double foretold = 0;              // gradient times change, summed over all of them
};

/// At the first call of backward() before which a leaf differs; nothing where there is none, or a number was not kept.
std::optional<Foretold> foretold_change(const Trace& before, const Trace& after);

struct NumberRange {
  double least, largest;
  /// Where a number is between them, from 0 to 1; NaN or infinite if it is not finite.
  double share(double number) const { return largest > least ? (number - least) / (largest - least) : 0 * number; }
};
/// Of the finite ones; NaN where there are none.
NumberRange finite_range(const std::vector<double>& numbers);

/// At most `count` of them, each the mean of its share of the numbers.
std::vector<double> means_of(const std::vector<double>& numbers, std::size_t count);

/// The numbers as a line of signs, one for so many numbers that all find room in `width` signs, from the lowest sign
/// for the least to the highest for the largest. A sign of numbers that are not finite is the last of `signs`.
std::string drawn_numbers(const std::vector<double>& numbers, std::size_t width,
                          const std::vector<std::string_view>& signs);

}  // namespace attn
