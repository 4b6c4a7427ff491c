#pragma once
// Which tensors a page carries the numbers of, and how: base64 of little-endian numbers, until the page would become
// too large.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/trace.h"
#include "render/html/arithmetic.h"

namespace attn {

/// {"type": "float", "mode": "decimals", "scale": 2.5, "numbers": "..."}: float is float32, double and int are float64,
/// bool bytes. `is_derived`: without the numbers.
nlohmann::ordered_json numbers_json(const Tensor& x, bool is_derived);

/// Decides which numbers are in a page. A tensor whose elements only moved is made from the other by the script.
class NumberCarrier {
 public:
  NumberCarrier(const Trace& trace, const std::map<ValueId, Arithmetic>& made) : trace_(trace), made_(made) {}

  bool has(ValueId id) const { return carried_.contains(id) && carried_.at(id); }
  bool is_derived(ValueId id) const { return derived_.contains(id); }

  /// Whether there is room for it. Weights beyond 65,536 elements and integers beyond 2^53 are never carried.
  bool carry(ValueId id);

  /// Whether the places of its arithmetic can be found.
  bool has_needed(const Arithmetic& arithmetic);

 private:
  /// Of an older value all elements were taken from as they are, and all that says which is carried.
  bool is_made_of_others(ValueId id);

  const Trace& trace_;
  const std::map<ValueId, Arithmetic>& made_;
  std::map<ValueId, bool> carried_;
  std::set<ValueId> derived_;
  std::int64_t bytes_ = 0;
};

}  // namespace attn
