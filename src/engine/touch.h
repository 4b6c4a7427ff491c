#pragma once
// Touching a value: the lesson runs again with one change made to what a name holds, right where it is bound. All that
// moves afterwards depends on what was touched; explain/run_difference.h says what moved.
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"
#include "engine/trace.h"

namespace attn {

class Interpreter;

/// The change that was typed, with its place in a run: "query[0,1] += 1" where the cells bind `query` first (outside of
/// functions), "query@9[0,1] += 1" where step 9 binds it (steps counted as views show them, from 1; in the body of a
/// function too). It is one statement that writes in place to what the name holds: query[...] = x, query += x,
/// query.mul_(x), layer.weight[...] = x, layers.0.weight[...] = x.
///   Errors: UserError, whose source is the change, for a name that is not bound (there), and for what is not an
///   in-place change of that name.
Touch find_touch(const Trace& before, std::string_view typed);

/// Makes the change in the scope that runs now, unseen by the observer.
///   Errors: UserError.
void apply_touch(Interpreter& interpreter, const Touch& touch);

}  // namespace attn
