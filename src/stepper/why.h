#pragma once
// Values by the names that a learner types, and the reasons behind them: sizes, numbers, errors, differences.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "stepper/state.h"

namespace attn {

struct FoundValue {
  std::string name;
  ValueId value = -1;
  std::size_t at = 0;  // the step that bound it
};

/// What the name is bound to by the step where the learner is; without a name what that step shows. Nothing that
/// an open question hides.
std::optional<FoundValue> find_value(const State& state, std::string_view name);

/// Where each size of a tensor was born.
void tell_sizes(State& state, const FoundValue& found);

/// Why the step failed; "energy[0, 1]": the arithmetic behind a number; "energy": where its sizes come from; "": both,
/// of the tensor shown last.
void show_reasons(State& state, std::string_view typed);

/// "A B": how two values differ.
void show_difference(State& state, std::string_view typed);

}  // namespace attn
