#pragma once
// The arithmetic of every number of a tensor, as data for the script of a page: a few forms ("{0} * {1} + ...") whose
// places follow from the place of the number. All of it comes from explain/element.h: the elements are explained one
// by one, and what they have in common is written once. Where no few forms say it, nothing is said.
#include <nlohmann/json.hpp>
#include <set>

#include "engine/trace.h"
#include "explain/element.h"

namespace attn {

/// {"op": "matmul", "line": 12, "forms": [{"pieces": ["exp(", 0, ")"], "slots": [{"v": 7, "b": 0, "s": [8, 0, 1]}],
/// "note": ""}], "which": [0, 1, ...]}
///   pieces: text, the number of a slot, or {"n": 6, "join": " + ", "of": [pieces], "step": {"0": 4}}: like terms, in
///           each of which slot 0 is 4 elements further on.
///   slots:  an element of value v: number b + sum of s[d] * index[d], or l[k] for the k-th number of the form.
///   which:  the form of each number, where there are several.
/// Null where there is nothing to show. `operands`: the values that it speaks of are added.
nlohmann::ordered_json arithmetic_json(const Trace& trace, LevelExplainer& explain, ValueId value,
                                       std::set<ValueId>& operands);

}  // namespace attn
