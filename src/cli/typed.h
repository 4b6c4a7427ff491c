#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/request.h"

namespace attn {

/// Options as they were typed; what they mean is decided after parsing, so that every mistake gets our own words.
struct Typed {
  std::vector<std::string> set;
  std::string data, vocab, weights;
  std::string seed, width, color, max_memory, max_steps, threads, step, depth, answers, student, sweep, transcript;
  Request request;
};

/// Fills `typed.request` from the texts; `given` says whether an option was typed at all.
///   Errors: UserError.
void understand(Typed& typed, const std::function<bool(const char*)>& given);

}  // namespace attn
