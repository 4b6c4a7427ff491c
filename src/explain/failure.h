#pragma once
// The error that ended a run, in one line: for views of several runs, where a whole diagnostic would be too much.
#include <optional>
#include <string>

#include "engine/trace.h"

namespace attn {

struct Failure {
  int step = 0;      // number among the steps that views show, from 1; 0: in none of them
  std::string text;  // "assertion: this must hold: hidden_dim % n_heads == 0, but 8 % 3 is 2"
};

/// Nothing when the run is fine.
std::optional<Failure> failure_of(const Trace& trace);

/// The sentence of that id with the words {label}, {step} and {error}; `id`.nowhere for one outside of the steps.
std::string failure_text(const Failure& failure, const std::string& id, const std::string& label);

}  // namespace attn
