#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "cli/request.h"

namespace attn {

/// A command line that cannot be understood.
class UsageError : public std::exception {
 public:
  explicit UsageError(std::string message, std::string hint = {})
      : message_(std::move(message)), hint_(std::move(hint)) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& hint() const { return hint_; }

 private:
  std::string message_;
  std::string hint_;
};

/// Options as they were typed; what they mean is decided after parsing, so that every mistake gets our own words.
struct Typed {
  std::vector<std::string> set;
  std::string data, vocab, weights;
  std::string seed, width, color, max_memory, max_steps, threads, step, depth, answers, sweep, transcript;
  Request request;
};

/// Fills `typed.request` from the texts; `given` says whether an option was typed at all. Throws UsageError.
void understand(Typed& typed, const std::function<bool(const char*)>& given);

}  // namespace attn
