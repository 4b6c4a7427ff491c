#pragma once
// What the rules about training share: calls of backward() and step(), and what a gradient meets on its way back.
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "explain/lint_flow.h"

namespace attn {

inline bool is_backward(const Op& op) { return op.name == "backward"; }
inline bool is_step(const Op& op) { return op.name == "optimizer_step"; }

/// Whether the code of the program, without its comments, has one of these in it.
bool program_names(const Trace& trace, std::initializer_list<std::string_view> words);
/// The same of the text as it is, quickly.
bool has_text(const Trace& trace, std::string_view word);
/// "opt" of "opt.step()".
std::string owner_of(const Flow& flow, const Op& op);

/// What a gradient meets on its way back from an op: the shape of each parameter that wants one, by its storage, and
/// the ops. `through_cuts`: also what is behind values that are detached.
struct Behind {
  std::map<std::int64_t, Shape> parameters = {};
  std::set<const Op*> ops = {};
};
Behind behind(const Flow& flow, const Op& op, bool through_cuts = false);

/// The numbers of parameters whose storages are not among others.
std::int64_t numbers_outside(const std::map<std::int64_t, Shape>& parameters, const std::set<std::int64_t>& others);

}  // namespace attn
