#include "base/symbol.h"

#include <mutex>
#include <unordered_set>

namespace attn {

Symbol::Symbol(std::string_view text) {
  static std::mutex mutex;
  static auto& kept = *new std::unordered_set<std::string>;  // never freed: symbols live as long as the process
  const std::lock_guard lock(mutex);
  text_ = &*kept.emplace(text).first;
}

}  // namespace attn
