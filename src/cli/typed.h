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

/// The whole number that was typed for an option.
///   Errors: UserError where it is none, or not from `least` to `most`.
std::int64_t number_in(const std::string& option, const std::string& text, std::int64_t least, std::int64_t most);

/// Fills `typed.request` from the texts; `given` says whether an option was typed at all.
///   Errors: UserError.
void understand(Typed& typed, const std::function<bool(const char*)>& given);

}  // namespace attn
