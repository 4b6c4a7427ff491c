#pragma once
// Touching a value: the lesson runs again with one change made to what a name holds, right where it is bound. All that
// moves afterwards depends on what was touched; explain/run_difference.h says what moved.
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"
#include "engine/trace.h"
#include "lesson/lesson.h"

namespace attn {

class Interpreter;

/// The change that was typed, with its place in a run: "query[0,1] += 1" where the cells bind `query` first (outside of
/// functions), "query@9[0,1] += 1" where step 9 binds it (steps counted as views show them, from 1; in the body of a
/// function too). It is one statement that writes in place to what the name holds: query[...] = x, query += x,
/// query.mul_(x), layer.weight[...] = x.
///   Errors: UserError, whose source is the change, for a name that is not bound (there), and for what is not an
///   in-place change of that name.
Touch find_touch(const Trace& before, std::string_view typed);

/// Runs the lesson as `before` ran, and with the change; its steps are those of `before` and its options hold the
/// change. Numbers that the change draws come from a copy of the generator: the lesson's draws stay as they are.
///   Errors: those of find_touch(); UserError for code that fails. A lesson that fails because of the change gives a
///   Trace with that outcome.
Trace run_touched(const Lesson& lesson, const Trace& before, std::string_view typed);

/// Makes the change in the scope that runs now, unseen by the observer.
///   Errors: UserError.
void apply_touch(Interpreter& interpreter, const Touch& touch);

}  // namespace attn
